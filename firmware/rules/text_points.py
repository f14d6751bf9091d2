"""The rules of the two games for points, the three-dice game and Balut, as text."""

from __future__ import annotations

from firmware.rules import balut, balut_sheet, balut_turn, barbut_bg, bg_turn, bg_values
from firmware.rules.textparts import (
    Section,
    Table,
    beginning,
    counted,
    dice_text,
    listed,
    void_throws,
)

# --- three dice ----------------------------------------------------------------------------------


def barbut_bg_text(rules: barbut_bg.BarbutBgRules) -> tuple[Section, ...]:
    """The rules of the three-dice game."""
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
        "choose": "he sets aside at least one die that scored, and has the points of these only",
    }[rules.set_aside]
    limit = (
        f" After throw {rules.max_throws} of a turn the points are recorded by themselves."
        if rules.max_throws
        else ""
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
                beginning(rules.start, 1),
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
                "After a throw that scores the player records his points or throws again. Before "
                f"he throws again {aside}; he throws the others, or all {bg_turn.DICE} when all "
                "are set aside. A throw without value loses the points of the turn, never the "
                f"total.{limit}",
            ),
            "R-BG-4 to R-BG-6",
        ),
        Section(wipe, (f"{wipe} loses the points of the turn and the total. {restore}",), "R-BG-7"),
        void_throws(),
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


def balut_text(rules: balut.BalutRules) -> tuple[Section, ...]:
    """The rules of Balut."""
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
                f"of {counted(fields, 'field')}, so {rounds} rounds. The order is clockwise.",
                beginning(rules.start, dice)
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
        void_throws(),
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
        return listed(
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
