"""What stands in the record, and what it adds up to; no files here.

The record is a row of events in one hash chain. A game is the fold of its events: acts are put on
a stack, a take-back removes the uppermost, a correction replaces it. Nothing is ever erased.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

Json = dict[str, Any]

GENESIS = "0" * 64
"""The `prev_hash` of the first event."""


class Kind(StrEnum):
    """What an event records."""

    POWER_ON = "power_on"
    """The table has started; `open_game` tells whether a game was interrupted."""
    GAME_OPEN = "game_open"
    """A game begins: `game` (key), `start` (seats, house rules, chips …) and `code` (versions)."""
    ACT = "act"
    """`act`, as the judge's JSON, and beside it who pressed, values read, picture …"""
    TAKE_BACK = "take_back"
    """The last act that still stands is taken back; `of` is its number."""
    CORRECTION = "correction"
    """A reading was corrected: `read`, `corrected`, `by`; with `act`, it replaces the last act."""
    EVIDENCE = "evidence"
    """A picture was kept, or could not be kept."""
    GAME_CLOSED = "game_closed"
    """A game has ended; `outcome`."""
    FAULT = "fault"
    """Play is locked: `code` and `detail`."""
    FAULT_CLEARED = "fault_cleared"
    """The operator has cleared the fault number `of`."""
    NOTE = "note"
    """Anything else worth keeping; `dispute: true / false` marks a game as in dispute."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An event before it has its number and its place in the chain."""

    kind: Kind
    body: Json
    game_id: int | None
    at: int
    uptime: int
    boot: str


@dataclass(frozen=True, slots=True)
class Event:
    """One row of the record."""

    seq: int
    """Counts up from 1 without gaps."""
    game_id: int | None
    at: int
    """Wall clock in milliseconds since 1970 UTC; wrong where the clock was not set."""
    uptime: int
    """Monotonic clock in milliseconds; orders the events of one boot in time."""
    boot: str
    """Which start of the machine `uptime` belongs to."""
    kind: str
    body: Json
    prev_hash: str
    hash: str

    def computed_hash(self) -> str:
        """What `hash` must be."""
        return chain_hash(
            (self.seq, self.game_id, self.at, self.uptime, self.boot, self.kind),
            canonical(self.body),
            self.prev_hash,
        )

    def as_json(self) -> Json:
        """All fields, for export and for the log of finished games."""
        return {
            "seq": self.seq,
            "game_id": self.game_id,
            "at": self.at,
            "uptime": self.uptime,
            "boot": self.boot,
            "kind": self.kind,
            "body": self.body,
            "prev_hash": self.prev_hash,
            "hash": self.hash,
        }


def canonical(value: object) -> str:
    """The one JSON text of a value: sorted keys, no spaces, no NaN, letters as they are."""
    return json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def chain_hash(
    head: tuple[int, int | None, int, int, str, str], body_text: str, prev_hash: str
) -> str:
    """SHA-256 over an event's fields and the hash of the event before it, in hexadecimal."""
    text = canonical([*head, body_text, prev_hash])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Broken:
    """The first place where the chain does not hold."""

    seq: int
    reason: str
    """One sentence for people."""


def check_chain(
    events: Iterable[Event], *, first: int = 1, prev_hash: str | None = GENESIS
) -> Broken | None:
    """The first bad link of consecutive events, None when all hold.

    With `prev_hash=None` the first event is believed as to what came before it.
    """
    expected = first
    for event in events:
        if event.seq != expected:
            return Broken(expected, f"event {expected} is missing (the next one is {event.seq})")
        if prev_hash is not None and event.prev_hash != prev_hash:
            return Broken(event.seq, f"event {event.seq} does not follow the event before it")
        if event.computed_hash() != event.hash:
            return Broken(event.seq, f"event {event.seq} is not what was written")
        prev_hash = event.hash
        expected += 1
    return None


@dataclass(frozen=True, slots=True)
class RecordedAct:
    """An act that stands: not taken back."""

    seq: int
    at: int
    act: Json
    """The act in the judge's JSON."""
    extra: Json
    """What was kept beside it: who pressed, values read, picture …"""
    corrections: tuple[Json, ...] = ()
    """Corrections made to its reading, the first first."""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game as the record has it."""

    id: int
    game: str
    start: Json
    code: Json
    opened_at: int
    """Wall clock in milliseconds since 1970 UTC."""
    closed_at: int | None = None
    outcome: Json | None = None
    acts: tuple[RecordedAct, ...] = ()
    disputed: bool = False
    last_seq: int = 0
    """Number of the last event of the game."""
    taken_back: int = 0
    """How many acts were taken back."""

    @property
    def closed(self) -> bool:
        """Whether it has ended."""
        return self.closed_at is not None

    def transcript(self) -> Json:
        """The game in the format that `dicetable judge` plays."""
        return {**self.start, "game": self.game, "steps": [one.act for one in self.acts]}


@dataclass(slots=True)
class _Folding:
    """A game while its events are added up."""

    game: RecordedGame
    acts: list[RecordedAct] = field(default_factory=list)
    pending: list[Json] = field(default_factory=list)


def fold(events: Iterable[Event]) -> list[RecordedGame]:
    """The games that these events tell, in the order of their opening.

    Events of no game are passed over, and so are events of a game whose opening is not among
    them (it was lost; `check_chain` says so).
    """
    folding: dict[int, _Folding] = {}
    for event in events:
        if event.game_id is None:
            continue
        if event.kind == Kind.GAME_OPEN:
            folding[event.game_id] = _Folding(_opened(event.game_id, event))
        elif event.game_id in folding:
            _add(folding[event.game_id], event)
    return [replace(one.game, acts=tuple(one.acts)) for one in folding.values()]


def _opened(game_id: int, event: Event) -> RecordedGame:
    body = event.body
    return RecordedGame(
        id=game_id,
        game=str(body.get("game", "")),
        start=dict(body.get("start", {})),
        code=dict(body.get("code", {})),
        opened_at=event.at,
        last_seq=event.seq,
    )


def _add(folding: _Folding, event: Event) -> None:
    """Add one event to its game."""
    game = replace(folding.game, last_seq=event.seq)
    match event.kind:
        case Kind.ACT:
            extra = {key: value for key, value in event.body.items() if key != "act"}
            folding.acts.append(
                RecordedAct(event.seq, event.at, event.body["act"], extra, tuple(folding.pending))
            )
            folding.pending.clear()
        case Kind.CORRECTION if "act" in event.body and folding.acts:
            last = folding.acts[-1]
            folding.acts[-1] = replace(
                last, act=event.body["act"], corrections=(*last.corrections, event.body)
            )
        case Kind.CORRECTION:
            # It comes before the act whose reading it corrects.
            folding.pending.append(event.body)
        case Kind.TAKE_BACK:
            if folding.acts:
                folding.acts.pop()
            folding.pending.clear()
            game = replace(game, closed_at=None, outcome=None, taken_back=game.taken_back + 1)
        case Kind.GAME_CLOSED:
            game = replace(game, closed_at=event.at, outcome=event.body.get("outcome"))
        case Kind.NOTE if "dispute" in event.body:
            game = replace(game, disputed=bool(event.body["dispute"]))
    folding.game = game


def open_faults(events: Iterable[Event]) -> tuple[Event, ...]:
    """The faults among these events that nobody has cleared, oldest first."""
    standing: dict[int, Event] = {}
    for event in events:
        if event.kind == Kind.FAULT:
            standing[event.seq] = event
        elif event.kind == Kind.FAULT_CLEARED:
            standing.pop(int(event.body.get("of", 0)), None)
    return tuple(standing.values())
