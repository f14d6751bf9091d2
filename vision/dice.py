"""Find the dice: every top face in one picture, of any size, on any ground.

Three small convolutional networks share the work. The finder looks at a reduced picture and
answers with maps at a quarter of its size: where its heat has a peak there is a die, the other maps
say roughly where its top face lies, and where a hand or a cup covers the picture. The framer looks
at each find, cut out of the full picture, and says exactly where the face's middle is, how long its
edge, how it is turned, and whether there is a die at all; it looks twice, the second time from its
own first answer. The third one sees more of the surroundings, and where a flat die would be seen,
and says how the die rests.
How they were taught is in `vision/training`.

All coordinates have their origin at the corner of the picture: the first pixel's centre is
(0.5, 0.5). OpenCV's own functions count from that centre; take half a pixel off for them.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np

from vision.network import WEIGHTS, Floats, Network
from vision.pyramid import Pyramid
from vision.reading import Image

EDGE = 14.0
"""Length in pixels to which a die's edge is reduced when it is known."""
LEVELS = (400, 100)
"""Longest sides to which a picture is reduced when the size of its dice is not known. One look
finds edges of 8 to 32 pixels, so these two find dice of 1/40 to 2/5 of the longest side."""
MORE_LEVELS = (800, 30)
"""Where to look when those find nothing."""
CUT_OUT = 250
"""Longest side in pixels of what may be a single die, cut out of a larger picture."""
_STRIDE = 4
_UNIT = 16.0  # pixels of an edge whose logarithm the finder calls 0
_PAD = 16  # sides of the finder's input are multiples of this
_WARM = -1.2  # logit of the heat from which the framer is asked; it alone decides
_MOST = 60  # finds that it is asked about at most, the warmest first
FAR = 8.0
"""Edges from the picture's middle that count as 1 for the networks that are told the way there."""
# Logarithm of the edge over the other dice's edges that counts as 1 for the network that is told:
# a die on another one is nearer to the camera.
_LARGER = 0.1
_ALIKE = 0.3  # beyond this it is no die, or of another size
_HOT, _SURE = 0.4, 0.9  # a find is doubtful that is hotter than this, and framed less surely
_AROUND = (
    (0.2, 0.0, 1.0), (-0.2, 0.0, 1.0), (0.0, 0.2, 1.0), (0.0, -0.2, 1.0),
    (0.0, 0.0, 1.2), (0.0, 0.0, 0.85),
)  # fmt: skip
_PATCH, _INNER = 40, 20  # side of the framer's input, and of the face in it
WIDER, REST = 64, 26
"""Side of what the network sees that says how a die rests, and of the face in it."""
_GREY = np.full((3, 1), 1 / 3, np.float32)  # a thirtieth of the time of a mean over the last axis
_DROP = 1 / 26  # of a die's edge: how far above the table its camera hangs

# The finder's maps. A frame is given by the face's middle, the logarithm of its edge and its two
# half axes, complex numbers u and v. Their symmetric terms u²v² and u²+v² do not change when the
# square is turned by 90 degrees, so a network never has to choose between four right answers.
_HEAT, _FRAME, _HAND = 0, slice(1, 8), 9


@dataclass(frozen=True)
class Candidate:
    """A top face that was found."""

    corners: Floats
    """(4, 2), clockwise as seen in the picture, in pixels."""
    score: float
    """How sure it is that this is the top face of a die, 0 to 1."""
    cocked: float
    """Probability that the die leans."""
    stacked: float
    """Probability that the die lies flat on another one, or under one."""

    @cached_property
    def centre(self) -> Floats:
        """Middle of the face, (2,)."""
        return np.asarray(self.corners.mean(axis=0), np.float32)

    @cached_property
    def edge(self) -> float:
        """Length of an edge in pixels: the root of the face's area, 1 at least."""
        return max(1.0, float(np.sqrt(abs(cv2.contourArea(self.corners)))))


class Finder:
    """Finds dice by the networks; one object serves any number of pictures, one at a time."""

    hand: float = 0.0
    """How sure it is, 0 to 1, that a hand, a sleeve or a cup covers a hundredth or more of the
    picture last searched."""

    def __init__(self, weights: Path = WEIGHTS, threshold: float = 0.3) -> None:
        self._finder = Network(weights / "dice.onnx")
        self._framer = Network(weights / "frames.onnx")
        self._rester = Network(weights / "rests.onnx")
        self._threshold = threshold

    def find(self, picture: Image | Pyramid, edge_px: float | None = None) -> list[Candidate]:
        """All top faces, the surest first.

        `edge_px` is the length of a die's edge in this picture where it is known (from the tray's
        scale): then one look is enough, and dice of 0.6 to 2 times that size are found. Without it
        there are two looks or more, for dice of 1/80 of the picture's longest side up to all of it.
        """
        self.hand = 0.0
        image = Pyramid.of(picture)
        if edge_px is not None:
            return _distinct(self._framed(image, self._rough(image, EDGE / edge_px)))
        longest = max(image.image.shape[:2])
        levels = LEVELS if longest > CUT_OUT else (*LEVELS, MORE_LEVELS[1])
        rough = [c for side in levels for c in self._rough(image, min(2.0, side / longest))]
        smallest = min((c.edge for c in rough if c.score > 0.4), default=0.0)
        if not smallest:
            more = [side / longest for side in MORE_LEVELS]
        else:  # dice that were found, but small: once more at the size at which none is missed
            scale = min(EDGE / smallest, MORE_LEVELS[0] / longest)
            more = [scale] if scale > 1.05 * LEVELS[0] / longest else []
        rough += [c for scale in more for c in self._rough(image, min(2.0, scale))]
        return _distinct(self._framed(image, _distinct(rough)))

    def _rough(self, image: Pyramid, scale: float) -> list[Candidate]:
        """What the finder finds in one look, and `hand` brought up to date."""
        maps, shift = self._look(image, scale)
        hand = np.quantile(maps[_HAND], 0.99, keepdims=True)
        self.hand = max(self.hand, _sigmoid(hand).item())
        return _peaks(maps, scale, shift)

    def _look(self, image: Pyramid, scale: float) -> tuple[Floats, tuple[int, int]]:
        """The maps (11, h, w) of a reduced picture, and how far (x, y) it was moved by padding."""
        height, width = image.image.shape[:2]
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        small = cv2.resize(image.level(1 / scale), size, interpolation=cv2.INTER_LINEAR)
        room = [max(4 * _PAD, -(-n // _PAD) * _PAD) - n for n in size]
        left, top = room[0] // 2, room[1] // 2
        small = cv2.copyMakeBorder(
            small, top, room[1] - top, left, room[0] - left, cv2.BORDER_REPLICATE
        )
        x = cv2.dnn.blobFromImage(small, 1 / 64, mean=(128, 128, 128))
        return self._finder(np.asarray(x, np.float32))[0], (left, top)

    def _framed(self, image: Pyramid, rough: list[Candidate]) -> list[Candidate]:
        """Those of the finds that are dice, with their frames made exact.

        The framer looks twice: from its own first answer it sees the face nearly centred. Where it
        is not sure it looks from all around, lest a find that was far off be lost.
        """
        rough = rough[:_MOST]
        first = self._frame(image, rough)
        unsure = [one for one, found in zip(rough, first, strict=True) if _doubtful(one, found)]
        first += self._frame(image, [_moved(one, *start) for one in unsure for start in _AROUND])
        near = _distinct([one for one in first if one.score >= self._threshold])
        framed = self._frame(image, near)
        return self._rested(image, [one for one in framed if one.score >= self._threshold])

    def _frame(self, image: Pyramid, rough: list[Candidate]) -> list[Candidate]:
        """Each with the frame and the score that the framer gives it."""
        if not rough:
            return []
        patches, way = _patches(image, rough, _PATCH, _INNER)
        centres = np.stack([one.centre for one in rough])
        quads, scores = self.frames(patches, way, centres, [one.edge for one in rough])
        return [
            replace(one, corners=quad, score=float(score))
            for one, quad, score in zip(rough, quads, scores, strict=True)
        ]

    def frames(
        self, patches: Floats, way: Floats, centres: Floats, edges: Sequence[float]
    ) -> tuple[Floats, Floats]:
        """Corners (n, 4, 2) and scores (n,) of the faces in patches (n, 40, 40, 3).

        `way` (n, 2): to the picture's middle, in edges; `centres` (n, 2) and `edges`: what the
        patches were cut out by, in the pixels in which the corners are wanted.
        """
        rows = self._framer(with_planes(unit_contrast(patches), way / FAR))
        edge = np.asarray(edges, np.float32)
        middles = centres + edge[:, None] * rows[:, :2]
        quads = _corners(middles, edge / 2 * np.exp(rows[:, 2].clip(-1, 1)), rows[:, 3:7])
        return quads, _sigmoid(rows[:, 7])

    def _rested(self, image: Pyramid, framed: list[Candidate]) -> list[Candidate]:
        """The same, each with the probabilities that it leans or is one of a pile."""
        if not framed:
            return []
        patches, way = _patches(image, framed, WIDER, REST)
        scale = np.array([REST / one.edge for one in framed], np.float32)
        quads = np.stack([one.corners - one.centre for one in framed]) * scale[:, None, None]
        beside = np.array(_beside(framed), np.float32)
        logits = self._rester(rest_planes(patches @ _GREY, quads, way, beside))
        p = np.exp(logits - logits.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        return [
            replace(one, cocked=float(row[1]), stacked=float(row[2] + row[3]))
            for one, row in zip(framed, p, strict=True)
        ]


def _patches(
    image: Pyramid, found: list[Candidate], side: int, inner: int
) -> tuple[Floats, Floats]:
    """Upright patches (n, side, side, 3) around the finds, and the way to the picture's middle.

    The way (n, 2) counts in edges; an edge is `inner` pixels long in a patch.
    """
    squares = [image.square(c.centre, c.edge, side, inner) for c in found]
    patches = np.stack(squares).astype(np.float32)
    middle = np.array(image.image.shape[1::-1], np.float32) / 2
    return patches, np.array([(middle - c.centre) / c.edge for c in found], np.float32)


def with_planes(x: Floats, told: Floats) -> Floats:
    """Networks' input (n, c, h, w) with planes of one number each behind it; `told` is (n, k)."""
    planes = told.clip(-1.5, 1.5).astype(np.float32)[:, :, None, None]
    return np.concatenate([x, np.broadcast_to(planes, (*planes.shape[:2], *x.shape[2:]))], axis=1)


def rest_planes(grey: Floats, quads: Floats, way: Floats, beside: Floats) -> Floats:
    """What the network sees that says how dice rest: (n, 5, h, w).

    Besides the grey patch (n, h, w, 1) it is shown where the die would be seen if it lay flat: its
    top face `quads` (n, 4, 2), in pixels from the patch's middle, and as much of its sides as a
    camera above the middle sees, to which it is `way` (n, 2) edges. What leans or lies on another
    die shows other sides. `beside`: how much larger it looks than the others (logarithm).
    """
    side = grey.shape[1]
    flat = np.zeros((len(grey), 1, side, side), np.float32)
    for plane, quad, to in zip(flat, quads, way, strict=True):
        mask = np.zeros((side, side), np.uint8)
        foot = quad + to * (REST * _DROP)
        hull = cv2.convexHull(np.concatenate([quad, foot]).astype(np.float32))[:, 0]
        for shape, tone in ((hull, 128), (quad, 255)):
            points = np.round((shape + side / 2 - 0.5) * 16).astype(np.int32)
            cv2.fillConvexPoly(mask, points, tone, cv2.LINE_AA, 4)
        plane[0] = mask / np.float32(255)
    told = np.c_[way / FAR, beside / _LARGER]
    return with_planes(np.concatenate([unit_contrast(grey), flat], axis=1), told)


def _beside(found: list[Candidate]) -> list[float]:
    """How much larger each find looks than the others of its kind: logarithm of the ratio."""
    edges = [math.log(one.edge) for one in found]
    out = []
    for i, edge in enumerate(edges):
        gaps = [edge - other for j, other in enumerate(edges) if j != i]
        alike = [gap for gap in gaps if abs(gap) < _ALIKE]
        out.append(statistics.median(alike) if alike else 0.0)
    return out


def unit_contrast(patches: Floats) -> Floats:
    """Patches (n, h, w, c) as a network's input (n, c, h, w), each of mean 0 and deviation 1."""
    x = patches.transpose(0, 3, 1, 2)
    x = x - x.mean(axis=(1, 2, 3), keepdims=True)
    x /= np.maximum(x.std(axis=(1, 2, 3), keepdims=True), 6.0)
    return np.ascontiguousarray(x)


def _peaks(maps: Floats, scale: float, shift: tuple[int, int]) -> list[Candidate]:
    heat = maps[_HEAT]
    peaks = (heat >= _WARM) & (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8)))
    y, x = np.nonzero(peaks)
    if not len(x):
        return []
    frame = maps[_FRAME, y, x].T
    middles = (np.stack([x, y], 1) + 0.5 + frame[:, :2]) * _STRIDE - shift
    half = _UNIT / 2 * np.exp(frame[:, 2].clip(-2, 3))
    quads = _corners(middles.astype(np.float32) / scale, half / scale, frame[:, 3:])
    scores = _sigmoid(heat[y, x]).tolist()
    return [Candidate(quad, score, 0.0, 0.0) for quad, score in zip(quads, scores, strict=True)]


def _corners(middles: Floats, half: Floats, shapes: Floats) -> Floats:
    """Corners (n, 4, 2) from middles, half the edges and the terms u²v² and u²+v² (half = 1)."""
    middle, p, s = (part[:, 0] + 1j * part[:, 1] for part in (middles, shapes, shapes[:, 2:]))
    p = p / np.maximum(np.abs(p), 1e-6)
    root = np.sqrt(s * s - 4 * p)  # u² and v² are the roots of t² - s t + p = 0
    u, v = half * np.sqrt((s + root) / 2), half * np.sqrt((s - root) / 2)
    v = np.where((u.conj() * v).imag < 0, -v, v)
    c = middle[:, None] + np.stack([-u - v, u - v, u + v, v - u], axis=1)
    return np.stack([c.real, c.imag], axis=2).astype(np.float32)


def _doubtful(rough: Candidate, framed: Candidate) -> bool:
    """True where the finder saw a die and the framer is not sure of it."""
    return framed.score < _SURE and rough.score > _HOT


def _moved(rough: Candidate, x: float, y: float, size: float) -> Candidate:
    """The find moved by x and y edges, and made larger."""
    middle = rough.centre
    shift = np.array([x, y], np.float32) * rough.edge
    corners = middle + shift + (rough.corners - middle) * np.float32(size)
    return replace(rough, corners=np.asarray(corners, np.float32))


def _sigmoid(x: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -30, 30))), np.float32)


def _distinct(found: list[Candidate]) -> list[Candidate]:
    """The surest first, without those that lie on a surer one of like size.

    Which of two sizes is the right one (the pips of a large die look like small dice) is for the
    reader to decide, who knows what the faces show.
    """
    kept: list[Candidate] = []
    for one in sorted(found, key=lambda c: -c.score):
        if not any(_same(one, k) for k in kept):
            kept.append(one)
    return kept


def _same(a: Candidate, b: Candidate) -> bool:
    small, large = sorted((a.edge, b.edge))
    return large < 1.6 * small and float(np.hypot(*(a.centre - b.centre))) < 0.55 * large
