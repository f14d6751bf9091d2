"""Does what CONTRIBUTING.md says for a new game and a new language: the pages must be right."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pygame
import pytest

import firmware.rules
from display import stage, vocabulary
from display.scenes import choose_game
from display.view import Scene, View
from firmware import lobby
from firmware.buttons import Button
from firmware.clock import FakeClock
from firmware.commands import judge
from firmware.journal import Journal
from firmware.replay import rebuild
from firmware.rules import text, transcript
from firmware.rules.acts import Throw, to_json
from firmware.rules.game import Refused

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
GAME_PAGE, LANGUAGE_PAGE = PAGE.split("# Add a game, in one page")[1].split("# Add a language, in")
GAME, SCENE = re.findall(r"```python\n(.*?)```", GAME_PAGE, flags=re.DOTALL)
ROW = re.compile(r"^ *\| `([\w/.]+\.py)` \| (.*) \|$", flags=re.MULTILINE)
LINE = re.compile(r"`(\w+)\[(\"\w+\")\] = ([^`]+)`")


def module(name: str, source: str, patch: pytest.MonkeyPatch) -> Any:
    """A module of that name with the page's source."""
    made = ModuleType(name)
    patch.setitem(sys.modules, name, made)
    exec(compile(source, f"CONTRIBUTING.md: {name}", "exec"), made.__dict__)
    return made


@pytest.fixture
def highest(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Steps 1 to 3 of the page: the judge, the names in its table, the screen."""
    toy = module("firmware.rules.highest", GAME, monkeypatch)
    module("display.scenes.highest", SCENE, monkeypatch)
    names = {
        "firmware/rules/__init__.py": firmware.rules,
        "firmware/rules/transcript.py": transcript,
        "firmware/rules/text.py": text,
        "display/vocabulary.py": vocabulary,
        "display/stage.py": stage,
        "display/scenes/choose_game.py": choose_game,
        "firmware/lobby.py": lobby,
    }
    known = {"Highest": toy.Highest, "HighestRules": toy.HighestRules, "N_": vocabulary.N_}
    known["highest_text"] = lambda rules, words: ()
    rows = ROW.findall(GAME_PAGE)
    assert [file for file, _ in rows] == list(names)
    for file, row in rows:
        for table, key, value in LINE.findall(row):
            patched = getattr(names[file], table)
            monkeypatch.setitem(patched, json.loads(key), eval(value, dict(known)))
    return toy


def test_the_judge_plays_it(highest: Any) -> None:
    game = highest.Highest(["Kari", "Ola", "Per"])
    with pytest.raises(Refused, match="out_of_turn"):
        game.push(Throw("Ola", (6,)))
    for who, face in (("Kari", 3), ("Ola", 6), ("Per", 6)):
        assert Throw(who, (face,)) in set(game.legal())
        game.push(Throw(who, (face,)))
    assert game.prompt is None
    assert game.outcome().ranking == (("Ola", "Per"), ("Kari",))
    assert game.replay().state == game.state
    game.pop()
    assert game.outcome() is None


def test_the_judge_command_plays_its_transcript(
    highest: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = {
        "game": "highest",
        "players": ["Kari", "Ola"],
        "config": {"dice": 2},
        "steps": [
            {"op": "throw", "by": "Ola", "dice": [1, 1], "error": "out_of_turn"},
            {"op": "throw", "by": "Kari", "dice": [2, 3]},
            {"op": "throw", "by": "Ola", "dice": [2, 2]},
        ],
        "expect": {"over": True, "thrown": {"Kari": 5, "Ola": 4}},
    }
    path = tmp_path / "toy.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    status = judge.run(argparse.Namespace(file=str(path), json=True))
    assert status == 0, capsys.readouterr()


def test_the_record_brings_it_back(highest: Any, tmp_path: Path) -> None:
    game = highest.Highest(["Kari", "Ola"])
    with Journal(tmp_path, FakeClock()) as journal:
        number = journal.start_game(game.key, game.start_json, {})
        act = Throw("Kari", (4,))
        game.push(act)
        journal.act(number, to_json(act)).result(timeout=5)
    with Journal(tmp_path, FakeClock()) as journal:
        recorded = journal.open_game()
        assert recorded is not None
        assert rebuild(recorded).state == game.state


@pytest.mark.parametrize("size", [(800, 480), (600, 1024)])
def test_the_screen_shows_it(highest: Any, size: tuple[int, int]) -> None:
    game = highest.Highest(["Kari", "Ola", "Per"])
    game.push(Throw("Kari", (5,)))
    view = View(Scene.GAME, game="highest", seats=game.seats, state=game.state, prompt=game.prompt)
    assert stage.scene_name(view) == "highest"
    surface = pygame.Surface(size)
    stage.draw(surface, view, 0.0)
    empty = pygame.Surface(size)
    stage.draw(
        empty, View(Scene.GAME, game="highest", state=highest.Highest(["A", "B"]).state), 0.0
    )
    assert pygame.image.tobytes(surface, "RGB") != pygame.image.tobytes(empty, "RGB")


def test_the_lobby_offers_it(highest: Any) -> None:
    place = lobby.Lobby(["Kari", "Ola"])
    surface = pygame.Surface((800, 480))

    def press(*buttons: Button) -> None:
        for button in buttons:
            place.press(button)
            assert stage.draw(surface, place.view(), 0.0).account.overflows == []

    press(Button.CONFIRM, Button.LEFT)
    assert place.view().game == "highest"
    press(Button.CONFIRM, Button.CONFIRM, Button.RIGHT, Button.CONFIRM)  # the game, both players
    press(Button.LEFT, Button.LEFT, Button.CONFIRM)  # and round the other way to the start
    assert place.start == lobby.Start("highest", ("Kari", "Ola"))


def test_a_language_is_added_as_its_page_says(tmp_path: Path) -> None:
    for part in ("display", "firmware"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "vision").symlink_to(ROOT / "vision")
    # Norwegian stands for the translation.
    locale = tmp_path / "display" / "locale"
    shutil.copy(locale / "nb.po", locale / "xx.po")
    rows = ROW.findall(LANGUAGE_PAGE)
    assert len(rows) == 2
    for file, row in rows:
        ((table, key, value),) = LINE.findall(row)
        with (tmp_path / file).open("a", encoding="utf-8") as source:
            source.write(f"\n{table}[{key}] = {value}\n")
    assert "motstander" in run_copy(tmp_path, "rules", "barbudi", "--language", "xx")
    if shutil.which("pdftotext") is not None:
        run_copy(tmp_path, "sheets", str(tmp_path / "out"))
        labels = ["pdftotext", tmp_path / "out" / "labels.pdf", "-"]
        text = subprocess.run(labels, check=True, capture_output=True, text=True).stdout
        assert {"tna", "ven", "høy", "bek", "Bekreft"} <= set(text.split())


def test_the_readme_quotes_what_the_screen_says() -> None:
    table = (ROOT / "README.md").read_text(encoding="utf-8")
    table = table.split("## When something is wrong")[1].split("## ")[0]
    quoted = re.findall(r'"([A-Z][^"]+[.?])"', table)
    assert len(quoted) >= 8
    said = {*vocabulary.PROBLEMS.values(), *vocabulary.WATCH.values(), *vocabulary.NOTICES.values()}
    assert set(quoted) <= said


def run_copy(folder: Path, *words: str) -> str:
    """What `dicetable WORDS` prints, run from a copy of the program."""
    return subprocess.run(
        [sys.executable, "-m", "firmware", *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder), "PYTHONIOENCODING": "utf-8"},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
