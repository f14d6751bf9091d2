"""Balut: five dice, seven rows of four fields (RULES.md, section 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from firmware.rules import options
from firmware.rules.first import FirstThrow
from firmware.rules.game import Event
from firmware.rules.options import Choice, Whole, option

SEATS = (1, 6)
"""Smallest and largest number of players (R-BL-1)."""
DICE = 5
THROWS = 3
"""Throws in a turn (R-BL-2)."""

Sheet = Mapping[str, tuple[int, ...]]
"""Row key -> values of the fields filled so far, from the left; all seven rows are there."""


@dataclass(frozen=True, slots=True)
class BalutRules:
    """The house rules of Balut with their defaults (RULES.md, section 6)."""

    start: str = options.start_option()
    tiebreak: str = option("dice_sum", Choice(("dice_sum", "none")))
    games: int = option(1, Whole(1))
    variant: str = option("standard", Choice(("standard", "singapore")))


@dataclass(frozen=True, slots=True)
class BalutState:
    """Everything of a Balut match at one moment."""

    seats: tuple[str, ...]
    """Clockwise."""
    rules: BalutRules
    phase: str
    """`first` (who begins), `throw` (the first throw of a turn), `choice` (throw again or enter),
    `enter` (no throws left) or `over`."""
    sheets: Mapping[str, Sheet]
    """The sheet of every player; after the last entry of a game they stay until the next act."""
    contest: FirstThrow | None = None
    """The throw for the first player, while `phase` is `first`."""
    order: tuple[str, ...] = ()
    """Playing order of this round."""
    turn: str | None = None
    round: int = 1
    """1 to 28 (Singapore: 1 to 7)."""
    table: tuple[int, ...] = ()
    """The five dice on the table, from high to low; empty before the first throw of a turn."""
    kept: tuple[int, ...] = ()
    """Those of them that were kept before the last throw."""
    throws: int = 0
    """Valid throws in this turn."""
    entries: tuple[tuple[str, int], ...] = ()
    """Who has entered how much in this round, in the order of throwing."""
    last_entry: int | None = None
    """Value of the last field filled."""
    last_by: str | None = None
    game: int = 1
    """Which game of the match this is."""
    finished: tuple[tuple[tuple[str, int, int], ...], ...] = ()
    """The finished games of the match: of each player name, points and dice sum."""
    events: tuple[Event, ...] = ()
