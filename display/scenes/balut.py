"""Balut: the active sheet large, the dice, the throws left, and everybody's standing."""

from __future__ import annotations

from display import sheet
from display import widgets as w
from display.canvas import Canvas, Rect
from display.sprites import mix
from display.theme import BODY, SMALL
from display.view import View
from display.words import Words
from firmware.rules import balut_sheet
from firmware.rules.balut import BalutState
from firmware.rules.balut_sheet import FIELDS, ROWS
from firmware.rules.balut_turn import THROWS


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw sheet, dice and standing."""
    state = view.state
    assert isinstance(state, BalutState)
    gap = c.px(14)
    if c.portrait:
        top, rest = w.take_top(room, c.px(150), gap)
        middle, bottom = w.split(rest, 0.72, across=False, gap=gap)
        _dice(c, view, words, state, top)
        _sheet(c, view, words, state, middle)
        _standing(c, words, state, bottom, across=True)
        return
    left, right = w.split(room, 0.64, across=True, gap=gap)
    top, bottom = w.take_top(right, c.px(158), gap)
    _sheet(c, view, words, state, left)
    _dice(c, view, words, state, top)
    _standing(c, words, state, bottom, across=False)


def _sheet(c: Canvas, view: View, words: Words, state: BalutState, rect: Rect) -> None:
    who = state.turn or state.last_by or state.seats[0]
    choosing = view.prompt is not None and view.prompt.want("enter") is not None
    cursor = list(ROWS)[view.cursor % len(ROWS)] if choosing and not view.keeping else None
    sheet.draw(
        c,
        rect,
        words,
        state.sheets[who],
        variant=state.rules.variant,
        dice=state.table if choosing else (),
        cursor=cursor,
        armed=view.armed,
        lit=view.keeping and view.cursor >= len(state.table),
    )


def _dice(c: Canvas, view: View, words: Words, state: BalutState, rect: Rect) -> None:
    """The five dice with those kept, and how many throws are made and left."""
    at_dice = view.keeping and view.cursor < len(state.table)
    inside = w.panel(c, rect, lit=c.theme.accent if at_dice else None)
    note, dice = w.take_top(inside, c.height(SMALL), c.px(8))
    dots = c.px(18) * THROWS + c.px(6)
    text = words.say("Throw {n} of {all}", n=min(THROWS, state.throws), all=THROWS)
    if not state.throws:
        text = words.say("Round {n}", n=state.round)
    elif view.keeping:
        text = words.say("Keep which dice?")
    to_sheet = view.keeping and view.cursor >= len(state.table)
    if to_sheet:
        text = words.say("Enter these dice?")
    c.text(text, Rect(note.left, note.top, note.width - dots, note.height), SMALL, c.theme.soft)
    for i in range(THROWS):
        spot = (note.right - c.px(18) * (THROWS - i) + c.px(9), note.centery)
        used = i < state.throws
        c.disc(spot, c.px(7), c.theme.line if used else c.theme.accent)
        if used:
            c.disc(spot, c.px(5), c.theme.panel)
    if not state.table:
        w.dice(c, dice, [None] * 5, looks=["wanted"] * 5, size=c.px(66))
        return
    kept = view.kept if len(view.kept) == len(state.table) else _flags(state)
    looks: list[w.DieLook] = ["kept" if flag else "plain" for flag in kept]
    place = dice.inflate(-c.px(8), -c.px(14 if view.keeping else 8))
    boxes = w.dice(c, place, state.table, looks=looks, size=c.px(66))
    for i, box in enumerate(boxes):
        c.target(box, f"die:{i}")
        if view.keeping and i == view.cursor:
            spot = (box.centerx, dice.bottom + c.px(1))
            half = c.px(9)
            points = [
                (spot[0], spot[1] - half),
                (spot[0] - half, spot[1]),
                (spot[0] + half, spot[1]),
            ]
            c.polygon(points, c.theme.ink)


def _flags(state: BalutState) -> tuple[bool, ...]:
    """Which of the dice on the table were kept before the last throw."""
    left = list(state.kept)
    flags = []
    for face in state.table:
        flags.append(face in left)
        if face in left:
            left.remove(face)
    return tuple(flags)


def _standing(c: Canvas, words: Words, state: BalutState, rect: Rect, *, across: bool) -> None:
    """A line for every player: points and dice sum so far, and how full the sheet is."""
    inside = w.panel(c, rect)
    count = len(state.seats)
    if across and count > 2:
        halves = w.columns(inside, 2, c.px(20))
        lines = [line for half in halves for line in w.rows(half, -(-count // 2), c.px(4))]
    else:
        lines = w.rows(inside, max(count, 4), c.px(4))
    for name, line in zip(state.seats, lines, strict=False):
        height = min(line.height, c.px(54))
        _player(c, words, state, name, Rect(line.left, line.top, line.width, height))


def _player(c: Canvas, words: Words, state: BalutState, name: str, line: Rect) -> None:
    fields = state.sheets[name]
    result = balut_sheet.count(fields, state.rules.variant)
    mine = name == state.turn
    text, strip = w.take_bottom(line, c.px(9), c.px(1))
    points = words.say("{n} p", n=words.number(result.points))
    wide = c.px(66)
    c.text(
        points, Rect(text.right - wide, text.top, wide, text.height), BODY, bold=True, align="right"
    )
    sum_box = Rect(text.right - wide - c.px(64), text.top, c.px(58), text.height)
    c.text(str(result.dice_sum), sum_box, SMALL, c.theme.soft, align="right")
    colour = c.theme.accent if mine else c.theme.ink
    place = Rect(text.left, text.top, sum_box.left - text.left - c.px(6), text.height)
    c.text(name, place, SMALL, colour, bold=mine, name=True)
    each = FIELDS[state.rules.variant]
    for row, group in zip(ROWS, w.columns(strip, len(ROWS), c.px(7)), strict=True):
        for i, tick in enumerate(w.columns(group, each, c.px(2))):
            filled = fields[row][i] if i < len(fields[row]) else None
            shade = c.theme.raised
            if filled is not None:
                shade = c.theme.good if filled else mix(c.theme.bad, c.theme.panel, 0.35)
            c.surface.fill(shade, tick.inflate(0, -c.px(4) if filled == 0 else 0))
