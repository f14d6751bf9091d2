"""What a throw of the three-dice game is worth (R-BG-2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware.rules.checks import high_to_low

Faces = tuple[int, ...]
"""Faces from high to low."""

COMBINATIONS: dict[Faces, int] = {
    (3, 2, 1): 200,
    (4, 3, 2): 200,
    (5, 4, 3): 200,
    (6, 5, 4): 200,
    (5, 3, 1): 200,
    (6, 4, 2): 200,
    (1, 1, 1): 1000,
    (2, 2, 2): 200,
    (3, 3, 3): 300,
    (4, 4, 4): 400,
    (5, 5, 5): 500,
}
"""All three dice of one throw; a combination replaces the singles in it (BG-7 to BG-13)."""

SINGLES: dict[int, int] = {1: 100, 5: 50}
"""What each such die counts otherwise (BG-4, BG-5)."""

WIPE: Faces = (6, 6, 6)
"""The throw that loses everything (R-BG-7)."""


@dataclass(frozen=True, slots=True)
class Value:
    """What dice thrown together are worth."""

    points: int
    scoring: Faces
    """The dice that score, from high to low."""
    kind: str
    """`combo`, `singles`, `wipe` or `none`."""


def value(dice: Sequence[int]) -> Value:
    """The value of dice thrown together; dice set aside before never count again (A-BG-6).

    >>> value((3, 5, 1))
    Value(points=200, scoring=(5, 3, 1), kind='combo')
    >>> value((5, 1)).points
    150
    """
    faces = high_to_low(dice)
    if faces in COMBINATIONS:
        return Value(COMBINATIONS[faces], faces, "combo")
    if faces == WIPE:
        return Value(0, (), "wipe")
    scoring = tuple(face for face in faces if face in SINGLES)
    points = sum(SINGLES[face] for face in scoring)
    return Value(points, scoring, "singles" if scoring else "none")


def opens(dice: Sequence[int], opening: str) -> bool:
    """Does the throw open a player (R-BG-3), under one of the four readings of A-BG-1?"""
    has_one, has_five = 1 in dice, 5 in dice
    match opening:
        case "both":
            return has_one and has_five
        case "either":
            return has_one or has_five
        case "only":
            return set(dice) == {1, 5}
        case _:
            return value(dice).points > 0


def ways_to_set_aside(dice: Faces) -> tuple[Faces, ...]:
    """Every choice of dice, at least one, that all score (`set_aside = choose`), most first."""
    found = set()
    for mask in range(1, 2 ** len(dice)):
        chosen = tuple(face for index, face in enumerate(dice) if mask >> index & 1)
        if value(chosen).scoring == chosen:
            found.add(chosen)
    return tuple(sorted(found, key=lambda chosen: (-value(chosen).points, -len(chosen), chosen)))
