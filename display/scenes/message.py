"""A message in the middle of the screen."""

from __future__ import annotations

from display import pinpad
from display import widgets as w
from display.canvas import Canvas, Rect
from display.sprites import Icon
from display.theme import Colour
from display.view import Level, View
from display.words import Words


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw the notice; what the last act brought about when there is none."""
    if view.typed:
        room, pad = w.take_bottom(room, pinpad.height(c), c.px(8))
        pinpad.draw(c, view, words, pad)
    notice = view.notice
    if notice is None:
        w.statement(c, room, "dice", c.theme.info, words.story(view.events))
        return
    sign, colour = look(c, notice.level)
    text = words.notice(notice)
    more = notice.text if notice.code and notice.text != text else ""
    w.statement(c, room, sign, colour, text, more)


def look(c: Canvas, level: Level) -> tuple[Icon, Colour]:
    """Sign and colour of a level."""
    match level:
        case Level.GOOD:
            return "confirm", c.theme.good
        case Level.INFO:
            return "dice", c.theme.info
        case Level.WARNING:
            return "alert", c.theme.accent
    return "alert", c.theme.bad
