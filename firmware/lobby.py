"""Before a sitting: go on with an open game, choose the game, seat the players."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from display.view import Action, Buttons, Hint, Level, Notice, Record, Scene, View
from firmware.buttons import Button
from firmware.clock import Clock
from firmware.dialogs import Command, Dialog, Intent, Item, MenuDialog, Open
from firmware.rules import GAMES, balut, barbudi, barbut, barbut_bg
from firmware.rules.game import Refused
from vision.reading import Image
from vision.watch import Sight

SEATS = {
    "barbudi": barbudi.SEATS,
    "barbut": barbut.SEATS,
    "barbut_bg": barbut_bg.SEATS,
    "balut": balut.SEATS,
}
"""Smallest and largest number of players of each game."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÆØÅ"
NAME_LENGTH = 12
ATTRACT_SECONDS = 6
"""How long each picture stands while nobody plays."""


class Step(Enum):
    """Where in the lobby people are."""

    RESUME = auto()
    ATTRACT = auto()
    GAME = auto()
    SEATS = auto()
    NAME = auto()


@dataclass(frozen=True, slots=True)
class OpenGame:
    """A game that was on when the power went."""

    game: str
    seats: tuple[str, ...]
    state: Any
    problem: str = ""
    """Why it can not go on, in a sentence; empty when it can."""


@dataclass(frozen=True, slots=True)
class Start:
    """What the lobby ends with: a new game, or (`resume`) the open one."""

    game: str
    seats: tuple[str, ...]
    resume: bool = False


class Lobby:
    """Seats the players with the same four buttons."""

    def __init__(
        self,
        names: Sequence[str] = (),
        *,
        open_game: OpenGame | None = None,
        pages: Sequence[Item] = (),
        records: Sequence[Record] = (),
        clock: Clock | None = None,
        abandon: Callable[[], None] = lambda: None,
    ) -> None:
        """`names` are offered for the seats; `abandon` closes the open game for good.

        `pages` are the lines of the menu; `records` are the last games, shown in turn with the
        games while nobody plays.
        """
        self.names = list(names)
        self.open_game = open_game
        self.start: Start | None = None
        """What was decided; the lobby is done then."""
        self._abandon = abandon
        self._pages = tuple(pages)
        self._records = tuple(records)
        self._clock = clock
        self._dialogs: list[Dialog] = []
        self._step = Step.RESUME if open_game is not None else Step.ATTRACT
        self._cursor = 0
        self._armed = False
        self._game = next(iter(GAMES))
        self._seats: list[str] = []
        self._typed = ""
        self._notice: Notice | None = None

    # --- the mode's side -------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        """A game may begin."""
        return self.start is not None

    @property
    def due(self) -> int:
        """No throw is due in the lobby."""
        return 0

    def point(self, kind: str, name: str) -> None:
        """A finger on something that the screen shows."""
        if self._dialogs:
            if self._dialogs[-1].point(kind, name):
                self.press(Button.CONFIRM)
        elif kind == "option" and self._step not in (Step.RESUME, Step.ATTRACT):
            places = list(GAMES) if self._step is Step.GAME else self._options
            if int(name) < len(places):
                self._cursor = int(name)
                self.press(Button.CONFIRM)

    @property
    def typing(self) -> bool:
        """A name is being spelt; letters of a keyboard belong to it."""
        return self._step is Step.NAME and not self._dialogs

    def menu(self) -> None:
        """Rules, the last games, health."""
        if self._pages:
            self._dialogs.append(MenuDialog(self._pages))

    def see(self, sight: Sight, image: Image | None = None, number: int = 0) -> None:
        """The lobby does not look at the tray."""

    def camera_lost(self) -> None:
        """The lobby does not look at the tray."""

    def throw(self) -> None:
        """No throw is due in the lobby."""
        return

    def tick(self) -> None:
        """Nothing here takes time."""

    # --- buttons ---------------------------------------------------------------------------------

    def press(self, button: Button, held: int = 0) -> None:
        """What a button means is in `view().buttons`."""
        self._notice = None
        if self._dialogs:
            self._follow(self._dialogs[-1].press(button, held))
            return
        match self._step:
            case Step.RESUME:
                self._press_resume(button)
            case Step.ATTRACT if button is Button.RIGHT:
                self.menu()
            case Step.ATTRACT:
                self._go(Step.GAME)
            case Step.GAME:
                self._press_game(button)
            case Step.SEATS:
                self._press_seats(button)
            case Step.NAME:
                self._press_name(button)

    def _follow(self, intent: Intent) -> None:
        match intent:
            case Open(make):
                self._dialogs.append(make())
            case Command.CLOSE:
                self._dialogs.pop()

    def _go(self, step: Step) -> None:
        self._step = step
        self._cursor = 0
        self._armed = False

    def _press_resume(self, button: Button) -> None:
        assert self.open_game is not None
        match button:
            case Button.CONFIRM if self._armed:
                self._abandon()
                self._go(Step.ATTRACT)
            case Button.CONFIRM if not self.open_game.problem:
                self.start = Start(self.open_game.game, self.open_game.seats, resume=True)
            case Button.BACK:
                # An open game is given up only with two presses of different buttons.
                self._armed = not self._armed

    def _press_game(self, button: Button) -> None:
        games = list(GAMES)
        match button:
            case Button.LEFT | Button.RIGHT:
                way = 1 if button is Button.RIGHT else -1
                self._cursor = (self._cursor + way) % len(games)
            case Button.BACK:
                self._go(Step.ATTRACT)
            case Button.CONFIRM:
                self._game = games[self._cursor]
                self._seats = self._seats[: SEATS[self._game][1]]
                self._go(Step.SEATS)

    @property
    def _options(self) -> tuple[str, ...]:
        """Names, then "new name", then "start"; letters while a name is spelt."""
        if self._step is Step.NAME:
            return (*LETTERS, Action.ADD.value)
        return (*self.names, Action.NEW_NAME.value, Action.START.value)

    @property
    def _enough(self) -> bool:
        return len(self._seats) >= SEATS[self._game][0]

    def _press_seats(self, button: Button) -> None:
        match button:
            case Button.LEFT | Button.RIGHT:
                way = 1 if button is Button.RIGHT else -1
                self._cursor = (self._cursor + way) % len(self._options)
            case Button.BACK:
                self._go(Step.GAME)
            case Button.CONFIRM if self._cursor < len(self.names):
                self._toggle(self.names[self._cursor])
            case Button.CONFIRM if self._cursor == len(self.names):
                self._typed = ""
                self._go(Step.NAME)
            case Button.CONFIRM if self._enough:
                self.start = Start(self._game, tuple(self._seats))

    def _toggle(self, name: str) -> None:
        if name in self._seats:
            self._seats.remove(name)
        elif len(self._seats) < SEATS[self._game][1]:
            self._seats.append(name)
        else:
            low, high = SEATS[self._game]
            self._notice = Notice("players", Level.WARNING, (("low", low), ("high", high)))

    def _press_name(self, button: Button) -> None:
        match button:
            case Button.LEFT | Button.RIGHT:
                way = 1 if button is Button.RIGHT else -1
                self._cursor = (self._cursor + way) % len(self._options)
            case Button.BACK if self._typed:
                self._typed = self._typed[:-1]
            case Button.BACK:
                self._go(Step.SEATS)
            case Button.CONFIRM if self._cursor < len(LETTERS):
                letter = LETTERS[self._cursor]
                self.type(letter.lower() if self._typed else letter)
            case Button.CONFIRM:
                self._add_name()

    def type(self, text: str) -> None:
        """Letters of a new name, from the buttons or a keyboard."""
        if self._step is Step.NAME and text.isprintable():
            self._typed = (self._typed + text)[:NAME_LENGTH]

    def _add_name(self) -> None:
        name = self._typed.strip()
        self._go(Step.SEATS)
        if not name:
            return
        if name not in self.names:
            self.names.append(name)
        self._cursor = self.names.index(name)
        if name not in self._seats:
            self._toggle(name)

    # --- what is shown ---------------------------------------------------------------------------

    def view(self) -> View:
        """Everything that the screen shows now."""
        if self._dialogs:
            dialog = self._dialogs[-1]
            # On its own a menu has a screen; over a game it is drawn above it.
            scene = Scene.MENU if dialog.scene is Scene.GAME else dialog.scene
            return View(scene, dialog.buttons(), **dialog.show())
        previous, following = Hint(Action.PREVIOUS), Hint(Action.NEXT)
        back = Hint(Action.BACK)
        match self._step:
            case Step.RESUME:
                return self._resume_view()
            case Step.ATTRACT:
                start = Hint(Action.START)
                menu = Hint(Action.MENU) if self._pages else None
                buttons = Buttons(confirm=start, right=menu)
                page = int(self._clock.monotonic() / ATTRACT_SECONDS) if self._clock else 0
                return View(
                    Scene.ATTRACT,
                    buttons,
                    options=tuple(GAMES),
                    page=page,
                    records=self._records,
                )
            case Step.GAME:
                return View(
                    Scene.CHOOSE_GAME,
                    Buttons(Hint(Action.CHOOSE), back, previous, following),
                    options=tuple(GAMES),
                    cursor=self._cursor,
                    game=list(GAMES)[self._cursor],
                )
            case _:
                return View(
                    Scene.SEATS,
                    Buttons(self._seats_confirm(), back, previous, following),
                    game=self._game,
                    seats=tuple(self._seats),
                    options=self._options,
                    cursor=self._cursor,
                    typed=self._typed if self._step is Step.NAME else "",
                    notice=self._notice,
                )

    def _seats_confirm(self) -> Hint | None:
        if self._step is Step.NAME:
            return Hint(Action.LETTER if self._cursor < len(LETTERS) else Action.ADD)
        if self._cursor < len(self.names):
            seated = self.names[self._cursor] in self._seats
            return Hint(Action.REMOVE if seated else Action.ADD)
        if self._cursor == len(self.names):
            return Hint(Action.NEW_NAME)
        return Hint(Action.START) if self._enough else None

    def _resume_view(self) -> View:
        assert self.open_game is not None
        problem = self.open_game.problem
        confirm: Hint | None = Hint(Action.GO_ON)
        if self._armed:
            confirm = Hint(Action.END_GAME)
        elif problem:
            confirm = None
        back = Hint(Action.CANCEL if self._armed else Action.END_GAME)
        return View(
            Scene.RESUME,
            Buttons(confirm=confirm, back=back),
            game=self.open_game.game,
            seats=self.open_game.seats,
            state=self.open_game.state,
            armed=self._armed,
            notice=Notice(level=Level.WARNING, text=problem) if problem else None,
        )


def new_game(key: str, seats: Sequence[str], house_rules: Mapping[str, Any]) -> Any:
    """A new game with those house rules; Refused or ConfigError when they do not allow it."""
    return GAMES[key].from_start({"players": list(seats), "config": dict(house_rules)})


__all__ = ["Lobby", "OpenGame", "Refused", "Start", "new_game"]
