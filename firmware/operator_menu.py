"""What only the operator may do: behind his PIN, at the end of the menu.

Everything here stands in the record or leaves the table; nothing changes a game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar

from display.view import Action, Buttons, Level, Notice, Scene
from firmware import notify
from firmware.buttons import Button
from firmware.dialogs import BACK, Command, Dialog, Intent, Item, MenuDialog, Open
from firmware.journal import Journal
from firmware.lock import PinDialog
from firmware.record import Kind, RecordedGame
from firmware.statedir import StateError


class Said(Dialog):
    """What came of it; back leaves."""

    scene: ClassVar[Scene] = Scene.MESSAGE

    def __init__(self, notice: Notice) -> None:
        self.notice = notice

    def buttons(self) -> Buttons:
        """Only back."""
        return Buttons(back=BACK)

    def press(self, button: Button, held: int = 0) -> Intent:
        """See `buttons`."""
        return Command.CLOSE if button is Button.BACK else None

    def show(self) -> dict[str, Any]:
        """The notice."""
        return {"notice": self.notice}


class OperatorMenu:
    """Makes the line that leads to the PIN, and what is behind it."""

    def __init__(
        self,
        pin: str,
        *,
        journal: Journal | None = None,
        report: Callable[[], str] | None = None,
        power_off: Callable[[], bool] = notify.request_power_off,
        settings: Callable[[], Dialog] | None = None,
    ) -> None:
        """`report` writes a support bundle and says where; `journal` None: no game can be marked.

        `power_off` asks for the power to go off; False when nobody hears it. `settings` makes
        the page with every option.
        """
        self._pin = pin
        self._journal = journal
        self._report = report
        self._power_off = power_off
        self._settings = settings

    def item(self, pages: Sequence[Item] = ()) -> Item:
        """The line of the menu that asks for the PIN; `pages` stand behind it too."""
        ask = partial(PinDialog, self._pin, partial(self._menu, tuple(pages)))
        return Item(Action.OPERATOR.value, Open(ask))

    def _menu(self, pages: Sequence[Item]) -> MenuDialog:
        items = list(pages)
        game = self._newest()
        if game is not None:
            action = Action.SETTLE if game.disputed else Action.DISPUTE
            items.append(Item(action.value, Open(partial(self._mark, game))))
        if self._settings is not None:
            items.append(Item(Action.SETTINGS.value, Open(self._settings)))
        if self._report is not None:
            items.append(Item(Action.REPORT.value, Open(partial(self._write, self._report))))
        items.append(Item(Action.SHUT_DOWN.value, Open(self._switch_off)))
        return MenuDialog(items)

    def _newest(self) -> RecordedGame | None:
        if self._journal is None or self._journal.failed is not None:
            return None
        return next(iter(self._journal.games(limit=1)), None)

    def _mark(self, game: RecordedGame) -> Dialog:
        """Mark the last game as in dispute, or as settled; pictures of the former stay."""
        assert self._journal is not None
        dispute = not game.disputed
        note = {"dispute": dispute, "by": "operator"}
        try:
            self._journal.append(Kind.NOTE, note, game.id).result()
        except StateError as error:
            return Said(Notice("storage", Level.FAULT, text=str(error)))
        code = "in_dispute" if dispute else "dispute_settled"
        return Said(Notice(code))

    def _write(self, report: Callable[[], str]) -> Dialog:
        try:
            return Said(Notice("saved", Level.GOOD, text=report()))
        except OSError as error:
            return Said(Notice("storage", Level.WARNING, text=str(error)))

    def _switch_off(self) -> Dialog:
        if self._power_off():
            return Said(Notice("shutting_down"))
        return Said(Notice("no_power_off", Level.WARNING))
