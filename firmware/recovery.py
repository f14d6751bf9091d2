"""A damaged record: found at start, kept aside, and rebuilt from whatever is left.

What is found: a file that is no database or malformed, a broken hash chain, and a record shorter
than it was (a torn write-ahead log looks sound to SQLite: it silently ends early). The last is
told by a small file that holds number and hash of the last event; it is written after the commit
and never waits for the disk, so on an honest disk it can be behind the record, never ahead.
"""

from __future__ import annotations

import os
import shutil
import time
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from firmware import archive
from firmware.record import GENESIS, Event, check_chain
from firmware.statedir import DamagedError, StateError, plain_os_error, sync_folder
from firmware.store import Store, connect_for_reading, connect_for_writing, plain_sql_error

HEAD_NAME = "journal.head"
_REBUILT = ".rebuilt"
_BESIDE = ("-wal", "-shm", "-journal", "")
"""The files of one database; the database itself last."""

CHECKED_AT_START = 2000
"""Events at the end of the chain verified at every start; `dicetable audit` verifies all."""


@dataclass(frozen=True, slots=True)
class Recovery:
    """What was done about a damaged record."""

    message: str
    """One or two sentences for people."""
    kept_aside: tuple[Path, ...]
    """The damaged files, under their new names."""
    recovered: int
    """Number of events in the rebuilt record."""
    lost: int
    """Number of events known to have been written that are not in it."""


def write_head(folder: Path, seq: int, digest: str) -> None:
    """Remember the last event, without waiting for the disk."""
    text = f"{seq:012d} {digest}"
    line = f"{text} {zlib.crc32(text.encode()):08x}\n"
    handle = os.open(folder / HEAD_NAME, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        os.pwrite(handle, line.encode(), 0)
    finally:
        os.close(handle)


def read_head(folder: Path) -> tuple[int, str] | None:
    """Number and hash of the last event remembered; None when that is missing or torn."""
    try:
        line = (folder / HEAD_NAME).read_bytes().decode("ascii", "replace").strip()
    except OSError:
        return None
    text, _, crc = line.rpartition(" ")
    if f"{zlib.crc32(text.encode()):08x}" != crc:
        return None
    seq, _, digest = text.partition(" ")
    return (int(seq), digest) if seq.isdigit() else None


def check(store: Store, folder: Path) -> None:
    """Whether a record can be trusted enough to go on with it.

    Raises:
        DamagedError: it can not; the sentence says what is wrong.
    """
    trouble = store.integrity_check()
    if trouble is not None:
        raise DamagedError(f"{store.path} is damaged ({trouble})")
    last, digest = store.head()
    first = max(1, last - CHECKED_AT_START + 1)
    broken = check_chain(
        store.events(first=first), first=first, prev_hash=GENESIS if first == 1 else None
    )
    if broken is not None:
        raise DamagedError(f"{store.path} is damaged ({broken.reason})")
    remembered = read_head(folder)
    if remembered is None:
        return
    seq, known = remembered
    if seq > last:
        raise DamagedError(f"{store.path} ends at event {last}, but event {seq} had been written")
    found = digest if seq == last else next(iter(store.events(first=seq))).hash
    if found != known:
        raise DamagedError(f"event {seq} in {store.path} is another one than was written")


def keep_aside(folder: Path, name: str, wall: float) -> tuple[Path, ...]:
    """Copy the files of a damaged database to names of their own; they stay for the owner.

    Called while the database is still open: closing it would change the files.
    """
    stem = f"damaged-{time.strftime('%Y%m%d-%H%M%S', time.gmtime(max(wall, 0.0)))}"
    number = 1
    while (folder / _aside(stem, number)).exists():
        number += 1
    kept = []
    for beside in _BESIDE:
        source = folder / (name + beside)
        target = folder / (_aside(stem, number) + beside)
        try:
            if source.exists() and beside != "-shm":
                shutil.copyfile(source, target)
                with target.open("rb") as file:
                    os.fsync(file.fileno())
                kept.append(target)
        except OSError as error:
            raise plain_os_error(error, target, "keeping the damaged record as") from error
    return tuple(reversed(kept))


def recover(folder: Path, name: str, reason: str, kept: tuple[Path, ...]) -> Recovery:
    """Rebuild the record from the damaged file, the copy and the log, and put it in place.

    Raises:
        StateError: the rebuilt record can not be written.
    """
    sources = [
        *(_salvage(path) for path in kept if path.suffix == ".db"),
        _salvage(folder / archive.COPY_NAME),
        _from_log(folder / archive.LOG_NAME),
    ]
    chain = longest_chain(sources)
    remembered = read_head(folder)
    known = max(
        (remembered[0] if remembered else 0),
        max((event.seq for source in sources for event in source), default=0),
    )
    # Without the remembered head nobody knows how far the record went: say so, count one.
    lost = max(known - len(chain), 0 if remembered else 1)
    _rebuild(folder, name, chain)
    finish(folder, name)
    return Recovery(_message(reason, kept, chain, lost, known), kept, len(chain), lost)


def finish(folder: Path, name: str) -> None:
    """Put a rebuilt database in place; also after a power cut in the middle of just that."""
    rebuilt = folder / (name + _REBUILT)
    try:
        if not rebuilt.exists():
            return
        # The old write-ahead log must go first: SQLite would play it into the new file.
        for beside in _BESIDE:
            (folder / (name + beside)).unlink(missing_ok=True)
        (folder / HEAD_NAME).unlink(missing_ok=True)
        sync_folder(folder)
        rebuilt.replace(folder / name)
        sync_folder(folder)
    except OSError as error:
        raise plain_os_error(error, rebuilt, "putting in place") from error


def longest_chain(sources: Iterable[Iterable[Event]]) -> list[Event]:
    """The unbroken chain from the first event on, from the events of all sources together.

    Where two sources disagree the earlier one is believed.
    """
    follows: dict[str, Event] = {}
    for source in sources:
        for event in source:
            if event.computed_hash() == event.hash:
                follows.setdefault(event.prev_hash, event)
    chain: list[Event] = []
    here = GENESIS
    while (event_ := follows.get(here)) is not None and event_.seq == len(chain) + 1:
        chain.append(event_)
        here = event_.hash
    return chain


def _aside(stem: str, number: int) -> str:
    return f"{stem}.db" if number == 1 else f"{stem}-{number}.db"


def _salvage(path: Path) -> list[Event]:
    """Every event that can still be read from a database, from both ends of the damage."""
    found: dict[int, Event] = {}
    for descending in (False, True):
        try:
            store = Store(path, connect_for_reading(path))
        except StateError:
            break
        try:
            for event in store.events(descending=descending):
                found[event.seq] = event
            break  # read to the end
        except Exception:  # noqa: BLE001, S110, RUF100 - the damage is reached: keep what came
            pass
        finally:
            store.close()
    return [found[seq] for seq in sorted(found)]


def _from_log(log: Path) -> list[Event]:
    try:
        lines = list(archive.read_lines(log))
    except StateError:
        return []
    return [event for line in lines if isinstance(line, archive.Line) for event in line.events]


def _rebuild(folder: Path, name: str, chain: list[Event]) -> None:
    partial = folder / (name + _REBUILT + ".part")
    try:
        for beside in _BESIDE:
            partial.with_name(partial.name + beside).unlink(missing_ok=True)
        store = Store(partial, connect_for_writing(partial))
        try:
            store.prepare()
            store.restore(chain)
            store.checkpoint()
        finally:
            store.close()
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        partial.replace(folder / (name + _REBUILT))
        sync_folder(folder)
    except Exception as error:
        raise plain_sql_error(error, partial, "rebuilding the record in") from error


def _message(reason: str, kept: tuple[Path, ...], chain: list[Event], lost: int, known: int) -> str:
    where = f"; the damaged file is kept as {kept[0]}" if kept else ""
    if not lost:
        return f"{reason}; all {len(chain)} events were recovered{where}"
    if known <= len(chain):
        return f"{reason}; {len(chain)} events were recovered, there may have been more{where}"
    first = len(chain) + 1
    span = f"event {first} is" if first == known else f"events {first} to {known} are"
    return f"{reason}; {len(chain)} events were recovered, {span} lost{where}"
