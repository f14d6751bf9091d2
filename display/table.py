"""What Barbudi and Barbut have in common in the middle of the felt."""

from __future__ import annotations

from typing import Final

from display import widgets as w
from display.canvas import Canvas, Rect
from display.theme import LARGE
from display.view import Action, Hint, View
from display.words import Words
from firmware.rules.game import AmountWanted

TWO_SHOT: Final = Hint(Action.TWO_SHOT)


def chosen_amount(c: Canvas, view: View, words: Words, rect: Rect) -> bool:
    """Draw the amount that is being chosen; False when none is."""
    wanted = view.prompt.wants[0] if view.prompt else None
    if not isinstance(wanted, AmountWanted) or view.buttons.confirm is None:
        return False
    if view.amount is None:
        label = words.label(view.buttons.confirm)
        c.paragraph(label, rect, LARGE, c.theme.ink, bold=True, align="centre", valign="middle")
        return True
    note = ""
    if view.demand or TWO_SHOT in (view.buttons.left, view.buttons.right):
        note = words.say("with two shot") if view.demand else words.say("without two shot")
    w.amount(c, rect, view.amount, wanted.low, wanted.high, note)
    return True


def pot_and_dice(c: Canvas, words: Words, rect: Rect, pot: int, dice: tuple[int, ...]) -> None:
    """The pot above the last throw, or above two empty places."""
    upper, lower = w.split(rect, 0.5, across=False, gap=c.px(6))
    w.pot(c, upper, pot, words.say("in the pot"))
    if dice:
        w.dice(c, lower, dice, size=c.px(76))
    else:
        w.dice(c, lower, [None, None], size=c.px(70), looks=["wanted", "wanted"])
