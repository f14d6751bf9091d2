"""A recorded game step by step, with the picture of each throw."""

from __future__ import annotations

from display import tray
from display import widgets as w
from display.canvas import Canvas, Rect
from display.theme import BODY, LARGE, SMALL
from display.view import Source, Step, View
from display.words import Words


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw the list of steps, and the chosen one beside it."""
    if not view.steps:
        text = words.say("No game has been played yet.")
        c.paragraph(text, w.panel(c, room), LARGE, align="centre", valign="middle")
        return
    left, right = w.split(room, 0.5, across=not c.portrait, gap=c.px(26))
    lines = [(_first(words, step), step.when) for step in view.steps]
    w.menu(c, left, lines, view.cursor, high=48)
    step = view.steps[view.cursor % len(view.steps)]
    if view.picture is not None:
        above, right = w.split(right, 0.62, across=False, gap=c.px(10))
        tray.picture(c, view, words, above)
    _one(c, words, step, right)


def _first(words: Words, step: Step) -> str:
    told = (words.event(event) for event in step.events)
    text = next((text for text in told if text), "–")
    return f"✗ {text}" if step.taken_back else text


def _one(c: Canvas, words: Words, step: Step, rect: Rect) -> None:
    """The whole story of a step, and what must be known of it for ever."""
    inside = w.panel(c, rect)
    mark = words.source(step.source)
    colour = c.theme.soft if step.source is Source.CAMERA else c.theme.accent
    if step.taken_back:
        mark, colour = words.say("taken back"), c.theme.bad
    if step.read is not None:
        mark += f": {step.read[0]} → {step.read[1]}"
    if step.pot is not None:
        inside, line = w.take_bottom(inside, c.height(SMALL), c.px(6))
        before, after = step.pot
        amount = f"{before} → {after}" if before != after else f"{after}"
        c.text(f"{words.say('Pot')}: {amount}", line, SMALL, c.theme.ink)
    if mark:
        inside, foot = w.take_bottom(inside, c.height(SMALL), c.px(6))
        c.text(mark, foot, SMALL, colour, bold=colour != c.theme.soft)
    told = [text for event in step.events if (text := words.event(event))]
    while len(told) > 1 and not c.fits(" ".join(told), inside):
        told.pop()
    c.paragraph(" ".join(told), inside, BODY, valign="middle")
