"""Barbudi: the Norwegian betting game for 2 to 12 players (RULES.md, section 2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from firmware.rules import barbudi_round, first, options, pairs, session
from firmware.rules.bank import Chips
from firmware.rules.first import FirstThrow
from firmware.rules.frozen import replace
from firmware.rules.game import (
    AmountWanted,
    ChoiceWanted,
    DiceWanted,
    Event,
    Game,
    Outcome,
    Prompt,
    SideBetWanted,
    Want,
)
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


@dataclass(frozen=True)
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


class Barbudi(Game[BarbudiState]):
    """A Barbudi evening.

    >>> from firmware.rules.acts import Stake
    >>> game = Barbudi(["Kari", "Ola", "Per", "Liv"], chips=20, thrower="Kari")
    >>> game.push(Stake("Ola", 5)).phase
    'cover'
    """

    key = "barbudi"
    handlers = barbudi_round.HANDLERS

    def __init__(
        self,
        seats: Iterable[str],
        rules: BarbudiRules | None = None,
        chips: int | Mapping[str, int] | None = None,
        thrower: str | None = None,
    ) -> None:
        """Seats counter-clockwise; `chips` for everybody or by name (None: `starting_chips`).

        `thrower`: who throws first; None: they throw for it, or with `start = host` he is named
        by the act `Begin` (R-GEN-5).

        Raises:
            Refused: `players`, `bad_chips`, `bad_start`.
            ConfigError: a house rule with a value that it can not have.
        """
        rules = BarbudiRules() if rules is None else rules
        options.check(rules)
        names = options.check_seats(seats, *SEATS)
        stacks = options.check_chips(names, rules.starting_chips if chips is None else chips)
        options.check_name(names, thrower)
        start = BarbudiState(names, rules, "first", Chips(stacks), FirstThrow(names))
        if thrower is not None:
            start = replace(barbudi_round.begin(start, thrower, ()), events=())
        super().__init__(
            start,
            {
                "game": self.key,
                "config": options.to_json(rules),
                "players": list(names),
                "chips": stacks,
                "thrower": thrower,
            },
        )

    @classmethod
    def from_start(cls, start: Mapping[str, Any]) -> Self:
        """See `Game.from_start`."""
        rules = options.from_json(BarbudiRules, start.get("config"))
        return cls(start["players"], rules, start.get("chips"), start.get("thrower"))

    def as_json(self) -> dict[str, Any]:
        """See `Game.as_json`."""
        s = self.state
        outcome = self.outcome()
        return {
            "chips": dict(s.chips.stacks),
            "fader": s.fader,
            "house": s.chips.house,
            "matched": s.matched,
            "next_to_throw": s.next_to_throw,
            "phase": s.phase,
            "pot": s.pot,
            "result": s.result,
            "returned": s.returned,
            "thrower": s.thrower,
            "throws": s.throws,
            "winner": s.winner,
            "stake": s.stake,
            "covers": [list(cover) for cover in s.covers],
            "side_bets": [list(bet) for bet in s.side_bets],
            "two_shot": s.two_shot,
            "vari_pending": s.vari,
            "escrow": s.chips.escrow,
            "rounds": s.rounds,
            "over": s.phase == "over",
            "ranking": [list(place) for place in outcome.ranking] if outcome else None,
        }

    @staticmethod
    def _prompt(state: BarbudiState) -> Prompt | None:
        """See `Game._prompt`."""
        s = state
        match s.phase:
            case "first":
                return first.prompt(s.contest, s.rules.start, s.seats, 1, _also(s))
            case "stake":
                assert s.fader is not None
                has = s.chips.stacks[s.fader]
                low, high = 1, has
                if s.rules.fixed_stake is not None:
                    low, high = s.rules.fixed_stake, min(has, s.rules.fixed_stake)
                extra = ("two_shot",) if s.rules.two_shot else ()
                stake = AmountWanted("stake", s.fader, low, high, extra)
                decline = ChoiceWanted("decline", s.fader)
                wants: tuple[Want, ...] = (stake, decline) if low <= high else (decline,)
                return Prompt(s.fader, wants, _also(s))
            case "cover":
                by = s.to_cover[0]
                high = min(s.stake - s.matched, s.chips.stacks[by])
                return Prompt(by, (AmountWanted("cover", by, 0, high),), _also(s))
            case "throw":
                assert s.next_to_throw is not None
                throw = DiceWanted(s.next_to_throw, pairs.DICE)
                call = s.rules.vari and not s.vari
                vari = (ChoiceWanted("vari", s.next_to_throw),) if call else ()
                return Prompt(s.next_to_throw, (throw, *vari), _also(s))
            case "choice":
                asked = [who for who in (s.thrower, s.fader) if who and who not in s.going_on]
                return Prompt(
                    asked[0],
                    tuple(
                        ChoiceWanted("two_shot_choice", who, barbudi_round.TWO_SHOT)
                        for who in asked
                    ),
                    _also(s),
                )
        return None

    @staticmethod
    def _outcome(state: BarbudiState) -> Outcome | None:
        """See `Game._outcome`."""
        if state.phase != "over":
            return None
        return session.chips_outcome(state.chips, state.stopping or "", "R-BD-13")


def _also(s: BarbudiState) -> tuple[Want, ...]:
    """What is allowed besides what the table waits for: side bets, stopping."""
    also: list[Want] = []
    open_now = s.phase in ("stake", "cover") or (s.phase == "throw" and s.throws == 0)
    if s.rules.side_bets and open_now:
        active = (s.thrower, s.fader)
        limits = [(who, n) for who, n in s.chips.stacks.items() if n and who not in active]
        if len(limits) > 1:
            also.append(SideBetWanted(tuple(limits)))
    if s.stopping is None:
        also.append(session.stop_wanted(s.seats, s.rules.end))
    return tuple(also)
