"""Set a reading right: the picture, the faces as they shall count, two presses."""

from __future__ import annotations

from display import tray
from display import widgets as w
from display.canvas import Canvas, Rect
from display.scenes import entry
from display.theme import BODY
from display.view import View
from display.words import Words


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw the tray beside the faces."""
    gap = c.px(18)
    left, right = w.split(room, 0.5 if c.portrait else 0.55, across=not c.portrait, gap=gap)
    tray.picture(c, view, words, left)
    above, below = w.split(right, 0.55, across=False, gap=gap)
    entry.faces(c, view, above)
    inside = w.panel(c, below, lit=c.theme.accent if view.armed else None)
    if view.armed:
        text = words.say("Press again and it counts so. It is marked as corrected for ever.")
    else:
        text = words.say("The likeliest other face is offered first. Two presses are needed.")
    c.paragraph(text, inside, BODY, align="centre", valign="middle")
