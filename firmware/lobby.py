"""Before a sitting: go on with an open game, choose the game, seat the players."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Any

from display.view import Action, Buttons, Hint, Level, Notice, Record, Scene, View
from firmware.buttons import Button
from firmware.clock import Clock
from firmware.dialogs import Command, Dialog, Intent, Item, MenuDialog, Open
from firmware.house_rules import HouseRulesDialog, settings
from firmware.look import Look, LookDialog
from firmware.rules import GAMES, balut, barbudi, barbut, barbut_bg
from firmware.rules.game import Refused
from firmware.rules.options import ConfigError
from firmware.spelling import Spelling
from firmware.table import plain_details
from firmware.two_presses import TwoPresses
from vision.reading import Image
from vision.watch import Sight

SEATS = {
    "barbudi": barbudi.SEATS,
    "barbut": barbut.SEATS,
    "barbut_bg": barbut_bg.SEATS,
    "balut": balut.SEATS,
}
"""Smallest and largest number of players of each game."""
ATTRACT_SECONDS = 12
"""How long each picture stands while nobody plays: dice roll for one of these seconds."""
IDLE_SECONDS = 180
"""So long nobody presses anything, and the games go by again."""


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
class Replay:
    """The last throw of the last game, to be thrown once more while nobody plays."""

    who: str
    faces: tuple[int, ...]
    picture: Image | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Start:
    """What the lobby ends with: a new game, or (`resume`) the open one."""

    game: str
    seats: tuple[str, ...]
    resume: bool = False
    rules: Mapping[str, Any] | None = None
    """The house rules that were chosen for it, as a `config` object; None: those of the house."""


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
        house_rules: Mapping[str, Mapping[str, Any]] | None = None,
        look: Look | None = None,
        again: Start | None = None,
        first: str | None = None,
        replay: Replay | None = None,
    ) -> None:
        """`names` are offered for the seats; `abandon` closes the open game for good.

        `pages` are the lines of the menu; `records` are the last games, shown in turn with the
        games and the last throw (`replay`) while nobody plays. `house_rules` are those of the
        house, by game. `first` is the game offered first. After a game the lobby begins with the
        choice of the next one: `again` is who just played what.
        """
        self.names = list(names)
        self.open_game = open_game
        self.start: Start | None = None
        """What was decided; the lobby is done then."""
        self._abandon = abandon
        self._pages = tuple(pages)
        self._records = tuple(records)
        self._clock = clock
        self._look = look or Look()
        self._replay = replay
        self._dialogs: list[Dialog] = []
        self._step = Step.RESUME if open_game is not None else Step.ATTRACT
        self._cursor = 0
        self._armed = False
        self._two_presses = TwoPresses()
        self._game = first or next(iter(GAMES))
        self._house_rules = house_rules or {}
        self._rules: Mapping[str, Any] = {}
        self._seats: list[str] = []
        self._spelling = Spelling()
        self._notice: Notice | None = None
        self._pressed_at = self._now
        if again is not None:
            self._game, self._seats = again.game, list(again.seats)
            if self._step is Step.ATTRACT:
                self._choose_game()

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
                if self._step is Step.NAME:
                    self._spelling.cursor = int(name)
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

    def see(
        self,
        sight: Sight,
        image: Image | None = None,
        number: int = 0,
        about: Mapping[str, Any] | None = None,
    ) -> None:
        """The lobby does not look at the tray."""

    def camera_lost(self) -> None:
        """The lobby does not look at the tray."""

    def throw(self) -> None:
        """No throw is due in the lobby."""
        return

    def tick(self) -> None:
        """When everybody has gone the games go by again."""
        if self._two_presses.too_late(self._armed, self._now):
            self._armed = False
        idle = self._now - self._pressed_at > IDLE_SECONDS
        if idle and self._step not in (Step.RESUME, Step.ATTRACT):
            self._dialogs.clear()
            self._seats.clear()
            self._go(Step.ATTRACT)

    @property
    def _now(self) -> float:
        return self._clock.monotonic() if self._clock else 0.0

    # --- buttons ---------------------------------------------------------------------------------

    def press(self, button: Button, held: int = 0) -> None:
        """What a button means is in `view().buttons`."""
        self._notice = None
        self._pressed_at = self._now
        if self._dialogs:
            self._follow(self._dialogs[-1].press(button, held))
            return
        match self._step:
            case Step.RESUME:
                self._press_resume(button)
            case Step.ATTRACT if button is Button.RIGHT:
                self.menu()
            case Step.ATTRACT if button is Button.LEFT:
                self._dialogs.append(LookDialog(self._look))
            case Step.ATTRACT:
                self._choose_game()
            case Step.GAME:
                self._press_game(button)
            case Step.SEATS:
                self._press_seats(button)
            case Step.NAME if self._spelling.press(button):
                self._add_name()

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

    def _choose_game(self) -> None:
        self._go(Step.GAME)
        self._cursor = list(GAMES).index(self._game)

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
                self._rules = self._house_rules.get(self._game, {})
                self._seats = self._seats[: SEATS[self._game][1]]
                self._go(Step.SEATS)
                if self._enough:
                    # The same people as before: one press and they play.
                    self._cursor = self._options.index(Action.START.value)

    @property
    def _options(self) -> tuple[str, ...]:
        """Names, then "new name", "house rules", "start"; letters while a name is spelt."""
        if self._step is Step.NAME:
            return self._spelling.options
        last = (Action.NEW_NAME, Action.HOUSE_RULES, Action.START)
        return (*self.names, *(action.value for action in last))

    @property
    def _option(self) -> str:
        return self._options[self._cursor]

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
            case Button.CONFIRM if self._option == Action.NEW_NAME:
                self._spelling = Spelling(self._look.language)
                self._go(Step.NAME)
            case Button.CONFIRM if self._option == Action.HOUSE_RULES:
                self._dialogs.append(HouseRulesDialog(self._game, self._rules, self._take_rules))
            case Button.CONFIRM if self._enough:
                self._begin()

    def _take_rules(self, config: Mapping[str, Any]) -> None:
        self._rules = config

    def _begin(self) -> None:
        """Start, unless these players can not play by these rules."""
        try:
            new_game(self._game, self._seats, self._rules)
        except Refused as refused:
            self._notice = Notice(refused.code, Level.WARNING, plain_details(refused))
        except ConfigError as error:
            self._notice = Notice(level=Level.WARNING, text=str(error))
        else:
            own = self._rules != self._house_rules.get(self._game, {})
            self.start = Start(
                self._game, tuple(self._seats), rules=dict(self._rules) if own else None
            )

    def _toggle(self, name: str) -> None:
        if name in self._seats:
            self._seats.remove(name)
        elif len(self._seats) < SEATS[self._game][1]:
            self._seats.append(name)
        else:
            low, high = SEATS[self._game]
            self._notice = Notice("players", Level.WARNING, (("low", low), ("high", high)))

    def type(self, text: str) -> None:
        """Letters of a new name from a keyboard."""
        if self._step is Step.NAME:
            self._pressed_at = self._now
            self._spelling.type(text)
            # Enter takes the name then, and not one more letter.
            self._spelling.cursor = self._spelling.options.index(Action.ADD.value)

    def _add_name(self) -> None:
        """Seat the name that was spelt, if there is one."""
        name = self._spelling.name
        self._go(Step.SEATS)
        if not name:
            self._cursor = self._options.index(Action.NEW_NAME.value)
            return
        if name not in self.names:
            self.names.append(name)
        if name not in self._seats:
            self._toggle(name)
        # The next newcomer is one press away, and so is the start.
        self._cursor = self._options.index(Action.NEW_NAME.value)

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
                return self._attract_view()
            case Step.GAME:
                return View(
                    Scene.CHOOSE_GAME,
                    Buttons(Hint(Action.CHOOSE), back, previous, following),
                    options=tuple(GAMES),
                    cursor=self._cursor,
                    game=list(GAMES)[self._cursor],
                )
            case Step.NAME:
                spelling = self._spelling
                return replace(
                    self._seats_view(),
                    buttons=Buttons(spelling.confirm, spelling.back, previous, following),
                    cursor=spelling.cursor,
                    typed=spelling.typed,
                )
        return self._seats_view()

    def _seats_view(self) -> View:
        notice = self._notice
        if self._step is Step.SEATS and self._option == Action.START and not self._enough:
            low, high = SEATS[self._game]
            notice = notice or Notice("players", details=(("low", low), ("high", high)))
        return View(
            Scene.SEATS,
            Buttons(
                self._seats_confirm(),
                Hint(Action.BACK),
                Hint(Action.PREVIOUS),
                Hint(Action.NEXT),
            ),
            game=self._game,
            seats=tuple(self._seats),
            options=self._options,
            cursor=self._cursor,
            settings=tuple(one for one in settings(self._game, self._rules).values() if one.usual),
            notice=notice,
        )

    def _attract_view(self) -> View:
        menu = Hint(Action.MENU) if self._pages else None
        view = View(
            Scene.ATTRACT,
            Buttons(confirm=Hint(Action.START), left=Hint(Action.LOOK), right=menu),
            options=tuple(GAMES),
            page=int(self._now / ATTRACT_SECONDS),
            records=self._records,
        )
        if self._replay is None:
            return view
        return replace(
            view,
            entry=self._replay.faces,
            seats=(self._replay.who,),
            picture=self._replay.picture,
            picture_number=1,
        )

    def _seats_confirm(self) -> Hint | None:
        if self._cursor < len(self.names):
            seated = self.names[self._cursor] in self._seats
            return Hint(Action.REMOVE if seated else Action.ADD)
        if self._option in (Action.NEW_NAME, Action.HOUSE_RULES):
            return Hint(Action(self._option))
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
