"""Take the last step back: what it was, said in full."""

from __future__ import annotations

from display import widgets as w
from display.canvas import Canvas, Rect
from display.view import View
from display.words import Words


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw what would be undone."""
    text = words.story(view.events) or words.say("There is nothing to take back.")
    more = words.say("It stays in the record as taken back.")
    w.statement(c, room, "alert", c.theme.accent, text, more)
