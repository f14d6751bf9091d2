"""Find the dice: every top face in one picture, of any size, on any ground.

Three small convolutional networks share the work. The finder looks at a reduced picture and
answers with maps at a quarter of its size: where its heat has a peak there is a die, the other maps
say roughly where its top face lies, and where a hand or a cup covers the picture. The framer looks
at each find, cut out of the full picture, and says exactly where the face's middle is, how long its
edge, how it is turned, and whether there is a die at all; it looks twice, the second time from its
own first answer. The third one sees more of the surroundings and says how the die rests.
How they were taught is in `vision/training`.

All coordinates have their origin at the corner of the picture: the first pixel's centre is
(0.5, 0.5). OpenCV's own functions count from that centre; take half a pixel off for them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.pyramid import Pyramid
from vision.reading import Image

Floats = npt.NDArray[np.float32]

WEIGHTS = Path(__file__).parent / "weights"

EDGE = 14.0
"""Length in pixels to which a die's edge is reduced when it is known."""
LEVELS = (400, 100)
"""Longest sides to which a picture is reduced when the size of its dice is not known. One look
finds edges of 8 to 32 pixels, so these two find dice of 1/40 to 2/5 of the longest side."""
MORE_LEVELS = (800, 30)
"""Where to look when those find nothing."""
_CUT_OUT = 250  # longest side in pixels of what may be a single die, cut out of a larger picture
_STRIDE = 4
_UNIT = 16.0  # pixels of an edge whose logarithm the finder calls 0
_PAD = 16  # sides of the finder's input are multiples of this
_WARM = -1.2  # logit of the heat from which the framer is asked; it alone decides
_MOST = 60  # finds that it is asked about at most, the warmest first
FAR = 8.0
"""Edges from the picture's middle that count as 1 for the networks that are told the way there."""
_PATCH, _INNER = 40, 20  # side of the framer's input, and of the face in it
_WIDER = 16  # side of the face where it is asked how the die rests

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
        """Length of an edge in pixels: the root of the face's area."""
        return float(np.sqrt(abs(cv2.contourArea(self.corners))))


class Finder:
    """Finds dice by the networks; one object serves any number of pictures, one at a time."""

    hand: float = 0.0
    """How sure it is, 0 to 1, that a hand, a sleeve or a cup covers a hundredth or more of the
    picture last searched."""

    def __init__(self, weights: Path = WEIGHTS, threshold: float = 0.3) -> None:
        self._finder = cv2.dnn.readNetFromONNX(str(weights / "dice.onnx"))
        self._framer = cv2.dnn.readNetFromONNX(str(weights / "frames.onnx"))
        self._rester = cv2.dnn.readNetFromONNX(str(weights / "rests.onnx"))
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
        levels = LEVELS if longest > _CUT_OUT else (*LEVELS, MORE_LEVELS[1])
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
        self.hand = max(self.hand, _sigmoid(float(np.quantile(maps[_HAND], 0.99))))
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
        self._finder.setInput(cv2.dnn.blobFromImage(small, 1 / 64, mean=(128, 128, 128)))
        return np.asarray(self._finder.forward()[0], np.float32), (left, top)

    def _framed(self, image: Pyramid, rough: list[Candidate]) -> list[Candidate]:
        """Those of the finds that are dice, with their frames made exact.

        The framer looks twice: from its own first answer it sees the face nearly centred.
        """
        near = _distinct(self._frame(image, rough[:_MOST]))
        return self._rested(image, self._frame(image, near))

    def _frame(self, image: Pyramid, rough: list[Candidate]) -> list[Candidate]:
        if not rough:
            return []
        self._framer.setInput(_planes(image, rough, _INNER))
        out = []
        for one, row in zip(rough, np.asarray(self._framer.forward(), np.float32), strict=True):
            scale = one.edge / _INNER
            middle = complex(*one.centre) + one.edge * complex(row[0], row[1])
            half = _INNER / 2 * float(np.exp(np.clip(row[2], -1, 1)))
            corners = _corners(middle, half * scale, row[3:7])
            score = _sigmoid(row[9])
            if score >= self._threshold:
                out.append(replace(one, corners=corners, score=score))
        return out

    def _rested(self, image: Pyramid, framed: list[Candidate]) -> list[Candidate]:
        """The same, each with the probabilities that it leans or is one of a pile."""
        if not framed:
            return []
        self._rester.setInput(_planes(image, framed, _WIDER, grey=True))
        logits = np.asarray(self._rester.forward(), np.float32)
        p = np.exp(logits - logits.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        return [
            replace(one, cocked=float(row[1]), stacked=float(row[2] + row[3]))
            for one, row in zip(framed, p, strict=True)
        ]


def _planes(image: Pyramid, found: list[Candidate], inner: int, *, grey: bool = False) -> Floats:
    """Upright patches around the finds, an edge `inner` pixels long, as input (n, 5 or 3, h, w).

    Behind the colours, or the one grey, two planes say where the picture's middle is: from there
    the camera sees a die's sides, and whether it sees more of them tells whether the die leans.
    """
    patches = np.stack([image.patch(_square(c), _PATCH, inner) for c in found]).astype(np.float32)
    if grey:
        patches = patches.mean(axis=3, keepdims=True)
    middle = np.array(image.image.shape[1::-1], np.float32) / 2
    way = np.array([(middle - c.centre) / c.edge / FAR for c in found], np.float32)
    planes = np.tile(way.clip(-1.5, 1.5)[:, :, None, None], (1, 1, _PATCH, _PATCH))
    return np.concatenate([unit_contrast(patches), planes], axis=1)


def unit_contrast(patches: Floats) -> Floats:
    """Patches (n, h, w, c) as a network's input (n, c, h, w), each of mean 0 and deviation 1."""
    x = patches.transpose(0, 3, 1, 2)
    x = x - x.mean(axis=(1, 2, 3), keepdims=True)
    x /= np.maximum(x.std(axis=(1, 2, 3), keepdims=True), 6.0)
    return np.ascontiguousarray(x)


def _peaks(maps: Floats, scale: float, shift: tuple[int, int]) -> list[Candidate]:
    heat = maps[_HEAT]
    peaks = (heat >= _WARM) & (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8)))
    out = []
    for y, x in zip(*np.nonzero(peaks), strict=True):
        dx, dy, log_edge, *shape = maps[_FRAME, y, x]
        middle = complex(x + 0.5 + dx, y + 0.5 + dy) * _STRIDE - complex(*shift)
        half = _UNIT / 2 * float(np.exp(np.clip(log_edge, -2, 3)))
        corners = _corners(middle / scale, half / scale, np.array(shape))
        out.append(Candidate(corners, _sigmoid(heat[y, x]), 0.0, 0.0))
    return out


def _corners(middle: complex, half: float, shape: Floats) -> Floats:
    """Corners (4, 2) from the middle, half the edge and the terms u²v² and u²+v² (half = 1)."""
    p, s = complex(shape[0], shape[1]), complex(shape[2], shape[3])
    p /= max(abs(p), 1e-6)
    root = np.sqrt(s * s - 4 * p)  # u² and v² are the roots of t² - s t + p = 0
    u, v = half * np.sqrt((s + root) / 2), half * np.sqrt((s - root) / 2)
    if u.real * v.imag - u.imag * v.real < 0:
        v = -v
    c = np.array([middle - u - v, middle + u - v, middle + u + v, middle - u + v])
    return np.stack([c.real, c.imag], axis=1).astype(np.float32)


def _square(rough: Candidate) -> Floats:
    """An upright square of the find's size around its middle."""
    ring = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32)
    return np.asarray(rough.centre + ring * np.float32(rough.edge / 2), np.float32)


def _sigmoid(x: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(x, -30, 30))))


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
