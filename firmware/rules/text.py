"""The rules as text, every number taken from the tables that the judge itself uses.

A text is a tuple of sections of paragraphs and tables, so that a screen can lay it out; `plain`
makes lines for a terminal of it. It describes the game under the house rules that are given.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from firmware.rules import (
    balut,
    balut_sheet,
    balut_turn,
    barbudi,
    barbut,
    barbut_bg,
    bg_turn,
    bg_values,
    pairs,
)
from firmware.rules.options import End, FixedFee, PercentFee


@dataclass(frozen=True, slots=True)
class Table:
    """A table: a head and rows of as many cells."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the rules under a heading."""

    title: str
    body: tuple[str | Table, ...]
    rule: str
    """Number of the rule in RULES.md, for example `R-BD-6`; a range `R-BD-2 to R-BD-4`."""


def rules_text(game: str, rules: Any = None) -> tuple[Section, ...]:
    """The rules of a game under house rules (None: the defaults)."""
    match game:
        case "barbudi":
            return _barbudi(rules or barbudi.BarbudiRules())
        case "barbut":
            return _barbut(rules or barbut.BarbutRules())
        case "barbut_bg":
            return _barbut_bg(rules or barbut_bg.BarbutBgRules())
        case "balut":
            return _balut(rules or balut.BalutRules())
    raise KeyError(game)


def plain(sections: Iterable[Section], width: int = 78) -> str:
    """The text for a terminal."""
    lines: list[str] = []
    for section in sections:
        lines += [section.title, "-" * len(section.title)]
        for part in section.body:
            lines += wrap(part, width) if isinstance(part, str) else _table_lines(part)
            lines.append("")
    return "\n".join(lines).rstrip()


def _table_lines(table: Table) -> list[str]:
    rows = (table.head, *table.rows)
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.head))]
    lines = [
        "  " + "   ".join(cell.ljust(wide) for cell, wide in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return [lines[0], "  " + "   ".join("-" * wide for wide in widths), *lines[1:]]


# --- pieces --------------------------------------------------------------------------------------


def dice_text(faces: Iterable[int]) -> str:
    """`6-5`."""
    return "-".join(map(str, faces))


def _list(words: Iterable[str], last: str = "and") -> str:
    *head, tail = words
    return f"{', '.join(head)} {last} {tail}" if head else tail


def _count(number: int, one: str, more: str | None = None) -> str:
    return f"{number} {one if number == 1 else more or one + 's'}"


def _beginning(start: str, dice: int) -> str:
    if start == "host":
        return "The host names who begins."
    what = "one die" if dice == 1 else f"all {dice} dice, and the sum counts"
    return (
        f"Who begins: everyone throws {what}. The highest begins; those tied for highest throw "
        "again, only they."
    )


def _void() -> Section:
    return Section(
        "Throws that do not count",
        (
            "A throw is void if a die leans, lies on another die or leaves the table, if it can "
            "not be read, or if the number of dice is not the number due. The same player throws the "
            "same dice again; nothing is used up.",
        ),
        "R-GEN-1",
    )


def _end(end: End, what: str) -> str:
    ends = {
        "rounds": f"The session ends after {_count(end.limit, what)}.",
        "minutes": (
            f"The session ends after {_count(end.limit, 'minute')}; a {what} that runs is finished."
        ),
        "manual": f"The session ends when somebody stops it; a {what} that runs is finished.",
    }
    return (
        f"{ends[end.mode]} It is over at once when fewer than two have chips. Most chips wins; "
        "equal chips share."
    )


def _pairs_table() -> Table:
    meanings = {"win": "wins", "lose": "loses", "nothing": "nothing; the dice go to the other"}
    rows = [
        (
            ", ".join(dice_text(pair) for pair in row.pairs)
            if row.meaning != "nothing"
            else f"the other {len(row.pairs)} pairs",
            meanings[row.meaning],
        )
        for row in pairs.TABLE
    ]
    return Table(("throw", "the one who threw it"), tuple(rows))


def _mixed(meaning: str) -> str:
    found = [
        pair for row in pairs.TABLE if row.mixed and row.meaning == meaning for pair in row.pairs
    ]
    return _list((dice_text(pair) for pair in found), "or")


def _fee(fee: PercentFee | FixedFee | None) -> str:
    match fee:
        case PercentFee(rate_bp):
            return f"The house takes {rate_bp / 100:g} % of each winner's payout, rounded down."
        case FixedFee(amount):
            return (
                f"The house takes {_count(amount, 'chip')} of each decided round from the winning "
                "side, never more than it won, shared in proportion."
            )
    return "The house takes nothing."


# --- Barbudi -------------------------------------------------------------------------------------


def _barbudi(rules: barbudi.BarbudiRules) -> tuple[Section, ...]:
    low, high = barbudi.SEATS
    stake = (
        "at least 1 chip and at most what he has"
        if rules.fixed_stake is None
        else f"exactly {_count(rules.fixed_stake, 'chip')}"
    )
    pass_two = (
        "with two players they swap" if rules.two_player_pass == "swap" else "two players stay"
    )
    sections = [
        Section(
            "Players",
            (
                f"{low} to {high} players, {pairs.DICE} dice, {rules.starting_chips} chips each at "
                "the start. The order is counter-clockwise.",
                _beginning(rules.start, 1)
                + " The player to the right of the thrower is the fader.",
            ),
            "R-BD-1",
        ),
        Section(
            "The stake",
            (
                f"The fader stakes {stake}, or declines. The thrower covers all or a part, perhaps "
                "nothing; then the others in turn, beginning to the right of the fader, cover what "
                "is left. What nobody covers goes back to the fader. The pot is twice what was "
                "covered.",
                "If the fader declines or nobody covers, the round is void and the dice go to the "
                f"next two players ({pass_two}).",
            ),
            "R-BD-2 to R-BD-4",
        ),
        Section(
            "The throws",
            (
                "The thrower begins, then they throw alternately until a throw decides.",
                _pairs_table(),
                "The fader's side wins: he takes the pot. The thrower's side wins: everyone who "
                "covered takes twice his cover.",
            ),
            "R-BD-6, R-BD-7",
        ),
        Section(
            "The roles",
            (
                f"The roles stay if the thrower won, or if {_mixed('win')} or {_mixed('lose')} "
                "decided. Otherwise they move on by one: the fader becomes thrower, the player to "
                "his right becomes fader.",
                *(
                    ["A player without chips holds no role; it goes to the next with chips."]
                    if rules.skip_broke
                    else []
                ),
            ),
            "R-BD-8, R-BD-12",
        ),
    ]
    if rules.side_bets:
        sections.append(
            Section(
                "Side bets",
                (
                    "Two players who are neither thrower nor fader may bet equal amounts, one on "
                    "each, until the first throw of the round; settled like the main bet.",
                ),
                "R-BD-5",
            )
        )
    if rules.two_shot:
        after = (
            "After a round for which two shot was demanded the dice always go to the next two."
            if rules.two_shot_rotation == "always"
            else "After a second decision the dice go to the next two players."
        )
        sections.append(
            Section(
                "Two shot",
                (
                    "The fader may demand it with his stake. A double then still decides the whole "
                    f"pot, but {_mixed('win')} and {_mixed('lose')} only half of every cover, "
                    "rounded down. Thrower or fader may stop there. Else they throw for the other "
                    "half, the winner of the first one first: who wins both takes the pot, and if "
                    "each wins one everybody takes his own back.",
                    after,
                ),
                "R-BD-10",
            )
        )
    if rules.vari:
        sections.append(_vari("R-BT-6"))
    sections.append(Section("The house", (_fee(rules.house_fee),), "R-BD-11"))
    sections += [_void(), Section("The end", (_end(rules.end, "round"),), "R-BD-13")]
    return tuple(sections)


def _vari(rule: str) -> Section:
    return Section(
        "Vari",
        (
            "Before his own throw a player may call Vari: for that one throw what wins loses and "
            "what loses wins. A void throw does not use the call up.",
        ),
        rule,
    )


# --- Barbut --------------------------------------------------------------------------------------


def _barbut(rules: barbut.BarbutRules) -> tuple[Section, ...]:
    low, high = barbut.SEATS
    waiting = {
        "seat": "the next player round the table after the one who last came in",
        "queue": "the first in the queue; who lost goes to the back of it",
    }[rules.next_opponent]
    sections = [
        Section(
            "Players",
            (
                f"{low} to {high} players, {pairs.DICE} dice, {rules.starting_chips} chips each at "
                f"the start. The order is {rules.direction}. Two play at a time.",
                _beginning(rules.start, 1),
            ),
            "R-BT-1",
        ),
        Section(
            "The wager",
            (
                "Thrower and opponent agree a stake, at least 1 chip and at most the smaller "
                "stack, and each puts it up. If the one asked declines or can not pay, the next is asked.",
            ),
            "R-BT-2",
        ),
        Section(
            "The throws",
            (
                "The thrower begins, then they throw alternately until a throw decides.",
                _pairs_table(),
                "The winner takes both stakes and the dice, whoever threw, and meets the next: "
                f"{waiting}.",
            ),
            "R-BT-3 to R-BT-5",
        ),
    ]
    if rules.vari:
        sections.append(_vari("R-BT-6"))
    if rules.special_pay:
        parts = [
            f"{throw} pays {part.numerator}/{part.denominator}" for throw, part in rules.special_pay
        ]
        sections.append(
            Section(
                "Special pay",
                (f"{_list(parts)} of the stake, rounded down; the rest goes back.",),
                "R-BT-7",
            )
        )
    sections += [_void(), Section("The end", (_end(rules.end, "wager"),), "R-BT-8")]
    return tuple(sections)


# --- three dice ----------------------------------------------------------------------------------


def _barbut_bg(rules: barbut_bg.BarbutBgRules) -> tuple[Section, ...]:
    low, high = barbut_bg.SEATS
    one, five = max(bg_values.SINGLES), min(bg_values.SINGLES)
    faces = " and ".join(f"a {face}" for face in sorted(bg_values.SINGLES))
    opening = {
        "both": f"at least {faces.replace(' and ', ' and at least ')}",
        "either": faces.replace(" and ", " or "),
        "only": f"nothing but {min(one, five)}s and {max(one, five)}s, and both of them",
        "scoring": "any throw that scores",
    }[rules.opening]
    counts = "That throw counts." if rules.opening_scores else "That throw only admits him."
    combos = sorted(bg_values.COMBINATIONS.items(), key=lambda item: (-item[1], item[0]))
    by_value: dict[int, list[str]] = {}
    for dice, value in combos:
        by_value.setdefault(value, []).append(dice_text(reversed(dice)))
    rows = [(", ".join(dice), str(value)) for value, dice in by_value.items()]
    rows += [(f"each {face} otherwise", str(value)) for face, value in bg_values.SINGLES.items()]
    aside = {
        "all": "all dice that scored are set aside",
        "choose": "he sets aside at least one die that scored and has the points of these only",
    }[rules.set_aside]
    limit = (
        f" After {_count(rules.max_throws, 'throw')} he must record." if rules.max_throws else ""
    )
    wipe = dice_text(bg_values.WIPE)
    restore = {
        "immediate": f"He throws all three once more, at once: {wipe} again brings both back, "
        "anything else ends his turn and they stay lost.",
        "later": f"{wipe} in a later turn brings them back; that turn brings nothing else.",
        "none": "They stay lost, and his turn is over.",
    }[rules.restore]
    finish = (
        f"{rules.target} points exactly; going over loses the points of the turn"
        if rules.finish == "exact"
        else f"{rules.target} points or more"
    )
    recorded = "" if not rules.auto_bank else " The points are then recorded by themselves."
    return (
        Section(
            "Players",
            (
                f"{low} to {high} players, {bg_turn.DICE} dice. The order is {rules.direction}.",
                _beginning(rules.start, 1),
            ),
            "R-BG-1",
        ),
        Section(
            "Opening",
            (
                f"Everyone first has to open: with {opening}, one attempt a turn with "
                f"{bg_turn.DICE} dice. {counts}",
            ),
            "R-BG-3",
        ),
        Section(
            "What a throw is worth",
            (
                Table(("dice thrown together", "points"), tuple(rows)),
                "A combination takes all three dice and replaces the singles in it. Dice set aside "
                "never count again.",
            ),
            "R-BG-2",
        ),
        Section(
            "A turn",
            (
                f"After a throw that scores {aside}, and the player records his points or throws "
                f"the others again; all {bg_turn.DICE} when all are set aside. A throw without "
                f"value loses the points of the turn, never the total.{limit}",
            ),
            "R-BG-4 to R-BG-6",
        ),
        Section(wipe, (f"{wipe} loses the points of the turn and the total. {restore}",), "R-BG-7"),
        _void(),
        Section(
            "The end",
            (
                f"A player has finished with {finish}.{recorded} He is ranked and skipped; the "
                "others play on until one is left, who is last.",
            ),
            "R-BG-8",
        ),
    )


# --- Balut ---------------------------------------------------------------------------------------


def _balut(rules: balut.BalutRules) -> tuple[Section, ...]:
    low, high = balut.SEATS
    fields = balut_sheet.FIELDS[rules.variant]
    rounds = fields * len(balut_sheet.ROWS)
    dice, throws = balut_turn.DICE, balut_turn.THROWS
    standard = rules.variant == "standard"
    head = ("row", "value of a field", *(("points",) if standard else ()))
    rows = [
        (key, _value_text(row, rules.variant), *((_points_text(row, fields),) if standard else ()))
        for key, row in balut_sheet.ROWS.items()
    ]
    match_ = f" A match is {rules.games} games, the points added." if rules.games > 1 else ""
    tie = (
        "the higher dice sum wins, and if that is equal they share"
        if rules.tiebreak == "dice_sum"
        else "they share"
    )
    end: list[str | Table] = [
        f"The game is over when all fields are filled. Most points win; with equal points {tie}."
        + match_
    ]
    if standard:
        end.insert(0, "To the points of the rows the dice sum, that of all fields, adds:")
        end.insert(1, _addition_table(fields))
    else:
        end.insert(0, "The sum of all fields is the score.")
    return (
        Section(
            "Players",
            (
                f"{low} to {high} players, {dice} dice, a sheet each: {len(balut_sheet.ROWS)} rows "
                f"of {_count(fields, 'field')}, so {rounds} rounds. The order is clockwise.",
                _beginning(rules.start, dice)
                + " Later the player with the highest entry of the round before begins the next; "
                "of equal ones the one who threw first.",
            ),
            "R-BL-1, R-BL-5",
        ),
        Section(
            "A turn",
            (
                f"Throw all {dice} dice, then up to {throws - 1} times more: before each keep any "
                "of the dice as they lie and throw the others. A die kept before may be taken up "
                "again. You may stop after any throw.",
                "Then enter the dice in a free field of any row; it takes the value below and is "
                "final. A field that they do not fit is struck: 0.",
            ),
            "R-BL-2, R-BL-3",
        ),
        Section("The rows", (Table(head, tuple(rows)),), "R-BL-3" if standard else "R-BL-10"),
        _void(),
        Section("The count", tuple(end), "R-BL-4" if standard else "R-BL-10"),
    )


def _value_text(row: balut_sheet.Row, variant: str) -> str:
    if row.face is not None:
        return f"{row.face} for each {row.face}"
    if row.key == "choice":
        return "the sum of all dice"
    if row.key == "house":
        return "three alike and two alike of another face: the sum of all dice"
    if row.key == "straight":
        return _list(
            (f"{dice_text(reversed(dice))}: {sum(dice)}" for dice in balut_sheet.STRAIGHTS), "or"
        )
    if variant == "singapore":
        return f"all dice alike: {balut_sheet.SINGAPORE_BALUT}"
    return f"all dice alike: {balut_sheet.BALUT_BASE} and the sum of all dice"


def _points_text(row: balut_sheet.Row, fields: int) -> str:
    if row.at_least is not None:
        return f"{row.points} for a sum of {row.at_least} or more"
    if row.all_real:
        return f"{row.points} if none of the {fields} is struck"
    return f"{row.points} for each"


def _addition_table(fields: int) -> Table:
    lows = [low for low, _ in balut_sheet.ADDITION]
    tops = [low - 1 for low in lows[1:]]
    tops.append(fields * sum(balut_sheet.highest(row) for row in balut_sheet.ROWS))
    rows = [
        (f"{low}–{top}", f"{points:+d}" if points else "0")
        for (low, points), top in zip(balut_sheet.ADDITION, tops, strict=True)
    ]
    return Table(("dice sum", "addition"), tuple(rows))
