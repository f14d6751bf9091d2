"""Teach `RestNet` how a die rests: flat, leaning, on another die, or under one.

python -m vision.training.train_rests OUT.pt SCENES RENDERS... --steps N [--start OLD.pt]
    [--above SCENES]

Only pictures from above can teach it: from the side a flat die looks like a leaning one.
"""

from __future__ import annotations

import time

import numpy as np
import torch
from torch.nn import functional

from vision.training.data import Picture, Rng, read_renders, read_scenes, recolour
from vision.training.nets import RestNet
from vision.training.options import parse
from vision.training.patches import FACE, collect, normalise, planes, rotation, warp

SIDE, INNER = 40, 16
"""Side of what the network sees, and of a die's edge in it."""
FLAT, COCKED, STACKED, UNDER = range(4)
SHARES = (0.4, 0.26, 0.22, 0.12)
"""Of a batch, by class."""
SOFT = 0.2
"""Of a batch: from the cheap pictures."""


def gather(rng: Rng, makers: list[list[Picture]]) -> tuple[np.ndarray, ...]:
    """Pixels, class, maker and the way to the picture's middle of every die that shows."""
    rows = []
    for maker, pictures in enumerate(makers):
        if not pictures:
            continue
        part = collect(rng, pictures)
        for i in np.nonzero(part.placed)[0]:
            # collect() marks by -1 what lies flat and is yet not valid
            under = part.kind[i] == -1 and not part.stacked[i]
            faults = (COCKED, part.cocked[i]), (STACKED, part.stacked[i]), (UNDER, under)
            state = next((name for name, is_so in faults if is_so), FLAT)
            if state == FLAT and part.kind[i] == 7:
                continue  # half hidden by a hand
            rows.append((part.pixels[i], state, maker, part.toward[i]))
    return tuple(np.stack([np.asarray(v) for v in column]) for column in zip(*rows, strict=True))


def jitter(rng: Rng, patch: np.ndarray, toward: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A patch turned anyhow, off by what the framer may be off; and the way to the middle."""
    scale = INNER / FACE * float(np.exp(rng.normal(0, 0.04)))
    shift = rng.normal(0, 0.035, 2) * FACE
    m = scale * rotation(rng.uniform(0, 2 * np.pi)) @ np.diag([rng.choice([-1, 1]), 1])
    way = (toward - shift / FACE) @ (m / scale).T
    return warp(patch, m, SIDE, shift), way


def main() -> None:
    """Train, and save after every 250 steps."""
    args = parse(__doc__, batch=96, rate=3e-3)
    rng = np.random.default_rng(args.seed)
    net = RestNet()
    if args.start:
        net.load_state_dict(torch.load(args.start))
    makers = [read_renders(args.renders), read_scenes(args.above)]
    pixels, state, maker, toward = gather(rng, makers)
    print([np.bincount(state[maker == m], minlength=4).tolist() for m in (0, 1)], flush=True)
    odds = np.zeros(len(state))
    for m, part in ((0, 1 - SOFT if args.above else 1.0), (1, SOFT)):
        for s, share in enumerate(SHARES):
            here = (state == s) & (maker == m)
            odds[here] = part * share / max(1, here.sum())
    odds /= odds.sum()
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=5e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, args.rate, args.steps, pct_start=0.1)
    smooth, right, begun = 1.4, 0.0, time.time()
    for step in range(1, args.steps + 1):
        chosen = rng.choice(len(state), args.batch, p=odds)
        cuts = [jitter(rng, pixels[i], toward[i]) for i in chosen]
        x = np.stack([recolour(rng, patch).mean(2)[None] for patch, _ in cuts])
        x = planes(normalise(x), np.stack([way for _, way in cuts]))
        t = torch.from_numpy(state[chosen])
        y = net(torch.from_numpy(x))
        loss = functional.cross_entropy(y, t, label_smoothing=0.01)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        smooth = 0.98 * smooth + 0.02 * float(loss.detach())
        right = 0.98 * right + 0.02 * float((y.argmax(1) == t).float().mean())
        if step % 100 == 0:
            pace = (time.time() - begun) / step
            print(step, f"{pace:.2f} s/step loss {smooth:.4f} right {right:.4f}", flush=True)
        if step % 250 == 0:
            torch.save(net.state_dict(), args.out)


if __name__ == "__main__":
    main()
