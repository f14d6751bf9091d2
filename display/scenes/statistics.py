"""Figures that people like: the players in a table, and whether the dice are fair."""

from __future__ import annotations

from display import widgets as w
from display.canvas import Canvas, Rect
from display.theme import BODY, LARGE, SMALL
from display.view import Statistics, View
from display.words import Words


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw the table, and the faces beside it."""
    figures = view.statistics
    if figures is not None and not figures.columns and figures.faces:
        narrow = room if c.portrait else room.inflate(-round(room.width * 0.3), 0)
        _faces(c, words, figures, narrow)
        return
    if figures is None or not figures.rows:
        if view.progress is not None:
            return
        text = words.say("No figures yet.")
        if figures is not None and figures.period:
            text = f"{words.period(figures.period)}: {text}"
        c.paragraph(text, w.panel(c, room), LARGE, align="centre", valign="middle")
        return
    left = room
    if figures.faces:
        left, right = w.split(room, 0.67, across=not c.portrait, gap=c.px(16))
        _faces(c, words, figures, right)
    _table(c, words, figures, left)


def _table(c: Canvas, words: Words, figures: Statistics, rect: Rect) -> None:
    inside = w.panel(c, rect)
    name_wide = round(inside.width * 0.25)
    rest = Rect(inside.left + name_wide, inside.top, inside.width - name_wide, inside.height)
    high = min(c.px(48), inside.height // (len(figures.rows) + 2))
    head_high = max(high, 2 * c.height(SMALL) + 2)
    columns = w.columns(rest, len(figures.columns), c.px(8))
    corner = Rect(inside.left, inside.top, name_wide - c.px(8), head_high)
    c.paragraph(words.period(figures.period), corner, SMALL, c.theme.info, valign="middle")
    for key, column in zip(figures.columns, columns, strict=True):
        head = Rect(column.left, inside.top, column.width, head_high)
        text = words.column(key)
        c.paragraph(text, head, SMALL, c.theme.soft, align="right", valign="middle")
    top = inside.top + head_high + c.px(4)
    c.surface.fill(c.theme.line, (inside.left, top - c.px(2), inside.width, max(1, c.px(1))))
    for i, (name, *values) in enumerate(figures.rows):
        line = Rect(inside.left, top + i * high, name_wide - c.px(8), high)
        if line.bottom > inside.bottom:
            break
        c.text(name, line, BODY, bold=True, name=True)
        for value, column in zip(values, columns, strict=True):
            box = Rect(column.left, line.top, column.width, high)
            c.text(value, box, BODY, c.theme.ink, align="right")


def _faces(c: Canvas, words: Words, figures: Statistics, rect: Rect) -> None:
    """A bar for every face, measured against what chance expects."""
    inside = w.panel(c, rect, lit=c.theme.accent if figures.unusual else None)
    head, inside = w.take_top(inside, 2 * c.height(SMALL), c.px(6))
    c.paragraph(words.say("How often each face came"), head, SMALL, c.theme.soft, valign="middle")
    inside, foot = w.take_bottom(inside, 2 * c.height(SMALL), c.px(8))
    total = sum(figures.faces)
    if figures.unusual:
        text = words.plural(
            "Unusual in {n} throw: look at the dice.",
            "Unusual in {n} throws: look at the dice.",
            total,
        )
    else:
        text = words.plural(
            "Nothing unusual in {n} throw.", "Nothing unusual in {n} throws.", total
        )
    colour = c.theme.accent if figures.unusual else c.theme.good
    c.paragraph(text, foot, SMALL, colour, bold=True, valign="middle")
    most = max(*figures.faces, 1)
    for face, (count, line) in enumerate(
        zip(figures.faces, w.rows(inside, 6, c.px(6)), strict=True), 1
    ):
        size = min(line.height, c.px(38))
        w.die(c, (line.left + size / 2, line.centery), size, face)
        number = c.width(str(most), SMALL) + c.px(6)
        bar = Rect(line.left + size + c.px(12), 0, 0, round(size * 0.5))
        bar.centery = line.centery
        bar.width = round((line.right - number - bar.left - c.px(8)) * count / most)
        c.box(bar, c.theme.info, radius=4)
        expected = bar.left + round((line.right - number - bar.left - c.px(8)) * total / 6 / most)
        c.surface.fill(c.theme.ink, (expected, line.top, max(1, c.px(2)), line.height))
        place = Rect(line.right - number, line.top, number, line.height)
        c.text(str(count), place, SMALL, align="right")
