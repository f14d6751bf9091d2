"""Balut, rule by rule (RULES.md, section 5)."""

from typing import Any

import pytest

from firmware.rules import (
    Balut,
    BalutRules,
    BalutState,
    Begin,
    ChoiceWanted,
    DiceWanted,
    Enter,
    Refused,
    Throw,
    VoidThrow,
    balut_sheet,
)
from firmware.rules.balut_sheet import ROWS
from tests.firmware.rules.helpers import play, refused

THREE = ("Eva", "Nils", "Ida")


def table(seats: tuple[str, ...] = THREE, sheets: Any = None, **rules: Any) -> Balut:
    return Balut(seats, BalutRules(**rules), seats, sheets)


def turn(game: Balut, dice: tuple[int, ...], row: str) -> BalutState:
    """A turn of one throw."""
    by = game.state.turn
    assert by is not None
    return play(game, Throw(by, dice), Enter(by, row))


def fill(game: Balut, *dice: tuple[int, ...]) -> BalutState:
    """Play a game to its end: each player throws always the same, rows from the top."""
    hands = dict(zip(game.seats, dice, strict=True))
    number = game.state.game
    while game.prompt is not None and game.state.game == number:
        by = game.prompt.by
        if game.state.phase == "first":
            return game.state
        row = next(
            row
            for row in ROWS
            if len(game.state.sheets[by][row]) < balut_sheet.FIELDS[game.state.rules.variant]
        )
        turn(game, hands[by], row)
    return game.state


@pytest.mark.rule("R-BL-1", "R-BL-5", "R-GEN-5", "BL-5", "BL-16", "A-BL-1")
def test_beginning_with_all_five_dice() -> None:
    game = Balut(THREE)
    assert game.prompt is not None
    assert game.prompt.wants == (DiceWanted("Eva", 5),)
    assert refused(game, Throw("Eva", (1,))) == "wrong_dice"
    play(game, Throw("Eva", (6, 6, 1, 1, 1)), Throw("Nils", (3, 3, 3, 3, 3)))
    state = play(game, Throw("Ida", (5, 5, 1, 2, 2)))
    assert state.phase == "first"  # Eva, Nils and Ida: 15 each
    for who, face in zip(THREE, (1, 2, 6), strict=True):
        state = play(game, Throw(who, (face,) * 5))
    assert (state.turn, state.order, state.round) == ("Ida", ("Ida", "Eva", "Nils"), 1)
    game = Balut(THREE, BalutRules(start="host"))
    assert play(game, Begin("Nils")).order == ("Nils", "Ida", "Eva")


@pytest.mark.rule("R-BL-1", "BL-1", "BL-2", "BL-3", "BL-6")
def test_one_player_alone_just_begins() -> None:
    game = Balut(["Eva"])
    assert (game.state.phase, game.state.turn) == ("throw", "Eva")
    state = fill(game, (6, 6, 6, 6, 6))
    assert (state.phase, state.round, state.turn) == ("over", 28, None)
    assert len(game.acts) == 2 * 28
    assert set(map(len, state.sheets["Eva"].values())) == {4}
    assert len(ROWS) == 7


@pytest.mark.rule("R-BL-1")
def test_bad_starts() -> None:
    for seats in ((), [f"P{n}" for n in range(7)]):
        with pytest.raises(Refused) as caught:
            Balut(seats)
        assert caught.value.code == "players"
    bad: list[dict[str, Any]] = [
        {"order": ["Eva", "Ida", "Nils"]},
        {"order": ["Eva"]},
        {"sheets": {"Nobody": {}}},
        {"sheets": {"Eva": {"ones": [1]}}},
        {"sheets": {"Eva": {"fours": [4, 4, 4, 4, 4]}}},
        {"sheets": {"Eva": {"fours": [24]}}},
        {"sheets": {"Eva": {"fours": [-4]}}},
    ]
    for start in bad:
        with pytest.raises(Refused) as caught:
            Balut(THREE, **start)
        assert caught.value.code == "bad_start"


@pytest.mark.rule("R-BL-2", "R-GEN-2", "BL-8", "BL-9", "BL-10", "BL-11", "BL-27")
def test_keep_and_take_up_again() -> None:
    game = table()
    assert refused(game, Enter("Eva", "choice")) == "not_thrown"
    assert refused(game, Throw("Eva", (1, 2, 3, 4, 5), keep=(1,))) == "keep_not_on_table"
    play(game, Throw("Eva", (6, 6, 3, 2, 1)))
    assert refused(game, Throw("Eva", (1, 2), keep=(6, 6, 6))) == "keep_not_on_table"
    assert refused(game, Throw("Eva", (1, 2), keep=(6, 6))) == "wrong_dice"
    assert refused(game, Throw("Eva", (), keep=(6, 6, 3, 2, 1))) == "wrong_dice"
    assert refused(game, Throw("Nils", (1,), keep=(6, 6, 3, 2))) == "out_of_turn"
    state = play(game, Throw("Eva", (3, 3), keep=(6, 6, 3)))
    assert (state.table, state.kept) == ((6, 6, 3, 3, 3), (6, 6, 3))
    # the sixes, kept before, are taken up again
    state = play(game, VoidThrow("Eva"), Throw("Eva", (3, 1), keep=(3, 3, 3)))
    assert (state.table, state.phase, state.throws) == ((3, 3, 3, 3, 1), "enter", 3)
    assert refused(game, Throw("Eva", (3,), keep=(3, 3, 3, 3))) == "no_throws_left"
    assert refused(game, VoidThrow("Eva")) == "no_throws_left"
    assert game.prompt is not None
    assert game.prompt.wants == (ChoiceWanted("enter", "Eva", tuple(ROWS)),)


@pytest.mark.rule("R-BL-2", "BL-9")
def test_every_choice_to_keep_is_offered() -> None:
    game = table()
    play(game, Throw("Eva", (6, 6, 3, 2, 1)))
    assert game.prompt is not None
    want = game.prompt.want("throw")
    assert isinstance(want, DiceWanted)
    faces = [keep.faces for keep in want.keeps]
    assert len(faces) == len(set(faces)) == 3 * 2 * 2 * 2 - 1  # all but keeping all five
    assert () in faces
    assert all(len(keep.faces) + keep.dice == 5 for keep in want.keeps)


@pytest.mark.rule("R-BL-3", "BL-12", "BL-13", "BL-14", "BL-20", "BL-28", "BL-31", "A-BL-4")
def test_entry() -> None:
    game = table()
    assert refused(game, Enter("Nils", "choice")) == "out_of_turn"
    play(game, Throw("Eva", (6, 6, 6, 6, 2)))
    assert refused(game, Enter("Eva", "ones")) == "bad_category"
    assert refused(game, Enter("Nils", "choice")) == "out_of_turn"
    state = play(game, Enter("Eva", "house"))
    assert (state.last_entry, state.sheets["Eva"]["house"]) == (0, (0,))
    assert state.events[0].kind == "struck"
    with pytest.raises(Refused) as caught:
        game.correct(Throw("Eva", (6, 6, 6, 2, 2)))  # an entered field is final
    assert caught.value.code == "too_late"
    one = table(("Eva",))
    for n in range(4):  # the row of choice may be filled first
        assert turn(one, (1, 1, 1, 1, n + 1), "choice").sheets["Eva"]["choice"][n] == 5 + n
    play(one, Throw("Eva", (6, 6, 6, 6, 6)))
    assert refused(one, Enter("Eva", "choice")) == "row_full"
    assert one.prompt is not None
    enter = one.prompt.want("enter")
    assert isinstance(enter, ChoiceWanted)
    assert "choice" not in enter.options


@pytest.mark.rule("R-BL-3", "BL-21", "BL-22", "BL-23", "BL-25", "A-BL-3")
@pytest.mark.parametrize(
    ("dice", "values"),
    [
        ((6, 6, 6, 4, 4), (8, 0, 18, 0, 26, 26, 0)),
        ((1, 2, 3, 4, 5), (4, 5, 0, 15, 0, 15, 0)),
        ((6, 5, 4, 3, 2), (4, 5, 6, 20, 0, 20, 0)),
        ((4, 4, 4, 4, 4), (20, 0, 0, 0, 0, 20, 40)),
        ((1, 1, 1, 1, 1), (0, 0, 0, 0, 0, 5, 25)),
        ((1, 1, 2, 2, 3), (0, 0, 0, 0, 0, 9, 0)),
        ((1, 3, 4, 5, 6), (4, 5, 6, 0, 0, 19, 0)),
    ],
)
def test_fields(dice: tuple[int, ...], values: tuple[int, ...]) -> None:
    assert tuple(balut_sheet.field_value(row, dice) for row in ROWS) == values


@pytest.mark.rule("R-BL-3", "BL-26", "BL-29", "BL-30", "BL-33", "BL-34", "BL-48", "A-BL-12")
@pytest.mark.parametrize(
    ("row", "fields", "points"),
    [
        ("fours", (12, 12, 12, 12), 0),
        ("fours", (16, 12, 12, 12), 2),
        ("fives", (15, 15, 15, 15), 0),
        ("fives", (20, 15, 15, 15), 2),
        ("sixes", (18, 18, 18, 18), 0),
        ("sixes", (24, 18, 18, 18), 2),
        ("sixes", (24, 18, 24, 18), 2),
        ("sixes", (24, 18, 24, 0), 0),
        ("choice", (30, 30, 30, 9), 0),
        ("choice", (30, 30, 30, 10), 2),
        ("straight", (15, 15, 15, 15), 4),
        ("straight", (20, 20, 20, 0), 0),
        ("straight", (15, 15, 15), 0),
        ("house", (7, 7, 7, 7), 3),
        ("house", (28, 28, 28, 0), 0),
        ("balut", (25, 0, 50, 0), 4),
        ("balut", (25, 25, 25, 25), 8),
    ],
)
def test_row_points(row: str, fields: tuple[int, ...], points: int) -> None:
    assert balut_sheet.row_points(row, fields) == points


BANDS = [
    (20, 299, -2),
    (300, 349, -1),
    (350, 399, 0),
    (400, 449, 1),
    (450, 499, 2),
    (500, 549, 3),
    (550, 599, 4),
    (600, 649, 5),
    (650, 812, 6),
]


@pytest.mark.rule("R-BL-4", "BL-32", "BL-35", "BL-36", "BL-38", "A-BL-6", "A-BL-12")
def test_addition_over_all_dice_sums() -> None:
    known = {total: add for low, high, add in BANDS for total in range(low, high + 1)}
    assert sorted(known) == list(range(20, 813))
    assert {total: balut_sheet.addition(total) for total in known} == known


@pytest.mark.rule("R-BL-4", "BL-37", "BL-39", "BL-40", "BL-41", "BL-45", "A-BL-7")
def test_whole_sheets() -> None:
    sheet = {
        "fours": (16, 12, 12, 12),
        "fives": (20, 15, 15, 15),
        "sixes": (24, 18, 18, 18),
        "straight": (20, 15, 20, 0),
        "house": (28, 26, 22, 0),
        "choice": (27, 26, 26, 25),
        "balut": (50, 0, 0, 0),
    }
    count = balut_sheet.count(sheet)
    assert (count.dice_sum, count.addition, count.points) == (480, 2, 12)
    count = balut_sheet.count({**sheet, "straight": (20, 15, 20, 20)})
    assert (count.dice_sum, count.addition, count.points) == (500, 3, 17)
    best = {row: (balut_sheet.highest(row),) * 4 for row in ROWS}
    count = balut_sheet.count(best)
    assert (count.dice_sum, count.points) == (812, 29)


@pytest.mark.rule("R-BL-5", "BL-17", "BL-18", "A-BL-2")
def test_the_highest_entry_begins_the_next_round() -> None:
    game = table()
    turn(game, (4, 4, 4, 6, 6), "fours")  # the entry counts: 12, not 24
    turn(game, (1, 2, 3, 3, 5), "choice")
    state = turn(game, (1, 1, 2, 3, 3), "choice")
    assert (state.order, state.turn, state.round) == (("Nils", "Ida", "Eva"), "Nils", 2)
    # equal entries: the one who threw first in that round
    turn(game, (1, 1, 1, 1, 2), "choice")
    turn(game, (3, 3, 3, 3, 3), "choice")
    state = turn(game, (4, 4, 4, 2, 1), "choice")
    assert state.order == ("Ida", "Eva", "Nils")
    turn(game, (1, 1, 1, 1, 1), "fours")
    turn(game, (1, 1, 1, 1, 1), "fours")
    state = turn(game, (1, 1, 1, 1, 1), "fours")
    assert state.order == ("Ida", "Eva", "Nils")  # all struck: who threw first


@pytest.mark.rule("R-BL-6", "R-BL-8", "BL-7", "BL-19", "BL-42")
def test_the_end() -> None:
    game = table(("Eva", "Nils"))
    state = fill(game, (6, 6, 6, 6, 6), (1, 1, 1, 1, 1))
    outcome = game.outcome()
    assert outcome is not None
    # Eva: sixes 2, choice 2, balut 8, and 120 + 120 + 200 = 440 adds 1; Nils: balut 8, 120 less 2
    assert outcome.scores == (("Eva", 13), ("Nils", 6))
    assert (outcome.winners, outcome.reason) == (("Eva",), "filled")
    counted = [one for one in state.events if one.kind == "counted"]
    assert dict(counted[0].shares)["addition"] == 1
    assert refused(game, Throw("Eva", (1, 1, 1, 1, 1))) == "game_over"
    game.pop()
    assert game.outcome() is None


@pytest.mark.rule("R-BL-8", "BL-43", "A-BL-5")
def test_ties() -> None:
    results = {"Eva": (12, 480), "Nils": (12, 430), "Ida": (12, 480)}
    assert balut_sheet.rank(results, "dice_sum") == (("Eva", "Ida"), ("Nils",))
    assert balut_sheet.rank(results, "none") == (("Eva", "Nils", "Ida"),)


@pytest.mark.rule("R-BL-9", "R-GEN-5", "BL-44", "A-BL-13")
def test_match() -> None:
    game = table(("Eva", "Nils"), games=2)
    state = fill(game, (6, 6, 6, 6, 6), (1, 1, 1, 1, 1))
    assert (state.phase, state.game, state.round) == ("first", 2, 1)
    assert state.finished == ((("Eva", 13, 440), ("Nils", 6, 120)),)
    assert state.last_sheets["Eva"]["balut"] == (50,) * 4
    assert not any(state.sheets["Eva"].values())
    assert game.outcome() is None
    play(game, Throw("Eva", (1,) * 5), Throw("Nils", (6,) * 5))
    assert game.state.turn == "Nils"
    fill(game, (1, 1, 1, 1, 1), (6, 6, 6, 6, 6))
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.scores == (("Eva", 19), ("Nils", 19))
    assert outcome.ranking == (("Eva", "Nils"),)  # dice sums are equal, too
    assert game.replay().state == game.state


@pytest.mark.rule("R-BL-9")
def test_match_of_one_player() -> None:
    state = fill(table(("Eva",), games=2), (6, 6, 6, 6, 6))
    assert (state.phase, state.game, state.turn) == ("throw", 2, "Eva")


@pytest.mark.rule("R-BL-7", "BL-24", "A-BL-11")
def test_five_alike_is_announced_by_the_table() -> None:
    game = table()
    state = turn(game, (4, 4, 4, 4, 4), "fours")
    assert [one.kind for one in state.events][:2] == ["five_alike", "entered"]
    assert state.last_entry == 20
    assert "five_alike" not in [one.kind for one in turn(game, (4, 4, 4, 4, 1), "fours").events]


@pytest.mark.rule("R-BL-10", "BL-49", "A-BL-8")
def test_singapore() -> None:
    game = table(("Eva", "Nils"), variant="singapore")
    state = fill(game, (6, 6, 6, 6, 6), (1, 1, 1, 1, 1))
    assert (state.phase, state.round) == ("over", 7)
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.scores == (("Eva", 30 + 30 + 30), ("Nils", 5 + 30))
    best = [balut_sheet.highest(row, "singapore") for row in ROWS]
    assert sum(best) == 183


@pytest.mark.rule("R-BL-11", "A-BL-9")
def test_jackpot_is_not_offered() -> None:
    with pytest.raises(ValueError, match="variant"):
        table(variant="jackpot")


@pytest.mark.rule("R-BL-5", "R-BL-6")
def test_sheets_begun_before() -> None:
    sheets = {"Eva": {"sixes": [18, 18, 24, 6]}, "Nils": {"choice": [20, 20, 20, 20]}}
    assert table(("Eva", "Nils"), sheets).state.round == 5
    # begun unequally: who is full is passed over
    full = {row: [0] * 4 for row in ROWS} | {"choice": [5] * 4}
    game = table(("Eva", "Nils"), {"Eva": full, "Nils": {**full, "house": [0, 0]}})
    assert (game.state.turn, game.state.round) == ("Nils", 27)
    turn(game, (1, 1, 1, 2, 2), "house")
    state = turn(game, (1, 1, 1, 2, 2), "house")
    assert state.phase == "over"


@pytest.mark.rule("R-GEN-1", "R-GEN-3")
def test_dice_that_are_not_due() -> None:
    game = table()
    assert refused(game, Throw("Eva", (1, 2, 3, 4))) == "wrong_dice"
    assert refused(game, Throw("Eva", (1, 2, 3, 4, 7))) == "bad_dice"
    assert refused(game, Throw("Nobody", (1, 2, 3, 4, 5))) == "out_of_turn"
