"""What the acts of a Balut game do: pure functions from state and act to state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from firmware.rules import acts, balut_sheet, checks, first
from firmware.rules.acts import Act
from firmware.rules.balut_sheet import FIELDS, ROWS
from firmware.rules.first import FirstThrow
from firmware.rules.frozen import replace
from firmware.rules.game import Event, Refused

if TYPE_CHECKING:
    from firmware.rules.balut import BalutState

DICE = 5
THROWS = 3
"""Throws in a turn (R-BL-2)."""


def from_seat(seats: tuple[str, ...], who: str) -> tuple[str, ...]:
    """The playing order clockwise, beginning with `who`."""
    at = seats.index(who)
    return (*seats[at:], *seats[:at])


def begin(s: BalutState, who: str, events: Iterable[Event]) -> BalutState:
    """The first round of a game."""
    filled = min(sum(len(fields) for fields in sheet.values()) for sheet in s.sheets.values())
    s = replace(s, contest=None, order=from_seat(s.seats, who), round=filled + 1)
    return _round(s, None, list(events))


# --- acts ----------------------------------------------------------------------------------------


def _throw(s: BalutState, act: acts.Throw) -> BalutState:
    if s.phase == "first":
        contest, beginner, events = first.throw(s.contest, s.rules.start, act, DICE)
        if beginner is None:
            return replace(s, contest=contest, events=events)
        return begin(s, beginner, events)
    checks.turn(act.by, s.turn)
    if s.phase == "enter":
        raise Refused("no_throws_left", by=act.by)
    kept = () if act.keep is None else act.keep
    if Counter(kept) - Counter(s.table):
        raise Refused("keep_not_on_table", by=act.by, keep=kept, table=s.table)
    if len(kept) == DICE:
        raise Refused("wrong_dice", count=len(act.dice), due=None)
    checks.dice(act.dice, DICE - len(kept))
    kept = checks.high_to_low(kept)
    thrown = checks.high_to_low(act.dice)
    throws = s.throws + 1
    event = Event("throw", "R-BL-2", who=act.by, dice=thrown, amount=throws)
    keeping = (Event("kept", "R-BL-2", who=act.by, dice=kept),) if kept else ()
    return replace(
        s,
        phase="choice" if throws < THROWS else "enter",
        table=checks.high_to_low((*kept, *thrown)),
        kept=kept,
        throws=throws,
        events=(*keeping, event),
    )


def _void_throw(s: BalutState, act: acts.VoidThrow) -> BalutState:
    checks.turn(act.by, first.due(s.contest, s.rules.start) or s.turn)
    if s.phase == "enter":
        raise Refused("no_throws_left", by=act.by)
    return replace(s, events=(Event("void_throw", "R-GEN-1", who=act.by, row=act.reason),))


def _host_names(s: BalutState, act: acts.Begin) -> BalutState:
    return begin(s, act.who, first.named(s.contest, s.rules.start, s.seats, act))


def _enter(s: BalutState, act: acts.Enter) -> BalutState:
    checks.turn(act.by, s.turn)
    if not s.table:
        raise Refused("not_thrown", by=act.by)
    if act.category not in ROWS:
        raise Refused("bad_category", category=act.category, options=tuple(ROWS))
    row = act.category
    sheet = s.sheets[act.by]
    size = FIELDS[s.rules.variant]
    if len(sheet[row]) >= size:
        raise Refused("row_full", by=act.by, row=row)
    value = balut_sheet.field_value(row, s.table, s.rules.variant)
    fields = (*sheet[row], value)
    events = []
    if len(set(s.table)) == 1:
        events.append(Event("five_alike", "R-BL-7", who=act.by, amount=s.table[0], dice=s.table))
    kind = "entered" if value else "struck"
    events.append(
        Event(kind, "R-BL-3", who=act.by, dice=s.table, row=row, amount=value, total=sum(fields))
    )
    if len(fields) == size and s.rules.variant == "standard":
        points = balut_sheet.row_points(row, fields)
        events.append(
            Event("row_filled", "R-BL-3", who=act.by, row=row, amount=points, total=sum(fields))
        )
    s = replace(
        s,
        sheets={**s.sheets, act.by: {**sheet, row: fields}},
        entries=(*s.entries, (act.by, value)),
        last_entry=value,
        last_by=act.by,
    )
    return _next(s, events)


HANDLERS: dict[type[Act], Any] = {
    acts.Throw: _throw,
    acts.VoidThrow: _void_throw,
    acts.Begin: _host_names,
    acts.Enter: _enter,
}
"""Act -> what applies it: (state, act) -> state, or Refused."""


# --- what follows from them ----------------------------------------------------------------------


def _full(s: BalutState, who: str) -> bool:
    size = FIELDS[s.rules.variant]
    return all(len(fields) == size for fields in s.sheets[who].values())


def _turn(s: BalutState, who: str, events: list[Event]) -> BalutState:
    events.append(Event("turn", "R-BL-2", who=who, amount=DICE))
    return replace(s, phase="throw", turn=who, table=(), kept=(), throws=0, events=tuple(events))


def _round(s: BalutState, best: int | None, events: list[Event]) -> BalutState:
    """The first turn of a round; sheets begun unequally may leave somebody without one."""
    who = next(one for one in s.order if not _full(s, one))
    events.append(Event("round_begins", "R-BL-5", who=who, amount=s.round, total=best))
    return _turn(replace(s, entries=()), who, events)


def _next(s: BalutState, events: list[Event]) -> BalutState:
    """The next player of the round, the next round (R-BL-5) or the final count (R-BL-6)."""
    entered = [who for who, _ in s.entries]
    left = [who for who in s.order if who not in entered and not _full(s, who)]
    if left:
        return _turn(s, left[0], events)
    if all(_full(s, who) for who in s.seats):
        return _count(s, events)
    # The highest entry; of equal ones the first in the order of throwing (A-BL-2).
    starter, best = max(s.entries, key=lambda entry: entry[1])
    s = replace(s, order=from_seat(s.seats, starter), round=s.round + 1)
    return _round(s, best, events)


def _count(s: BalutState, events: list[Event]) -> BalutState:
    """The final count of a game, then the next game of the match or the end (R-BL-9)."""
    results = []
    for who in s.seats:
        count = balut_sheet.count(s.sheets[who], s.rules.variant)
        results.append((who, count.points, count.dice_sum))
        shares = (*count.rows, ("addition", count.addition)) if count.rows else ()
        rule = "R-BL-4" if s.rules.variant == "standard" else "R-BL-10"
        events.append(
            Event(
                "counted", rule, who=who, amount=count.points, total=count.dice_sum, shares=shares
            )
        )
    s = replace(
        s,
        turn=None,
        table=(),
        kept=(),
        throws=0,
        finished=(*s.finished, tuple(results)),
        last_sheets=s.sheets,
    )
    if len(s.finished) == s.rules.games:
        events.append(Event("game_over", "R-BL-6", row="filled"))
        return replace(s, phase="over", events=tuple(events))
    game = len(s.finished) + 1
    events.append(Event("game_begins", "R-BL-9", amount=game))
    empty = {who: dict.fromkeys(ROWS, ()) for who in s.seats}
    s = replace(
        s,
        phase="first",
        contest=FirstThrow(s.seats),
        sheets=empty,
        game=game,
        round=1,
        order=(),
        entries=(),
    )
    if len(s.seats) == 1:
        return begin(s, s.seats[0], events)
    return replace(s, events=tuple(events))
