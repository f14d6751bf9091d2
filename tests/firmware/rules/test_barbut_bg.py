"""The three-dice game, rule by rule (RULES.md, section 4)."""

from typing import Any

import pytest

from firmware.rules import (
    Bank,
    BarbutBg,
    BarbutBgRules,
    BarbutBgState,
    Begin,
    ChoiceWanted,
    DiceWanted,
    Keep,
    Refused,
    Throw,
    VoidThrow,
)
from tests.firmware.rules.helpers import play, refused

THREE = ("Ana", "Boris", "Vera")
ALL = dict.fromkeys(THREE, True)
SIXES = (6, 6, 6)
NOTHING = (2, 3, 6)


def table(
    seats: tuple[str, ...] = THREE,
    totals: dict[str, int] | None = None,
    opened: bool = True,
    **rules: Any,
) -> BarbutBg:
    return BarbutBg(seats, BarbutBgRules(**rules), seats[0], totals, dict.fromkeys(seats, opened))


def throw(game: BarbutBg, *dice: int, keep: tuple[int, ...] | None = None) -> BarbutBgState:
    """A throw of him whose turn it is."""
    assert game.state.turn is not None
    return game.push(Throw(game.state.turn, dice, keep))


@pytest.mark.rule("R-BG-1", "R-GEN-5", "A-BG-12", "BG-1")
def test_beginning() -> None:
    game = BarbutBg(THREE)
    state = play(game, *(Throw(who, (n,)) for who, n in zip(THREE, (2, 1, 4), strict=True)))
    assert (state.turn, state.phase, state.dice_next) == ("Vera", "throw", 3)
    assert set(state.totals.values()) == {0}
    assert not any(state.opened.values())
    game = BarbutBg(THREE, BarbutBgRules(start="host"))
    assert play(game, Begin("Boris")).turn == "Boris"
    for seats in (["A"], [f"P{n}" for n in range(10)]):
        with pytest.raises(Refused) as caught:
            BarbutBg(seats)
        assert caught.value.code == "players"
    for bad in ({"totals": {"Ana": -1}}, {"totals": {"Nobody": 1}}, {"totals": {"Ana": 5550}}):
        with pytest.raises(Refused) as caught:
            BarbutBg(THREE, **bad)  # type: ignore[arg-type]
        assert caught.value.code == "bad_start"


@pytest.mark.rule("R-BG-1", "A-BG-12")
def test_direction() -> None:
    assert throw(table(), *NOTHING).turn == "Boris"
    assert throw(table(direction="counter-clockwise"), *NOTHING).turn == "Vera"


@pytest.mark.rule("R-BG-3", "BG-2", "A-BG-1", "A-BG-2")
def test_opening_is_the_first_throw_and_scores() -> None:
    game = table(opened=False)
    state = throw(game, 5, 5, 2)
    assert (state.event, state.turn, state.opened["Ana"]) == ("not_opened", "Boris", False)
    state = throw(game, 1, 5, 4)
    assert (state.event, state.turn_points, state.dice_next) == ("opened", 150, 1)
    state = play(game, Bank("Boris"))
    assert (state.totals["Boris"], state.opened["Boris"]) == (150, True)


@pytest.mark.rule("R-BG-3", "A-BG-2")
def test_opening_that_does_not_score() -> None:
    game = table(opened=False, opening_scores=False)
    state = throw(game, 1, 5, 4)
    assert (state.event, state.turn, state.dice_next, state.phase) == ("opened", "Ana", 3, "throw")
    assert refused(game, Bank("Ana")) == "nothing_to_bank"
    assert throw(game, 1, 2, 4).turn_points == 100


@pytest.mark.rule("R-BG-3", "A-BG-1")
@pytest.mark.parametrize(
    ("opening", "opens", "not_"),
    [
        ("both", (1, 5, 6), (1, 1, 2)),
        ("either", (5, 2, 2), (2, 2, 2)),
        ("only", (1, 1, 5), (1, 5, 6)),
        ("only", (1, 5, 5), (5, 5, 5)),
        ("scoring", (2, 2, 2), (2, 2, 3)),
        ("scoring", (2, 4, 6), (6, 6, 6)),
    ],
)
def test_readings_of_opening(opening: str, opens: tuple[int, ...], not_: tuple[int, ...]) -> None:
    assert throw(table(opened=False, opening=opening), *opens).opened["Ana"]
    assert throw(table(opened=False, opening=opening), *not_).event == "not_opened"


@pytest.mark.rule("R-BG-2", "BG-4", "BG-5", "BG-16", "BG-17", "A-BG-3", "A-BG-4")
@pytest.mark.rule("BG-7", "BG-8", "BG-9", "BG-10", "BG-11", "BG-12", "BG-13", "A-BG-5")
@pytest.mark.parametrize(
    ("dice", "points"),
    [
        ((1, 2, 3), 200),
        ((4, 3, 2), 200),
        ((3, 5, 4), 200),
        ((6, 5, 4), 200),
        ((1, 3, 5), 200),
        ((6, 4, 2), 200),
        ((1, 1, 1), 1000),
        ((2, 2, 2), 200),
        ((3, 3, 3), 300),
        ((4, 4, 4), 400),
        ((5, 5, 5), 500),
        ((1, 1, 5), 250),
        ((1, 5, 5), 200),
        ((1, 3, 6), 100),
        ((4, 4, 5), 50),
        ((1, 1, 4), 200),
    ],
)
def test_value(dice: tuple[int, ...], points: int) -> None:
    assert throw(table(), *dice).turn_points == points


@pytest.mark.rule("R-BG-4", "R-BG-6", "BG-18", "BG-19", "BG-20", "BG-22", "BG-23", "BG-24", "BG-25")
@pytest.mark.rule("BG-26", "BG-27", "BG-28", "BG-29", "A-BG-6", "A-BG-9", "A-BG-10")
def test_a_turn() -> None:
    game = table()
    assert refused(game, Bank("Ana")) == "nothing_to_bank"
    state = throw(game, 1, 3, 6)
    assert (state.phase, state.aside, state.dice_next) == ("choice", (1,), 2)
    assert game.prompt is not None
    assert game.prompt.wants == (DiceWanted("Ana", 2, (), True), ChoiceWanted("bank", "Ana"))
    assert refused(game, Throw("Ana", (1, 2, 3))) == "wrong_dice"
    assert refused(game, Throw("Boris", (1, 2))) == "out_of_turn"
    assert refused(game, Bank("Boris")) == "out_of_turn"
    assert refused(game, Throw("Ana", (1, 2), keep=(3,))) == "keep_not_on_table"
    state = throw(game, 5, 1)
    assert (state.turn_points, state.aside, state.dice_next) == (250, (1, 5, 1), 3)
    state = throw(game, 5, 6, 6)
    assert (state.turn_points, state.aside, state.dice_next) == (300, (5,), 2)
    state = throw(game, 1, 6)
    assert (state.turn_points, state.dice_next) == (400, 1)
    state = play(game, VoidThrow("Ana", "cocked"))
    assert (state.turn_points, state.dice_next) == (400, 1)
    state = play(game, Bank("Ana"))
    assert (state.totals["Ana"], state.turn, state.turn_points, state.event) == (
        400,
        "Boris",
        0,
        "banked",
    )


@pytest.mark.rule("R-BG-5", "BG-21", "BG-31", "A-BG-11")
def test_bust_loses_the_turn_points_only() -> None:
    game = table(totals={"Ana": 700})
    throw(game, 1, 1, 6)
    state = throw(game, 6)
    assert (state.event, state.totals["Ana"], state.turn, state.dice_next) == (
        "bust",
        700,
        "Boris",
        3,
    )
    lost = state.events[0]
    assert (lost.kind, lost.amount, lost.rule) == ("bust", 200, "R-BG-5")


@pytest.mark.rule("R-BG-7", "BG-14", "BG-15", "A-BG-7")
def test_three_sixes_restored_at_once() -> None:
    game = table(totals={"Ana": 2000})
    throw(game, 1, 2, 3)
    state = throw(game, *SIXES)
    assert (state.event, state.recovery, state.totals["Ana"], state.turn_points) == (
        "wiped",
        True,
        0,
        0,
    )
    assert refused(game, Bank("Ana")) == "nothing_to_bank"
    assert play(game, VoidThrow("Ana")).recovery
    state = throw(game, *SIXES)
    assert (state.event, state.totals["Ana"], state.turn_points, state.dice_next) == (
        "restored",
        2000,
        200,
        3,
    )
    # another 6-6-6 is a new one
    state = throw(game, *SIXES)
    assert (state.event, state.totals["Ana"]) == ("wiped", 0)
    state = throw(game, 1, 1, 1)
    assert (state.event, state.totals["Ana"], state.turn) == ("not_restored", 0, "Boris")
    assert (state.opened["Ana"], state.lost) == (True, {})


@pytest.mark.rule("R-BG-7", "R-BG-6", "A-BG-7")
def test_restored_without_turn_points_may_still_be_recorded() -> None:
    game = table(totals={"Ana": 2000})
    throw(game, *SIXES)
    throw(game, *SIXES)
    state = play(game, Bank("Ana"))
    assert (state.totals["Ana"], state.turn) == (2000, "Boris")


@pytest.mark.rule("R-BG-7")
def test_two_sixes_with_one_aside_are_no_three() -> None:
    game = table(totals={"Ana": 500})
    throw(game, 1, 6, 6)
    assert throw(game, 6, 6).event == "bust"
    assert game.state.totals["Ana"] == 500


@pytest.mark.rule("R-BG-7", "A-BG-7")
def test_restore_none() -> None:
    state = throw(table(totals={"Ana": 2000}, restore="none"), *SIXES)
    assert (state.event, state.totals["Ana"], state.turn, state.recovery) == (
        "wiped",
        0,
        "Boris",
        False,
    )


@pytest.mark.rule("R-BG-7", "A-BG-7")
def test_restore_later() -> None:
    game = table(("Ana", "Boris"), totals={"Ana": 2000}, restore="later")
    throw(game, 1, 6, 6)
    throw(game, 1, 5)  # all aside, 250 turn points
    state = throw(game, *SIXES)
    assert (state.turn, state.totals["Ana"], state.lost) == ("Boris", 0, {"Ana": (2000, 250)})
    throw(game, *NOTHING)
    throw(game, 1, 2, 3)
    play(game, Bank("Ana"))
    throw(game, *NOTHING)
    throw(game, 1, 2, 3)
    state = throw(game, *SIXES)  # the 200 of this turn are not brought in
    assert (state.event, state.totals["Ana"], state.turn, state.lost) == (
        "restored",
        2450,
        "Boris",
        {},
    )
    throw(game, *NOTHING)
    assert throw(game, *SIXES).event == "wiped"  # and this is a new one


@pytest.mark.rule("R-BG-7", "R-BG-8", "A-BG-7", "A-BG-8")
@pytest.mark.parametrize(("finish", "event"), [("at_least", "finished"), ("exact", "bust")])
def test_restored_beyond_the_target(finish: str, event: str) -> None:
    game = table(("Ana", "Boris"), {"Ana": 5000}, restore="later", finish=finish)
    throw(game, *SIXES)
    throw(game, *NOTHING)
    throw(game, 1, 1, 1)
    play(game, Bank("Ana"))
    throw(game, *NOTHING)
    state = throw(game, *SIXES)
    assert state.event == event
    assert state.totals["Ana"] == (6000 if event == "finished" else 1000)


@pytest.mark.rule("R-BG-8", "BG-32", "BG-33", "A-BG-8", "A-BG-13")
def test_finishing_order() -> None:
    game = table(totals={"Ana": 5500, "Boris": 5000, "Vera": 5400})
    state = throw(game, 1, 2, 6)
    assert (state.event, state.totals["Ana"], state.ranking) == ("finished", 5600, ("Ana",))
    throw(game, *NOTHING)
    state = throw(game, 2, 3, 3)
    assert state.turn == "Boris"  # Ana is skipped
    state = throw(game, 1, 1, 1)
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.ranking == (("Ana",), ("Boris",), ("Vera",))
    assert (state.ranking, state.turn, state.dice_next) == (("Ana", "Boris", "Vera"), None, None)
    assert refused(game, Throw("Vera", (1, 1, 1))) == "game_over"


@pytest.mark.rule("R-BG-8", "A-BG-8")
def test_exact() -> None:
    game = table(totals={"Ana": 5400}, finish="exact")
    state = throw(game, 1, 2, 3)
    assert (state.event, state.totals["Ana"], state.turn) == ("bust", 5400, "Boris")
    assert state.events[-2].row == "over_target"
    game = table(totals={"Ana": 5400}, finish="exact")
    throw(game, 1, 2, 4)
    assert throw(game, 5, 2).event == "finished"


@pytest.mark.rule("R-BG-8", "A-BG-8")
def test_without_auto_bank() -> None:
    game = table(totals={"Ana": 5400}, auto_bank=False)
    assert throw(game, 1, 2, 3).event == "scored"
    state = play(game, Bank("Ana"))
    assert (state.event, state.ranking) == ("finished", ("Ana",))
    game = table(totals={"Ana": 5400}, auto_bank=False, finish="exact")
    assert throw(game, 1, 2, 3).event == "bust"


@pytest.mark.rule("R-BG-4", "BG-30", "A-BG-9")
def test_limit_of_throws() -> None:
    game = table(max_throws=2)
    throw(game, 1, 2, 6)
    state = throw(game, 1, 2)
    assert (state.event, state.totals["Ana"], state.turn) == ("banked", 200, "Boris")
    assert next(one for one in state.events if one.kind == "banked").row == "limit"
    # the throw after 6-6-6 is always allowed, and with it the turn is over
    game = table(max_throws=1, totals={"Ana": 300})
    assert throw(game, *SIXES).recovery
    state = throw(game, *SIXES)
    assert (state.event, state.totals["Ana"], state.turn) == ("banked", 300, "Boris")
    # an opening that only admits is no throw of the turn
    game = table(opened=False, opening_scores=False, max_throws=2)
    throw(game, 1, 5, 6)
    assert throw(game, 1, 2, 6).event == "scored"
    assert throw(game, 1, 2).event == "banked"


@pytest.mark.rule("R-BG-4", "A-BG-6")
def test_choose_what_to_set_aside() -> None:
    game = table(set_aside="choose")
    throw(game, 1, 5, 6)
    assert game.prompt is not None
    assert game.prompt.want("throw") == DiceWanted(
        "Ana", 1, (Keep((5, 1), 1), Keep((1,), 2), Keep((5,), 2)), True
    )
    for keep in ((), (6,), (1, 1), (6, 5, 1)):
        assert refused(game, Throw("Ana", (1, 1), keep)) == "keep_not_on_table"
    state = throw(game, 1, 2, keep=(1,))
    assert (state.turn_points, state.aside, state.dice_next) == (200, (1, 1), 1)
    state = throw(game, 5)
    assert (state.turn_points, state.dice_next) == (250, 3)
    state = throw(game, 1, 3, 5)  # a combination, of which the one alone may be kept
    assert state.turn_points == 450
    state = throw(game, 1, 5, keep=(1,))
    assert (state.turn_points, state.dice_next) == (500, 3)
    assert play(game, Bank("Ana")).totals["Ana"] == 500


@pytest.mark.rule("R-BG-4", "A-BG-6")
def test_without_a_choice_everything_that_scored_is_set_aside() -> None:
    game = table()
    throw(game, 1, 5, 6)
    assert refused(game, Throw("Ana", (1, 1), keep=(1,))) == "keep_not_on_table"
    assert throw(game, 5, keep=(1, 5)).turn_points == 200


@pytest.mark.rule("R-GEN-1", "R-GEN-2", "R-GEN-3")
def test_dice_that_are_not_due() -> None:
    game = table()
    assert refused(game, Throw("Ana", (1, 2))) == "wrong_dice"
    assert refused(game, Throw("Ana", (1, 2, 7))) == "bad_dice"
    assert refused(game, Throw("Boris", (1, 2, 3))) == "out_of_turn"
    assert refused(game, VoidThrow("Boris")) == "out_of_turn"
