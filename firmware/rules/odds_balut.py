"""The chances of Balut with best play, exact: all throws, all ways to keep, worked backwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, factorial, prod

from firmware.rules import balut_sheet
from firmware.rules.balut_sheet import FIELDS, ROWS
from firmware.rules.balut_turn import DICE, THROWS
from firmware.rules.game import FACES

Dice = tuple[int, ...]
"""Faces from low to high."""

ALL = tuple(combinations_with_replacement(FACES, DICE))
"""The 252 throws of five dice, as sets."""
EVERY = len(FACES) ** DICE


def ways(dice: Dice) -> int:
    """In how many orders a set of faces can be thrown."""
    return factorial(len(dice)) // prod(factorial(n) for n in Counter(dice).values())


@cache
def _kept() -> dict[Dice, tuple[tuple[Dice, int], ...]]:
    """Every choice of dice to keep -> every hand it can become, with its weight out of 7,776."""
    found = {}
    for size in range(DICE + 1):
        thrown = list(combinations_with_replacement(FACES, DICE - size))
        scale = len(FACES) ** size  # fewer dice have fewer ways: bring all to the same 6^5
        for kept in combinations_with_replacement(FACES, size):
            found[kept] = tuple((tuple(sorted(kept + t)), ways(t) * scale) for t in thrown)
    return found


@cache
def _keeps() -> dict[Dice, tuple[Dice, ...]]:
    """Every hand -> the choices of dice to keep; all five is stopping."""
    return {
        hand: tuple({kept for size in range(DICE + 1) for kept in combinations(hand, size)})
        for hand in ALL
    }


def best(goal: Callable[[Dice], int], throws: int = THROWS) -> Fraction:
    """The mean of a goal, a whole number for every hand, with so many throws played best for it.

    For a goal that is 0 or 1 it is the chance.
    """
    value = {hand: goal(hand) for hand in ALL}
    for _ in range(throws - 1):
        after = {
            kept: sum(weight * value[hand] for hand, weight in hands)
            for kept, hands in _kept().items()
        }
        value = {hand: max(after[kept] for kept in keeps) for hand, keeps in _keeps().items()}
    total = sum(ways(hand) * value[hand] for hand in ALL)
    return Fraction(total, EVERY**throws)


def _is(row: str) -> Callable[[Dice], int]:
    return lambda hand: int(balut_sheet.field_value(row, hand) > 0)


def _exactly(hand: Dice) -> Callable[[Dice], int]:
    return lambda other: int(other == tuple(sorted(hand)))


def one_throw() -> dict[str, int]:
    """O-BL-2: in how many of the 7,776 ordered throws."""
    small, large = balut_sheet.STRAIGHTS
    goals: dict[str, Callable[[Dice], int]] = {
        "five alike": _is("balut"),
        "four alike": lambda hand: int(4 in Counter(hand).values()),
        "house": _is("house"),
        "small straight": _exactly(small),
        "large straight": _exactly(large),
    }
    return {name: int(best(goal, 1) * EVERY) for name, goal in goals.items()}


def chances(throws: int = THROWS) -> dict[str, Fraction]:
    """O-BL-3, O-BL-4: the chance of a goal with best play for it."""
    small, large = balut_sheet.STRAIGHTS
    return {
        "balut of any face": best(_is("balut"), throws),
        "balut of one given face": best(_exactly((6,) * DICE), throws),
        "straight of either kind": best(_is("straight"), throws),
        "small straight": best(_exactly(small), throws),
        "large straight": best(_exactly(large), throws),
        "house": best(_is("house"), throws),
        "house of 28": best(_exactly((6, 6, 6, 5, 5)), throws),
        "four or more alike": best(lambda hand: int(max(Counter(hand).values()) >= 4), throws),
    }


def alike(count: int, throws: int = THROWS, face: int = 4) -> Fraction:
    """O-BL-5: the chance of at least so many dice of one given face."""
    return best(lambda hand: int(hand.count(face) >= count), throws)


def field_means(throws: int = THROWS) -> dict[str, Fraction]:
    """O-BL-6: the mean value of a field of each row with best play for it."""
    return {
        row: best(lambda hand, row=row: balut_sheet.field_value(row, hand), throws)  # type: ignore[misc]
        for row in ROWS
    }


def pure_rows() -> dict[str, float]:
    """O-BL-7: the chance that a row played for itself alone meets its requirement.

    Of the balut row the mean points. Fours, fives and sixes: as many dice of the face as can be.
    """
    fields = FIELDS["standard"]
    found: dict[str, float] = {}
    for key, row in ROWS.items():
        if row.face is not None and row.at_least is not None:
            each = best(lambda hand, face=row.face: hand.count(face)) / DICE  # type: ignore[misc]
            need = -(-row.at_least // row.face)
            dice = DICE * fields
            found[key] = float(
                sum(
                    comb(dice, n) * each**n * (1 - each) ** (dice - n)
                    for n in range(need, dice + 1)
                )
            )
        elif row.all_real:
            found[key] = float(best(_is(key)) ** fields)
        elif key == "balut":
            found[key] = float(row.points * fields * best(_is(key)))
    found["choice"] = _choice_row(ROWS["choice"].at_least or 0, fields)
    return found


def _at_least(need: int, dice: int, each: Fraction) -> Fraction:
    """The chance of at least `need` hits among dice that hit with the chance `each`."""
    parts = (comb(dice, n) * each**n * (1 - each) ** (dice - n) for n in range(need, dice + 1))
    return sum(parts, Fraction(0))


def _choice_row(need: int, fields: int) -> float:
    """The chance to reach a sum over several fields of choice, every field played for that."""
    chance = {total: float(total >= need) for total in range(DICE * max(FACES) * fields + 1)}
    for left in range(fields - 1, -1, -1):
        low, high = DICE * left, DICE * max(FACES) * left
        chance = {
            total: _best_float(lambda hand, t=total, c=chance: c[t + sum(hand)])  # type: ignore[misc]
            for total in range(low, high + 1)
        }
    return chance[0]


def _best_float(goal: Callable[[Dice], float]) -> float:
    """`best` for a goal that is no whole number."""
    value = {hand: goal(hand) for hand in ALL}
    for _ in range(THROWS - 1):
        after = {
            kept: sum(weight * value[hand] for hand, weight in hands) / EVERY
            for kept, hands in _kept().items()
        }
        value = {hand: max(after[kept] for kept in keeps) for hand, keeps in _keeps().items()}
    return float(sum(ways(hand) * value[hand] for hand in ALL) / EVERY)


# --- sheets --------------------------------------------------------------------------------------


def field_values(row: str, variant: str = "standard") -> set[int]:
    """Every value that a field of the row can have."""
    return {balut_sheet.field_value(row, hand, variant) for hand in ALL}


def sheets() -> dict[int, int]:
    """O-BL-1: row points -> every dice sum that a full sheet with them can have, as bits."""
    found = {0: 1}
    for row in ROWS:
        rows: Counter[int] = Counter()
        for fields in combinations_with_replacement(field_values(row), FIELDS["standard"]):
            rows[balut_sheet.row_points(row, fields)] |= 1 << sum(fields)
        after: dict[int, int] = {}
        for points, sums in found.items():
            for more, row_sums in rows.items():
                after[points + more] = after.get(points + more, 0) | _sums(sums, row_sums)
        found = after
    return found


def _sums(one: int, other: int) -> int:
    """All sums of two sets of numbers, sets as bits."""
    found = 0
    for shift in bits(other):
        found |= one << shift
    return found


def bits(number: int) -> Iterable[int]:
    """The places of the bits that are set, low to high."""
    return (place for place in range(number.bit_length()) if number >> place & 1)


def best_mean_sum(variant: str) -> float:
    """O-BL-8: the best mean dice sum of a whole sheet, played for the dice sum alone.

    Worked backwards over how many fields of each row are filled: 128 cases of the Singapore
    version, 78,125 of the standard sheet (some seconds).
    """
    import numpy as np  # only here; the judge itself needs no arrays

    fields = FIELDS[variant]
    hands = {hand: index for index, hand in enumerate(ALL)}
    kept = {keep: index for index, keep in enumerate(_kept())}
    throw = np.zeros((len(kept), len(ALL)), dtype=np.float32)
    for keep, nexts in _kept().items():
        for hand, weight in nexts:
            throw[kept[keep], hands[hand]] += weight / EVERY
    choices = np.array([kept[keep] for keeps in _keeps().values() for keep in keeps])
    sizes = [len(keeps) for keeps in _keeps().values()]
    begins = np.cumsum([0, *sizes[:-1]])
    first = np.array([ways(hand) / EVERY for hand in ALL])
    values = [
        np.array([[float(balut_sheet.field_value(row, hand, variant))] for hand in ALL])
        for row in ROWS
    ]
    # Mean from each case on, by the number of fields filled in each row; a row too full: never.
    mean = np.full((fields + 2,) * len(ROWS), -np.inf)
    mean[(fields,) * len(ROWS)] = 0.0
    cases = np.array(list(product(range(fields + 1), repeat=len(ROWS)))).T
    filled = cases.sum(axis=0)
    for level in range(fields * len(ROWS) - 1, -1, -1):
        here = cases[:, filled == level]
        for part in np.array_split(here, -(-here.shape[1] // 512), axis=1):
            value = np.full((len(ALL), part.shape[1]), -np.inf)
            for row, worth in enumerate(values):
                after = part.copy()
                after[row] += 1
                np.maximum(value, worth + mean[tuple(after)], out=value)
            # Means differ by little: take the level off before the product in single precision.
            about = value.mean(axis=0)
            now = (value - about).astype(np.float32)
            for _ in range(THROWS - 1):
                now = np.maximum.reduceat((throw @ now)[choices], begins, axis=0)
            mean[tuple(part)] = first @ now.astype(np.float64) + about
    return float(mean[(0,) * len(ROWS)])
