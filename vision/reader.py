"""One picture in, one reading out: right, or silent with a reason.

The way of a picture:

1. `vision.dice` proposes top faces: four corners each, and how sure it is.
2. Each face is judged twice, by two roads that share no step: `vision.pips` fits the six layouts
   of pips to the round marks it finds, `vision.faces` is a small trained network.
3. If the two disagree, the die is not read. If one of them has nothing to say (glare, blur), the
   other one must be surer than usual.
4. The dice are looked at together: overlapping, cut off, outside the tray, the wrong number.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.dice import Finder as TrainedFinder
from vision.faces import NONE, SPOILT, FaceNet
from vision.pips import PipReading, read_pips
from vision.pyramid import Pyramid
from vision.reading import FACES, Die, Image, Point, Problem, Reading, Zone
from vision.tray import Tray

FloatArray = npt.NDArray[np.float32]

GRAVITY = (
    Problem.HAND,
    Problem.MOVING,
    Problem.STACKED,
    Problem.COCKED,
    Problem.OUTSIDE,
    Problem.WRONG_COUNT,
    Problem.UNCLEAR,
    Problem.NO_DICE,
)
"""The problems in the order in which a reading names them."""


_OWN_VIEW = (18, 45)
"""Widths of a picture in edges of its dice at which the finder knows how a die rests: it was taught
the view of a table's own camera. From nearer or further a die shows more or less of its sides."""
_SMALLEST = 11.0
"""Pixels. Pips on a shorter edge are smaller than two pixels."""


class Candidate(Protocol):
    """A top face that the finder proposes."""

    @property
    def corners(self) -> FloatArray:
        """(4, 2), clockwise as seen, in pixels of the picture."""
        ...

    @property
    def score(self) -> float:
        """0 to 1: how sure it is that this is the top face of a die."""
        ...

    @property
    def cocked(self) -> float:
        """0 to 1: how sure it is that the die leans."""
        ...

    @property
    def stacked(self) -> float:
        """0 to 1: how sure it is that the die lies flat on another one."""
        ...


class Finder(Protocol):
    """Finds the dice of a picture."""

    hand: float
    """0 to 1, of the last picture: how sure it is that a hand, a cup or a sleeve is in it."""

    def find(self, picture: Image | Pyramid, edge_px: float | None = None) -> Sequence[Candidate]:
        """Top faces, the surest first. `edge_px` is the expected length of a die's edge."""
        ...


class Faces(Protocol):
    """Names the face on a rectified patch."""

    def crop(self, picture: Image | Pyramid, corners: FloatArray) -> Image:
        """The patch of one top face that `classify` wants."""
        ...

    def classify(self, patches: Sequence[Image]) -> FloatArray:
        """(n, 8): probability of no face, of 1 to 6, and of a leaning or covered die."""
        ...


class Opinions(StrEnum):
    """Which opinions decide on a face."""

    BOTH = "both"
    PIPS = "pips"
    FACES = "faces"


@dataclass(frozen=True, slots=True)
class Limits:
    """How sure is sure enough. Chosen on whole kinds of pictures, see tests/recordings/BENCH.md."""

    score: float = 0.15
    """Score from which a candidate is looked at."""
    die: float = 0.5
    """Evidence from which a candidate is a die."""
    maybe: float = 0.2
    """Evidence from which a candidate stops the reading, being a die perhaps."""
    flat: float = 0.7
    """Probability of leaning or lying in a pile from which a die is not read."""
    hand: float = 0.75
    alone: float = 0.98
    """Probability that the trained opinion needs where the pips have nothing to say."""
    pips_alone: float = 0.9
    """Confidence that the pips need where there is no trained opinion."""
    together: float = 0.98
    """Probability that both need together where they say the same."""
    agrees: float = 0.1
    """Confidence from which the pips count as an agreement."""
    heard: float = 0.3
    """Confidence from which the pips count as a contradiction."""
    none: float = 0.7
    """Probability of no readable face from which there is no reading, whatever the pips say."""


@dataclass(frozen=True, slots=True)
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

    @property
    def none(self) -> float:
        """Probability that there is no readable face, as the trained opinion says."""
        return 0.0 if self.faces is None else float(self.faces[NONE])

    @property
    def spoilt(self) -> float:
        """Probability that the die leans or is covered, as the trained opinion says."""
        return 0.0 if self.faces is None else float(self.faces[SPOILT])

    @property
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

    @property
    def agreed(self) -> bool:
        """True when both opinions see the same face, the pips with some certainty."""
        if self.faces is None:
            return self.pips.confidence >= 0.5
        same = int(self.faces[1:7].argmax()) + 1 == self.pips.value
        return same and self.pips.confidence >= 0.5

    @property
    def edge(self) -> float:
        """Length of an edge in pixels: the root of the face's area."""
        return max(1.0, float(np.sqrt(abs(cv2.contourArea(self.corners)))))


class Reader:
    """Reads dice in pictures: `Reader().read(image)`.

    Args:
        finder: finds the dice; the trained detector unless another is given.
        faces: the trained opinion; the product's own unless another is given.
        opinions: which of the two decide; one alone only to measure what the other gains.
        limits: how sure is sure enough.
    """

    def __init__(
        self,
        finder: Finder | None = None,
        faces: Faces | None = None,
        *,
        opinions: Opinions = Opinions.BOTH,
        limits: Limits | None = None,
    ) -> None:
        self.finder: Finder = finder if finder is not None else TrainedFinder()
        self.opinions = opinions
        self.faces: Faces | None = None
        if opinions is not Opinions.PIPS:
            self.faces = faces if faces is not None else FaceNet()
        self.limits = limits or Limits()

    def read(
        self,
        image: Image,
        dice: int | None = None,
        *,
        edge_px: float | None = None,
        tray: Tray | None = None,
    ) -> Reading:
        """The reading of one picture (uint8, height x width x 3, blue green red).

        Args:
            image: the picture.
            dice: how many dice are due; another number is a problem. None: any number but 0.
            edge_px: length of a die's edge in pixels, where it is known.
            tray: where the tray is; dice outside it are a problem. None: everything is tray.
        """
        start = time.perf_counter()
        looks = self.look(image, edge_px=edge_px, tray=tray)
        seen = self.decide(looks, image.shape[1], image.shape[0], tray)
        problems = {die.problem for die in seen if die.problem is not None}
        if self.finder.hand >= self.limits.hand:
            problems.add(Problem.HAND)
        if not seen and Problem.HAND not in problems:
            problems.add(Problem.NO_DICE)
        elif dice is not None and len(seen) != dice:
            problems.add(Problem.WRONG_COUNT)
        ms = (time.perf_counter() - start) * 1e3
        size = (image.shape[1], image.shape[0])
        ordered = tuple(sorted(problems, key=GRAVITY.index))
        return Reading(dice=seen, problems=ordered, size=size, ms=ms)

    def warm_up(self) -> None:
        """Pay now for what is set up at the first picture."""
        grey = np.full((864, 1152, 3), 96, np.uint8)
        self.finder.find(grey)
        quad = np.array([[40, 40], [80, 40], [80, 80], [40, 80]], np.float32)
        read_pips(grey, quad[None])
        if self.faces is not None:
            self.faces.classify([self.faces.crop(grey, quad)])

    def look(
        self, image: Image, *, edge_px: float | None = None, tray: Tray | None = None
    ) -> list[Look]:
        """All candidates with both opinions, before anything is decided."""
        if edge_px is None and tray is not None:
            edge_px = tray.edge_px()
        pyramid = Pyramid(image)
        found = [c for c in self.finder.find(pyramid, edge_px) if c.score >= self.limits.score]
        if not found:
            return []
        quads = np.stack([np.asarray(c.corners, np.float32) for c in found])
        pips = read_pips(pyramid, quads)
        faces: Sequence[FloatArray | None] = [None] * len(found)
        if self.faces is not None:
            patches = [self.faces.crop(pyramid, quad) for quad in quads]
            faces = list(self.faces.classify(patches))
        return [
            Look(quad, c.score, c.cocked, c.stacked, p, f)
            for quad, c, p, f in zip(quads, found, pips, faces, strict=True)
        ]

    def decide(
        self, looks: Sequence[Look], width: int, height: int, tray: Tray | None = None
    ) -> tuple[Die, ...]:
        """The dice among the candidates, each with its value or its problem."""
        dice = []
        # What fills the picture is a die only where it shows a face, else it is the tray itself;
        # and in what is too small for pips only clutter looks like a die.
        large = 0.4 * min(width, height)
        fit = [look for look in looks if _SMALLEST <= look.edge < large or look.agreed]
        looks = _of_one_size(fit)
        flat = 1.0 if tray is not None else _flat_aspect(looks)
        for look in looks:
            own = tray is not None or _OWN_VIEW[0] <= width / look.edge <= _OWN_VIEW[1]
            die = self._judge(look, flat, own)
            if die is not None:
                dice.append(_placed(die, width, height, tray))
        return _overlaps(dice)

    def _judge(self, look: Look, flat: float, own_view: bool) -> Die | None:
        """One die by its two opinions; None when it is no die. `flat`: see `_flat_aspect`.

        `own_view`: the picture shows the dice as a table's own camera does.
        """
        limits = self.limits
        evidence = look.evidence
        if evidence < limits.maybe:
            return None
        value, other, sure, problem = self._value(look)
        if evidence < limits.die:
            problem = Problem.UNCLEAR
        unsteady = own_view and look.cocked + look.stacked >= limits.flat
        if unsteady or look.foreshortened(flat):
            piled = look.stacked > look.cocked
            problem = Problem.STACKED if piled else Problem.COCKED
        return Die(
            value=value if problem is None else None,
            confidence=sure if problem is None else 0.0,
            centre=_centre(look.corners),
            corners=_corners(look.corners),
            problem=problem,
            alternative=other if problem is None else value,
        )

    def _value(self, look: Look) -> tuple[int, int, float, Problem | None]:
        """Likeliest face, the next one, how sure, and the problem if that is not sure enough."""
        limits, pips = self.limits, look.pips
        geometry = pips.confidence if self.opinions is not Opinions.FACES else 0.0
        if look.faces is None:
            problem = None if geometry >= limits.pips_alone else Problem.UNCLEAR
            return pips.value, pips.alternative, geometry, problem
        order = np.argsort(-look.faces[1:7])
        value, other = FACES[int(order[0])], FACES[int(order[1])]
        # Which face, given that it is one: whether it leans is judged apart, by `Look.leans`.
        which = float(look.faces[value] / max(float(look.faces[1:7].sum()), 1e-6))
        trained = float(look.faces[value])
        heard = geometry >= limits.heard
        if pips.value == value and geometry >= limits.agrees:
            sure = 1 - (1 - which) * (1 - geometry)
            good = sure >= limits.together and look.none < limits.none
        elif heard and pips.value != value:
            other = pips.value
            sure, good = trained * (1 - geometry), False
        else:
            sure, good = trained, trained >= limits.alone
        return value, other, sure, None if good else Problem.UNCLEAR


def _flat_aspect(looks: Sequence[Look]) -> float:
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
    return cv2.pointPolygonTest(look.corners, _centre(other.corners), False) > 0


def _is_part_of(look: Look, other: Look) -> bool:
    """True when a candidate lies on the face of a larger one that is surely a die."""
    if not other.agreed or look.edge > 0.7 * other.edge or other.evidence < max(0.5, look.evidence):
        return False
    # A glint in a pip makes it a small die with a one; a die in a tray makes it a large one.
    if look.agreed and (look.pips.value > 1 or other.pips.value < 4):
        return False
    if other.faces is not None and other.faces[other.pips.value] < 0.6:
        return False
    return cv2.pointPolygonTest(other.corners, _centre(look.corners), False) > 0


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


def _placed(die: Die, width: int, height: int, tray: Tray | None) -> Die:
    """The die with its zone, and the problem OUTSIDE where it is cut off or not in the tray."""
    corners = np.array(die.corners)
    edge = float(np.linalg.norm(corners[0] - corners[1]))
    filled = edge > 0.45 * min(width, height)  # a cut-out of one die: its border is no evidence
    slack = 0.25 * edge if filled else 0.06 * edge
    low, high = corners.min(axis=0), corners.max(axis=0)
    cut = bool((low < -slack).any() or (high > np.array([width, height]) + slack).any())
    if cut or (tray is not None and not tray.contains(die.centre)):
        return replace(die, value=None, confidence=0.0, problem=Problem.OUTSIDE)
    zone = Zone.TRAY if tray is None else tray.zone_of(die.centre)
    return replace(die, zone=zone)


def _overlaps(dice: Sequence[Die]) -> tuple[Die, ...]:
    """Dice side by side are an edge apart: where they are nearer, one lies on the other."""
    stacked = set()
    for (i, a), (j, b) in combinations(enumerate(dice), 2):
        edges = [math.sqrt(abs(cv2.contourArea(np.array(d.corners, np.float32)))) for d in (a, b)]
        if math.dist(a.centre, b.centre) < 0.85 * max(edges):
            stacked |= {i, j}
    return tuple(
        replace(die, value=None, confidence=0.0, problem=Problem.STACKED, alternative=die.value)
        if i in stacked
        else die
        for i, die in enumerate(dice)
    )


def _centre(quad: FloatArray) -> Point:
    """Where the diagonals of a face cross: the middle of the square under perspective."""
    a, b, c, d = (quad[i].astype(float) for i in range(4))
    u, v = c - a, d - b
    cross = u[0] * v[1] - u[1] * v[0]
    if abs(cross) < 1e-6:
        middle = quad.mean(axis=0)
        return float(middle[0]), float(middle[1])
    t = ((b[0] - a[0]) * v[1] - (b[1] - a[1]) * v[0]) / cross
    return float(a[0] + t * u[0]), float(a[1] + t * u[1])


def _corners(quad: FloatArray) -> tuple[Point, Point, Point, Point]:
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return a, b, c, d
