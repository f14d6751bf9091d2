"""What all games share: acts and their JSON, prompts, house rules, replay, refusals."""

import ast
import doctest
import importlib
import pkgutil
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import firmware.rules
from firmware.rules import (
    GAMES,
    RULES,
    ActError,
    Balut,
    BalutRules,
    Bank,
    Barbudi,
    BarbudiRules,
    BarbutRules,
    ConfigError,
    Cover,
    End,
    Enter,
    FixedFee,
    Game,
    PercentFee,
    Refused,
    Stake,
    Throw,
    Wager,
    acts,
    options,
)
from firmware.rules.bank import Chips
from firmware.rules.events import EVENTS
from firmware.rules.game import CODES

PACKAGE = Path(firmware.rules.__file__).parent
ONE_LINE = r"(?s)^[^\n]+$"
SECTION_11 = set(
    """
    out_of_turn bad_amount not_enough_chips over_cover fixed_stake two_shot_off side_bets_off
    not_passive bad_side_bet too_late vari_off bad_dice wrong_dice nothing_to_bank no_throws_left
    keep_not_on_table not_thrown row_full bad_category players game_over
    """.split()  # noqa: SIM905
)


def test_the_examples_in_the_docstrings_run() -> None:
    run = 0
    for info in pkgutil.iter_modules([str(PACKAGE)]):
        module = importlib.import_module(f"firmware.rules.{info.name}")
        result = doctest.testmod(module)
        assert result.failed == 0, info.name
        run += result.attempted
    assert run > 20


def test_codes_are_those_of_the_rules_and_every_refusal_uses_one() -> None:
    assert set(CODES) > SECTION_11
    used = set()
    for path in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refused":
                assert isinstance(node.args[0], ast.Constant)
                used.add(node.args[0].value)
    assert used == set(CODES)


def test_every_kind_of_event_is_listed_and_used() -> None:
    source = "".join(path.read_text("utf-8") for path in PACKAGE.glob("*.py"))
    for kind in EVENTS:
        quoted = f'"{kind}"' if not kind.startswith("roles_") else 'f"roles_{roles}"'
        assert quoted in source, kind


@pytest.mark.parametrize("game", GAMES)
def test_an_act_of_another_game_is_refused(game: str) -> None:
    seats = ["A", "B"]
    first: dict[str, Any] = {"barbut_bg": {"turn": "A"}, "balut": {"order": seats}}.get(
        game, {"thrower": "A"}
    )
    one = GAMES[game].from_start({"players": seats, **first})
    foreign = {"barbudi": Wager(1), "barbut": Bank("A"), "barbut_bg": Enter("A", "choice")}
    with pytest.raises(Refused) as caught:
        one.push(foreign.get(game, Stake("A", 1)))
    assert caught.value.code == "not_in_game"


def test_refused_says_why_as_data() -> None:
    game = Barbudi(["A", "B"], chips=5, thrower="A")
    with pytest.raises(Refused) as caught:
        game.push(Stake("B", 6))
    assert caught.value.details == {"by": "B", "amount": 6, "high": 5}
    assert str(caught.value) == "not_enough_chips (by='B', amount=6, high=5)"


def test_pop_without_acts() -> None:
    with pytest.raises(IndexError):
        Barbudi(["A", "B"]).pop()


def test_states_are_frozen_and_games_do_not_share_them() -> None:
    game = Barbudi(["A", "B"], chips=5, thrower="A")
    with pytest.raises(FrozenInstanceError):
        game.state.phase = "over"  # type: ignore[misc]
    other = game.replay()
    other.push(Stake("B", 1))
    assert game.state.phase == "stake"
    assert game.acts == ()


def test_pop_over_the_end_of_rounds_and_games() -> None:
    game = Barbudi(["A", "B"], BarbudiRules(end=End("rounds", 2)), 9, "A")
    states = [game.state]
    for _ in range(2):
        for act in (Stake("B", 2), Cover("A", 2), Throw("A", (6, 6))):
            states.append(game.push(act))
    assert game.outcome() is not None
    while game.acts:
        assert game.state is states.pop()
        game.pop()
    assert game.state is states.pop()


def test_transcript_comes_back_as_the_same_game() -> None:
    game = Balut(["Eva", "Nils"], BalutRules(games=2), ["Nils", "Eva"])
    game.push(Throw("Nils", (6, 6, 6, 5, 5)))
    game.push(Throw("Nils", (1,), keep=(6, 6, 6, 5)))
    transcript = game.transcript()
    assert transcript["version"] == 1
    assert transcript["steps"][1] == {
        "op": "throw",
        "by": "Nils",
        "dice": [1],
        "keep": [6, 6, 6, 5],
    }
    again: Game[Any] = GAMES[transcript["game"]].from_start(transcript)
    for step in transcript["steps"]:
        again.push(acts.from_json(step))
    assert again.state == game.state


# --- acts in JSON --------------------------------------------------------------------------------


def any_act() -> st.SearchStrategy[acts.Act]:
    return st.one_of(*(st.from_type(kind) for kind in acts.ACTS.values()))


@given(any_act())
def test_acts_survive_their_json(act: acts.Act) -> None:
    data = acts.to_json(act)
    assert data["op"] == act.op
    assert acts.from_json(data) == act


def test_the_json_of_an_act_leaves_defaults_out() -> None:
    assert acts.to_json(Stake("Ola", 5)) == {"op": "stake", "by": "Ola", "amount": 5}
    assert acts.to_json(Wager(3)) == {"op": "wager", "amount": 3}
    assert acts.to_json(Throw("A", (6, 5), ())) == {
        "op": "throw",
        "by": "A",
        "dice": [6, 5],
        "keep": [],
    }


@pytest.mark.parametrize(
    ("data", "message", "field"),
    [
        ({}, 'a step needs an "op"', "op"),
        ({"op": 3}, 'a step needs an "op"', "op"),
        ({"op": "covr"}, 'unknown op "covr"; did you mean "cover"?', "op"),
        ({"op": "cover", "by": "A"}, 'cover: the field "amount" is missing', None),
        ({"op": "vari", "by": "A", "x": 1}, 'vari: unknown field "x"', "x"),
        ({"op": "cover", "by": "A", "amout": 1}, 'did you mean "amount"?', "amout"),
        ({"op": "cover", "by": 3, "amount": 1}, 'cover: "by" must be a text', "by"),
        ({"op": "cover", "by": "A", "amount": "1"}, '"amount" must be a number', "amount"),
        ({"op": "cover", "by": "A", "amount": True}, '"amount" must be a number', "amount"),
        ({"op": "throw", "by": "A", "dice": 6}, '"dice" must be a list of faces', "dice"),
        ({"op": "throw", "by": "A", "dice": ["6"]}, '"dice" must be a list of faces', "dice"),
        (
            {"op": "stake", "by": "A", "amount": 1, "two_shot": 1},
            "must be true or false",
            "two_shot",
        ),
    ],
)
def test_what_is_no_act(data: dict[str, Any], message: str, field: str | None) -> None:
    with pytest.raises(ActError, match=ONE_LINE) as caught:
        acts.from_json(data)
    assert message in str(caught.value)
    assert caught.value.field == field


# --- house rules ---------------------------------------------------------------------------------

SECTION_6 = {
    "barbudi": {
        "start": "highest_die",
        "starting_chips": 50,
        "fixed_stake": None,
        "side_bets": True,
        "two_shot": False,
        "two_shot_rotation": "after_second_shot",
        "two_player_pass": "swap",
        "house_fee": None,
        "skip_broke": True,
        "end": End("manual"),
        "vari": False,
    },
    "barbut": {
        "start": "highest_die",
        "starting_chips": 50,
        "vari": True,
        "special_pay": (),
        "next_opponent": "seat",
        "direction": "counter-clockwise",
        "end": End("manual"),
    },
    "barbut_bg": {
        "start": "highest_die",
        "direction": "clockwise",
        "opening": "both",
        "opening_scores": True,
        "restore": "immediate",
        "target": 5550,
        "finish": "at_least",
        "auto_bank": True,
        "max_throws": 0,
        "set_aside": "all",
    },
    "balut": {"start": "highest_die", "tiebreak": "dice_sum", "games": 1, "variant": "standard"},
}


@pytest.mark.parametrize("game", GAMES)
def test_every_key_of_section_6_with_its_default(game: str) -> None:
    known = options.options_of(RULES[game])
    assert {key: default for key, (_, default) in known.items()} == SECTION_6[game]
    assert options.from_json(RULES[game], {}) == RULES[game]()
    assert options.to_json(RULES[game]()) == {}


@pytest.mark.parametrize(
    ("kind", "config"),
    [
        (BarbudiRules, {"house_fee": {"mode": "percent", "rate_bp": 250}}),
        (BarbudiRules, {"house_fee": {"mode": "fixed", "amount": 1}, "two_shot": True}),
        (BarbudiRules, {"end": {"mode": "rounds", "rounds": 20}, "fixed_stake": 5}),
        (BarbudiRules, {"end": {"mode": "minutes", "minutes": 45}, "vari": True}),
        (BarbutRules, {"special_pay": {"1-1": [2, 3]}, "direction": "clockwise"}),
        (BalutRules, {"variant": "singapore", "games": 3, "tiebreak": "none"}),
    ],
)
def test_house_rules_survive_their_json(kind: type[Any], config: dict[str, Any]) -> None:
    assert options.to_json(options.from_json(kind, config)) == config


def test_other_ways_to_write_them() -> None:
    rules = options.from_json(
        BarbudiRules,
        {"two_shot": "on", "side_bets": "off", "fixed_stake": "none", "end": {"rounds": 3}},
    )
    assert rules == BarbudiRules(two_shot=True, side_bets=False, end=End("rounds", 3))
    assert options.from_json(BarbutRules, {"direction": "counter_clockwise"}) == BarbutRules()
    assert options.from_json(BalutRules, {"start": "host_names"}) == BalutRules(start="host")


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"two_shott": True}, 'unknown house rule "two_shott"; did you mean "two_shot"?'),
        ({"qqq": True}, 'unknown house rule "qqq"; there are start, starting_chips'),
        ({"two_shot": 1}, 'house rule "two_shot" must be true or false'),
        ({"two_player_pass": "swop"}, 'one of swap, stay; did you mean "swap"?'),
        ({"starting_chips": 0}, "a whole number from 1"),
        ({"starting_chips": None}, "a whole number from 1"),
        ({"fixed_stake": 2.5}, "a whole number from 1, or null"),
        ({"house_fee": {"mode": "percent", "rate_bp": 10_001}}, '"rate_bp": 0 to 10000'),
        ({"house_fee": {"mode": "fixed", "amount": -1}}, '"mode": "fixed"'),
        ({"house_fee": {"mode": "fixed", "amount": 1, "rate_bp": 2}}, '"mode": "fixed"'),
        ({"end": {"rounds": 0}}, '"mode": "rounds"'),
        ({"end": 3}, '"mode": "rounds"'),
    ],
)
def test_what_is_no_house_rule(config: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=ONE_LINE) as caught:
        options.from_json(BarbudiRules, config)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "pay", [{"5-5": [1, 2]}, {"6-6": [3, 2]}, {"6-6": [1, 0]}, {"6-6": "half"}, {"6-6": 1}, [1]]
)
def test_what_is_no_special_pay(pay: Any) -> None:
    with pytest.raises(ConfigError, match="special_pay"):
        options.from_json(BarbutRules, {"special_pay": pay})


def test_rules_built_in_code_are_checked_too() -> None:
    bad: list[Any] = [{"two_shot_rotation": "never"}, {"house_fee": PercentFee(-1)}, {"end": "x"}]
    for values in bad:
        with pytest.raises(ConfigError):
            Barbudi(["A", "B"], BarbudiRules(**values))
    assert Barbudi(["A", "B"], BarbudiRules(house_fee=FixedFee(0))).prompt is not None


def test_the_bank_guards_itself() -> None:
    chips = Chips({"A": 3, "B": 0})
    for who, amount in (("A", 4), ("B", 1), ("A", -1)):
        with pytest.raises(ValueError, match="can not put up"):
            chips.put_up((who, amount))
    with pytest.raises(ValueError, match="escrow"):
        chips.put_up(("A", 2)).pay_out([("B", 3)])
    assert chips.put_up(("A", 2)).pay_out([("B", 1)], fee=1).total == chips.total
