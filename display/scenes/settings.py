"""Every option of the table, for the operator: its name in the file, its value, what it means."""

from __future__ import annotations

from display import widgets as w
from display.canvas import Canvas, Rect
from display.theme import BODY
from display.view import View
from display.words import Words


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw a line for each, and under them what the chosen one means and may be."""
    lines = [(one.key, _value(words, one.value)) for one in view.settings]
    marks = [bool(one.usual) for one in view.settings]
    body, foot = w.take_bottom(room, 4 * c.height(BODY), c.px(8))
    narrow = Rect(body.left, body.top, body.width - c.px(14), body.height)
    w.menu(c, narrow, lines, view.cursor, high=50, marks=marks, arrows=view.editing)
    text = view.typed
    if view.settings and (usual := view.settings[view.cursor].usual):
        text += "  " + words.say("usually: {value}", value=_value(words, usual))
    c.paragraph(text, w.panel(c, foot), BODY, c.theme.ink, valign="middle")


def _value(words: Words, value: str) -> str:
    """On and off in the language of the table; numbers and names are the same in all."""
    return words.value(value) if value in ("on", "off") else value
