"""Results to take home: a code on the screen, a sheet as PDF and PNG within a quota."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

from display.catalogue import LANGUAGES
from display.view import Action, Buttons, Hint, Level, Notice, Scene
from display.words import Words
from firmware.buttons import Button
from firmware.dialogs import BACK, Command, Dialog, Intent
from firmware.result_words import texts
from firmware.results import Result
from firmware.statedir import DiskFullError, StateError, plain_os_error, write_durably

log = logging.getLogger(__name__)

FOLDER_NAME = "sheets"
"""Within the state folder, unless the configuration says otherwise."""


class QuotaError(StateError):
    """One sheet alone is larger than all may be."""

    code = "sheet_quota"


class TakeHome:
    """Makes the sheets, one at a time, and keeps the newest of them within a quota."""

    def __init__(
        self,
        folder: Path,
        quota: int,
        *,
        place: str = "",
        language: Callable[[], str] = lambda: "en",
        worker: Executor | None = None,
    ) -> None:
        """`quota`: bytes that all sheets may take; `place`: where one plays, printed on them.

        `worker` makes them, so that the main loop need not wait.
        """
        self.folder = folder
        self.place = place
        self._quota = quota
        self._language = language
        self._worker = worker or ThreadPoolExecutor(1, thread_name_prefix="sheets")

    def texts(self, result: Result) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The result as plain text in every language, see `View.take_home`."""
        return tuple((code, texts(result, Words(code), self.place)) for code in LANGUAGES)

    def start(self, result: Result) -> Future[tuple[Path, ...]]:
        """Begin to make the sheet in the language of the screen; the files when it is done."""
        return self._worker.submit(self.save, result, self._language())

    def save(self, result: Result, language: str) -> tuple[Path, ...]:
        """Make the sheet now; the files.

        Raises:
            StateError: DiskFullError, QuotaError and the others of `firmware.statedir`.
        """
        from firmware.prints_games import sheet

        paper = sheet(result, Words(language), self.place)
        stem = f"{result.id:06}-{result.game}-{language}"
        files: dict[Path, bytes] = {}
        for kind in ("pdf", "png"):
            files |= paper.files(self.folder / f"{stem}.{kind}", pdf=kind == "pdf")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._make_room(files)
            for path, data in files.items():
                write_durably(path, data)
        except OSError as error:
            raise plain_os_error(error, self.folder, "writing to") from error
        return tuple(files)

    def _make_room(self, files: dict[Path, bytes]) -> None:
        """Remove the oldest sheets until these have room too."""
        needed = sum(map(len, files.values()))
        if needed > self._quota:
            raise QuotaError(
                f"a sheet of {needed} bytes is larger than the quota of {self.folder}; raise "
                "state.sheet_quota_mib"
            )
        old = [one for one in self._kept() if one not in files]
        sizes = {one: one.stat().st_size for one in old}
        used = sum(sizes.values())
        for one in old:
            if used + needed <= self._quota:
                break
            one.unlink()
            used -= sizes[one]

    def _kept(self) -> list[Path]:
        """The files of sheets, those of the oldest game first; nothing else in the folder."""
        found = (self.folder.glob(f"[0-9]*-*.{kind}") for kind in ("pdf", "png"))
        return sorted(path for paths in found for path in paths)


class TakeHomePage(Dialog):
    """The code; confirm saves a sheet, back leaves."""

    scene: ClassVar[Scene] = Scene.TAKE_HOME

    def __init__(self, result: Result, take_home: TakeHome) -> None:
        self.result = result
        self._take_home = take_home
        self._texts = take_home.texts(result)
        self._saving: Future[tuple[Path, ...]] | None = None
        self._notice: Notice | None = None

    def buttons(self) -> Buttons:
        """Save until it is saved, and back."""
        self._settle()
        idle = self._saving is None and (
            self._notice is None or self._notice.level is not Level.GOOD
        )
        return Buttons(confirm=Hint(Action.SAVE_SHEET) if idle else None, back=BACK)

    def press(self, button: Button, held: int = 0) -> Intent:
        """See `buttons`."""
        if button is Button.BACK:
            return Command.CLOSE
        if button is Button.CONFIRM and self.buttons().confirm is not None:
            self._notice = None
            self._saving = self._take_home.start(self.result)
        return None

    def show(self) -> dict[str, Any]:
        """The texts, and what came of the saving."""
        self._settle()
        return {
            "game": self.result.game,
            "take_home": self._texts,
            "notice": self._notice,
            "progress": 0.5 if self._saving is not None else None,
        }

    def _settle(self) -> None:
        if self._saving is not None and self._saving.done():
            self._notice, self._saving = _came_of(self._saving), None


def _came_of(saving: Future[tuple[Path, ...]]) -> Notice:
    try:
        files = saving.result()
    except DiskFullError:
        return Notice("disk_full", Level.WARNING)
    except QuotaError:
        return Notice("sheet_quota", Level.WARNING)
    except Exception:  # whatever it was: the table plays on, and the log says it
        log.exception("the sheet could not be saved")
        return Notice("sheet_not_saved", Level.WARNING)
    return Notice("sheet_saved", Level.GOOD, text=str(files[0].parent))
