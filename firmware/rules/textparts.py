"""What the rules texts are made of: sections, tables, and the pieces that several games share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """A table: a head and rows of as many cells."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the rules under a heading."""

    title: str
    body: tuple[str | Table, ...]
    rule: str
    """Number of the rule in RULES.md, for example `R-BD-6`; a range `R-BD-2 to R-BD-4`."""


def dice_text(faces: Iterable[int]) -> str:
    """`6-5`."""
    return "-".join(map(str, faces))


def listed(words: Iterable[str], last: str = "and") -> str:
    """`a, b and c`."""
    *head, tail = words
    return f"{', '.join(head)} {last} {tail}" if head else tail


def counted(number: int, one: str) -> str:
    """`1 chip`, `2 chips`."""
    return f"{number} {one if number == 1 else one + 's'}"


def beginning(start: str, dice: int) -> str:
    """Who begins (R-GEN-5), thrown for with so many dice."""
    if start == "host":
        return "The host names who begins."
    what = "one die" if dice == 1 else f"all {dice} dice, and the sum counts"
    return (
        f"Who begins: everyone throws {what}. The highest begins; those tied for highest throw "
        "again, only they."
    )


def void_throws() -> Section:
    """Throws that do not count (R-GEN-1)."""
    return Section(
        "Throws that do not count",
        (
            "A throw is void if a die leans, lies on another die or leaves the table, if it can "
            "not be read, or if the number of dice is not the number due. The same player throws "
            "the same dice again; nothing is used up.",
        ),
        "R-GEN-1",
    )
