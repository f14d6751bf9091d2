"""Draw things that are no dice over a finished picture: coins, caps, chips, washers, paper."""

from __future__ import annotations

import cv2
import numpy as np

from vision.training.data import F, Rng

SHIFT = 3
"""Positions are drawn to an eighth of a pixel."""


CRUMBS = 0.25
"""Share of the things that are crumbs."""


def _fixed(points: np.ndarray) -> np.ndarray:
    return np.round(points * (1 << SHIFT)).astype(np.int32)


def _tone(rng: Rng) -> np.ndarray:
    if rng.random() < 0.45:  # metal, paper, black
        return np.clip(rng.uniform(20, 245) * rng.uniform(0.9, 1.1, 3), 5, 250)
    return rng.uniform(5, 250, 3)


def _ring_of(rng: Rng, radius: float) -> np.ndarray:
    """The outline of a thing round its middle (n, 2)."""
    a = np.linspace(0, 2 * np.pi, 84, endpoint=False)
    kind = rng.random()
    r = np.full(a.shape, radius)
    if kind < 0.2:  # crown cap, cog
        r = r * (1 + rng.uniform(0.02, 0.08) * np.sign(np.sin(rng.integers(12, 30) * a)))
    elif kind < 0.3:  # nut, seven-sided coin
        n = int(rng.integers(3, 9))
        r = r * np.cos(np.pi / n) / np.cos((a % (2 * np.pi / n)) - np.pi / n)
    elif kind < 0.45:  # blob
        r = r * (
            1 + sum(rng.normal(0, 0.06) * np.cos(k * a + rng.uniform(0, 6)) for k in (2, 3, 4))
        )
    a = a + rng.uniform(0, 6.3)
    ring = np.stack([r * np.cos(a), r * np.sin(a)], 1)
    return ring * (1, rng.uniform(0.75, 1)) if rng.random() < 0.15 else ring


def _fill(image: np.ndarray, ring: np.ndarray, tone: np.ndarray) -> None:
    cv2.fillPoly(image, [_fixed(ring)], tuple(float(v) for v in tone), cv2.LINE_AA, SHIFT)


def _decorate(rng: Rng, image: np.ndarray, at: np.ndarray, radius: float) -> None:
    """What is seen on a round thing: rims, a middle, a hole, spokes, spots, letters."""
    centre, full = tuple(int(v) for v in at), max(1, int(radius))
    for _ in range(rng.integers(0, 3)):
        wide = max(1, int(radius * rng.uniform(0.03, 0.2)))
        r = max(1, int(radius * rng.uniform(0.4, 0.97)))
        cv2.circle(image, centre, r, _tone(rng).tolist(), wide, cv2.LINE_AA)
    if rng.random() < 0.25:
        n, wide = int(rng.integers(3, 9)), float(rng.uniform(8, 25))
        tone = _tone(rng).tolist()
        for k in range(n):
            a = 360 / n * k
            cv2.ellipse(image, centre, (full, full), a, 0, wide, tone, -1, cv2.LINE_AA)
        inner = max(1, int(radius * rng.uniform(0.4, 0.8)))
        cv2.circle(image, centre, inner, _tone(rng).tolist(), -1, cv2.LINE_AA)
    if rng.random() < 0.55:
        a = np.linspace(0, 2 * np.pi, 40)
        r = radius * rng.uniform(0.1, 0.75)
        off = rng.normal(0, 0.04, 2) * radius
        _fill(image, at + off + r * np.stack([np.cos(a), np.sin(a)], 1), _tone(rng))
    if rng.random() < 0.3:
        tone = _tone(rng).tolist()
        for _ in range(rng.integers(1, 9)):
            p = at + rng.normal(0, 0.4, 2) * radius
            size = max(1, int(radius * rng.uniform(0.05, 0.18)))
            cv2.circle(image, tuple(p.astype(int)), size, tone, -1, cv2.LINE_AA)
    if rng.random() < 0.35:
        text = "".join(rng.choice(list("0123456789ABCEKLORSTX€$"), rng.integers(1, 4)))
        place = (int(at[0] - radius * 0.5), int(at[1] + radius * 0.3))
        cv2.putText(
            image, text, place, 0, radius / 25, _tone(rng).tolist(), int(rng.integers(1, 3)), 16
        )


def _shade(rng: Rng, image: np.ndarray, ring: np.ndarray, at: np.ndarray, radius: float) -> None:
    """Light and grain on a thing, as on anything that is not drawn."""
    h, w = image.shape[:2]
    x0, y0 = np.clip(at - radius * 1.2, 0, (w - 1, h - 1)).astype(int)
    x1, y1 = np.clip(at + radius * 1.2 + 2, (x0 + 1, y0 + 1), (w, h)).astype(int)
    y, x = np.mgrid[y0:y1, x0:x1].astype(F)
    a = rng.uniform(0, 6.3)
    along = ((x - at[0]) * np.cos(a) + (y - at[1]) * np.sin(a)) / radius
    out = np.hypot(x - at[0], y - at[1]) / radius
    light = 1 + rng.normal(0, 0.2) * along + rng.normal(0, 0.15) * out**2
    light += rng.normal(0, 0.03, light.shape)
    if rng.random() < 0.4:  # a glint
        spot = rng.normal(0, 0.4, 2)
        far = np.hypot((x - at[0]) / radius - spot[0], (y - at[1]) / radius - spot[1])
        light += rng.uniform(0.1, 1.2) * np.exp(-((far / rng.uniform(0.1, 0.5)) ** 2))
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillPoly(mask, [_fixed(ring - (x0, y0))], 255, cv2.LINE_AA, SHIFT)
    part = image[y0:y1, x0:x1].astype(F)
    share = (mask.astype(F) / 255)[..., None]
    image[y0:y1, x0:x1] = np.clip(part * (1 + share * (light[..., None] - 1)), 0, 255).astype(
        np.uint8
    )


def thing(rng: Rng, image: np.ndarray, at: np.ndarray, radius: float) -> None:
    """One thing that is no die, of this radius in pixels, in place."""
    if rng.random() < 0.25:  # paper, card, eraser: no pips, and not square
        size = (radius * rng.uniform(1.2, 2.6), radius * rng.uniform(0.5, 1.1))
        ring = cv2.boxPoints(((float(at[0]), float(at[1])), size, float(rng.uniform(0, 90))))
    else:
        ring = at + _ring_of(rng, radius)
    soft = np.full(image.shape[:2], 0, np.uint8)
    if rng.random() < 0.8:  # its shadow
        way = rng.normal(0, 0.2, 2) * radius
        cv2.fillPoly(soft, [_fixed(ring + way)], int(rng.uniform(40, 170)), cv2.LINE_AA, SHIFT)
        soft = cv2.GaussianBlur(soft, (0, 0), max(0.8, radius * rng.uniform(0.05, 0.3)))
        image[:] = (image * (1 - soft[..., None].astype(F) / 255)).astype(np.uint8)
    hollow = rng.random() < 0.12
    if hollow:  # a ring: what lies under it shows
        wide = max(1, int(radius * rng.uniform(0.1, 0.5)))
        cv2.polylines(image, [_fixed(ring)], True, _tone(rng).tolist(), wide, cv2.LINE_AA, SHIFT)
    else:
        _fill(image, ring, _tone(rng))
        if len(ring) > 4 or rng.random() < 0.3:
            _decorate(rng, image, at, radius)
    _shade(rng, image, ring, at, radius)
    blur = rng.uniform(0.3, 1.2)
    h, w = image.shape[:2]
    x0, y0 = np.clip(at - radius * 1.5, 0, (w - 1, h - 1)).astype(int)
    x1, y1 = np.clip(at + radius * 1.5 + 2, (x0 + 1, y0 + 1), (w, h)).astype(int)
    image[y0:y1, x0:x1] = cv2.GaussianBlur(image[y0:y1, x0:x1], (0, 0), blur)


def _crumbs(
    rng: Rng, image: np.ndarray, at: np.ndarray, radius: float
) -> list[tuple[np.ndarray, float]]:
    """Crumbs, glitter, drops: spots of one colour, each like the one of a die of the ground's tone.

    What was laid, each spot with the edge of the die that it pretends to.
    """
    tone, laid = _tone(rng).tolist(), []
    for offset in rng.normal(0, 0.8, (rng.integers(1, 9), 2)) * radius:
        spot, size = at + offset, radius * float(rng.uniform(0.08, 0.25))
        middle = (int(spot[0] * 8), int(spot[1] * 8))
        cv2.circle(image, middle, max(4, int(size * 8)), tone, -1, cv2.LINE_AA, SHIFT)
        laid.append((spot, size * float(rng.uniform(5, 9))))
    return [*laid, (at, 2 * radius)]


def strew(
    rng: Rng, image: np.ndarray, edge: float, taken: list[tuple[np.ndarray, float]], count: int
) -> list[tuple[np.ndarray, float]]:
    """Lay things beside what lies there already (centre and edge), in place; what was laid."""
    size = np.array(image.shape[1::-1])
    laid: list[tuple[np.ndarray, float]] = []
    for _ in range(count):
        radius = float(edge * np.exp(rng.uniform(np.log(0.35), np.log(1.5))))
        at = rng.uniform(0, 1, 2) * size
        if any(np.hypot(*(at - c)) < 1.1 * e + 1.3 * radius for c, e in [*taken, *laid]):
            continue
        if rng.random() < CRUMBS:
            laid += _crumbs(rng, image, at, radius)
        else:
            thing(rng, image, at, radius)
            laid.append((at, 2 * radius))
    return laid
