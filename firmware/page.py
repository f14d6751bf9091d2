"""A page to look at: left and right turn it, back leaves it."""

from __future__ import annotations

from display.view import Action, Buttons, Hint
from firmware.buttons import Button
from firmware.dialogs import BACK, Command, Dialog, Intent, Open


class Page(Dialog):
    """Left and right turn it, back leaves it."""

    def __init__(self) -> None:
        self.cursor = 0

    @property
    def places(self) -> int:
        """How many places left and right go through; 0: they do nothing."""
        return 0

    def opens(self) -> Dialog | None:
        """What confirm opens at the cursor."""
        return None

    def buttons(self) -> Buttons:
        """See the class."""
        turn = self.places > 1
        return Buttons(
            confirm=Hint(Action.CHOOSE) if self.opens() is not None else None,
            back=BACK,
            left=Hint(Action.PREVIOUS) if turn else None,
            right=Hint(Action.NEXT) if turn else None,
        )

    def press(self, button: Button, held: int = 0) -> Intent:
        """See the class."""
        match button:
            case Button.LEFT | Button.RIGHT if self.places:
                way = 1 if button is Button.RIGHT else -1
                self.cursor = (self.cursor + way) % self.places
            case Button.BACK:
                return Command.CLOSE
            case Button.CONFIRM:
                opened = self.opens()
                return Open(lambda: opened) if opened is not None else None
        return None
