"""A start that fails again and again must end in a screen that says why, not in a dead table.

A note in the state folder counts the starts that came to nothing. It is written before anything
can go wrong and removed once the table has shown its first picture and lived on for a while, so
that a crash, a kill, a hang and an exception all count alike. After `TRIES` of them in a row the
table does not try again by itself: it starts with no camera and no play, only to be looked into.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from display.view import Action, Buttons, Hint, Level, Notice, Scene, View
from firmware.buttons import Button
from firmware.clock import Clock
from firmware.config import Problem
from firmware.dialogs import Item
from firmware.health import Finding
from firmware.health import Level as Severity
from firmware.lock import Standstill
from firmware.seen import Seeing, Seen
from firmware.statedir import InUseError, StateError, prepare, write_durably

FILE_NAME = "starting.json"
TRIES = 5
"""So many failed starts in a row are enough."""
GOOD_AFTER = 30.0
"""Seconds of life after the first picture that make a start a good one."""
SHOWN = 3
"""So many problems of a configuration file fit on the screen; the doctor tells all."""
SILENT = "it ended without a word; the log may say more (journalctl -u dicetable)"


def failures(folder: Path) -> tuple[int, str]:
    """Failed starts in a row on this state folder, and why the last one failed."""
    try:
        note = json.loads((folder / FILE_NAME).read_bytes())
        return int(note["failed"]), str(note["reason"])
    except OSError:
        return 0, ""
    except (ValueError, KeyError, TypeError):
        # A note that can not be read was written by a start that did not end well.
        return 1, SILENT


def findings(folder: Path) -> list[Finding]:
    """For the doctor: starts that failed; one alone may be the start that is going on."""
    failed, reason = failures(folder)
    if failed < 2:
        return []
    level = Severity.FAULT if failed >= TRIES else Severity.WARNING
    remedy = "put that right, then try again on the screen" if failed >= TRIES else ""
    return [Finding("start", level, f"{failed} starts in a row failed: {reason}", remedy)]


class Startup:
    """One start of the table; use it with `with` round all that may fail.

    Whatever ends it before it was `alive` for long enough makes it a failed start, except that
    the table is in use elsewhere, or that somebody stopped it by hand.
    """

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.failed = 0
        """Failed starts in a row before this one."""
        self.reason = ""
        """Why the last one failed, in a sentence."""
        self._path = folder / FILE_NAME
        self._clock = clock
        self._first: float | None = None
        self._good = False

    @property
    def safe(self) -> bool:
        """This start must only say what is wrong."""
        return self.failed >= TRIES

    def __enter__(self) -> Self:
        # What can not be written here can not be written elsewhere: the record says so.
        with contextlib.suppress(StateError):
            prepare(self._path.parent)
        self.failed, self.reason = failures(self._path.parent)
        if not self.safe:
            self._write(self.failed + 1, SILENT)
        return self

    def again(self) -> None:
        """Somebody has looked into it and wants a real start: the row of failures ends here."""
        self.failed, self.reason = 0, ""
        self._write(1, SILENT)

    def alive(self) -> None:
        """The main loop has gone round and something is on the screen."""
        now = self._clock.monotonic()
        if self._first is None:
            self._first = now
        if not self._good and not self.safe and now - self._first >= GOOD_AFTER:
            self._good = True
            self._path.unlink(missing_ok=True)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._good or self.safe:
            return
        if isinstance(error, Exception) and not isinstance(error, InUseError):
            self._write(self.failed + 1, str(error) or type(error).__name__)
        elif error is not None or self._first is not None:
            # Stopped in good order, by hand, or another table is running: this was no failure.
            self._write(self.failed, self.reason)

    def _write(self, failed: int, reason: str) -> None:
        with contextlib.suppress(OSError):
            if failed:
                note = {"failed": failed, "reason": reason}
                write_durably(self._path, json.dumps(note, ensure_ascii=False).encode())
            else:
                self._path.unlink(missing_ok=True)


class Blind:
    """An eye that is shut: a safe start leaves the camera alone."""

    problem: str | None = None
    seeing = Seeing()

    def poll(self) -> list[Seen]:
        """Nothing is seen."""
        return []

    def due(self, dice: int) -> None:
        """See `firmware.eye.Eye`."""

    def throw(self, dice: int, kept: Sequence[int] = ()) -> None:
        """See `firmware.eye.Eye`."""

    def close(self) -> None:
        """See `firmware.eye.Eye`."""


class Diagnosis(Standstill):
    """The mode of a safe start: why the table does not start, its pages, and another try."""

    def __init__(
        self, reason: str, pages: Sequence[Item] = (), code: str = "failed_starts"
    ) -> None:
        """`code` is the notice above the reason, a key of `display.vocabulary.NOTICES`."""
        super().__init__(pages)
        self.reason = reason
        self._code = code
        self.status = f"safe start, no play: {reason}"

    def pressed(self, button: Button) -> None:
        """Confirm tries a real start, right opens the menu."""
        if button is Button.CONFIRM:
            self.done = True
        elif button is Button.RIGHT:
            self.menu()

    def standing(self) -> View:
        """That play is off, and the last reason."""
        menu = Hint(Action.MENU) if self._pages else None
        return View(
            Scene.FAULT,
            Buttons(confirm=Hint(Action.RETRY), right=menu),
            notice=Notice(self._code, Level.FAULT, text=self.reason),
        )


class Told(Standstill):
    """The first mode when the configuration is not right: what is wrong, until it was seen."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__()
        self._text = "; ".join(str(one) for one in problems[:SHOWN])
        self.status = f"the configuration is not right: {self._text}"

    def pressed(self, button: Button) -> None:
        """Confirm goes on."""
        self.done = button is Button.CONFIRM

    def standing(self) -> View:
        """The problems with file and line."""
        notice = Notice("config_broken", Level.WARNING, text=self._text)
        return View(Scene.MESSAGE, Buttons(confirm=Hint(Action.GO_ON)), notice=notice)
