"""Барбут, the Bulgarian game with three dice (RULES.md, section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from firmware.rules import options
from firmware.rules.first import FirstThrow
from firmware.rules.game import Event
from firmware.rules.options import Choice, Switch, Whole, option

SEATS = (2, 9)
"""Smallest and largest number of players (R-BG-1)."""
DICE = 3


@dataclass(frozen=True, slots=True)
class BarbutBgRules:
    """The house rules of the three-dice game with their defaults (RULES.md, section 6)."""

    start: str = options.start_option()
    direction: str = option("clockwise", Choice(("clockwise", "counter-clockwise")))
    opening: str = option("both", Choice(("both", "either", "only", "scoring")))
    opening_scores: bool = option(True, Switch())
    restore: str = option("immediate", Choice(("immediate", "later", "none")))
    target: int = option(5550, Whole(1))
    finish: str = option("at_least", Choice(("at_least", "exact")))
    auto_bank: bool = option(True, Switch())
    max_throws: int = option(0, Whole(0))
    set_aside: str = option("all", Choice(("all", "choose")))


@dataclass(frozen=True, slots=True)
class BarbutBgState:
    """Everything of a three-dice game at one moment."""

    seats: tuple[str, ...]
    """Clockwise; the house rule `direction = counter-clockwise` plays them the other way."""
    rules: BarbutBgRules
    phase: str
    """`first` (who begins), `throw` (a throw is due), `choice` (record or throw again), `over`."""
    totals: Mapping[str, int]
    """Points recorded."""
    opened: Mapping[str, bool]
    contest: FirstThrow | None = None
    """The throw for the first player, while `phase` is `first`."""
    turn: str | None = None
    turn_points: int = 0
    dice_next: int | None = None
    """Number of dice due next (with `set_aside = choose`: when all that scored is set aside)."""
    dice: tuple[int, ...] = ()
    """The last valid throw of this turn, from high to low; between turns the one before."""
    scoring: tuple[int, ...] = ()
    """The dice of that throw that scored, from high to low."""
    last_value: int = 0
    """What that throw was worth."""
    aside: tuple[int, ...] = ()
    """Faces set aside since all three were thrown, those of the last throw included."""
    throws: int = 0
    """Valid throws in this turn."""
    recovery: bool = False
    """6-6-6 has just cost everything; the throw that is due may restore it (R-BG-7)."""
    lost: Mapping[str, tuple[int, int]] | None = None
    """Total and turn points lost by 6-6-6 that may still come back, by player; None: nobody's."""
    event: str | None = None
    """What the last throw or record brought: `scored`, `banked`, `bust`, `opened`, `not_opened`,
    `wiped`, `restored`, `not_restored` or `finished`."""
    ranking: tuple[str, ...] = ()
    """Who has finished, first first; at the end everybody."""
    events: tuple[Event, ...] = ()
