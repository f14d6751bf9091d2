"""The end of a session of Barbudi or Barbut (R-BD-13, R-BT-8): when, and who has won."""

from __future__ import annotations

from firmware.rules import acts, options
from firmware.rules.bank import Chips
from firmware.rules.game import ChoiceWanted, Outcome, Refused


def chips_outcome(chips: Chips, reason: str, rule: str) -> Outcome:
    """Most chips wins, equal chips share (R-BD-13)."""
    stacks = chips.stacks
    places = [
        tuple(who for who in stacks if stacks[who] == stack)
        for stack in sorted(set(stacks.values()), reverse=True)
    ]
    return Outcome(places[0], tuple(places), reason, rule, tuple(stacks.items()))


def stop_wanted(seats: tuple[str, ...], end: options.End) -> ChoiceWanted:
    """Anybody may stop the session by hand; the clock only when minutes were agreed."""
    reasons = ("hand", "time") if end.mode == "minutes" else ("hand",)
    return ChoiceWanted("stop", seats[0], reasons)


def check_stop(act: acts.Stop, stopping: str | None, end: options.End) -> None:
    """Refuse to stop twice, or by a clock that nobody agreed on."""
    if stopping is not None:
        raise Refused("too_late")
    if act.reason != "hand" and (act.reason != "time" or end.mode != "minutes"):
        raise Refused("bad_choice", choice=act.reason, options=("hand", "time"))


def reason_to_stop(chips: Chips, rounds: int, end: options.End, stopping: str | None) -> str | None:
    """Why no new round begins: fewer than two have chips, the rounds are played, or it was said."""
    if len(chips.solvent()) < 2:
        return "broke"
    if stopping is None and end.mode == "rounds" and rounds >= end.limit:
        return "rounds"
    return stopping
