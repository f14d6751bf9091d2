"""Барбут, the Bulgarian game with three dice (RULES.md, section 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from firmware.rules import bg_turn, bg_values, first, options
from firmware.rules.first import FirstThrow
from firmware.rules.frozen import replace
from firmware.rules.game import (
    ChoiceWanted,
    DiceWanted,
    Event,
    Game,
    Keep,
    Outcome,
    Prompt,
    Refused,
)
from firmware.rules.options import Choice, Switch, Whole, option

SEATS = (2, 9)
"""Smallest and largest number of players (R-BG-1)."""


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


@dataclass(frozen=True)
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
    lost: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Total and turn points lost by 6-6-6 that may still come back, by player."""
    event: str | None = None
    """What the last throw or record brought: `scored`, `banked`, `bust`, `opened`, `not_opened`,
    `wiped`, `restored`, `not_restored` or `finished`."""
    ranking: tuple[str, ...] = ()
    """Who has finished, first first; at the end everybody."""
    events: tuple[Event, ...] = ()


class BarbutBg(Game[BarbutBgState]):
    """A game with three dice.

    >>> from firmware.rules.acts import Bank, Throw
    >>> game = BarbutBg(["Ana", "Boris"], turn="Ana")
    >>> game.push(Throw("Ana", (1, 5, 6))).turn_points, game.state.dice_next
    (150, 1)
    >>> game.push(Bank("Ana")).totals["Ana"]
    150
    """

    key = "barbut_bg"
    handlers = bg_turn.HANDLERS

    def __init__(
        self,
        seats: Iterable[str],
        rules: BarbutBgRules | None = None,
        turn: str | None = None,
        totals: Mapping[str, int] | None = None,
        opened: Mapping[str, bool] | None = None,
    ) -> None:
        """Seats clockwise; `totals` and `opened` where they are not 0 and False.

        `turn`: who begins; None: they throw for it, or with `start = host` he is named by the act
        `Begin` (R-GEN-5).

        Raises:
            Refused: `players`, `bad_start`.
            ConfigError: a house rule with a value that it can not have.
        """
        rules = BarbutBgRules() if rules is None else rules
        options.check(rules)
        names = options.check_seats(seats, *SEATS)
        options.check_name(names, turn)
        points = _start_values(names, totals or {}, 0)
        open_ = _start_values(names, opened or {}, False)
        for who, total in points.items():
            if type(total) is not int or not 0 <= total < rules.target:
                raise Refused("bad_start", by=who, amount=total)
            if type(open_[who]) is not bool:
                raise Refused("bad_start", by=who, opened=open_[who])
        start = BarbutBgState(names, rules, "first", points, open_, FirstThrow(names))
        if turn is not None:
            start = replace(bg_turn.begin(start, turn, ()), events=())
        super().__init__(
            start,
            {
                "game": self.key,
                "config": options.to_json(rules),
                "players": list(names),
                "totals": points,
                "opened": open_,
                "turn": turn,
            },
        )

    @classmethod
    def from_start(cls, start: Mapping[str, Any]) -> Self:
        """See `Game.from_start`."""
        rules = options.from_json(BarbutBgRules, start.get("config"))
        return cls(
            start["players"], rules, start.get("turn"), start.get("totals"), start.get("opened")
        )

    def as_json(self) -> dict[str, Any]:
        """See `Game.as_json`."""
        s = self.state
        return {
            "dice_next": s.dice_next,
            "event": s.event,
            "opened": dict(s.opened),
            "over": s.phase == "over",
            "ranking": list(s.ranking),
            "recovery": s.recovery,
            "totals": dict(s.totals),
            "turn": s.turn,
            "turn_points": s.turn_points,
            "phase": s.phase,
            "throws": s.throws,
            "aside": list(s.aside),
            "lost": {who: list(points) for who, points in s.lost.items()},
        }

    @staticmethod
    def _prompt(state: BarbutBgState) -> Prompt | None:
        """See `Game._prompt`."""
        s = state
        if s.phase == "over":
            return None
        if s.phase == "first":
            return first.prompt(s.contest, s.rules.start, s.seats, 1)
        assert s.turn is not None
        assert s.dice_next is not None
        if s.phase == "throw":
            return Prompt(s.turn, (DiceWanted(s.turn, s.dice_next),))
        keeps: tuple[Keep, ...] = ()
        if s.rules.set_aside == "choose" and s.scoring:
            keeps = tuple(
                Keep(chosen, len(s.dice) - len(chosen) or bg_turn.DICE)
                for chosen in bg_values.ways_to_set_aside(s.dice)
            )
        throw = DiceWanted(s.turn, s.dice_next, keeps, optional=True)
        return Prompt(s.turn, (throw, ChoiceWanted("bank", s.turn)))

    @staticmethod
    def _outcome(state: BarbutBgState) -> Outcome | None:
        """See `Game._outcome`."""
        if state.phase != "over":
            return None
        ranking = tuple((who,) for who in state.ranking)
        scores = tuple((who, state.totals[who]) for who in state.seats)
        return Outcome(ranking[0], ranking, "finished", "R-BG-8", scores)


def _start_values(seats: tuple[str, ...], given: Mapping[str, Any], default: Any) -> dict[str, Any]:
    """A value for every seat; refuse names that are not at the table."""
    for who in given:
        if who not in seats:
            raise Refused("bad_start", by=who)
    return {who: given.get(who, default) for who in seats}
