"""What a table that can not write any more leaves for its next start.

On a full disk nothing new fits, but bytes that have their place already can be overwritten. So a
small file is laid out while all is well, and when an act can not be written the reason goes into
it: the next start, or the next successful try, finds it and locks the table until the operator
clears it. A disk that takes not even that can not be played on after a start either.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from firmware.statedir import write_durably

FILE_NAME = "last-word.txt"
SIZE = 512
"""Bytes; one sector, which is written whole or not at all."""


def lay_out(folder: Path) -> None:
    """Make the file, empty; an old one stays as it is. OSError when it can not be written."""
    path = folder / FILE_NAME
    if not path.exists() or path.stat().st_size != SIZE:
        write_durably(path, b" " * SIZE)


def leave(folder: Path, text: str) -> None:
    """Write the reason into the file, as far as the disk still lets."""
    with contextlib.suppress(OSError):
        _overwrite(folder, text)


def found(folder: Path) -> str:
    """The reason that was left; empty when there is none."""
    try:
        return (folder / FILE_NAME).read_bytes().decode("utf-8", "ignore").strip()
    except OSError:
        return ""


def clear(folder: Path) -> None:
    """Empty the file; OSError when it can not be written."""
    _overwrite(folder, "")


def _overwrite(folder: Path, text: str) -> None:
    handle = os.open(folder / FILE_NAME, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.pwrite(handle, text.encode()[:SIZE].ljust(SIZE), 0)
        os.fsync(handle)
    finally:
        os.close(handle)
