"""Players without hands: presses the mock pins until the table has taken an act.

The robot knows nothing of the table's inside. Like a person it looks at what the screen says each
button does now, and presses. The demo, the soak and the tests of whole evenings play with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from display.view import Action, Scene, View
from firmware.buttons import Button
from firmware.rules.acts import Bank, Cover, Decline, Enter, SideBet, Stake, TwoShotChoice, Vari
from firmware.rules.acts import Wager as WagerAct
from firmware.rules.balut_sheet import ROWS


class RobotError(Exception):
    """The screen does not offer what the robot wants to do; says what it does offer."""


class Pins(Protocol):
    """The pins under the buttons."""

    def press(self, button: Button) -> None:
        """Pull the pin of a button low."""

    def release(self, button: Button) -> None:
        """Let the pin of a button go."""


Intention = Stake | Cover | Decline | SideBet | WagerAct | Vari | Bank | Enter | TwoShotChoice
"""Acts that need no dice."""


class Robot:
    """Presses buttons and waits for the table."""

    def __init__(
        self,
        pins: Pins,
        view: Callable[[], View],
        tick: Callable[[], None],
        throw: Callable[[], None],
        *,
        patience: int = 120,
    ) -> None:
        """`tick` lets one turn of the main loop pass; `patience` is how many it waits at most."""
        self._pins = pins
        self._view = view
        self._tick = tick
        self._throw = throw
        self._patience = patience
        self.presses = 0
        """How many buttons were pressed so far."""

    def press(self, button: Button) -> None:
        """Press and let go."""
        self.presses += 1
        self._pins.press(button)
        self._tick()
        self._pins.release(button)
        self._tick()

    def wait(self, ready: Callable[[View], bool], what: str) -> View:
        """Let time pass until the screen shows it; the view. RobotError when it never does."""
        for _ in range(self._patience):
            view = self._view()
            if ready(view):
                return view
            self._tick()
        raise RobotError(f"waited in vain for {what}: {describe(self._view())}")

    def settled(self) -> View:
        """The view once nothing is being saved."""
        return self.wait(lambda view: view.progress is None, "the disk")

    def find(self, *actions: Action) -> Button | None:
        """The button that does one of these now."""
        buttons = self.settled().buttons
        for button in Button:
            hint = getattr(buttons, button.value)
            if hint is not None and hint.action in actions:
                return button
        return None

    def use(self, *actions: Action) -> None:
        """Press the button that does one of these now."""
        button = self.find(*actions)
        if button is None:
            wanted = " or ".join(actions)
            raise RobotError(f"no button does {wanted} now: {describe(self._view())}")
        self.press(button)

    # --- throws ----------------------------------------------------------------------------------

    def throw(self) -> View:
        """Throw the dice and wait until they were read, or not; the view then.

        `view.reading` is None when the table saw no dice at all.
        """
        self.settled()
        self._throw()
        for _ in range(self._patience):
            self._tick()
            view = self._view()
            if view.scene is Scene.THROW and view.reading is not None:
                return view
        return self._view()

    def confirm(self) -> None:
        """Confirm the reading that is shown, and wait for the disk."""
        self.use(Action.CONFIRM)
        self.settled()

    def enter(self, faces: Sequence[int]) -> None:
        """Enter the dice by hand, as people do when they can not be read."""
        if self.settled().keeping:
            self._walk_to(len(self._view().kept) + 1)
        self._extra(Action.BY_HAND)
        for number, face in enumerate(faces, 1):
            for _ in range(face):
                self.use(Action.MORE)
            self.use(Action.CONFIRM if number == len(faces) else Action.NEXT)
        self.use(Action.CORRECT_SURE)
        self.settled()

    # --- the lobby -------------------------------------------------------------------------------

    def seat(self, game: str, names: Sequence[str]) -> None:
        """Choose a game and seat these players, who have played here before; the game begins."""
        self.use(Action.START)
        self._walk(lambda view: view.game == game, f"the game {game}")
        self.use(Action.CHOOSE)
        for name in names:
            self._walk_to_option(name)
            self.use(Action.ADD)
        self._walk_to_option(Action.START.value)
        self.use(Action.START)
        self.wait(lambda view: view.scene in (Scene.GAME, Scene.THROW), "the game")

    def _walk_to_option(self, option: str) -> None:
        self._walk(lambda view: view.options[view.cursor] == option, option)

    def _walk(self, there: Callable[[View], bool], what: str) -> None:
        for _ in range(self._patience):
            if there(self.settled()):
                return
            self.use(Action.NEXT)
        raise RobotError(f"{what} can not be reached in the lobby: {describe(self._view())}")

    # --- acts without dice -----------------------------------------------------------------------

    def do(self, act: Intention) -> None:
        """Press what leads to this act."""
        match act:
            case Stake(amount=amount, two_shot=two_shot):
                self._choose_amount(amount)
                self.use(Action.STAKE)
                self._demand(two_shot)
            case Cover(amount=amount):
                self._choose_amount(amount)
                self.use(Action.COVER, Action.COVER_NOTHING)
            case WagerAct(amount=amount):
                self._choose_amount(amount)
                self.use(Action.WAGER)
            case Decline():
                self._choose_amount(None)
                self.use(Action.DECLINE)
            case Vari():
                self._extra(Action.VARI)
            case Bank():
                self._extra(Action.RECORD)
            case SideBet():
                self._side_bet(act)
            case TwoShotChoice(choice=choice):
                self._pick_option((Action.STOP if choice == "stop" else Action.GO_ON).value)
                self.use(Action.CHOOSE)
            case Enter(category=category):
                self._enter(category)
        self.settled()

    def _choose_amount(self, amount: int | None) -> None:
        for _ in range(self._patience):
            shown = self.settled().amount
            if shown == amount:
                return
            down = amount is None or (shown is not None and shown > amount)
            self.use(Action.LESS if down else Action.MORE)
        raise RobotError(f"can not reach the amount {amount}: {describe(self._view())}")

    def _demand(self, two_shot: bool) -> None:
        view = self.settled()
        if self.find(Action.TWO_SHOT) is None:
            return
        if view.demand != two_shot:
            self.use(Action.TWO_SHOT)
        self.use(Action.STAKE)

    def _extra(self, action: Action) -> None:
        """A button of its own, or a line of the menu."""
        if self.find(action) is None:
            self.use(Action.MENU)
            self._pick_option(action.value)
            self.use(Action.CHOOSE)
        else:
            self.use(action)

    def _pick_option(self, key: str) -> None:
        for _ in range(self._patience):
            view = self.settled()
            if view.options and view.options[view.cursor] == key:
                return
            self.use(Action.NEXT)
        raise RobotError(f"there is no {key} to choose: {describe(self._view())}")

    def _side_bet(self, act: SideBet) -> None:
        self._extra(Action.SIDE_BET)
        for name in (act.for_thrower, act.for_fader):
            self._pick_option(name)
            self.use(Action.CHOOSE)
        self._choose_amount(act.amount)
        self.use(Action.SIDE_BET)

    def keep(self, faces: Sequence[int]) -> None:
        """Balut: mark these faces to be kept, and no others."""
        wanted = list(faces)
        table: tuple[int, ...] = getattr(self.settled().state, "table", ())
        marks = []
        for face in table:
            marks.append(face in wanted)
            if face in wanted:
                wanted.remove(face)
        # Let go first: all five are never kept, not even for a moment.
        for keep in (False, True):
            for index, mark in enumerate(marks):
                if mark is keep and self.settled().kept[index] is not keep:
                    self._walk_to(index)
                    self.use(Action.KEEP, Action.LET_GO)

    def _walk_to(self, cursor: int) -> None:
        for _ in range(self._patience):
            if self.settled().cursor == cursor:
                return
            self.use(Action.NEXT)
        raise RobotError(f"can not reach place {cursor}: {describe(self._view())}")

    def _enter(self, category: str) -> None:
        view = self.settled()
        if view.keeping:
            self._walk_to(len(view.kept))
            self.use(Action.SCORE)
        self._walk_to(list(ROWS).index(category))
        self.use(Action.ENTER, Action.STRIKE)
        if self.find(Action.STRIKE_SURE) is not None:
            self.use(Action.STRIKE_SURE)


def describe(view: View) -> str:
    """The screen in a line, for messages."""
    hints = ", ".join(
        f"{button.value}={hint.action.value}"
        for button in Button
        if (hint := getattr(view.buttons, button.value)) is not None
    )
    notice = f", notice {view.notice.code or view.notice.text}" if view.notice else ""
    return f"scene {view.scene.value}, watch {view.watch.value}, buttons {hints}{notice}"
