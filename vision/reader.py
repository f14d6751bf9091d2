"""One picture in, one reading out: right, or silent with a reason.

The way of a picture:

1. `vision.dice` proposes top faces: four corners each, how sure it is, and how the die rests.
2. Each face is judged twice, by two roads that share no step: `vision.pips` fits the six layouts
   of pips to the round marks it finds, `vision.faces` is a small trained network.
3. If the two disagree, the die is not read. If one of them has nothing to say (glare, blur), the
   other one must be surer than usual.
4. The dice are looked at together (`vision.looks`): which of the candidates are dice, then
   overlapping, cut off, outside the tray, the wrong number.
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

from vision.dice import Finder as TrainedFinder
from vision.faces import FaceNet
from vision.looks import (
    BESIDE,
    SURELY,
    FloatArray,
    Look,
    dice_among,
    flat_aspect,
    outlines,
    stands_apart,
    without_sides,
    without_surplus,
)
from vision.pips import read_pips
from vision.pyramid import Pyramid
from vision.reading import FACES, Die, Image, Point, Problem, Reading, Zone
from vision.tray import Tray

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
        """0 to 1: how sure it is that the die lies flat on another one, or under one."""
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
        """(n, 8): probability of no face, of 1 to 6, and of a partly covered die."""
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
    flat: float = 0.65
    """Probability of leaning or lying in a pile from which a die is not read."""
    perhaps: float = 0.25
    """The same where the die is not read anyhow: from here on it is named as leaning or piled."""
    hand: float = 0.7
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
    outline: float = 0.85
    """How clearly a face must end on one side: `vision.looks.outlines`."""
    none: float = 0.4
    """Probability of no readable face from which there is no reading, whatever the pips say."""


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
        seen = self.decide(looks, image.shape[1], image.shape[0], tray, dice)
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
        seen = [
            Look(quad, c.score, c.cocked, c.stacked, p, None)
            for quad, c, p in zip(quads, found, pips, strict=True)
        ]
        if self.faces is None:
            return seen
        patches = [self.faces.crop(pyramid, quad) for quad in quads]
        more = zip(self.faces.classify(patches), outlines(np.stack(patches)).tolist(), strict=True)
        return [
            replace(look, faces=faces, outline=outline)
            for look, (faces, outline) in zip(seen, more, strict=True)
        ]

    def decide(
        self,
        looks: Sequence[Look],
        width: int,
        height: int,
        tray: Tray | None = None,
        due: int | None = None,
    ) -> tuple[Die, ...]:
        """The dice among the candidates, each with its value or its problem.

        `due` is the number of dice that must lie there, if it is known.
        """
        looks = [look for look in dice_among(looks, width, height) if self._may_be_one(look)]
        if tray is None:
            looks = without_sides(looks, any(_own_view(look, width, None) for look in looks))
        if due is not None:
            looks = without_surplus(looks, due, self.limits.die)
        flat = 1.0 if tray is not None else flat_aspect(looks)
        dice = []
        for look in looks:
            own = _own_view(look, width, tray)
            # Where all dice due are seen, none is hidden under one that has no neighbour.
            single = due == len(looks) and stands_apart(look, looks)
            value = self._value(look)
            # What is refused anyhow needs less to be named as what it probably is.
            refused = value.problem is not None or (due is not None and due != len(looks))
            limit = self.limits.perhaps if refused else self.limits.flat
            unsteady = self._unsteady(look, flat, own, single, limit)
            dice.append(_placed(_die(look, value, unsteady), width, height, tray))
        return _overlaps(dice)

    def _may_be_one(self, look: Look) -> bool:
        """False for what is hardly a die, or pips on nothing with some doubt that they are pips."""
        if look.outline < self.limits.outline and look.evidence < SURELY:
            return False
        return look.evidence >= self.limits.maybe

    def _unsteady(
        self, look: Look, flat: float, own_view: bool, single: bool, limit: float
    ) -> Problem | None:
        """COCKED, STACKED, or None for a die that lies flat. `flat`: see `flat_aspect`.

        `own_view`: the picture shows the dice as a table's own camera does. `single`: the die can
        not be one of a pile. `limit`: see `Limits.flat`.
        """
        cocked, stacked = look.cocked, look.stacked
        if single:
            cocked, stacked = cocked / max(1 - stacked, 1e-3), 0.0
        if own_view and cocked + stacked >= limit:
            return Problem.STACKED if stacked > cocked else Problem.COCKED
        # From nearer, perspective foreshortens dice that lie flat.
        return Problem.COCKED if look.foreshortened(flat if own_view else 0.86 * flat) else None

    def _value(self, look: Look) -> _Value:
        """What the two opinions make of one face."""
        limits, pips = self.limits, look.pips
        geometry = pips.confidence if self.opinions is not Opinions.FACES else 0.0
        if look.faces is None:
            good = geometry >= limits.pips_alone and look.evidence >= limits.die
            return _Value(pips.value, pips.alternative, geometry, None if good else Problem.UNCLEAR)
        order = np.argsort(-look.faces[1:7])
        value, other = FACES[int(order[0])], FACES[int(order[1])]
        # Which face, given that it is one: how it rests is judged apart.
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
            sure, good = trained, trained >= limits.alone and not pips.may_hide(value)
        good = good and look.evidence >= limits.die and look.outline >= limits.outline
        return _Value(value, other, sure, None if good else Problem.UNCLEAR)


@dataclass(frozen=True, slots=True)
class _Value:
    """Likeliest face, the next one, how sure, and the problem if that is not sure enough."""

    likeliest: int
    other: int
    sure: float
    problem: Problem | None


def _die(look: Look, value: _Value, unsteady: Problem | None) -> Die:
    """One die by its two opinions and by how it rests."""
    problem = unsteady or value.problem
    return Die(
        value=value.likeliest if problem is None else None,
        confidence=value.sure if problem is None else 0.0,
        centre=look.middle,
        corners=_corners(look.corners),
        problem=problem,
        alternative=value.other if problem is None else value.likeliest,
    )


def _own_view(look: Look, width: int, tray: Tray | None) -> bool:
    """True where a picture of this width shows a die as a table's own camera does."""
    return tray is not None or _OWN_VIEW[0] <= width / look.edge <= _OWN_VIEW[1]


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
    """Dice side by side are an edge apart: where they are nearer, one lies on the other.

    Or leans on it: what is known to lean explains why they are so near.
    """
    stacked = set()
    for (i, a), (j, b) in combinations(enumerate(dice), 2):
        if Problem.COCKED in (a.problem, b.problem):
            continue
        edges = [math.sqrt(abs(cv2.contourArea(np.array(d.corners, np.float32)))) for d in (a, b)]
        if math.dist(a.centre, b.centre) < BESIDE * max(edges):
            stacked |= {i, j}
    return tuple(
        replace(die, value=None, confidence=0.0, problem=Problem.STACKED, alternative=die.value)
        if i in stacked
        else die
        for i, die in enumerate(dice)
    )


def _corners(quad: FloatArray) -> tuple[Point, Point, Point, Point]:
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return a, b, c, d
