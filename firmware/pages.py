"""Pages that can be looked at from every state: rules, last games, statistics, health."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from display.view import (
    Action,
    Buttons,
    Hint,
    Level,
    Notice,
    Record,
    Scene,
    Source,
    Step,
)
from firmware import health
from firmware.buttons import Button
from firmware.dialogs import Dialog, Intent, Item, MenuDialog, Open
from firmware.dice_sets import DiceSets
from firmware.health_page import HealthPage
from firmware.look import Look, LookDialog
from firmware.operator_menu import OperatorMenu, Said
from firmware.page import Page
from firmware.queries import Queries
from firmware.recall import Moment, moments
from firmware.record import Event, Kind, RecordedGame
from firmware.replay import ReplayError
from firmware.results import result_of
from firmware.rules import GAMES
from firmware.statedir import StateError
from firmware.statistics import Figures, Period, Statistician
from firmware.statistics_pages import StatisticsPage
from firmware.take_home import TakeHome, TakeHomePage
from vision.reading import Image

GAMES_SHOWN = 10


class RulesPage(Page):
    """The rules of a game, page by page."""

    scene: ClassVar[Scene] = Scene.RULES
    MANY = 10_000
    """The screen turns the pages round by itself; it knows how many there are."""

    def __init__(self, game: str) -> None:
        super().__init__()
        self.game = game

    @property
    def places(self) -> int:
        """See `Page`."""
        return self.MANY

    def press(self, button: Button, held: int = 0) -> Intent:
        """See `Page`; there is no page before the first."""
        if button is Button.LEFT and self.cursor == 0:
            return None
        return super().press(button, held)

    def show(self) -> dict[str, Any]:
        """The game and the page."""
        return {"game": self.game, "page": self.cursor}


class HistoryPage(Page):
    """The last games; confirm opens one."""

    scene: ClassVar[Scene] = Scene.HISTORY

    def __init__(self, games: Sequence[RecordedGame], recall_game: Callable[[int], Dialog]) -> None:
        super().__init__()
        self._opened: dict[int, Dialog] = {}
        """The page of the chosen game: it is asked for at every picture and replays the game."""
        self.games = tuple(games)
        self._recall = recall_game
        self.records = tuple(as_shown(game) for game in self.games)

    @property
    def places(self) -> int:
        """See `Page`."""
        return len(self.games)

    def opens(self) -> Dialog | None:
        """The chosen game, step by step."""
        if not self.games:
            return None
        if self.cursor not in self._opened:
            self._opened = {self.cursor: self._recall(self.games[self.cursor].id)}
        return self._opened[self.cursor]

    def show(self) -> dict[str, Any]:
        """The games and the chosen one."""
        return {"records": self.records, "cursor": self.cursor}


@dataclass(frozen=True, slots=True)
class Remembered:
    """A step of a recorded game, and where its picture is."""

    step: Step
    picture: Path | None


class RecallPage(Page):
    """One game step by step, the last step first in view."""

    scene: ClassVar[Scene] = Scene.RECALL

    def __init__(
        self, game: str, steps: Sequence[Remembered], home: Callable[[], Dialog] | None = None
    ) -> None:
        """`home` makes the page with what can be taken home of it."""
        super().__init__()
        self._home = home
        self.game = game
        self.steps = tuple(steps)
        self.cursor = max(0, len(self.steps) - 1)
        self._pictures: dict[Path, Image | None] = {}

    @property
    def places(self) -> int:
        """See `Page`."""
        return len(self.steps)

    def opens(self) -> Dialog | None:
        """The result, to take home."""
        return self._home() if self._home is not None else None

    def buttons(self) -> Buttons:
        """See `Page`; the button says what it opens."""
        confirm = Hint(Action.TAKE_HOME) if self._home is not None else None
        return replace(super().buttons(), confirm=confirm)

    def show(self) -> dict[str, Any]:
        """The steps, the chosen one and its picture."""
        chosen = self.steps[self.cursor].picture if self.steps else None
        return {
            "game": self.game,
            "steps": tuple(one.step for one in self.steps),
            "cursor": self.cursor,
            "picture": self._picture(chosen),
            "picture_number": self.cursor,
            "reading": None,
        }

    def _picture(self, path: Path | None) -> Image | None:
        if path is None:
            return None
        if path not in self._pictures:
            # Only the one that is shown: a long game has more pictures than there is memory.
            self._pictures = {path: load_picture(path)}
        return self._pictures[path]


def load_picture(path: Path) -> Image | None:
    """A kept picture; None when it is not there any more."""
    import cv2

    found = cv2.imread(str(path)) if path.exists() else None
    return None if found is None else found.astype("uint8")


class Pages:
    """Makes the pages from the record and the machine."""

    def __init__(
        self,
        journal: Queries | None,
        picture: Callable[[str], Path],
        examine: Callable[[], Sequence[health.Finding]],
        *,
        operator: OperatorMenu | None = None,
        now: Callable[[], float] = time.time,
        look: Look | None = None,
        take_home: TakeHome | None = None,
        dice_sets: DiceSets | None = None,
        live: Callable[[], Sequence[health.Finding]] = lambda: (),
    ) -> None:
        """`picture` gives the file of a kept picture; `examine` looks at the machine.

        `live` tells of camera and buttons as they are now (`firmware.live`).

        `journal`: the record; None when it can not be read, and its pages are not there.
        `operator`: what the operator may do, behind his PIN; `now`: seconds since 1970 UTC.
        `look`: what any player may change on the screen. `take_home` makes the sheets to take
        home; `dice_sets`: which dice are in play.
        """
        self._take_home = take_home
        self._dice_sets = dice_sets
        self._look = look
        self._operator = operator
        self._now = now
        self._journal = journal
        self._statistician = Statistician(journal) if journal is not None else None
        self._picture = picture
        self._examine = examine
        self._live = live

    def rules(self, game: str) -> RulesPage:
        """The rules of a game."""
        return RulesPage(game)

    def health(self) -> HealthPage:
        """The state of the machine now."""
        return HealthPage(self._examine, self._live)

    def history(self) -> HistoryPage:
        """The last games."""
        assert self._journal is not None
        return HistoryPage(
            self._journal.games(GAMES_SHOWN), lambda game_id: safely(partial(self.recall, game_id))
        )

    def statistics(self) -> StatisticsPage:
        """Who won what, and whether the dice are fair."""
        assert self._statistician is not None
        return StatisticsPage(self._figures, self._statistician.work)

    def _figures(self, period: Period) -> Figures:
        assert self._statistician is not None
        return self._statistician.figures(period, self._now())

    def recall(self, game_id: int) -> RecallPage:
        """One game step by step; empty when the record of it can not be read."""
        assert self._journal is not None
        events = self._journal.events(game_id)
        try:
            told = [one for one in moments(events) if one.story or one.act is not None]
        except ReplayError:
            told = []
        key = str(events[0].body.get("game", "")) if events else ""
        steps = [self._remembered(one) for one in told]
        return RecallPage(key, steps, self.home_of(self._journal.game(game_id)))

    def home_of(self, recorded: RecordedGame | None) -> Callable[[], Dialog] | None:
        """What makes the page to take a game home from; None: it is not finished or not whole."""
        if self._take_home is None or recorded is None:
            return None
        try:
            result = result_of(recorded)
        except ReplayError:
            return None
        return partial(TakeHomePage, result, self._take_home) if result is not None else None

    @property
    def can_take_home(self) -> bool:
        """Sheets can be made here."""
        return self._take_home is not None

    @property
    def dice_set(self) -> str:
        """The name of the dice in play; empty: they have none."""
        return self._dice_sets.current if self._dice_sets is not None else ""

    def _remembered(self, moment: Moment) -> Remembered:
        event = moment.event
        name = event.body.get("picture")
        step = Step(
            when=time.strftime("%H:%M:%S", time.localtime(event.at / 1000)),
            events=moment.story,
            source=source_of(event),
            taken_back=event.kind == Kind.TAKE_BACK,
            pot=moment.pot,
            read=corrected(event),
        )
        return Remembered(step, self._picture(name) if isinstance(name, str) else None)

    def menu(self, game: str | None = None) -> list[Item]:
        """The lines of a menu that lead to the pages; `game` is the one that is played."""
        if game is not None:
            rules: Intent = Open(partial(self.rules, game))
        else:
            games = [Item(key, Open(partial(self.rules, key))) for key in GAMES]
            rules = Open(partial(MenuDialog, games))
        history = Item(Action.HISTORY.value, Open(partial(safely, self.history)))
        machine = Item(Action.HEALTH.value, Open(self.health))
        figures = Item(Action.STATISTICS.value, Open(partial(safely, self.statistics)))
        looks = [history, figures, machine] if self._journal is not None else [machine]
        lines = [Item(Action.RULES.value, rules), *looks]
        dice = self._dice_sets.item() if self._dice_sets is not None else None
        if dice is not None:
            lines.append(dice)
        if self._look is not None:
            lines.append(Item(Action.LOOK.value, Open(partial(LookDialog, self._look))))
        if self._operator is not None:
            lines.append(self._operator.item(looks))
        return lines


def safely(make: Callable[[], Dialog]) -> Dialog:
    """The page, or why the record can not be read."""
    try:
        return make()
    except StateError as error:
        return Said(Notice("storage", Level.WARNING, text=str(error)))


def corrected(event: Event) -> tuple[str, str] | None:
    """What was read and what a person made of it; None where nobody corrected anything."""
    if source_of(event) is not Source.CORRECTED:
        return None
    read, faces = event.body.get("read") or (), event.body["act"].get("dice") or ()
    return "-".join(str(one or "?") for one in read), "-".join(map(str, faces))


def source_of(event: Event) -> Source:
    """Where the dice of an act come from."""
    source = event.body.get("source")
    return Source(source) if source in set(Source) else Source.NONE


def as_shown(game: RecordedGame) -> Record:
    """A recorded game as a line of the history."""
    outcome = game.outcome or {}
    return Record(
        game=game.game,
        when=time.strftime("%d.%m. %H:%M", time.localtime(game.opened_at / 1000)),
        seats=tuple(game.start.get("players", ())),
        winners=tuple(outcome.get("winners", ())),
        scores=tuple((name, int(n)) for name, n in outcome.get("scores", {}).items()),
    )
