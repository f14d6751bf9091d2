"""The rules of the two games for points, the three-dice game and Balut, as text."""

from __future__ import annotations

from firmware.rules import balut, balut_sheet, balut_turn, barbut_bg, bg_turn, bg_values
from firmware.rules.textparts import (
    Section,
    Table,
    Tongue,
    beginning,
    dice_text,
    direction,
    listed_or,
    void_throws,
)

# --- three dice ----------------------------------------------------------------------------------


def barbut_bg_text(rules: barbut_bg.BarbutBgRules, words: Tongue) -> tuple[Section, ...]:
    """The rules of the three-dice game."""
    low, high = barbut_bg.SEATS
    players = words.say(
        "{low} to {high} players, {dice} dice.", low=low, high=high, dice=bg_turn.DICE
    )
    return (
        Section(
            words.say("Players"),
            (f"{players} {direction(words, rules.direction)}", beginning(words, rules.start, 1)),
            "R-BG-1",
        ),
        Section(words.say("Opening"), (_opening(rules, words),), "R-BG-3"),
        Section(
            words.say("What a throw is worth"),
            (
                _values_table(words),
                words.say(
                    "A combination takes all three dice and replaces the singles in it. Dice set "
                    "aside never count again."
                ),
            ),
            "R-BG-2",
        ),
        Section(words.say("A turn"), (_bg_turn(rules, words),), "R-BG-4 to R-BG-6"),
        Section(dice_text(bg_values.WIPE), (_wipe(rules, words),), "R-BG-7"),
        void_throws(words),
        Section(words.say("The end"), (_bg_end(rules, words),), "R-BG-8"),
    )


def _opening(rules: barbut_bg.BarbutBgRules, words: Tongue) -> str:
    a, b = sorted(bg_values.SINGLES)
    texts = [
        words.say(
            "Everyone first has to open, one attempt a turn with {dice} dice.", dice=bg_turn.DICE
        ),
        {
            "both": words.say(
                "A throw with at least one {a} and at least one {b} opens.", a=a, b=b
            ),
            "either": words.say("A throw with a {a} or a {b} opens.", a=a, b=b),
            "only": words.say(
                "A throw of nothing but {a}s and {b}s, with both of them, opens.", a=a, b=b
            ),
            "scoring": words.say("Any throw that scores opens."),
        }[rules.opening],
        words.say("The points of that throw count.")
        if rules.opening_scores
        else words.say("That throw only admits; its points do not count."),
    ]
    return " ".join(texts)


def _values_table(words: Tongue) -> Table:
    combos = sorted(bg_values.COMBINATIONS.items(), key=lambda item: (-item[1], item[0]))
    by_value: dict[int, list[str]] = {}
    for dice, value in combos:
        by_value.setdefault(value, []).append(dice_text(reversed(dice)))
    rows = [(", ".join(dice), str(value)) for value, dice in by_value.items()]
    rows += [
        (words.say("each {face} otherwise", face=face), str(value))
        for face, value in bg_values.SINGLES.items()
    ]
    return Table((words.say("Dice thrown together"), words.say("Points")), tuple(rows))


def _bg_turn(rules: barbut_bg.BarbutBgRules, words: Tongue) -> str:
    texts = [
        words.say("After a throw that scores the player records his points or throws again."),
        words.say(
            "Before he throws again all dice that scored are set aside; he throws the others, or "
            "all {dice} when all are set aside.",
            dice=bg_turn.DICE,
        )
        if rules.set_aside == "all"
        else words.say(
            "Before he throws again he sets aside at least one die that scored, and has the points "
            "of these only; he throws the others, or all {dice} when all are set aside.",
            dice=bg_turn.DICE,
        ),
        words.say("A throw without value loses the points of the turn, never the total."),
    ]
    if rules.max_throws:
        texts.append(
            words.say(
                "After throw {n} of a turn the points are recorded by themselves.",
                n=rules.max_throws,
            )
        )
    return " ".join(texts)


def _wipe(rules: barbut_bg.BarbutBgRules, words: Tongue) -> str:
    wipe = dice_text(bg_values.WIPE)
    lost = words.say("{wipe} loses the points of the turn and the total.", wipe=wipe)
    restore = {
        "immediate": words.say(
            "He throws all three once more, at once: {wipe} again brings both back, anything else "
            "ends his turn and they stay lost.",
            wipe=wipe,
        ),
        "later": words.say(
            "{wipe} in a later turn brings them back; that turn brings nothing else.", wipe=wipe
        ),
        "none": words.say("They stay lost, and his turn is over."),
    }[rules.restore]
    return f"{lost} {restore}"


def _bg_end(rules: barbut_bg.BarbutBgRules, words: Tongue) -> str:
    if rules.finish == "exact":
        finish = words.plural(
            "A player has finished with {n} point exactly; going over loses the points of the "
            "turn.",
            "A player has finished with {n} points exactly; going over loses the points of the "
            "turn.",
            rules.target,
        )
    else:
        finish = words.plural(
            "A player has finished with {n} point or more.",
            "A player has finished with {n} points or more.",
            rules.target,
        )
    texts = [finish]
    if rules.auto_bank:
        texts.append(words.say("The points are then recorded by themselves."))
    texts.append(
        words.say("He is ranked and skipped; the others play on until one is left, who is last.")
    )
    return " ".join(texts)


# --- Balut ---------------------------------------------------------------------------------------


def balut_text(rules: balut.BalutRules, words: Tongue) -> tuple[Section, ...]:
    """The rules of Balut."""
    fields = balut_sheet.FIELDS[rules.variant]
    standard = rules.variant == "standard"
    head = [words.say("Row"), words.say("Value of a field")]
    if standard:
        head.append(words.say("Points"))
    rows = []
    for key, row in balut_sheet.ROWS.items():
        cells = [words.say(key.capitalize()), _value_text(row, rules.variant, words)]
        if standard:
            cells.append(_points_text(row, words))
        rows.append(tuple(cells))
    return (
        _balut_players(rules, fields, words),
        Section(
            words.say("A turn"),
            (
                words.plural(
                    "Throw all {dice} dice, then up to {n} time more: before each keep any of the "
                    "dice as they lie and throw the others. A die kept before may be taken up "
                    "again. You may stop after any throw.",
                    "Throw all {dice} dice, then up to {n} times more: before each keep any of the "
                    "dice as they lie and throw the others. A die kept before may be taken up "
                    "again. You may stop after any throw.",
                    balut_turn.THROWS - 1,
                    dice=balut_turn.DICE,
                ),
                words.say(
                    "Then enter the dice in a free field of any row; it takes the value of that "
                    "row and is final. A field that they do not fit is struck: 0."
                ),
            ),
            "R-BL-2, R-BL-3",
        ),
        Section(
            words.say("The rows"),
            (Table(tuple(head), tuple(rows)),),
            "R-BL-3" if standard else "R-BL-10",
        ),
        void_throws(words),
        _count(rules, fields, words),
    )


def _balut_players(rules: balut.BalutRules, fields: int, words: Tongue) -> Section:
    low, high = balut.SEATS
    players = words.plural(
        "{low} to {high} players, {dice} dice, a sheet each: {rows} rows of {n} field, so {rounds} "
        "rounds.",
        "{low} to {high} players, {dice} dice, a sheet each: {rows} rows of {n} fields, so "
        "{rounds} rounds.",
        fields,
        low=low,
        high=high,
        dice=balut_turn.DICE,
        rows=len(balut_sheet.ROWS),
        rounds=fields * len(balut_sheet.ROWS),
    )
    later = words.say(
        "Later the player with the highest entry of the round before begins the next; of equal "
        "ones the one who threw first."
    )
    return Section(
        words.say("Players"),
        (
            f"{players} {direction(words, 'clockwise')}",
            f"{beginning(words, rules.start, balut_turn.DICE)} {later}",
        ),
        "R-BL-1, R-BL-5",
    )


def _count(rules: balut.BalutRules, fields: int, words: Tongue) -> Section:
    texts = [words.say("The game is over when all fields are filled.")]
    if rules.tiebreak == "dice_sum":
        texts.append(
            words.say(
                "Most points win; with equal points the higher dice sum wins, and if that is equal "
                "they share."
            )
        )
    else:
        texts.append(words.say("Most points win; with equal points they share."))
    if rules.games > 1:
        texts.append(
            words.plural(
                "A match is {n} game, the points added.",
                "A match is {n} games, the points added.",
                rules.games,
            )
        )
    end: list[str | Table]
    if rules.variant == "standard":
        adds = words.say("To the points of the rows the dice sum, that of all fields, adds:")
        end = [adds, _addition_table(fields, words)]
    else:
        end = [words.say("The sum of all fields is the score.")]
    rule = "R-BL-4" if rules.variant == "standard" else "R-BL-10"
    return Section(words.say("The count"), (*end, " ".join(texts)), rule)


def _value_text(row: balut_sheet.Row, variant: str, words: Tongue) -> str:
    if row.face is not None:
        return words.say("{face} for each {face}", face=row.face)
    if row.key == "choice":
        return words.say("the sum of all dice")
    if row.key == "house":
        return words.say("three alike and two alike of another face: the sum of all dice")
    if row.key == "straight":
        straights = (f"{dice_text(reversed(dice))}: {sum(dice)}" for dice in balut_sheet.STRAIGHTS)
        return listed_or(words, straights)
    if variant == "singapore":
        return words.say("all dice alike: {points}", points=balut_sheet.SINGAPORE_BALUT)
    return words.say(
        "all dice alike: {points} and the sum of all dice", points=balut_sheet.BALUT_BASE
    )


def _points_text(row: balut_sheet.Row, words: Tongue) -> str:
    if row.at_least is not None:
        return words.say(
            "{points} for a sum of {least} or more", points=row.points, least=row.at_least
        )
    if row.all_real:
        return words.say("{points} if no field is struck", points=row.points)
    return words.say("{points} for each", points=row.points)


def _addition_table(fields: int, words: Tongue) -> Table:
    lows = [low for low, _ in balut_sheet.ADDITION]
    tops = [low - 1 for low in lows[1:]]
    tops.append(fields * sum(balut_sheet.highest(row) for row in balut_sheet.ROWS))
    rows = [
        (f"{low}–{top}", f"{points:+d}".replace("-", "−") if points else "0")
        for (low, points), top in zip(balut_sheet.ADDITION, tops, strict=True)
    ]
    return Table((words.say("Dice sum"), words.say("Addition")), tuple(rows))
