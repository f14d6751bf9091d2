"""A list of things to do."""

from __future__ import annotations

from display import widgets as w
from display.canvas import Canvas, Rect
from display.view import View
from display.words import Words


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw a line for every option."""
    lines = [(words.option(option), "") for option in view.options]
    wide = room.width if c.portrait else round(room.width * 0.7)
    narrow = Rect(0, room.top, wide - c.px(16), room.height)
    narrow.centerx = room.centerx
    w.menu(c, narrow, lines, view.cursor)
