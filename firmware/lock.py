"""Where the operator's PIN is asked for: a table locked by a fault, and the operator's menu.

A fault that makes play unsafe locks the table until the operator clears it. The fault stands in
the record, so the lock survives a power cycle; so does the clearing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from display.view import Action, Buttons, Hint, Level, Notice, Scene, View
from firmware.buttons import Button
from firmware.dialogs import BACK, Command, Dialog, Intent, Item, MenuDialog, Open
from firmware.record import Event
from vision.reading import Image
from vision.watch import Sight

DIGITS = "0123456789"


class PinPad:
    """A PIN on four buttons: left and right choose a digit, confirm takes it, back removes one."""

    def __init__(self, pin: str) -> None:
        self.typed = ""
        self.wrong = False
        """The last PIN entered was not the right one."""
        self._pin = pin
        self._digit = 0

    def press(self, button: Button) -> bool:
        """See the class; whether the whole PIN is there and right."""
        self.wrong = False
        match button:
            case Button.LEFT | Button.RIGHT:
                way = 1 if button is Button.RIGHT else -1
                self._digit = (self._digit + way) % len(DIGITS)
            case Button.BACK:
                self.typed = self.typed[:-1]
            case Button.CONFIRM:
                return self._take()
        return False

    def _take(self) -> bool:
        self.typed += DIGITS[self._digit]
        if len(self.typed) < len(self._pin):
            return False
        right = self.typed == self._pin
        self.wrong, self.typed, self._digit = not right, "", 0
        return right

    def buttons(self, leave: Hint | None) -> Buttons:
        """What each button does; back is `leave` while nothing is typed."""
        return Buttons(
            confirm=Hint(Action.CHOOSE),
            back=Hint(Action.DELETE) if self.typed else leave,
            left=Hint(Action.LESS),
            right=Hint(Action.MORE),
        )

    def show(self) -> dict[str, Any]:
        """A dot for each digit taken, the digit that is chosen, a line for each to come."""
        dots = "•" * len(self.typed) + DIGITS[self._digit]
        return {"typed": dots.ljust(len(self._pin), "_"), "armed": self.wrong}


class PinDialog(Dialog):
    """Asks for the PIN before it opens what is behind it; asks again when that is left."""

    scene: ClassVar[Scene] = Scene.MESSAGE

    def __init__(self, pin: str, behind: Callable[[], Dialog]) -> None:
        self._pad = PinPad(pin)
        self._behind = behind

    def buttons(self) -> Buttons:
        """See `PinPad`."""
        return self._pad.buttons(BACK)

    def press(self, button: Button, held: int = 0) -> Intent:
        """See `PinPad`."""
        if button is Button.BACK and not self._pad.typed:
            return Command.CLOSE
        return Open(self._behind) if self._pad.press(button) else None

    def show(self) -> dict[str, Any]:
        """The question, and how far it is answered."""
        return {"notice": Notice("operator_pin"), **self._pad.show()}


class Standstill:
    """A mode without play: nothing is thrown; the pages of the menu can be looked at."""

    def __init__(self, pages: Sequence[Item] = ()) -> None:
        self.done = False
        """Another mode follows."""
        self.status = "no play"
        """What the service manager is told."""
        self._pages = tuple(pages)
        self._dialogs: list[Dialog] = []

    @property
    def due(self) -> int:
        """No throw is due."""
        return 0

    def see(
        self,
        sight: Sight,
        image: Image | None = None,
        number: int = 0,
        about: Mapping[str, Any] | None = None,
    ) -> None:
        """The tray does not matter now."""

    def camera_lost(self) -> None:
        """The tray does not matter now."""

    def throw(self) -> None:
        """No throw is due."""
        return

    def tick(self) -> None:
        """Nothing here takes time."""

    def menu(self) -> None:
        """Open the menu; it leads to pages, never to play."""
        if self._pages:
            self._dialogs.append(MenuDialog(self._pages))

    def press(self, button: Button, held: int = 0) -> None:
        """What a button means is in `view().buttons`."""
        if not self._dialogs:
            self.pressed(button)
            return
        match self._dialogs[-1].press(button, held):
            case Open(make):
                self._dialogs.append(make())
            case Command.CLOSE:
                self._dialogs.pop()

    def point(self, kind: str, name: str) -> None:
        """A finger on a line of a menu."""
        if self._dialogs and self._dialogs[-1].point(kind, name):
            self.press(Button.CONFIRM)

    def pressed(self, button: Button) -> None:
        """A button was pressed while no page is open."""
        raise NotImplementedError

    def view(self) -> View:
        """Everything that the screen shows now."""
        if not self._dialogs:
            return self.standing()
        dialog = self._dialogs[-1]
        # On its own a menu has a screen; over a game it is drawn above it.
        scene = Scene.MENU if dialog.scene is Scene.GAME else dialog.scene
        return View(scene, dialog.buttons(), **dialog.show())

    def standing(self) -> View:
        """What the screen shows while no page is open."""
        raise NotImplementedError


class FaultLock(Standstill):
    """The mode that is on while a fault stands: it says what is wrong and asks for the PIN.

    When the PIN is right, `clear` writes into the record that the operator cleared the faults.
    Back leads to the menu while nothing is typed: there is no way round the PIN there, but the
    last games and the health of the table can be looked at.
    """

    def __init__(
        self,
        faults: Sequence[Event],
        pin: str,
        clear: Callable[[Sequence[Event]], None],
        pages: Sequence[Item] = (),
    ) -> None:
        super().__init__(pages)
        self.faults = tuple(faults)
        self.status = f"locked: {self.faults[0].body.get('detail', '')}"
        self._pad = PinPad(pin)
        self._clear = clear

    def pressed(self, button: Button) -> None:
        """See `PinPad`."""
        if button is Button.BACK and not self._pad.typed:
            self.menu()
        elif self._pad.press(button):
            self._clear(self.faults)
            self.done = True

    def standing(self) -> View:
        """The fault, and how far the PIN is entered; its digits are not shown."""
        body = self.faults[0].body
        code, detail = str(body.get("code", "")), str(body.get("detail", ""))
        menu = Hint(Action.MENU) if self._pages else None
        return View(
            Scene.FAULT,
            self._pad.buttons(menu),
            notice=Notice(code, Level.FAULT, text=detail),
            **self._pad.show(),
        )
