"""What each pair of dice means now, for the one who throws (R-BD-6)."""

from __future__ import annotations

from typing import Final

from display import widgets as w
from display.canvas import Canvas, Rect
from display.sprites import mix
from display.theme import SMALL
from display.words import Words
from firmware.rules import pairs

WIN: Final = tuple(pair for row in pairs.TABLE if row.meaning == "win" for pair in row.pairs)
LOSE: Final = tuple(pair for row in pairs.TABLE if row.meaning == "lose" for pair in row.pairs)


def height(c: Canvas, rect: Rect) -> int:
    """Height in pixels that the table takes of a box."""
    return min(round(rect.height * 0.62), c.px(212))


def draw(
    c: Canvas,
    rect: Rect,
    words: Words,
    who: str,
    *,
    vari: bool = False,
    last: tuple[int, ...] = (),
) -> None:
    """Draw the two rows of deciding pairs; under Vari they change places."""
    inside = w.panel(c, rect, lit=c.theme.info if vari else None)
    win, lose = (LOSE, WIN) if vari else (WIN, LOSE)
    foot = c.height(SMALL)
    above, note = w.take_bottom(inside, foot, c.px(4))
    upper, lower = w.split(above, 0.5, across=False, gap=c.px(6))
    _row(c, upper, words.say("Wins"), who, win, last, wins=True)
    _row(c, lower, words.say("Loses"), who, lose, last, wins=False)
    text = (
        words.say("Vari: reversed for this throw")
        if vari
        else words.say("all others pass the dice")
    )
    c.text(text, note, SMALL, c.theme.info if vari else c.theme.soft)


def _row(
    c: Canvas,
    rect: Rect,
    title: str,
    who: str,
    row: tuple[tuple[int, int], ...],
    last: tuple[int, ...],
    *,
    wins: bool,
) -> None:
    colour = c.theme.good if wins else c.theme.bad
    head, rest = w.take_top(rect, c.height(SMALL, bold=True), c.px(3))
    size = round(head.height * 0.8)
    w.icon(c, "crown" if wins else "back", (head.left + size / 2, head.centery), size, colour)
    wide = c.width(title, SMALL, bold=True) + 2
    place = Rect(head.left + size + c.px(8), head.top, wide, head.height)
    c.text(title, place, SMALL, colour, bold=True)
    left = place.right + c.px(12)
    name = Rect(left, head.top, head.right - left, head.height)
    c.text(who, name, SMALL, c.theme.soft, align="right", name=True)
    for pair, box in zip(row, w.columns(rest, len(row), c.px(8)), strict=True):
        hit = tuple(pair) == tuple(last)
        if hit:
            c.box(box.inflate(c.px(4), c.px(4)), mix(colour, c.theme.panel, 0.35), radius=8)
        w.dice(c, box.inflate(-c.px(4), -c.px(4)), pair, gap=0.1, size=c.px(44))
