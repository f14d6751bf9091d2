"""Rules, the last games and health can be looked at from every state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from display.view import Action, Level, Scene, Source, Step
from firmware.buttons import Button
from firmware.clock import FakeClock
from firmware.evening import Evening
from firmware.evidence import encoded
from firmware.health import Finding
from firmware.health import Level as Severity
from firmware.journal import Journal
from firmware.lobby import Lobby, Start
from firmware.pages import Pages, RecallPage, Remembered, corrected
from firmware.record import Event, Kind
from firmware.rules import GAMES
from firmware.rules.acts import Cover, Stake, Throw
from firmware.table import Table

FOUND = [
    Finding("camera", Severity.WARNING, "No camera answers.", "Check the ribbon cable."),
    Finding("disk", Severity.OK, "12 GiB free."),
]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    clock = FakeClock()
    with Journal(tmp_path, clock) as journal:
        pages = Pages(journal, lambda name: tmp_path / f"{name}.jpg", lambda: FOUND)
        rules = {"barbudi": {"end": {"mode": "rounds", "rounds": 1}}}
        yield Evening(journal, clock, house_rules=rules, pages=pages)


def played(evening: Evening) -> Table:
    table = evening.first(Start("barbudi", ("Kari", "Ola")))
    assert isinstance(table, Table)
    acts = (
        Throw("Kari", (6,)),
        Throw("Ola", (1,)),
        Stake("Ola", 5),
        Cover("Kari", 5),
        Throw("Kari", (6, 6)),
    )
    for act in acts:
        table.ledger.send(act, {"source": "camera"})
        while table.ledger.saving:
            table.tick()
    return table


def choose(mode: Table | Lobby, key: str) -> None:
    for _ in range(20):
        view = mode.view()
        if view.options[view.cursor] == key:
            mode.press(Button.CONFIRM)
            return
        mode.press(Button.RIGHT)
    pytest.fail(f"no {key} in {mode.view().options}")


def test_the_rules_of_every_game_from_the_lobby(evening: Evening) -> None:
    for game in GAMES:
        lobby = evening.first()
        assert isinstance(lobby, Lobby)
        lobby.press(Button.RIGHT)
        assert lobby.view().scene is Scene.MENU
        choose(lobby, Action.RULES.value)
        choose(lobby, game)
        assert (lobby.view().scene, lobby.view().game) == (Scene.RULES, game)
        lobby.press(Button.LEFT)
        assert lobby.view().page == 0
        lobby.press(Button.RIGHT)
        assert lobby.view().page == 1


def test_the_last_games_step_by_step_over_the_result(evening: Evening) -> None:
    table = played(evening)
    assert table.view().scene is Scene.RESULT
    table.menu()
    choose(table, Action.HISTORY.value)
    view = table.view()
    assert view.scene is Scene.HISTORY
    assert view.records[0].winners == ("Kari",)
    assert dict(view.records[0].scores) == {"Kari": 55, "Ola": 45}
    table.press(Button.CONFIRM)
    view = table.view()
    assert view.scene is Scene.RECALL
    assert len(view.steps) == 5
    assert view.steps[view.cursor].source is Source.CAMERA
    told = [event.dice for step in view.steps for event in step.events if event.dice]
    assert (6, 6) in told
    assert [step.pot for step in view.steps] == [(0, 0), (0, 0), (0, 5), (5, 10), (10, 0)]
    for _ in range(3):
        table.press(Button.BACK)
    assert table.view().scene is Scene.RESULT


def test_health_says_what_to_do(evening: Evening) -> None:
    lobby = evening.first()
    assert isinstance(lobby, Lobby)
    lobby.menu()
    choose(lobby, Action.HEALTH.value)
    camera, disk = lobby.view().checks
    assert (camera.level, disk.level) == (Level.WARNING, Level.GOOD)
    assert camera.text == "No camera answers. Check the ribbon cable."
    lobby.press(Button.BACK)
    lobby.press(Button.BACK)
    assert lobby.view().scene is Scene.ATTRACT


def test_a_correction_says_what_was_read_and_what_it_became() -> None:
    body = {
        "act": {"op": "throw", "by": "Kari", "dice": [6, 5]},
        "source": "corrected",
        "read": [6, None],
    }
    event = Event(3, 1, 0, 0, "", Kind.ACT, body, "", "")
    assert corrected(event) == ("6-?", "6-5")
    assert corrected(replace(event, body={**body, "source": "camera"})) is None


def test_of_a_long_game_only_the_picture_that_is_shown_is_held(tmp_path: Path) -> None:
    steps = []
    for number in range(5):
        path = tmp_path / f"{number}.jpg"
        path.write_bytes(encoded(np.full((48, 64, 3), 40 * number, np.uint8)))
        steps.append(Remembered(Step("21:40", ()), path))
    page = RecallPage("barbudi", steps)
    for _ in range(2 * len(steps)):
        shown = page.show()
        assert shown["picture"].mean() == pytest.approx(40 * page.cursor, abs=2)
        assert len(page._pictures) == 1
        page.press(Button.RIGHT)
