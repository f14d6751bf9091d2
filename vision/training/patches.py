"""Dice cut out one by one: what the two small networks for single dice learn from."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.faces import NONE, SPOILT
from vision.training.clutter import strew
from vision.training.data import F, Picture, Rng, decode

WIDE, FACE = 112, 28
"""Side of a stored patch, and of a die's edge in it. It is cut out as the picture shows it, not
rectified: that a leaning face is foreshortened is what tells it from a flat one."""
OTHERS = 4
"""Of so many other dice the size is kept."""
SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], F) / 2


@dataclass
class Patches:
    """Patches of one maker."""

    pixels: np.ndarray
    """(n, WIDE, WIDE, 3)"""
    corners: np.ndarray
    """(n, 4, 2) of the top face, clockwise, in pixels from the patch's middle."""
    kind: np.ndarray
    """(n,): NONE where there is no die, 1 to 6, SPOILT; -1 where no value can be asked for."""
    placed: np.ndarray
    """(n,) bool: there is a top face exactly in the middle."""
    cocked: np.ndarray
    stacked: np.ndarray
    tilt: np.ndarray
    """Degrees."""
    toward: np.ndarray
    """(n, 2): from the face to the picture's middle, in edges."""
    larger: np.ndarray
    """(n, OTHERS): logarithm of the edge over the edges of other dice in the picture, else 0."""


def wide_patch(image: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The face and what lies within two edges of its middle, as the picture shows it."""
    side = float(np.sqrt(abs(cv2.contourArea(corners.astype(F)))))
    h, w = image.shape[:2]
    centre, reach = corners.mean(0), 2.6 * side
    x0, y0 = np.clip(centre - reach, 0, (w - 1, h - 1)).astype(int)
    x1, y1 = np.clip(centre + reach + 1, (x0 + 1, y0 + 1), (w, h)).astype(int)
    cut = image[y0:y1, x0:x1]
    shrink = 1.4 * FACE / max(side, 1)
    if shrink < 0.8:
        cut = cv2.resize(cut, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    else:
        shrink = 1.0
    k = FACE / side / shrink
    middle = (centre - (x0, y0)) * shrink - 0.5
    m = np.array([(k, 0, 0), (0, k, 0)], np.float64)
    m[:, 2] = WIDE / 2 - 0.5 - k * middle
    return cv2.warpAffine(
        cut, m, (WIDE, WIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def collect(rng: Rng, pictures: list[Picture]) -> Patches:
    """Every die of the pictures, places without one, and things that are none."""
    rows: list[tuple[object, ...]] = []
    alone = np.zeros(OTHERS, F)

    def cut(
        image: np.ndarray, corners: np.ndarray, *flags: object, larger: np.ndarray = alone
    ) -> None:
        side = float(np.sqrt(abs(cv2.contourArea(corners.astype(F)))))
        middle = corners.mean(0)
        toward = (np.array(image.shape[1::-1]) / 2 - middle) / side
        quad = (corners - middle) * (FACE / side)
        patch = wide_patch(image, corners)
        rows.append((patch, quad.astype(F), *flags, toward.astype(F), larger.astype(F)))

    for picture in pictures:
        image = decode(picture)
        size = np.array(image.shape[1::-1])
        dice = picture.dice
        for die in dice:
            if die.edge < 10 or (die.corners < -5).any() or (die.corners > size + 5).any():
                continue
            kind = die.value if die.valid else SPOILT
            if die.visible < 0.25 or (die.valid and die.value == 0):
                kind = NONE
            elif not die.valid and (die.stacked or die.tilt > 3 or die.visible > 0.9):
                kind = -1  # its face may look like a good one: how it rests is told by its sides
            edges = [d.edge for d in dice if d is not die and d.visible > 0.4 and d.edge > 5]
            chosen = rng.choice(edges, OTHERS) if edges else np.full(OTHERS, die.edge)
            larger = np.log(die.edge / chosen)
            flags = (kind, die.visible > 0.5, die.tilt > 3, die.stacked, die.tilt)
            cut(image, die.corners, *flags, larger=larger)
        edge = float(np.median([d.edge for d in dice])) if dice else float(rng.uniform(12, 60))
        taken = [(d.corners.mean(0), d.edge) for d in dice]
        image = image.copy()
        places = strew(rng, image, edge, taken, int(rng.integers(0, 5)))
        for _ in range(2):
            side = float(np.exp(rng.uniform(np.log(10), np.log(70))))
            centre = rng.uniform(0, 1, 2) * size
            gaps = (np.hypot(*(c - centre)) - 0.7 * e for c, e in taken)
            if min(gaps, default=1e9) > 0.7 * side:
                places.append((centre, side))
        for centre, side in places:
            a = rng.uniform(0, 1.6) + np.arange(4) * np.pi / 2
            ring = np.stack([np.cos(a), np.sin(a)], 1) * side * float(rng.uniform(0.6, 0.8))
            cut(image, centre + ring, NONE, False, False, False, 0.0)
    columns = zip(*rows, strict=True)
    return Patches(*(np.stack([np.asarray(v) for v in column]) for column in columns))


def warp(patch: np.ndarray, m: np.ndarray, side: int, shift: np.ndarray) -> np.ndarray:
    """Apply m (2, 2) around the point `shift` off the middle, which becomes the new middle."""
    centre = WIDE / 2 - 0.5 + shift
    affine = np.concatenate([m, (side / 2 - 0.5 - m @ centre)[:, None]], 1)
    return cv2.warpAffine(
        patch, affine, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def rectify(
    patch: np.ndarray, corners: np.ndarray, m: np.ndarray, shift: np.ndarray, side: int
) -> np.ndarray:
    """The face made a square by its corners, then m and shift as in `warp`."""
    square = (SQUARE * FACE).astype(F)
    view = cv2.getPerspectiveTransform(square, (corners + WIDE / 2 - 0.5).astype(F))
    back = np.eye(3)
    back[:2, :2] = np.linalg.inv(m)
    back[:2, 2] = shift - back[:2, :2] @ np.full(2, side / 2 - 0.5)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpPerspective(
        patch, view @ back, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )


def rotation(angle: float) -> np.ndarray:
    """(2, 2)"""
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def normalise(x: np.ndarray) -> np.ndarray:
    """(n, 3, h, w) to mean 0 and unit contrast, as the product does."""
    mean = x.mean((1, 2, 3), keepdims=True)
    return (x - mean) / np.maximum(x.std((1, 2, 3), keepdims=True), 6.0)
