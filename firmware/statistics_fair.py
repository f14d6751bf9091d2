"""Are the dice fair? A chi-square test that may be looked at as often as one likes.

Whoever looks often enough sees something rare. Of 3,000 simulated tables with fair dice, looked at
after every single die from the 60th to the 100,000th, 4.3 % at some moment reached what one look
shows 1 time in 1,000, and 0.7 % what it shows 1 time in 10,000. The latter is the level here, so
that luck alone cries wolf at fewer than one table in a hundred in all its life; with several dice
sets each has its share of the level. `tests/firmware/test_statistics_fair.py` keeps this so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

FEWEST: Final = 60
"""Below so many dice nothing is said about them: chi-square wants five and more of each face."""
LEVEL: Final = 10_000
"""Dice are called unusual when fair ones look so uneven less than once in so many looks."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What can be said of one dice set."""

    dice: int
    """How many were thrown."""
    chi_square: float
    chance: float
    """How likely fair dice look at least as uneven, in one look."""
    level: int
    """Below 1 in so many it is called unusual."""

    @property
    def few(self) -> bool:
        """Too few to say anything."""
        return self.dice < FEWEST

    @property
    def unusual(self) -> bool:
        """More uneven than luck explains."""
        return not self.few and self.chance < 1 / self.level


def judge(counts: Sequence[int], sets: int = 1) -> Verdict:
    """Judge the faces of one of so many dice sets; `counts` from one to six."""
    x = chi_square(counts)
    return Verdict(sum(counts), x, chance_of(x), LEVEL * max(1, sets))


def chi_square(counts: Sequence[int]) -> float:
    """Pearson's chi-square of six counts against equal chances.

    >>> chi_square((10, 10, 10, 10, 10, 10))
    0.0
    """
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected if expected else 0.0


def chance_of(x: float) -> float:
    """How likely fair dice give a chi-square of `x` or more: five degrees of freedom.

    >>> round(chance_of(11.0705), 4), round(chance_of(20.515), 4)
    (0.05, 0.001)
    """
    root = math.sqrt(x / 2)
    tail = math.sqrt(2 * x / math.pi) * math.exp(-x / 2) * (1 + x / 3)
    return math.erfc(root) + tail
