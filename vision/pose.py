"""Where the camera hangs and how its lens bends, from known points and where they are seen.

Known are the corners of the rim's markers, or of the floor, in the tray's own coordinates: x to the
right, y towards the player, and the height above the felt, in millimetres. The calibration card is
known but for where it lies on the felt. Since the rim is higher than the felt, rim and card
together tell the focal length, which neither tells alone from straight above.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.lens import Lens

Array = npt.NDArray[np.float64]

_FOCAL, _K1, _CARD = 6, 7, slice(8, 11)


@dataclass(frozen=True, slots=True)
class Points:
    """What is known and where it is seen."""

    places: Array
    """(n, 3): x, y and height in millimetres."""
    pixels: Array
    """(n, 2)."""
    card: Array
    """(m, 2): places on the card, in millimetres; (0, 2) without a card."""
    card_pixels: Array
    """(m, 2)."""


@dataclass(frozen=True, slots=True)
class Pose:
    """The camera over the tray."""

    lens: Lens
    turn: Array
    """(3,): rotation vector, tray to camera."""
    shift: Array
    """(3,): millimetres."""
    error_px: float
    """How far the known points are from where they should be seen: root of the mean square."""

    @property
    def height_mm(self) -> float:
        """The lens above the felt."""
        rotation = np.asarray(cv2.Rodrigues(self.turn)[0], np.float64)
        return float((rotation.T @ self.shift)[2])

    def project(self, places: Array) -> Array:
        """Pixels (n, 2) of places (n, 3) with their height."""
        return _project(self.lens, self.turn, self.shift, places)


def fit(points: Points, lens: Lens, *, find_focal: bool, find_k1: bool) -> Pose:
    """The pose that fits best; the focal length and k1 are those of `lens` unless to be found."""
    start = _start(points, lens)
    free = list(range(6))
    if find_focal:
        free.append(_FOCAL)
    if find_k1:
        free.append(_K1)
    if len(points.card):
        free += range(8, 11)
    best = _least_squares(points, lens, start, np.array(free))
    error = float(np.sqrt((_residuals(points, lens, best) ** 2).sum() / (_count(points))))
    return Pose(_lens(lens, best), best[:3], best[3:6], error)


def _count(points: Points) -> int:
    return len(points.pixels) + len(points.card_pixels)


def _lens(lens: Lens, numbers: Array) -> Lens:
    return replace(lens, focal=float(np.exp(numbers[_FOCAL])), k1=float(numbers[_K1]))


def _project(lens: Lens, turn: Array, shift: Array, places: Array) -> Array:
    # Heights go towards the camera, its own depth goes away from it.
    rotation = np.asarray(cv2.Rodrigues(turn)[0], np.float64)
    seen = (places * (1, 1, -1)) @ rotation.T + shift
    flat = seen[:, :2] / np.maximum(seen[:, 2:], 1.0) * lens.focal + lens.middle
    return np.asarray(lens.bend(flat), np.float64)


def _residuals(points: Points, lens: Lens, numbers: Array) -> Array:
    there = _lens(lens, numbers)
    places, pixels = points.places, points.pixels
    if len(points.card):
        x, y, angle = numbers[_CARD]
        c, s = np.cos(angle), np.sin(angle)
        flat = points.card @ np.array([[c, s], [-s, c]]) + (x, y)
        places = np.vstack([places, np.column_stack([flat, np.zeros(len(flat))])])
        pixels = np.vstack([pixels, points.card_pixels])
    return (_project(there, numbers[:3], numbers[3:6], places) - pixels).ravel()


def _start(points: Points, lens: Lens) -> Array:
    """A camera straight above that sees the known points about where they are."""
    angle, scale, x, y = _similar(points.places[:, :2], points.pixels)
    depth = lens.focal / scale
    height = float(points.places[:, 2].mean())
    numbers = np.zeros(11)
    numbers[2] = angle
    numbers[3:6] = (x - lens.middle[0]) / scale, (y - lens.middle[1]) / scale, depth + height
    numbers[_FOCAL], numbers[_K1] = np.log(lens.focal), lens.k1
    if len(points.card):
        # Where the card's points would be on the rim's plane is near enough to begin with.
        c, s = np.cos(-angle), np.sin(-angle)
        there = (points.card_pixels - (x, y)) / scale @ np.array([[c, s], [-s, c]])
        turned, _, cx, cy = _similar(points.card, there)
        numbers[_CARD] = cx, cy, turned
    return numbers


def _similar(source: Array, target: Array) -> tuple[float, float, float, float]:
    """Angle, scale and shift of the similarity that takes one set of points to another best."""
    a, b = source - source.mean(axis=0), target - target.mean(axis=0)
    z, w = a[:, 0] + 1j * a[:, 1], b[:, 0] + 1j * b[:, 1]
    ratio = complex((z.conj() * w).sum() / (z.conj() * z).sum())
    origin = target.mean(axis=0) @ (1, 1j) - ratio * (source.mean(axis=0) @ (1, 1j))
    return float(np.angle(ratio)), abs(ratio), float(origin.real), float(origin.imag)


def _least_squares(points: Points, lens: Lens, start: Array, free: npt.NDArray[np.int_]) -> Array:
    """Levenberg's and Marquardt's way, with slopes by differences; a dozen numbers at most."""
    step = np.array([1e-5] * 3 + [1e-2] * 3 + [1e-5, 1e-5, 1e-2, 1e-2, 1e-5])
    numbers, damping = start.copy(), 1e-3
    now = _residuals(points, lens, numbers)
    for _ in range(60):
        slopes = np.empty((len(now), len(free)))
        for column, index in enumerate(free):
            moved = numbers.copy()
            moved[index] += step[index]
            slopes[:, column] = (_residuals(points, lens, moved) - now) / step[index]
        normal = slopes.T @ slopes
        way = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), -slopes.T @ now)
        moved = numbers.copy()
        moved[free] += way
        moved[_K1] = np.clip(moved[_K1], -0.29, 0.29)
        then = _residuals(points, lens, moved)
        if (then**2).sum() < (now**2).sum():
            small = float(np.abs(now - then).max()) < 1e-6
            numbers, now, damping = moved, then, damping * 0.3
            if small:
                break
        else:
            damping *= 10
            if damping > 1e9:
                break
    return numbers
