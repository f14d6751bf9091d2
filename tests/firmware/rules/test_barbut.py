"""Barbut with Vari, rule by rule (RULES.md, section 3)."""

from fractions import Fraction
from typing import Any

import pytest

from firmware.rules import (
    AmountWanted,
    Barbut,
    BarbutRules,
    Begin,
    ChoiceWanted,
    Decline,
    DiceWanted,
    End,
    Refused,
    Stop,
    Throw,
    Vari,
    VoidThrow,
    Wager,
    options,
)
from tests.firmware.rules.helpers import play, refused

FOUR = ("A", "B", "C", "D")
WIN, LOSE, NOTHING = (6, 6), (1, 1), (6, 4)


def table(seats: tuple[str, ...] = FOUR, chips: Any = 20, **rules: Any) -> Barbut:
    return Barbut(seats, BarbutRules(**rules), chips, thrower="A")


def won_by(game: Barbut, winner: str, stake: int = 1) -> tuple[str | None, str | None]:
    """A wager that `winner` wins with the first throw: who has the dice and meets whom."""
    by = game.state.thrower
    assert by is not None
    state = play(game, Wager(stake), Throw(by, WIN if by == winner else LOSE))
    assert state.winner == winner
    return state.thrower, state.opponent


@pytest.mark.rule("R-BT-1", "R-GEN-5", "BT-10", "BT-11", "A-BT-1")
def test_first_thrower_by_highest_die() -> None:
    game = Barbut(FOUR)
    state = play(game, *(Throw(who, (face,)) for who, face in zip(FOUR, (1, 2, 6, 5), strict=True)))
    assert (state.thrower, state.opponent, state.phase) == ("C", "D", "wager")
    state = play(Barbut(FOUR, BarbutRules(start="host")), Begin("D"))
    assert (state.thrower, state.opponent) == ("D", "A")


@pytest.mark.rule("R-BT-1")
def test_number_of_players() -> None:
    for seats in (["A"], [f"P{n}" for n in range(13)]):
        with pytest.raises(Refused) as caught:
            Barbut(seats)
        assert caught.value.code == "players"


@pytest.mark.rule("R-BT-2", "BT-3", "BT-5", "BT-11")
def test_wager() -> None:
    game = table(chips={"A": 20, "B": 7, "C": 20, "D": 20})
    assert game.prompt is not None
    assert game.prompt.wants == (AmountWanted("wager", "B", 1, 7), ChoiceWanted("decline", "B"))
    assert refused(game, Wager(8)) == "not_enough_chips"
    for amount in (0, -3, 1.5):
        assert refused(game, Wager(amount)) == "bad_amount"  # type: ignore[arg-type]
    assert refused(game, Wager(5, by="C")) == "out_of_turn"
    assert refused(game, Throw("A", WIN)) == "out_of_turn"
    state = play(game, Wager(7, by="A"))
    assert (state.chips.stacks["A"], state.chips.stacks["B"], state.chips.escrow) == (13, 0, 14)
    assert state.next_to_throw == "A"
    assert refused(game, Wager(1)) == "out_of_turn"


@pytest.mark.rule(
    "R-BT-3", "R-BT-4", "R-GEN-3", "BT-2", "BT-8", "BT-12", "BT-13", "BT-19", "A-BT-7"
)
def test_dice_pass_until_one_decides() -> None:
    game = table()
    play(game, Wager(5))
    for by, other in (("A", "B"), ("B", "A")) * 3:
        assert game.prompt is not None
        assert game.prompt.want("throw") == DiceWanted(by, 2)
        assert refused(game, Throw(other, WIN)) == "out_of_turn"
        state = play(game, Throw(by, NOTHING))
        assert (state.stake, state.chips.escrow) == (5, 10)
    state = play(game, Throw("A", NOTHING), Throw("B", (6, 5)))
    assert (state.winner, state.throws, state.transferred) == ("B", 8, 5)
    assert (state.chips.stacks["A"], state.chips.stacks["B"]) == (15, 25)


@pytest.mark.rule("R-BT-3", "BT-6", "BT-7")
@pytest.mark.parametrize("by", ["A", "B"])
def test_deciding_throws(by: str) -> None:
    other = "B" if by == "A" else "A"
    for dice in ((6, 6), (5, 5), (5, 6), (3, 3)):
        game = table()
        play(game, Wager(5), *([Throw("A", NOTHING)] if by == "B" else []))
        assert play(game, Throw(by, dice)).winner == by
    for dice in ((2, 2), (1, 1), (1, 2), (4, 4)):
        game = table()
        play(game, Wager(5), *([Throw("A", NOTHING)] if by == "B" else []))
        assert play(game, Throw(by, dice)).winner == other


@pytest.mark.rule("R-BT-5", "BT-14", "A-BT-2", "A-BT-8")
def test_the_winner_meets_the_next_seat() -> None:
    game = table()
    assert won_by(game, "A") == ("A", "C")
    assert won_by(game, "C") == ("C", "D")  # the seat after the last newcomer
    assert won_by(game, "C") == ("C", "A")
    assert won_by(game, "A") == ("A", "B")
    assert won_by(game, "B") == ("B", "C")
    two = table(("A", "B"))
    assert won_by(two, "B") == ("B", "A")
    assert won_by(two, "B") == ("B", "A")


@pytest.mark.rule("R-BT-5", "A-BT-2")
def test_the_winner_is_left_out_of_the_round() -> None:
    game = table()
    for opponent in ("C", "D", "B", "C"):
        assert won_by(game, "A") == ("A", opponent)


@pytest.mark.rule("R-BT-5", "A-BT-2")
def test_queue() -> None:
    game = table(next_opponent="queue")
    assert won_by(game, "A") == ("A", "C")  # queue D B
    assert won_by(game, "C") == ("C", "D")  # queue B A
    assert won_by(game, "C") == ("C", "B")  # queue A D; by seats it would be A
    assert won_by(game, "B") == ("B", "A")  # queue D C
    state = play(game, Decline("A"))
    assert (state.opponent, state.queue) == ("D", ("C", "A"))


@pytest.mark.rule("R-BT-5", "A-BT-2")
def test_the_other_direction() -> None:
    game = table(direction="clockwise")
    assert game.state.opponent == "D"
    assert won_by(game, "A") == ("A", "C")
    assert won_by(game, "C") == ("C", "B")


@pytest.mark.rule("R-BT-5", "A-BT-3")
def test_declining_asks_the_next_and_at_last_pauses() -> None:
    game = table()
    assert refused(game, Decline("C")) == "out_of_turn"
    state = play(game, Decline("B"))
    assert (state.phase, state.thrower, state.opponent) == ("wager", "A", "C")
    state = play(game, Decline("C"), Decline("D"))
    assert (state.phase, state.thrower, state.opponent) == ("paused", "A", "B")
    assert state.events[-1].kind == "paused"
    state = play(game, Decline("B"))
    assert (state.phase, state.opponent) == ("wager", "C")
    state = play(game, Decline("C"), Decline("D"), Wager(3))
    assert (state.phase, state.declined, state.opponent) == ("throw", (), "B")


@pytest.mark.rule("R-BT-5", "A-BT-3")
def test_who_can_not_pay_is_not_asked() -> None:
    game = table(chips={"A": 20, "B": 5, "C": 0, "D": 20})
    assert won_by(game, "A", 5) == ("A", "D")
    assert won_by(game, "A", 5) == ("A", "D")  # B has no chips any more


@pytest.mark.rule("R-BT-6", "R-GEN-4", "BT-15", "BT-17", "BT-18", "A-BT-4")
def test_vari() -> None:
    game = table()
    assert refused(game, Vari("A")) == "out_of_turn"
    play(game, Wager(5))
    assert refused(game, Vari("B")) == "out_of_turn"
    assert game.prompt is not None
    assert game.prompt.want("vari") == ChoiceWanted("vari", "A")
    state = play(game, Vari("A"), VoidThrow("A", "off_table"))
    assert state.vari
    assert game.prompt is not None
    assert game.prompt.want("vari") is None
    assert refused(game, Vari("A")) == "too_late"
    state = play(game, Throw("A", NOTHING))
    assert not state.vari
    state = play(game, Vari("B"), Throw("B", (6, 6)))
    assert (state.winner, state.events[0].vari) == ("A", True)
    assert state.events[0].meaning == "lose"
    assert refused(table(vari=False), Vari("A")) == "vari_off"


@pytest.mark.rule("R-BT-7", "BT-16", "A-BT-6")
def test_special_pay() -> None:
    pay = (("6-6", Fraction(1, 2)), ("1-1", Fraction(2, 3)))
    for dice, moved in (((6, 6), 2), ((1, 1), -3), ((5, 5), 5), ((2, 2), -5)):
        game = table(special_pay=pay)
        state = play(game, Wager(5), Throw("A", dice))
        assert state.transferred == abs(moved)
        assert state.chips.stacks["A"] == 20 + moved
        assert state.chips.escrow == 0
    # a call of Vari changes who wins, not what the throw pays
    state = play(game := table(special_pay=pay), Wager(5), Vari("A"), Throw("A", (1, 1)))
    assert (state.winner, state.transferred) == ("A", 3)
    assert game.state.events[1].row == "special_pay"


@pytest.mark.rule("R-BT-7")
def test_special_pay_in_json() -> None:
    rules = options.from_json(BarbutRules, {"special_pay": {"6-6": [1, 2], "1-1": "1/3"}})
    assert dict(rules.special_pay) == {"6-6": Fraction(1, 2), "1-1": Fraction(1, 3)}
    assert options.to_json(rules) == {"special_pay": {"6-6": [1, 2], "1-1": [1, 3]}}


@pytest.mark.rule("R-BT-8")
def test_the_end() -> None:
    game = table(("A", "B"), end=End("rounds", 2))
    won_by(game, "A")
    won_by(game, "A")
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.ranking) == ("rounds", (("A",), ("B",)))
    game = table(("A", "B"), chips=5)
    won_by(game, "B", 5)
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == ("broke", ("B",))
    game = table()
    play(game, Wager(5), Stop())
    assert game.outcome() is None
    play(game, Throw("A", WIN))
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.ranking) == ("hand", (("A",), ("C", "D"), ("B",)))


@pytest.mark.rule("R-GEN-1", "R-GEN-2", "A-GEN-1", "BT-9")
def test_dice_that_are_not_due() -> None:
    game = table()
    play(game, Wager(5))
    assert refused(game, Throw("A", (6,))) == "wrong_dice"
    assert refused(game, Throw("A", (6, 0))) == "bad_dice"
    assert refused(game, Throw("Nobody", (6, 6))) == "out_of_turn"
    assert play(game, VoidThrow("A", "cocked")).throws == 0
