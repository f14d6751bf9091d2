"""What any player may change at once: language, sound, colours."""

from __future__ import annotations

from display import widgets as w
from display.canvas import Canvas, Rect
from display.view import View
from display.words import Words


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw a tall line for each; what is chosen shows at once on this very screen."""
    lines = [(words.look(one.key), words.look_value(one.value)) for one in view.settings]
    wide = room.width if c.portrait else round(room.width * 0.8)
    narrow = Rect(0, room.top + c.px(8), wide - c.px(16), room.height - c.px(8))
    narrow.centerx = room.centerx
    w.menu(c, narrow, lines, view.cursor, high=84)
