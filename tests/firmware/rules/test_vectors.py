"""Every case and every table of the specification's `vectors.json`."""

import json
from pathlib import Path
from typing import Any

import pytest

from firmware.rules import GAMES, Refused, balut_sheet, bg_values, pairs
from firmware.rules.transcript import load

VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text(encoding="utf-8"))
CASES = [
    pytest.param({**case, "game": game}, id=case["id"])
    for game in GAMES
    for case in VECTORS[game]["vectors"]
]
BALUT = VECTORS["balut"]


def differences(expect: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    return {key: state.get(key, "missing") for key in expect if state.get(key) != expect[key]}


def test_there_are_all_104_cases() -> None:
    assert len(CASES) == 104


@pytest.mark.parametrize("case", CASES)
def test_case(case: dict[str, Any]) -> None:
    (transcript,) = load(json.dumps(case))
    assert not transcript.warnings
    game = GAMES[case["game"]].from_start(transcript.start)
    for step in transcript.steps:
        if step.act is None:
            assert not differences(dict(step.expect or {}), game.as_json())
        elif step.error is None:
            game.push(step.act)
        else:
            before = game.state
            with pytest.raises(Refused) as refused:
                game.push(step.act)
            assert refused.value.code == step.error
            assert game.state is before
    assert not differences(dict(transcript.expect), game.as_json())
    assert game.replay().state == game.state


@pytest.mark.parametrize("game", GAMES)
def test_state_has_every_key_at_any_time(game: str) -> None:
    keys: set[str] = set()
    for case in VECTORS[game]["vectors"]:
        for expect in (case["expect"], *(step.get("expect", {}) for step in case["steps"])):
            keys |= set(expect)
    low = {"barbudi": 2, "barbut": 2, "barbut_bg": 2, "balut": 1}[game]
    for players in (low, low + 1):
        fresh = GAMES[game].from_start({"players": [f"P{n}" for n in range(players)]})
        assert keys <= set(fresh.as_json())


def test_pairs() -> None:
    assert len(VECTORS["barbudi"]["classify"]) == 36
    for a, b, meaning in VECTORS["barbudi"]["classify"]:
        row = pairs.classify((a, b))
        assert pairs.meaning(row, vari=False) == meaning.replace("none", "nothing")
    for a, b, meaning in VECTORS["barbut"]["classify_vari"]:
        row = pairs.classify((a, b))
        assert pairs.meaning(row, vari=True) == meaning.replace("none", "nothing")


@pytest.mark.parametrize("game", ["barbudi", "barbut_bg"])
def test_constructor_errors(game: str) -> None:
    for case in VECTORS[game]["constructor_errors"]:
        players = [f"P{n}" for n in range(case["players"])]
        with pytest.raises(Refused) as refused:
            GAMES[game].from_start({"players": players})
        assert refused.value.code == case["error"]


def test_three_dice_table() -> None:
    assert len(VECTORS["barbut_bg"]["score_table"]) == 56 + 21 + 6
    for dice, points, scoring, kind in VECTORS["barbut_bg"]["score_table"]:
        value = bg_values.value(dice)
        assert (value.points, len(value.scoring), value.kind) == (points, scoring, kind)


def test_balut_cells() -> None:
    for cell in BALUT["cells"]:
        found = {row: balut_sheet.field_value(row, cell["dice"]) for row in balut_sheet.ROWS}
        assert found == cell["values"]
    for cell in BALUT["singapore"]["cells"]:
        for row, value in cell["values"].items():
            assert balut_sheet.field_value(row, cell["dice"], "singapore") == value


def test_balut_rows() -> None:
    for case in BALUT["rows"]:
        assert sum(case["fields"]) == case["sum"]
        assert balut_sheet.row_points(case["row"], case["fields"]) == case["points"]
    for case in BALUT["row_functions"]:
        assert balut_sheet.row_points(case["row"], [case["sum"]]) == case["points"]


def test_balut_addition() -> None:
    for case in BALUT["bonus"]:
        assert balut_sheet.addition(case["total"]) == case["points"]


def test_balut_sheets() -> None:
    for case in BALUT["sheets"]:
        count = balut_sheet.count({row: tuple(v) for row, v in case["sheet"].items()})
        assert count.dice_sum == case["total"]
        assert sum(points for _, points in count.rows) == case["category_points"]
        assert (count.addition, count.points) == (case["bonus"], case["points"])


def test_balut_ranking() -> None:
    for case in BALUT["ranking"]:
        results = {who: (points, total) for who, (points, total) in case["results"].items()}
        places = balut_sheet.rank(results, case["tiebreak"])
        assert [list(place) for place in places] == case["order"]


def test_balut_match() -> None:
    for case in BALUT["match"]:
        totals = {
            who: tuple(sum(game[who][part] for game in case["games"]) for part in (0, 1))
            for who in case["games"][0]
        }
        assert {who: list(both) for who, both in totals.items()} == case["totals"]
        results = {who: (points, total) for who, (points, total) in totals.items()}
        places = balut_sheet.rank(results, case["tiebreak"])
        assert [list(place) for place in places] == case["order"]
