"""Second copies of the record: a database, and a plain file with one line for a finished game.

Cheap memory cards lie about what they have written. A file that is only ever appended to keeps
its earlier lines whatever happens to the database, and each line carries a checksum. Together the
lines hold every event up to the end of the last game, so the record can be rebuilt from them.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from firmware.record import Event, Json, Kind, canonical
from firmware.statedir import StateError, plain_os_error, sync_folder
from firmware.store import Store, connect_for_reading, connect_for_writing, plain_sql_error

COPY_NAME = "journal-copy.db"
LOG_NAME = "games.jsonl"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log: all events from the line before up to the end of a game."""

    game_id: int
    events: tuple[Event, ...]
    number: int
    """Line number in the file, from 1."""

    @property
    def last(self) -> Event:
        """The event that closed the game."""
        return self.events[-1]


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is not what was written."""

    number: int


def update(path: Path) -> None:
    """Bring log and copy up to date with the database at `path`, if a game has ended since.

    Raises:
        StateError: the database can not be read, or the copies not be written.
    """
    store = Store(path, connect_for_reading(path))
    try:
        if append_lines(store, path.with_name(LOG_NAME)):
            _copy(path, store, path.with_name(COPY_NAME))
    except Exception as error:
        raise plain_sql_error(error, path, "copying") from error
    finally:
        store.close()


def append_lines(store: Store, log: Path) -> int:
    """Append a line for each end of a game that has none yet; how many were appended.

    Raises:
        StateError: the log can not be written.
    """
    last = last_line(log)
    done = last.last.seq if last is not None else 0
    if last is not None and next(iter(store.events(first=done)), None) != last.last:
        done = 0  # the log is of an earlier record in this folder
    pending: list[Event] = []
    lines: list[str] = []
    for event in store.events(first=done + 1):
        pending.append(event)
        if event.kind == Kind.GAME_CLOSED and event.game_id is not None:
            lines.append(_line(event.game_id, pending))
            pending = []
    if lines:
        _append(log, "".join(lines).encode("utf-8"))
    return len(lines)


def read_lines(log: Path) -> Iterator[Line | BadLine]:
    """The lines of the log, the bad ones as such; none when there is no log."""
    try:
        with log.open("rb") as file:
            for number, raw in enumerate(file, 1):
                if raw := raw.removesuffix(b"\n"):
                    yield _parse(raw, number) or BadLine(number)
    except FileNotFoundError:
        return
    except OSError as error:
        raise plain_os_error(error, log, "reading") from error


def last_line(log: Path) -> Line | None:
    """The last line that is whole, found from the end; its number is not known and 0."""
    try:
        with log.open("rb") as file:
            place = file.seek(0, os.SEEK_END)
            tail = b""
            while place > 0:
                step = min(place, 65536)
                place = file.seek(place - step)
                tail = file.read(step) + tail
                # The first piece may be the end of a line whose beginning is not read yet.
                pieces = tail.split(b"\n")
                for raw in reversed(pieces if place == 0 else pieces[1:]):
                    if raw and (line := _parse(raw, 0)) is not None:
                        return line
    except FileNotFoundError:
        return None
    except OSError as error:
        raise plain_os_error(error, log, "reading") from error
    return None


def _line(game_id: int, events: list[Event]) -> str:
    body = canonical({"game": game_id, "events": [event.as_json() for event in events]})
    return f"{zlib.crc32(body.encode('utf-8')):08x} {body}\n"


def _parse(raw: bytes, number: int) -> Line | None:
    crc, _, body = raw.partition(b" ")
    if f"{zlib.crc32(body):08x}".encode() != crc:
        return None
    data: Json = json.loads(body)
    return Line(int(data["game"]), tuple(Event(**one) for one in data["events"]), number)


def _append(log: Path, data: bytes) -> None:
    new = not log.exists()
    try:
        with log.open("ab+") as file:
            if file.tell() > 0:
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":
                    data = b"\n" + data  # close the line that a power cut tore
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if new:
            sync_folder(log.parent)
    except OSError as error:
        raise plain_os_error(error, log, "writing") from error


def _copy(path: Path, store: Store, copy: Path) -> None:
    """Bring the copy up to date: with the new events only, or anew where it does not fit."""
    try:
        target = Store(copy, connect_for_writing(copy))
        try:
            seq, digest = target.head()
            here = next(iter(store.events(first=seq)), None)
            if here is not None and (here.seq, here.hash) == (seq, digest):
                target.restore(store.events(first=seq + 1))
                return
        finally:
            target.close()
    except (sqlite3.Error, StateError):  # no copy yet, or a damaged one
        pass
    _copy_anew(path, copy)


def _copy_anew(path: Path, copy: Path) -> None:
    """Copy the whole database, complete or not at all."""
    partial = copy.with_name(copy.name + ".part")
    try:
        partial.unlink(missing_ok=True)
        source = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        target = sqlite3.connect(partial)
        try:
            source.backup(target)
            # One plain file, with no log beside it, is what can be carried away on a stick.
            target.execute("PRAGMA journal_mode = DELETE")
        finally:
            target.close()
            source.close()
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        partial.replace(copy)
        sync_folder(copy.parent)
    except OSError as error:
        raise plain_os_error(error, copy, "writing") from error
    except sqlite3.Error as error:
        raise plain_sql_error(error, copy, "writing") from error
