"""A game was open when the power went: go on where it stood?"""

from __future__ import annotations

from typing import Any

from display import widgets as w
from display.canvas import Canvas, Rect
from display.theme import BODY, LARGE, TITLE
from display.view import View
from display.words import Words
from firmware.rules import balut_sheet


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw the game with everybody's chips or points."""
    left, right = w.split(room, 0.45, across=not c.portrait, gap=c.px(18))
    inside = w.panel(c, left, lit=c.theme.accent)
    head, text = w.split(inside, 0.5, across=False)
    c.paragraph(
        words.game(view.game),
        head,
        TITLE,
        c.theme.accent,
        bold=True,
        align="centre",
        valign="middle",
    )
    question = words.say("Go on where it stood?")
    if view.armed:
        question = words.say("End this game for good?")
    c.paragraph(question, text, LARGE, align="centre", valign="middle")
    lines = w.panel(c, right)
    scores = standing(view.state)
    high = min(c.px(56), lines.height // max(1, len(view.seats)))
    for i, name in enumerate(view.seats):
        line = Rect(lines.left, lines.top + i * high, lines.width, high)
        c.text(name, Rect(line.left, line.top, line.width - c.px(120), high), BODY, name=True)
        if name in scores:
            place = Rect(line.right - c.px(110), line.top, c.px(110), high)
            number = words.number(scores[name])
            c.text(number, place, BODY, c.theme.accent, bold=True, align="right")


def standing(state: Any) -> dict[str, int]:
    """Chips or points of every player, from the state of any game."""
    if hasattr(state, "chips"):
        return dict(state.chips.stacks)
    if hasattr(state, "totals"):
        return dict(state.totals)
    if hasattr(state, "sheets"):
        variant = state.rules.variant
        return {
            name: balut_sheet.count(sheet, variant).points for name, sheet in state.sheets.items()
        }
    return {}
