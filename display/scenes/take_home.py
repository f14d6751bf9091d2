"""The result to take home: a QR code that holds it, and what can be done with it."""

from __future__ import annotations

from display import qr
from display import widgets as w
from display.canvas import Canvas, Rect
from display.theme import BODY, SMALL, Colour
from display.view import Action, Level, View
from display.words import Words

WANTED = 5
"""Design units of a module of the code (4 pixels at 800x480): a phone reads it at arm's length."""
LEAST = 3.6
"""Three pixels at 800x480: a phone must come nearer; only for a result that fits no other way."""

WHITE = (255, 255, 255)
BLACK = (0, 0, 0)


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw the code, and beside it what it is."""
    side = min(room.width, round(room.height * 0.6) if c.portrait else room.height)
    if c.portrait:
        square, rest = w.take_top(room, side, c.px(16))
        square = Rect(square.centerx - side // 2, square.top, side, side)
    else:
        square = Rect(room.left, room.top, side, side)
        rest = Rect(square.right + c.px(22), room.top, room.width - side - c.px(22), room.height)
    texts = dict(view.take_home).get(view.language, ())
    found = qr.best(texts, side, c.px(WANTED), c.px(LEAST))
    if found is not None:
        _code(c, square, found[1])
    _beside(c, view, words, rest, texts, None if found is None else found[0])


def _code(c: Canvas, square: Rect, matrix: qr.Matrix) -> None:
    """Modules of whole pixels, dark on white, with the quiet border."""
    one = qr.module(matrix, square.width)
    wide = one * (len(matrix) + 2 * qr.QUIET)
    place = Rect(square.centerx - wide // 2, square.centery - wide // 2, wide, wide)
    c.box(place, WHITE, radius=8)
    edge = one * qr.QUIET
    for i, row in enumerate(matrix):
        for j, dark in enumerate(row):
            if dark:
                spot = (place.left + edge + j * one, place.top + edge + i * one, one, one)
                c.surface.fill(BLACK, spot)


def _beside(
    c: Canvas, view: View, words: Words, rect: Rect, texts: tuple[str, ...], shown: str | None
) -> None:
    """What the code is, and what became of the sheet."""
    told: list[tuple[str, Colour]] = []
    if shown is None:
        told.append((words.say("This result is too long for a code."), c.theme.ink))
    else:
        told.append((words.say("Point a phone at the code: it holds the result."), c.theme.ink))
        told.append((words.say("No network is needed."), c.theme.soft))
        if shown != texts[0]:
            text = words.say("The code has the totals; the sheet has everything.")
            told.append((text, c.theme.info))
    if view.notice is not None:
        colour = c.theme.good if view.notice.level is Level.GOOD else c.theme.bad
        told.append((words.notice(view.notice), colour))
        if view.notice.text:
            told.append((view.notice.text, c.theme.soft))
    hint = view.buttons.confirm
    if hint is not None and hint.action is Action.SAVE_SHEET:
        label = words.label(hint)
        told.append((words.say("“{label}” makes a sheet to print.", label=label), c.theme.ink))
    inside = w.panel(c, rect)
    for (text, colour), line in zip(told, w.rows(inside, len(told), c.px(8)), strict=True):
        c.paragraph(text, line, SMALL if colour == c.theme.soft else BODY, colour, valign="middle")
