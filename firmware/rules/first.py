"""The throw for the first player (R-GEN-5), the same in all games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware.rules.game import Event


@dataclass(frozen=True, slots=True)
class FirstThrow:
    """Everyone throws once; the highest begins; those tied for highest throw again, only they."""

    waiting: tuple[str, ...]
    """Who still has to throw in this round, next first; empty when the beginner is known."""
    thrown: tuple[tuple[str, int], ...] = ()
    """What the others threw in this round: player and sum of faces."""
    rounds: int = 1


def throw(
    contest: FirstThrow, who: str, dice: Sequence[int]
) -> tuple[FirstThrow, str | None, tuple[Event, ...]]:
    """One throw in the contest: the contest after it, the beginner if he is known, the events."""
    thrown = (*contest.thrown, (who, sum(dice)))
    shown = tuple(sorted(dice, reverse=True))
    events = [Event("first_throw", "R-GEN-5", who=who, dice=shown, amount=sum(dice))]
    waiting = contest.waiting[1:]
    if waiting:
        return FirstThrow(waiting, thrown, contest.rounds), None, tuple(events)
    best = max(value for _, value in thrown)
    tied = tuple(name for name, value in thrown if value == best)
    if len(tied) > 1:
        shares = tuple((name, best) for name in tied)
        events.append(Event("first_tied", "R-GEN-5", amount=best, shares=shares))
        return FirstThrow(tied, (), contest.rounds + 1), None, tuple(events)
    events.append(Event("first_found", "R-GEN-5", who=tied[0], amount=best))
    return FirstThrow((), thrown, contest.rounds), tied[0], tuple(events)
