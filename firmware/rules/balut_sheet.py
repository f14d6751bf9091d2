"""The score sheet of Balut: what a field, a row and a whole sheet are worth (R-BL-3, R-BL-4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Sheet = Mapping[str, tuple[int, ...]]
"""Row key -> values of the fields filled so far, from the left; all seven rows are there."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the sheet."""

    key: str
    face: int | None = None
    """The face whose dice count, in fours, fives and sixes."""
    at_least: int | None = None
    """The sum of its fields that earns `points`."""
    all_real: bool = False
    """`points` are earned when no field of it is struck."""
    points: int = 0
    """Points of the row when the requirement is met; in the balut row for each balut."""


ROWS = {
    row.key: row
    for row in (
        Row("fours", face=4, at_least=52, points=2),
        Row("fives", face=5, at_least=65, points=2),
        Row("sixes", face=6, at_least=78, points=2),
        Row("straight", all_real=True, points=4),
        Row("house", all_real=True, points=3),
        Row("choice", at_least=100, points=2),
        Row("balut", points=2),
    )
}
"""The seven rows in the order of the sheet (A-BL-6)."""

STRAIGHTS = ((5, 4, 3, 2, 1), (6, 5, 4, 3, 2))
"""The small and the large straight, worth their sums 15 and 20."""

BALUT_BASE = 20
"""A balut is worth this and the sum of its dice."""
SINGAPORE_BALUT = 30
"""In the seven-field version every balut is worth this (R-BL-10)."""

FIELDS = {"standard": 4, "singapore": 1}
"""Fields of a row, by variant."""

ADDITION = (
    (20, -2),
    (300, -1),
    (350, 0),
    (400, 1),
    (450, 2),
    (500, 3),
    (550, 4),
    (600, 5),
    (650, 6),
)
"""Lowest dice sum of each band and what it adds to the points (R-BL-4)."""


def field_value(row: str, dice: Sequence[int], variant: str = "standard") -> int:
    """What five dice are worth in a field of the row; 0 is a struck field (R-BL-3).

    >>> [field_value(row, (6, 6, 6, 4, 4)) for row in ROWS]
    [8, 0, 18, 0, 26, 26, 0]
    """
    rule = ROWS[row]
    if rule.face is not None:
        return rule.face * list(dice).count(rule.face)
    total = sum(dice)
    if row == "choice":
        return total
    if row == "straight":
        return total if tuple(sorted(dice, reverse=True)) in STRAIGHTS else 0
    counts = sorted(Counter(dice).values())
    if row == "house":
        return total if counts == [2, 3] else 0
    if counts != [5]:
        return 0
    return SINGAPORE_BALUT if variant == "singapore" else BALUT_BASE + total


_BEST = ((6,) * 5, (5,) * 5, (4,) * 5, STRAIGHTS[-1], (6, 6, 6, 5, 5))
"""Throws among which is the best for every row (all 7,776 are tried in the tests)."""


def highest(row: str, variant: str = "standard") -> int:
    """The highest value that a field of the row can have."""
    return max(field_value(row, dice, variant) for dice in _BEST)


def row_points(row: str, fields: Sequence[int]) -> int:
    """Points of a row of the standard sheet; straight and house need all four fields (BL-33)."""
    rule = ROWS[row]
    if row == "balut":
        return rule.points * sum(value > 0 for value in fields)
    if rule.at_least is not None:
        met = sum(fields) >= rule.at_least
    else:
        met = len(fields) == FIELDS["standard"] and all(fields)
    return rule.points if met else 0


def addition(dice_sum: int) -> int:
    """What the dice sum adds to the points (R-BL-4); below the lowest band as in it."""
    points = ADDITION[0][1]
    for low, band in ADDITION:
        if dice_sum >= low:
            points = band
    return points


def dice_sum(sheet: Sheet) -> int:
    """Terningsum: the sum of all fields filled."""
    return sum(sum(fields) for fields in sheet.values())


@dataclass(frozen=True, slots=True)
class Count:
    """The final count of a sheet."""

    points: int
    """Row points and addition; in the Singapore version the dice sum itself (R-BL-10)."""
    dice_sum: int
    rows: tuple[tuple[str, int], ...] = ()
    """Points of each row; empty in the Singapore version."""
    addition: int = 0


def count(sheet: Sheet, variant: str = "standard") -> Count:
    """The final count of a sheet (R-BL-4, R-BL-10)."""
    total = dice_sum(sheet)
    if variant == "singapore":
        return Count(total, total)
    rows = tuple((row, row_points(row, sheet[row])) for row in ROWS)
    extra = addition(total)
    return Count(sum(points for _, points in rows) + extra, total, rows, extra)


def rank(results: Mapping[str, tuple[int, int]], tiebreak: str) -> tuple[tuple[str, ...], ...]:
    """Places by points, then as `tiebreak` says by dice sum (R-BL-8); equal ones share a place.

    >>> rank({"Eva": (12, 480), "Nils": (12, 430)}, "dice_sum")
    (('Eva',), ('Nils',))
    """

    def worth(who: str) -> tuple[int, int]:
        points, total = results[who]
        return points, total if tiebreak == "dice_sum" else 0

    places = sorted({worth(who) for who in results}, reverse=True)
    return tuple(tuple(who for who in results if worth(who) == place) for place in places)
