"""The vocabulary of the reader: a die, a reading, and the reasons for not reading."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
"""A picture: uint8, shape (height, width, 3), channels in the order blue, green, red."""

Point = tuple[float, float]
"""x to the right and y down, in pixels of the picture."""

FACES = (1, 2, 3, 4, 5, 6)


class Problem(StrEnum):
    """Why a die, or a whole picture, is not read."""

    NO_DICE = "no_dice"
    """There is no die in the picture."""
    WRONG_COUNT = "wrong_count"
    """Another number of dice than is due."""
    COCKED = "cocked"
    """A die leans: on the wall, on another die, on something else."""
    STACKED = "stacked"
    """A die lies on another die."""
    HAND = "hand"
    """A hand, a cup or a sleeve is in the way."""
    MOVING = "moving"
    """Something still moves (only a sequence of frames can tell)."""
    OUTSIDE = "outside"
    """A die lies outside the tray or is cut off by the edge of the picture."""
    UNCLEAR = "unclear"
    """The face can not be told with certainty: glare, blur, marks that fit two faces."""


class Zone(StrEnum):
    """Where in the tray a die lies."""

    TRAY = "tray"
    RAIL = "rail"


@dataclass(frozen=True, slots=True)
class Die:
    """One die as the reader sees it."""

    value: int | None
    """The face up, 1 to 6; None when it is not read (`problem` says why)."""
    confidence: float
    """From 0 to 1."""
    centre: Point
    """Centre of the top face."""
    corners: tuple[Point, Point, Point, Point]
    """Corners of the top face, clockwise as seen in the picture."""
    zone: Zone = Zone.TRAY
    problem: Problem | None = None
    alternative: int | None = None
    """The next likeliest face, offered first when a person corrects the reading."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reader says of one picture."""

    dice: tuple[Die, ...]
    problems: tuple[Problem, ...]
    """Why there is no reading, the gravest first, without repetition; empty when it is read."""
    size: tuple[int, int]
    """Width and height of the picture in pixels."""
    ms: float = 0.0
    """Time of reading alone, in milliseconds."""

    @property
    def ok(self) -> bool:
        """True when every die is read and nothing speaks against it."""
        return not self.problems

    @property
    def values(self) -> tuple[int, ...] | None:
        """Faces up of all dice, from high to low; None unless `ok`."""
        return self.in_zone(None)

    def in_zone(self, zone: Zone | None) -> tuple[int, ...] | None:
        """Faces up of the dice in one zone (None: everywhere), high to low; None unless `ok`."""
        if not self.ok:
            return None
        dice = (die for die in self.dice if zone is None or die.zone is zone)
        return tuple(sorted((die.value for die in dice if die.value is not None), reverse=True))
