"""The last games: which, when, who, and who won."""

from __future__ import annotations

from display import widgets as w
from display.canvas import Canvas, Rect
from display.theme import BODY, LARGE, SMALL
from display.view import Record, View
from display.words import Words


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw the list, and the chosen game beside it."""
    if not view.records:
        c.paragraph(
            words.say("No game has been played yet."),
            w.panel(c, room),
            LARGE,
            align="centre",
            valign="middle",
        )
        return
    left, right = w.split(room, 0.52, across=not c.portrait, gap=c.px(26))
    lines = [(words.game(one.game), one.when) for one in view.records]
    w.menu(c, left, lines, view.cursor, high=50)
    _one(c, words, view.records[view.cursor % len(view.records)], right)


def _one(c: Canvas, words: Words, record: Record, rect: Rect) -> None:
    inside = w.panel(c, rect)
    head, rest = w.take_top(inside, c.px(56), c.px(4))
    c.text(words.game(record.game), head, LARGE, c.theme.accent, bold=True)
    when, rest = w.take_top(rest, c.height(SMALL), c.px(10))
    c.text(record.when, when, SMALL, c.theme.soft)
    won, rest = w.take_top(rest, c.px(68), c.px(6))
    text = words.say("Won: {names}", names=words.names(record.winners))
    if not record.winners:
        text = words.say("Not finished")
    c.paragraph(text, won, BODY, c.theme.good, bold=True, valign="middle")
    scores = record.scores or tuple((name, 0) for name in record.seats)
    high = min(c.px(42), rest.height // max(1, len(scores)))
    for i, (name, score) in enumerate(scores):
        line = Rect(rest.left, rest.top + i * high, rest.width, high)
        c.text(name, Rect(line.left, line.top, line.width - c.px(110), high), SMALL, name=True)
        if record.scores:
            place = Rect(line.right - c.px(100), line.top, c.px(100), high)
            c.text(words.number(score), place, SMALL, bold=True, align="right")
