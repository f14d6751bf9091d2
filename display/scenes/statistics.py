"""Figures that people like: the league of the house, and whether its dice are fair."""

from __future__ import annotations

from display import fair
from display import widgets as w
from display.canvas import Canvas, Rect
from display.sprites import Icon
from display.theme import BODY, LARGE, SMALL
from display.view import DiceFigures, Statistics, View
from display.words import Words


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw the players in a table, or one dice set."""
    figures = view.statistics
    if figures is None:
        if view.progress is None:
            _nothing(c, words.say("No figures yet."), room)
        return
    if figures.dice is not None:
        _dice(c, words, figures.dice, room)
    elif not figures.rows:
        _nothing(c, f"{words.period(figures.period)}: {words.say('No figures yet.')}", room)
    else:
        _players(c, words, figures, room)


def _nothing(c: Canvas, text: str, room: Rect) -> None:
    c.paragraph(text, w.panel(c, room), LARGE, align="centre", valign="middle")


def _players(c: Canvas, words: Words, figures: Statistics, rect: Rect) -> None:
    inside = w.panel(c, rect)
    note = words.say("Best and mean: points of a Balut sheet. Luck: most wins in a row.")
    number = f"{figures.page + 1} / {figures.pages}" if figures.pages > 1 else ""
    lines = 2 if c.width(note, SMALL) > inside.width * 0.86 else 1
    inside, foot = w.take_bottom(inside, lines * c.height(SMALL), c.px(4))
    wide = c.width(number, SMALL) + 2
    c.text(number, Rect(foot.right - wide, foot.top, wide, foot.height), SMALL, align="right")
    place = Rect(foot.left, foot.top, foot.width - wide - c.px(12), foot.height)
    c.paragraph(note, place, SMALL, c.theme.soft, valign="middle")
    _table(c, words, figures, inside)


def _table(c: Canvas, words: Words, figures: Statistics, inside: Rect) -> None:
    """A line a player; on a narrow screen the figures stand below the name."""
    narrow = c.width("00.", BODY, bold=True) + c.px(8)
    name_wide = inside.width - narrow if c.portrait else round(inside.width * 0.24)
    left = inside.left if c.portrait else inside.left + narrow + name_wide
    rest = Rect(left, inside.top, inside.right - left, inside.height)
    columns = w.columns(rest, len(figures.columns), c.px(6))
    head_high = 2 * c.height(SMALL) + 2
    corner, head = Rect(inside.left, inside.top, left - inside.left - c.px(8), head_high), inside
    if c.portrait:
        corner, head = w.take_top(inside, c.height(SMALL), c.px(6))
    c.paragraph(words.period(figures.period), corner, SMALL, c.theme.info, valign="middle")
    for key, column in zip(figures.columns, columns, strict=True):
        box = Rect(column.left, head.top, column.width, head_high)
        c.paragraph(words.column(key), box, SMALL, c.theme.soft, align="right", valign="middle")
    top = head.top + head_high + c.px(4)
    c.surface.fill(c.theme.line, (inside.left, top - c.px(2), inside.width, max(1, c.px(1))))
    high = min(c.px(86 if c.portrait else 48), (inside.bottom - top) // len(figures.rows))
    for i, (place, name, *values) in enumerate(figures.rows):
        line = Rect(inside.left, top + i * high, inside.width, high)
        names = lower = line
        if c.portrait:
            names, lower = w.split(line, 0.5, across=False)
        colour = c.theme.accent if place == "1" else c.theme.ink
        box = Rect(line.left, names.top, narrow - c.px(8), names.height)
        c.text(f"{place}.", box, BODY, c.theme.soft, bold=True, align="right")
        box = Rect(line.left + narrow, names.top, name_wide - c.px(8), names.height)
        c.text(name, box, BODY, colour, bold=place == "1", name=True)
        for value, column in zip(values, columns, strict=True):
            box = Rect(column.left, lower.top, column.width, lower.height)
            c.text(words.figure(value), box, BODY, colour, align="right")


def _dice(c: Canvas, words: Words, dice: DiceFigures, rect: Rect) -> None:
    """The bars of the faces, and beside them what they mean."""
    share = 0.55 if c.portrait else 0.52
    bars, side = w.split(rect, share, across=not c.portrait, gap=c.px(16))
    _bars(c, words, dice, bars)
    colour = c.theme.bad if dice.unusual else c.theme.soft if dice.few else c.theme.good
    inside = w.panel(c, side, lit=c.theme.bad if dice.unusual else None)
    head, inside = w.take_top(inside, c.height(LARGE), c.px(6))
    c.text(fair.name(words, dice), head, LARGE, c.theme.accent, bold=True, name=True)
    inside, foot = w.take_bottom(inside, 5 * c.height(SMALL), c.px(6))
    above, below = w.split(inside, 0.55, across=False, gap=c.px(6))
    size = c.px(40)
    sign: Icon = "alert" if dice.unusual else "confirm"
    text = Rect(above.left, above.top, above.width, above.height)
    if not dice.few:
        w.icon(c, sign, (above.left + size / 2, above.centery), size, colour)
        text = Rect(above.left + size + c.px(12), above.top, above.width - size - c.px(12),
                    above.height)  # fmt: skip
    c.paragraph(fair.verdict(words, dice), text, BODY + 3, colour, bold=True, valign="middle")
    if measured := fair.measured(words, dice):
        c.paragraph(measured, below, BODY, c.theme.ink, valign="middle")
    c.paragraph(fair.level(words, dice), foot, SMALL, c.theme.soft, valign="bottom")


def _bars(c: Canvas, words: Words, dice: DiceFigures, rect: Rect) -> None:
    """A bar for every face, measured against what chance expects."""
    inside = w.panel(c, rect)
    head, inside = w.take_top(inside, c.height(SMALL), c.px(6))
    c.text(words.say("How often each face came"), head, SMALL, c.theme.soft)
    total, most = sum(dice.faces), max(*dice.faces, 1)
    number = c.width(str(most), BODY, bold=True) + c.px(6)
    for face, (count, line) in enumerate(
        zip(dice.faces, w.rows(inside, 6, c.px(8)), strict=True), 1
    ):
        size = min(line.height, c.px(46))
        w.die(c, (line.left + size / 2, line.centery), size, face)
        left = line.left + size + c.px(12)
        room = line.right - number - left - c.px(8)
        bar = Rect(left, 0, round(room * count / most), round(size * 0.56))
        bar.centery = line.centery
        if bar.width:
            c.box(bar, c.theme.info, radius=4)
        expected = left + round(room * total / 6 / most)
        c.surface.fill(c.theme.ink, (expected, line.top, max(1, c.px(2)), line.height))
        place = Rect(line.right - number, line.top, number, line.height)
        c.text(str(count), place, BODY, bold=True, align="right")
