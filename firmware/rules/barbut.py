"""Barbut with Vari: a wager between two (RULES.md, section 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Self

from firmware.rules import acts, checks, first, options, pairs, session
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
    Refused,
    Want,
)
from firmware.rules.options import Choice, End, Switch, Whole, option

SEATS = (2, 12)
"""Smallest and largest number of players (R-BT-1)."""


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


@dataclass(frozen=True)
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


class Barbut(Game[BarbutState]):
    """A Barbut session.

    >>> from firmware.rules.acts import Throw, Wager
    >>> game = Barbut(["A", "B", "C"], chips=20, thrower="A")
    >>> game.push(Wager(5)).phase, game.push(Throw("A", (1, 1))).opponent
    ('throw', 'C')
    """

    key = "barbut"

    def __init__(
        self,
        seats: Iterable[str],
        rules: BarbutRules | None = None,
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
        rules = BarbutRules() if rules is None else rules
        options.check(rules)
        names = options.check_seats(seats, *SEATS)
        stacks = options.check_chips(names, rules.starting_chips if chips is None else chips)
        options.check_name(names, thrower)
        start = BarbutState(names, rules, "first", Chips(stacks), FirstThrow(names))
        if thrower is not None:
            start = replace(_begin(start, thrower, ()), events=())
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
        rules = options.from_json(BarbutRules, start.get("config"))
        return cls(start["players"], rules, start.get("chips"), start.get("thrower"))

    def as_json(self) -> dict[str, Any]:
        """See `Game.as_json`."""
        s = self.state
        outcome = self.outcome()
        return {
            "chips": dict(s.chips.stacks),
            "next_to_throw": s.next_to_throw,
            "opponent": s.opponent,
            "phase": s.phase,
            "stake": s.stake,
            "thrower": s.thrower,
            "throws": s.throws,
            "transferred": s.transferred,
            "vari_pending": s.vari,
            "winner": s.winner,
            "escrow": s.chips.escrow,
            "rounds": s.rounds,
            "over": s.phase == "over",
            "ranking": [list(place) for place in outcome.ranking] if outcome else None,
        }

    @staticmethod
    def _prompt(state: BarbutState) -> Prompt | None:
        """See `Game._prompt`."""
        s = state
        also: tuple[Want, ...] = ()
        if s.stopping is None:
            also = (session.stop_wanted(s.seats, s.rules.end),)
        if s.phase == "first":
            return first.prompt(s.contest, s.rules.start, s.seats, 1, also)
        if s.phase == "throw":
            assert s.next_to_throw is not None
            throw = DiceWanted(s.next_to_throw, pairs.DICE)
            call = s.rules.vari and not s.vari
            vari = (ChoiceWanted("vari", s.next_to_throw),) if call else ()
            return Prompt(s.next_to_throw, (throw, *vari), also)
        if s.phase == "over":
            return None
        assert s.opponent is not None
        wager = AmountWanted("wager", s.opponent, 1, _highest_wager(s))
        return Prompt(s.opponent, (wager, ChoiceWanted("decline", s.opponent)), also)

    @staticmethod
    def _outcome(state: BarbutState) -> Outcome | None:
        """See `Game._outcome`."""
        if state.phase != "over":
            return None
        return session.chips_outcome(state.chips, state.stopping or "", "R-BT-8")


def _highest_wager(s: BarbutState) -> int:
    """The smaller of the two stacks (R-BT-2)."""
    assert s.thrower is not None
    assert s.opponent is not None
    return min(s.chips.stacks[s.thrower], s.chips.stacks[s.opponent])


# --- acts ----------------------------------------------------------------------------------------


def _first_throw(s: BarbutState, act: acts.Throw) -> BarbutState:
    contest, beginner, events = first.throw(s.contest, s.rules.start, act, 1)
    if beginner is None:
        return replace(s, contest=contest, events=events)
    return _begin(s, beginner, events)


def _host_names(s: BarbutState, act: acts.Begin) -> BarbutState:
    return _begin(s, act.who, first.named(s.contest, s.rules.start, s.seats, act))


def _begin(s: BarbutState, thrower: str, events: Iterable[Event]) -> BarbutState:
    """The first thrower meets the player after him (R-BT-5)."""
    ring = _ring(s)
    if not s.chips.stacks[thrower]:
        # Chips may be unequal from the start; without any he can agree no wager.
        thrower = next(who for who in _after(ring, thrower) if s.chips.stacks[who])
    waiting = _after(ring, thrower)
    s = replace(s, contest=None, thrower=thrower, newcomer=thrower, queue=waiting)
    return _ask(s, events)


def _throw(s: BarbutState, act: acts.Throw) -> BarbutState:
    if s.phase == "first":
        return _first_throw(s, act)
    checks.turn(act.by, s.next_to_throw)
    checks.no_keep(act.keep)
    checks.dice(act.dice, pairs.DICE)
    assert s.thrower is not None
    assert s.opponent is not None
    row = pairs.classify(act.dice)
    meaning = pairs.meaning(row, s.vari)
    other = s.opponent if act.by == s.thrower else s.thrower
    shown = checks.high_to_low(act.dice)
    thrown = Event(
        "throw", "R-BT-3", who=act.by, dice=shown, row=row.key, meaning=meaning, vari=s.vari
    )
    s = replace(s, throws=s.throws + 1, dice=shown, vari=False, next_to_throw=other)
    if meaning == "nothing":
        return replace(s, events=(thrown, Event("dice_pass", "R-BT-3", who=other)))
    winner, loser = (act.by, other) if meaning == "win" else (other, act.by)
    return _settle(s, winner, loser, [thrown])


def _void_throw(s: BarbutState, act: acts.VoidThrow) -> BarbutState:
    checks.turn(act.by, first.due(s.contest, s.rules.start) or s.next_to_throw)
    return replace(s, events=(Event("void_throw", "R-GEN-1", who=act.by, row=act.reason),))


def _vari(s: BarbutState, act: acts.Vari) -> BarbutState:
    if not s.rules.vari:
        raise Refused("vari_off")
    checks.turn(act.by, s.next_to_throw)
    if s.vari:
        raise Refused("too_late", by=act.by)
    return replace(s, vari=True, events=(Event("vari", "R-BT-6", who=act.by),))


def _wager(s: BarbutState, act: acts.Wager) -> BarbutState:
    if s.phase not in ("wager", "paused"):
        raise Refused("out_of_turn", by=act.by, due=s.next_to_throw)
    if act.by not in (None, s.thrower, s.opponent):
        raise Refused("out_of_turn", by=act.by, due=s.opponent)
    checks.amount(act.amount, 1)
    high = _highest_wager(s)
    if act.amount > high:
        raise Refused("not_enough_chips", by=None, amount=act.amount, high=high)
    assert s.thrower is not None
    assert s.opponent is not None
    both = (s.thrower, s.opponent)
    return replace(
        s,
        phase="throw",
        chips=s.chips.put_up(*((who, act.amount) for who in both)),
        stake=act.amount,
        declined=(),
        next_to_throw=s.thrower,
        throws=0,
        dice=(),
        winner=None,
        transferred=0,
        events=(Event("wager", "R-BT-2", who=both[0], other=both[1], amount=act.amount),),
    )


def _decline(s: BarbutState, act: acts.Decline) -> BarbutState:
    checks.turn(act.by, s.opponent if s.phase in ("wager", "paused") else None)
    s = replace(s, declined=(*s.declined, act.by), queue=(*s.queue, act.by))
    return _ask(s, [Event("declined", "R-BT-5", who=act.by)])


def _stop(s: BarbutState, act: acts.Stop) -> BarbutState:
    session.check_stop(act, s.stopping, s.rules.end)
    events = [Event("stop_called", "R-BT-8", row=act.reason)]
    s = replace(s, stopping=act.reason, events=tuple(events))
    return s if s.phase == "throw" else _over(s, events)


Barbut.handlers = {
    acts.Throw: _throw,
    acts.VoidThrow: _void_throw,
    acts.Begin: _host_names,
    acts.Stop: _stop,
    acts.Wager: _wager,
    acts.Decline: _decline,
    acts.Vari: _vari,
}


# --- what follows from them ----------------------------------------------------------------------


def _settle(s: BarbutState, winner: str, loser: str, events: list[Event]) -> BarbutState:
    """The winner takes both stakes and the dice (R-BT-4, R-BT-5, R-BT-7)."""
    special = dict(s.rules.special_pay).get("-".join(map(str, s.dice)))
    moved = s.stake if special is None else int(s.stake * special)
    chips = s.chips.pay_out([(winner, s.stake + moved), (loser, s.stake - moved)])
    events.append(
        Event(
            "wager_won",
            "R-BT-4" if special is None else "R-BT-7",
            who=winner,
            other=loser,
            amount=moved,
            total=s.stake,
            row=None if special is None else "special_pay",
        )
    )
    s = replace(
        s,
        chips=chips,
        thrower=winner,
        queue=(*s.queue, loser),
        next_to_throw=None,
        winner=winner,
        transferred=moved,
        rounds=s.rounds + 1,
    )
    return _ask(s, events)


def _ask(s: BarbutState, events: Iterable[Event]) -> BarbutState:
    """Ask the next player for a wager, pause, or end (R-BT-5, R-BT-8)."""
    stopping = session.reason_to_stop(s.chips, s.rounds, s.rules.end, s.stopping)
    if stopping is not None:
        return _over(replace(s, stopping=stopping), events)
    waiting = _waiting(s)
    paused = not any(who not in s.declined for who in waiting)
    declined = () if paused else s.declined
    opponent = next(who for who in waiting if who not in declined)
    event = Event("paused" if paused else "next_opponent", "R-BT-5", who=s.thrower, other=opponent)
    return replace(
        s,
        phase="paused" if paused else "wager",
        opponent=opponent,
        newcomer=opponent,
        queue=tuple(who for who in s.queue if who != opponent),
        declined=declined,
        events=(*events, event),
    )


def _waiting(s: BarbutState) -> tuple[str, ...]:
    """Who can meet the thrower, next first; players without chips can not pay."""
    assert s.newcomer is not None
    order = s.queue
    if s.rules.next_opponent == "seat":
        order = (*_after(_ring(s), s.newcomer), s.newcomer)
    return tuple(who for who in order if who != s.thrower and s.chips.stacks[who])


def _over(s: BarbutState, events: Iterable[Event]) -> BarbutState:
    over = Event("game_over", "R-BT-8", row=s.stopping)
    return replace(s, phase="over", contest=None, opponent=None, events=(*events, over))


def _ring(s: BarbutState) -> tuple[str, ...]:
    """The seats in the direction of play."""
    return s.seats if s.rules.direction == "counter-clockwise" else s.seats[::-1]


def _after(ring: tuple[str, ...], who: str) -> tuple[str, ...]:
    """The others, beginning with the next one round the table."""
    at = ring.index(who)
    return (*ring[at + 1 :], *ring[:at])
