"""What tells the foot of a tray's walls from all other rectangles in its upright picture.

Rectangles are rows (left, right, far, near) of an array (n, 4), in pixels of the upright picture.
The box has an inner rim above its foot: seen from the point below the camera it is the foot made
larger, the same on all four sides. So a shadow's edge, or a rim that is taken for the foot, does
not fit together with the other edges. All that is measured goes into one sum, whose weights were
learned from pictures with known truth (`vision.training.train_tray`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from vision.upright import BLOCKS, COLOUR, Array, Mask, Upright, X, Y

WEIGHTS = Path(__file__).with_name("weights") / "tray.json"

_MANY = 14
"""So many lines of each side are tried, the strongest."""
_FEWER = 10
"""So many where the fourth side is to be guessed."""
_ASPECT = 0.015
"""Share by which a rectangle may be wider or narrower than the floor."""
_SIDES = ((X, 0, 2, 3), (X, 1, 2, 3), (Y, 2, 0, 1), (Y, 3, 0, 1))
"""Left, right, far, near: kind of line, its column, and those of its two ends."""
_CORNERS = ((0, 2), (1, 2), (1, 3), (0, 3))
_OUTWARD = np.array([-1, 1, -1, 1])
_RIMS = np.arange(1.02, 1.36, 0.005)
"""The inner rim is the foot, made so many times larger."""
_WIDTHS = np.arange(0.02, 0.20, 0.005)
"""Width of the rim, in halves of the inner rim's."""
_INSIDE = np.arange(0.72, 0.985, 0.005)
_PARTIAL = np.array([0, 0.5, 0.8, 0.95, 1])
"""What a rim counts of which so many sides are in the picture."""


@dataclass(frozen=True, slots=True)
class Lines:
    """How strong an edge is along each line x = number and y = number, in units of noise."""

    strength: tuple[Array, Array]
    seen: tuple[Mask, Mask]


def lines(view: Upright) -> Lines:
    """The lines of a picture, each looked at in the middle half of the tray."""
    (x, x_seen), (y, y_seen) = view.strength(X), view.strength(Y)
    logs = [np.asarray(np.log1p(s / view.noise), np.float32) for s in (x, y)]
    return Lines((logs[0], logs[1]), (x_seen, y_seen))


# -------------------------------------------------------------------------------------- candidates


def candidates(view: Upright, found: Lines, aspect: float) -> tuple[Array, Mask]:
    """Rectangles (n, 4) of the floor's aspect, and for which one side was guessed from three."""
    sides = [_strongest(view, found, side) for side in range(4)]
    grid = np.meshgrid(*sides, indexing="ij")
    whole = np.stack([g.ravel() for g in grid], axis=1)
    wide, deep = whole[:, 1] - whole[:, 0], whole[:, 3] - whole[:, 2]
    whole = whole[np.abs(np.log(wide / deep / aspect)) < _ASPECT]
    guessed = [_guess(sides, side, aspect) for side in range(4)]
    rects = np.concatenate([whole, *guessed])
    guess = np.arange(len(rects)) >= len(whole)
    keep = _possible(view, rects)
    return rects[keep], guess[keep]


def _strongest(view: Upright, found: Lines, side: int) -> Array:
    kind = _SIDES[side][0]
    strength = found.strength[kind]
    at = np.arange(1, len(strength) - 1)
    here, before, after = strength[at], strength[at - 1], strength[at + 1]
    peak = (here >= before) & (here > after) & (here > 0.4)
    shift = (after - before) / np.maximum(2 * (2 * here - before - after), 1e-6)
    place = at + np.clip(shift, -0.5, 0.5)
    outside = _OUTWARD[side] * (place - view.size[kind] / 2) > 0.2 * view.reach
    place, here = place[peak & outside], here[peak & outside]
    return np.asarray(place[np.argsort(-here)[:_MANY]])


def _guess(sides: list[Array], side: int, aspect: float) -> Array:
    """Rectangles of three lines and a fourth where the aspect wants it."""
    kind, _, first, second = _SIDES[side]
    opposite = side ^ 1
    few = [np.zeros(1) if n == side else lines[:_FEWER] for n, lines in enumerate(sides)]
    rects = np.stack([g.ravel() for g in np.meshgrid(*few, indexing="ij")], axis=1)
    length = (rects[:, second] - rects[:, first]) * (aspect if kind == X else 1 / aspect)
    rects[:, side] = rects[:, opposite] + _OUTWARD[side] * length
    return rects


def _possible(view: Upright, rects: Array) -> Mask:
    """Which have the picture's middle well inside, and their corners in the picture."""
    keep = np.ones(len(rects), bool)
    for kind, column, _, _ in _SIDES:
        length = view.size[kind]
        out = _OUTWARD[column] * (rects[:, column] - length / 2) > 0.2 * view.reach
        keep &= out & (rects[:, column] > 3) & (rects[:, column] < length - 4)
    for a, b in _CORNERS:
        x = np.clip(np.rint(rects[:, a]).astype(int), 0, view.size[0] - 1)
        y = np.clip(np.rint(rects[:, b]).astype(int), 0, view.size[1] - 1)
        keep &= view.seen[y, x]
    return keep


# ----------------------------------------------------------------------------------- what is there


def describe(view: Upright, found: Lines, rects: Array, guessed: Mask, aspect: float) -> Array:
    """(n, number of names): all that is measured of each rectangle, in the order of `names`."""
    known = _measure(view, found, rects, guessed, aspect)
    return np.stack([known[name] for name in known], axis=1).astype(np.float32)


def names(view: Upright, found: Lines) -> list[str]:
    """The names of what `describe` measures."""
    return list(_measure(view, found, np.array([[300.0, 600, 200, 500]]), np.zeros(1, bool), 1.0))


def _measure(
    view: Upright, found: Lines, rects: Array, guessed: Mask, aspect: float
) -> dict[str, Array]:
    known = {
        **_edges(view, rects),
        **_surfaces(view, rects),
        **_box(view, found, rects),
    }
    wide, deep = rects[:, 1] - rects[:, 0], rects[:, 3] - rects[:, 2]
    middle = np.stack([rects[:, 0] + rects[:, 1], rects[:, 2] + rects[:, 3]], axis=1) / 2
    known["aspect"] = 100 * np.abs(np.log(wide / deep / aspect))
    known["size"] = np.maximum(wide, deep) / view.reach
    known["off"] = 10 * np.linalg.norm(middle - np.array(view.size) / 2, axis=1) / view.reach
    known["guessed"] = guessed.astype(float)
    return known


def _pool(name: str, of_sides: Array) -> dict[str, Array]:
    return {f"{name} least": of_sides.min(axis=1), f"{name} mean": of_sides.mean(axis=1)}


def _edges(view: Upright, rects: Array) -> dict[str, Array]:
    """How strong and how whole the four edges are, and that they end at the corners."""
    share = np.linspace(0.03, 0.97, BLOCKS + 1)
    margin = 0.05 * (rects[:, 1] - rects[:, 0])
    strength, whole, beyond, step = (np.zeros((len(rects), 4)) for _ in range(4))
    for side, (kind, column, first, second) in enumerate(_SIDES):
        at, low, high = rects[:, column], rects[:, first], rects[:, second]
        ends = low[:, None] + share * (high - low)[:, None]
        pieces = np.stack(
            [view.change(kind, at[:, None] + d + 0 * ends[:, 1:], ends[:, :-1], ends[:, 1:])
             for d in (0, -1, 1)]
        )  # fmt: skip
        best = np.linalg.norm(pieces, axis=3).argmax(axis=0)
        piece = np.take_along_axis(pieces, best[None, ..., None], axis=0)[0]
        mean = piece.mean(axis=1)
        size = np.linalg.norm(mean, axis=1)
        alike = (piece * (mean / np.maximum(size, 1e-6)[:, None])[:, None]).sum(axis=2)
        strength[:, side] = np.log1p(size / view.noise)
        whole[:, side] = (alike > np.maximum(2 * view.noise, 0.3 * size)[:, None]).mean(axis=1)
        outer = [
            view.change(kind, at, low - margin, low - 0.2 * margin),
            view.change(kind, at, high + 0.2 * margin, high + margin),
        ]
        past = np.log1p(np.linalg.norm(np.stack(outer), axis=2) / view.noise).mean(axis=0)
        last = np.log1p(np.linalg.norm(piece[:, [0, -1]], axis=2) / view.noise).mean(axis=1)
        beyond[:, side], step[:, side] = past, last - past
    return {
        **_pool("strength", strength),
        **_pool("whole", whole),
        **_pool("beyond", beyond),
        **_pool("step", step),
    }


def _strips(view: Upright, rects: Array, near: float, far: float) -> Array:
    """(n, 4, 3): colours along the sides, `near` to `far` pixels inside (below 0: outside)."""
    colours = np.zeros((len(rects), 4, 3))
    for side, (kind, column, first, second) in enumerate(_SIDES):
        low, high = rects[:, first], rects[:, second]
        margin = 0.06 * (high - low)
        places = [rects[:, column] - _OUTWARD[side] * d for d in np.linspace(near, far, 3)]
        strips = [view.colour(kind, at, low + margin, high - margin) for at in places]
        colours[:, side] = np.mean(strips, axis=0)
    return colours


def _hue(colours: Array) -> Array:
    return np.asarray(colours[..., 1:] - 128 * COLOUR)


def _surfaces(view: Upright, rects: Array) -> dict[str, Array]:
    """That the floor is inside and something else outside; shadow takes light, but little hue."""
    (w, h), r = view.size, view.reach
    middle = view.lab[int(h / 2 - 0.2 * r) : int(h / 2 + 0.2 * r)]
    middle = middle[:, int(w / 2 - 0.2 * r) : int(w / 2 + 0.2 * r)].reshape(-1, 3)
    floor = np.median(middle, axis=0)
    inner, outer = _strips(view, rects, 4, 14), _strips(view, rects, -4, -14)
    known: dict[str, Array] = {}
    for name, colour in (("inner", inner), ("outer", outer)):
        light = np.clip(colour[..., :1] / max(float(floor[0]), 1.0), 0.2, 1.5)
        hue = np.linalg.norm(_hue(colour) - _hue(floor) * light, axis=2)
        known |= _pool(f"{name} hue", np.log1p(hue))
        known |= _pool(f"{name} light", np.log1p(np.abs(colour[..., 0] - floor[0])))
    contrast = np.linalg.norm(outer - inner, axis=2)
    known |= _pool("contrast", np.log1p(contrast))
    light = np.clip(outer[..., :1] / np.maximum(inner[..., :1], 1), 0.2, 3)
    known |= _pool(
        "contrast of hue", np.log1p(np.linalg.norm(_hue(outer) - _hue(inner) * light, axis=2))
    )
    known["brighter"] = (outer[..., 0] - inner[..., 0]).mean(axis=1) / 20
    close = _strips(view, rects, 2.5, 3.5) - _strips(view, rects, -2.5, -3.5)
    known |= _pool("sharp", np.clip(np.linalg.norm(close, axis=2) / (contrast + 1), 0, 2))
    fall = np.linalg.norm(_strips(view, rects, 20, 34) - inner, axis=2)
    known |= _pool("slope inside", np.log1p(fall))
    fall = np.linalg.norm(_strips(view, rects, -20, -30) - outer, axis=2)
    return known | _pool("slope outside", np.log1p(fall))


def _box(view: Upright, found: Lines, rects: Array) -> dict[str, Array]:
    """How well rim, rim's outer edge and the creases of the walls fit, seen from below the camera.

    A rectangle inside that fits as a foot as well speaks against it.
    """
    below = view.below[[0, 0, 1, 1]]
    arm = rects - below
    rim, mean, least, count = _nested(found, below + arm[:, None] * _RIMS[:, None])
    best, row = rim.argmax(axis=1), np.arange(len(rects))
    times = _RIMS[best]
    known = {
        "rim": rim[row, best],
        "rim mean": mean[row, best],
        "rim least": least[row, best],
        "rim sides": count[row, best].astype(float),
        "rim at": times - 1,
    }
    share = (_RIMS - 1) / (times[:, None] - 1)
    wall = (share > 0.2) & (share < 0.85) & (_RIMS > 1.012) & (times[:, None] - _RIMS > 0.012)
    known["between"] = np.where(wall, (mean + least) / 2, 0).max(axis=1)
    upper = below + arm * times[:, None]
    half = (upper[:, 1] - upper[:, 0])[:, None, None] / 2
    outer, _, _, count = _nested(found, upper[:, None] + _OUTWARD * half * _WIDTHS[:, None])
    best = outer.argmax(axis=1)
    known |= {"outer": outer[row, best], "outer sides": count[row, best].astype(float)}
    known["outer at"] = _WIDTHS[best]
    _, mean, least, _ = _nested(found, below + arm[:, None] * _INSIDE[:, None])
    known |= {"inside": (mean + least).max(axis=1) / 2, "inside mean": mean.max(axis=1)}
    one = np.ones(len(rects))
    crease = _creases(view, rects, 1.008 * one, np.maximum(times - 0.008, 1.02))
    known |= _pool("crease", crease)
    return known | _pool("crease inside", _creases(view, rects, 2 - np.maximum(times, 1.03), one))


def _nested(found: Lines, rects: Array) -> tuple[Array, Array, Array, Array]:
    """For rectangles (n, k, 4): how well all sides are edges, mean, least, how many are seen."""
    strength, seen = np.zeros(rects.shape), np.zeros(rects.shape, bool)
    for side, (kind, column, _, _) in enumerate(_SIDES):
        wide = cv2.dilate(found.strength[kind][None], np.ones((1, 5), np.uint8))[0]
        place = np.rint(rects[..., column]).astype(int)
        inside = (place >= 0) & (place < len(wide))
        place = np.clip(place, 0, len(wide) - 1)
        seen[..., side] = inside & found.seen[kind][place]
        strength[..., side] = np.where(seen[..., side], wide[place], 0)
    count = seen.sum(axis=-1)
    mean = strength.sum(axis=-1) / np.maximum(count, 1)
    least = np.where(count > 0, np.where(seen, strength, 9).min(axis=-1), 0)
    return (mean + least) / 2 * _PARTIAL[count], mean, least, count


def _creases(view: Upright, rects: Array, start: Array, end: Array) -> Array:
    """(n, 4): how the colour changes across the lines from below the camera through the corners."""
    found = np.zeros((len(rects), 4))
    share = np.linspace(0, 1, 7)
    times = start[:, None] + (end - start)[:, None] * share
    for corner, columns in enumerate(_CORNERS):
        arm = rects[:, columns] - view.below
        way = arm / np.linalg.norm(arm, axis=1, keepdims=True)
        beside = 3 * np.stack([-way[:, 1], way[:, 0]], axis=1)[:, None]
        points = view.below + arm[:, None] * times[..., None]
        change = _at(view, points + beside) - _at(view, points - beside)
        found[:, corner] = np.linalg.norm(change.mean(axis=1), axis=1)
    return np.asarray(np.log1p(found / view.noise / 4))


def _at(view: Upright, points: Array) -> Array:
    x = np.clip(np.rint(points[..., 0]).astype(int), 0, view.size[0] - 1)
    y = np.clip(np.rint(points[..., 1]).astype(int), 0, view.size[1] - 1)
    return np.asarray(view.soft[y, x])


# --------------------------------------------------------------------------------------- the choice


@cache
def _weights() -> Array:
    """(names + 1, 3): mean, spread and weight of each measure; the last weighs that none fits."""
    data = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return np.array(list(data.values()), np.float64)


def chances(described: Array) -> Array:
    """How likely each of the rectangles is the foot; what is missing to 1 is that none is."""
    *known, none = _weights()
    mean, spread, weight = np.array(known).T
    sums = np.append(np.clip((described - mean) / spread, -5, 5) @ weight, none[2])
    odds = np.exp(sums - sums.max())
    return np.asarray(odds[:-1] / odds.sum())
