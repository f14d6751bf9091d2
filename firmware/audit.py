"""Is the record what was written, and does every game in it add up?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from firmware import archive, recovery
from firmware.journal import JournalReader
from firmware.recall import Moment, moments
from firmware.record import Event, Json, Kind
from firmware.replay import ReplayError, rules_fingerprint


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something that is not as it must be."""

    game_id: int | None
    seq: int | None
    """The event where it shows."""
    text: str
    """One sentence for people."""

    def __str__(self) -> str:
        game = f"game {self.game_id}, " if self.game_id is not None else ""
        where = f"event {self.seq}: " if self.seq is not None else ""
        return f"{game}{where}{self.text}"


def chain(reader: JournalReader, folder: Path) -> list[Flaw]:
    """The first bad link of the chain, a record that was longer, and copies that differ."""
    flaws = []
    broken = reader.verify()
    if broken is not None:
        flaws.append(Flaw(None, broken.seq, broken.reason))
    # While a table runs, the head is written after the event: read it first, compare after.
    head = recovery.read_head(folder)
    if head is not None:
        event = reader.event(head[0])
        if event is None:
            flaws.append(Flaw(None, head[0], "it was written and is missing"))
        elif event.hash != head[1]:
            flaws.append(Flaw(None, head[0], "it is another event than was written"))
    for line in archive.read_lines(folder / archive.LOG_NAME):
        if isinstance(line, archive.BadLine):
            text = f"line {line.number} of {archive.LOG_NAME} is damaged"
            flaws.append(Flaw(None, None, text))
        elif reader.event(line.last.seq) != line.last:
            text = f"line {line.number} of {archive.LOG_NAME} tells of another event"
            flaws.append(Flaw(line.game_id, line.last.seq, text))
    return flaws


def game(game_id: int, events: Iterable[Event]) -> Iterator[Flaw]:
    """What does not add up in one game: acts refused, chips made or lost, another outcome.

    A game that was played under other rules than this program's is judged by them all the same;
    the flaw says so.
    """
    events = list(events)
    elsewhere = ""
    if events and events[0].body.get("code", {}).get("rules") not in (None, rules_fingerprint()):
        elsewhere = " (it was played with another version of the rules)"
    total: int | None = None
    try:
        for moment in moments(events):
            if moment.refused is not None:
                text = f"the judge refuses it: {moment.refused}{elsewhere}"
                yield Flaw(game_id, moment.event.seq, text)
                return
            now = chips(moment.after)
            total = now if total is None else total
            if now != total:
                text = f"there are {now} chips on the table, {total} at the beginning{elsewhere}"
                yield Flaw(game_id, moment.event.seq, text)
                return
            if moment.event.kind == Kind.GAME_CLOSED:
                yield from _outcome(game_id, moment, elsewhere)
    except ReplayError as error:
        yield Flaw(game_id, error.seq or None, f"{error}{elsewhere}")


def chips(state: Json) -> int | None:
    """All chips of a table: stacks, pot and house; None in games without chips."""
    if "chips" not in state:
        return None
    stacks: dict[str, int] = state["chips"]
    return sum(stacks.values()) + int(state.get("escrow", 0)) + int(state.get("house", 0))


def differing_chips(game_id: int, sums: Iterable[int | None]) -> str:
    """A sentence on the chips of one game that were not as many all the time."""
    told = " and ".join(str(one) for one in sorted(one or 0 for one in sums))
    return f"In game {game_id} there were {told} chips on the table at different times."


def _outcome(game_id: int, moment: Moment, elsewhere: str) -> Iterator[Flaw]:
    recorded = moment.event.body.get("outcome") or {}
    if recorded.get("reason") == "abandoned":
        return
    outcome = moment.outcome
    if outcome is None:
        text = f"it was closed, but the judge has it still running{elsewhere}"
        yield Flaw(game_id, moment.event.seq, text)
        return
    judged = {"winners": list(outcome.winners), "scores": dict(outcome.scores)}
    for name, value in judged.items():
        if name in recorded and recorded[name] != value:
            text = f"the recorded {name} {recorded[name]} are not the judge's {value}{elsewhere}"
            yield Flaw(game_id, moment.event.seq, text)
