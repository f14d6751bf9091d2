"""The table of throws of Barbudi and Barbut (R-BD-6, R-BT-3): what a pair of dice means."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType

DICE = 2
"""Dice in Barbudi and Barbut (R-GEN-2)."""

Pair = tuple[int, int]
"""Two faces, the higher first."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table."""

    key: str
    meaning: str
    """For the one who threw: `win`, `lose` or `nothing`."""
    mixed: bool
    """The deciding pair is no double: roles then stay (R-BD-8), two shot decides half (R-BD-10)."""
    pairs: tuple[Pair, ...]
    source: str
    """Statement of the source text."""


WIN_DOUBLE = Row("win_double", "win", False, ((6, 6), (5, 5), (3, 3)), "BD-20")
WIN_MIXED = Row("win_mixed", "win", True, ((6, 5),), "BD-20")
LOSE_DOUBLE = Row("lose_double", "lose", False, ((4, 4), (2, 2), (1, 1)), "BD-21")
LOSE_MIXED = Row("lose_mixed", "lose", True, ((2, 1),), "BD-21")
NOTHING = Row(
    "nothing",
    "nothing",
    False,
    tuple(
        (high, low)
        for high in range(6, 0, -1)
        for low in range(high, 0, -1)
        if not any(
            (high, low) in row.pairs for row in (WIN_DOUBLE, WIN_MIXED, LOSE_DOUBLE, LOSE_MIXED)
        )
    ),
    "BD-22",
)
TABLE = (WIN_DOUBLE, WIN_MIXED, LOSE_DOUBLE, LOSE_MIXED, NOTHING)
"""All 21 pairs, each in exactly one row."""

REVERSED = MappingProxyType({"win": "lose", "lose": "win", "nothing": "nothing"})
"""What Vari makes of a meaning (R-BT-6)."""


def classify(dice: Iterable[int]) -> Row:
    """The row of a throw; dice are an unordered set, so 5-6 is 6-5.

    >>> classify((5, 6)).key
    'win_mixed'
    """
    high, low = sorted(dice, reverse=True)
    for row in TABLE:
        if (high, low) in row.pairs:
            return row
    raise ValueError(f"{high}-{low} is no throw of two dice")


def meaning(row: Row, vari: bool) -> str:
    """What the row means for the one who threw, under Vari or not."""
    return REVERSED[row.meaning] if vari else row.meaning
