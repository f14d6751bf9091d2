"""Teach `FaceNet` to read one top face.

python -m vision.training.train_faces OUT.pt SCENES RENDERS... --steps N [--start OLD.pt]
"""

from __future__ import annotations

import argparse
import time

import cv2
import numpy as np
import torch
from torch.nn import functional

from vision.training.data import F, Picture, Rng, decode, read_renders, read_scenes, recolour
from vision.training.nets import FaceNet

WIDE, FACE = 64, 32
"""Side of a stored patch, and of the top face within it."""
SIDE, INNER = 40, 24
"""The same of what the network sees."""
NONE, SPOILT = 0, 7


def wide_patch(image: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The face and half an edge around it, rectified to WIDE x WIDE."""
    side = float(np.sqrt(abs(cv2.contourArea(corners.astype(F)))))
    shrink = min(1.0, 1.4 * FACE / max(side, 1))
    centre, reach = corners.mean(0), 2.2 * side
    x0, y0 = (np.maximum(centre - reach, 0)).astype(int)
    x1, y1 = (centre + reach).astype(int) + 1
    cut = image[y0:y1, x0:x1]
    if shrink < 0.8:
        cut = cv2.resize(cut, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    else:
        shrink = 1.0
    lo, hi = (WIDE - FACE) / 2 - 0.5, (WIDE + FACE) / 2 - 0.5
    to = np.array([(lo, lo), (hi, lo), (hi, hi), (lo, hi)], F)
    m = cv2.getPerspectiveTransform(((corners - (x0, y0)) * shrink - 0.5).astype(F), to)
    return cv2.warpPerspective(
        cut, m, (WIDE, WIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def collect(rng: Rng, pictures: list[Picture]) -> tuple[np.ndarray, np.ndarray]:
    """Patches (n, WIDE, WIDE, 3) and classes (n,); NONE only where there is no die at all."""
    patches, classes = [], []
    for picture in pictures:
        image = decode(picture)
        h, w = image.shape[:2]
        for die in picture.dice:
            if die.edge < 10 or not (
                die.corners.min() > -5 and (die.corners.max(0) < (w + 5, h + 5)).all()
            ):
                continue
            kind = die.value if die.valid else SPOILT
            if die.visible < 0.25 or (die.valid and die.value == 0):
                kind = NONE
            elif not die.valid and (die.stacked or (die.visible > 0.9 and die.tilt < 3)):
                continue  # looks like a good one from above
            patches.append(wide_patch(image, die.corners))
            classes.append(kind)
        for _ in range(2):
            edge = np.exp(rng.uniform(np.log(10), np.log(70)))
            centre = rng.uniform(0, 1, 2) * (w, h)
            if any(
                np.linalg.norm(d.corners.mean(0) - centre) < 0.7 * (d.edge + edge)
                for d in picture.dice
            ):
                continue
            a = rng.uniform(0, 1.6) + np.arange(4) * np.pi / 2
            square = centre + edge * 0.707 * np.stack([np.cos(a), np.sin(a)], 1)
            patches.append(wide_patch(image, square))
            classes.append(NONE)
    return np.stack(patches), np.array(classes)


def jitter(rng: Rng, patch: np.ndarray, kind: int) -> tuple[np.ndarray, int]:
    """What the finder's errors make of a patch; at times an error so large that it is no face."""
    scale = INNER / FACE * float(np.exp(rng.normal(0, 0.05)))
    shift = rng.normal(0, 0.035, 2) * FACE
    turn = rng.normal(0, np.radians(3.5))
    if kind != NONE and rng.random() < 0.12:
        k = rng.integers(3)
        if k == 0:  # a side face, or the gap between two dice
            a = rng.uniform(0, 2 * np.pi)
            shift = np.array([np.cos(a), np.sin(a)]) * FACE * rng.uniform(0.42, 0.75)
        elif k == 1:
            scale *= rng.uniform(1.6, 2.4)
        else:
            scale *= rng.uniform(0.45, 0.62)
        kind = NONE
    a = turn + rng.integers(4) * np.pi / 2
    m = scale * np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    m = m @ np.diag([rng.choice([-1, 1]), 1]) @ (np.eye(2) + rng.normal(0, 0.025, (2, 2)))
    centre = np.array([WIDE / 2 - 0.5] * 2) + shift
    m = np.concatenate([m, (SIDE / 2 - 0.5 - m @ centre)[:, None]], 1)
    out = cv2.warpAffine(
        patch, m, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return out, kind


def normalise(x: np.ndarray) -> np.ndarray:
    """(n, 3, SIDE, SIDE) to mean 0 and unit contrast, as `vision.faces` does."""
    mean = x.mean((1, 2, 3), keepdims=True)
    return (x - mean) / np.maximum(x.std((1, 2, 3), keepdims=True), 6.0)


def main() -> None:
    """Train, and save after every 500 steps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("scenes")
    parser.add_argument("renders", nargs="*")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--start", default="")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    net = FaceNet()
    if args.start:
        net.load_state_dict(torch.load(args.start))
    parts = [collect(rng, p) for p in (read_scenes(args.scenes), read_renders(args.renders)) if p]
    patches, classes = (np.concatenate([p[i] for p in parts]) for i in range(2))
    rendered = np.concatenate([np.full(len(p[1]), i) for i, p in enumerate(parts)])
    print(len(patches), "patches", np.bincount(classes), flush=True)
    # every class of both makers as often as the other, but fewer empty and spoilt ones
    odds = np.zeros(len(classes))
    for maker in range(len(parts)):
        for kind in range(8):
            here = (classes == kind) & (rendered == maker)
            odds[here] = {NONE: 1.2, SPOILT: 1.6}.get(kind, 1.0) / max(1, here.sum())
    odds /= odds.sum()
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, args.rate, args.steps, pct_start=0.1)
    smooth, right, begun = 2.0, 0.0, time.time()
    for step in range(1, args.steps + 1):
        xs, ts = [], []
        for i in rng.choice(len(classes), args.batch, p=odds):
            patch, kind = jitter(rng, patches[i], int(classes[i]))
            xs.append(recolour(rng, patch).transpose(2, 0, 1))
            ts.append(kind)
        x, t = torch.from_numpy(normalise(np.stack(xs))), torch.tensor(ts)
        y = net(x)
        loss = functional.cross_entropy(y, t)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        smooth = 0.98 * smooth + 0.02 * float(loss)
        right = 0.98 * right + 0.02 * float((y.argmax(1) == t).float().mean())
        if step % 100 == 0:
            print(
                step,
                f"{(time.time() - begun) / step:.2f} s/step loss {smooth:.4f} right {right:.4f}",
                flush=True,
            )
        if step % 500 == 0:
            torch.save(net.state_dict(), args.out)


if __name__ == "__main__":
    main()
