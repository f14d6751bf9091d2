"""The throw for the first player (R-GEN-5), the same in all games."""

from __future__ import annotations

from dataclasses import dataclass

from firmware.rules import acts, checks
from firmware.rules.game import ChoiceWanted, DiceWanted, Event, Prompt, Refused, Want

RULE = "R-GEN-5"


@dataclass(frozen=True, slots=True)
class FirstThrow:
    """Everyone throws once; the highest begins; those tied for highest throw again, only they."""

    waiting: tuple[str, ...]
    """Who still has to throw in this round, next first."""
    thrown: tuple[tuple[str, int], ...] = ()
    """What the others threw in this round: player and sum of faces."""
    rounds: int = 1


def due(contest: FirstThrow | None, start: str) -> str | None:
    """Whose throw for the first place is due; None when there is none (`start = host`)."""
    return contest.waiting[0] if contest is not None and start == "highest_die" else None


def throw(
    contest: FirstThrow | None, start: str, act: acts.Throw, dice: int
) -> tuple[FirstThrow | None, str | None, tuple[Event, ...]]:
    """One throw of `dice` dice: the contest after it, the beginner if he is found, the events.

    Raises:
        Refused: `out_of_turn`, `wrong_dice`, `bad_dice`, `keep_not_on_table`.
    """
    checks.turn(act.by, due(contest, start))
    checks.no_keep(act.keep)
    checks.dice(act.dice, dice)
    assert contest is not None
    value = sum(act.dice)
    shown = checks.high_to_low(act.dice)
    events = [Event("first_throw", RULE, who=act.by, dice=shown, amount=value)]
    thrown = (*contest.thrown, (act.by, value))
    waiting = contest.waiting[1:]
    if waiting:
        return FirstThrow(waiting, thrown, contest.rounds), None, tuple(events)
    best = max(value for _, value in thrown)
    tied = tuple(name for name, value in thrown if value == best)
    if len(tied) > 1:
        shares = tuple((name, best) for name in tied)
        events.append(Event("first_tied", RULE, amount=best, shares=shares))
        return FirstThrow(tied, (), contest.rounds + 1), None, tuple(events)
    events.append(Event("first_found", RULE, who=tied[0], amount=best))
    return None, tied[0], tuple(events)


def named(
    contest: FirstThrow | None, start: str, seats: tuple[str, ...], act: acts.Begin
) -> tuple[Event, ...]:
    """The host names the beginner: the events.

    Raises:
        Refused: `out_of_turn` when that is not what is waited for, `bad_choice` for a stranger.
    """
    if contest is None or start != "host":
        raise Refused("out_of_turn", by=act.who, due=due(contest, start))
    if act.who not in seats:
        raise Refused("bad_choice", choice=act.who, options=seats)
    return (Event("first_found", RULE, who=act.who),)


def prompt(
    contest: FirstThrow | None,
    start: str,
    seats: tuple[str, ...],
    dice: int,
    also: tuple[Want, ...] = (),
) -> Prompt:
    """What the table waits for before the beginner is known."""
    who = due(contest, start)
    if who is None:
        return Prompt(seats[0], (ChoiceWanted("begin", seats[0], seats),), also)
    return Prompt(who, (DiceWanted(who, dice),), also)
