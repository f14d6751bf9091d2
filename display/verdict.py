"""What a throw means, in a word and a sentence, from the events that confirming would bring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from display.words import Words
from firmware.rules.game import Event

Tone = Literal["good", "bad", "pass", "plain"]
"""For the one who threw: gains, loses, neither; or nothing can be said."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A word to be seen from afar, and the sentence under it."""

    tone: Tone
    head: str
    text: str


def verdict(words: Words, events: Sequence[Event]) -> Verdict:
    """The verdict; plain and empty without events."""
    kinds = {event.kind: event for event in events}
    rest = words.story(event for event in events if event.kind not in ("throw", "first_throw"))
    thrown = kinds.get("throw")
    if "first_throw" in kinds:
        amount = kinds["first_throw"].amount or 0
        return Verdict("plain", words.points(amount), rest)
    if "five_alike" in kinds:
        return Verdict("good", words.say("Balut!"), rest)
    if thrown is not None and thrown.meaning is not None:
        return _pair(words, thrown, rest)
    return _three(words, kinds, rest)


def _pair(words: Words, thrown: Event, rest: str) -> Verdict:
    match thrown.meaning:
        case "win":
            return Verdict("good", words.say("Wins"), rest)
        case "lose":
            return Verdict("bad", words.say("Loses"), rest)
    return Verdict("pass", words.say("Nothing"), rest)


def _three(words: Words, kinds: dict[str, Event], rest: str) -> Verdict:
    """The three-dice game; anything else is plain."""
    if "restored" in kinds:
        return Verdict("good", words.say("All back!"), rest)
    if "wiped" in kinds:
        return Verdict("bad", words.say("All lost!"), rest)
    if "bust" in kinds and not kinds["bust"].amount:
        return Verdict("pass", words.say("Nothing"), rest)
    if "not_restored" in kinds or "bust" in kinds:
        return Verdict("bad", words.say("Points lost"), rest)
    if "finished" in kinds:
        return Verdict("good", words.say("Finished!"), rest)
    if "opened" in kinds:
        return Verdict("good", words.say("In the game"), rest)
    if "scored" in kinds:
        return Verdict("good", f"+{kinds['scored'].amount}", rest)
    if "not_opened" in kinds:
        return Verdict("pass", words.say("Not yet"), rest)
    return Verdict("plain", "", rest)
