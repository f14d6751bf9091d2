"""Teach `FrameNet` where exactly a top face lies, from a rough cut-out of a die.

python -m vision.training.train_frames OUT.pt SCENES RENDERS... --steps N [--start OLD.pt]
"""

from __future__ import annotations

import time

import numpy as np
import torch
from torch.nn import functional

from vision.training.data import F, Rng, axes, read_renders, read_scenes, recolour
from vision.training.nets import FrameNet
from vision.training.options import parse
from vision.training.patches import FACE, collect, normalise, rotation, warp

SIDE, INNER = 40, 20
"""Side of what the network sees, and of the face that the finder believes to be in it."""
_CORNERS = FACE / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], F)


def jitter(rng: Rng, patch: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A cut-out turned anyhow, off by what the finder may be off, and its true frame (7,)."""
    scale = INNER / FACE * float(np.exp(rng.normal(0, 0.14)))
    shift = rng.normal(0, 0.09, 2) * FACE
    m = scale * rotation(rng.uniform(0, 2 * np.pi)) @ np.diag([rng.choice([-1, 1]), 1])
    if rng.random() < 0.35:  # seen from the side: narrower along one direction
        along = rotation(rng.uniform(0, np.pi))
        k = rng.uniform(0.6, 1)
        m = along @ np.diag([k**0.5, k**-0.5]) @ along.T @ m
    corners = (_CORNERS - shift) @ m.T
    u, v = axes(corners)
    r = float(np.sqrt(abs(u) * abs(v)))
    p, s = u * u * v * v / r**4, (u * u + v * v) / r**2
    x, y = corners.mean(0) / INNER
    frame = np.array([x, y, np.log(2 * r / INNER), p.real, p.imag, s.real, s.imag], F)
    return warp(patch, m, SIDE, shift), frame


def main() -> None:
    """Train, and save after every 250 steps."""
    args = parse(__doc__, batch=64, rate=3e-3)
    rng = np.random.default_rng(args.seed)
    net = FrameNet()
    if args.start:
        net.load_state_dict(torch.load(args.start))
    makers = (read_scenes(args.scenes), read_renders(args.renders))
    parts = [collect(rng, pictures) for pictures in makers if pictures]
    maker = np.concatenate([np.full(int(p.placed.sum()), i) for i, p in enumerate(parts)])
    pixels, cocked, stacked = (
        np.concatenate([getattr(p, name)[p.placed] for p in parts])
        for name in ("pixels", "cocked", "stacked")
    )
    odds = np.zeros(len(pixels))
    for i in range(len(parts)):
        for fault in (0, 1, 2):
            here = (maker == i) & ((cocked + 2 * stacked).clip(max=2) == fault)
            odds[here] = (0.6, 0.25, 0.15)[fault] / max(1, here.sum())
    odds /= odds.sum()
    print(len(pixels), "dice", cocked.sum(), "cocked", stacked.sum(), "stacked", flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, args.rate, args.steps, pct_start=0.1)
    log, begun = np.zeros(6), time.time()
    weights = torch.tensor([5.0, 5.0, 4.0, 1.0, 1.0, 1.0, 1.0])
    for step in range(1, args.steps + 1):
        chosen = rng.choice(len(pixels), args.batch, p=odds)
        pairs = [jitter(rng, pixels[i]) for i in chosen]
        x = np.stack([recolour(rng, patch).transpose(2, 0, 1) for patch, _ in pairs])
        y = net(torch.from_numpy(normalise(x)))
        error = (y[:, :7] - torch.from_numpy(np.stack([f for _, f in pairs]))).abs().mean(0)
        fault = torch.from_numpy(np.stack([cocked[chosen], stacked[chosen]], 1).astype(F))
        tilt = functional.binary_cross_entropy_with_logits(y[:, 7:], fault, reduction="none").mean(
            0
        )
        loss = (error * weights).sum() + 0.5 * tilt.sum()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        e = error.detach().numpy()
        now = np.array([e[:2].mean(), e[2], e[3:5].mean(), e[5:].mean(), *tilt.detach().numpy()])
        log = now if step == 1 else 0.98 * log + 0.02 * now
        if step % 100 == 0:
            names = ("middle", "edge", "angle", "skew", "cocked", "stacked")
            line = " ".join(f"{n} {v:.3f}" for n, v in zip(names, log, strict=True))
            print(step, f"{(time.time() - begun) / step:.2f} s/step", line, flush=True)
        if step % 250 == 0:
            torch.save(net.state_dict(), args.out)


if __name__ == "__main__":
    main()
