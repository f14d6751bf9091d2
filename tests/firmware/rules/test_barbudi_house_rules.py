"""Barbudi: two shot, fees, players without chips, the end, Vari (RULES.md, section 2)."""

from typing import Any

import pytest

from firmware.rules import (
    AmountWanted,
    Barbudi,
    ChoiceWanted,
    Cover,
    Decline,
    End,
    FixedFee,
    PercentFee,
    SideBet,
    Stake,
    Stop,
    Throw,
    TwoShotChoice,
    Vari,
    VoidThrow,
)
from tests.firmware.rules.helpers import FOUR, NOTHING, barbudi, betting, event, play, refused


def two_shot(stake: int = 6, **rules: Any) -> Barbudi:
    game = barbudi(two_shot=True, **rules)
    play(game, Stake("Ola", stake, two_shot=True), Cover("Kari", stake))
    return game


@pytest.mark.rule("R-BD-2", "R-BD-10", "R-GEN-4", "BD-40")
def test_two_shot_is_demanded_with_the_stake() -> None:
    assert refused(barbudi(), Stake("Ola", 5, two_shot=True)) == "two_shot_off"
    game = barbudi(two_shot=True)
    assert game.prompt is not None
    assert game.prompt.want("stake") == AmountWanted("stake", "Ola", 1, 20, ("two_shot",))
    state = play(game, *betting(6, Kari=6), Throw("Kari", (6, 5)))
    assert (state.result, state.phase) == ("decided", "stake")  # not demanded: whole


@pytest.mark.rule("R-BD-10", "BD-41")
@pytest.mark.parametrize(("pair", "roles"), [((5, 5), ("Kari", "Ola")), ((4, 4), ("Ola", "Per"))])
def test_two_shot_double_decides_all(pair: tuple[int, int], roles: tuple[str, str]) -> None:
    state = play(two_shot(), Throw("Kari", pair))
    assert (state.result, (state.thrower, state.fader)) == ("decided", roles)
    assert state.chips.stacks[state.winner or ""] == 26


@pytest.mark.rule("R-BD-10", "BD-42", "BD-43", "A-BD-8", "A-BD-9")
@pytest.mark.parametrize("stopper", ["Kari", "Ola"])
@pytest.mark.parametrize(
    ("throws", "winner", "roles"),
    [
        ([("Kari", (6, 5))], "Kari", ("Kari", "Ola")),
        ([("Kari", (1, 2))], "Ola", ("Ola", "Per")),
        ([("Kari", NOTHING), ("Ola", (6, 5))], "Ola", ("Ola", "Per")),
        ([("Kari", NOTHING), ("Ola", (2, 1))], "Kari", ("Kari", "Ola")),
    ],
)
def test_two_shot_stopped(
    throws: list[tuple[str, tuple[int, int]]], winner: str, roles: tuple[str, str], stopper: str
) -> None:
    game = two_shot(7)
    play(game, *(Throw(who, dice) for who, dice in throws))
    assert game.state.phase == "choice"
    assert refused(game, TwoShotChoice("Per", "stop")) == "out_of_turn"
    assert refused(game, TwoShotChoice("Kari", "perhaps")) == "bad_choice"
    assert refused(game, Throw("Kari", (6, 6))) == "out_of_turn"
    other = "Ola" if stopper == "Kari" else "Kari"
    play(game, TwoShotChoice(other, "continue"))
    assert refused(game, TwoShotChoice(other, "stop")) == "out_of_turn"
    state = play(game, TwoShotChoice(stopper, "stop"))
    assert (state.result, state.winner) == ("half", winner)
    assert (state.thrower, state.fader) == roles
    assert state.chips.stacks[winner] == 23  # half of 7, rounded down


@pytest.mark.rule("R-BD-10", "BD-44", "BD-45", "BD-46", "BD-47", "A-BD-7")
@pytest.mark.parametrize(
    ("first", "second", "result", "kari"),
    [
        ((6, 5), (3, 3), "both_halves", 27),  # Kari wins both
        ((6, 5), (4, 4), "split", 20),
        ((1, 2), (6, 6), "both_halves", 13),  # Ola wins both
        ((1, 2), (2, 2), "split", 20),
    ],
)
def test_two_shot_second_shot(
    first: tuple[int, int], second: tuple[int, int], result: str, kari: int
) -> None:
    game = two_shot(7)
    play(game, SideBet("Per", "Liv", 5), Throw("Kari", first))
    play(game, TwoShotChoice("Ola", "continue"), TwoShotChoice("Kari", "continue"))
    winner = "Kari" if first == (6, 5) else "Ola"
    assert game.state.next_to_throw == winner
    state = play(game, Throw(winner, second))
    assert (state.result, state.chips.stacks["Kari"]) == (result, kari)
    assert state.winner == (None if result == "split" else winner)
    side = {27: 25, 20: 20, 13: 15}[kari]
    assert state.chips.stacks["Per"] == side
    assert (state.thrower, state.fader) == ("Per", "Liv")


@pytest.mark.rule("R-BD-10", "A-BD-7")
def test_two_shot_always_to_the_next_two() -> None:
    always = {"two_shot_rotation": "always"}
    for acts in (
        [Throw("Kari", (5, 5))],
        [Throw("Kari", (4, 4))],
        [Throw("Kari", (1, 2)), TwoShotChoice("Kari", "stop")],
    ):
        state = play(two_shot(**always), *acts)
        assert (state.thrower, state.fader) == ("Per", "Liv")
    state = play(
        barbudi(two_shot=True, **always), *betting(5, Kari=5), Throw("Kari", (5, 5))
    )  # not demanded
    assert (state.thrower, state.fader) == ("Kari", "Ola")


@pytest.mark.rule("R-BD-10", "R-BD-5", "A-BD-8")
def test_two_shot_halves_every_cover_by_itself() -> None:
    game = barbudi(two_shot=True)
    play(game, Stake("Ola", 9, two_shot=True), Cover("Kari", 1), Cover("Per", 3), Cover("Liv", 5))
    state = play(game, Throw("Kari", (1, 2)), TwoShotChoice("Ola", "stop"))
    assert dict(state.chips.stacks) == {"Kari": 20, "Ola": 23, "Per": 19, "Liv": 18}


@pytest.mark.rule("R-BD-11", "BD-48", "BD-53", "A-BD-10")
def test_percent_fee_is_rounded_down_for_each_winner() -> None:
    game = barbudi(chips=100, house_fee=PercentFee(250))
    state = play(game, *betting(60, Kari=39, Per=21), Throw("Kari", (6, 6)))
    # 2.5 % of 78 is 1.95 and of 42 is 1.05: one chip each
    assert event(state, "fee").shares == (("Kari", 1), ("Per", 1))
    assert (state.chips.house, state.chips.stacks["Kari"]) == (2, 138)
    game = barbudi(chips=100, house_fee=PercentFee(250))
    state = play(game, *betting(60, Kari=39, Per=21), Throw("Kari", (4, 4)))
    assert (state.chips.house, state.chips.stacks["Ola"]) == (3, 157)  # 2.5 % of 120


@pytest.mark.rule("R-BD-11", "A-BD-10")
@pytest.mark.parametrize(
    ("fee", "covers", "shares"),
    [
        (3, {"Kari": 4, "Per": 3, "Liv": 2}, {"Kari": 1, "Per": 1, "Liv": 1}),
        (4, {"Kari": 4, "Per": 3, "Liv": 2}, {"Kari": 2, "Per": 1, "Liv": 1}),
        (5, {"Kari": 1, "Per": 1, "Liv": 1}, {"Kari": 1, "Per": 1, "Liv": 1}),  # all that was won
        (1, {"Kari": 1, "Per": 1, "Liv": 1}, {"Kari": 1}),
        (2, {"Kari": 1, "Per": 5}, {"Per": 2}),  # remainders 2/6 and 4/6
    ],
)
def test_fixed_fee_in_proportion(fee: int, covers: dict[str, int], shares: dict[str, int]) -> None:
    covers = {**covers, **{who: 0 for who in ("Liv",) if who not in covers}}
    game = barbudi(house_fee=FixedFee(fee))
    state = play(game, *betting(9, **covers), Throw("Kari", (6, 6)))
    assert dict(event(state, "fee").shares) == shares
    assert state.chips.house == sum(shares.values())


@pytest.mark.rule("R-BD-11")
def test_no_fee_of_what_is_not_won() -> None:
    fees: tuple[Any, ...] = (PercentFee(10_000), FixedFee(99))
    for fee in fees:
        assert play(barbudi(house_fee=fee), Decline("Ola")).chips.house == 0
        split = two_shot(house_fee=fee)
        play(split, SideBet("Per", "Liv", 5), Throw("Kari", (6, 5)))
        play(split, TwoShotChoice("Kari", "continue"), TwoShotChoice("Ola", "continue"))
        assert play(split, Throw("Kari", (1, 1))).chips.house == 0
        side = barbudi(house_fee=fee)
        state = play(side, *betting(5, Kari=1, Per=0, Liv=0), SideBet("Per", "Liv", 9))
        state = play(side, Throw("Kari", (6, 6)))
        assert state.chips.stacks["Per"] == 29
    # half: the fee is of what was won in it, a half of 6
    half = two_shot(house_fee=FixedFee(99))
    state = play(half, Throw("Kari", (6, 5)), TwoShotChoice("Kari", "stop"))
    assert (state.chips.house, state.chips.stacks["Kari"]) == (3, 20)


@pytest.mark.rule("R-BD-12", "A-BD-11")
def test_who_has_no_chips_holds_no_role_and_is_not_asked() -> None:
    chips = {"Kari": 20, "Ola": 5, "Per": 0, "Liv": 20}
    game = barbudi(chips=chips)
    play(game, Stake("Ola", 5), Cover("Kari", 2))
    assert game.prompt is not None
    assert game.prompt.by == "Liv"
    state = play(game, Cover("Liv", 3), Throw("Kari", (6, 6)))
    assert (state.thrower, state.fader) == ("Kari", "Liv")
    assert event(state, "skipped").who == "Ola"


@pytest.mark.rule("R-BD-12", "A-BD-11")
def test_skip_broke_off() -> None:
    chips = {"Kari": 20, "Ola": 5, "Per": 20, "Liv": 20}
    game = barbudi(chips=chips, skip_broke=False)
    state = play(game, *betting(5, Kari=5), Throw("Kari", (6, 6)))
    assert (state.thrower, state.fader) == ("Kari", "Ola")
    assert game.prompt is not None
    assert game.prompt.wants == (ChoiceWanted("decline", "Ola"),)
    assert refused(game, Stake("Ola", 1)) == "not_enough_chips"


@pytest.mark.rule("R-BD-12")
def test_over_when_fewer_than_two_have_chips() -> None:
    game = barbudi(FOUR[:2], chips={"Kari": 5, "Ola": 5})
    state = play(game, *betting(5, Kari=5), Throw("Kari", (6, 6)))
    outcome = game.outcome()
    assert outcome is not None
    assert (state.phase, outcome.winners, outcome.reason) == ("over", ("Kari",), "broke")
    assert game.prompt is None
    assert list(game.legal()) == []
    assert refused(game, Decline("Ola")) == "game_over"
    game.pop()
    assert game.outcome() is None


@pytest.mark.rule("R-BD-13", "BD-34", "BD-35")
def test_end_after_rounds_and_void_rounds_do_not_count() -> None:
    game = barbudi(end=End("rounds", 2))
    state = play(game, *betting(5, Kari=5), Throw("Kari", (6, 6)), Decline("Ola"))
    assert (state.rounds, state.phase, state.thrower) == (1, "stake", "Per")
    state = play(game, Stake("Liv", 5), Cover("Per", 5), Throw("Per", (6, 6)))
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.reason == "rounds"
    # equal chips share the place (A-BD-12)
    assert outcome.ranking == (("Kari", "Per"), ("Ola", "Liv"))


@pytest.mark.rule("R-BD-13", "BD-34", "A-BD-12")
def test_time_up_during_a_round_finishes_it() -> None:
    game = barbudi(end=End("minutes", 30))
    assert game.prompt is not None
    assert game.prompt.want("stop") == ChoiceWanted("stop", "Kari", ("hand", "time"))
    play(game, *betting(5, Kari=5), Stop("time"), Throw("Kari", NOTHING))
    assert game.outcome() is None
    assert refused(game, Stop("hand")) == "too_late"
    play(game, Throw("Ola", (6, 6)))
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == ("time", ("Ola",))


@pytest.mark.rule("R-BD-13", "BD-34")
def test_stopped_by_hand_between_rounds() -> None:
    game = barbudi()
    assert refused(game, Stop("time")) == "bad_choice"
    state = play(game, SideBet("Per", "Liv", 5), Stop())
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.winners, state.chips.escrow) == ("hand", FOUR, 0)


@pytest.mark.rule("A-BT-5", "R-GEN-4")
def test_vari_as_house_rule() -> None:
    assert refused(barbudi(), Vari("Kari")) == "vari_off"
    game = barbudi(vari=True)
    play(game, *betting(5, Kari=5))
    assert refused(game, Vari("Ola")) == "out_of_turn"
    play(game, Vari("Kari"), VoidThrow("Kari"))
    assert game.state.vari
    assert refused(game, Vari("Kari")) == "too_late"
    state = play(game, Throw("Kari", (1, 2)))
    # the mixed pair wins under Vari; the roles stay either way
    assert (state.winner, state.thrower, state.vari) == ("Kari", "Kari", False)
