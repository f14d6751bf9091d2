"""Teach `FaceNet` to read one top face.

python -m vision.training.train_faces OUT.pt SCENES RENDERS... --steps N [--start OLD.pt]
    [--false MINED.npz]
"""

from __future__ import annotations

import time

import numpy as np
import torch
from torch.nn import functional

from vision.training.data import F, Rng, read_renders, read_scenes, recolour
from vision.training.nets import FaceNet
from vision.training.options import parse
from vision.training.patches import (
    FACE,
    NONE,
    SPOILT,
    SQUARE,
    collect,
    normalise,
    rectify,
    rotation,
)

SIDE, INNER = 40, 24
"""Side of what the network sees, and of the face in it."""


def jitter(rng: Rng, patch: np.ndarray, corners: np.ndarray, kind: int) -> tuple[np.ndarray, int]:
    """What the finder's errors make of a patch; at times an error so large that it is no face."""
    scale = INNER / FACE * float(np.exp(rng.normal(0, 0.05)))
    shift = rng.normal(0, 0.035, 2) * FACE
    if kind != NONE and rng.random() < 0.12:
        case = rng.integers(3)
        if case == 0:  # a side face, or the gap between two dice
            a = rng.uniform(0, 2 * np.pi)
            shift = np.array([np.cos(a), np.sin(a)]) * FACE * rng.uniform(0.42, 0.75)
        elif case == 1:
            scale *= rng.uniform(1.6, 2.4)
        else:
            scale *= rng.uniform(0.45, 0.62)
        kind = NONE
    m = scale * rotation(rng.normal(0, np.radians(3.5)) + rng.integers(4) * np.pi / 2)
    m = m @ np.diag([rng.choice([-1, 1]), 1]) @ (np.eye(2) + rng.normal(0, 0.025, (2, 2)))
    return rectify(patch, corners, m, shift, SIDE), kind


def main() -> None:
    """Train, and save after every 500 steps."""
    args = parse(__doc__, batch=64, rate=3e-3)
    rng = np.random.default_rng(args.seed)
    net = FaceNet()
    if args.start:
        net.load_state_dict(torch.load(args.start))
    makers = (read_scenes(args.scenes), read_renders(args.renders))
    parts = [collect(rng, pictures) for pictures in makers if pictures]
    pixels = np.concatenate([p.pixels for p in parts])
    corners = np.concatenate([p.corners for p in parts])
    kinds = np.concatenate([p.kind for p in parts])
    maker = np.concatenate([np.full(len(p.kind), i) for i, p in enumerate(parts)])
    if args.false:
        mined = np.load(args.false)["pixels"]
        pixels = np.concatenate([pixels, mined])
        corners = np.concatenate([corners, np.tile(SQUARE * FACE, (len(mined), 1, 1)).astype(F)])
        kinds = np.concatenate([kinds, np.full(len(mined), NONE)])
        maker = np.concatenate([maker, np.full(len(mined), len(parts))])
    print(len(kinds), "patches", np.bincount(kinds + 1), flush=True)
    # every value of both makers as often as the other, a few more of what is none or spoilt
    odds = np.zeros(len(kinds))
    for i in range(maker.max() + 1):
        for kind in range(8):
            here = (kinds == kind) & (maker == i)
            odds[here] = {NONE: 1.2, SPOILT: 1.6}.get(kind, 1.0) / max(1, here.sum())
    odds /= odds.sum()
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, args.rate, args.steps, pct_start=0.1)
    smooth, right, begun = 2.0, 0.0, time.time()
    for step in range(1, args.steps + 1):
        xs, ts = [], []
        for i in rng.choice(len(kinds), args.batch, p=odds):
            patch, kind = jitter(rng, pixels[i], corners[i], int(kinds[i]))
            xs.append(recolour(rng, patch).transpose(2, 0, 1))
            ts.append(kind)
        x, t = torch.from_numpy(normalise(np.stack(xs))), torch.tensor(ts)
        y = net(x)
        loss = functional.cross_entropy(y, t)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        smooth = 0.98 * smooth + 0.02 * float(loss.detach())
        right = 0.98 * right + 0.02 * float((y.argmax(1) == t).float().mean())
        if step % 100 == 0:
            pace = (time.time() - begun) / step
            print(step, f"{pace:.2f} s/step loss {smooth:.4f} right {right:.4f}", flush=True)
        if step % 500 == 0:
            torch.save(net.state_dict(), args.out)


if __name__ == "__main__":
    main()
