"""The result of a game on paper: Balut sheets, the account of the chips, the three-dice turns."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from display import qr
from display.words import Words
from firmware.prints import BAD, BRASS, FELT, GOOD, INK, MARGIN, SOFT, STRIPE, Cell, Column, Paper
from firmware.result_words import date_text, dice_text, score_text, signed, texts, winner_text
from firmware.results import Account, Deal, Result, Sheets, Turn, Turns
from firmware.rules import balut_sheet
from firmware.rules.balut_sheet import FIELDS, ROWS, Sheet

CODE = 32.0
"""Side of the QR code in millimetres."""
MODULE = 0.4
"""Least side of one of its modules in millimetres."""
FOOT = CODE + MARGIN + 6
"""What the foot of the last page takes."""
FOOT_ONLY = MARGIN + 6
MANY = 6
"""More players than this need the paper turned."""


def sheet(result: Result, words: Words, place: str = "") -> Paper:
    """The sheet to take home; `place`: where it was played, empty: not said."""
    wide = isinstance(result.body, Account | Turns) and len(result.seats) > MANY
    made = datetime.fromtimestamp(result.ended_at / 1000, UTC)
    paper = Paper(words.game(result.game), made, landscape=wide)
    _title(paper, result, words, place)
    match result.body:
        case Sheets():
            _sheets(paper, result, result.body, words)
        case Account():
            _ranking(paper, result, words)
            _account(paper, result, result.body, words)
        case Turns():
            _ranking(paper, result, words)
            _turns(paper, result, result.body)
    _foot(paper, result, words, place)
    return paper


def _title(paper: Paper, result: Result, words: Words, place: str) -> None:
    x, right = MARGIN, paper.width - MARGIN
    for i, face in enumerate({"balut": (6, 6, 6, 6, 6), "barbut_bg": (1, 3, 5)}.get(
        result.game, (6, 5)
    )):  # fmt: skip
        paper.die(x + i * 9.6, paper.top, 8.4, face)
        left = x + (i + 1) * 9.6 + 2
    paper.text(
        left, paper.top + 7.2, right - left - 62, words.game(result.game), 22,
        colour=FELT, bold=True,
    )  # fmt: skip
    paper.text(right - 60, paper.top + 3.4, 60, date_text(result.ended_at), 9.5, align="R")
    if place:
        paper.text(right - 60, paper.top + 8.2, 60, place, 9.5, colour=SOFT, align="R")
    paper.top += 12.5
    paper.rule(x, paper.top, paper.inner, BRASS, 0.7)
    paper.top += 7.5
    paper.text(x, paper.top, paper.inner, winner_text(result, words), 13, bold=True)
    paper.top += 2
    paper.text(x, paper.top + 4, paper.inner, words.reason(result.outcome.reason), 9, colour=SOFT)
    paper.top += 9


def _foot(paper: Paper, result: Result, words: Words, place: str) -> None:
    """The QR code at the foot of the last page: the fullest text that a phone reads on paper."""
    bottom = paper.height - MARGIN
    codes = (qr.make(text) for text in texts(result, words, place))
    code = next((one for one in codes if one is not None and len(one) <= CODE / MODULE), None)
    if code is not None:
        x = paper.width - MARGIN - CODE
        paper.code(x, bottom - CODE, CODE, code)
        text = words.say("The result is in this code. A phone reads it without a network.")
        y = bottom - CODE + 3
        for line in paper.lines(text, 62, 8):
            paper.text(x - 66, y, 62, line, 8, colour=SOFT, align="R")
            y += 4
    paper.rule(MARGIN, bottom - 3.6, paper.inner - (CODE + 4 if code else 0), BRASS, 0.3)
    note = words.say("Dice table, game {n}. Chips are not money.", n=result.id)
    paper.text(MARGIN, bottom, paper.inner - CODE - 6, note, 7.5, colour=SOFT)


def _ranking(paper: Paper, result: Result, words: Words) -> None:
    """Place, name and score, in as many columns as there is room for."""
    places = result.places()
    across = len(places) if len(places) <= 4 else 3 if len(places) <= MANY else 4
    gap = 4.0
    wide = (paper.inner + gap) / across
    for i, (place, name, score) in enumerate(places):
        row, column = divmod(i, across)
        x, y = MARGIN + column * wide, paper.top + row * 8
        paper.box(x, y, wide - gap, 7, STRIPE, 1.5)
        paper.text(x + 2, y + 4.9, 7, f"{place}.", 9, colour=BRASS, bold=True)
        text = score_text(result.game, score, words)
        inner = wide - gap - 11
        taken = paper.text(x + 9, y + 4.9, inner, text, 9, bold=True, align="R")
        paper.text(x + 9, y + 4.9, inner - taken - 2, name, 9.5, bold=place == 1)
    paper.top += -(-len(places) // across) * 8 + 4


# --- chips ---------------------------------------------------------------------------------------


def _account(paper: Paper, result: Result, account: Account, words: Words) -> None:
    """A line for every deal: who threw, what, and what it did to everybody's chips."""
    share = min(15.0, (paper.inner - 8 - 34 - 11 - 40) / len(result.seats))
    throws = paper.inner - 8 - 36 - 11 - share * len(result.seats)
    columns = [
        Column("", 8),
        Column(words.say("Thrower and fader"), 36, "L"),
        Column(words.say("Pot"), 11),
        Column(words.say("The throws"), throws, "L"),
        *(Column(name, share) for name in result.seats),
    ]
    rows: list[Sequence[str | Cell]] = []
    for number, deal in enumerate(account.deals, 1):
        rows.append(
            (
                Cell(str(number), SOFT),
                f"{deal.thrower} – {deal.fader}",
                str(deal.pot),
                _throws(paper, deal, throws - 2),
                *(_change(deal.changes[name]) for name in result.seats),
            )
        )
    rows.append(_sums(account, result.seats, words))
    paper.table(columns, rows, high=5, size=7.5, bottom=FOOT_ONLY, foot=FOOT)
    if account.house:
        text = words.say("The house has taken {chips}.", chips=words.chips(account.house))
        paper.text(MARGIN, paper.top + 5, paper.inner, text, 8.5, colour=SOFT)


def _throws(paper: Paper, deal: Deal, width: float) -> str:
    """The throws of a deal; of very many only the first ones, how many more, and the last."""
    told = [dice_text(dice) for dice in deal.throws]
    left = 0
    text = "  ".join(told)
    while paper.wide(text, 7.5) > width and left < len(told) - 2:
        left += 1
        text = "  ".join([*told[: -left - 1], f"(+{left})", told[-1]])
    return text


def _change(amount: int) -> Cell:
    if not amount:
        return Cell("·", SOFT)
    return Cell(signed(amount), GOOD if amount > 0 else BAD)


def _sums(account: Account, seats: Sequence[str], words: Words) -> Sequence[str | Cell]:
    sums = {name: sum(deal.changes[name] for deal in account.deals) for name in seats}
    changes = [Cell(one.text, one.colour, True) for one in (_change(sums[name]) for name in seats)]
    return ("", Cell(words.say("In all"), INK, True), "", "", *changes)


# --- three dice ----------------------------------------------------------------------------------


def _turns(paper: Paper, result: Result, turns: Turns) -> None:
    """A line for every round of turns: what each player's turn brought, and the total after it."""
    wide = (paper.inner - 9) / len(result.seats)
    columns = [Column("", 9)]
    for name in result.seats:
        columns += [Column("", wide * 0.45), Column(name, wide * 0.55, bold=True)]
    most = max(len(one) for one in turns.turns.values())
    rows: list[Sequence[str | Cell]] = []
    for i in range(most):
        row: list[str | Cell] = [Cell(str(i + 1), SOFT)]
        for name in result.seats:
            played = turns.turns[name]
            row += _turn(played[i]) if i < len(played) else ("", "")
        if any(isinstance(cell, Cell) and cell.text not in ("", "–") for cell in row[1:]):
            rows.append(row)  # a round in which nobody's total changed tells nothing
    paper.table(columns, rows, high=4.6, size=7.5, bottom=FOOT_ONLY, foot=FOOT)


def _turn(turn: Turn) -> tuple[Cell, Cell]:
    if turn.change:
        return Cell(signed(turn.change), GOOD if turn.change > 0 else BAD), Cell(str(turn.total))
    return Cell("–", SOFT), Cell("")


# --- Balut ---------------------------------------------------------------------------------------


def _sheets(paper: Paper, result: Result, sheets: Sheets, words: Words) -> None:
    """All sheets of a game on a page; of a match a page for each game."""
    places = {name: place for place, name, _ in result.places()}
    order = [name for _, name, _ in result.places()]
    across = 1 if len(order) < 3 else 2
    down = -(-len(order) // across)
    for number, game in enumerate(sheets.games):
        if number:
            paper.new_page()
        if len(sheets.games) > 1:
            text = words.say("Game {n} of {all}", n=number + 1, all=len(sheets.games))
            paper.text(MARGIN, paper.top + 4, paper.inner, text, 11, colour=BRASS, bold=True)
            paper.top += 8
        last = number + 1 == len(sheets.games)
        room = paper.height - paper.top - (FOOT if last else FOOT_ONLY)
        wide = (paper.inner - (across - 1) * 6) / across
        high = min(100.0, room / down - 4)
        for i, name in enumerate(order):
            x = MARGIN + (i % across) * (wide + 6)
            y = paper.top + (i // across) * (high + 4)
            _player(paper, (x, y, wide, high), name, places[name], game[name], sheets, words)


def _player(
    paper: Paper,
    rect: tuple[float, float, float, float],
    name: str,
    place: int,
    fields: Sheet,
    sheets: Sheets,
    words: Words,
) -> None:
    """One player's sheet in a frame (x, y, width, height)."""
    x, y, wide, high = rect
    each = FIELDS[sheets.variant]
    standard = sheets.variant == "standard"
    count = balut_sheet.count(fields, sheets.variant)
    paper.frame(x, y, wide, high)
    step = high / (len(ROWS) + 3.4)
    size = min(11.0, step * 1.75)
    line = y + step * 1.05
    inner_x, inner = x + 3, wide - 6
    paper.text(inner_x, line, 8, f"{place}.", size * 1.15, colour=BRASS, bold=True)
    points = words.points(count.points)
    taken = paper.text(inner_x, line, inner, points, size * 1.2, colour=FELT, bold=True, align="R")
    paper.text(inner_x + 8, line, inner - 11 - taken, name, size * 1.2, bold=True)
    name_wide = inner * 0.235
    sum_wide = inner * 0.14
    point_wide = inner * 0.15 if standard else 0.0
    cell = (inner - name_wide - sum_wide - point_wide) / each
    top = y + step * 1.45
    head = top + step * 0.62
    sums_x = inner_x + name_wide + each * cell
    paper.text(sums_x, head, sum_wide, words.say("sum"), size * 0.72, colour=SOFT, align="R")
    if standard:
        text = words.say("Points")
        paper.text(sums_x + sum_wide, head, point_wide, text, size * 0.72, colour=SOFT, align="R")
    top += step * 0.85
    earned = dict(count.rows)
    for i, row in enumerate(ROWS):
        base = top + step * (i + 0.5) + size * 0.127
        if i % 2 == 0:
            paper.box(x + 1.5, top + step * i, wide - 3, step, STRIPE, 1)
        paper.text(inner_x, base, name_wide, words.row(row), size * 0.95)
        for j, value in enumerate(fields[row]):
            _field(paper, inner_x + name_wide + j * cell, base, cell, value, size)
        paper.text(sums_x, base, sum_wide, str(sum(fields[row])), size, bold=True, align="R")
        if standard:
            won = earned[row]
            paper.text(
                sums_x + sum_wide, base, point_wide, str(won) if won else "–", size,
                colour=GOOD if won else SOFT, bold=bool(won), align="R",
            )  # fmt: skip
    foot = top + step * len(ROWS)
    paper.rule(x + 1.5, foot, wide - 3, FELT, 0.35)
    base = foot + step * 0.75
    paper.text(inner_x, base, name_wide + each * cell - 2, words.say("Dice sum"), size * 0.95)
    paper.text(sums_x, base, sum_wide, str(count.dice_sum), size, bold=True, align="R")
    if standard:
        paper.text(
            sums_x + sum_wide, base, point_wide, signed(count.addition), size, bold=True, align="R"
        )


def _field(paper: Paper, x: float, base: float, wide: float, value: int, size: float) -> None:
    """A field; a struck one has a line through it."""
    if value:
        paper.text(x, base, wide - 1.5, str(value), size, align="R")
        return
    taken = paper.text(x, base, wide - 1.5, "0", size, colour=SOFT, align="R")
    right = x + wide - 1.5
    paper.rule(right - taken - 0.8, base - size * 0.125, taken + 1.6, BAD, 0.3)
