"""Dice cut out one by one: what the two small networks for single dice learn from."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.training.data import F, Picture, Rng, decode

WIDE, FACE = 96, 28
"""Side of a stored patch, and of the rectified top face in the middle of it."""
NONE, SPOILT = 0, 7


@dataclass
class Patches:
    """Patches of one maker."""

    pixels: np.ndarray
    """(n, WIDE, WIDE, 3)"""
    kind: np.ndarray
    """(n,): NONE where there is no die, 1 to 6, SPOILT; -1 where no value can be asked for."""
    placed: np.ndarray
    """(n,) bool: there is a top face exactly in the middle."""
    cocked: np.ndarray
    stacked: np.ndarray


def wide_patch(image: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The face and 1.2 edges around it, rectified to WIDE x WIDE."""
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
    lo, hi = (WIDE - FACE) / 2 - 0.5, (WIDE + FACE) / 2 - 0.5
    to = np.array([(lo, lo), (hi, lo), (hi, hi), (lo, hi)], F)
    m = cv2.getPerspectiveTransform(((corners - (x0, y0)) * shrink - 0.5).astype(F), to)
    return cv2.warpPerspective(
        cut, m, (WIDE, WIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def collect(rng: Rng, pictures: list[Picture]) -> Patches:
    """Every die of the pictures, and as many places without one."""
    rows: list[tuple[np.ndarray, int, bool, bool, bool]] = []
    for picture in pictures:
        image = decode(picture)
        size = np.array(image.shape[1::-1])
        for die in picture.dice:
            if die.edge < 10 or (die.corners < -5).any() or (die.corners > size + 5).any():
                continue
            kind = die.value if die.valid else SPOILT
            if die.visible < 0.25 or (die.valid and die.value == 0):
                kind = NONE
            elif not die.valid and (die.stacked or (die.visible > 0.9 and die.tilt < 3)):
                kind = -1  # from above it looks like a good one
            patch = wide_patch(image, die.corners)
            rows.append((patch, kind, die.visible > 0.5, die.tilt > 3, die.stacked))
        for _ in range(2):
            edge = float(np.exp(rng.uniform(np.log(10), np.log(70))))
            centre = rng.uniform(0, 1, 2) * size
            gaps = (np.hypot(*(d.corners.mean(0) - centre)) - 0.7 * d.edge for d in picture.dice)
            if min(gaps, default=1e9) < 0.7 * edge:
                continue
            a = rng.uniform(0, 1.6) + np.arange(4) * np.pi / 2
            square = centre + edge * 0.707 * np.stack([np.cos(a), np.sin(a)], 1)
            rows.append((wide_patch(image, square), NONE, False, False, False))
    columns = zip(*rows, strict=True)
    return Patches(*(np.stack([np.asarray(v) for v in column]) for column in columns))


def warp(patch: np.ndarray, m: np.ndarray, side: int, shift: np.ndarray) -> np.ndarray:
    """Apply m (2, 2) around the point `shift` off the middle, which becomes the new middle."""
    centre = WIDE / 2 - 0.5 + shift
    affine = np.concatenate([m, (side / 2 - 0.5 - m @ centre)[:, None]], 1)
    return cv2.warpAffine(
        patch, affine, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def rotation(angle: float) -> np.ndarray:
    """(2, 2)"""
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def normalise(x: np.ndarray) -> np.ndarray:
    """(n, 3, h, w) to mean 0 and unit contrast, as the product does."""
    mean = x.mean((1, 2, 3), keepdims=True)
    return (x - mean) / np.maximum(x.std((1, 2, 3), keepdims=True), 6.0)
