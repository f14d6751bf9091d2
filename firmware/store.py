"""The record's table in SQLite: the only place with SQL.

It asks little of a connection, so that an APSW connection over a simulated disk can stand in for
the standard library's (the power-cut test does that).
"""

from __future__ import annotations

import contextlib
import errno
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from firmware.record import GENESIS, Entry, Event, Kind, canonical, chain_hash
from firmware.statedir import (
    DamagedError,
    IoFailureError,
    NoRecordError,
    NotWritableError,
    StateError,
    plain_os_error,
)

SCHEMA_VERSION = 1

_SCHEMA = (
    """CREATE TABLE IF NOT EXISTS event (
         seq INTEGER PRIMARY KEY,
         game_id INTEGER,
         at INTEGER NOT NULL,
         uptime INTEGER NOT NULL,
         boot TEXT NOT NULL,
         kind TEXT NOT NULL,
         body TEXT NOT NULL CHECK (json_valid(body)),
         prev_hash TEXT NOT NULL,
         hash TEXT NOT NULL
       ) STRICT""",
    "CREATE INDEX IF NOT EXISTS event_game ON event (game_id, seq)",
    "CREATE INDEX IF NOT EXISTS event_kind ON event (kind, seq)",
    """CREATE TRIGGER IF NOT EXISTS event_stays BEFORE UPDATE ON event
       BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END""",
    """CREATE TRIGGER IF NOT EXISTS event_is_kept BEFORE DELETE ON event
       BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END""",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)

_COLUMNS = "seq, game_id, at, uptime, boot, kind, body, prev_hash, hash"


class Connection(Protocol):
    """What is asked of a database connection; it must be in autocommit mode."""

    def execute(self, sql: str, bindings: Sequence[Any] = ..., /) -> Iterable[tuple[Any, ...]]:
        """Run one statement and give its rows."""
        ...

    def close(self) -> None:
        """Let go of the file."""
        ...


Connect = Callable[[Path], Connection]


def connect_for_writing(path: Path) -> Connection:
    """The standard library's connection, in autocommit mode, made if the file is missing."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=5.0)
    connection.text_factory = _lenient_text
    return connection


def connect_for_reading(path: Path) -> Connection:
    """A connection that can not write; works beside a running table.

    Raises:
        StateError: there is no record, or it can not be opened.
    """
    try:
        if not path.is_file():
            raise NoRecordError(f"there is no record at {path}; nothing has been played here yet")
    except OSError as error:
        raise plain_os_error(error, path, "reading") from error
    uri = path.absolute().as_uri()
    # In a folder that is read-only SQLite can not make its -shm file; nobody writes there then.
    for mode in ("mode=ro", "mode=ro&immutable=1"):
        connection = sqlite3.connect(f"{uri}?{mode}", uri=True, isolation_level=None, timeout=5.0)
        connection.text_factory = _lenient_text
        try:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError as error:
            connection.close()
            failure = error
        except sqlite3.DatabaseError as error:
            connection.close()
            raise plain_sql_error(error, path, "reading") from error
        else:
            return connection
    raise plain_sql_error(failure, path, "reading") from failure


def _lenient_text(raw: bytes) -> str:
    """Damaged text must come out as a wrong hash, not as an error that hides the other rows."""
    return raw.decode("utf-8", "replace")


class Store:
    """Events in a database."""

    def __init__(self, path: Path, connection: Connection) -> None:
        self.path = path
        self._connection = connection
        self._sql = connection.execute

    def prepare(self) -> None:
        """Set the pragmas and make the tables.

        `synchronous = EXTRA` must come before the change to WAL: else the rollback journal of
        that very change may come back after a power cut and undo everything after it.
        """
        for pragma in (
            "synchronous = EXTRA",
            "journal_mode = WAL",
            "foreign_keys = ON",
            "wal_autocheckpoint = 200",
        ):
            list(self._sql(f"PRAGMA {pragma}"))
        if self.version() == SCHEMA_VERSION:
            return
        self._sql("BEGIN IMMEDIATE")
        try:
            for statement in _SCHEMA:
                self._sql(statement)
            self._sql("COMMIT")
        except BaseException:
            self._roll_back()
            raise

    def version(self) -> int:
        """The schema's version; 0 in a new file."""
        return int(self._one("PRAGMA user_version"))

    def integrity_check(self) -> str | None:
        """What SQLite finds wrong with the file, None when nothing.

        Not `quick_check`: that one does not look into the indexes, and a damaged index hides
        events. The full check takes 0.16 s for 150,000 events on a desktop's core.
        """
        rows = [str(row[0]) for row in self._sql("PRAGMA integrity_check(3)")]
        return None if rows == ["ok"] else "; ".join(rows)

    def append(self, entries: Iterable[Entry]) -> list[Event]:
        """Put entries at the end of the chain in one transaction; on disk when it returns."""
        self._sql("BEGIN IMMEDIATE")
        try:
            seq, prev_hash = self.head()
            events = []
            for entry in entries:
                seq += 1
                text = canonical(entry.body)
                head = (seq, entry.game_id, entry.at, entry.uptime, entry.boot, str(entry.kind))
                digest = chain_hash(head, text, prev_hash)
                self._insert((*head, text, prev_hash, digest))
                events.append(Event(*head, json.loads(text), prev_hash, digest))
                prev_hash = digest
            self._sql("COMMIT")
        except BaseException:
            self._roll_back()
            raise
        return events

    def restore(self, events: Iterable[Event]) -> None:
        """Write events as they are, numbers and hashes included, into an empty store."""
        self._sql("BEGIN IMMEDIATE")
        try:
            for one in events:
                text = canonical(one.body)
                head = (one.seq, one.game_id, one.at, one.uptime, one.boot, one.kind)
                self._insert((*head, text, one.prev_hash, one.hash))
            self._sql("COMMIT")
        except BaseException:
            self._roll_back()
            raise

    def head(self) -> tuple[int, str]:
        """Number and hash of the last event; (0, GENESIS) when there is none."""
        row = next(iter(self._sql("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1")), None)
        return (int(row[0]), str(row[1])) if row else (0, GENESIS)

    def events(
        self,
        *,
        game_id: int | None = None,
        kinds: Sequence[Kind] = (),
        first: int = 1,
        descending: bool = False,
    ) -> Iterator[Event]:
        """Events from number `first` on; of one game, of some kinds, or all."""
        where, values = ["seq >= ?"], [first]
        if game_id is not None:
            where.append("game_id = ?")
            values.append(game_id)
        marks = ", ".join("?" * len(kinds))
        if kinds:
            where.append(f"kind IN ({marks})")
        order = "DESC" if descending else "ASC"
        rows = self._sql(
            f"SELECT {_COLUMNS} FROM event WHERE {' AND '.join(where)} ORDER BY seq {order}",
            (*values, *map(str, kinds)),
        )
        for row in rows:
            yield as_event(row)

    def last_game_ids(self, limit: int | None) -> list[int]:
        """Ids of the newest games, the newest first."""
        rows = self._sql(
            "SELECT game_id FROM event WHERE kind = ? ORDER BY seq DESC LIMIT ?",
            (str(Kind.GAME_OPEN), -1 if limit is None else limit),
        )
        return [int(row[0]) for row in rows]

    def highest_game_id(self) -> int:
        """The highest id given to a game so far; 0 when there is none."""
        return int(self._one("SELECT coalesce(max(game_id), 0) FROM event"))

    def checkpoint(self) -> None:
        """Move the write-ahead log into the database and empty it, as far as readers let it."""
        list(self._sql("PRAGMA wal_checkpoint(TRUNCATE)"))

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _one(self, sql: str) -> Any:
        return next(iter(self._sql(sql)))[0]

    def _insert(self, row: tuple[Any, ...]) -> None:
        self._sql(f"INSERT INTO event ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def _roll_back(self) -> None:
        """End the transaction, whatever state the failure left it in."""
        with contextlib.suppress(Exception):  # SQLite may have rolled back by itself
            self._sql("ROLLBACK")


def as_event(row: tuple[Any, ...]) -> Event:
    """A row of the table as an event.

    Raises:
        DamagedError: it is no such row (a type or the JSON text is wrong).
    """
    seq, game_id, at, uptime, boot, kind, text, prev_hash, digest = row
    try:
        body = json.loads(text)
    except (TypeError, ValueError) as error:
        raise DamagedError(f"event {seq} of the record is damaged; run dicetable audit") from error
    if not isinstance(body, dict):
        raise DamagedError(f"event {seq} of the record is damaged; run dicetable audit")
    return Event(seq, game_id, at, uptime, boot, kind, body, prev_hash, digest)


def plain_sql_error(error: Exception, path: Path, doing: str) -> StateError:
    """The typed, plain form of a database error, from either SQLite module."""
    if isinstance(error, StateError):
        return error
    if isinstance(error, OSError):
        return plain_os_error(error, path, doing)
    # Both modules give SQLite's own extended code; the lower 8 bits are the primary one.
    code: int = getattr(error, "sqlite_errorcode", getattr(error, "extendedresult", 0))
    match code & 0xFF:
        case sqlite3.SQLITE_FULL:
            return plain_os_error(OSError(errno.ENOSPC, ""), path, doing)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_CANTOPEN:
            return NotWritableError(
                f"{path} can not be opened or written; check the permissions of the folder "
                "and of the files in it, and whether the disk is read-only"
            )
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return DamagedError(f"{path} is damaged; start the table to have it repaired")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return IoFailureError(f"{path} is held by another program; close it and try again")
        case _:
            return IoFailureError(f"{doing} {path} failed ({error}); check the card or disk")
