"""The house rules of the chosen game."""

from __future__ import annotations

from display import widgets as w
from display.canvas import Canvas, Rect
from display.view import View
from display.words import Words


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw a line for every rule with its value."""
    lines = [(words.rule(one.key), words.value(one.value)) for one in view.settings]
    narrow = Rect(room.left, room.top, room.width - c.px(14), room.height)
    w.menu(c, narrow, lines, view.cursor, high=50)
