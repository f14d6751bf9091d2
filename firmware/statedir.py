"""The state folder: where it is, whether it can be trusted, and who holds it.

Every error here is one sentence for people: what is wrong, where, and what to do.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

_IN_MEMORY = frozenset({"tmpfs", "ramfs", "overlay", "overlayfs", "aufs"})


class StateError(Exception):
    """The record can not be kept, or not be read. `str()` is one sentence for people."""

    code = "storage"
    """Key of the fault for screens and for the record."""


class NotWritableError(StateError):
    """No permission, or the file system is read-only."""

    code = "not_writable"


class DiskFullError(StateError):
    """No space left, or the quota is used up."""

    code = "disk_full"


class InUseError(StateError):
    """Another table is at work on the same folder."""

    code = "in_use"

    def __init__(self, message: str, pid: int | None = None) -> None:
        super().__init__(message)
        self.pid = pid


class DamagedError(StateError):
    """A file is not what was written to it."""

    code = "record_damaged"


class IoFailureError(StateError):
    """The disk answers with an error."""

    code = "io_error"


class NoRecordError(StateError):
    """There is no record in this folder."""

    code = "no_record"


def state_folder(given: Path | None = None, env: Mapping[str, str] | None = None) -> Path:
    """Where the table keeps its state; it need not exist yet.

    In this order: what was given (`--state`), systemd's `STATE_DIRECTORY`, `XDG_STATE_HOME`,
    and `~/.local/state/dicetable`.
    """
    env = os.environ if env is None else env
    if given is not None:
        return given.expanduser().absolute()
    if env.get("STATE_DIRECTORY"):
        # systemd lists several folders with colons; ours is the first.
        return Path(env["STATE_DIRECTORY"].split(":")[0])
    if env.get("XDG_STATE_HOME"):
        return Path(env["XDG_STATE_HOME"]) / "dicetable"
    home = Path(env["HOME"]) if env.get("HOME") else Path.home()
    return home / ".local" / "state" / "dicetable"


def plain_os_error(error: OSError, path: Path, doing: str) -> StateError:
    """The typed, plain form of an `OSError` met while `doing` something with `path`."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFullError(f"the disk is full, {doing} {path} failed; free some space there")
    if error.errno == errno.EROFS:
        return NotWritableError(
            f"the disk with {path} is read-only, {doing} it failed; remount it for writing "
            "or give another folder with --state"
        )
    if error.errno in (errno.EACCES, errno.EPERM):
        return NotWritableError(
            f"no permission, {doing} {path} failed; give it to this user "
            "or give another folder with --state"
        )
    if error.errno in (errno.ENOTDIR, errno.EEXIST):
        return NotWritableError(
            f"{path} can not be a folder, a file is in the way; move it or give another "
            "folder with --state"
        )
    return IoFailureError(
        f"{doing} {path} failed ({error.strerror or error}); check the card or disk"
    )


def prepare(folder: Path) -> None:
    """Make the folder if need be, and prove that what is written there can be read back.

    Raises:
        StateError: NotWritableError, DiskFullError or IoFailureError.
    """
    probe = folder / f".probe-{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise plain_os_error(error, folder, "making") from error
    token = secrets.token_bytes(64)
    try:
        write_durably(probe, token)
        same = probe.read_bytes() == token
    except OSError as error:
        raise plain_os_error(error, folder, "writing to") from error
    finally:
        with contextlib.suppress(OSError):  # the write above has failed alike and says so
            probe.unlink(missing_ok=True)
    if not same:
        raise IoFailureError(
            f"{folder} does not give back what was written there; replace the card"
        )


def write_durably(path: Path, data: bytes) -> None:
    """Write a whole file so that after a power cut it is the old one or the new one.

    Raises:
        OSError: as the system gives it; the old file is untouched.
    """
    partial = path.with_name(path.name + ".part")
    try:
        with partial.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make new names in a folder durable."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def file_system(path: Path, mountinfo: str | None = None) -> str:
    """Type of the file system that holds `path` (`ext4`, `tmpfs`, …); `unknown` when not told.

    `mountinfo` is the text of /proc/self/mountinfo.
    """
    if mountinfo is None:
        try:
            mountinfo = Path("/proc/self/mountinfo").read_text(encoding="utf-8")
        except OSError:
            return "unknown"
    wanted = path.resolve()
    best, kind = -1, "unknown"
    for line in mountinfo.splitlines():
        left, _, right = line.partition(" - ")
        fields = left.split()
        if len(fields) < 5 or not right:
            continue
        mount = Path(fields[4].replace("\\040", " "))
        # Of several mounts on one place the last one is seen, so equal depth overrides.
        if wanted.is_relative_to(mount) and len(mount.parts) >= best:
            best, kind = len(mount.parts), right.split()[0]
    return kind


def volatile(path: Path, mountinfo: str | None = None) -> str | None:
    """The file system's type when what is written to `path` is gone after a power cut.

    That is memory (`tmpfs`) and the read-only mode of Raspberry Pi OS (`overlay`).
    """
    kind = file_system(path, mountinfo)
    return kind if kind in _IN_MEMORY else None


class Lock:
    """Held by the one process that writes to a state folder; gone with the process."""

    def __init__(self, folder: Path) -> None:
        """Take it.

        Raises:
            InUseError: another process holds it.
            StateError: the lock's file can not be written.
        """
        path = folder / "dicetable.lock"
        try:
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise plain_os_error(error, path, "opening") from error
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            text = os.pread(self._handle, 32, 0).decode("ascii", "replace").strip()
            os.close(self._handle)
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise plain_os_error(error, path, "locking") from error
            pid = int(text) if text.isdigit() else None
            who = f"process {pid}" if pid else "another process"
            raise InUseError(
                f"a dice table is running already ({who} holds {folder}); stop it first "
                "or give another folder with --state",
                pid,
            ) from error
        os.ftruncate(self._handle, 0)
        os.pwrite(self._handle, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let go; may be called twice."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.release()
