"""Floors for the dice to lie on, and flat things that are not dice."""

from __future__ import annotations

import glob
from functools import cache

import cv2
import numpy as np

from vision.training.looks import Rng, linear, noise
from vision.training.softdice import F

SIDE = 512
_FELTS = (
    (0.05, 0.30, 0.15), (0.02, 0.16, 0.09), (0.32, 0.03, 0.06), (0.04, 0.07, 0.22),
    (0.035, 0.035, 0.038), (0.33, 0.33, 0.34), (0.20, 0.06, 0.28), (0.05, 0.14, 0.45),
    (0.50, 0.04, 0.05), (0.62, 0.54, 0.42), (0.22, 0.13, 0.08), (0.85, 0.85, 0.84),
)  # fmt: skip


@cache
def _photos(pattern: str) -> tuple[np.ndarray, ...]:
    out = []
    for path in sorted(glob.glob(pattern)):
        image = cv2.imread(path)
        if image is not None and min(image.shape[:2]) >= 200:
            scale = max(1.0, 700 / min(image.shape[:2]))
            out.append(cv2.resize(image, None, fx=scale, fy=scale)[..., ::-1])
    return tuple(out)


def _encode(image: np.ndarray) -> np.ndarray:
    """Linear to 8 bits sRGB, for OpenCV draws smooth edges on 8 bits only."""
    x = np.clip(image, 0, 1)
    x = np.where(x <= 0.0031308, x * 12.92, 1.055 * np.maximum(x, 1e-6) ** (1 / 2.4) - 0.055)
    return np.ascontiguousarray((x * 255 + 0.5).astype(np.uint8))


def _decode(image: np.ndarray) -> np.ndarray:
    return _CURVE[image]


def _bytes(srgb: np.ndarray) -> tuple[int, ...]:
    return tuple(int(255 * v) for v in np.clip(srgb, 0, 1))


_CURVE = linear(np.arange(256) / 255)


def _base(rng: Rng) -> np.ndarray:
    if rng.random() < 0.55:
        c = np.array(_FELTS[rng.integers(len(_FELTS))]) * rng.uniform(0.6, 1.4)
        return np.clip(c + rng.normal(0, 0.02, 3), 0.01, 0.95).astype(F)
    c = rng.uniform(0.03, 0.97, 3)
    return linear(c.mean() + (c - c.mean()) * rng.uniform(0, 1))


def _plain(rng: Rng) -> np.ndarray:
    grain = noise(rng, SIDE, SIDE, 200, 1) * rng.uniform(0, 0.16)
    cloud = noise(rng, SIDE, SIDE, 4, 4) * rng.uniform(0, 0.12)
    return _base(rng) * (1 + grain + cloud)[..., None]


def _wood(rng: Rng) -> np.ndarray:
    tone = linear([(0.76, 0.58, 0.38), (0.45, 0.28, 0.16), (0.85, 0.75, 0.6)][rng.integers(3)])
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(F) / SIDE
    warp = noise(rng, SIDE, SIDE, 2, 3) * 0.04
    for _ in range(rng.integers(0, 5)):  # knots
        kx, ky, s = rng.uniform(0, 1), rng.uniform(0, 1), rng.uniform(0.01, 0.04)
        warp += 2.5 * s * np.exp(-((x - kx) ** 2 / 4 + (y - ky) ** 2) / s**2 / 2)
    rings = np.sin((y + warp) * rng.uniform(60, 300)) + 0.6 * noise(rng, SIDE, 2, 1.1)[:, :1]
    streak = cv2.resize(rng.normal(size=(SIDE, 8)).astype(F), (SIDE, SIDE))
    return tone * (1 + rng.uniform(0.05, 0.25) * rings + 0.1 * streak)[..., None]


def _weave(rng: Rng) -> np.ndarray:
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(F)
    k = rng.uniform(0.3, 2.2)
    a, b = (
        np.sin(x * k + np.sin(y * k * rng.uniform(0.2, 1))),
        np.sin(y * k * rng.uniform(0.6, 1.5)),
    )
    pattern = a * b if rng.random() < 0.6 else np.sign(a * b) * 0.8
    rough = noise(rng, SIDE, SIDE, 90, 2) * rng.uniform(0.05, 0.3)
    floor = _base(rng) * (1 + pattern * rng.uniform(0.05, 0.6) + rough)[..., None]
    if rng.random() < 0.3:  # a carpet's figures
        other = noise(rng, SIDE, SIDE, rng.uniform(4, 14), 2) > rng.uniform(-0.5, 1)
        floor = np.where(other[..., None], _base(rng) * (1 + pattern * 0.3)[..., None], floor)
    return floor


def _print(rng: Rng) -> np.ndarray:
    paper = np.full((SIDE, SIDE, 3), _bytes(rng.uniform(0.7, 1, 3)), np.uint8)
    ink = _bytes(rng.uniform(0, 0.6, 3))
    y, size = 10.0, rng.uniform(0.3, 1.6)
    letters = list("abcdefghijklmnoprstuvwxyz     ABCDEFGHO0123456789.,:;oO%&")
    while y < SIDE:
        text = "".join(rng.choice(letters, 60))
        cv2.putText(paper, text, (int(rng.integers(-20, 30)), int(y)), int(rng.integers(0, 8)),
                    size, ink, max(1, int(size * 1.6)), cv2.LINE_AA)  # fmt: skip
        y += size * 32
    return _decode(paper)


def _spots(rng: Rng) -> np.ndarray:
    """Checks, tiles, dots: patterns that tempt a counter of pips."""
    floor = np.full((SIDE, SIDE, 3), _bytes(rng.random(3)), np.uint8)
    step = int(rng.integers(14, 70))
    a, b = _bytes(rng.random(3)), _bytes(rng.random(3))
    dots, off = rng.random() < 0.55, int(rng.integers(0, step))
    r = int(step * rng.uniform(0.1, 0.4))
    for i, y in enumerate(range(off, SIDE, step)):
        for j, x in enumerate(range(off, SIDE, step)):
            if rng.random() < 0.12:
                continue
            c = a if (i + j) % 2 else b
            if dots:
                cv2.circle(floor, (x + (i % 2) * step // 2, y), r, c, -1, cv2.LINE_AA)
            else:
                cv2.rectangle(floor, (x, y), (x + step - 2, y + step - 2), c, -1)
    return _decode(floor)


def _photo(rng: Rng, pattern: str) -> np.ndarray:
    pool = _photos(pattern)
    image = pool[rng.integers(len(pool))]
    side = int(rng.uniform(0.35, 1) * min(image.shape[:2]))
    y = int(rng.integers(0, image.shape[0] - side + 1))
    x = int(rng.integers(0, image.shape[1] - side + 1))
    cut = cv2.resize(image[y : y + side, x : x + side], (SIDE, SIDE))
    cut = linear(cut.astype(F) / 255)
    if rng.random() < 0.4:
        cut = cut.mean(2, keepdims=True) * rng.uniform(0.5, 1.2, 3).astype(F)
    return cut * F(rng.uniform(0.4, 1.3))


_KINDS, _SHARES = (_plain, _wood, _weave, _print, _spots), (0.44, 0.2, 0.2, 0.06, 0.1)


def floor(rng: Rng, pattern: str) -> np.ndarray:
    """A texture (SIDE, SIDE, 3), linear; `pattern` globs photographs without dice, or is empty."""
    if pattern and rng.random() < 0.4:
        out = _photo(rng, pattern)
    else:
        out = _KINDS[rng.choice(len(_KINDS), p=_SHARES)](rng)
    return np.clip(out, 0.002, 1).astype(F)


def _colour(rng: Rng) -> tuple[int, ...]:
    metal = np.array([(0.8, 0.66, 0.3), (0.72, 0.45, 0.3), (0.75, 0.75, 0.76)][rng.integers(3)])
    return _bytes(metal if rng.random() < 0.4 else rng.uniform(0, 1, 3))


def _disc(rng: Rng, image: np.ndarray, c: tuple[int, int], r: float) -> None:
    """A coin, cap, ring, button, chip or simply a dark hole."""
    k = int(rng.integers(0, 6))
    tone = _colour(rng)
    dark = tuple(int(0.5 * v) for v in tone)
    line = max(1, int(r * 0.1))
    if k == 0:
        cv2.circle(image, c, int(r), tone, max(1, int(r * rng.uniform(0.15, 0.5))), cv2.LINE_AA)
        return
    if k == 1:
        cv2.circle(image, c, int(max(2, r * 0.3)), (12, 12, 12), -1, cv2.LINE_AA)
        return
    cv2.circle(image, c, int(r), dark, -1, cv2.LINE_AA)
    cv2.circle(image, c, int(r * 0.93), tone, -1, cv2.LINE_AA)
    cv2.circle(image, c, int(r * 0.8), dark, line, cv2.LINE_AA)
    if k == 2:
        for a in np.arange(0, 2 * np.pi, 2 * np.pi / rng.integers(6, 20)):
            p = (int(c[0] + r * 0.87 * np.cos(a)), int(c[1] + r * 0.87 * np.sin(a)))
            cv2.circle(image, p, max(1, int(r * 0.12)), _colour(rng), -1, cv2.LINE_AA)
    if k == 3:
        for dx, dy in ((-1, -1), (1, 1), (-1, 1), (1, -1))[: rng.integers(2, 5)]:
            p = (int(c[0] + dx * r * 0.25), int(c[1] + dy * r * 0.25))
            cv2.circle(image, p, max(1, int(r * 0.12)), (20, 20, 20), -1, cv2.LINE_AA)
    if k >= 4:
        text = "".join(rng.choice(list("0125MKR$*"), rng.integers(1, 3)))
        at = (int(c[0] - r * 0.5), int(c[1] + r * 0.3))
        cv2.putText(image, text, at, 0, r / 26, dark, line, cv2.LINE_AA)


def _bar(rng: Rng, image: np.ndarray, c: tuple[int, int], r: float) -> None:
    """A pen, cable, card or stick."""
    a = rng.uniform(0, np.pi)
    n = r * rng.uniform(2, 9)
    d = (int(n * np.cos(a)), int(n * np.sin(a)))
    p, q = (c[0] - d[0], c[1] - d[1]), (c[0] + d[0], c[1] + d[1])
    w = max(1, int(r * rng.uniform(0.1, 0.7)))
    tone = _colour(rng)
    cv2.line(image, (p[0] + 2, p[1] + 2), (q[0] + 2, q[1] + 2), (12, 12, 12), w, cv2.LINE_AA)
    cv2.line(image, p, q, tone, w, cv2.LINE_AA)
    shine = tuple(min(255, int(1.3 * v)) for v in tone)
    cv2.line(image, p, q, shine, max(1, w // 4), cv2.LINE_AA)


def _patch(rng: Rng, image: np.ndarray, c: tuple[int, int], r: float) -> None:
    """A card, a phone, a sheet: a turned rectangle, with print on it or none."""
    size = (r * rng.uniform(0.8, 7), r * rng.uniform(0.8, 7))
    box = cv2.boxPoints((c, size, rng.uniform(0, 90))).astype(np.int32)
    cv2.fillConvexPoly(image, box, _colour(rng), cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.polylines(image, [box], True, _colour(rng), max(1, int(r * 0.1)), cv2.LINE_AA)
    for _ in range(rng.integers(0, 4)):
        p = (int(c[0] + rng.normal(0, r)), int(c[1] + rng.normal(0, r)))
        text = "".join(rng.choice(list("QJKA10ab8B"), rng.integers(1, 6)))
        cv2.putText(image, text, p, 0, r / 30 * rng.uniform(0.5, 1.5), _colour(rng), 1, cv2.LINE_AA)


def _keys(rng: Rng, image: np.ndarray, c: tuple[int, int], r: float) -> None:
    """A keyboard, a laptop's corner, a box with buttons: rows of squares with signs on them."""
    a, k = rng.uniform(0, np.pi), r * rng.uniform(0.6, 1.6)
    ex, ey = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], F)
    far = k * rng.uniform(4, 12)
    tone, key, ink = _colour(rng), _bytes(rng.uniform(0, 0.3, 3)), _bytes(rng.uniform(0.5, 1, 3))
    slab = c + far * (corners[:, :1] * ex + corners[:, 1:] * ey)
    cv2.fillConvexPoly(image, slab.astype(np.int32), tone, cv2.LINE_AA)
    rows, columns = rng.integers(0, 5, 2)
    for i in range(rows):
        for j in range(columns):
            at = c + 1.15 * k * ((j - columns / 2) * ex + (i - rows / 2) * ey)
            box = at + 0.48 * k * (corners[:, :1] * ex + corners[:, 1:] * ey)
            cv2.fillConvexPoly(image, box.astype(np.int32), key, cv2.LINE_AA)
            sign = str(rng.choice(list("QWERTY123:;.,?!%=+")))
            place = (int(at[0] - 0.2 * k), int(at[1] + 0.2 * k))
            cv2.putText(image, sign, place, 0, k / 50, ink, 1, cv2.LINE_AA)


def _rim(rng: Rng, image: np.ndarray, c: tuple[int, int], r: float) -> None:
    """A round tray's rim, a bowl, a plate: what reaches in from the border and is no hand."""
    radius = int(r * rng.uniform(4, 12))
    wide = int(r * rng.uniform(0.3, 2))
    cv2.circle(image, c, radius, _colour(rng), max(1, wide), cv2.LINE_AA)
    cv2.circle(image, c, radius + wide // 2, _colour(rng), max(1, wide // 5), cv2.LINE_AA)


def _cable(rng: Rng, image: np.ndarray, c: tuple[int, int], r: float) -> None:
    """A cable that winds through the picture."""
    steps = np.cumsum(rng.uniform(0, 2 * np.pi) + np.cumsum(rng.normal(0, 0.3, 30)) * 0.5)
    way = np.stack([np.cos(steps / 6), np.sin(steps / 6)], 1)
    points = (c + np.cumsum(way, 0) * r).astype(np.int32)
    wide = max(1, int(r * rng.uniform(0.08, 0.4)))
    cv2.polylines(image, [points], False, _colour(rng), wide, cv2.LINE_AA)


def clutter(rng: Rng, image: np.ndarray, edge: float) -> None:
    """Lay 0 to 7 flat things on the floor; `edge` is a die's size in pixels."""
    h, w = image.shape[:2]
    paper = _encode(image)
    for _ in range(rng.integers(0, 8)):
        c = (int(rng.uniform(0, w)), int(rng.uniform(0, h)))
        r = float(edge * rng.uniform(0.15, 1.6))
        (_disc, _disc, _bar, _patch)[rng.integers(4)](rng, paper, c, r)
    if rng.random() < 0.3:  # large, mostly at the border
        side = rng.integers(2)
        at = rng.uniform(-0.1, 0.15) if rng.random() < 0.5 else rng.uniform(0.85, 1.1)
        c = (int(at * w), int(rng.random() * h)) if side else (int(rng.random() * w), int(at * h))
        (_keys, _keys, _rim, _cable)[rng.integers(4)](rng, paper, c, edge * rng.uniform(0.6, 1.3))
    if rng.random() < 0.25:  # lint
        for _ in range(rng.integers(3, 40)):
            p = rng.uniform(0, 1, 2) * (w, h)
            q = p + rng.normal(0, edge * 0.3, 2)
            tone = (200, 200, 196)
            cv2.line(paper, tuple(p.astype(int)), tuple(q.astype(int)), tone, 1, cv2.LINE_AA)
    image[:] = _decode(paper)
