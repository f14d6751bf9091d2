"""What was seen of each candidate, and which of the candidates are dice.

A `Look` holds one candidate with both opinions. Pips, dice seen together, trays and clutter pass
for dice too: what the others in the picture show tells them apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.dice import CUT_OUT
from vision.faces import FACE, NONE, SIDE, SPOILT
from vision.pips import PipReading
from vision.reading import Point

FloatArray = npt.NDArray[np.float32]

_SMALLEST = 11.0
"""Pixels. Pips on a shorter edge are smaller than two pixels."""
SURELY = 0.9
"""Evidence that leaves no doubt."""
_TOP_SKEW, _SIDE_SKEW = 0.5, 0.55
"""Of a top face seen from 51 degrees above the table or more, and of a side seen then."""
_BANDS = tuple(slice(k + (SIDE - FACE) // 2, k + 3 + (SIDE - FACE) // 2) for k in (-4, 1))
_ALONG = slice((SIDE - FACE) // 2 + 3, (SIDE + FACE) // 2 - 3)
"""Of a patch of the trained opinion: beside the face's upper side and within, and along it."""
BESIDE = 0.85
"""Edges from middle to middle: what is nearer than this does not lie beside a die."""


@dataclass(frozen=True)
class Look:
    """One candidate with both opinions: what `--explain` shows and the reader decides on."""

    corners: FloatArray
    """(4, 2), clockwise as seen, in pixels from the corner of the picture."""
    score: float
    cocked: float
    stacked: float
    pips: PipReading
    faces: FloatArray | None
    """The 8 probabilities of the trained opinion; None when the reader works without it."""
    outline: float = math.inf
    """How clearly the face ends: see `outlines`."""

    @property
    def none(self) -> float:
        """Probability that there is no readable face, as the trained opinion says."""
        return 0.0 if self.faces is None else float(self.faces[NONE])

    @property
    def spoilt(self) -> float:
        """Probability that the die is partly covered, as the trained opinion says."""
        return 0.0 if self.faces is None else float(self.faces[SPOILT])

    @cached_property
    def skew(self) -> float:
        """How foreshortened the face is: 1/k - k for a square of which a share k is left one way.

        0 as seen along its normal. The camera's height alone decides it, however the die is turned.
        """
        corners = self.corners.astype(np.float64) @ np.array([1, 1j])
        u, v = corners[1] - corners[0], corners[3] - corners[0]
        return float(abs(u * u + v * v) / max(abs(u * v), 1e-6))

    @cached_property
    def evidence(self) -> float:
        """How sure it is that a candidate is a die: what found it and both opinions together.

        A logistic regression on the finds of the recorded stills (870 dice, 62 other things).
        """
        if self.faces is None:
            return self.score
        shown = float(self.faces[1:7].max()) + self.spoilt
        found = 1.24 * _logit(self.score)
        return 1 / (1 + math.exp(3.2 - found - 1.9 * shown - 1.7 * self.pips.confidence))

    def foreshortened(self, flat: float) -> bool:
        """True when the pips lie closer one way than the other, as only a leaning face shows them.

        Of 253 flat fours and fives of the recorded stills one has an aspect below 0.93. The sixes
        of many dice are longer than broad, so they prove nothing.
        """
        aspect, pips = self.pips.aspect, self.pips
        if aspect is None or pips.value == 6 or pips.confidence < 0.3:
            return False
        return aspect < 0.93 * flat

    def fills(self, size: float) -> bool:
        """True for a face of this size in pixels or more that the trained opinion knows surely.

        Whoever cuts a die out of a picture has found it.
        """
        return self.faces is not None and self.edge >= size and float(self.faces[1:7].max()) > 0.95

    @property
    def agreed(self) -> bool:
        """True when both opinions see the same face, the pips with some certainty."""
        if self.faces is None:
            return self.pips.confidence >= 0.5
        same = int(self.faces[1:7].argmax()) + 1 == self.pips.value
        return same and self.pips.confidence >= 0.5

    @cached_property
    def edge(self) -> float:
        """Length of an edge in pixels: the root of the face's area."""
        return max(1.0, float(np.sqrt(abs(cv2.contourArea(self.corners)))))

    @cached_property
    def middle(self) -> Point:
        """Where the diagonals of the face cross: the middle of the square under perspective."""
        a, b, c, d = self.corners.astype(float)
        u, v = c - a, d - b
        cross = u[0] * v[1] - u[1] * v[0]
        if abs(cross) < 1e-6:
            middle = self.corners.mean(axis=0)
            return float(middle[0]), float(middle[1])
        t = ((b[0] - a[0]) * v[1] - (b[1] - a[1]) * v[0]) / cross
        return float(a[0] + t * u[0]), float(a[1] + t * u[1])


def outlines(patches: npt.NDArray[np.uint8]) -> FloatArray:
    """How clearly faces end on their clearest side (n,), for patches of `FaceNet.crop`.

    The step in the clearest colour from within the face to what lies beside it, in deviations.
    Where there is none, the pips lie on nothing: lint, crumbs, a pattern.
    """
    upright = patches.swapaxes(1, 2)
    views = (patches, patches[:, ::-1], upright, upright[:, ::-1])
    bands = np.stack([[view[:, band, _ALONG] for band in _BANDS] for view in views])
    lines = bands.astype(np.float32).mean(axis=3)  # (sides, beside or within, n, along, colours)
    steps = np.abs(lines[:, 0].mean(axis=2) - lines[:, 1].mean(axis=2))
    noise = 1.5 + np.sqrt(lines.var(axis=3).sum(axis=1))
    return np.asarray((steps / noise).max(axis=(0, 2)), np.float32)


def dice_among(looks: Sequence[Look], width: int, height: int) -> list[Look]:
    """The candidates that may be dice, of a picture of this size in pixels."""
    # What fills the picture is a die only where it shows a face, else it is the tray itself, and
    # one or two things in the tray look like pips. In what is too small for pips only clutter
    # looks like a die.
    large = 0.4 * min(width, height)
    alone = max(width, height) <= CUT_OUT
    if alone:
        looks = [replace(look, score=1.0) if look.fills(large) else look for look in looks]
    return _of_one_size(
        [
            look
            for look in looks
            if _SMALLEST <= look.edge < large
            or (look.agreed and (look.edge < large or alone or look.pips.value > 2))
            or (alone and look.evidence > 0.95)
        ]
    )


def without_sides(looks: Sequence[Look], own_view: bool) -> list[Look]:
    """The candidates without those that are a side of a die whose top face is seen too.

    Seen aslant a die shows sides too, so near its top that they can not be a die beside it. They
    are much more foreshortened than the top is; or they show no face, which says nothing where the
    picture shows dice as a table's own camera does (`own_view`): there it may be a pile.
    """

    def is_side(look: Look, top: Look) -> bool:
        if math.dist(look.middle, top.middle) >= BESIDE * max(look.edge, top.edge):
            return False
        if look.skew > _SIDE_SKEW and top.skew < _TOP_SKEW:
            return look.edge < top.edge
        seen_less = look.edge <= 1.2 * top.edge and look.evidence <= top.evidence
        return not own_view and top.agreed and not look.agreed and seen_less

    return [a for a in looks if not any(is_side(a, b) for b in looks if b is not a)]


def without_surplus(looks: Sequence[Look], due: int, die: float) -> list[Look]:
    """The candidates without what looks only a little like a die, where all due are surely seen.

    `die`: the evidence below which that is so.
    """
    dice = [look for look in looks if look.evidence >= die]
    whole = len(dice) == due and all(look.evidence > SURELY for look in dice)
    return dice if whole else list(looks)


def stands_apart(look: Look, looks: Sequence[Look]) -> bool:
    """True when no other candidate is so near that one could lie on the other, or on a third."""
    here = look.middle
    return all(
        math.dist(here, other.middle) > 1.6 * look.edge for other in looks if other is not look
    )


def flat_aspect(looks: Sequence[Look]) -> float:
    """The aspect of a flat face in this picture: 1 from above, less where the camera looks aslant.

    One face that is not foreshortened shows that the camera looks down; several that all are, that
    it does not. A single foreshortened face may be either: it is doubted only from 0.9 downwards.
    """
    seen = [
        look.pips.aspect
        for look in looks
        if look.pips.aspect is not None and look.agreed and look.evidence > 0.5
    ]
    if seen and max(seen) >= 0.95:
        return 1.0
    return float(np.median(seen)) if len(seen) > 1 else 0.9


def _logit(probability: float) -> float:
    """Log odds, with certainty cut at 1 in 500."""
    p = min(max(probability, 0.002), 0.998)
    return math.log(p / (1 - p))


def _without_pips(looks: Sequence[Look]) -> list[Look]:
    """The candidates without those that are a part of another one, or a ground with a die on it.

    A pip passes for a small die with a one, four pips for a small die, and a tray with a die in it
    for a large die with a one.
    """
    return [
        look
        for look in looks
        if not any(_is_part_of(look, other) or _is_ground_of(look, other) for other in looks)
    ]


def _is_ground_of(look: Look, other: Look) -> bool:
    """True when what passes for the one of a candidate is a die, far too small to be a pip."""
    if look.pips.value > 1 or not other.agreed or look.edge < 7.5 * other.edge:
        return False
    return cv2.pointPolygonTest(look.corners, other.middle, False) > 0


def _is_part_of(look: Look, other: Look) -> bool:
    """True when a candidate lies on the face of a larger one that is surely a die."""
    if not other.agreed or look.edge > 0.7 * other.edge or other.evidence < max(0.5, look.evidence):
        return False
    # A glint in a pip makes it a small die with a one; a die in a tray makes it a large one.
    if look.agreed and (look.pips.value > 1 or other.pips.value < 4):
        return False
    if other.faces is not None and other.faces[other.pips.value] < 0.6:
        return False
    return cv2.pointPolygonTest(other.corners, look.middle, False) > 0


def _of_one_size(looks: Sequence[Look]) -> list[Look]:
    """The candidates whose size fits the size for which most speaks.

    The dice of one throw are about as large as each other, and perspective does not change that by
    half; what is much larger or smaller is a coin, the tray itself, a pip.
    """
    looks = _without_pips(looks)
    if not looks:
        return []
    size = np.log([look.edge for look in looks])
    # Where both opinions see a face there is one: a carpet has many things that look like dice.
    weight = np.array([look.evidence * (1.0 if look.agreed else 0.3) for look in looks])
    alike = np.abs(size[:, None] - size[None]) < np.log(1.3)
    best = int((alike * weight).sum(axis=1).argmax())
    # The middle of those alike, lest the one that was hit lie at their border.
    middle = float(np.average(size[alike[best]], weights=weight[alike[best]] + 1e-9))
    near = np.abs(size - middle) < np.log(1.6)
    return [look for look, keep in zip(looks, near, strict=True) if keep]
