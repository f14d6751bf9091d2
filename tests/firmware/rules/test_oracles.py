"""The oracle numbers of section 10, recomputed from the engine; exactly where they are exact."""

import json
import random
from fractions import Fraction
from pathlib import Path
from statistics import mean

import pytest

from firmware.rules import Bank, BarbutBg, Throw, odds_balut, odds_bg, odds_chips
from firmware.rules.balut_sheet import addition
from firmware.rules.first import FirstThrow, throw

ORACLES = json.loads((Path(__file__).parent / "vectors.json").read_text("utf-8"))["oracles"]
BARBUDI, BG, BALUT = ORACLES["barbudi"], ORACLES["barbut_bg"], ORACLES["balut"]
GO_ON = {"thrower whole": "+1", "split": "0", "fader whole": "-1"}
STOP = {"thrower +S": "+1", "thrower +S/2": "+1/2", "fader +S/2": "-1/2", "fader +S": "-1"}


@pytest.mark.rule("O-BD-1", "BT-2", "BT-4", "A-BT-7")
def test_o_bd_1_throws() -> None:
    counts = odds_chips.throws()
    for mine, theirs in (("ordered", "outcomes_of_36"), ("unordered", "unordered_pairs")):
        known = {key.replace("none", "nothing"): n for key, n in BARBUDI[theirs].items()}
        assert counts[mine] == known


@pytest.mark.rule("O-BD-2", "O-BD-3", "O-BD-4", "O-BD-5")
def test_o_bd_2_to_5_round() -> None:
    found = odds_chips.plain_round()
    exact = {
        "thrower wins": "P_thrower_wins",
        "a throw decides": "P_throw_decides",
        "mean throws": "E_throws",
        "variance of throws": "Var_throws",
        "decided by the thrower's throw": "P_decided_on_throwers_throw",
        "decided by the fader's throw": "P_decided_on_faders_throw",
        "roles stay": "P_roles_stay",
        "roles move on": "P_roles_move_on",
        "mean rounds with the same pair": "E_rounds_with_same_pair",
    }
    for mine, theirs in exact.items():
        assert found[mine] == Fraction(BARBUDI[theirs])
    joint = {key.replace(", ", ", roles "): Fraction(n) for key, n in BARBUDI["joint"].items()}
    assert {key: found[key] for key in joint} == joint
    vari = odds_chips.thrower_wins_with_vari()
    assert set(vari.values()) == {Fraction(BARBUDI["P_thrower_wins_with_any_vari_calls"])}


@pytest.mark.rule("O-BD-2", "O-BD-3", "O-BD-4", "BT-5")
def test_o_bd_2_to_4_in_barbut() -> None:
    found = odds_chips.wager()
    assert found["who throws first wins"] == Fraction(BARBUDI["P_thrower_wins"])
    assert found["mean throws"] == Fraction(BARBUDI["E_throws"])
    assert found["variance of throws"] == Fraction(BARBUDI["Var_throws"])
    first = Fraction(BARBUDI["P_decided_on_throwers_throw"])
    assert found["decided by a throw of the first"] == first
    for calls in (("first",), ("second",), ("first", "second")):
        found = odds_chips.wager(lambda by, calls=calls: by in calls)
        assert found["who throws first wins"] == Fraction(1, 2)


@pytest.mark.rule("O-BD-3")
def test_o_bd_3_number_of_throws() -> None:
    known = {int(count): chance for count, chance in BARBUDI["P_N_le"].items()}
    found = odds_chips.within(tuple(known))
    assert {count: float(chance) for count, chance in found.items()} == pytest.approx(known)
    small = odds_chips.within((1, 2, 3, 14, 15, 21, 22))
    assert small[1] == Fraction(BARBUDI["P_first_throw_decides"])
    assert small[2] < Fraction(1, 2) <= small[BARBUDI["median_throws"]]
    assert small[14] < 0.99 <= small[15]
    assert small[21] < 0.999 <= small[22]


@pytest.mark.rule("O-BD-6", "O-BD-7")
def test_o_bd_6_and_7_two_shot() -> None:
    found, known = odds_chips.two_shot(), BARBUDI["two_shot"]
    assert found["first decision is whole"] == Fraction(known["P_first_decision_whole"])
    assert found["first decision is half"] == Fraction(known["P_first_decision_half"])
    for key, net in STOP.items():
        assert found[f"always stop: thrower {net} S"] == Fraction(known["always_stop"][key])
    for key, net in GO_ON.items():
        assert found[f"always go on: thrower {net} S"] == Fraction(known["always_go_on"][key])
    assert found["always go on: mean throws"] == Fraction(known["E_throws_go_on"])
    variance = known["variance_of_net_per_S2"]
    assert found["always stop: variance"] == Fraction(variance["stop"])
    assert found["always go on: variance"] == Fraction(variance["go_on"])
    plain = odds_chips.plain_round()["variance of the net result (stakes squared)"]
    assert plain == Fraction(variance["plain"])


@pytest.mark.rule("O-BD-8")
def test_o_bd_8_fees() -> None:
    known = BARBUDI["half_pay_on_6-6_and_1-1"]["EV_backing_win_set_per_decided_bet"]
    assert odds_chips.one_sided_pay() == Fraction(known)
    cost = Fraction(BARBUDI["fee_2.5_percent_of_pot_EV_per_unit_stake"])
    assert odds_chips.fee_cost() == cost
    assert odds_chips.special_pay_mean() == 0


@pytest.mark.rule("O-BD-9")
def test_o_bd_9_unique_highest() -> None:
    for players, chance in BARBUDI["P_unique_highest_of_n_dice"].items():
        assert odds_chips.unique_highest(int(players)) == Fraction(chance)


@pytest.mark.rule("O-BD-9")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_o_bd_9_by_the_contest_itself(players: int) -> None:
    names = tuple("ABCD"[:players])
    found = 0
    todo = [(FirstThrow(names), 0)]
    while todo:
        contest, depth = todo.pop()
        for face in range(1, 7):
            after, beginner, _ = throw(contest, "highest_die", Throw(names[depth], (face,)), 1)
            found += beginner is not None
            if after is not None and after.rounds == 1:
                todo.append((after, depth + 1))
    assert Fraction(found, 6**players) == odds_chips.unique_highest(players)


@pytest.mark.rule("O-BG-1")
def test_o_bg_1_throws() -> None:
    for dice, known in BG["by_dice_thrown"].items():
        found = odds_bg.by_dice(int(dice))
        assert found["scores"] == Fraction(known["P_score"])
        assert found["nothing"] == Fraction(known["P_none"])
        assert found["6-6-6"] == Fraction(known["P_wipe"])
        assert found["mean value"] == Fraction(known["E_points"])
        assert found["all dice score"] == Fraction(known["P_all_three_again"])
        points = {str(value): n for value, n in odds_bg.ways_by_points(int(dice)).items()}
        assert points == known["count_by_points"]
        scoring = {str(n): ways for n, ways in odds_bg.ways_by_scoring_dice(int(dice)).items()}
        assert scoring == known["count_by_scoring_dice"]
    assert odds_bg.by_dice(3)["6-6-6"] == Fraction(BG["P_restore"])


@pytest.mark.rule("O-BG-2")
def test_o_bg_2_opening() -> None:
    readings = ("both", "either", "only", "scoring")
    for reading, known in zip(readings, BG["opening"].values(), strict=True):
        assert odds_bg.opening(reading)[0] == Fraction(known)
    chance, worth = odds_bg.opening("both")
    assert 1 / chance == Fraction(BG["E_opening_attempts_both"])
    assert worth == Fraction(BG["E_points_of_opening_throw_both"])


@pytest.mark.rule("O-BG-3")
def test_o_bg_3_best_stopping() -> None:
    assert odds_bg.throw_limits() == {3: 450, 2: 100, 1: 50}
    known = BG["risk_neutral_turn_policy"]["E_turn_points"]
    assert float(odds_bg.mean_turn()) == pytest.approx(known, abs=5e-5)


@pytest.mark.rule("O-BG-4")
def test_o_bg_4_turns_to_the_target() -> None:
    known = BG["one_player_to_5550_simulated"]
    for reading in ("both", "either"):
        # Theirs is a simulation of 4000 games: its mean is uncertain by a quarter of a turn.
        found = odds_bg.mean_turns_to(5550, reading)
        assert found == pytest.approx(known[reading]["mean_turns"], abs=0.75)


@pytest.mark.rule("O-BG-4")
def test_o_bg_4_played_by_the_game_itself() -> None:
    chance = random.Random(1979)
    limits = odds_bg.throw_limits()
    turns = []
    for _ in range(150):
        game = BarbutBg(["Ana", "Boris"], turn="Ana")
        count = 0
        while game.outcome() is None:
            state = game.state
            assert state.turn is not None
            assert state.dice_next is not None
            count += state.phase == "throw" and state.turn == "Ana" and not state.recovery
            if state.turn == "Boris":
                game.push(Throw("Boris", (2, 2, 3)))  # never opens
            elif state.phase == "choice" and state.turn_points > limits[state.dice_next]:
                game.push(Bank("Ana"))
            else:
                dice = tuple(chance.randint(1, 6) for _ in range(state.dice_next))
                game.push(Throw("Ana", dice))
        turns.append(count)
    # 150 games of a standard deviation of some 15 turns: three standard errors are under 4.
    assert mean(turns) == pytest.approx(odds_bg.mean_turns_to(5550), abs=4)


@pytest.mark.rule("O-BL-1")
def test_o_bl_1_sheets() -> None:
    sheets = odds_balut.sheets()
    totals = {total for number in sheets.values() for total in odds_balut.bits(number)}
    assert (min(totals), max(totals)) == (BALUT["min_total"], BALUT["max_total"])
    assert totals == set(range(20, 813))
    points = {
        row + addition(total) for row, number in sheets.items() for total in odds_balut.bits(number)
    }
    assert points == set(range(BALUT["min_points"], BALUT["max_points"] + 1))
    assert min(odds_balut.bits(sheets[23])) == BALUT["all_category_points_min_total"]
    values = {row: odds_balut.field_values(row) for row in BALUT["max_field"]}
    assert {row: max(found) for row, found in values.items()} == BALUT["max_field"]
    assert sorted(values["house"] - {0}) == BALUT["house_values"]
    singapore = [max(odds_balut.field_values(row, "singapore")) for row in BALUT["max_field"]]
    assert sum(singapore) == BALUT["singapore_max"]


@pytest.mark.rule("O-BL-2")
def test_o_bl_2_one_throw() -> None:
    names = ("balut", "four alike + 1", "house", "small straight", "large straight")
    assert list(odds_balut.one_throw().values()) == [BALUT["one_throw_of_7776"][n] for n in names]


@pytest.mark.rule("O-BL-3", "O-BL-4", "O-BL-5", "O-BL-6")
@pytest.mark.parametrize(("throws", "key"), [(3, "three"), (2, "two")])
def test_o_bl_3_to_6_best_play(throws: int, key: str) -> None:
    known = {name: Fraction(n) for name, n in BALUT[f"{key}_throws_best_play"].items()}
    names = {
        "balut of any face": "balut any face",
        "balut of one given face": "balut of 3s",
        "straight of either kind": "straight any",
        "small straight": "straight small 1-5",
        "large straight": "straight large 2-6",
        "house": "house (3+2, five alike is no house)",
        "house of 28": "house 28 (6-6-6-5-5)",
        "four or more alike": "four or more of any face",
    }
    found = odds_balut.chances(throws)
    assert found == {mine: known[theirs] for mine, theirs in names.items()}
    for count in range(1, 6):
        assert odds_balut.alike(count, throws) == known[f">={count} of one given face (4)"]
    means = odds_balut.field_means(throws)
    assert means == {row: known[f"E {row}"] for row in means}


@pytest.mark.rule("O-BL-5")
def test_o_bl_5_each_die() -> None:
    assert Fraction(odds_balut.field_means()["fours"], 4 * 5) * 216 == 91


@pytest.mark.rule("O-BL-7")
def test_o_bl_7_pure_rows() -> None:
    found, known = odds_balut.pure_rows(), BALUT["pure_row_probabilities"]
    for row in ("fours", "fives", "sixes"):
        assert found[row] == pytest.approx(known["fours/fives/sixes row met"], abs=5e-7)
    assert found["straight"] == pytest.approx(known["straight row"], abs=5e-7)
    assert found["house"] == pytest.approx(known["house row"], abs=5e-7)
    assert found["choice"] == pytest.approx(known["choice row (best play)"], abs=5e-7)
    assert found["balut"] == pytest.approx(known["E points balut row"], abs=5e-7)


@pytest.mark.rule("O-BL-8")
@pytest.mark.parametrize(
    ("variant", "key"),
    [
        ("standard", "best_expected_dice_sum_28_fields"),
        ("singapore", "best_expected_total_singapore"),
    ],
)
def test_o_bl_8_best_mean_sum(variant: str, key: str) -> None:
    assert odds_balut.best_mean_sum(variant) == pytest.approx(BALUT[key], abs=5e-5)
