"""The result of a game in words: the lines that a sheet and a QR code share."""

from __future__ import annotations

import time
from collections.abc import Iterable

from display.words import Words
from firmware.results import Account, Result, Sheets, Turns
from firmware.rules import balut_sheet
from firmware.rules.balut_sheet import ROWS, Sheet

CHIPS = ("barbudi", "barbut")
"""Games whose scores are chips."""


def date_text(milliseconds: int) -> str:
    """Date and time of this place."""
    return time.strftime("%d.%m.%Y  %H:%M", time.localtime(milliseconds / 1000))


def dice_text(dice: Iterable[int]) -> str:
    """`6-5`."""
    return "-".join(map(str, dice))


def signed(amount: int) -> str:
    """`+5`, `−5`, `0`."""
    return f"{amount:+d}".replace("-", "−") if amount else "0"


def score_text(game: str, score: int, words: Words) -> str:
    """A score with its unit."""
    return words.chips(score) if game in CHIPS else words.points(score)


def winner_text(result: Result, words: Words) -> str:
    """Who won with how much."""
    winners = result.outcome.winners
    score = dict(result.outcome.scores)[winners[0]]
    text = words.say("Won: {names}", names=words.names(winners))
    return f"{text}, {score_text(result.game, score, words)}"


def texts(result: Result, words: Words, place: str = "") -> tuple[str, ...]:
    """The result as plain text, the fullest first; the last one has only the places."""
    where = f", {place}" if place else ""
    title = f"{words.game(result.game)}, {date_text(result.ended_at)}{where}"
    found = [ranking for ranking in (_full(result, words), _middle(result, words)) if ranking]
    found.append([_place(result, one, words) for one in result.places()])
    return tuple("\n".join([title, *lines]) for lines in found)


def _place(result: Result, one: tuple[int, str, int], words: Words) -> str:
    place, name, score = one
    text = f"{place}. {name}: {score_text(result.game, score, words)}"
    if isinstance(result.body, Account):
        text += f" ({signed(score - result.body.start[name])})"
    return text


def _full(result: Result, words: Words) -> list[str]:
    """Every field, every deal or every turn."""
    places = result.places()
    lines = [_place(result, one, words) for one in places]
    match result.body:
        case Sheets(variant=variant, games=games):
            lines = []
            for one in places:
                lines.append(_place(result, one, words))
                for game in games:
                    lines += _rows(game[one[1]], variant, words)
        case Account(deals=deals):
            for number, deal in enumerate(deals, 1):
                throws = " ".join(dice_text(dice) for dice in deal.throws)
                moved = ", ".join(
                    f"{name} {signed(amount)}" for name, amount in deal.changes.items() if amount
                )
                lines.append(f"{number}. {throws}: {moved or '0'}")
        case Turns(turns=turns):
            for name, played in turns.items():
                totals = " ".join(signed(turn.change) for turn in played)
                lines.append(f"{name}: {totals}")
    return lines


def _rows(sheet: Sheet, variant: str, words: Words) -> list[str]:
    """`Fours 16 12 12 12 = 52 (2)`; the last line has the dice sum and what it adds."""
    count = balut_sheet.count(sheet, variant)
    earned = dict(count.rows)
    lines = []
    for row in ROWS:
        fields = " ".join(map(str, sheet[row]))
        total = f" = {sum(sheet[row])}" if len(sheet[row]) > 1 else ""
        points = f" ({earned[row]})" if earned.get(row) else ""
        lines.append(f"{words.row(row)} {fields}{total}{points}")
    added = f" ({signed(count.addition)})" if count.rows else ""
    return [*lines, f"{words.say('Dice sum')} {count.dice_sum}{added}"]


def _middle(result: Result, words: Words) -> list[str]:
    """Balut: the sums of the rows and what they earn; other games have nothing in between."""
    if not isinstance(result.body, Sheets):
        return []
    lines = [", ".join(words.row(row) for row in ROWS)]
    for one in result.places():
        lines.append(_place(result, one, words))
        for game in result.body.games:
            sheet = game[one[1]]
            count = balut_sheet.count(sheet, result.body.variant)
            earned = dict(count.rows)
            sums = (
                f"{sum(sheet[row])}" + (f"({earned[row]})" if earned.get(row) else "")
                for row in ROWS
            )
            lines.append(f"{' '.join(sums)} = {count.dice_sum}")
    return lines
