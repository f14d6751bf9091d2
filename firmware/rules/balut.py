"""Balut: five dice, seven rows of four fields (RULES.md, section 5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Self

from firmware.rules import balut_sheet, balut_turn, first, options
from firmware.rules.balut_sheet import FIELDS, ROWS, Sheet
from firmware.rules.balut_turn import DICE
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
from firmware.rules.options import Choice, Whole, option

SEATS = (1, 6)
"""Smallest and largest number of players (R-BL-1)."""


@dataclass(frozen=True, slots=True)
class BalutRules:
    """The house rules of Balut with their defaults (RULES.md, section 6)."""

    start: str = options.start_option()
    tiebreak: str = option("dice_sum", Choice(("dice_sum", "none")))
    games: int = option(1, Whole(1))
    variant: str = option("standard", Choice(("standard", "singapore")))


@dataclass(frozen=True)
class BalutState:
    """Everything of a Balut match at one moment."""

    seats: tuple[str, ...]
    """Clockwise."""
    rules: BalutRules
    phase: str
    """`first` (who begins), `throw` (the first throw of a turn), `choice` (throw again or enter),
    `enter` (no throws left) or `over`."""
    sheets: Mapping[str, Sheet]
    """The sheet of every player."""
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
    last_sheets: Mapping[str, Sheet] = field(default_factory=dict)
    """The sheets of the last finished game."""
    events: tuple[Event, ...] = ()


class Balut(Game[BalutState]):
    """A game of Balut, or a match of several.

    >>> from firmware.rules.acts import Enter, Throw
    >>> game = Balut(["Eva"])
    >>> game.push(Throw("Eva", (6, 6, 3, 2, 1))).phase
    'choice'
    >>> game.push(Throw("Eva", (6, 4, 1), keep=(6, 6))).table
    (6, 6, 6, 4, 1)
    >>> game.push(Enter("Eva", "sixes")).last_entry
    18
    """

    key = "balut"
    handlers = balut_turn.HANDLERS

    def __init__(
        self,
        seats: Iterable[str],
        rules: BalutRules | None = None,
        order: Iterable[str] | None = None,
        sheets: Mapping[str, Mapping[str, Iterable[int]]] | None = None,
    ) -> None:
        """Seats clockwise; `sheets` for fields filled before, by player and row.

        `order`: playing order of the first round, the seats from the one who begins; None: they
        throw for it, or with `start = host` he is named by the act `Begin` (R-GEN-5). One player
        alone just begins.

        Raises:
            Refused: `players`, `bad_start`.
            ConfigError: a house rule with a value that it can not have.
        """
        rules = BalutRules() if rules is None else rules
        options.check(rules)
        names = options.check_seats(seats, *SEATS)
        filled = _start_sheets(names, rules.variant, sheets or {})
        start = BalutState(names, rules, "first", filled, FirstThrow(names))
        first_order = None if order is None else tuple(order)
        if first_order is not None or len(names) == 1:
            first_order = first_order or names
            if first_order not in (balut_turn.from_seat(names, who) for who in names):
                raise Refused("bad_start", order=first_order)
            start = replace(balut_turn.begin(start, first_order[0], ()), events=())
        super().__init__(
            start,
            {
                "game": self.key,
                "config": options.to_json(rules),
                "players": list(names),
                "order": None if first_order is None else list(first_order),
                "sheets": {
                    who: {row: list(values) for row, values in sheet.items() if values}
                    for who, sheet in filled.items()
                },
            },
        )

    @classmethod
    def from_start(cls, start: Mapping[str, Any]) -> Self:
        """See `Game.from_start`."""
        rules = options.from_json(BalutRules, start.get("config"))
        return cls(start["players"], rules, start.get("order"), start.get("sheets"))

    def as_json(self) -> dict[str, Any]:
        """See `Game.as_json`; `total` is the dice sum of him who entered last."""
        s = self.state
        outcome = self.outcome()
        totals = {who: balut_sheet.dice_sum(sheet) for who, sheet in s.sheets.items()}
        return {
            "last_entry": s.last_entry,
            "order": list(s.order),
            "over": s.phase == "over",
            "round": s.round,
            "total": totals[s.last_by or (s.order or s.seats)[0]],
            "turn": s.turn,
            "phase": s.phase,
            "table": list(s.table),
            "throws": s.throws,
            "totals": totals,
            "points": {
                who: balut_sheet.count(sheet, s.rules.variant).points
                for who, sheet in s.sheets.items()
            },
            "sheets": {
                who: {row: list(values) for row, values in sheet.items()}
                for who, sheet in s.sheets.items()
            },
            "game": s.game,
            "ranking": [list(place) for place in outcome.ranking] if outcome else None,
        }

    @staticmethod
    def _prompt(state: BalutState) -> Prompt | None:
        """See `Game._prompt`."""
        s = state
        if s.phase == "over":
            return None
        if s.phase == "first":
            return first.prompt(s.contest, s.rules.start, s.seats, DICE)
        assert s.turn is not None
        if s.phase == "throw":
            return Prompt(s.turn, (DiceWanted(s.turn, DICE),))
        sheet = s.sheets[s.turn]
        free = tuple(row for row in ROWS if len(sheet[row]) < FIELDS[s.rules.variant])
        enter = ChoiceWanted("enter", s.turn, free)
        if s.phase == "enter":
            return Prompt(s.turn, (enter,))
        return Prompt(s.turn, (DiceWanted(s.turn, DICE, _keeps(s.table), optional=True), enter))

    @staticmethod
    def _outcome(state: BalutState) -> Outcome | None:
        """See `Game._outcome`; scores are points (of all games of a match)."""
        if state.phase != "over":
            return None
        results = match_results(state)
        ranking = balut_sheet.rank(results, state.rules.tiebreak)
        scores = tuple((who, points) for who, (points, _) in results.items())
        rule = "R-BL-6" if state.rules.games == 1 else "R-BL-9"
        return Outcome(ranking[0], ranking, "filled", rule, scores)


def match_results(state: BalutState) -> dict[str, tuple[int, int]]:
    """Points and dice sum of everybody, added over the finished games (R-BL-9)."""
    results = dict.fromkeys(state.seats, (0, 0))
    for game in state.finished:
        for who, points, total in game:
            results[who] = (results[who][0] + points, results[who][1] + total)
    return results


def _keeps(table: tuple[int, ...]) -> tuple[Keep, ...]:
    """Every way to keep none to four of the dice on the table (R-BL-2)."""
    return tuple(
        Keep(kept, DICE - size)
        for size in range(DICE)
        for kept in sorted(set(combinations(table, size)), reverse=True)
    )


def _start_sheets(
    seats: tuple[str, ...], variant: str, given: Mapping[str, Mapping[str, Iterable[int]]]
) -> dict[str, Sheet]:
    """The sheets at the start; code `bad_start` for fields that can not be so."""
    for who in given:
        if who not in seats:
            raise Refused("bad_start", by=who)
    sheets: dict[str, Sheet] = {}
    for who in seats:
        rows = {row: tuple(given.get(who, {}).get(row, ())) for row in ROWS}
        strange = [row for row in given.get(who, {}) if row not in ROWS]
        for row, values in rows.items():
            top = balut_sheet.highest(row, variant)
            possible = all(type(value) is int and 0 <= value <= top for value in values)
            if len(values) > FIELDS[variant] or not possible:
                strange.append(row)
        if strange:
            raise Refused("bad_start", by=who, row=strange[0])
        sheets[who] = rows
    if all(
        len(values) == FIELDS[variant] for sheet in sheets.values() for values in sheet.values()
    ):
        raise Refused("bad_start", by=None, row=None)
    return sheets
