"""Barbudi, rule by rule (RULES.md, sections 1 and 2)."""

from typing import Any

import pytest

from firmware.rules import (
    Act,
    AmountWanted,
    Barbudi,
    BarbudiRules,
    BarbudiState,
    Begin,
    ChoiceWanted,
    Cover,
    Decline,
    DiceWanted,
    End,
    FixedFee,
    PercentFee,
    Refused,
    SideBet,
    SideBetWanted,
    Stake,
    Stop,
    Throw,
    TwoShotChoice,
    Vari,
    VoidThrow,
)

FOUR = ("Kari", "Ola", "Per", "Liv")
NOTHING = (6, 4)


def table(seats: tuple[str, ...] = FOUR, chips: Any = 20, **rules: Any) -> Barbudi:
    return Barbudi(seats, BarbudiRules(**rules), chips, thrower="Kari")


def play(game: Barbudi, *acts: Act) -> BarbudiState:
    for act in acts:
        game.push(act)
    return game.state


def refused(game: Barbudi, act: Act) -> str:
    with pytest.raises(Refused) as caught:
        game.push(act)
    return caught.value.code


def round_(stake: int, **covers: int) -> list[Act]:
    return [Stake("Ola", stake), *(Cover(who, n) for who, n in covers.items())]


def event(state: BarbudiState, kind: str) -> Any:
    return next(one for one in state.events if one.kind == kind)


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
    game = table()
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
    game = table(fixed_stake=5)
    assert game.prompt is not None
    assert game.prompt.want("stake") == AmountWanted("stake", "Ola", 5, 5)
    assert refused(game, Stake("Ola", 4)) == "fixed_stake"
    poor = table(chips={"Kari": 20, "Ola": 4, "Per": 20, "Liv": 20}, fixed_stake=5)
    assert poor.prompt is not None
    assert poor.prompt.wants == (ChoiceWanted("decline", "Ola"),)
    assert refused(poor, Stake("Ola", 5)) == "not_enough_chips"


@pytest.mark.rule("R-BD-3", "BD-14", "A-BD-4", "A-BD-14")
def test_cover_in_turn_and_return_of_the_rest() -> None:
    game = table()
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
    game = table(chips={"Kari": 4, "Ola": 20, "Per": 20, "Liv": 20})
    play(game, Stake("Ola", 10))
    assert refused(game, Cover("Kari", 5)) == "not_enough_chips"
    state = play(game, Cover("Kari", 4), Cover("Per", 6))
    assert (state.phase, state.to_cover) == ("throw", ())


@pytest.mark.rule("R-BD-4", "BD-17", "A-BD-3", "A-BD-5")
def test_no_bet() -> None:
    state = play(table(), SideBet("Per", "Liv", 4), Decline("Ola"))
    assert (state.result, state.thrower, state.fader) == ("void", "Per", "Liv")
    assert dict(state.chips.stacks) == dict.fromkeys(FOUR, 20)
    assert (state.rounds, state.side_bets) == (0, ())
    state = play(table(), *round_(5, Kari=0, Per=0, Liv=0))
    assert (state.result, state.returned, state.thrower) == ("void", 5, "Per")
    state = play(table(), *round_(5, Kari=0, Per=2, Liv=0), Throw("Kari", (6, 5)))
    assert (state.winner, state.chips.stacks["Per"]) == ("Kari", 22)


@pytest.mark.rule("R-BD-5", "BD-15", "BD-39", "A-BD-13")
def test_side_bets() -> None:
    game = table()
    limits = (("Per", 20), ("Liv", 20))
    assert game.prompt is not None
    assert game.prompt.want("side_bet") == SideBetWanted(limits)
    assert refused(game, SideBet("Per", "Per", 1)) == "bad_side_bet"
    assert refused(game, SideBet("Per", "Liv", 0)) == "bad_amount"
    assert refused(game, SideBet("Per", "Liv", 21)) == "not_enough_chips"
    assert refused(game, SideBet("Per", "Ola", 1)) == "not_passive"
    assert refused(game, SideBet("Per", "Nobody", 1)) == "not_passive"
    play(game, SideBet("Per", "Liv", 3), *round_(5, Kari=5), SideBet("Liv", "Per", 1))
    play(game, VoidThrow("Kari"), SideBet("Per", "Liv", 1))  # a void throw is no throw
    play(game, Throw("Kari", NOTHING))
    assert refused(game, SideBet("Per", "Liv", 1)) == "too_late"
    state = play(game, Throw("Ola", (5, 5)))
    assert dict(state.chips.stacks) == {"Kari": 15, "Ola": 25, "Per": 17, "Liv": 23}
    off = table(side_bets=False)
    assert refused(off, SideBet("Per", "Liv", 1)) == "side_bets_off"
    assert off.prompt is not None
    assert off.prompt.want("side_bet") is None


@pytest.mark.rule("R-BD-5", "A-BD-13")
def test_a_coverer_may_bet_with_what_he_has_left() -> None:
    game = table()
    play(game, *round_(7, Kari=4, Per=3))
    assert refused(game, SideBet("Liv", "Per", 18)) == "not_enough_chips"
    state = play(game, SideBet("Liv", "Per", 17), Throw("Kari", (3, 3)))
    assert (state.chips.stacks["Per"], state.chips.stacks["Liv"]) == (6, 37)


@pytest.mark.rule("R-BD-6", "BD-18", "BD-19", "BD-20", "BD-21", "BD-22", "BD-23", "BD-24")
def test_throws_alternate_until_one_decides() -> None:
    game = table()
    play(game, *round_(5, Kari=5))
    for who in ("Kari", "Ola") * 6:
        assert refused(game, Throw("Ola" if who == "Kari" else "Kari", (6, 6))) == "out_of_turn"
        state = play(game, Throw(who, NOTHING))
    state = play(game, Throw("Kari", NOTHING), Throw("Ola", (2, 2)))
    assert (state.winner, state.throws) == ("Kari", 14)
    thrown = event(state, "throw")
    assert (thrown.row, thrown.meaning, thrown.rule) == ("lose_double", "lose", "R-BD-6")


@pytest.mark.rule("R-GEN-1", "R-GEN-2", "A-GEN-1")
def test_dice_that_are_not_due() -> None:
    game = table()
    play(game, *round_(5, Kari=5))
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
    game = table()
    play(game, *round_(5, Kari=5), Throw("Kari", (4, 4)))
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
    game = table()
    play(game, *round_(5, Kari=5))
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
        state = play(table(seats), Decline("Ola"))
        assert (state.thrower, state.fader) == after
    state = play(table(FOUR[:2], two_player_pass="stay"), Decline("Ola"))
    assert (state.thrower, state.fader) == ("Kari", "Ola")


@pytest.mark.rule("R-BD-9", "R-BD-12", "A-BD-6")
def test_to_the_next_two_when_only_two_have_chips() -> None:
    chips = {"Kari": 20, "Ola": 20, "Per": 0, "Liv": 0}
    state = play(table(chips=chips), Decline("Ola"))
    assert (state.thrower, state.fader) == ("Ola", "Kari")


def two_shot(stake: int = 6, **rules: Any) -> Barbudi:
    game = table(two_shot=True, **rules)
    play(game, Stake("Ola", stake, two_shot=True), Cover("Kari", stake))
    return game


@pytest.mark.rule("R-BD-2", "R-BD-10", "R-GEN-4", "BD-40")
def test_two_shot_is_demanded_with_the_stake() -> None:
    assert refused(table(), Stake("Ola", 5, two_shot=True)) == "two_shot_off"
    game = table(two_shot=True)
    assert game.prompt is not None
    assert game.prompt.want("stake") == AmountWanted("stake", "Ola", 1, 20, ("two_shot",))
    state = play(game, *round_(6, Kari=6), Throw("Kari", (6, 5)))
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
        table(two_shot=True, **always), *round_(5, Kari=5), Throw("Kari", (5, 5))
    )  # not demanded
    assert (state.thrower, state.fader) == ("Kari", "Ola")


@pytest.mark.rule("R-BD-10", "R-BD-5", "A-BD-8")
def test_two_shot_halves_every_cover_by_itself() -> None:
    game = table(two_shot=True)
    play(game, Stake("Ola", 9, two_shot=True), Cover("Kari", 1), Cover("Per", 3), Cover("Liv", 5))
    state = play(game, Throw("Kari", (1, 2)), TwoShotChoice("Ola", "stop"))
    assert dict(state.chips.stacks) == {"Kari": 20, "Ola": 23, "Per": 19, "Liv": 18}


@pytest.mark.rule("R-BD-11", "BD-48", "BD-53", "A-BD-10")
def test_percent_fee_is_rounded_down_for_each_winner() -> None:
    game = table(chips=100, house_fee=PercentFee(250))
    state = play(game, *round_(60, Kari=39, Per=21), Throw("Kari", (6, 6)))
    # 2.5 % of 78 is 1.95 and of 42 is 1.05: one chip each
    assert event(state, "fee").shares == (("Kari", 1), ("Per", 1))
    assert (state.chips.house, state.chips.stacks["Kari"]) == (2, 138)
    game = table(chips=100, house_fee=PercentFee(250))
    state = play(game, *round_(60, Kari=39, Per=21), Throw("Kari", (4, 4)))
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
    game = table(house_fee=FixedFee(fee))
    state = play(game, *round_(9, **covers), Throw("Kari", (6, 6)))
    assert dict(event(state, "fee").shares) == shares
    assert state.chips.house == sum(shares.values())


@pytest.mark.rule("R-BD-11")
def test_no_fee_of_what_is_not_won() -> None:
    fees: tuple[Any, ...] = (PercentFee(10_000), FixedFee(99))
    for fee in fees:
        assert play(table(house_fee=fee), Decline("Ola")).chips.house == 0
        split = two_shot(house_fee=fee)
        play(split, SideBet("Per", "Liv", 5), Throw("Kari", (6, 5)))
        play(split, TwoShotChoice("Kari", "continue"), TwoShotChoice("Ola", "continue"))
        assert play(split, Throw("Kari", (1, 1))).chips.house == 0
        side = table(house_fee=fee)
        state = play(side, *round_(5, Kari=1, Per=0, Liv=0), SideBet("Per", "Liv", 9))
        state = play(side, Throw("Kari", (6, 6)))
        assert state.chips.stacks["Per"] == 29
    # half: the fee is of what was won in it, a half of 6
    half = two_shot(house_fee=FixedFee(99))
    state = play(half, Throw("Kari", (6, 5)), TwoShotChoice("Kari", "stop"))
    assert (state.chips.house, state.chips.stacks["Kari"]) == (3, 20)


@pytest.mark.rule("R-BD-12", "A-BD-11")
def test_who_has_no_chips_holds_no_role_and_is_not_asked() -> None:
    chips = {"Kari": 20, "Ola": 5, "Per": 0, "Liv": 20}
    game = table(chips=chips)
    play(game, Stake("Ola", 5), Cover("Kari", 2))
    assert game.prompt is not None
    assert game.prompt.by == "Liv"
    state = play(game, Cover("Liv", 3), Throw("Kari", (6, 6)))
    assert (state.thrower, state.fader) == ("Kari", "Liv")
    assert event(state, "skipped").who == "Ola"


@pytest.mark.rule("R-BD-12", "A-BD-11")
def test_skip_broke_off() -> None:
    chips = {"Kari": 20, "Ola": 5, "Per": 20, "Liv": 20}
    game = table(chips=chips, skip_broke=False)
    state = play(game, *round_(5, Kari=5), Throw("Kari", (6, 6)))
    assert (state.thrower, state.fader) == ("Kari", "Ola")
    assert game.prompt is not None
    assert game.prompt.wants == (ChoiceWanted("decline", "Ola"),)
    assert refused(game, Stake("Ola", 1)) == "not_enough_chips"


@pytest.mark.rule("R-BD-12")
def test_over_when_fewer_than_two_have_chips() -> None:
    game = table(FOUR[:2], chips={"Kari": 5, "Ola": 5})
    state = play(game, *round_(5, Kari=5), Throw("Kari", (6, 6)))
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
    game = table(end=End("rounds", 2))
    state = play(game, *round_(5, Kari=5), Throw("Kari", (6, 6)), Decline("Ola"))
    assert (state.rounds, state.phase, state.thrower) == (1, "stake", "Per")
    state = play(game, Stake("Liv", 5), Cover("Per", 5), Throw("Per", (6, 6)))
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.reason == "rounds"
    # equal chips share the place (A-BD-12)
    assert outcome.ranking == (("Kari", "Per"), ("Ola", "Liv"))


@pytest.mark.rule("R-BD-13", "BD-34", "A-BD-12")
def test_time_up_during_a_round_finishes_it() -> None:
    game = table(end=End("minutes", 30))
    assert game.prompt is not None
    assert game.prompt.want("stop") == ChoiceWanted("stop", "Kari", ("hand", "time"))
    play(game, *round_(5, Kari=5), Stop("time"), Throw("Kari", NOTHING))
    assert game.outcome() is None
    assert refused(game, Stop("hand")) == "too_late"
    play(game, Throw("Ola", (6, 6)))
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == ("time", ("Ola",))


@pytest.mark.rule("R-BD-13", "BD-34")
def test_stopped_by_hand_between_rounds() -> None:
    game = table()
    assert refused(game, Stop("time")) == "bad_choice"
    state = play(game, SideBet("Per", "Liv", 5), Stop())
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.winners, state.chips.escrow) == ("hand", FOUR, 0)


@pytest.mark.rule("A-BT-5", "R-GEN-4")
def test_vari_as_house_rule() -> None:
    assert refused(table(), Vari("Kari")) == "vari_off"
    game = table(vari=True)
    play(game, *round_(5, Kari=5))
    assert refused(game, Vari("Ola")) == "out_of_turn"
    play(game, Vari("Kari"), VoidThrow("Kari"))
    assert game.state.vari
    assert refused(game, Vari("Kari")) == "too_late"
    state = play(game, Throw("Kari", (1, 2)))
    # the mixed pair wins under Vari; the roles stay either way
    assert (state.winner, state.thrower, state.vari) == ("Kari", "Kari", False)


@pytest.mark.rule("BD-30", "BD-31", "BD-32", "BD-33")
def test_the_reasons_are_data() -> None:
    game = table()
    state = play(game, *round_(5, Kari=5), Throw("Kari", (4, 2)), Throw("Ola", (3, 1)))
    assert event(state, "dice_pass").who == "Kari"
    state = play(game, Throw("Kari", (4, 4)))
    kinds = [(one.kind, one.rule, one.who) for one in state.events]
    assert kinds == [
        ("throw", "R-BD-6", "Kari"),
        ("won", "R-BD-7", "Ola"),
        ("roles_move_on", "R-BD-8", "Ola"),
    ]
    assert (event(state, "won").amount, event(state, "won").total) == (5, 10)
