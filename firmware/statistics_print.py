"""The statistics on paper: the league of the house, and how often each face came."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from display import fair
from display.view import DiceFigures
from display.words import Words
from firmware.prints import (
    BAD,
    BRASS,
    FELT,
    INK,
    MARGIN,
    SOFT,
    Cell,
    Colour,
    Column,
    Paper,
)
from firmware.result_words import date_text
from firmware.statistics import COLUMNS, Figures, Period
from firmware.statistics_pages import league, shown_dice

BAR: Final[Colour] = (62, 124, 104)
WHITE: Final[Colour] = (255, 255, 255)
NAMES: Final = 42.0
BARS: Final = 27.0
"""Millimetres of the names and of the longest bar."""
DICE_HIGH: Final = 66.0
"""Millimetres of the panel of a dice set."""


def poster(figures: Figures, period: Period, now: float, words: Words, place: str = "") -> Paper:
    """The league of a period and its dice, `now` in seconds since 1970 UTC."""
    made = datetime.fromtimestamp(now).astimezone()
    paper = Paper(words.say("The league of the house"), made)
    _title(paper, period, now, words, place)
    rows = [row for page in league(figures, period) for row in page.rows]
    if rows:
        _league(paper, rows, words)
    else:
        paper.text(MARGIN, paper.top + 4, paper.inner, words.say("No figures yet."), 11)
        paper.top += 12
    found = figures.dice()
    for i, (name, faces) in enumerate(found):
        left = i % 2
        if not left and paper.top + DICE_HIGH > paper.height - MARGIN:
            paper.new_page()
        wide = (paper.inner - 6) / 2
        x = MARGIN + left * (wide + 6)
        _dice(paper, x, paper.top, wide, shown_dice(name, faces, len(found)), words)
        if left or i + 1 == len(found):
            paper.top += DICE_HIGH + 6
    return paper


def _title(paper: Paper, period: Period, now: float, words: Words, place: str) -> None:
    right = paper.width - MARGIN
    for i, face in enumerate((6, 5, 4)):
        paper.die(MARGIN + i * 9.6, paper.top, 8.4, face)
    text = words.say("The league of the house")
    paper.text(MARGIN + 31, paper.top + 7.2, paper.inner - 95, text, 20, colour=FELT, bold=True)
    paper.text(right - 60, paper.top + 3.4, 60, date_text(round(now * 1000)), 9.5, align="R")
    if place:
        paper.text(right - 60, paper.top + 8.2, 60, place, 9.5, colour=SOFT, align="R")
    paper.top += 12.5
    paper.rule(MARGIN, paper.top, paper.inner, BRASS, 0.7)
    paper.top += 7.5
    paper.text(MARGIN, paper.top, paper.inner, words.period(period.value), 13, bold=True)
    paper.top += 6


def _league(paper: Paper, rows: Sequence[Sequence[str]], words: Words) -> None:
    """The table, with a bar for the games won behind the names of the columns that count them."""
    figure = (paper.inner - 9 - NAMES - BARS) / len(COLUMNS)
    columns = [
        Column("", 9),
        Column("", NAMES, "L"),
        *(Column(words.column(key), figure) for key in COLUMNS),
        Column(words.column("wins"), BARS, "L"),
    ]
    bars = paper.top
    paper.table(
        columns,
        [
            (
                Cell(f"{place}.", BRASS, True),
                Cell(name, INK, place == "1"),
                *map(words.figure, cells),
                "",
            )
            for place, name, *cells in rows
        ],
        high=7,
        size=9,
        foot=MARGIN + DICE_HIGH,
    )
    # The bars stand beside the rows of the first page only when the table has just that one.
    if paper.pdf.page == 1:
        most = max(1, *(int(row[3]) for row in rows))
        for i, row in enumerate(rows):
            long = (BARS - 3) * int(row[3]) / most
            y = bars + 7.4 + i * 7 + 2
            if long:
                paper.box(MARGIN + paper.inner - BARS + 1, y, long, 3, BAR, 0.8)
    note = words.say("Best and mean: points of a Balut sheet. Luck: most wins in a row.")
    paper.text(MARGIN, paper.top + 5, paper.inner, note, 8, colour=SOFT)
    paper.top += 13


def _dice(paper: Paper, x: float, y: float, wide: float, dice: DiceFigures, words: Words) -> None:
    """Six bars on their faces, the line of chance, and what the test says."""
    paper.frame(x, y, wide, DICE_HIGH)
    paper.text(x + 4, y + 7, wide - 8, fair.name(words, dice), 11, colour=FELT, bold=True)
    top, high = y + 13, 24.0
    most = max(*dice.faces, 1)
    expected = sum(dice.faces) / 6
    step = (wide - 8) / 6
    places = [x + 4 + i * step for i in range(6)]
    for i, (count, left) in enumerate(zip(dice.faces, places, strict=True)):
        tall = high * count / most
        if count:
            paper.box(left + 1.5, top + high - tall, step - 3, tall, BAR, 0.6)
        paper.die(left + step / 2 - 2.6, top + high + 1.5, 5.2, i + 1)
    chance = top + high - high * expected / most
    paper.rule(x + 4, chance, wide - 8, BRASS, 0.35)
    for count, left in zip(dice.faces, places, strict=True):
        tall = high * count / most
        inside = tall > 5
        y_text = top + high - (1.6 if inside else tall + 1)
        colour = WHITE if inside else INK
        paper.text(left, y_text, step, str(count), 7.5, colour=colour, bold=True, align="C")
    base = top + high + 12
    colour = BAD if dice.unusual else SOFT if dice.few else FELT
    paper.text(x + 4, base, wide - 8, fair.verdict(words, dice), 9, colour=colour, bold=True)
    base += 4
    for said in (fair.measured(words, dice), fair.level(words, dice)):
        for line in paper.lines(said, wide - 8, 6.5) if said else ():
            paper.text(x + 4, base, wide - 8, line, 6.5, colour=SOFT)
            base += 2.9
