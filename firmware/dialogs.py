"""What a person is choosing with the four buttons at this moment.

A dialog belongs to one thing that the game waits for. Each button has one meaning in it, which
`buttons` tells the screen and the lamps; `press` answers with what follows. Confirm does, back
leaves or takes back, left and right choose. The dialogs of stakes, of kept dice and of readings
that are set right have files of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

from display.view import Action, Buttons, Hint, Level, Notice, Scene
from firmware.buttons import Button
from firmware.rules.acts import Act


@dataclass(frozen=True, slots=True)
class Do:
    """Push this act; `source` says where its dice come from (camera, corrected, hand)."""

    act: Act
    source: str = "button"


@dataclass(frozen=True, slots=True)
class Open:
    """Put another dialog on top; it is made when it is opened."""

    make: Callable[[], Dialog]


class Command(StrEnum):
    """What else a press may ask of the table."""

    CLOSE = "close"
    """Leave this dialog."""
    ASK_TAKE_BACK = "ask_take_back"
    TAKE_BACK = "take_back"
    BY_HAND = "by_hand"
    """Enter the dice by hand."""
    GIVE_UP = "give_up"
    """The game ends here and counts for nobody."""


Intent = Do | Open | Command | None


class Dialog:
    """The common part: a cursor, and back takes the last act back."""

    scene: ClassVar[Scene] = Scene.GAME

    def buttons(self) -> Buttons:
        """What each button does now."""
        raise NotImplementedError

    def press(self, button: Button, held: int = 0) -> Intent:
        """What a press brings; `held` is the size of a step while left or right is held."""
        raise NotImplementedError

    def show(self) -> dict[str, Any]:
        """Its part of the `View`."""
        return {}

    def point(self, kind: str, name: str) -> bool:
        """A finger on the screen, on an `option`, a `die` or a `row`: go there.

        True when that is as good as going there and pressing confirm.
        """
        return False


BACK = Hint(Action.BACK)
TAKE_BACK = Hint(Action.TAKE_BACK)


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a menu: a key of `Action` or a name, and what it brings."""

    key: str
    intent: Intent


class MenuDialog(Dialog):
    """One of several things. Without a way back (`root`), back takes the last act back."""

    def __init__(self, items: Sequence[Item], *, root: bool = False) -> None:
        self.items = tuple(items)
        self.root = root
        self.cursor = 0

    def buttons(self) -> Buttons:
        """Left and right choose, confirm does."""
        several = len(self.items) > 1
        return Buttons(
            confirm=Hint(Action.CHOOSE),
            back=TAKE_BACK if self.root else BACK,
            left=Hint(Action.PREVIOUS) if several else None,
            right=Hint(Action.NEXT) if several else None,
        )

    def press(self, button: Button, held: int = 0) -> Intent:
        """See `buttons`."""
        match button:
            case Button.LEFT:
                self.cursor = (self.cursor - 1) % len(self.items)
            case Button.RIGHT:
                self.cursor = (self.cursor + 1) % len(self.items)
            case Button.BACK:
                return Command.ASK_TAKE_BACK if self.root else Command.CLOSE
            case Button.CONFIRM:
                return self.items[self.cursor].intent
        return None

    def point(self, kind: str, name: str) -> bool:
        """A line is chosen by touching it."""
        if kind != "option" or int(name) >= len(self.items):
            return False
        self.cursor = int(name)
        return True

    def show(self) -> dict[str, Any]:
        """The lines and the chosen one."""
        return {"options": tuple(item.key for item in self.items), "cursor": self.cursor}


class TakeBackDialog(Dialog):
    """Shall the last act be taken back?"""

    scene = Scene.TAKE_BACK

    def buttons(self) -> Buttons:
        """Yes and no."""
        return Buttons(confirm=TAKE_BACK, back=Hint(Action.CANCEL))

    def press(self, button: Button, held: int = 0) -> Intent:
        """See `buttons`."""
        if button is Button.CONFIRM:
            return Command.TAKE_BACK
        return Command.CLOSE if button is Button.BACK else None


class GiveUpDialog(Dialog):
    """Shall the game end here? Not with confirm: two presses of one button come too easily."""

    scene = Scene.MESSAGE

    def buttons(self) -> Buttons:
        """Left gives up, back goes on."""
        return Buttons(back=Hint(Action.CANCEL), left=Hint(Action.GIVE_UP))

    def press(self, button: Button, held: int = 0) -> Intent:
        """See `buttons`."""
        if button is Button.LEFT:
            return Command.GIVE_UP
        return Command.CLOSE if button is Button.BACK else None

    def show(self) -> dict[str, Any]:
        """The question."""
        return {"notice": Notice("give_up", Level.WARNING)}
