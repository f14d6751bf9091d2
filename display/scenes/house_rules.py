"""The house rules of the chosen game: what differs from the usual first."""

from __future__ import annotations

from display import widgets as w
from display.canvas import Canvas, Rect
from display.theme import LARGE, SMALL
from display.view import View
from display.words import Words


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw a line for every rule with its value, and what the chosen one usually is."""
    lines = [(words.rule(one.key), words.value(one.value)) for one in view.settings]
    lines += [(words.option(option), "") for option in view.options]
    marks = [bool(one.usual) for one in view.settings]
    body, foot = w.take_bottom(room, c.height(SMALL), c.px(6))
    if not view.settings:
        said, body = w.split(body, 0.6, across=False, gap=c.px(12))
        text = words.say("Everything as usual: no house rule was changed.")
        c.paragraph(text, w.panel(c, said), LARGE, align="centre", valign="middle")
    narrow = Rect(body.left, body.top, body.width - c.px(14), body.height)
    w.menu(c, narrow, lines, view.cursor, high=50, marks=marks, arrows=view.editing)
    if view.cursor < len(view.settings) and (usual := view.settings[view.cursor].usual):
        text = words.say("usually: {value}", value=words.value(usual))
        c.text(text, foot, SMALL, c.theme.accent, bold=True)
    elif any(marks):
        dot = Rect(foot.left, foot.top, c.px(28), foot.height)
        w.icon(c, "changed", dot.center, c.px(20), c.theme.accent)
        place = Rect(dot.right, foot.top, foot.width - dot.width, foot.height)
        c.text(words.say("changed from the usual"), place, SMALL, c.theme.soft)
