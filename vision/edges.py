"""Find the floor of a tray by its edges, where there are no markers.

The picture is turned and tilted until all edges of the box are upright or level (`vision.upright`).
All rectangles of such lines that have the floor's aspect are compared by what is along them, inside
and outside, and whether a rim fits to them (`vision.foot`). So the foot of the walls is told from
the rim, from the shadow of a wall and from the ridge of the keep rail. The best rectangle's sides
are then fitted to the edge piece by piece.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision import foot
from vision.reading import Image
from vision.upright import Array, Upright, X, Y, upright

SURE = 0.9
"""From here on a floor is found; below it is but the best guess."""
LIKELY = 0.3
"""Below, there is not even a guess."""

_ALIKE = 0.008
"""Rectangles that differ by less of their width are the same."""
_PIECES = 16
"""Pieces of a side that are fitted."""
_REACH = 5
"""So many pixels around a line its edge is looked for."""


@dataclass(frozen=True, slots=True)
class Floor:
    """Where the floor of a tray seems to be."""

    corners: Array
    """(4, 2): far left, far right, near right, near left, in pixels."""
    sure: float
    """How likely that is right, 0 to 1."""


def find_floor(image: Image, aspect: float) -> Floor | None:
    """The floor whose width is `aspect` times its depth; None when nothing is like a tray."""
    height, width = image.shape[:2]
    if min(height, width) < max(160, max(height, width) / 3):
        return None
    view = upright(image)
    found = foot.lines(view)
    rects, guessed = foot.candidates(view, found, aspect)
    if not len(rects):
        return None
    chances = foot.chances(foot.describe(view, found, rects, guessed, aspect))
    best = rects[int(chances.argmax())]
    alike = np.abs(rects - best).max(axis=1) < _ALIKE * (best[1] - best[0])
    corners = view.back(_fit(view, best, aspect))
    inside = (corners > 0).all() and (corners < (width - 1, height - 1)).all()
    return Floor(corners, float(chances[alike].sum())) if inside else None


# ------------------------------------------------------------------------------------- fine fitting


def _fit(view: Upright, rect: Array, aspect: float) -> Array:
    """The corners (4, 2), far left first, after the sides are fitted to the edges near them.

    Found out are for each side a shift and a slope, and how much the lens bends all of them; where
    an edge is weak, the rectangle's own shape counts more.
    """
    half = float(rect[1] - rect[0]) / 2
    rows, shifts, weights = [], [], []
    for side, (kind, ends) in enumerate(((X, (2, 3)), (X, (2, 3)), (Y, (0, 1)), (Y, (0, 1)))):
        low, high = (float(rect[e]) for e in ends)
        along = np.linspace(low + 0.02 * (high - low), high - 0.02 * (high - low), _PIECES + 1)
        middles = (along[1:] + along[:-1]) / 2
        places, weight = _edge(view, kind, float(rect[side]), along)
        row = np.zeros((_PIECES, 9))
        row[:, side] = 1
        row[:, 4 + side] = (middles - (low + high) / 2) / half
        points = np.stack([places, middles] if kind == X else [middles, places], axis=1)
        row[:, 8] = _bend(view, points)[:, kind]
        rows.append(row)
        shifts.append(places - rect[side])
        weights.append(weight)
    prior, wanted = _shape(rect, aspect, half)
    a, y, w = np.concatenate(rows), np.concatenate(shifts), np.concatenate(weights)
    fit = np.zeros(9)
    for _ in range(8):  # pieces far off, such as those with a die at the wall, count less each time
        weight = w / (1 + (a @ fit - y) ** 2)
        normal = a.T @ (a * weight[:, None]) + prior.T @ prior
        fit = np.linalg.solve(normal, a.T @ (weight * y) + prior.T @ wanted)
    return _crossings(view, rect, fit, half)


def _shape(rect: Array, aspect: float, half: float) -> tuple[Array, Array]:
    """What is expected before looking, in units of its likely error: rows, and what they give."""
    rows, wanted = np.zeros((10, 9)), np.zeros(10)
    rows[:4, :4], rows[4:8, 4:8] = np.eye(4), np.eye(4) / 0.6  # pixels
    rows[8, 8] = 1 / 0.02  # of k1
    likely = 0.003 * 2 * half
    rows[9, :4] = np.array([-1 / aspect, 1 / aspect, 1, -1]) / likely
    wanted[9] = ((rect[3] - rect[2]) - (rect[1] - rect[0]) / aspect) / likely
    return rows, wanted


def _edge(view: Upright, kind: int, at: float, along: Array) -> tuple[Array, Array]:
    """Where the edge is in each piece of a line, and how much that counts."""
    line = np.rint(at) + np.arange(-_REACH - 1, _REACH + 2)
    places = line[:, None] + 0 * along[:-1]
    change = view.change(kind, places, along[:-1] + 0 * places, along[1:] + 0 * places)
    whole = change.mean(axis=1)
    strongest = int(np.linalg.norm(whole[_REACH - 1 : _REACH + 4], axis=1).argmax()) + _REACH - 1
    way = whole[strongest] / max(float(np.linalg.norm(whole[strongest])), 1e-6)
    slope = change @ way
    near = np.exp(-(((line - at) / 1.5) ** 2) / 2)[:, None]
    best = (slope * near)[1:-1].argmax(axis=0) + 1
    piece = np.arange(len(best))
    here, before, after = slope[best, piece], slope[best - 1, piece], slope[best + 1, piece]
    shift = (after - before) / 2 / np.maximum(2 * here - before - after, 1e-3)
    strong = np.maximum(here, 0) ** 2
    return line[best] + np.clip(shift, -0.6, 0.6), strong / (strong + (8 * view.noise) ** 2)


def _bend(view: Upright, points: Array) -> Array:
    """How a lens with a k1 of 1 would move points (n, 2) of the upright picture."""
    arm = points - (np.array(view.size) - 1) / 2
    return np.asarray(arm * (arm**2).sum(axis=-1, keepdims=True) / (0.8 * view.size[0] ** 2))


def _crossings(view: Upright, rect: Array, fit: Array, half: float) -> Array:
    places, slopes = rect + fit[:4], fit[4:8] / half
    middle_x, middle_y = rect[:2].mean(), rect[2:].mean()
    corners = []
    for side, level in ((0, 2), (1, 2), (1, 3), (0, 3)):
        x, y = places[side], places[level]
        for _ in range(3):
            x = places[side] + slopes[side] * (y - middle_y)
            y = places[level] + slopes[level] * (x - middle_x)
        corners.append((x, y))
    points = np.array(corners)
    return np.asarray(points + fit[8] * _bend(view, points))
