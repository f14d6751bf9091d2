"""The throw: the live tray, what was read on the dice, and what it means."""

from __future__ import annotations

from typing import Final

from display import tray
from display import widgets as w
from display.canvas import Canvas, Rect
from display.sprites import Icon
from display.theme import BODY, LARGE, SMALL, TITLE, Colour
from display.verdict import Verdict, verdict
from display.view import Notice, View, Watch
from display.words import Words
from firmware.rules.balut import BalutState
from firmware.rules.balut_turn import THROWS
from firmware.rules.barbudi import BarbudiState
from firmware.rules.barbut import BarbutState
from firmware.rules.barbut_bg import BarbutBgState
from vision.reading import Zone

_SIGNS: Final[dict[Watch, tuple[Icon | None, str]]] = {
    Watch.HAND: ("hand", "info"),
    Watch.MOVING: ("dice", "info"),
    Watch.LOST: ("alert", "bad"),
    Watch.MOVED: ("alert", "bad"),
    Watch.COVERED: ("alert", "bad"),
    Watch.SAME: (None, "accent"),
}
"""Sign and colour for what goes on in the tray, where it needs any."""


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw the throw."""
    gap = c.px(18)
    if c.portrait:
        left, right = w.split(room, 0.53, across=False, gap=gap)
    else:
        wide = min(0.62, room.height * 4 / 3 / room.width)
        left, right = w.split(room, wide, across=True, gap=gap)
    tray.picture(c, view, words, left)
    reading = view.reading
    if view.watch is Watch.REST and reading is not None:
        if view.armed:
            text = words.say("Shall this throw not count?")
            more = words.say("The same dice are thrown again.")
            w.statement(c, right, "alert", c.theme.accent, text, more)
        elif reading.ok and view.notice is not None:
            w.statement(c, right, "alert", c.theme.bad, words.notice(view.notice))
        elif reading.ok:
            _read(c, view, words, right)
        else:
            _not_read(c, view, words, right)
    else:
        _waiting(c, view, words, right)


def _read(c: Canvas, view: View, words: Words, rect: Rect) -> None:
    """The dice large, the verdict below."""
    assert view.reading is not None
    # Dice in the rail were kept: only what lies in the tray is the throw.
    values = view.reading.in_zone(Zone.TRAY) or view.reading.values or ()
    found = verdict(words, view.preview)
    colour, name = _look(c, found)
    top, below = w.split(rect, 0.46, across=False, gap=c.px(8))
    w.dice_block(c, top, values, size=c.px(150))
    inside = w.panel(c, below, lit=colour)
    head, text = w.take_top(inside, c.px(48), c.px(4))
    if name:
        w.icon(c, name, (head.left + c.px(20), head.centery), c.px(36), colour)
        head = Rect(head.left + c.px(52), head.top, head.width - c.px(52), head.height)
    c.text(found.head or words.say("Read"), head, TITLE, colour, bold=True)
    more = found.text or words.say("Confirm if the table has read the dice right.")
    c.paragraph(more, text, BODY, c.theme.ink, valign="middle")


def _look(c: Canvas, found: Verdict) -> tuple[Colour, Icon | None]:
    match found.tone:
        case "good":
            return c.theme.good, "crown"
        case "bad":
            return c.theme.bad, "back"
        case "pass":
            return c.theme.info, "right"
    return c.theme.accent, None


def _not_read(c: Canvas, view: View, words: Words, rect: Rect) -> None:
    """Why there is no reading, the gravest reason large."""
    assert view.reading is not None
    inside = w.panel(c, rect, lit=c.theme.bad)
    head, rest = w.split(inside, 0.34, across=False)
    w.icon(c, "alert", head.center, min(head.height * 0.9, c.px(96)), c.theme.bad)
    problems = view.reading.problems
    found = len(view.reading.dice)
    first, more = w.split(rest, 0.5, across=False)
    main = words.problem(problems[0], found, view.due)
    c.paragraph(main, first, LARGE, c.theme.ink, bold=True, align="centre", valign="middle")
    lines = [words.problem(problem, found, view.due) for problem in problems[1:3]]
    lines.append(words.say("This does not count. Throw again."))
    c.paragraph("\n".join(lines), more, BODY, c.theme.soft, align="centre", valign="middle")


def _at_stake(words: Words, view: View) -> tuple[str, str, int] | None:
    """What this throw is about: a label, a number, and the chips if the number counts chips."""
    match view.state:
        case BarbudiState(phase="throw", pot=pot):
            return words.say("in the pot"), str(pot), pot
        case BarbutState(phase="throw", stake=stake):
            return words.say("in the pot"), str(2 * stake), 2 * stake
        case BarbutBgState(phase="throw" | "choice", turn_points=points):
            return words.say("at risk this turn"), str(points), 0
        case BalutState(phase="throw" | "choice", throws=thrown):
            return words.say("Throw {n} of {all}", n=thrown + 1, all=THROWS), "", 0
    return None


def _waiting(c: Canvas, view: View, words: Words, rect: Rect) -> None:
    """What is to be thrown, and what goes on in the tray."""
    inside = w.panel(c, rect)
    stake = _at_stake(words, view)
    if stake is not None:
        inside, foot = w.take_bottom(inside, c.px(56), c.px(4))
        c.surface.fill(c.theme.line, (foot.left, foot.top, foot.width, max(1, c.px(1))))
        about, value, chips = stake
        wide = c.width(value, LARGE, bold=True) + c.px(64 if chips else 4)
        place = Rect(foot.right - wide, foot.top, wide, foot.height)
        if chips:
            w.chip_count(c, place, chips, c.theme.accent)
        else:
            c.text(value, place, LARGE, c.theme.accent, bold=True, align="right")
        name = Rect(foot.left, foot.top, foot.width - wide - c.px(8), foot.height)
        c.text(about, name, SMALL, c.theme.soft)
    top, below = w.split(inside, 0.55, across=False)
    if view.rail:
        label, top = w.take_top(top, c.px(32))
        kept, top = w.split(top, 0.5, across=False, gap=c.px(8))
        c.text(words.say("Kept, in the rail"), label, SMALL, c.theme.soft, align="centre")
        w.dice(c, kept, view.rail, size=c.px(64), looks=["kept"] * len(view.rail))
    if view.due:
        w.dice(c, top, [None] * view.due, size=c.px(104), looks=["wanted"] * view.due)
    sign, colour = _SIGNS.get(view.watch, (None, "ink"))
    shade: Colour = getattr(c.theme, colour)
    if sign is not None:
        head, below = w.split(below, 0.4, across=False)
        w.icon(c, sign, head.center, min(head.height, c.px(60)), shade)
    text = words.watch(view.watch)
    if view.watch is Watch.LOST:
        text = words.notice(Notice("camera_lost"))
    c.paragraph(text, below, LARGE, shade, bold=True, align="centre", valign="middle")
