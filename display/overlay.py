"""What is laid over the game while something is chosen: a menu, or a side bet."""

from __future__ import annotations

from display import widgets as w
from display.canvas import Canvas, Rect
from display.theme import BODY, LARGE
from display.view import PLAY, View
from display.words import Words
from firmware.rules.game import SideBetWanted


def wanted(view: View) -> bool:
    """True when something is to be chosen over the game."""
    return view.scene in PLAY and bool(view.options or view.picks)


def draw(c: Canvas, view: View, words: Words, room: Rect) -> None:
    """Dim the game and draw the choice over it."""
    c.cover(room)
    limits = _limits(view)
    side_bet = limits is not None and (view.picks or set(view.options) <= set(limits))
    lines = [(words.option(option), "") for option in view.options]
    high = c.px(62) * max(3, len(lines)) + c.px(84 if side_bet else 24)
    place = Rect(0, 0, min(room.width, c.px(580)), min(room.height, high))
    place.center = room.center
    inside = w.panel(c, place, lit=c.theme.accent)
    if limits is not None and side_bet:
        head, inside = w.take_top(inside, c.px(56), c.px(8))
        c.paragraph(_question(words, view), head, BODY, bold=True, align="centre", valign="middle")
        if len(view.picks) == 2 and view.amount is not None:
            most = min(limits.get(name, view.amount) for name in view.picks)
            w.amount(c, inside, view.amount, 1, most)
            return
    if len(lines) == 1 and len(view.options) == 1 and view.scene in PLAY:
        c.text(lines[0][0], inside, LARGE, bold=True, align="centre")
        return
    narrow = Rect(inside.left + c.px(10), inside.top, inside.width - c.px(26), inside.height)
    w.menu(c, narrow, lines, view.cursor)


def _limits(view: View) -> dict[str, int] | None:
    """Who may make a side bet and up to how much; None when side bets are closed."""
    found = view.prompt.want("side_bet") if view.prompt else None
    return dict(found.limits) if isinstance(found, SideBetWanted) else None


def _question(words: Words, view: View) -> str:
    match view.picks:
        case ():
            return words.say("Side bet: who is for the thrower?")
        case (one,):
            return words.say("{one} is for the thrower. Who is for the fader?", one=one)
    return words.say("{one} against {other}", one=view.picks[0], other=view.picks[1])
