"""Play has stopped: why, what to do, and what the checks found."""

from __future__ import annotations

from display import pinpad
from display import widgets as w
from display.canvas import Canvas, Rect
from display.scenes import health
from display.view import Level, Notice, View
from display.words import Words


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw the fault, and the parts that are not in order beside it."""
    if view.typed:
        room, pad = w.take_bottom(room, pinpad.height(c), c.px(8))
        pinpad.draw(c, view, words, pad)
    notice = view.notice or Notice("", Level.FAULT)
    wrong = [check for check in view.checks if check.level in (Level.WARNING, Level.FAULT)]
    left, right = room, room
    if wrong:
        left, right = w.split(room, 0.46, across=not c.portrait, gap=c.px(16))
        health.table(c, words, wrong, right)
    text = words.notice(notice)
    more = notice.text if notice.text != text else ""
    w.statement(c, left, "alert", c.theme.bad, text, more)
