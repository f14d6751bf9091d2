"""Barbudi, rule by rule (RULES.md, sections 1 and 2)."""

from typing import Any

import pytest

from firmware.rules import (
    AmountWanted,
    Barbudi,
    BarbudiRules,
    Begin,
    ChoiceWanted,
    Cover,
    Decline,
    DiceWanted,
    Refused,
    SideBet,
    SideBetWanted,
    Stake,
    Throw,
    VoidThrow,
)
from tests.firmware.rules.helpers import FOUR, NOTHING, barbudi, betting, event, play, refused


@pytest.mark.rule(
    "R-GEN-5", "R-BD-1", "BD-2", "BD-5", "BD-10", "BD-11", "BD-12", "A-BD-1", "A-BD-2"
)
def test_first_thrower_by_highest_die() -> None:
    game = Barbudi(FOUR)
    assert game.state.phase == "first"
    for who, face in zip(FOUR, (3, 6, 6, 2), strict=True):
        assert game.prompt is not None
        assert game.prompt.wants == (DiceWanted(who, 1),)
        game.push(Throw(who, (face,)))
    assert event(game.state, "first_tied").shares == (("Ola", 6), ("Per", 6))
    assert game.prompt is not None
    assert game.prompt.by == "Ola"
    assert refused(game, Throw("Kari", (1,))) == "out_of_turn"
    play(game, Throw("Ola", (1,)), Throw("Per", (1,)))
    play(game, Throw("Ola", (2,)), VoidThrow("Per", "cocked"))
    state = play(game, Throw("Per", (5,)))
    assert (state.phase, state.thrower, state.fader) == ("stake", "Per", "Liv")


@pytest.mark.rule("R-GEN-5")
def test_host_names_the_thrower() -> None:
    game = Barbudi(FOUR, BarbudiRules(start="host"))
    assert game.prompt is not None
    assert game.prompt.wants == (ChoiceWanted("begin", "Kari", FOUR),)
    assert refused(game, Throw("Kari", (1,))) == "out_of_turn"
    assert refused(game, Begin("Nobody")) == "bad_choice"
    state = play(game, Begin("Liv"))
    assert (state.thrower, state.fader) == ("Liv", "Kari")
    assert refused(game, Begin("Ola")) == "out_of_turn"


@pytest.mark.rule("R-BD-1", "BD-2", "BD-36")
def test_seats_and_chips_at_the_start() -> None:
    assert dict(Barbudi(FOUR).state.chips.stacks) == dict.fromkeys(FOUR, 50)
    assert Barbudi(FOUR, BarbudiRules(starting_chips=7)).state.chips.total == 28
    assert len(Barbudi([f"P{n}" for n in range(12)]).seats) == 12
    bad: list[tuple[Any, Any, str]] = [
        (("A",), 20, "players"),
        ([f"P{n}" for n in range(13)], 20, "players"),
        (("A", "B", "A"), 20, "players"),
        (("A", ""), 20, "players"),
        (("A", "B"), -1, "bad_chips"),
        (("A", "B"), 2.5, "bad_chips"),
        (("A", "B"), {"A": 5}, "bad_chips"),
        (("A", "B"), {"A": 5, "B": 0}, "bad_chips"),
    ]
    for seats, chips, code in bad:
        with pytest.raises(Refused) as caught:
            Barbudi(seats, chips=chips)
        assert caught.value.code == code
    with pytest.raises(Refused) as caught:
        Barbudi(FOUR, thrower="Nobody")
    assert caught.value.code == "bad_start"


@pytest.mark.rule("R-BD-2", "BD-13", "BD-16", "BD-37")
def test_stake() -> None:
    game = barbudi()
    prompt = game.prompt
    assert prompt is not None
    assert prompt.wants == (AmountWanted("stake", "Ola", 1, 20), ChoiceWanted("decline", "Ola"))
    for amount in (0, -1, 2.5):
        assert refused(game, Stake("Ola", amount)) == "bad_amount"  # type: ignore[arg-type]
    assert refused(game, Stake("Ola", 21)) == "not_enough_chips"
    assert refused(game, Stake("Kari", 5)) == "out_of_turn"
    assert refused(game, Throw("Kari", (6, 6))) == "out_of_turn"
    state = play(game, Stake("Ola", 20))
    assert (state.chips.stacks["Ola"], state.chips.escrow) == (0, 20)
    assert refused(game, Stake("Ola", 1)) == "out_of_turn"


@pytest.mark.rule("R-BD-2", "BD-38")
def test_fixed_stake() -> None:
    game = barbudi(fixed_stake=5)
    assert game.prompt is not None
    assert game.prompt.want("stake") == AmountWanted("stake", "Ola", 5, 5)
    assert refused(game, Stake("Ola", 4)) == "fixed_stake"
    poor = barbudi(chips={"Kari": 20, "Ola": 4, "Per": 20, "Liv": 20}, fixed_stake=5)
    assert poor.prompt is not None
    assert poor.prompt.wants == (ChoiceWanted("decline", "Ola"),)
    assert refused(poor, Stake("Ola", 5)) == "not_enough_chips"


@pytest.mark.rule("R-BD-3", "BD-14", "A-BD-4", "A-BD-14")
def test_cover_in_turn_and_return_of_the_rest() -> None:
    game = barbudi()
    play(game, Stake("Ola", 10))
    assert game.prompt is not None
    assert game.prompt.wants == (AmountWanted("cover", "Kari", 0, 10),)
    assert refused(game, Cover("Per", 1)) == "out_of_turn"
    assert refused(game, Cover("Kari", 11)) == "over_cover"
    assert refused(game, Cover("Kari", -1)) == "bad_amount"
    play(game, Cover("Kari", 3))
    assert game.prompt.by == "Per"  # to the right of the fader
    state = play(game, Cover("Per", 2), Cover("Liv", 1))
    assert (state.matched, state.pot, state.returned, state.phase) == (6, 12, 4, "throw")
    assert state.chips.stacks["Ola"] == 14
    state = play(game, Throw("Kari", (3, 3)))
    assert dict(state.chips.stacks) == {"Kari": 23, "Ola": 14, "Per": 22, "Liv": 21}
    assert event(state, "won").shares == (("Kari", 6), ("Per", 4), ("Liv", 2))


@pytest.mark.rule("R-BD-3")
def test_cover_is_limited_by_chips_and_stops_when_covered() -> None:
    game = barbudi(chips={"Kari": 4, "Ola": 20, "Per": 20, "Liv": 20})
    play(game, Stake("Ola", 10))
    assert refused(game, Cover("Kari", 5)) == "not_enough_chips"
    state = play(game, Cover("Kari", 4), Cover("Per", 6))
    assert (state.phase, state.to_cover) == ("throw", ())


@pytest.mark.rule("R-BD-4", "BD-17", "A-BD-3", "A-BD-5")
def test_no_bet() -> None:
    state = play(barbudi(), SideBet("Per", "Liv", 4), Decline("Ola"))
    assert (state.result, state.thrower, state.fader) == ("void", "Per", "Liv")
    assert dict(state.chips.stacks) == dict.fromkeys(FOUR, 20)
    assert (state.rounds, state.side_bets) == (0, ())
    state = play(barbudi(), *betting(5, Kari=0, Per=0, Liv=0))
    assert (state.result, state.returned, state.thrower) == ("void", 5, "Per")
    state = play(barbudi(), *betting(5, Kari=0, Per=2, Liv=0), Throw("Kari", (6, 5)))
    assert (state.winner, state.chips.stacks["Per"]) == ("Kari", 22)


@pytest.mark.rule("R-BD-5", "BD-15", "BD-39", "A-BD-13")
def test_side_bets() -> None:
    game = barbudi()
    limits = (("Per", 20), ("Liv", 20))
    assert game.prompt is not None
    assert game.prompt.want("side_bet") == SideBetWanted(limits)
    assert refused(game, SideBet("Per", "Per", 1)) == "bad_side_bet"
    assert refused(game, SideBet("Per", "Liv", 0)) == "bad_amount"
    assert refused(game, SideBet("Per", "Liv", 21)) == "not_enough_chips"
    assert refused(game, SideBet("Per", "Ola", 1)) == "not_passive"
    assert refused(game, SideBet("Per", "Nobody", 1)) == "not_passive"
    play(game, SideBet("Per", "Liv", 3), Stake("Ola", 5))
    assert game.prompt.want("side_bet") == SideBetWanted((("Per", 17), ("Liv", 17)))
    play(game, Cover("Kari", 5), SideBet("Liv", "Per", 1))
    assert game.prompt.want("side_bet") == SideBetWanted((("Per", 16), ("Liv", 16)))
    play(game, VoidThrow("Kari"), SideBet("Per", "Liv", 1))  # a void throw is no throw
    play(game, Throw("Kari", NOTHING))
    assert refused(game, SideBet("Per", "Liv", 1)) == "too_late"
    state = play(game, Throw("Ola", (5, 5)))
    assert dict(state.chips.stacks) == {"Kari": 15, "Ola": 25, "Per": 17, "Liv": 23}
    off = barbudi(side_bets=False)
    assert refused(off, SideBet("Per", "Liv", 1)) == "side_bets_off"
    assert off.prompt is not None
    assert off.prompt.want("side_bet") is None


@pytest.mark.rule("R-BD-5", "A-BD-13")
def test_a_coverer_may_bet_with_what_he_has_left() -> None:
    game = barbudi()
    play(game, *betting(7, Kari=4, Per=3))
    assert refused(game, SideBet("Liv", "Per", 18)) == "not_enough_chips"
    state = play(game, SideBet("Liv", "Per", 17), Throw("Kari", (3, 3)))
    assert (state.chips.stacks["Per"], state.chips.stacks["Liv"]) == (6, 37)


@pytest.mark.rule("R-BD-6", "BD-18", "BD-19", "BD-20", "BD-21", "BD-22", "BD-23", "BD-24")
def test_throws_alternate_until_one_decides() -> None:
    game = barbudi()
    play(game, *betting(5, Kari=5))
    for who in ("Kari", "Ola") * 6:
        assert refused(game, Throw("Ola" if who == "Kari" else "Kari", (6, 6))) == "out_of_turn"
        state = play(game, Throw(who, NOTHING))
    state = play(game, Throw("Kari", NOTHING), Throw("Ola", (2, 2)))
    assert (state.winner, state.throws) == ("Kari", 14)
    thrown = event(state, "throw")
    assert (thrown.row, thrown.meaning, thrown.rule) == ("lose_double", "lose", "R-BD-6")


@pytest.mark.rule("R-GEN-1", "R-GEN-2", "A-GEN-1")
def test_dice_that_are_not_due() -> None:
    game = barbudi()
    play(game, *betting(5, Kari=5))
    assert refused(game, Throw("Kari", (6,))) == "wrong_dice"
    assert refused(game, Throw("Kari", (6, 6, 6))) == "wrong_dice"
    assert refused(game, Throw("Kari", (0, 6))) == "bad_dice"
    assert refused(game, Throw("Kari", (6, 7))) == "bad_dice"
    assert refused(game, Throw("Kari", (6, 5), keep=(1,))) == "keep_not_on_table"
    before = game.state
    state = play(game, VoidThrow("Kari", "stacked"))
    assert (state.throws, state.next_to_throw, state.chips) == (0, "Kari", before.chips)
    assert refused(game, VoidThrow("Ola")) == "out_of_turn"


@pytest.mark.rule("R-GEN-6", "A-BL-10")
def test_a_throw_may_be_corrected_before_the_next_act() -> None:
    game = barbudi()
    play(game, *betting(5, Kari=5), Throw("Kari", (4, 4)))
    assert game.state.winner == "Ola"
    assert game.correct(Throw("Kari", (4, 5))).phase == "throw"
    assert game.acts[-1] == Throw("Kari", (4, 5))
    assert game.replay().state == game.state
    play(game, VoidThrow("Ola"))
    with pytest.raises(Refused) as caught:
        game.correct(Throw("Kari", (6, 6)))
    assert caught.value.code == "too_late"


ROLES = [
    # who threw, throw, winner, roles: the table of R-BD-8
    *[("Kari", pair, "Kari", "stay") for pair in ((3, 3), (5, 5), (6, 6), (6, 5))],
    ("Kari", (1, 2), "Ola", "stay"),
    *[("Kari", pair, "Ola", "move_on") for pair in ((1, 1), (2, 2), (4, 4))],
    ("Ola", (6, 5), "Ola", "stay"),
    *[("Ola", pair, "Ola", "move_on") for pair in ((3, 3), (5, 5), (6, 6))],
    *[("Ola", pair, "Kari", "stay") for pair in ((1, 1), (2, 2), (4, 4), (1, 2))],
]


@pytest.mark.rule("R-BD-7", "R-BD-8", "BD-25", "BD-26", "BD-27", "BD-28", "BD-52", "BD-54")
@pytest.mark.parametrize(("by", "pair", "winner", "roles"), ROLES)
def test_roles(by: str, pair: tuple[int, int], winner: str, roles: str) -> None:
    game = barbudi()
    play(game, *betting(5, Kari=5))
    if by == "Ola":
        play(game, Throw("Kari", NOTHING))
    state = play(game, Throw(by, pair))
    expected = {"stay": ("Kari", "Ola"), "move_on": ("Ola", "Per")}[roles]
    assert (state.winner, (state.thrower, state.fader)) == (winner, expected)
    assert event(state, f"roles_{roles}").who == expected[0]


@pytest.mark.rule("R-BD-9", "BD-29", "A-BD-6")
def test_to_the_next_two() -> None:
    for seats, after in (
        (FOUR, ("Per", "Liv")),
        (FOUR[:3], ("Per", "Kari")),
        (FOUR[:2], ("Ola", "Kari")),
    ):
        state = play(barbudi(seats), Decline("Ola"))
        assert (state.thrower, state.fader) == after
    state = play(barbudi(FOUR[:2], two_player_pass="stay"), Decline("Ola"))
    assert (state.thrower, state.fader) == ("Kari", "Ola")


@pytest.mark.rule("R-BD-9", "R-BD-12", "A-BD-6")
def test_to_the_next_two_when_only_two_have_chips() -> None:
    chips = {"Kari": 20, "Ola": 20, "Per": 0, "Liv": 0}
    state = play(barbudi(chips=chips), Decline("Ola"))
    assert (state.thrower, state.fader) == ("Ola", "Kari")


@pytest.mark.rule("BD-30", "BD-31", "BD-32", "BD-33")
def test_the_reasons_are_data() -> None:
    game = barbudi()
    state = play(game, *betting(5, Kari=5), Throw("Kari", (4, 2)), Throw("Ola", (3, 1)))
    assert event(state, "dice_pass").who == "Kari"
    state = play(game, Throw("Kari", (4, 4)))
    kinds = [(one.kind, one.rule, one.who) for one in state.events]
    assert kinds == [
        ("throw", "R-BD-6", "Kari"),
        ("won", "R-BD-7", "Ola"),
        ("roles_move_on", "R-BD-8", "Ola"),
    ]
    assert (event(state, "won").amount, event(state, "won").total) == (5, 10)
