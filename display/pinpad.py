"""A PIN while it is entered: dots for what is typed, the digit that is chosen, empty places."""

from __future__ import annotations

from display.canvas import Canvas, Rect
from display.theme import BODY, LARGE
from display.view import View
from display.words import Words

DOT = "•"
EMPTY = "_"


def height(c: Canvas) -> int:
    """Pixels that the pad takes."""
    return c.height(LARGE) + c.height(BODY) + c.px(36)


def draw(c: Canvas, view: View, words: Words, rect: Rect) -> None:
    """Draw the places of `view.typed` in a row; `view.armed` says that the PIN was wrong."""
    theme, places = c.theme, view.typed
    text = words.say("Wrong PIN. Try again.") if view.armed else words.say("Operator's PIN")
    head = Rect(rect.left, rect.top, rect.width, c.height(BODY) + c.px(8))
    colour = theme.bad if view.armed else theme.soft
    c.paragraph(text, head, BODY, colour, bold=view.armed, align="centre", valign="middle")
    size, gap = c.height(LARGE) + c.px(12), c.px(10)
    left = rect.centerx - (len(places) * (size + gap) - gap) // 2
    for i, place in enumerate(places):
        box = Rect(left + i * (size + gap), head.bottom + c.px(6), size, size)
        chosen = place not in (DOT, EMPTY)
        rim = theme.accent if chosen else theme.line
        c.box(box, theme.raised, radius=8, border=rim, width=3 if chosen else 1.5)
        if place == DOT:
            c.disc(box.center, size * 0.14, theme.ink)
        elif chosen:
            c.text(place, box, LARGE, theme.ink, bold=True, align="centre")
