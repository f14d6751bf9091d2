"""The result: who won, and the ranking."""

from __future__ import annotations

from display import party
from display import widgets as w
from display.canvas import Canvas, Rect
from display.theme import BODY, LARGE, SMALL
from display.view import View
from display.words import Words
from firmware.rules.game import Outcome


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw the winners large and everybody's place beside them."""
    outcome = view.outcome
    if outcome is None:
        return
    left, right = w.split(room, 0.42 if c.portrait else 0.5, across=not c.portrait, gap=c.px(18))
    _winners(c, words, outcome, left, view.game)
    _ranking(c, words, outcome, right)
    party.paper(c, "paper", room)


def _winners(c: Canvas, words: Words, outcome: Outcome, rect: Rect, game: str) -> None:
    c.box(rect, c.theme.brass, radius=20)
    inner = rect.inflate(-c.px(6), -c.px(6))
    c.box(inner, c.theme.felt, radius=18)
    inside = inner.inflate(-c.px(36), -c.px(28))
    crown, rest = w.split(inside, 0.3, across=False, gap=c.px(6))
    w.icon(c, "crown", crown.center, min(crown.height, c.px(110)), c.theme.accent)
    name, below = w.split(rest, 0.4, across=False)
    many = len(outcome.winners) > 1
    if many:
        c.paragraph(
            words.names(outcome.winners), name, LARGE, bold=True, align="centre", valign="middle"
        )
    else:
        c.text(outcome.winners[0], name, 68, bold=True, align="centre", name=True)
    score = dict(outcome.scores)[outcome.winners[0]]
    unit = words.chips(score) if game in ("barbudi", "barbut") else words.points(score)
    line, note = w.split(below, 0.5, across=False)
    text = (
        words.say("share the win with {score}", score=unit)
        if many
        else words.say("wins with {score}", score=unit)
    )
    c.text(text, line, LARGE, c.theme.accent, align="centre")
    c.paragraph(
        words.reason(outcome.reason), note, BODY, c.theme.ink, align="centre", valign="middle"
    )


def _ranking(c: Canvas, words: Words, outcome: Outcome, rect: Rect) -> None:
    inside = w.panel(c, rect)
    scores = dict(outcome.scores)
    ranked = [(place + 1, name) for place, names in _places(outcome) for name in names]
    high = min(c.px(56), inside.height // len(ranked))
    for i, (place, name) in enumerate(ranked):
        line = Rect(inside.left, inside.top + i * high, inside.width, high)
        number = Rect(line.left, line.top, c.px(52), high)
        size = SMALL if high < c.px(34) else BODY
        colour = c.theme.accent if place == 1 else c.theme.ink
        c.text(f"{place}.", number, size, c.theme.soft, bold=True, align="right")
        score = Rect(line.right - c.px(110), line.top, c.px(110), high)
        c.text(words.number(scores[name]), score, size, colour, bold=True, align="right")
        box = Rect(number.right + c.px(14), line.top, score.left - number.right - c.px(20), high)
        c.text(name, box, size, colour, bold=place == 1, name=True)


def _places(outcome: Outcome) -> list[tuple[int, tuple[str, ...]]]:
    """Each group with its place counted from 0; those who share a place leave gaps after it."""
    found, place = [], 0
    for names in outcome.ranking:
        found.append((place, names))
        place += len(names)
    return found
