"""`dicetable judge`, `dicetable rules` and `dicetable odds`: what they print and return."""

import argparse
import importlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

from firmware.rules import GAMES

VECTORS = json.loads((Path(__file__).parent / "rules" / "vectors.json").read_text("utf-8"))
CASES = [{**case, "game": game} for game in GAMES for case in VECTORS[game]["vectors"]]
ROUND: dict[str, Any] = {
    "game": "barbudi",
    "players": ["Kari", "Ola"],
    "chips": {"Kari": 20, "Ola": 20},
    "thrower": "Kari",
    "steps": [
        {"op": "stake", "by": "Ola", "amount": 5},
        {"op": "cover", "by": "Kari", "amount": 5},
        {"op": "throw", "by": "Kari", "dice": [4, 4]},
    ],
}


def run(command: str, *arguments: str) -> int:
    module = importlib.import_module(f"firmware.commands.{command}")
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    return int(module.run(parser.parse_args(arguments)))


@pytest.fixture
def judge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Judge a value or a text: the status, the lines, what stands on stderr."""

    def call(content: Any, *options: str) -> tuple[int, list[str], str]:
        path = tmp_path / "transcript.json"
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
        status = run("judge", *options, str(path))
        out, err = capsys.readouterr()
        return status, out.splitlines(), err

    return call


def test_all_vectors_as_one_file(judge: Any) -> None:
    status, lines, err = judge(CASES, "--json")
    assert (status, err) == (0, "")
    assert len(lines) == sum(len(case["steps"]) for case in CASES)
    steps = [(case["id"], n, step) for case in CASES for n, step in enumerate(case["steps"], 1)]
    for line, (id_, number, step) in zip(map(json.loads, lines), steps, strict=True):
        assert list(line) == ["id", "step", "op", "refused", "state"]
        assert (line["id"], line["step"], line["op"]) == (id_, number, step["op"])
        assert line["refused"] == step.get("error")
        for key, value in step.get("expect", {}).items():
            assert line["state"][key] == value


@pytest.mark.parametrize("game", GAMES)
def test_one_vector_with_every_state_key_always(judge: Any, game: str) -> None:
    keys = {key for case in VECTORS[game]["vectors"] for key in case["expect"]}
    for case in VECTORS[game]["vectors"]:
        for step in case["steps"]:
            keys |= set(step.get("expect", {}))
    for case in VECTORS[game]["vectors"]:
        status, lines, _ = judge({**case, "game": game}, "--json")
        assert status == 0
        for line in lines:
            assert keys <= set(json.loads(line)["state"])


def test_without_id(judge: Any) -> None:
    status, lines, _ = judge(ROUND, "--json")
    assert status == 0
    assert [json.loads(line)["id"] for line in lines] == [None] * 3


def test_a_game_from_its_very_beginning(judge: Any) -> None:
    first = [
        {"op": "throw", "by": "Kari", "dice": [2]},
        {"op": "throw", "by": "Ola", "dice": [5]},
        {"op": "check", "expect": {"thrower": "Ola", "fader": "Kari", "phase": "stake"}},
    ]
    start = {"game": "barbudi", "players": ["Kari", "Ola"]}
    status, lines, err = judge({**start, "steps": first}, "--json")
    assert (status, len(lines), err) == (0, 3, "")


def test_story_for_people(judge: Any) -> None:
    status, lines, err = judge({**ROUND, "id": "X", "title": "A round"})
    assert (status, err) == (0, "")
    text = "\n".join(lines)
    assert "X: A round" in text
    assert "4-4" in text
    assert all(name in text for name in ROUND["players"])


def test_story_of_all_vectors(judge: Any) -> None:
    status, lines, err = judge(CASES)
    assert (status, err) == (0, "")
    assert len(lines) > len(CASES)


# --- status 1: it went otherwise -----------------------------------------------------------------


def test_a_step_that_is_refused(judge: Any) -> None:
    steps = [*ROUND["steps"][:2], {"op": "throw", "by": "Ola", "dice": [6, 6]}]
    status, lines, err = judge({**ROUND, "id": "X", "steps": steps}, "--json")
    assert status == 1
    assert json.loads(lines[-1])["refused"] == "out_of_turn"
    assert json.loads(lines[-1])["state"] == json.loads(lines[-2])["state"]
    assert "X, step 3 (throw): out_of_turn" in err


def test_a_step_that_should_be_refused(judge: Any) -> None:
    steps = [{**ROUND["steps"][0], "error": "bad_amount"}]
    status, lines, err = judge({**ROUND, "steps": steps}, "--json")
    assert status == 1
    assert json.loads(lines[0])["refused"] is None
    assert "step 1 (stake): allowed, expected bad_amount" in err


def test_a_wrong_expectation(judge: Any) -> None:
    status, _, err = judge({**ROUND, "expect": {"pot": 11}}, "--json")
    assert status == 1
    assert "at the end: pot is 10, expected 11" in err
    check = {"op": "check", "expect": {"pott": 1}}
    status, lines, err = judge({**ROUND, "steps": [check]}, "--json")
    assert (status, json.loads(lines[0])["op"]) == (1, "check")
    assert 'there is no "pott" in the state' in err


@pytest.mark.parametrize(
    ("players", "chips"),
    [(["A"], 20), (["A", "A"], 20), ([f"P{n}" for n in range(13)], 20), (["A", "B"], 1.5)],
)
def test_a_start_that_is_refused(judge: Any, players: list[str], chips: Any) -> None:
    start = {"game": "barbudi", "players": players, "chips": chips, "steps": []}
    status, lines, err = judge(start, "--json")
    code = "players" if chips == 20 else "bad_chips"
    assert status == 1
    assert json.loads(lines[0])["refused"] == code
    assert code in err
    assert judge({**start, "error": code}, "--json")[0] == 0
    assert judge({**ROUND, "error": "players"}, "--json")[0] == 1


@pytest.mark.parametrize("amount", [0, -1, 2.5, 21, 10**30])
def test_strange_stakes_are_refused_not_unreadable(judge: Any, amount: Any) -> None:
    steps = [{"op": "stake", "by": "Ola", "amount": amount}]
    status, lines, _ = judge({**ROUND, "steps": steps}, "--json")
    code = "not_enough_chips" if amount in (21, 10**30) else "bad_amount"
    assert (status, json.loads(lines[0])["refused"]) == (1, code)


@pytest.mark.parametrize("dice", [[6], [6, 6, 6], [], [0, 6], [6, 7], [6, 2.5]])
def test_strange_dice_are_refused_not_unreadable(judge: Any, dice: list[Any]) -> None:
    steps = [*ROUND["steps"][:2], {"op": "throw", "by": "Kari", "dice": dice}]
    status, lines, _ = judge({**ROUND, "steps": steps}, "--json")
    code = "wrong_dice" if len(dice) != 2 else "bad_dice"
    assert (status, json.loads(lines[-1])["refused"]) == (1, code)


# --- status 2: it can not be read ----------------------------------------------------------------

STEPS = '{"game": "balut", "players": ["Eva"], "order": ["Eva"],\n "steps": [\n  %s\n ]}'


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "this is no JSON"),
        ('{"game":\n "balut"\n "x"', 3, "this is no JSON"),
        ("[]", 1, "the list is empty"),
        ("3", 1, "a transcript must be an object"),
        ('[\n{"players": []}]', 2, 'the key "game" is missing'),
        ('{\n"game": "chess", "players": [], "steps": []}', 2, "unknown game 'chess'"),
        ('{"game": "balut", "players": ["Eva"],\n"steps": {}}', 2, '"steps" must be a list'),
        ('{"game": "balut",\n"players": [1], "steps": []}', 2, '"players" must be a list of names'),
        (
            '{"game": "balut",\n"players": null, "steps": []}',
            2,
            '"players" must be a list of names',
        ),
        (STEPS.replace('["Eva"],', '[],\n"sheets": {"Eva": []},', 1) % "", 2, '"sheets" must be'),
        (STEPS % "3", 3, "a step must be an object"),
        (STEPS % '{"op": "thrw"}', 3, 'unknown op "thrw"; did you mean "throw"?'),
        (STEPS % '{"by": "Eva"}', 3, 'a step needs an "op"'),
        (STEPS % '{"op": "enter",\n "by": "Eva"}', 3, 'the field "category" is missing'),
        (STEPS % '{"op": "enter",\n "by": 3, "category": "x"}', 4, '"by" must be a text'),
        (STEPS % '{"op": "throw", "by": "Eva",\n "dice": "66"}', 4, '"dice" must be a list'),
        (STEPS % '{"op": "throw", "by": "Eva", "dice": [6], "error": 3}', 3, "a refusal code"),
        (STEPS % '{"op": "check"}', 3, 'a check must have "expect"'),
        ('{"version": 2, "game": "new",\n"moves": []}', 1, "of version 2, this judge reads up to"),
        (
            '{"game": "balut", "players": [], "config": {\n"variant": "singapor"},"steps": []}',
            2,
            'did you mean "singapore"?',
        ),
        ('{"game": "balut", "config": {\n"x": 1}, "players": [], "steps": []}', 2, "unknown house"),
        ('{"game": "balut", "players": ["Eva"], "steps": [\n{"op": "vari", "x": 1}]}', 2, '"x"'),
        ("[" * 100_000, 1, "nested too deeply"),
        ('{"version": ' + "9" * 5000 + "}", 1, "line 1"),
    ],
)
def test_unreadable(judge: Any, text: str, line: int, reason: str) -> None:
    status, lines, err = judge(text, "--json")
    assert (status, lines) == (2, [])
    assert f"line {line}: " in err
    assert reason in err
    assert err.count("\n") == 1


def test_no_file_and_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\xff\xfe")
    for path in (tmp_path / "missing.json", tmp_path, picture):
        assert run("judge", str(path)) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert str(path) in err


def test_unknown_keys_are_told_and_remarks_are_not(judge: Any) -> None:
    steps = [{**ROUND["steps"][0], "note": "he hesitates"}]
    status, lines, err = judge({**ROUND, "thrwer": "Kari", "steps": steps}, "--json")
    assert (status, len(lines)) == (0, 1)
    assert 'the key "thrwer" is unknown and ignored; did you mean "thrower"?' in err


def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(ROUND)))
    assert run("judge", "--json", "-") == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


# --- rules, odds ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_rules(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("rules", game) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Players"
    assert max(map(len, lines)) < 120


def test_rules_under_house_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("rules", "barbudi", "--config", '{"fixed_stake": 9}') == 0
    assert "exactly 9 chips" in capsys.readouterr().out
    for bad in ("{", "[]", '{"fixd_stake": 9}', '{"fixed_stake": 0}'):
        assert run("rules", "barbudi", "--config", bad) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("barbudi", "mean throws                                   18/5"),
        ("barbut", "who throws first wins 1/2"),
        ("barbut_bg", "mean value       3875/36"),
        ("balut", "347897/7558272"),
    ],
)
def test_odds(
    game: str, words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The tests of the oracles compute this one; it takes some seconds.
    monkeypatch.setattr("firmware.rules.odds_balut.best_mean_sum", lambda variant: 0.5)
    assert run("odds", game) == 0
    assert " ".join(words.split()) in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("command", ["rules", "odds"])
def test_unknown_game(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        run(command, "chess")
    assert exit_.value.code == 2
    assert "invalid choice: 'chess'" in capsys.readouterr().err
