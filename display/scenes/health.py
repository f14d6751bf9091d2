"""The health of the table: a line for every part."""

from __future__ import annotations

from collections.abc import Sequence

from display import widgets as w
from display.canvas import Canvas, Rect
from display.scenes.message import look
from display.theme import BODY, SMALL
from display.view import Check, View
from display.words import Words


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw all checks."""
    table(c, words, view.checks, room)


def table(c: Canvas, words: Words, checks: Sequence[Check], rect: Rect) -> None:
    """A line for every check: sign, part, how it is, what was found and what to do."""
    if not checks:
        return
    tall = c.px(92 if rect.width > c.px(700) else 150)
    gap = c.px(6)
    high = min(tall, (rect.height + gap) // len(checks) - gap)
    for i, check in enumerate(checks):
        line = Rect(rect.left, rect.top + i * (high + gap), rect.width, high)
        sign, colour = look(c, check.level)
        c.box(line, c.theme.panel, radius=10, border=c.theme.line, width=1.5)
        size = min(c.px(32), high * 0.6)
        w.icon(c, sign, (line.left + c.px(28), line.centery), size, colour)
        inside = Rect(line.left + c.px(56), line.top, line.width - c.px(68), high)
        name, text = w.split(
            inside, 0.3 if line.width > c.px(700) else 0.42, across=True, gap=c.px(12)
        )
        if high > 2 * c.height(SMALL) + c.px(6):
            above, below = w.split(name.inflate(0, -c.px(6)), 0.5, across=False)
            c.text(words.part(check.name), above, BODY, c.theme.ink, bold=True, valign="bottom")
            c.text(words.level(check.level), below, SMALL, colour, valign="top")
        else:
            c.text(words.part(check.name), name, BODY, colour, bold=True)
        if check.text:
            c.paragraph(check.text, text.inflate(0, -c.px(4)), SMALL, c.theme.ink, valign="middle")
