"""What the acts of a three-dice game do: pure functions from state and act to state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from firmware.rules import acts, bg_values, checks, first
from firmware.rules.acts import Act
from firmware.rules.bg_values import Value
from firmware.rules.frozen import replace
from firmware.rules.game import Event, Refused

if TYPE_CHECKING:
    from firmware.rules.barbut_bg import BarbutBgState

DICE = 3
"""Dice in this game; fewer are due when some are set aside (R-BG-4)."""


def begin(s: BarbutBgState, who: str, events: Iterable[Event]) -> BarbutBgState:
    """The first turn of the game."""
    return _turn(replace(s, contest=None), who, list(events))


# --- acts ----------------------------------------------------------------------------------------


def _throw(s: BarbutBgState, act: acts.Throw) -> BarbutBgState:
    if s.phase == "first":
        contest, beginner, events = first.throw(s.contest, s.rules.start, act, 1)
        if beginner is None:
            return replace(s, contest=contest, events=events)
        return begin(s, beginner, events)
    checks.turn(act.by, s.turn)
    before: list[Event] = []
    s = _set_aside(s, act, before)
    assert s.dice_next is not None
    checks.dice(act.dice, s.dice_next)
    value = bg_values.value(act.dice)
    counts = s.opened[act.by] or s.rules.opening_scores
    s = replace(s, dice=checks.high_to_low(act.dice), throws=s.throws + int(counts))
    if not s.opened[act.by]:
        return _opening(s, act.by, value)
    if s.recovery:
        return _recovery(s, act.by, value)
    if value.kind == "wipe":
        return _wipe(s, act.by, before)
    if not value.points:
        bust = _event(s, "bust", "R-BG-5", amount=s.turn_points, row="nothing")
        return _next_turn(replace(s, event="bust"), [*before, bust])
    return _score(s, value, "scored", before)


def _void_throw(s: BarbutBgState, act: acts.VoidThrow) -> BarbutBgState:
    checks.turn(act.by, first.due(s.contest, s.rules.start) or s.turn)
    return replace(s, events=(Event("void_throw", "R-GEN-1", who=act.by, row=act.reason),))


def _host_names(s: BarbutBgState, act: acts.Begin) -> BarbutBgState:
    return begin(s, act.who, first.named(s.contest, s.rules.start, s.seats, act))


def _bank(s: BarbutBgState, act: acts.Bank) -> BarbutBgState:
    checks.turn(act.by, s.turn)
    if s.phase != "choice":
        raise Refused("nothing_to_bank", by=act.by)
    return _record(s, act.by, None, [])


HANDLERS: dict[type[Act], Any] = {
    acts.Throw: _throw,
    acts.VoidThrow: _void_throw,
    acts.Begin: _host_names,
    acts.Bank: _bank,
}
"""Act -> what applies it: (state, act) -> state, or Refused."""


# --- what follows from them ----------------------------------------------------------------------


def _event(s: BarbutBgState, kind: str, rule: str, **more: Any) -> Event:
    """An event about the throw just made."""
    return Event(kind, rule, who=s.turn, dice=s.dice, **more)


def _set_aside(s: BarbutBgState, act: acts.Throw, events: list[Event]) -> BarbutBgState:
    """What is set aside before this throw; by default all that scored in the last (A-BG-6).

    With `set_aside = choose` the player may name fewer: he then has the points of these only.
    """
    if act.keep is None or (not act.keep and s.phase == "throw"):
        return s
    chosen = checks.high_to_low(act.keep)
    allowed: Iterable[tuple[int, ...]] = (s.scoring,)
    if s.rules.set_aside == "choose" and s.phase == "choice" and s.scoring:
        allowed = bg_values.ways_to_set_aside(s.dice)
    if s.phase != "choice" or chosen not in allowed:
        raise Refused("keep_not_on_table", by=act.by, keep=act.keep, table=s.dice)
    if chosen == s.scoring:
        return s
    points = bg_values.value(chosen).points
    aside = (*s.aside[: len(s.aside) - len(s.scoring)], *chosen)
    turn_points = s.turn_points - s.last_value + points
    events.append(
        Event("set_aside", "R-BG-4", who=act.by, dice=chosen, amount=points, total=turn_points)
    )
    return replace(s, aside=aside, turn_points=turn_points, dice_next=DICE - len(aside) or DICE)


def _opening(s: BarbutBgState, who: str, value: Value) -> BarbutBgState:
    """The throw of a player who is not opened (R-BG-3)."""
    if not bg_values.opens(s.dice, s.rules.opening):
        failed = _event(s, "not_opened", "R-BG-3", row=s.rules.opening)
        return _next_turn(replace(s, event="not_opened"), [failed])
    points = value.points if s.rules.opening_scores else 0
    opened = _event(s, "opened", "R-BG-3", amount=points, row=s.rules.opening)
    s = replace(s, opened={**s.opened, who: True}, event="opened")
    if not s.rules.opening_scores:
        return replace(s, events=(opened,))
    return _score(s, value, "opened", [opened])


def _score(s: BarbutBgState, value: Value, event: str, events: list[Event]) -> BarbutBgState:
    """A throw that scores (R-BG-4), with the ends that it may bring (R-BG-8, A-BG-9)."""
    assert s.turn is not None
    turn_points = s.turn_points + value.points
    before = s.aside if len(s.aside) < DICE else ()
    aside = (*before, *value.scoring)
    s = replace(
        s,
        phase="choice",
        turn_points=turn_points,
        dice_next=DICE - len(aside) or DICE,
        scoring=value.scoring,
        last_value=value.points,
        aside=aside,
        event=event,
    )
    events.append(
        _event(s, "scored", "R-BG-2", row=value.kind, amount=value.points, total=turn_points)
    )
    assert s.turn is not None  # mypy forgets it over the replace
    reached = s.totals[s.turn] + turn_points
    if s.rules.finish == "exact" and reached > s.rules.target:
        bust = _event(s, "bust", "R-BG-8", amount=turn_points, row="over_target", total=reached)
        return _next_turn(replace(s, event="bust"), [*events, bust])
    if s.rules.auto_bank and reached >= s.rules.target:
        return _record(s, s.turn, "auto", events)
    return _limit(s, events)


def _limit(s: BarbutBgState, events: list[Event]) -> BarbutBgState:
    """After the last throw that `max_throws` allows the points are recorded (A-BG-9)."""
    assert s.turn is not None
    if s.rules.max_throws and s.throws >= s.rules.max_throws:
        return _record(s, s.turn, "limit", events)
    return replace(s, events=tuple(events))


def _record(s: BarbutBgState, who: str, why: str | None, events: list[Event]) -> BarbutBgState:
    """Turn points are added to the total; the next player, or he has finished (R-BG-8)."""
    total = s.totals[who] + s.turn_points
    events.append(Event("banked", "R-BG-4", who=who, amount=s.turn_points, total=total, row=why))
    s = replace(s, totals={**s.totals, who: total}, event="banked")
    if total >= s.rules.target:
        return _finish(s, who, events)
    return _next_turn(s, events)


def _wipe(s: BarbutBgState, who: str, events: list[Event]) -> BarbutBgState:
    """6-6-6 loses total and turn points, or brings back what an earlier one took (R-BG-7)."""
    if s.rules.restore == "later" and who in s.lost:
        return _restore_later(s, who, events)
    total, turn_points = s.totals[who], s.turn_points
    events.append(_event(s, "wiped", "R-BG-7", amount=total, total=turn_points))
    s = replace(s, totals={**s.totals, who: 0}, turn_points=0, event="wiped")
    if s.rules.restore != "none":
        s = replace(s, lost={**s.lost, who: (total, turn_points)})
    if s.rules.restore != "immediate":
        return _next_turn(s, events)
    return replace(
        s,
        phase="throw",
        recovery=True,
        dice_next=DICE,
        scoring=(),
        last_value=0,
        aside=(),
        events=tuple(events),
    )


def _restore_later(s: BarbutBgState, who: str, events: list[Event]) -> BarbutBgState:
    """`restore = later`: the lost points come back; the turn brings nothing else (A-BG-7)."""
    back = sum(s.lost[who])
    total = s.totals[who] + back
    if s.rules.finish == "exact" and total > s.rules.target:
        # Going over loses what is brought in, here as everywhere under `exact`.
        events.append(_event(s, "bust", "R-BG-8", amount=back, row="over_target", total=total))
        return _next_turn(replace(s, lost=_without(s.lost, who), event="bust"), events)
    events.append(_event(s, "restored", "R-BG-7", amount=back, total=total))
    s = replace(s, totals={**s.totals, who: total}, lost=_without(s.lost, who), event="restored")
    if total >= s.rules.target:
        return _finish(s, who, events)
    return _next_turn(s, events)


def _recovery(s: BarbutBgState, who: str, value: Value) -> BarbutBgState:
    """The throw after 6-6-6 under `restore = immediate` (R-BG-7)."""
    total, turn_points = s.lost[who]
    s = replace(s, recovery=False, lost=_without(s.lost, who))
    if value.kind != "wipe":
        gone = _event(s, "not_restored", "R-BG-7", amount=total, total=turn_points)
        return _next_turn(replace(s, event="not_restored"), [gone])
    back = _event(s, "restored", "R-BG-7", amount=total, total=turn_points)
    s = replace(
        s,
        phase="choice",
        totals={**s.totals, who: total},
        turn_points=turn_points,
        event="restored",
    )
    return _limit(s, [back])


def _without(lost: Mapping[str, tuple[int, int]], who: str) -> dict[str, tuple[int, int]]:
    return {name: points for name, points in lost.items() if name != who}


def _finish(s: BarbutBgState, who: str, events: list[Event]) -> BarbutBgState:
    """He is ranked next in order; when one player is left he is last (R-BG-8)."""
    ranking = (*s.ranking, who)
    events.append(Event("finished", "R-BG-8", who=who, amount=len(ranking), total=s.totals[who]))
    s = replace(s, ranking=ranking, event="finished")
    left = [one for one in s.seats if one not in ranking]
    if len(left) > 1:
        return _next_turn(s, events)
    events.append(Event("last_place", "R-BG-8", who=left[0], amount=len(s.seats)))
    events.append(Event("game_over", "R-BG-8", row="finished"))
    return replace(
        _cleared(s),
        phase="over",
        ranking=(*ranking, left[0]),
        turn=None,
        dice_next=None,
        events=tuple(events),
    )


def _cleared(s: BarbutBgState) -> BarbutBgState:
    """Nothing of the turn is left."""
    return replace(s, turn_points=0, scoring=(), last_value=0, aside=(), throws=0, recovery=False)


def _next_turn(s: BarbutBgState, events: list[Event]) -> BarbutBgState:
    """The next player in order; who has finished is skipped (R-BG-8)."""
    ring = s.seats if s.rules.direction == "clockwise" else s.seats[::-1]
    assert s.turn is not None
    at = ring.index(s.turn)
    order = (*ring[at + 1 :], *ring[: at + 1])
    return _turn(s, next(who for who in order if who not in s.ranking), events)


def _turn(s: BarbutBgState, who: str, events: list[Event]) -> BarbutBgState:
    turn = Event("turn", "R-BG-3" if not s.opened[who] else "R-BG-4", who=who, amount=DICE)
    return replace(_cleared(s), phase="throw", turn=who, dice_next=DICE, events=(*events, turn))
