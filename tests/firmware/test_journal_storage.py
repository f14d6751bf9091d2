"""Disks that are full, read-only, forbidden, in memory or failing: one plain sentence each."""

import errno
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware import archive, statedir
from firmware.clock import FakeClock
from firmware.journal import Journal, JournalReader
from firmware.record import Kind
from firmware.statedir import (
    DiskFullError,
    IoFailureError,
    NotWritableError,
    StateError,
    plain_os_error,
    state_folder,
    volatile,
)
from firmware.store import connect_for_writing, plain_sql_error


class Disk:
    """A connection to a database whose disk can be told to fail."""

    def __init__(self) -> None:
        self.connection: sqlite3.Connection | None = None
        self.error: Exception | None = None

    def connect(self, path: Path) -> "Disk":
        connection = connect_for_writing(path)
        assert isinstance(connection, sqlite3.Connection)
        self.connection = connection
        return self

    def execute(self, sql: str, bindings: Any = ()) -> Any:
        assert self.connection is not None
        if self.error is not None and sql == "COMMIT":
            raise self.error
        return self.connection.execute(sql, bindings)

    def close(self) -> None:
        assert self.connection is not None
        self.connection.close()


def test_a_full_disk_stops_everything_until_the_operator_retries(tmp_path: Path) -> None:
    """SQLite's own `full`, brought about by a limit on the number of pages."""
    disk = Disk()
    with Journal(tmp_path, FakeClock(), connect=disk.connect) as journal:
        game = journal.start_game("barbut", {"players": []}, {})
        journal.act(game, {"op": "throw"}).result()
        journal.append(Kind.NOTE, {"x": "y" * 9000}).result()
        journal._worker.submit(disk.execute, "PRAGMA max_page_count = 1").result()
        first = journal.append(Kind.NOTE, {"x": "y" * 50_000})
        second = journal.act(game, {"op": "throw"})
        for future in (first, second):
            with pytest.raises(DiskFullError, match=r"^the disk is full, writing .*; free some"):
                future.result()
        assert journal.failed is not None
        assert journal.failed.code == "disk_full"
        # It can still be read, and nothing of the failed appends is there.
        game_then = journal.open_game()
        assert game_then is not None
        assert len(game_then.acts) == 1
        journal.retry()
        journal.act(game, {"op": "throw"}).result()
        assert journal.failed is None
        assert journal.verify() is None
        game_now = journal.open_game()
        assert game_now is not None
        assert len(game_now.acts) == 2


@pytest.mark.parametrize(
    ("error", "kind", "code"),
    [
        (OSError(errno.EIO, "Input/output error"), IoFailureError, "io_error"),
        (OSError(errno.EROFS, "Read-only file system"), NotWritableError, "not_writable"),
        (OSError(errno.ENOSPC, "No space left"), DiskFullError, "disk_full"),
        (OSError(errno.EDQUOT, "Quota exceeded"), DiskFullError, "disk_full"),
        (RuntimeError("anything at all"), IoFailureError, "io_error"),
    ],
)
def test_after_a_failed_commit_nothing_is_skipped(
    tmp_path: Path, error: Exception, kind: type[StateError], code: str
) -> None:
    disk = Disk()
    with Journal(tmp_path, FakeClock(), connect=disk.connect) as journal:
        game = journal.start_game("barbut", {"players": []}, {})
        disk.error = error
        with pytest.raises(kind) as raised:
            journal.act(game, {"n": 1}).result()
        assert raised.value.code == code
        disk.error = None
        with pytest.raises(kind):  # the disk would take it, but act 1 must not be skipped
            journal.act(game, {"n": 2}).result()
        journal.retry()
        game_now = journal.open_game()
        assert game_now is not None
        assert game_now.acts == ()


def test_a_record_that_can_not_be_opened_for_writing_again_can_still_be_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk()
    with Journal(tmp_path, FakeClock(), connect=disk.connect) as journal:
        game = journal.start_game("barbut", {"players": []}, {})
        journal.act(game, {"n": 1}).result()
        disk.error = OSError(errno.EROFS, "Read-only file system")
        with pytest.raises(NotWritableError):
            journal.act(game, {"n": 2}).result()

        def refused(folder: Path) -> None:
            raise NotWritableError("the disk is read-only")

        monkeypatch.setattr("firmware.journal.prepare", refused)
        with pytest.raises(NotWritableError):
            journal.retry()
        assert [len(one.acts) for one in journal.games()] == [1]
        assert journal.events(game)


def test_a_disk_that_gives_nothing_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "read_bytes", lambda _path: b"something else")
    with pytest.raises(IoFailureError, match="does not give back what was written"):
        Journal(tmp_path, FakeClock())


def test_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    for folder in (tmp_path / "state", tmp_path / "state" / "deeper"):
        with pytest.raises(NotWritableError, match="can not be a folder, a file is in the way"):
            Journal(folder, FakeClock())


def test_no_permission_for_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.mkdir(mode=0o555)
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom firmware.clock import FakeClock\n"
        "from firmware.journal import Journal\nimport encodings.ascii\n"
        "if os.getuid() == 0: os.setuid(65534)\n"
        "try: Journal(Path(sys.argv[1]), FakeClock())\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    # As far up as the folders are pytest's own; under xdist that is one more.
    for parent in (folder, *folder.parents[:4]):
        parent.chmod(parent.stat().st_mode | 0o055)
    out = subprocess.run(
        [sys.executable, "-c", code, folder], capture_output=True, text=True, check=False
    )
    assert out.stdout == (
        f"NotWritableError no permission, writing to {folder} failed; give it to this user "
        "or give another folder with --state\n"
    ), out.stderr


def test_a_folder_that_can_be_read_but_not_written_can_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    with Journal(folder, FakeClock()) as journal:
        journal.append(Kind.NOTE, {}).result()
    # As on a stick that was pulled out and mounted read-only: no -shm file can be made.
    folder.chmod(0o555)
    with JournalReader(folder) as reader:
        assert len(reader.events()) == 2
        assert reader.verify() is None


def test_copies_that_fail_do_not_stop_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise DiskFullError("the disk is full, writing games.jsonl failed; free some space there")

    with Journal(tmp_path, FakeClock()) as journal:
        journal.flush()
        with monkeypatch.context() as patch:
            patch.setattr(archive, "_append", full)
            for _ in range(2):
                journal.close_game(journal.start_game("barbut", {}, {}), {}).result()
                journal.flush()
        notes = [event.body["text"] for event in journal.events() if event.kind == Kind.NOTE]
        assert notes == [f"no copy was made: {archive_error()}"] * 2
        assert journal.failed is None
    # The next start brings the copies up to date.
    Journal(tmp_path, FakeClock()).close()
    lines = list(archive.read_lines(tmp_path / archive.LOG_NAME))
    assert [line.game_id for line in lines if isinstance(line, archive.Line)] == [1, 2]


def archive_error() -> str:
    return "the disk is full, writing games.jsonl failed; free some space there"


MOUNTS = """\
22 1 0:20 / / rw,relatime - {root} {root} rw
30 22 179:2 / /var/lib/dicetable rw - {data} /dev/mmcblk0p3 rw
31 22 0:33 / /mnt/my\\040stick rw - vfat /dev/sda1 rw
33 30 0:40 / /var/lib/dicetable/ram rw - tmpfs tmpfs rw
nonsense
"""


@pytest.mark.parametrize(
    ("root", "data", "path", "kind"),
    [
        ("ext4", "ext4", "/var/lib/dicetable", None),
        ("overlay", "ext4", "/var/lib/dicetable", None),
        ("overlay", "overlay", "/var/lib/dicetable", "overlay"),
        ("ext4", "ext4", "/var/lib/dicetable/ram/deep", "tmpfs"),
        ("overlay", "ext4", "/home/bar/.local/state", "overlay"),
        ("ext4", "tmpfs", "/var/lib/dicetable2", None),
        ("tmpfs", "ext4", "/mnt/my stick/x", None),
    ],
)
def test_a_state_folder_in_memory_is_told(
    root: str, data: str, path: str, kind: str | None
) -> None:
    assert volatile(Path(path), MOUNTS.format(root=root, data=data)) == kind


def test_unknown_file_systems_are_trusted() -> None:
    assert statedir.file_system(Path("/x"), "") == "unknown"
    assert volatile(Path("/x"), "") is None


def test_where_the_state_is() -> None:
    env = {
        "STATE_DIRECTORY": "/var/lib/dicetable:/var/lib/other",
        "XDG_STATE_HOME": "/x",
        "HOME": "/home/bar",
    }
    assert state_folder(Path("/given"), env) == Path("/given")
    assert state_folder(None, env) == Path("/var/lib/dicetable")
    del env["STATE_DIRECTORY"]
    assert state_folder(None, env) == Path("/x/dicetable")
    del env["XDG_STATE_HOME"]
    assert state_folder(None, env) == Path("/home/bar/.local/state/dicetable")
    assert state_folder(Path("here"), env).is_absolute()


@pytest.mark.parametrize(
    "make",
    [
        lambda: plain_os_error(OSError(errno.EIO, "Input/output error"), Path("/p"), "reading"),
        lambda: plain_os_error(OSError(errno.EACCES, "x"), Path("/p"), "reading"),
        lambda: plain_sql_error(sqlite3.OperationalError("odd"), Path("/p"), "reading"),
    ],
)
def test_every_sentence_says_what_where_and_what_to_do(make: Callable[[], StateError]) -> None:
    text = str(make())
    assert "/p" in text
    assert ";" in text
    assert "\n" not in text


def test_sqlite_codes_become_sentences() -> None:
    for code, kind in {
        sqlite3.SQLITE_FULL: DiskFullError,
        sqlite3.SQLITE_READONLY: NotWritableError,
        sqlite3.SQLITE_CANTOPEN: NotWritableError,
        sqlite3.SQLITE_IOERR | (3 << 8): IoFailureError,
        sqlite3.SQLITE_CORRUPT: statedir.DamagedError,
        sqlite3.SQLITE_NOTADB: statedir.DamagedError,
        sqlite3.SQLITE_BUSY: IoFailureError,
    }.items():
        error = sqlite3.OperationalError("x")
        error.sqlite_errorcode = code
        assert type(plain_sql_error(error, Path("/p"), "writing")) is kind
    assert os.sep in str(plain_sql_error(error, Path("/p"), "writing"))
