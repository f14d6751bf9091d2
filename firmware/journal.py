"""The record of everything that happened at the table, on disk before it is shown.

The journal owns the state folder: one process writes, any number may read. Appending happens on
a thread of its own, because a memory card may take 50 ms; the `Future` it gives is done when the
event would survive a pulled plug. After one failed append every later one fails too, so that no
act can be skipped, until `retry()`.

    with Journal(folder, clock) as journal:
        game = journal.open_game()              # what is to be resumed, or None
        number = journal.act(game.id, to_json(act)).result()
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from firmware import archive, last_word, recovery
from firmware.clock import Clock, clock_is_set
from firmware.queries import FILE_NAME, JournalReader, Queries, close_quietly
from firmware.record import Entry, Json, Kind, canonical
from firmware.recovery import Recovery
from firmware.statedir import DamagedError, Lock, StateError, prepare, volatile
from firmware.store import Connect, Store, connect_for_writing, plain_sql_error

T = TypeVar("T")


class Journal(Queries):
    """The record, open for writing. Close it, or use it with `with`."""

    def __init__(
        self,
        folder: Path,
        clock: Clock,
        *,
        version: str = "",
        boot: str | None = None,
        connect: Connect = connect_for_writing,
        copies: bool = True,
    ) -> None:
        """Take the folder, check the record, repair it if need be, and write `power_on`.

        Args:
            folder: the state folder; made if it is missing.
            clock: gives the two times of each event.
            version: of the program, for the record.
            boot: the machine's boot id; asked of the system when None.
            connect: opens the database (a test's simulated disk comes in here).
            copies: whether finished games are copied to the second database and to the log.

        Raises:
            InUseError: another table holds the folder.
            StateError: it can not be written, is full, or fails.
        """
        self.folder = folder
        self.path = folder / FILE_NAME
        self.recovery: Recovery | None = None
        """What was done about a damaged record at this start; None when it was sound."""
        self.failed: StateError | None = None
        """Why nothing can be written any more; None while all is well."""
        self._clock = clock
        self._boot = boot or boot_id()
        self._connect = connect
        self._copies = copies
        prepare(folder)
        self._lock = Lock(folder)
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self._copier = ThreadPoolExecutor(1, thread_name_prefix="journal-copy")
        self._store: Store | None = None
        self._closed = False
        try:
            self._run(self._start)
            interrupted = self.open_game()
            self.append(
                Kind.POWER_ON,
                {
                    "version": version,
                    "open_game": interrupted.id if interrupted else None,
                    "clock_set": clock_is_set(clock.wall()),
                    "volatile": volatile(folder),
                },
            ).result()
            self._record_recovery()
            self._record_failure(last_word.found(folder))
        except BaseException:
            self.close()
            raise
        self._archive_later()

    # --- writing ---------------------------------------------------------------------------------

    def append_all(
        self, events: Iterable[tuple[Kind, Mapping[str, Any]]], game_id: int | None = None
    ) -> Future[int]:
        """Append several events as one: after a power cut all of them are there or none.

        The future gives the number of the last one when they are on disk, or raises StateError.
        Its callbacks run on the journal's thread.

        Raises:
            ValueError: a body that is not JSON (NaN, a broken character, a type of ours).
        """
        at = int(self._clock.wall() * 1000)
        uptime = int(self._clock.monotonic() * 1000)
        entries = [
            Entry(kind, _checked(body), game_id, at, uptime, self._boot) for kind, body in events
        ]
        if not entries:
            raise ValueError("nothing to append")
        return self._worker.submit(self._append, entries)

    def append(
        self, kind: Kind, body: Mapping[str, Any], game_id: int | None = None
    ) -> Future[int]:
        """Append one event; see `append_all`."""
        return self.append_all([(kind, body)], game_id)

    def start_game(self, game: str, start: Mapping[str, Any], code: Mapping[str, Any]) -> int:
        """Open a game and return its number once that is on disk.

        Args:
            game: its key, such as `barbudi`.
            start: how it begins, in the transcript format without steps (`Game.start_json`).
            code: versions of program and rules, to be compared when it is resumed.

        Raises:
            ValueError: a game is open already.
            StateError: it can not be written.
        """
        running = self.open_game()
        if running is not None:
            raise ValueError(f"game {running.id} is still open")
        game_id = self._ask(lambda store: store.highest_game_id()) + 1
        body = {"game": game, "start": dict(start), "code": dict(code)}
        self.append(Kind.GAME_OPEN, body, game_id).result()
        return game_id

    def act(self, game_id: int, act: Mapping[str, Any], **extra: Any) -> Future[int]:
        """Append an act in the judge's JSON; `extra` (who pressed, picture …) stands beside it."""
        return self.append(Kind.ACT, {"act": dict(act), **extra}, game_id)

    def take_back(self, game_id: int, **extra: Any) -> Future[int]:
        """Take back the last act that stands; a game that had ended is open again."""
        return self.append(Kind.TAKE_BACK, extra, game_id)

    def close_game(self, game_id: int, outcome: Mapping[str, Any]) -> Future[int]:
        """Close a game; copies are made in the background afterwards."""
        future = self.append(Kind.GAME_CLOSED, {"outcome": dict(outcome)}, game_id)
        self._worker.submit(self._checkpoint)
        self._archive_later()
        return future

    def fault(self, code: str, detail: str, game_id: int | None = None) -> Future[int]:
        """Lock the table, over power cycles too, until `clear_fault`."""
        return self.append(Kind.FAULT, {"code": code, "detail": detail}, game_id)

    def clear_fault(self, seq: int, by: str) -> Future[int]:
        """The operator clears the fault that is event number `seq`."""
        return self.append(Kind.FAULT_CLEARED, {"of": seq, "by": by})

    def retry(self) -> None:
        """Open the file anew after a failed append; then go on from `open_game()`.

        An append that failed may be on disk all the same, or not: only the record knows. The
        failure itself is put into the record as a fault, which the operator has to clear.

        Raises:
            StateError: it still can not be written.
        """

        def reopen() -> None:
            if self._store is not None:
                close_quietly(self._store)
                self._store = None
            prepare(self.folder)
            self._start()

        self.recovery = None
        reason = str(self.failed or "")
        self._run(reopen)
        self.failed = None
        self._record_recovery()
        self._record_failure(reason)

    def flush(self) -> None:
        """Wait until everything appended so far is on disk and copied."""
        self._worker.submit(_nothing).result()
        self._copier.submit(_nothing).result()

    def close(self) -> None:
        """Write what is left, and let the folder go; may be called twice."""
        if self._closed:
            return
        self._closed = True
        self._worker.submit(_nothing).result()
        self._copier.shutdown(wait=True)
        if self._store is not None:
            self._worker.submit(close_quietly, self._store)
        self._worker.shutdown(wait=True)
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    # --- on the journal's own thread ---------------------------------------------------------

    def _run(self, job: Callable[[], T]) -> T:
        """Do something on the journal's thread and wait; failures come out plain and typed."""
        try:
            return self._worker.submit(job).result()
        except StateError:
            raise
        except Exception as error:
            raise plain_sql_error(error, self.path, "reading") from error

    def _ask(self, question: Callable[[Store], T]) -> T:
        def job() -> T:
            if self._store is not None:
                return question(self._store)
            # It could not be opened for writing again; it may still be looked into.
            with JournalReader(self.folder) as reader:
                return reader._ask(question)

        return self._run(job)

    def _start(self) -> None:
        """Open the database; recover it when it is damaged."""
        recovery.finish(self.folder, FILE_NAME)
        self._kept_aside: tuple[Path, ...] = ()
        try:
            self._open()
        except DamagedError as damage:
            reason, kept = str(damage), self._kept_aside
            self.recovery = recovery.recover(self.folder, FILE_NAME, reason, kept)
            self._open()

    def _open(self) -> None:
        """Open, prepare and check the database; DamagedError when it can not be trusted."""
        store: Store | None = None
        try:
            store = Store(self.path, self._connect(self.path))
            store.prepare()
            recovery.check(store, self.folder)
            last_word.lay_out(self.folder)
        except Exception as error:
            plain = plain_sql_error(error, self.path, "opening")
            if isinstance(plain, DamagedError):
                # Closing would fold the write-ahead log in: keep both files as they are first.
                wall = self._clock.wall()
                self._kept_aside = recovery.keep_aside(self.folder, FILE_NAME, wall)
            if store is not None:
                close_quietly(store)
            raise plain from error
        self._store = store

    def _append(self, entries: list[Entry]) -> int:
        if self.failed is not None:
            raise self.failed
        try:
            if self._store is None:
                raise StateError(f"{self.path} is not open")
            last = self._store.append(entries)[-1]
            recovery.write_head(self.folder, last.seq, last.hash)
        except Exception as error:
            raise self._fail(error) from error
        return last.seq

    def _fail(self, error: Exception) -> StateError:
        """Nothing can be written from now on; the reason is left for the next start."""
        self.failed = plain_sql_error(error, self.path, "writing")
        last_word.leave(self.folder, str(self.failed))
        return self.failed

    def _checkpoint(self) -> None:
        if self._store is not None and self.failed is None:
            try:
                self._store.checkpoint()
            except Exception as error:
                self._fail(error)

    def _archive_later(self) -> None:
        """Bring the copies up to date in the background, after what is queued now."""
        if self._copies:
            # Through the worker first: it is done once the closing event is on disk.
            self._worker.submit(self._copier.submit, self._archive)

    def _archive(self) -> None:
        try:
            archive.update(self.path)
        except (StateError, OSError) as error:
            # A copy that fails must not stop play; it is made at the end of the next game.
            self.append(Kind.NOTE, {"text": f"no copy was made: {error}"})

    def _record_failure(self, reason: str) -> None:
        """Put into the record that it could not be written for a time: that locks the table."""
        if reason:
            self.fault(StateError.code, reason).result()
            self._run(partial(last_word.clear, self.folder))

    def _record_recovery(self) -> None:
        """Put into the record what was done to it; what was lost locks the table."""
        done = self.recovery
        if done is None:
            return
        body = {"files": [path.name for path in done.kept_aside], "lost": done.lost}
        if done.lost:
            fault = {"code": DamagedError.code, "detail": done.message, **body}
            self.append(Kind.FAULT, fault).result()
        else:
            self.append(Kind.NOTE, {"text": done.message, **body}).result()


def boot_id() -> str:
    """The id of this start of the machine; a random one where the system has none."""
    try:
        text = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii")
    except OSError:
        return uuid.uuid4().hex
    return text.strip().replace("-", "")


def _checked(body: Mapping[str, Any]) -> Json:
    """A copy of the body that nobody can change any more; ValueError when it is not JSON."""
    try:
        canonical(body).encode()
    except (TypeError, ValueError) as error:
        raise ValueError(f"not fit for the record: {error}") from error
    return dict(body)


def _nothing() -> None:
    """Is done when everything submitted before it is done."""


__all__ = ["FILE_NAME", "Journal", "JournalReader", "Kind", "boot_id"]
