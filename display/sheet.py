"""The Balut sheet of one player: fields, sums, what is still needed, where the dice could go."""

from __future__ import annotations

from typing import Final

from display import widgets as w
from display.canvas import Canvas, Rect
from display.sprites import mix
from display.theme import BODY, LARGE, SMALL, Colour
from display.words import Words
from firmware.rules import balut_sheet
from firmware.rules.balut_sheet import FIELDS, ROWS, Sheet

HIGHEST: Final = {"fours": 20, "fives": 25, "sixes": 30, "choice": 30}
"""The most that one field of a row can hold, where the row's sum counts (R-BL-3)."""


def draw(
    c: Canvas,
    rect: Rect,
    words: Words,
    fields: Sheet,
    *,
    variant: str = "standard",
    dice: tuple[int, ...] = (),
    cursor: str | None = None,
    armed: bool = False,
    lit: bool = False,
) -> None:
    """Draw a sheet; `dice` are those on the table, `cursor` the row chosen for them."""
    inside = w.panel(c, rect, lit=c.theme.accent if lit else None)
    body, foot = w.take_bottom(inside, c.px(44), c.px(6))
    head, body = w.take_top(body, c.height(SMALL), c.px(2))
    each = FIELDS[variant]
    grid = _columns(c, head, each)
    c.text(words.say("sum"), grid[-2], SMALL, c.theme.soft, align="centre")
    c.text(words.say("still needed"), grid[-1], SMALL, c.theme.soft, align="right")
    for row, line in zip(ROWS, w.rows(body, len(ROWS), c.px(4)), strict=True):
        value = None
        if dice and len(fields[row]) < each:
            value = balut_sheet.field_value(row, dice, variant)
        _row(c, words, row, fields[row], line, each, value, row == cursor, armed, variant)
        if value is not None:
            c.target(line, f"row:{row}")
    _total(c, words, fields, foot, variant)


def _columns(c: Canvas, line: Rect, each: int) -> list[Rect]:
    """Boxes of a line: name, the fields, sum, still needed."""
    inner = line.inflate(-c.px(12), 0)
    name = round(inner.width * 0.2)
    needed = round(inner.width * 0.26)
    total = round(inner.width * 0.115)
    middle = Rect(inner.left + name, inner.top, inner.width - name - needed - total, inner.height)
    cells = w.columns(middle, each, c.px(6)) if each > 1 else [middle]
    return [
        Rect(inner.left, inner.top, name - c.px(6), inner.height),
        *cells,
        Rect(middle.right, inner.top, total, inner.height),
        Rect(middle.right + total, inner.top, needed, inner.height),
    ]


def _row(
    c: Canvas,
    words: Words,
    row: str,
    filled: tuple[int, ...],
    line: Rect,
    each: int,
    value: int | None,
    chosen: bool,
    armed: bool,
    variant: str,
) -> None:
    theme = c.theme
    strikes = chosen and value == 0
    if chosen:
        rim = theme.bad if strikes else theme.accent
        c.box(line, mix(theme.raised, rim, 0.14), radius=8, border=rim, width=3)
    boxes = _columns(c, line, each)
    c.text(words.row(row), boxes[0], BODY, theme.accent if chosen else theme.ink, bold=chosen)
    for i, box in enumerate(boxes[1 : each + 1]):
        cell = box.inflate(0, -c.px(8))
        cell.width = min(cell.width, c.px(84))
        cell.centerx = box.centerx
        here = i == len(filled) and value is not None
        _cell(c, cell, filled[i] if i < len(filled) else None, value if here else None, chosen)
    if filled:
        c.text(str(sum(filled)), boxes[-2], BODY, theme.ink, bold=True, align="centre")
    if strikes:
        text = words.say("Press again!") if armed else words.say("strikes")
        c.text(text, boxes[-1], SMALL, theme.bad, bold=True, align="right")
        return
    text, colour, met = needed(c, words, row, filled, variant)
    place = boxes[-1]
    if met:
        size = place.height * 0.42
        w.icon(c, "confirm", (place.right - size / 2, place.centery), size, colour)
        place = Rect(place.left, place.top, place.width - round(size) - c.px(6), place.height)
    c.text(text, place, SMALL, colour, bold=met, align="right")


def _cell(c: Canvas, cell: Rect, filled: int | None, value: int | None, chosen: bool) -> None:
    """One field: filled, struck, or open; the next open one shows what the dice would give."""
    theme = c.theme
    if filled is not None:
        c.box(cell, theme.raised, radius=6)
        if filled:
            c.text(str(filled), cell, BODY, theme.ink, bold=True, align="centre")
        else:
            c.line(
                cell.inflate(-cell.width // 2, 0).midleft,
                cell.inflate(-cell.width // 2, 0).midright,
                theme.bad,
                4,
            )
        return
    if value is None:
        c.box(cell, theme.ground, radius=6, border=mix(theme.line, theme.panel, 0.4), width=1)
        return
    colour = theme.accent if value else mix(theme.soft, theme.panel, 0.25)
    fill = theme.accent if chosen and value else theme.ground
    c.box(cell, fill, radius=6, border=colour, width=2)
    ink = theme.on_light if chosen and value else colour
    c.text(str(value), cell, BODY, ink, bold=bool(value), align="centre")


def needed(
    c: Canvas, words: Words, row: str, filled: tuple[int, ...], variant: str = "standard"
) -> tuple[str, Colour, bool]:
    """What a row still needs for its points: the text, its colour, whether it is met."""
    if variant != "standard":
        return "", c.theme.soft, False
    rule = ROWS[row]
    left = FIELDS[variant] - len(filled)
    earned = balut_sheet.row_points(row, filled)
    if earned:
        return words.points(earned), c.theme.good, True
    lost = (words.say("out of reach"), mix(c.theme.soft, c.theme.panel, 0.3), False)
    if rule.at_least is not None:
        gap = rule.at_least - sum(filled)
        return lost if gap > left * HIGHEST[row] else (str(gap), c.theme.soft, False)
    if rule.all_real:
        if not all(filled):
            return lost
        return words.plural("{n} field", "{n} fields", left), c.theme.soft, False
    if not left:
        return lost
    return words.say("{n} each", n=words.points(rule.points)), c.theme.soft, False


def _total(c: Canvas, words: Words, fields: Sheet, foot: Rect, variant: str) -> None:
    """The running dice sum, its band, and the points so far."""
    result = balut_sheet.count(fields, variant)
    c.surface.fill(c.theme.line, (foot.left, foot.top, foot.width, max(1, c.px(1))))
    inner = foot.inflate(-c.px(12), 0)
    first, rest = w.split(inner, 0.38, across=True, gap=c.px(10))
    parts = [first, *w.columns(rest, 2, c.px(10))]
    facts = [(words.say("Dice sum"), str(result.dice_sum), c.theme.ink)]
    if variant == "standard":
        facts.append(
            (words.say("Addition"), f"{result.addition:+d}".replace("-", "−"), c.theme.info)
        )
    facts.append((words.say("Points"), words.number(result.points), c.theme.accent))
    for part, (label, value, colour) in zip(parts, facts, strict=False):
        number = c.width(value, LARGE, bold=True)
        c.text(
            value,
            Rect(part.right - number - 1, part.top, number + 1, part.height),
            LARGE,
            colour,
            bold=True,
        )
        place = Rect(part.left, part.top, part.width - number - c.px(8), part.height)
        c.text(label, place, SMALL, c.theme.soft, align="right")
