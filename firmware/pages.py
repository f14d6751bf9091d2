"""Pages that can be looked at from every state: rules, last games, statistics, health."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from display.view import (
    Action,
    Buttons,
    Check,
    Hint,
    Level,
    Record,
    Scene,
    Source,
    Statistics,
    Step,
)
from firmware import health
from firmware.buttons import Button
from firmware.dialogs import BACK, Command, Dialog, Intent, Item, MenuDialog, Open
from firmware.look import Look, LookDialog
from firmware.operator_menu import OperatorMenu
from firmware.queries import Queries
from firmware.recall import Moment, moments
from firmware.record import Event, Kind, RecordedGame
from firmware.replay import ReplayError
from firmware.rules import GAMES
from firmware.statistics import COLUMNS, Figures, Period, Statistician, unusual
from vision.reading import Image

GAMES_SHOWN = 10

LEVELS = {
    health.Level.OK: Level.GOOD,
    health.Level.NOTE: Level.INFO,
    health.Level.WARNING: Level.WARNING,
    health.Level.FAULT: Level.FAULT,
}


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


class HealthPage(Page):
    """What is wrong with the machine and what to do."""

    scene: ClassVar[Scene] = Scene.HEALTH

    def __init__(self, findings: Sequence[health.Finding]) -> None:
        super().__init__()
        self.checks = tuple(
            Check(one.part, LEVELS[one.level], " ".join(filter(None, (one.text, one.remedy))))
            for one in findings
        )

    def show(self) -> dict[str, Any]:
        """The checks."""
        return {"checks": self.checks}


class StatisticsPage(Page):
    """The players' figures of a week, a month, and ever; last the dice."""

    scene: ClassVar[Scene] = Scene.STATISTICS

    SLICE = 0.02
    """Seconds of adding up in one turn of the main loop."""

    def __init__(
        self, figures: Callable[[Period], Figures], work: Callable[[float], float]
    ) -> None:
        """`work` adds up for so many seconds and gives the share that is done."""
        super().__init__()
        self._figures = figures
        self._work = work
        self._done = 0.0
        self._shown: dict[int, Statistics] = {}

    @property
    def places(self) -> int:
        """See `Page`."""
        return len(Period) + 1

    def show(self) -> dict[str, Any]:
        """The figures of the chosen page, added up once; till then how far that has come."""
        if self._done < 1.0:
            self._done = self._work(self.SLICE)
        if self._done < 1.0:
            return {"progress": self._done}
        if self.cursor not in self._shown:
            self._shown[self.cursor] = self._page()
        return {"statistics": self._shown[self.cursor]}

    def _page(self) -> Statistics:
        if self.cursor == len(Period):
            return shown_faces(self._figures(Period.EVER))
        period = list(Period)[self.cursor]
        return shown_players(self._figures(period), period)


class HistoryPage(Page):
    """The last games; confirm opens one."""

    scene: ClassVar[Scene] = Scene.HISTORY

    def __init__(
        self, games: Sequence[RecordedGame], recall_game: Callable[[int], RecallPage]
    ) -> None:
        super().__init__()
        self.games = tuple(games)
        self._recall = recall_game
        self.records = tuple(as_shown(game) for game in self.games)

    @property
    def places(self) -> int:
        """See `Page`."""
        return len(self.games)

    def opens(self) -> Dialog | None:
        """The chosen game, step by step."""
        return self._recall(self.games[self.cursor].id) if self.games else None

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

    def __init__(self, game: str, steps: Sequence[Remembered]) -> None:
        super().__init__()
        self.game = game
        self.steps = tuple(steps)
        self.cursor = max(0, len(self.steps) - 1)
        self._pictures: dict[Path, Image | None] = {}

    @property
    def places(self) -> int:
        """See `Page`."""
        return len(self.steps)

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
            self._pictures[path] = load_picture(path)
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
    ) -> None:
        """`picture` gives the file of a kept picture; `examine` looks at the machine.

        `journal`: the record; None when it can not be read, and its pages are not there.
        `operator`: what the operator may do, behind his PIN; `now`: seconds since 1970 UTC.
        `look`: what any player may change on the screen.
        """
        self._look = look
        self._operator = operator
        self._now = now
        self._journal = journal
        self._statistician = Statistician(journal) if journal is not None else None
        self._picture = picture
        self._examine = examine

    def rules(self, game: str) -> RulesPage:
        """The rules of a game."""
        return RulesPage(game)

    def health(self) -> HealthPage:
        """The state of the machine now."""
        return HealthPage(self._examine())

    def history(self) -> HistoryPage:
        """The last games."""
        assert self._journal is not None
        return HistoryPage(self._journal.games(GAMES_SHOWN), self.recall)

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
        return RecallPage(key, [self._remembered(one) for one in told])

    def _remembered(self, moment: Moment) -> Remembered:
        event = moment.event
        name = event.body.get("picture")
        step = Step(
            when=time.strftime("%H:%M:%S", time.localtime(event.at / 1000)),
            events=moment.story,
            source=source_of(event),
            taken_back=event.kind == Kind.TAKE_BACK,
        )
        return Remembered(step, self._picture(name) if isinstance(name, str) else None)

    def menu(self, game: str | None = None) -> list[Item]:
        """The lines of a menu that lead to the pages; `game` is the one that is played."""
        if game is not None:
            rules: Intent = Open(partial(self.rules, game))
        else:
            games = [Item(key, Open(partial(self.rules, key))) for key in GAMES]
            rules = Open(partial(MenuDialog, games))
        history = Item(Action.HISTORY.value, Open(self.history))
        machine = Item(Action.HEALTH.value, Open(self.health))
        figures = Item(Action.STATISTICS.value, Open(self.statistics))
        looks = [history, figures, machine] if self._journal is not None else [machine]
        lines = [Item(Action.RULES.value, rules), *looks]
        if self._look is not None:
            lines.append(Item(Action.LOOK.value, Open(partial(LookDialog, self._look))))
        if self._operator is not None:
            lines.append(self._operator.item(looks))
        return lines


def shown_players(figures: Figures, period: Period) -> Statistics:
    """The league for the screen."""
    rows = tuple((name, *player.cells()) for name, player in figures.league())
    return Statistics(COLUMNS, rows, period=period.value)


def shown_faces(figures: Figures) -> Statistics:
    """The dice for the screen."""
    return Statistics((), (), figures.counts, unusual(figures.counts), Period.EVER.value)


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
