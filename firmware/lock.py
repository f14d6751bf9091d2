"""A fault that makes play unsafe locks the table until the operator clears it with his PIN.

The fault stands in the record, so the lock survives a power cycle; so does the clearing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from display.view import Action, Buttons, Hint, Level, Notice, Scene, View
from firmware.buttons import Button
from firmware.record import Event
from vision.reading import Image
from vision.watch import Sight

DIGITS = "0123456789"


class FaultLock:
    """The mode that is on while a fault stands: it says what is wrong and asks for the PIN.

    Left and right choose a digit, confirm takes it, back takes the last one away. When all are
    there and right, `clear` writes into the record that the operator cleared the faults.
    """

    def __init__(
        self, faults: Sequence[Event], pin: str, clear: Callable[[Sequence[Event]], None]
    ) -> None:
        self.faults = tuple(faults)
        self.done = False
        """The faults are cleared; play may go on."""
        self._pin = pin
        self._clear = clear
        self._typed = ""
        self._digit = 0
        self._wrong = False

    @property
    def due(self) -> int:
        """No throw is due."""
        return 0

    def see(self, sight: Sight, image: Image | None = None, number: int = 0) -> None:
        """The tray does not matter now."""

    def camera_lost(self) -> None:
        """The tray does not matter now."""

    def throw(self) -> None:
        """No throw is due."""
        return

    def point(self, kind: str, name: str) -> None:
        """There is nothing to touch."""

    def menu(self) -> None:
        """There is no way round the PIN."""

    def tick(self) -> None:
        """Nothing here takes time."""

    def press(self, button: Button, held: int = 0) -> None:
        """See the class."""
        self._wrong = False
        match button:
            case Button.LEFT | Button.RIGHT:
                way = 1 if button is Button.RIGHT else -1
                self._digit = (self._digit + way) % len(DIGITS)
            case Button.BACK:
                self._typed = self._typed[:-1]
            case Button.CONFIRM:
                self._take()

    def _take(self) -> None:
        self._typed += DIGITS[self._digit]
        if len(self._typed) < len(self._pin):
            return
        if self._typed == self._pin:
            self._clear(self.faults)
            self.done = True
        else:
            self._wrong = True
        self._typed = ""

    def view(self) -> View:
        """The fault, and how far the PIN is entered; its digits are not shown."""
        first = self.faults[0].body
        dots = "•" * len(self._typed) + DIGITS[self._digit]
        return View(
            Scene.FAULT,
            Buttons(
                confirm=Hint(Action.CHOOSE),
                back=Hint(Action.DELETE) if self._typed else None,
                left=Hint(Action.LESS),
                right=Hint(Action.MORE),
            ),
            notice=Notice(
                str(first.get("code", "")), Level.FAULT, text=str(first.get("detail", ""))
            ),
            typed=dots.ljust(len(self._pin), "_"),
            armed=self._wrong,
        )
