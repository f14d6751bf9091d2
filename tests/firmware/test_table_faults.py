"""Faults that make play unsafe lock the table; what was read is kept as it was read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from display.view import Action, Scene
from firmware import audit
from firmware.buttons import Button
from firmware.dialogs import Item, Open
from firmware.pages import HealthPage
from firmware.record import Kind
from firmware.rules import Balut, Barbudi
from firmware.rules.acts import Cover, Stake
from firmware.rules.game import Refused
from firmware.statedir import StateError
from tests.firmware.sitting import Sitting, reading
from vision.reading import Image
from vision.watch import Sight, State


def staked(**more: Any) -> Sitting:
    sitting = Sitting(Barbudi(("Kari", "Ola"), chips=20, thrower="Kari"), **more)
    sitting.robot.do(Stake("Ola", 5))
    sitting.robot.do(Cover("Kari", 5))
    return sitting


def grey(level: int) -> Image:
    return np.full((48, 64, 3), level, np.uint8)


def refuse(_act: object) -> None:
    raise Refused("too_late")


def test_the_pages_are_reached_while_nothing_can_be_written_and_no_act_is() -> None:
    pages = [Item(Action.HEALTH.value, Open(lambda: HealthPage([])))]
    sitting = staked(pages=pages)
    sitting.lie(reading(6, 6))
    sitting.record.error = StateError("the disk is full")
    sitting.table.press(Button.CONFIRM)
    sitting.table.tick()
    assert sitting.action(Button.RIGHT) is Action.MENU
    for way_in in (lambda: sitting.table.press(Button.RIGHT), sitting.table.menu):
        way_in()
        assert sitting.table.view().options == (Action.HEALTH.value,)
        sitting.table.press(Button.CONFIRM)
        assert sitting.table.view().scene is Scene.HEALTH
        sitting.table.press(Button.BACK)
        sitting.table.press(Button.BACK)
        assert sitting.table.view().scene is Scene.FAULT
    assert sitting.action(Button.CONFIRM) is Action.RETRY
    assert len(sitting.table.game.acts) == 2


def test_chips_that_come_from_nowhere_lock_the_table_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sitting = staked()
    real = audit.chips
    monkeypatch.setattr(audit, "chips", lambda state: (real(state) or 0) + len(state["chips"]))
    sitting.lie(reading(6, 6))
    sitting.table.press(Button.CONFIRM)
    for _ in range(2):
        sitting.table.tick()
    assert sitting.table.done
    fault = sitting.record.bodies(Kind.FAULT)[0]
    assert fault["code"] == "chips"
    assert "at different times" in fault["detail"]
    assert len(sitting.table.game.acts) == 3, "what was shown has happened all the same"


def test_rules_changed_under_a_running_game_lock_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = staked()
    monkeypatch.setattr("firmware.ledger.rules_on_disk", lambda: "another")
    sitting.lie(reading(6, 6))
    sitting.table.press(Button.CONFIRM)
    for _ in range(2):
        sitting.table.tick()
    assert sitting.table.done
    assert [body["code"] for body in sitting.record.bodies(Kind.FAULT)] == ["code_changed"]


class Pictures:
    """Evidence that only remembers what it was given."""

    def __init__(self) -> None:
        self.kept: list[tuple[Any, ...]] = []

    def keep(self, *given: Any) -> str:
        self.kept.append(given)
        return f"picture{len(self.kept)}"


def test_no_picture_is_kept_of_an_act_that_the_rules_refuse() -> None:
    pictures = Pictures()
    sitting = Sitting(Balut(("Kari", "Ola")), evidence=pictures)
    sitting.table.ledger.check = refuse  # type: ignore[method-assign]
    sitting.table.see(Sight(State.AT_REST, reading(6, 6, 6, 2, 1), True), grey(0))
    sitting.table.press(Button.CONFIRM)
    assert not pictures.kept
    assert sitting.table.view().notice is not None


def test_the_picture_is_the_one_that_was_read_with_what_the_camera_said_of_it() -> None:
    pictures = Pictures()
    sitting = Sitting(Balut(("Kari", "Ola")), evidence=pictures)
    read = reading(6, 6, 6, 2, 1)
    sitting.table.see(Sight(State.AT_REST, read, True), grey(1), 1, {"ExposureTime": 10_000})
    sitting.table.see(Sight(State.AT_REST, read), grey(2), 2, {"ExposureTime": 20_000})
    while sitting.action(Button.CONFIRM) is not Action.CORRECT_SURE:
        sitting.robot.use(Action.CORRECT)
    sitting.robot.use(Action.CORRECT_SURE)
    game, image, of, corrected, about = pictures.kept[0]
    assert (game, int(image[0, 0, 0]), of) == (1, 1, read)
    assert about == {"ExposureTime": 10_000}
    assert corrected == sitting.table.game.acts[-1].dice
    assert sitting.record.bodies(Kind.ACT)[-1]["picture"] == "picture1"
