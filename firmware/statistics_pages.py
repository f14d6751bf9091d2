"""The pages of the statistics: the league of a week, a month and ever; then every dice set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from display.view import DiceFigures, Scene, Statistics
from firmware.page import Page
from firmware.statistics import COLUMNS, Figures, Period
from firmware.statistics_fair import judge

ROWS: Final = 8
"""Players on one page."""


class StatisticsPage(Page):
    """Left and right turn the pages."""

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
        self._pages: list[Statistics] = []

    @property
    def places(self) -> int:
        """See `Page`."""
        return len(self._pages)

    def show(self) -> dict[str, Any]:
        """The chosen page; till all is added up how far that has come."""
        if self._done < 1.0:
            self._done = self._work(self.SLICE)
        if self._done < 1.0:
            return {"progress": self._done}
        if not self._pages:
            self._pages = pages({period: self._figures(period) for period in Period})
        return {"statistics": self._pages[self.cursor]}


def pages(figures: dict[Period, Figures]) -> list[Statistics]:
    """All pages, at least one for each period."""
    found: list[Statistics] = []
    for period, of_period in figures.items():
        found += league(of_period, period)
    return found + dice(figures[Period.EVER])


def league(figures: Figures, period: Period) -> list[Statistics]:
    """The players of a period, the best first, so many on a page."""
    rows: list[tuple[str, ...]] = []
    wins = None
    for number, (name, player) in enumerate(figures.league(), 1):
        # Equal wins share a place.
        place = rows[-1][0] if rows and player.wins == wins else str(number)
        wins = player.wins
        rows.append((place, name, *player.cells()))
    parts = [tuple(rows[i : i + ROWS]) for i in range(0, max(1, len(rows)), ROWS)]
    return [
        Statistics(COLUMNS, part, period.value, page=i, pages=len(parts))
        for i, part in enumerate(parts)
    ]


def dice(figures: Figures) -> list[Statistics]:
    """A page for every dice set that was thrown."""
    found = figures.dice()
    return [Statistics(dice=shown_dice(name, faces, len(found))) for name, faces in found]


def shown_dice(name: str, faces: tuple[int, ...], sets: int) -> DiceFigures:
    """One of so many dice sets for the screen."""
    verdict = judge(faces, sets)
    return DiceFigures(
        faces,
        name,
        verdict.chi_square,
        verdict.chance,
        verdict.level,
        few=verdict.few,
        unusual=verdict.unusual,
    )
