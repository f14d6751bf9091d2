"""What the rules texts are made of: sections, tables, and the pieces that several games share.

English stands in the code; a `Tongue` says it in another language. So the text of every language
is made from the same tables of the judge.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol


class Tongue(Protocol):
    """Says a text in a language; `display.words.Words` does, with the catalogues."""

    def say(self, text: str, /, **values: Any) -> str:
        """A text, its placeholders filled."""

    def plural(self, one: str, many: str, n: int, /, **values: Any) -> str:
        """A text in the form that goes with the number `n`, which fills `{n}`."""


class English:
    """Says the texts as they stand in the code."""

    def say(self, text: str, /, **values: Any) -> str:
        """See `Tongue`."""
        return text.format(**values)

    def plural(self, one: str, many: str, n: int, /, **values: Any) -> str:
        """See `Tongue`."""
        return (one if n == 1 else many).format(n=n, **values)


ENGLISH = English()


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


def listed_or(words: Tongue, parts: Iterable[str]) -> str:
    """`a, b or c`."""
    *head, last = parts
    return words.say("{most} or {last}", most=", ".join(head), last=last) if head else last


def decimal(words: Tongue, value: float) -> str:
    """A number with as many decimals as it needs, two at most: `3.75`, in Norwegian `3,75`."""
    whole, _, part = f"{value:.2f}".rstrip("0").rstrip(".").partition(".")
    return words.say("{whole}.{part}", whole=whole, part=part) if part else whole


def direction(words: Tongue, way: str) -> str:
    """Which way the turn goes: `clockwise` or `counter-clockwise`."""
    if way == "clockwise":
        return words.say("The order is clockwise.")
    return words.say("The order is counter-clockwise.")


def beginning(words: Tongue, start: str, dice: int) -> str:
    """Who begins (R-GEN-5), thrown for with so many dice."""
    if start == "host":
        return words.say("The host names who begins.")
    if dice == 1:
        return words.say(
            "Who begins: everyone throws one die. The highest begins; those tied for highest throw "
            "again, only they."
        )
    return words.plural(
        "Who begins: everyone throws {n} die, and the sum counts. The highest begins; those tied "
        "for highest throw again, only they.",
        "Who begins: everyone throws all {n} dice, and the sum counts. The highest begins; those "
        "tied for highest throw again, only they.",
        dice,
    )


def void_throws(words: Tongue) -> Section:
    """Throws that do not count (R-GEN-1)."""
    text = words.say(
        "A throw is void if a die leans, lies on another die or leaves the table, if it can not be "
        "read, or if the number of dice is not the number due. The same player throws the same "
        "dice again; nothing is used up."
    )
    return Section(words.say("Throws that do not count"), (text,), "R-GEN-1")
