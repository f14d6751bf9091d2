"""Teach `RestNet` how a die rests: flat, leaning, on another die, or under one.

python -m vision.training.train_rests OUT.pt SCENES RENDERS... --steps N [--start OLD.pt]
    [--above SCENES]

Only pictures from above can teach it: from the side a flat die looks like a leaning one.
"""

from __future__ import annotations

import time

import cv2
import numpy as np
import torch
from torch.nn import functional

from vision.dice import REST, WIDER, Finder, rest_planes
from vision.training import train_frames
from vision.training.data import F, Picture, Rng, read_renders, read_scenes, recolour
from vision.training.nets import RestNet
from vision.training.options import parse
from vision.training.patches import FACE, collect, rotation, warp
from vision.training.train_frames import INNER

FLAT, COCKED, STACKED, UNDER = range(4)
NOISE = 0.025
"""Of the logarithm of an edge."""
MIXED = 0.2
"""Share of pictures with dice of several sizes."""
LEANS = 30.0
"""Degrees of lean that count as 1."""
SHARES = (0.47, 0.27, 0.22, 0.04)
"""Of a batch, by class."""
SOFT = 0.2
"""Of a batch: from the cheap pictures."""


def gather(rng: Rng, makers: list[list[Picture]]) -> tuple[np.ndarray, ...]:
    """Of every die that shows: pixels, corners, class, maker, way to the middle, size."""
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
            rows.append(
                (
                    part.pixels[i],
                    part.corners[i],
                    state,
                    maker,
                    part.toward[i],
                    part.larger[i],
                    part.tilt[i],
                )
            )
    return tuple(np.stack([np.asarray(v) for v in column]) for column in zip(*rows, strict=True))


def framed(
    rng: Rng, finder: Finder, pixels: np.ndarray, corners: np.ndarray, toward: np.ndarray
) -> np.ndarray:
    """The corners (n, 4, 2) that the framer gives these dice, found roughly, as in the product.

    It is less exact with leaning dice than with flat ones, and differently; with the true corners
    the network would rely on what the product can not know.
    """
    edge = np.sqrt([abs(cv2.contourArea(quad.astype(F))) for quad in corners])
    at = corners.mean(1) + rng.normal(0, 0.07, (len(corners), 2)) * FACE
    edge = edge * np.exp(rng.normal(0, 0.1, len(edge)))
    quads = corners
    for _ in range(2):
        cuts = [
            warp(patch, np.eye(2) * INNER / e, train_frames.SIDE, shift)
            for patch, e, shift in zip(pixels, edge, at, strict=True)
        ]
        way = (toward * FACE - at) / edge[:, None]
        quads = finder.frames(np.stack(cuts).astype(F), way, at, edge)[0]
        at = quads.mean(1)
        edge = np.sqrt([max(1.0, abs(cv2.contourArea(quad))) for quad in quads])
    lost = np.hypot(*(at - corners.mean(1)).T) > 0.5 * FACE
    return np.where(lost[:, None, None], corners, quads).astype(F)


def jitter(
    rng: Rng, patch: np.ndarray, found: np.ndarray, toward: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A patch turned anyhow, its corners as found, a little off, and the way to the middle.

    As in the product, the patch is centred on the corners that were found and scaled by them.
    """
    found = found + rng.normal(0, 0.01, (4, 2)) * FACE + rng.normal(0, 0.015, 2) * FACE
    shift, edge = found.mean(0), float(np.sqrt(abs(cv2.contourArea(found.astype(F)))))
    m = REST / edge * rotation(rng.uniform(0, 2 * np.pi)) @ np.diag([rng.choice([-1, 1]), 1])
    way = (toward * FACE - shift) @ (m / REST).T
    return warp(patch, m, WIDER, shift), (found - shift) @ m.T, way


def beside(rng: Rng, larger: np.ndarray) -> float:
    """The size beside that of some other dice, each measured as badly as the framer does."""
    n = rng.integers(0, len(larger) + 1)
    if n == 0:
        return 0.0
    if rng.random() < MIXED:  # dice of several sizes: nothing to be learned from
        return float(rng.normal(0, 0.1))
    return float(np.median(larger[:n] + rng.normal(0, NOISE, n)) + rng.normal(0, NOISE))


def batch(
    rng: Rng,
    pixels: np.ndarray,
    corners: np.ndarray,
    state: np.ndarray,
    _maker: np.ndarray,
    toward: np.ndarray,
    larger: np.ndarray,
    tilt: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What the network sees of some rows of `gather`, the classes it should name, the lean."""
    cuts = [jitter(rng, *row) for row in zip(pixels, corners, toward, strict=True)]
    patches, quads, ways = (np.stack(part) for part in zip(*cuts, strict=True))
    grey = np.stack([recolour(rng, patch).mean(2)[..., None] for patch in patches])
    size = np.array([beside(rng, row) for row in larger])
    lean = (tilt / LEANS).clip(0, 1).astype(F)
    return rest_planes(grey, quads, ways, size).astype(F), state, lean


def main() -> None:
    """Train, and save after every 250 steps."""
    args = parse(__doc__, batch=96, rate=3e-3)
    rng = np.random.default_rng(args.seed)
    net = RestNet()
    if args.start:
        net.load_state_dict(torch.load(args.start))
    makers = [read_renders(args.renders), read_scenes(args.above)]
    columns = gather(rng, makers)
    finder, parts = Finder(), np.array_split(np.arange(len(columns[0])), len(columns[0]) // 100)
    quads = [framed(rng, finder, *(columns[k][part] for k in (0, 1, 4))) for part in parts]
    columns = columns[0], np.concatenate(quads), *columns[2:]
    state, maker = columns[2:4]
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
        x, t, lean = batch(rng, *(column[chosen] for column in columns))
        t = torch.from_numpy(t)
        told = net.tilted(torch.from_numpy(x))
        y = told[:, :4]
        loss = functional.cross_entropy(y, t, label_smoothing=0.01)
        loss = loss + functional.smooth_l1_loss(told[:, 4], torch.from_numpy(lean), beta=0.1)
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
