"""Nobody plays: the games go by, the last winners, and the last throw once more."""

from __future__ import annotations

from display import party
from display import widgets as w
from display.canvas import Canvas, Rect
from display.scenes.choose_game import CARDS
from display.sprites import mix
from display.theme import BODY, LARGE, SMALL, TITLE
from display.view import View
from display.words import Words

WINNERS = 4
"""So many of the last winners are named."""


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw this `page`; the table turns the pages."""
    games = view.options or tuple(CARDS)
    pages = [*games, *(["winners"] if view.records else []), *(["replay"] if view.entry else [])]
    key = pages[view.page % len(pages)]
    c.box(room, c.theme.brass, radius=24)
    inner = room.inflate(-c.px(6), -c.px(6))
    c.box(inner, c.theme.felt, radius=22)
    c.box(inner.inflate(-c.px(20), -c.px(20)), c.theme.felt_dark, radius=16)
    c.box(inner.inflate(-c.px(24), -c.px(24)), c.theme.felt, radius=15)
    inside = inner.inflate(-c.px(72), -c.px(64)).move(0, -c.px(14))
    body, foot = w.take_bottom(inside, c.height(BODY) * (2 if c.portrait else 1), c.px(8))
    match key:
        case "winners":
            _winners(c, view, words, body)
        case "replay":
            _replay(c, view, words, body)
        case _:
            _game(c, view, words, body, key)
    text = words.say("Press the green button.")
    c.paragraph(text, foot, BODY, c.theme.soft, align="centre", valign="middle")
    for i in range(len(pages)):
        x = room.centerx + (i - (len(pages) - 1) / 2) * c.px(22)
        lit = i == view.page % len(pages)
        c.disc((x, inner.bottom - c.px(28)), c.px(6 if lit else 4), _dot(c, lit))


def _dot(c: Canvas, lit: bool) -> tuple[int, int, int]:
    return c.theme.accent if lit else mix(c.theme.felt, c.theme.ink, 0.3)


def _game(c: Canvas, view: View, words: Words, body: Rect, key: str) -> None:
    """A game's dice roll in over its name."""
    dice, text = CARDS[key]
    above, below = w.split(body, 0.52, across=False, gap=c.px(12))
    party.roll(c, f"attract:{view.page}", above, dice, size=c.px(170))
    name, line = w.split(below, 0.6, across=False, gap=c.px(6))
    c.text(words.game(key), name, 84, c.theme.accent, bold=True, align="centre")
    c.paragraph(words.say(text), line, BODY, align="centre", valign="middle")


def _winners(c: Canvas, view: View, words: Words, body: Rect) -> None:
    """Who won the last games."""
    head, rest = w.take_top(body, c.height(TITLE, bold=True), c.px(14))
    c.text(words.say("The last winners"), head, TITLE, c.theme.ink, bold=True, align="centre")
    shown = [record for record in view.records if record.winners][:WINNERS]
    high = min(c.px(84), (rest.height - c.px(8) * (WINNERS - 1)) // WINNERS)
    top = rest.top + (rest.height - len(shown) * (high + c.px(8))) // 3
    for i, record in enumerate(shown):
        line = Rect(rest.left, top + i * (high + c.px(8)), rest.width, high)
        c.box(line, mix(c.theme.felt, c.theme.ground, 0.45), radius=14)
        size = high * 0.52
        colour = c.theme.accent if i == 0 else c.theme.soft
        w.icon(c, "crown", (line.left + c.px(20) + size / 2, line.centery), size, colour)
        inside = Rect(line.left + round(size) + c.px(42), line.top, 0, high)
        inside.width = line.right - c.px(20) - inside.left
        name, game = w.split(inside, 0.58, across=True, gap=c.px(12))
        c.text(words.names(record.winners), name, LARGE, bold=True, name=True)
        c.text(words.game(record.game), game, SMALL, colour, align="right")


def _replay(c: Canvas, view: View, words: Words, body: Rect) -> None:
    """The last throw: its picture where there is one, its dice, and who threw them."""
    head, rest = w.take_top(body, c.height(TITLE, bold=True), c.px(14))
    text = words.say("The last throw")
    c.text(text, head, TITLE, c.theme.ink, bold=True, align="centre")
    if view.picture is not None and not c.portrait:
        left, rest = w.split(rest, 0.5, across=True, gap=c.px(24))
        place = w.fitted(view.picture.shape[1::-1], left)
        c.box(place.inflate(c.px(10), c.px(10)), c.theme.wood, radius=8)
        w.picture(c, left, view.picture)
    dice, who = w.split(rest, 0.7, across=False, gap=c.px(8))
    values = [face for face in view.entry if face is not None]
    party.roll(c, f"attract:{view.page}", dice, values, size=c.px(150))
    c.text(
        words.names(view.seats), who, LARGE, c.theme.accent, bold=True, align="centre", name=True
    )
