"""Teach `DiceNet` to find dice.

python -m vision.training.train_dice OUT.pt SCENES RENDERS... --steps N [--start OLD.pt]
"""

from __future__ import annotations

import time

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from vision.training.data import F, Picture, Rng, axes, decode, read_renders, read_scenes, recolour
from vision.training.nets import DiceNet
from vision.training.options import parse

SIDE = 128
STRIDE = 4
SHARE = 0.4
"""Of rendered pictures."""
SMALLEST, LARGEST = 10.0, 40.0
"""Edges in pixels that the network must find."""


def _sample_affine(
    rng: Rng, picture: Picture, shape: tuple[int, ...], rendered: bool
) -> np.ndarray:
    """From the picture to a SIDE x SIDE window with dice of a size that the network must know."""
    h, w = shape[:2]
    edges = [d.edge for d in picture.dice if d.visible > 0.3]
    low, high = (10, 22) if rendered else (SMALLEST, LARGEST)
    wanted = np.exp(rng.uniform(np.log(low), np.log(high)))
    if not rendered and rng.random() < 0.12:
        wanted = rng.uniform(LARGEST, 3.5 * LARGEST)
    scale = wanted / (
        edges[rng.integers(len(edges))] if edges else rng.uniform(0.05, 0.2) * min(h, w)
    )
    # as little empty space around the picture as its largest dice permit
    fill = SIDE / 1.3 / min(h, w)
    largest = LARGEST if rng.random() < 0.75 else 3 * LARGEST
    scale = max(scale, min(fill, largest / max([*edges, 1.0])))
    if rng.random() < 0.1:  # the whole picture in a coarse look: a tray is no die
        scale = SIDE * rng.uniform(0.4, 1.1) / max(h, w)
    scale = float(np.clip(scale, 0.05, 2.2))
    focus = np.array([rng.uniform(0, w), rng.uniform(0, h)])
    if picture.dice and rng.random() < 0.8:
        focus = picture.dice[rng.integers(len(picture.dice))].corners.mean(0)
        focus = focus + rng.uniform(-0.4, 0.4, 2) * SIDE / scale
    half = SIDE / scale / 2
    focus = np.clip(
        focus, np.minimum(half, (w / 2, h / 2)), np.maximum((w - half, h - half), (w / 2, h / 2))
    )
    a = rng.uniform(0, 2 * np.pi) if rng.random() < 0.3 else rng.integers(4) * np.pi / 2
    flip = np.diag([rng.choice([-1, 1]), 1])
    m = scale * np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) @ flip
    return np.concatenate([m, (SIDE / 2 - m @ focus)[:, None]], 1)


def _warp(image: np.ndarray, m: np.ndarray) -> np.ndarray:
    """Warp without aliasing: shrink by area first, as the product does."""
    scale = float(np.sqrt(abs(np.linalg.det(m[:, :2]))))
    if scale < 0.8:
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        m = m.copy()
        m[:, :2] /= scale
    m = m.copy()
    m[:, 2] += m[:, :2] @ (0.5, 0.5) - 0.5  # from corner-based to OpenCV's centre-based pixels
    return cv2.warpAffine(
        image, m, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def sample(rng: Rng, pictures: list[Picture], rendered: bool) -> tuple[np.ndarray, ...]:
    """(image, targets (11, n, n), weights (3, n, n): of heat, of the die's frame, of hands)."""
    picture = pictures[rng.integers(len(pictures))]
    image = decode(picture)
    m = _sample_affine(rng, picture, image.shape, rendered)
    window = recolour(rng, _warp(image, m))
    n = SIDE // STRIDE
    target, weight = np.zeros((11, n, n), F), np.zeros((3, n, n), F)
    weight[0] = 1
    cells = (np.mgrid[0:n, 0:n][::-1].astype(F) + 0.5) * STRIDE
    nearest = np.full((n, n), np.inf, F)
    for die in picture.dice:
        corners = die.corners @ m[:, :2].T + m[:, 2]
        u, v = axes(corners)
        r = float(np.sqrt(abs(u) * abs(v)))
        centre = corners.mean(0)
        if not (-2 * r < centre[0] < SIDE + 2 * r and -2 * r < centre[1] < SIDE + 2 * r):
            continue
        d = np.hypot(cells[0] - centre[0], cells[1] - centre[1])
        known = SMALLEST * 0.9 < 2 * r < LARGEST * 1.1
        doubtful = die.value == 0 or 0.1 < die.visible < 0.45 or (die.visible <= 0.1 and 2 * r > 6)
        if 2 * r > LARGEST * 1.1:  # for a coarser look; its pips are no small dice
            weight[0][d < max(0.0, 0.35 * r * (2 - 2 * r / LARGEST))] = 0
            continue
        if not known or doubtful:
            weight[0][d < r * 0.8] = 0
            continue
        if die.visible <= 0.1:
            continue
        home = np.floor(centre / STRIDE)
        if (home < 0).any() or (home >= n).any():
            continue
        away = np.hypot(cells[0] / STRIDE - 0.5 - home[0], cells[1] / STRIDE - 0.5 - home[1])
        sigma = max(0.55, 0.2 * r / STRIDE)
        target[0] = np.maximum(target[0], np.exp(-(away**2) / (2 * sigma**2)))
        mine = ((d < max(0.3 * r, 0.7 * STRIDE)) | (away < 0.5)) & (d < nearest)
        nearest[mine] = d[mine]
        p, s = u * u * v * v / r**4, (u * u + v * v) / r**2
        values = [np.log(2 * r / 16), p.real, p.imag, s.real, s.imag, float(die.tilt > 3)]
        for k, value in enumerate(values):
            target[3 + k][mine] = value
        target[1][mine] = ((centre[0] - cells[0]) / STRIDE)[mine]
        target[2][mine] = ((centre[1] - cells[1]) / STRIDE)[mine]
        weight[1][mine] = 1
        target[10][mine] = float(die.stacked)
    if picture.mask is not None:
        mask = cv2.imdecode(picture.mask, cv2.IMREAD_GRAYSCALE)
        target[9] = cv2.resize(_warp(mask, m), (n, n), interpolation=cv2.INTER_AREA) / 255
    weight[2] = float(picture.mask is not None or not picture.hand)
    return window.transpose(2, 0, 1), target, weight


def loss_of(y: Tensor, t: Tensor, w: Tensor) -> tuple[Tensor, dict[str, float]]:
    """The sum, and its parts for the log."""
    heat, truth = y[:, 0].clamp(-12, 12), t[:, 0]
    log_p, log_q = functional.logsigmoid(heat), functional.logsigmoid(-heat)
    p = heat.sigmoid()
    peak = (truth > 0.99).float()
    count = peak.sum().clamp(min=1)
    found = -(peak * (1 - p) ** 2 * log_p * w[:, 0]).sum() / count
    quiet = -((1 - peak) * (1 - truth) ** 4 * p**2 * log_q * w[:, 0]).sum() / count
    n = w[:, 1].sum().clamp(min=1)
    frame = ((y[:, 1:8] - t[:, 1:8]).abs() * w[:, 1:2]).sum((0, 2, 3)) / n
    scale = torch.tensor([2.0, 2.0, 4.0, 3.0, 3.0, 1.5, 1.5])
    tilt = functional.binary_cross_entropy_with_logits(y[:, 8], t[:, 8], reduction="none")
    tilt = (tilt * w[:, 1]).sum() / n
    pile = functional.binary_cross_entropy_with_logits(y[:, 10], t[:, 10], reduction="none")
    pile = (pile * w[:, 1]).sum() / n
    hand = functional.binary_cross_entropy_with_logits(y[:, 9], t[:, 9], reduction="none")
    hand = (hand * w[:, 2]).mean()
    total = found + quiet + (frame * scale).sum() + 0.5 * tilt + 0.5 * pile + 8 * hand
    parts = {
        "found": found, "quiet": quiet, "offset": frame[:2].sum(), "edge": frame[2],
        "angle": frame[3:5].sum(), "skew": frame[5:7].sum(), "tilt": tilt, "pile": pile,
        "hand": hand,
    }  # fmt: skip
    return total, {k: float(v.detach()) for k, v in parts.items()}


def main() -> None:
    """Train, and save after every 250 steps."""
    args = parse(__doc__, batch=24, rate=4e-3)
    rng = np.random.default_rng(args.seed)
    net = DiceNet().to(memory_format=torch.channels_last)
    if args.start:
        net.load_state_dict(torch.load(args.start), strict=False)
    scenes, renders = read_scenes(args.scenes), read_renders(args.renders, half=True)
    hands = [p for p in scenes if p.mask is not None] or scenes
    print(len(scenes), "scenes", len(renders), "renders", len(hands), "hands", flush=True)
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, args.rate, args.steps, pct_start=0.1)
    log: dict[str, float] = {}
    begun = time.time()
    for step in range(1, args.steps + 1):
        batch = []
        for _ in range(args.batch):
            rendered = bool(renders) and rng.random() < SHARE
            pool = renders if rendered else hands if rng.random() < 0.2 else scenes
            batch.append(sample(rng, pool, rendered))
        x, t, w = (torch.from_numpy(np.stack(part)) for part in zip(*batch, strict=True))
        x = ((x - 128) / 64).contiguous(memory_format=torch.channels_last)
        loss, parts = loss_of(net(x), t, w)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 20.0)
        optimiser.step()
        schedule.step()
        log = {k: 0.98 * log.get(k, v) + 0.02 * v for k, v in parts.items()}
        if step % 50 == 0:
            line = " ".join(f"{k} {v:.3f}" for k, v in log.items())
            print(step, f"{(time.time() - begun) / step:.2f} s/step", line, flush=True)
        if step % 250 == 0:
            torch.save(net.state_dict(), args.out)
        if step % 1000 == 0:  # the makers may still be at work
            scenes, renders = read_scenes(args.scenes), read_renders(args.renders, half=True)
            print(len(scenes), "scenes", len(renders), "renders", flush=True)


if __name__ == "__main__":
    main()
