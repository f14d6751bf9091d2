"""The rules of a game, a section a page, from the judge's own tables.

The text itself is English in all languages: it is made by `firmware.rules.text` from the numbers
and the house rules that are played.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from display import widgets as w
from display.canvas import Canvas, Rect, wrap
from display.theme import BODY, LARGE, SMALL
from display.view import View
from display.words import Words
from firmware.rules.text import Section, Table, rules_text


@lru_cache(maxsize=8)
def sections(game: str, rules: Any = None) -> tuple[Section, ...]:
    """The pages: `rules` are the house rules that are played, None: the defaults."""
    return rules_text(game, rules)


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw the section of `view.page`."""
    pages = sections(view.game, getattr(view.state, "rules", None))
    section = pages[view.page % len(pages)]
    inside = w.panel(c, room).inflate(-c.px(20), -c.px(4))
    head, body = w.take_top(inside, c.px(48), c.px(6))
    number = f"{view.page % len(pages) + 1} / {len(pages)}"
    wide = c.width(number, SMALL) + 2
    place = Rect(head.right - wide, head.top, wide, head.height)
    c.text(number, place, SMALL, c.theme.soft, align="right")
    title = Rect(head.left, head.top, head.width - wide - c.px(12), head.height)
    c.text(section.title, title, LARGE, c.theme.accent, bold=True)
    size = _size(c, section, body)
    top = body.top
    for part in section.body:
        high = _height(c, part, body.width, size)
        box = Rect(body.left, top, body.width, high)
        if isinstance(part, Table):
            _table(c, part, box, size)
        else:
            c.paragraph(part, box, size)
        top += high + c.px(12)


def _size(c: Canvas, section: Section, body: Rect) -> float:
    """The largest type at which the whole section fits the page."""
    size = float(BODY + 5)
    while size > SMALL:
        high = sum(_height(c, part, body.width, size) for part in section.body)
        if high + c.px(12) * (len(section.body) - 1) <= body.height:
            break
        size -= 0.5
    return size


def _height(c: Canvas, part: str | Table, width: int, size: float) -> int:
    line = c.height(size)
    if isinstance(part, str):
        return line * len(wrap(part, width, c.pixels(size)))
    return sum(_row_heights(c, part, width, size))


def _columns(c: Canvas, table: Table, width: int, size: float) -> list[int]:
    """Widths of the columns: short ones as wide as their text, the others share what is left."""
    gap = c.px(18)
    lines = (table.head, *table.rows)
    wants = [max(c.width(row[i], size) for row in lines) + gap for i in range(len(table.head))]
    if sum(wants) <= width:
        return wants
    fair = width // len(wants)
    short = sum(want for want in wants if want <= fair)
    long = sum(want for want in wants if want > fair)
    return [want if want <= fair else (width - short) * want // long for want in wants]


def _row_heights(c: Canvas, table: Table, width: int, size: float) -> list[int]:
    columns = _columns(c, table, width, size)
    found: list[int] = []
    for row in (table.head, *table.rows):
        lines = max(
            len(wrap(cell, column - c.px(18), c.pixels(size)))
            for cell, column in zip(row, columns, strict=True)
        )
        found.append(c.height(size) * lines + c.px(4 if not found else 1))
    return found


def _table(c: Canvas, table: Table, rect: Rect, size: float) -> None:
    columns = _columns(c, table, rect.width, size)
    top = rect.top
    heights = _row_heights(c, table, rect.width, size)
    for i, (row, high) in enumerate(zip((table.head, *table.rows), heights, strict=True)):
        left = rect.left
        if i == 1:
            c.surface.fill(c.theme.line, (rect.left, top - c.px(3), rect.width, max(1, c.px(1))))
        for cell, column in zip(row, columns, strict=True):
            box = Rect(left, top, column - c.px(18), high)
            c.paragraph(cell, box, size, c.theme.soft if i == 0 else c.theme.ink)
            left += column
        top += high
