"""A disk under the record that can be full, for the soak and for tests."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware.store import Connection

FAILURES = ("BEGIN", "INSERT", "COMMIT", "after COMMIT")
"""Where in writing an act a full disk may show; behind the last one the act is there after all."""


class Disk:
    """The disk of the record; full from `fill` to `free`."""

    def __init__(self) -> None:
        self._fails_at: str | None = None

    def fill(self, fails_at: str) -> None:
        """From now on writing fails there."""
        self._fails_at = fails_at

    def free(self) -> None:
        """There is room again."""
        self._fails_at = None

    def connect(self, path: Path) -> Connection:
        """A connection that this disk can fail under."""
        # As `store.connect_for_writing`, but a power cut takes it away from its thread.
        real = sqlite3.connect(path, isolation_level=None, timeout=5.0, check_same_thread=False)
        return _Flaky(real, self)

    def execute(self, real: Connection, sql: str, bindings: Sequence[Any]) -> Iterable[Any]:
        """Run a statement, or fail as SQLite does when the disk is full."""
        place = self._fails_at
        if place is None or not sql.startswith(place.rpartition(" ")[2]):
            return real.execute(sql, bindings)
        if place == FAILURES[-1]:
            real.execute(sql, bindings)
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error


@dataclass
class _Flaky:
    real: Connection
    disk: Disk

    def execute(self, sql: str, bindings: Sequence[Any] = (), /) -> Iterable[Any]:
        return self.disk.execute(self.real, sql, bindings)

    def close(self) -> None:
        self.real.close()
