"""What Barbudi and Barbut have in common in the middle of the felt."""

from __future__ import annotations

from display import widgets as w
from display.canvas import Canvas, Rect
from display.view import View
from display.words import Words
from firmware.rules.game import AmountWanted


def chosen_amount(c: Canvas, view: View, rect: Rect) -> bool:
    """Draw the amount that is being chosen; False when none is."""
    wanted = view.prompt.wants[0] if view.prompt else None
    if view.amount is None or not isinstance(wanted, AmountWanted):
        return False
    w.amount(c, rect, view.amount, wanted.low, wanted.high)
    return True


def pot_and_dice(c: Canvas, words: Words, rect: Rect, pot: int, dice: tuple[int, ...]) -> None:
    """The pot above the last throw, or above two empty places."""
    upper, lower = w.split(rect, 0.5, across=False, gap=c.px(6))
    w.pot(c, upper, pot, words.say("in the pot"))
    if dice:
        w.dice(c, lower, dice, size=c.px(76))
    else:
        w.dice(c, lower, [None, None], size=c.px(70), looks=["wanted", "wanted"])
