"""Choose a game: a card for each."""

from __future__ import annotations

from typing import Final

from display import widgets as w
from display.canvas import Canvas, Rect
from display.sprites import mix
from display.theme import BODY, LARGE
from display.view import View
from display.vocabulary import N_
from display.words import Words

CARDS: Final = {
    "barbudi": ((6, 5), N_("2 to 12 players and chips. The fader stakes, the thrower covers.")),
    "barbut": ((3, 3), N_("2 to 12 players and chips. A wager between two, and Vari.")),
    "barbut_bg": ((1, 3, 5), N_("2 to 9 players. Collect points up to 5550, or lose them.")),
    "balut": ((6, 6, 6, 6, 6), N_("1 to 6 players. Three throws a turn, a sheet of 28 fields.")),
}
"""The dice on a game's card and the line under its name."""


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw the cards, the chosen one lit."""
    options = view.options or tuple(CARDS)
    across = 1 if c.portrait else 2
    gap = c.px(14)
    lines = w.rows(room, max(2, -(-len(options) // across)), gap)
    cards = [card for line in lines for card in w.columns(line, across, gap)]
    for i, (key, card) in enumerate(zip(options, cards, strict=False)):
        _card(c, words, key, card, chosen=i == view.cursor)
        c.target(card, f"option:{i}")


def _card(c: Canvas, words: Words, key: str, card: Rect, *, chosen: bool) -> None:
    fill = mix(c.theme.felt, c.theme.ground, 0.15 if chosen else 0.55)
    rim = c.theme.accent if chosen else c.theme.line
    c.box(card, fill, radius=16, border=rim, width=4 if chosen else 1.5)
    inside = card.inflate(-c.px(40), -c.px(28))
    dice, text = CARDS.get(key, ((), ""))
    head, rest = w.split(inside, 0.48, across=False, gap=c.px(8))
    size = min(head.height, c.px(74))
    wide = round(size * (len(dice) + 0.24 * (len(dice) - 1)))
    wide = min(wide, round(head.width * 0.56))
    w.dice(c, Rect(head.right - wide, head.top, wide, head.height), dice, size=size)
    name = Rect(head.left, head.top, head.width - wide - c.px(12), head.height)
    colour = c.theme.accent if chosen else c.theme.ink
    c.paragraph(words.game(key), name, LARGE, colour, bold=True, valign="middle")
    c.paragraph(words.say(text), rest, BODY, c.theme.ink, valign="top")
