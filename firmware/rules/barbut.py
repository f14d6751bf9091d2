"""Barbut with Vari: a wager between two (RULES.md, section 3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from firmware.rules import options
from firmware.rules.bank import Chips
from firmware.rules.first import FirstThrow
from firmware.rules.game import Event
from firmware.rules.options import Choice, End, Switch, Whole, option

SEATS = (2, 12)
"""Smallest and largest number of players (R-BT-1)."""
DICE = 2


@dataclass(frozen=True, slots=True)
class BarbutRules:
    """The house rules of Barbut with their defaults (RULES.md, section 6; R-BT-8)."""

    start: str = options.start_option()
    starting_chips: int = option(50, Whole(1))
    vari: bool = option(True, Switch())
    special_pay: tuple[tuple[str, Fraction], ...] = field(default=(), metadata=options.PAY)
    next_opponent: str = option("seat", Choice(("seat", "queue")))
    direction: str = option("counter-clockwise", Choice(("counter-clockwise", "clockwise")))
    end: End = field(default=End(), metadata=options.END)


@dataclass(frozen=True, slots=True)
class BarbutState:
    """Everything of a Barbut session at one moment.

    The figures of a wager (`stake` to `transferred`) stay after it is over, until the next one.
    """

    seats: tuple[str, ...]
    """Counter-clockwise; the house rule `direction = clockwise` plays them the other way."""
    rules: BarbutRules
    phase: str
    """`first` (who begins), `wager`, `throw`, `paused` (everybody asked declined), `over`."""
    chips: Chips
    contest: FirstThrow | None = None
    """The throw for the first player, while `phase` is `first`."""
    thrower: str | None = None
    """He who has the dice: the winner of the last wager; throws first in this one."""
    opponent: str | None = None
    """The one asked, or playing."""
    newcomer: str | None = None
    """Who last came in as opponent, or was asked last (`next_opponent = seat`)."""
    queue: tuple[str, ...] = ()
    """Who waits, next first (`next_opponent = queue`)."""
    declined: tuple[str, ...] = ()
    """Who declined since the last wager."""
    next_to_throw: str | None = None
    stake: int = 0
    """S, what each of the two put up."""
    throws: int = 0
    """Valid throws of this wager."""
    dice: tuple[int, ...] = ()
    """The last valid throw of this wager, from high to low."""
    vari: bool = False
    """Vari is called for the throw that is due."""
    winner: str | None = None
    """Winner of the last wager."""
    transferred: int = 0
    """What the loser of the last wager paid."""
    rounds: int = 0
    """Wagers decided."""
    stopping: str | None = None
    """Why no new wager will begin: `hand`, `time`, `rounds` or `broke`."""
    events: tuple[Event, ...] = ()
