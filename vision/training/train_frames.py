"""Teach `FrameNet` where exactly a top face lies in a rough cut-out, and whether there is one.

python -m vision.training.train_frames OUT.pt SCENES RENDERS... --steps N [--start OLD.pt]
    [--above SCENES] [--false MINED.npz[,MINED.npz]]
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional

from vision.dice import FAR, with_planes
from vision.training.data import F, Rng, axes, read_renders, read_scenes, recolour
from vision.training.nets import FrameNet
from vision.training.options import parse
from vision.training.patches import (
    FACE,
    NONE,
    SQUARE,
    Patches,
    collect,
    normalise,
    rotation,
    warp,
)

SIDE, INNER = 40, 20
"""Side of what the network sees, and of the face that the finder believes to be in it."""
SCENE, RENDER, ABOVE, MINED, EMPTY, MINED_TWICE = range(6)
SHARES = {
    (SCENE, 0): 0.18, (RENDER, 0): 0.25, (ABOVE, 0): 0.05, (SCENE, 1): 0.03,
    (RENDER, 1): 0.11, (RENDER, 2): 0.1, (ABOVE, 1): 0.03, (ABOVE, 2): 0.03,
    (MINED, 0): 0.06, (MINED_TWICE, 0): 0.11, (EMPTY, 0): 0.07,
}  # fmt: skip
"""Of a batch: by where a patch comes from, and 0 for good, 1 for cocked, 2 for stacked dice."""


def jitter(rng: Rng, pool: Pool, i: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A cut-out turned anyhow, off by what the finder may be off, its truth, the way to the middle.

    The truth (8,) is the frame (7), and whether there is a die at all.
    """
    source = pool.source[i]
    die = float(source in (SCENE, RENDER, ABOVE))
    near = 1.0 if rng.random() < 0.5 else 0.4  # the finder's errors, or the framer's own
    scale = INNER / FACE * float(np.exp(rng.normal(0, 0.14 * near)))
    shift = rng.normal(0, 0.09 * near, 2) * FACE
    if die and rng.random() < 0.1:  # so far off that it must be refused
        die = 0.0
        a, case = rng.uniform(0, 2 * np.pi), rng.random()
        if case < 0.6:
            shift = np.array([np.cos(a), np.sin(a)]) * FACE * rng.uniform(0.45, 0.65)
        else:
            scale *= rng.uniform(1.9, 2.8) if case < 0.8 else rng.uniform(0.4, 0.55)
    m = scale * rotation(rng.uniform(0, 2 * np.pi)) @ np.diag([rng.choice([-1, 1]), 1])
    if source == SCENE and rng.random() < 0.35:  # seen from the side
        along = rotation(rng.uniform(0, np.pi))
        k = rng.uniform(0.6, 1)
        m = along @ np.diag([k**0.5, k**-0.5]) @ along.T @ m
    corners = (pool.corners[i] - shift) @ m.T
    u, v = axes(corners)
    r = float(np.sqrt(abs(u) * abs(v)))
    p, s = u * u * v * v / r**4, (u * u + v * v) / r**2
    x, y = corners.mean(0) / INNER
    frame = (x, y, np.log(2 * r / INNER), p.real, p.imag, s.real, s.imag)
    truth = np.array([*frame, die], F)
    way = (pool.toward[i] - shift / FACE) @ (m / np.sqrt(abs(np.linalg.det(m)))).T
    return warp(pool.pixels[i], m, SIDE, shift), truth, way.astype(F)


@dataclass
class Pool:
    """All patches, where they come from and what is wrong with them."""

    pixels: np.ndarray
    corners: np.ndarray
    toward: np.ndarray
    source: np.ndarray
    fault: np.ndarray


def pool_of(parts: dict[int, Patches], mined: str) -> Pool:
    """The makers' patches, and those of the files that `vision.training.mine` wrote."""
    rows: list[tuple[np.ndarray, ...]] = []
    for i, part in parts.items():
        faults = np.where(part.stacked, 2, np.where(part.cocked, 1, 0))
        for kind, here in ((i, part.placed), (EMPTY, ~part.placed & (part.kind == NONE))):
            source = np.full(int(here.sum()), kind)
            fault = faults[here] if kind == i else 0 * source
            rows.append((part.pixels[here], part.corners[here], part.toward[here], source, fault))
    for kind, path in zip((MINED, MINED_TWICE), mined.split(",") if mined else (), strict=False):
        false = np.load(path)
        n = len(false["pixels"])
        none = np.zeros(n, int)
        square = np.tile(SQUARE * FACE, (n, 1, 1)).astype(F)
        rows.append((false["pixels"], square, false["toward"], none + kind, none))
    return Pool(*(np.concatenate(column) for column in zip(*rows, strict=True)))


def main() -> None:
    """Train, and save after every 250 steps."""
    args = parse(__doc__, batch=64, rate=3e-3)
    rng = np.random.default_rng(args.seed)
    net = FrameNet()
    if args.start:
        net.load_state_dict(torch.load(args.start))
    makers = (read_scenes(args.scenes), read_renders(args.renders), read_scenes(args.above))
    parts = {i: collect(rng, pictures) for i, pictures in enumerate(makers) if pictures}
    pool = pool_of(parts, args.false)
    del parts
    odds = np.zeros(len(pool.source))
    for (a, b), share in SHARES.items():
        here = (pool.source == a) & (pool.fault == b)
        print("source", a, "fault", b, here.sum(), flush=True)
        odds[here] = share / max(1, here.sum())
    odds /= odds.sum()
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, args.rate, args.steps, pct_start=0.1)
    log, begun = np.zeros(5), time.time()
    weights = torch.tensor([5.0, 5.0, 4.0, 1.0, 1.0, 6.0, 6.0])
    for step in range(1, args.steps + 1):
        chosen = rng.choice(len(odds), args.batch, p=odds)
        cuts = [jitter(rng, pool, i) for i in chosen]
        x = np.stack([recolour(rng, patch).transpose(2, 0, 1) for patch, _, _ in cuts])
        x = with_planes(normalise(x), np.stack([way for _, _, way in cuts]) / FAR)
        t = torch.from_numpy(np.stack([truth for _, truth, _ in cuts]))
        y = net(torch.from_numpy(x))
        # The skew by squares: most dice have none, and so has their median whatever is seen.
        gap = y[:, :7] - t[:, :7]
        gap = torch.cat([gap[:, :5].abs(), gap[:, 5:].square()], 1) * t[:, 7:]
        error = gap.sum(0) / t[:, 7].sum().clamp(min=1)
        die = functional.binary_cross_entropy_with_logits(y[:, 7], t[:, 7])
        loss = (error * weights).sum() + 2 * die
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        e = error.detach().numpy()
        now = np.array([e[:2].mean(), e[2], e[3:5].mean(), e[5:].mean(), float(die.detach())])
        log = now if step == 1 else 0.98 * log + 0.02 * now
        if step % 100 == 0:
            names = ("middle", "edge", "angle", "skew", "die")
            line = " ".join(f"{n} {v:.3f}" for n, v in zip(names, log, strict=True))
            print(step, f"{(time.time() - begun) / step:.2f} s/step", line, flush=True)
        if step % 250 == 0:
            torch.save(net.state_dict(), args.out)


if __name__ == "__main__":
    main()
