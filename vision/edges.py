"""Find the floor of a tray by its edges, where there are no markers.

Straight edges are looked for in four families (far, right, near, left); every four of them that
make the right rectangle are compared by how much of their length is an edge and whether the floor
is on their inner side and something else on the outer one. So the foot of the walls is told from
the wall's upper edge, from the shadow of a wall and from the ridge of the keep rail.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Image

FloatArray = npt.NDArray[np.float32]

_WIDTH = 480
"""Width in pixels of the picture in which edges are looked for."""
_LEAN = 9
"""Degrees that a side may lean from the picture's own directions."""
_MANY = 14
"""So many of the best lines of each direction are tried."""
_NEAR = 0.06
"""Scores that differ by less are alike."""
_SAMPLES = 48
"""Points along a side at which is looked for an edge."""


@dataclass(frozen=True, slots=True)
class _Lines:
    """Lines x = at + slope * (y - middle) of one direction, the strongest first."""

    at: FloatArray
    slope: FloatArray


@dataclass(frozen=True, slots=True)
class _Pictures:
    """The small picture and where edges are in it."""

    lab: FloatArray
    upright: FloatArray
    """1 where an edge runs up and down, 0 elsewhere, softened by a pixel."""
    level: FloatArray
    """The same for edges that run from side to side."""


def find_floor(image: Image, aspect: float) -> tuple[FloatArray | None, float]:
    """The inner corners (4, 2), far left first and clockwise, and how sure that is (0 to 1).

    `aspect` is the floor's width by its depth. None when nothing is like a tray.
    """
    factor = image.shape[1] / _WIDTH
    height = max(1, round(image.shape[0] / factor))
    if height < 100:
        return None, 0.0
    small = cv2.resize(image, (_WIDTH, height), interpolation=cv2.INTER_AREA)
    pictures = _prepare(np.asarray(small, np.uint8))
    upright = _lines(pictures.upright)
    level = _lines(np.ascontiguousarray(pictures.level.T))
    if len(upright.at) < 2 or len(level.at) < 2:
        return None, 0.0
    quads = _rectangles(upright, level, (_WIDTH, height), aspect)
    if not len(quads):
        return None, 0.0
    scores = _scores(quads, pictures)
    # Several fit about as well where the walls are of the felt's colour: the foot is the innermost.
    areas = np.array([cv2.contourArea(quad) for quad in quads])
    best = int(np.where(scores > scores.max() - _NEAR, areas, np.inf).argmin())
    return np.asarray((quads[best] + 0.5) * factor - 0.5, np.float32), float(scores[best])


def _prepare(small: Image) -> _Pictures:
    lab = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), np.float32)
    soft = np.asarray(cv2.GaussianBlur(lab, (0, 0), 1.2), np.float32)
    across, down = (
        np.abs(cv2.Sobel(soft, cv2.CV_32F, dx, dy, ksize=3)).max(axis=2)
        for dx, dy in ((1, 0), (0, 1))
    )
    upright = _thin(across, down, 1)
    level = _thin(down, across, 0)
    smooth = cv2.medianBlur(np.asarray(lab, np.uint8), 5)
    return _Pictures(np.asarray(smooth, np.float32), upright, level)


def _thin(slope: FloatArray, other: FloatArray, axis: int) -> FloatArray:
    """1 on the ridges of a slope that runs about across the edge, 0.6 beside them."""
    noise = float(np.median(slope)) + 1.0
    before, after = np.roll(slope, 1, axis), np.roll(slope, -1, axis)
    ridge = (slope >= before) & (slope > after) & (slope > 3.0 * noise) & (slope > 1.5 * other)
    thin = ridge.astype(np.float32)
    wide = np.maximum(np.roll(thin, 1, axis), np.roll(thin, -1, axis)) * 0.7
    return np.asarray(np.maximum(thin, wide), np.float32)


def _lines(edges: FloatArray) -> _Lines:
    """The lines along which most edge lies, for edges that run up and down."""
    height, width = edges.shape
    middle = (height - 1) / 2
    slopes = np.tan(np.radians(np.arange(-_LEAN, _LEAN + 0.25, 0.5))).astype(np.float32)
    votes = np.empty((len(slopes), width), np.float32)
    for row, slope in enumerate(slopes):
        # Shear, so that the lines of this slope become columns.
        shear = np.array([[1, -slope, slope * middle], [0, 1, 0]], np.float32)
        votes[row] = cv2.warpAffine(edges, shear, (width, height)).sum(axis=0)
    found: list[tuple[float, float]] = []
    for _ in range(_MANY):
        best, column = divmod(int(votes.argmax()), width)
        if votes[best, column] < 0.15 * height:
            break
        found.append((float(column), float(slopes[best])))
        for other, slope in enumerate(slopes):  # one line is not to be found twice
            if abs(float(slope) - found[-1][1]) < 0.08:
                votes[other, max(0, column - 3) : column + 4] = 0
    at, slope_of = np.array(found, np.float32).reshape(-1, 2).T
    return _Lines(at, slope_of)


def _rectangles(upright: _Lines, level: _Lines, size: tuple[int, int], aspect: float) -> FloatArray:
    """(n, 4, 2): all quadrangles of two and two lines that a camera above a tray could see."""
    width, height = size
    n, m = len(upright.at), len(level.at)
    left, right, far, near = (
        v.ravel() for v in np.meshgrid(range(n), range(n), range(m), range(m))
    )
    keep = (upright.at[left] < upright.at[right] - 0.25 * width) & (
        level.at[far] < level.at[near] - 0.25 * height
    )
    left, right, far, near = left[keep], right[keep], far[keep], near[keep]
    corners = [
        _crossing(upright, a, level, b, size)
        for a, b in ((left, far), (right, far), (right, near), (left, near))
    ]
    quads = np.stack(corners, axis=1)
    sides = np.roll(quads, -1, axis=1) - quads
    lengths = np.maximum(np.linalg.norm(sides, axis=2), 1.0)
    units = sides / lengths[..., None]
    lean = np.abs((units * np.roll(units, -1, axis=1)).sum(axis=2)).max(axis=1)
    wide, deep = (lengths[:, 0] + lengths[:, 2]) / 2, (lengths[:, 1] + lengths[:, 3]) / 2
    opposite = np.abs(np.log(lengths[:, :2] / lengths[:, 2:])).max(axis=1)
    inside = (quads > 1).all(axis=(1, 2)) & (quads < np.array(size) - 2).all(axis=(1, 2))
    fits = np.abs(np.log(wide / deep / aspect)) < 0.035
    return np.asarray(quads[inside & fits & (lean < 0.07) & (opposite < 0.06)], np.float32)


def _crossing(
    upright: _Lines,
    a: npt.NDArray[np.int_],
    level: _Lines,
    b: npt.NDArray[np.int_],
    size: tuple[int, int],
) -> FloatArray:
    """Where upright lines meet level ones, for which x and y change places."""
    mx, my = (size[0] - 1) / 2, (size[1] - 1) / 2
    s, t = upright.slope[a], level.slope[b]
    x = (upright.at[a] + s * (level.at[b] - t * mx - my)) / (1 - s * t)
    y = level.at[b] + t * (x - mx)
    return np.stack([x, y], axis=1)


def _scores(quads: FloatArray, pictures: _Pictures) -> FloatArray:
    """How much each quadrangle is like the floor of a tray, 0 to 1."""
    lab = pictures.lab
    height, width = lab.shape[:2]
    middle = lab[height * 3 // 8 : height * 5 // 8, width * 3 // 8 : width * 5 // 8]
    floor = np.median(middle.reshape(-1, 3), axis=0)
    share = ((np.arange(_SAMPLES) + 0.5) / _SAMPLES).astype(np.float32)
    total = np.zeros(len(quads), np.float32)
    weakest = np.ones(len(quads), np.float32)
    for side in range(4):
        start, end = quads[:, side], quads[:, (side + 1) % 4]
        along = end - start
        inward = np.stack([-along[:, 1], along[:, 0]], axis=1)
        inward /= np.linalg.norm(inward, axis=1, keepdims=True)
        points = start[:, None] + share[None, :, None] * along[:, None]
        edges = pictures.level if side % 2 == 0 else pictures.upright
        edge = _look(edges, points).mean(axis=1)
        inner = _look(lab, points + 4 * inward[:, None]) - floor
        outer = _look(lab, points - 4 * inward[:, None]) - floor
        is_floor = _alike(inner).mean(axis=1)
        no_floor = 1 - _alike(outer).mean(axis=1)
        score = 0.5 * edge + 0.3 * is_floor + 0.2 * no_floor
        total += score / 4
        weakest = np.minimum(weakest, edge)
    return np.asarray(total * (weakest > 0.25), np.float32)


def _look(picture: FloatArray, points: FloatArray) -> FloatArray:
    x = np.clip(np.rint(points[..., 0]).astype(int), 0, picture.shape[1] - 1)
    y = np.clip(np.rint(points[..., 1]).astype(int), 0, picture.shape[0] - 1)
    return np.asarray(picture[y, x], np.float32)


def _alike(colour: FloatArray) -> FloatArray:
    """1 where a difference of colours is small; shadow takes light away, but little of the hue."""
    light = np.where(colour[..., 0] < 0, 0.35, 0.8) * colour[..., 0]
    distance = np.sqrt(light**2 + colour[..., 1] ** 2 + colour[..., 2] ** 2)
    return np.asarray(np.clip(1.5 - distance / 12, 0, 1), np.float32)
