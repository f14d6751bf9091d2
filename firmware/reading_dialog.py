"""A throw lies there and was read: confirm it, set it right, enter it by hand, or call it void."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from display.view import Action, Buttons, Hint, Scene
from firmware.buttons import Button
from firmware.correct_dialogs import CorrectDialog, ThrowMaker
from firmware.dialogs import Command, Dialog, Do, Intent, Open
from firmware.fitting import Throwing
from firmware.rules import acts
from firmware.rules.game import Event, Game, Refused


class ReadingDialog(Dialog):
    """Confirm is lit only when what lies there is the throw that is due."""

    scene: ClassVar[Scene] = Scene.THROW

    def __init__(self, game: Callable[[], Game[Any]], throwing: Callable[[], Throwing]) -> None:
        """`game` and `throwing` are as they are now; asked only while a reading lies there."""
        self.armed = False
        """The first of the two presses that make a good throw void was made."""
        self._game = game
        self._throwing = throwing

    def buttons(self) -> Buttons:
        """See the class."""
        throwing = self._throwing()
        good = throwing.reading is not None and throwing.reading.ok
        void = Hint(Action.VOID) if good else None
        if throwing.faces is None:
            correct = Hint(Action.CORRECT) if throwing.correctable is not None else None
            return Buttons(left=correct, right=Hint(Action.BY_HAND), back=void)
        if self.armed:
            return Buttons(confirm=Hint(Action.VOID), back=Hint(Action.CANCEL))
        return Buttons(confirm=Hint(Action.CONFIRM), back=void, left=Hint(Action.CORRECT))

    def press(self, button: Button, held: int = 0) -> Intent:
        """See `buttons`."""
        hint = getattr(self.buttons(), button.value)
        throwing = self._throwing()
        match hint.action if hint is not None else None:
            case Action.CONFIRM:
                return Do(self._throw(throwing), source="camera")
            case Action.CORRECT if (reading := throwing.correctable) is not None:
                return Open(partial(CorrectDialog, reading, maker(throwing)))
            case Action.BY_HAND:
                return Command.BY_HAND
            case Action.CANCEL:
                self.armed = False
            case Action.VOID if self.armed or throwing.faces is None:
                return Do(acts.VoidThrow(throwing.want.by, "unreadable"))
            case Action.VOID:
                self.armed = True
        return None

    def _throw(self, throwing: Throwing) -> acts.Throw:
        assert throwing.faces is not None
        return acts.Throw(throwing.want.by, throwing.faces, throwing.keep)

    def show(self) -> dict[str, Any]:
        """What was read, what confirm would bring about, and why it is not the throw due."""
        throwing = self._throwing()
        shown: dict[str, Any] = {"reading": throwing.reading, "armed": self.armed}
        if throwing.faces is not None:
            shown["preview"] = self._preview(self._throw(throwing))
        if throwing.misfit is not None:
            shown["notice"] = throwing.misfit
        return shown

    def _preview(self, act: acts.Throw) -> tuple[Event, ...]:
        game = self._game()
        try:
            events = game.push(act).events
        except Refused:
            return ()
        game.pop()
        return tuple(events)


def maker(throwing: Throwing) -> ThrowMaker:
    """Makes the throw that is due from faces set right or entered by hand."""
    return ThrowMaker(throwing.want.by, throwing.keep)
