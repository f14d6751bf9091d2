"""Barbudi: the Norwegian betting game for 2 to 12 players (RULES.md, section 2)."""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware.rules import options
from firmware.rules.bank import Chips
from firmware.rules.first import FirstThrow
from firmware.rules.game import Event
from firmware.rules.options import (
    Choice,
    End,
    FixedFee,
    PercentFee,
    Switch,
    Whole,
    option,
)

SEATS = (2, 12)
"""Smallest and largest number of players (R-BD-1)."""
DICE = 2


@dataclass(frozen=True, slots=True)
class BarbudiRules:
    """The house rules of Barbudi with their defaults (RULES.md, section 6)."""

    start: str = options.start_option()
    starting_chips: int = option(50, Whole(1))
    fixed_stake: int | None = option(None, Whole(1, none=True))
    side_bets: bool = option(True, Switch())
    two_shot: bool = option(False, Switch())
    two_shot_rotation: str = option("after_second_shot", Choice(("after_second_shot", "always")))
    two_player_pass: str = option("swap", Choice(("swap", "stay")))
    house_fee: PercentFee | FixedFee | None = field(default=None, metadata=options.FEE)
    skip_broke: bool = option(True, Switch())
    end: End = field(default=End(), metadata=options.END)
    vari: bool = option(False, Switch())


@dataclass(frozen=True, slots=True)
class BarbudiState:
    """Everything of a Barbudi game at one moment.

    The figures of a round (`stake` to `result`) stay after it is over, until the next stake.
    """

    seats: tuple[str, ...]
    """Counter-clockwise: the right-hand neighbour of `seats[i]` is `seats[i + 1]`."""
    rules: BarbudiRules
    phase: str
    """`first` (who begins), `stake`, `cover`, `throw`, `choice` (two shot: stop or go on), `over`.
    """
    chips: Chips
    contest: FirstThrow | None = None
    """The throw for the first player, while `phase` is `first`."""
    thrower: str | None = None
    fader: str | None = None
    next_to_throw: str | None = None
    """Whose throw is due; None when no throw of a round is due."""
    stake: int = 0
    """S, what the fader staked."""
    two_shot: bool = False
    """The fader demanded two shot for this round."""
    covers: tuple[tuple[str, int], ...] = ()
    """c_i: who covered how much, in the order of covering; zeros are left out."""
    to_cover: tuple[str, ...] = ()
    """Who is still asked to cover, next first."""
    side_bets: tuple[tuple[str, str, int], ...] = ()
    """Open side bets: for the thrower, for the fader, amount."""
    matched: int = 0
    """M, the sum of the covers."""
    pot: int = 0
    """2 M once the betting is closed."""
    returned: int = 0
    """What went back to the fader uncovered."""
    throws: int = 0
    """Valid throws in this round."""
    dice: tuple[int, ...] = ()
    """The last valid throw of this round, from high to low."""
    vari: bool = False
    """Vari is called for the throw that is due."""
    half_winner: str | None = None
    """Two shot: who won the first half, while the round goes on."""
    going_on: tuple[str, ...] = ()
    """Two shot: who has said that he goes on."""
    winner: str | None = None
    """Winner of the last round: the thrower or the fader of it."""
    result: str | None = None
    """`decided`, `void`, `half` (two shot, stopped), `both_halves` or `split`."""
    rounds: int = 0
    """Rounds played; void rounds do not count (R-BD-13)."""
    stopping: str | None = None
    """Why no new round will begin: `hand`, `time`, `rounds` or `broke`."""
    events: tuple[Event, ...] = ()
