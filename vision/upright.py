"""A tray's picture as from straight above: its edges upright or level, and what lies along a line.

A camera over a tray sees all edges of the box in two families that are parallel on the table. The
turn and tilt that make them parallel in the picture, too, are voted for by all edge points; then an
edge is but one number, and the tilt tells which point lies straight below the camera.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Image

Array = npt.NDArray[np.floating]
Mask = npt.NDArray[np.bool_]

X, Y = 0, 1
"""Lines x = number, which run up and down, and lines y = number, from side to side."""

_VOTE_WIDTH = 640
"""Width in pixels of the picture whose edge points vote."""
_VOTERS = 6000
WIDTH = 960
"""Width in pixels of the upright picture."""
_SHRINK = 0.94
"""The upright picture is a little smaller, that its turned corners find room."""
_FOCAL = 554.0
"""Focal length at the width of voting when nobody knows better: a lens of 60 degrees."""
COLOUR = 1.3
"""Differences of colour (a, b) count so many times those of lightness."""
_SIGMA = 1.5
"""Softness in pixels of the slopes of an upright picture."""
BLOCKS = 8
"""Pieces of a line that are looked at one by one."""


@dataclass(frozen=True, slots=True)
class Upright:
    """The upright picture; lines and colours are asked for in its pixels."""

    lab: Array
    """(h, w, 3): lightness and the two colours, these weighted."""
    soft: Array
    """The same, softened."""
    way: Array
    """(3, 3): from the picture's pixels to those of the upright one."""
    below: Array
    """(2,): the point of the tray's plane straight below the camera."""
    noise: float
    """How much a piece of a line differs from its neighbour where there is nothing."""
    seen: Mask
    """(h, w): False where the picture does not reach."""
    slopes: tuple[Array, Array]
    """Change across the lines X and Y, summed up along them."""
    colours: tuple[Array, Array]
    """Colours, summed up along the lines X and Y."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.lab.shape[1], self.lab.shape[0]

    @property
    def reach(self) -> int:
        """Height or width, whichever is smaller."""
        return min(self.size)

    def change(self, kind: int, at: Array, start: Array, end: Array) -> Array:
        """Mean change of colour across lines from `start` to `end` along them: (..., 3)."""
        return _along(self.slopes[kind], kind, at, start, end)

    def colour(self, kind: int, at: Array, start: Array, end: Array) -> Array:
        """Mean colour on lines from `start` to `end` along them: (..., 3)."""
        return _along(self.colours[kind], kind, at, start, end)

    def strength(self, kind: int) -> tuple[Array, Mask]:
        """For all lines of a kind: how strong an edge is in the middle of the tray; where seen.

        Median and mean of pieces are taken together, so that dice and shadows count for little.
        """
        length, across = self.size[kind], self.size[1 - kind]
        low, high = across / 2 - 0.23 * self.reach, across / 2 + 0.23 * self.reach
        ends = np.linspace(low, high, BLOCKS + 1)
        at = np.repeat(np.arange(length, dtype=float)[:, None], BLOCKS, axis=1)
        pieces = self.change(kind, at, ends[:-1] + 0 * at, ends[1:] + 0 * at)
        middle = np.linalg.norm(np.median(pieces, axis=1), axis=1)
        strength = (middle + np.linalg.norm(pieces.mean(axis=1), axis=1)) / 2
        band = (
            self.seen[int(low) : int(high)] if kind == X else self.seen[:, int(low) : int(high)].T
        )
        seen = band.mean(axis=0) > 0.9
        return np.where(seen, strength, 0.0), np.asarray(seen, np.bool_)

    def back(self, points: Array) -> Array:
        """Points (..., 2) of the upright picture in the one it was made of."""
        flat = np.asarray(points, np.float64).reshape(1, -1, 2)
        there = cv2.perspectiveTransform(flat, np.linalg.inv(self.way)).reshape(points.shape)
        return np.asarray(there, np.float64)


def _along(summed: Array, kind: int, at: Array, start: Array, end: Array) -> Array:
    across, along = (1, 0) if kind == X else (0, 1)
    last = summed.shape[along] - 1
    line = np.clip(np.rint(at).astype(int), 0, summed.shape[across] - 1)
    low = np.clip(np.rint(start).astype(int), 0, last - 1)
    high = np.clip(np.rint(end).astype(int), low + 1, last)
    whole = (
        summed[high, line] - summed[low, line]
        if kind == X
        else (summed[line, high] - summed[line, low])
    )
    return np.asarray(whole / (high - low)[..., None], np.float32)


def upright(image: Image) -> Upright:
    """Turn and tilt a picture until the edges of the box in it are upright or level."""
    height, width = image.shape[:2]
    factor = width / _VOTE_WIDTH
    small = cv2.resize(image, (_VOTE_WIDTH, round(height / factor)), interpolation=cv2.INTER_AREA)
    slope, tilt_x, tilt_y = _vote(np.asarray(small, np.uint8))
    middle = np.array([_VOTE_WIDTH - 1, small.shape[0] - 1]) / 2
    view = np.array([[1, -slope, 0], [slope, 1, 0], [tilt_x, tilt_y, 1]])
    shrink = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, factor]]) / factor
    shrink[:2, 2] -= 0.5 + middle
    size = (WIDTH, round(height * WIDTH / width))
    zoom = WIDTH / _VOTE_WIDTH * _SHRINK
    grow = np.array([[zoom, 0, (size[0] - 1) / 2], [0, zoom, (size[1] - 1) / 2], [0, 0, 1]])
    way = grow @ view @ shrink
    below = grow @ view @ (_FOCAL**2 * tilt_x, _FOCAL**2 * tilt_y, 1)
    return _look(image, way, below[:2] / below[2], size)


def _look(image: Image, way: Array, below: Array, size: tuple[int, int]) -> Upright:
    turned = cv2.warpPerspective(image, way, size, borderMode=cv2.BORDER_REPLICATE)
    weights = np.array([1, COLOUR, COLOUR], np.float32)
    lab = np.asarray(cv2.cvtColor(turned, cv2.COLOR_BGR2LAB), np.float32) * weights
    white = np.full(image.shape[:2], 255, np.uint8)
    inside = cv2.warpPerspective(white, way, size, flags=cv2.INTER_NEAREST)
    inside = cv2.erode(inside, np.ones((7, 7), np.uint8), borderValue=(0.0,))
    steps = np.arange(-6, 7)
    bell = np.exp(-(steps**2) / (2 * _SIGMA**2))
    rise, one = steps * bell / (steps**2 * bell).sum(), np.ones(1)
    across = np.asarray(cv2.sepFilter2D(lab, cv2.CV_32F, rise, one), np.float32)
    down = np.asarray(cv2.sepFilter2D(lab, cv2.CV_32F, one, rise), np.float32)
    slopes = _summed(across, 0), _summed(down, 1)
    noise = float(np.hypot(_noise(slopes[X], X), _noise(slopes[Y], Y)) / np.sqrt(2))
    return Upright(
        lab,
        np.asarray(cv2.GaussianBlur(lab, (0, 0), 1.5), np.float32),
        way,
        below,
        max(0.04, noise),
        np.asarray(inside > 0, np.bool_),
        slopes,
        (_summed(lab, 0), _summed(lab, 1)),
    )


def _summed(values: Array, axis: int) -> Array:
    total = np.cumsum(values, axis, dtype=np.float32)
    return np.asarray(np.concatenate([np.zeros_like(total.take([0], axis)), total], axis))


def _noise(summed: Array, kind: int) -> float:
    """Median change across pieces of 60 pixels in the middle half of the picture."""
    sums = summed if kind == X else summed.transpose(1, 0, 2)
    pieces = (sums[60::30] - sums[:-60:30]) / 60
    quarter = pieces.shape[1] // 4
    return float(np.median(np.linalg.norm(pieces[:, quarter:-quarter], axis=2)))


# ------------------------------------------------------------------------------------------ voting


def _vote(small: Image) -> tuple[float, float, float]:
    """Slope of the upright edges, and how it and that of the level ones change over the picture."""
    across, down = _slopes(small)
    middle_x, middle_y = (small.shape[1] - 1) / 2, (small.shape[0] - 1) / 2
    x, y, weight = _points(across, down, 1)
    uprights = x - middle_x, y - middle_y, weight
    x, y, weight = _points(down, across, 0)
    levels = y - middle_y, x - middle_x, weight
    slope, tilt_x, tilt_y = 0.0, 0.0, 0.0
    slopes, tilts = 0.008 * np.arange(-15, 16), 4e-5 * np.arange(-4, 5)
    for bin_px in (4.0, 2.5, 1.6, 1.2):
        first = _votes(*uprights, slope + slopes, tilt_y + tilts, bin_px)
        second = _votes(*levels, -slope - slopes, tilt_x + tilts, bin_px)
        best = int((first.max(axis=1) + second.max(axis=1)).argmax())
        tilt_y += float(tilts[first[best].argmax()])
        tilt_x += float(tilts[second[best].argmax()])
        slope += float(slopes[best])
        slopes, tilts = slopes[1] - slopes[0], tilts[1] - tilts[0]
        slopes, tilts = slopes / 2 * np.arange(-2, 3), tilts / 2 * np.arange(-2, 3)
    return slope, tilt_x, tilt_y


def _slopes(small: Image) -> tuple[Array, Array]:
    lab = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), np.float32)
    soft = cv2.GaussianBlur(lab, (0, 0), 1.2)
    across, down = (
        np.abs(cv2.Sobel(soft, cv2.CV_32F, dx, dy, ksize=3, scale=1 / 8)).max(axis=2)
        for dx, dy in ((1, 0), (0, 1))
    )
    return across, down


def _points(slope: Array, other: Array, axis: int) -> tuple[Array, Array, Array]:
    """Where a slope is steepest, and the weights of these points; `axis` runs across the edge."""
    noise = float(np.median(slope))
    steep = (slope >= np.roll(slope, 1, axis)) & (slope > np.roll(slope, -1, axis))
    steep &= (slope > 2.5 * noise + 0.3) & (slope > 2 * other)
    steep[:3] = steep[-3:] = steep[:, :3] = steep[:, -3:] = False
    y, x = np.nonzero(steep)
    few = slice(None, None, max(1, len(x) // _VOTERS))
    weight = np.sqrt(np.minimum(slope[y, x], 8 * noise + 4))
    return x[few].astype(np.float32), y[few].astype(np.float32), weight[few]


def _votes(u: Array, v: Array, weight: Array, slopes: Array, tilts: Array, bin_px: float) -> Array:
    """How well points gather on lines u = at (1 + tilt v) + slope v, at best 1."""
    half = 0.6 * _VOTE_WIDTH * 4 / 3
    count = int(2 * half / bin_px) + 4
    votes = np.zeros((len(slopes), len(tilts)), np.float32)
    for row, slope in enumerate(slopes):
        moved = u - slope * v
        for column, tilt in enumerate(tilts):
            place = (moved / (1 + tilt * v) + half) / bin_px + 1
            bins = np.clip(place, 0, count - 1).astype(np.int32)
            heap = np.bincount(bins, weight, count)
            votes[row, column] = ((heap[:-1] + heap[1:]) ** 2).sum()
    return votes / max(float(votes.max()), 1e-6)
