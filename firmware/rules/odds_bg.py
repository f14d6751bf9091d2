"""The chances of the three-dice game, by counting all throws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

from firmware.rules import bg_values
from firmware.rules.bg_turn import DICE
from firmware.rules.game import FACES


def throws(dice: int) -> Iterator[tuple[int, ...]]:
    """All ordered throws of so many dice."""
    return product(FACES, repeat=dice)


def by_dice(dice: int) -> dict[str, Fraction]:
    """What a throw of so many dice brings (section 10, first table)."""
    values = [bg_values.value(throw) for throw in throws(dice)]
    all_ = len(values)
    return {
        "scores": Fraction(sum(value.points > 0 for value in values), all_),
        "nothing": Fraction(sum(value.kind == "none" for value in values), all_),
        "6-6-6": Fraction(sum(value.kind == "wipe" for value in values), all_),
        "mean value": Fraction(sum(value.points for value in values), all_),
        "all dice score": Fraction(sum(len(value.scoring) == dice for value in values), all_),
    }


def ways_by_points(dice: int) -> Counter[int]:
    """O-BG-1: number of ordered throws of every value."""
    return Counter(bg_values.value(throw).points for throw in throws(dice))


def ways_by_scoring_dice(dice: int) -> Counter[int]:
    """O-BG-1: number of ordered throws by how many of their dice score."""
    return Counter(len(bg_values.value(throw).scoring) for throw in throws(dice))


def opening(reading: str) -> tuple[Fraction, Fraction]:
    """O-BG-2: the chance to open in one attempt, and what the opening throw is worth on average."""
    opened = [throw for throw in throws(DICE) if bg_values.opens(throw, reading)]
    points = sum(bg_values.value(throw).points for throw in opened)
    return Fraction(len(opened), len(FACES) ** DICE), Fraction(points, len(opened))


@cache
def _outcomes(dice: int) -> tuple[tuple[int, int, Fraction], ...]:
    """Points, scoring dice and chance of the throws that score, equal ones together."""
    ways: Counter[tuple[int, int]] = Counter()
    for throw in throws(dice):
        value = bg_values.value(throw)
        if value.points:
            ways[value.points, len(value.scoring)] += 1
    every = len(FACES) ** dice
    return tuple((points, n, Fraction(count, every)) for (points, n), count in ways.items())


def _due_after(dice: int, scored: int) -> int:
    return dice - scored or DICE


def throw_limits() -> dict[int, int]:
    """O-BG-3: the most turn points with which one more throw pays, by the number of dice due.

    It maximises the mean of one turn and does not mind what 6-6-6 does to the total.
    """
    # From some number of points on recording is always better; only below it need be looked at.
    top = max(
        sum(p * points for points, _, p in _outcomes(dice))
        / (1 - sum(p for _, _, p in _outcomes(dice)))
        for dice in range(1, DICE + 1)
    )
    best: dict[tuple[int, int], Fraction] = {}
    limits: dict[int, int] = {}
    unit = min(bg_values.SINGLES.values())
    for points in range(int(top) // unit * unit, -1, -unit):
        for dice in range(1, DICE + 1):
            going_on = sum(
                (
                    p * best.get((points + gain, _due_after(dice, n)), Fraction(points + gain))
                    for gain, n, p in _outcomes(dice)
                ),
                Fraction(0),
            )
            best[points, dice] = max(going_on, Fraction(points))
            if going_on > points:
                limits[dice] = max(limits.get(dice, 0), points)
    return limits


def mean_turn() -> Fraction:
    """O-BG-3: the mean of one turn of an opened player with `throw_limits`."""
    return sum(
        (gain * chance for gain, chance in turn_gains(throw_limits()).items() if gain > 0),
        Fraction(0),
    )


WIPED = -1
"""The gain that stands for 6-6-6 in `turn_gains`."""


def turn_gains(
    limits: dict[int, int], start: tuple[int, int] = (0, DICE), room: int | None = None
) -> dict[int, Fraction]:
    """The chance of every gain of a turn that is played by limits; 0 is a bust.

    `room`: points to the target; reaching it ends the turn with all that was gained.
    """
    gains: dict[int, Fraction] = {}
    # Turn points only grow, so nodes can be taken in the order of their points.
    open_: dict[tuple[int, int], Fraction] = {start: Fraction(1)}
    first = True
    while open_:
        node = min(open_)
        chance = open_.pop(node)
        points, dice = node
        full = room is not None and points >= room
        if not first and (full or points > limits[dice]):
            gains[points] = gains.get(points, Fraction(0)) + chance
            continue
        first = False
        lost = chance
        for gain, n, p in _outcomes(dice):
            after = (points + gain, _due_after(dice, n))
            open_[after] = open_.get(after, Fraction(0)) + chance * p
            lost -= chance * p
        if dice == DICE:
            wipe = chance / len(FACES) ** DICE
            gains[WIPED] = gains.get(WIPED, Fraction(0)) + wipe
            lost -= wipe
        gains[0] = gains.get(0, Fraction(0)) + lost
    return gains


def mean_turns_to(target: int, reading: str = "both") -> float:
    """Mean turns of one player from not opened to the target, played by `throw_limits` (O-BG-4).

    6-6-6 costs everything here; that it comes back once in 216 times is left out.
    """
    limits = throw_limits()
    unit = min(bg_values.SINGLES.values())
    # Mean turns from total t on: a[t] + b[t] * (mean from 0 on); the target is at the top.
    a: dict[int, float] = {}
    b: dict[int, float] = {}
    for total in range(target - target % unit, -1, -unit):
        gains = turn_gains(limits, room=target - total)
        stay = float(gains.get(0, 0))
        wiped = float(gains.get(WIPED, 0))
        onward = [(total + gain, float(p)) for gain, p in gains.items() if gain > 0]
        below = [(after, p) for after, p in onward if after < target]
        a[total] = (1 + sum(p * a[after] for after, p in below)) / (1 - stay)
        b[total] = (wiped + sum(p * b[after] for after, p in below)) / (1 - stay)
    from_zero = a[0] / (1 - b[0])
    opened = [throw for throw in throws(DICE) if bg_values.opens(throw, reading)]
    turns = float(1 / opening(reading)[0])
    for throw in opened:
        value = bg_values.value(throw)
        node = (value.points, _due_after(DICE, len(value.scoring)))
        for gain, chance in turn_gains_from(limits, node, target).items():
            total = max(gain, 0)
            rest = 0.0 if total >= target else a[total] + b[total] * from_zero
            turns += float(chance) * rest / len(opened)
    return turns


def turn_gains_from(
    limits: dict[int, int], node: tuple[int, int], room: int
) -> dict[int, Fraction]:
    """As `turn_gains`, when the first throw has been made: recording is possible at once."""
    points, dice = node
    if points > limits[dice] or points >= room:
        return {points: Fraction(1)}
    return turn_gains(limits, node, room)
