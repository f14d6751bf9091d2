"""Nobody plays: the games go by, and the last winners."""

from __future__ import annotations

from display import widgets as w
from display.canvas import Canvas, Rect
from display.scenes.choose_game import CARDS
from display.theme import BODY, SMALL
from display.view import View
from display.words import Words


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw the game of this `page` large; the table turns the pages."""
    games = view.options or tuple(CARDS)
    key = games[view.page % len(games)]
    dice, text = CARDS[key]
    c.box(room, c.theme.brass, radius=24)
    inner = room.inflate(-c.px(6), -c.px(6))
    c.box(inner, c.theme.felt, radius=22)
    c.box(inner.inflate(-c.px(20), -c.px(20)), c.theme.felt_dark, radius=16)
    c.box(inner.inflate(-c.px(24), -c.px(24)), c.theme.felt, radius=15)
    inside = inner.inflate(-c.px(72), -c.px(64)).move(0, -c.px(14))
    body, foot = w.take_bottom(inside, c.height(BODY) * (2 if c.portrait else 1), c.px(8))
    above, below = w.split(body, 0.52, across=False, gap=c.px(12))
    w.dice(c, above, dice, size=c.px(170))
    name, line = w.split(below, 0.6, across=False, gap=c.px(6))
    c.text(words.game(key), name, 84, c.theme.accent, bold=True, align="centre")
    c.paragraph(words.say(text), line, BODY, align="centre", valign="middle")
    _foot(c, view, words, foot)
    for i in range(len(games)):
        x = room.centerx + (i - (len(games) - 1) / 2) * c.px(22)
        lit = i == view.page % len(games)
        c.disc((x, inner.bottom - c.px(28)), c.px(5), c.theme.accent if lit else c.theme.line)


def _foot(c: Canvas, view: View, words: Words, rect: Rect) -> None:
    """The last winner, else an invitation."""
    if not view.records:
        c.paragraph(
            words.say("Press the green button."), rect, BODY, align="centre", valign="middle"
        )
        return
    last = view.records[0]
    text = words.say(
        "Last: {names} won at {game}.", names=words.names(last.winners), game=words.game(last.game)
    )
    c.paragraph(text, rect, SMALL, c.theme.ink, align="centre", valign="middle")
