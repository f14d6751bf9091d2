"""Who plays: the seats so far, saved names to choose from, letters for a new name."""

from __future__ import annotations

from display import ring
from display import widgets as w
from display.canvas import Canvas, Rect
from display.sprites import mix
from display.theme import BODY, SMALL, TITLE
from display.view import Action, View
from display.words import Words


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw the ring of those who sit, and what can be chosen."""
    left, right = w.split(room, 0.5, across=not c.portrait, gap=c.px(24))
    clockwise = view.game in ("barbut_bg", "balut")
    if view.seats:
        seats = [ring.Seat(name, str(i)) for i, name in enumerate(view.seats, 1)]
        middle = ring.draw(c, left.inflate(-c.px(8), -c.px(12)), seats, clockwise=clockwise)
        c.text(
            words.players(len(view.seats)), middle, BODY, w.on_felt(c), bold=True, align="centre"
        )
    else:
        text = words.say("Nobody sits at the table yet.")
        c.paragraph(text, w.panel(c, left), BODY, c.theme.soft, align="centre", valign="middle")
    if Action.LETTERS.value in view.options:
        _letters(c, view, words, right)
        return
    notes = {name: str(i) for i, name in enumerate(view.seats, 1)}
    changed = len(view.settings)
    notes[Action.HOUSE_RULES.value] = (
        words.plural("{n} changed", "{n} changed", changed) if changed else words.say("as usual")
    )
    lines = [(words.option(option), notes.get(option, "")) for option in view.options]
    w.menu(c, Rect(right.left, right.top, right.width - c.px(12), right.height), lines, view.cursor)


def _letters(c: Canvas, view: View, words: Words, rect: Rect) -> None:
    """The name so far and a board of letters."""
    field, board = w.take_top(rect, c.px(64), c.px(12))
    c.box(field, c.theme.ground, radius=10, border=c.theme.accent, width=2)
    inside = field.inflate(-c.px(24), 0)
    c.text(view.typed + "▏", inside, TITLE - 8, c.theme.ink, bold=True, name=True)
    single = [option for option in view.options if len(option) == 1]
    words_ = [option for option in view.options if len(option) > 1]
    across = 7
    down = -(-len(single) // across) + (1 if words_ else 0)
    lines = w.rows(board, max(5, down), c.px(6))
    cells = [cell for line in lines for cell in w.columns(line, across, c.px(6))]
    for i, letter in enumerate(single):
        _key(c, cells[i], letter.replace(" ", "␣"), i, view.cursor, BODY + 4)
    if words_:
        last = w.columns(lines[down - 1], len(words_), c.px(6))
        for i, (option, cell) in enumerate(zip(words_, last, strict=True)):
            _key(c, cell, words.option(option), len(single) + i, view.cursor, SMALL)


def _key(c: Canvas, cell: Rect, text: str, index: int, cursor: int, size: float) -> None:
    chosen = index == cursor
    fill = c.theme.accent if chosen else mix(c.theme.panel, c.theme.raised, 0.5)
    c.box(cell, fill, radius=8)
    ink = c.theme.on_light if chosen else c.theme.ink
    c.text(text, cell.inflate(-c.px(6), 0), size, ink, bold=True, align="centre")
    c.target(cell, f"option:{index}")
