"""The main loop: keys, lamps, touches and pictures find their way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from display.view import Action, Buttons, Hint
from display.window import Key, KeyUp, Quit, Touch, Window
from firmware.app import QUIET_TURN, REPEAT_AFTER, TURN, App, Mode, lamps
from firmware.buttons import HOLD, SETTLE, Button
from firmware.clock import FakeClock
from firmware.eye import Seen
from firmware.panel import KeyboardPanel, Lamp
from firmware.rules import Barbudi
from firmware.rules.acts import Stake
from tests.firmware.sitting import Sitting, reading
from vision.watch import Sight, State


class ScriptedEye:
    """Shows what it is told to."""

    def __init__(self) -> None:
        self.problem: str | None = None
        self.coming: list[Seen] = []
        self.thrown: list[tuple[int, tuple[int, ...]]] = []
        self.dice_due = -1

    def poll(self) -> list[Seen]:
        seen, self.coming = self.coming, []
        return seen

    def due(self, dice: int) -> None:
        self.dice_due = dice

    def throw(self, dice: int, kept: Sequence[int] = ()) -> None:
        self.thrown.append((dice, tuple(kept)))

    def close(self) -> None:
        pass


class Machine:
    """An app with everything round it."""

    def __init__(self, window: Window) -> None:
        self.sitting = Sitting(Barbudi(("Kari", "Ola", "Per"), chips=20, thrower="Kari"))
        self.clock: FakeClock = self.sitting.clock
        self.eye = ScriptedEye()
        self.panel = KeyboardPanel(self.clock)
        self.coming: list[Key | KeyUp | Touch | Quit] = []
        window.events = self._events  # type: ignore[method-assign,assignment]
        self.app = App(
            panel=self.panel,
            eye=self.eye,
            window=window,
            clock=self.clock,
            mode=self.sitting.table,
            after=lambda mode: None,
        )
        self.tick(1.0)

    def _events(self, wait: float = 0.0) -> list[Key | KeyUp | Touch | Quit]:
        events, self.coming = self.coming, []
        return events

    def tick(self, seconds: float = 2 * SETTLE) -> None:
        self.clock.advance(seconds)
        self.app.tick()

    def key(self, name: str) -> None:
        self.coming = [Key(name)]
        self.tick()
        self.tick()
        self.coming = [KeyUp(name)]
        self.tick()
        self.tick()

    @property
    def mode(self) -> Mode:
        return self.app.mode


@pytest.fixture
def machine() -> Iterator[Machine]:
    with Window((800, 480), headless=True) as window:
        yield Machine(window)


def test_keys_stand_for_buttons(machine: Machine) -> None:
    machine.key("right")
    machine.key("return")
    assert machine.sitting.table.game.acts == (Stake("Ola", 6),)


def test_holding_a_key_counts_on_faster_and_faster(machine: Machine) -> None:
    machine.coming = [Key("left")]
    machine.tick()
    machine.tick(HOLD + 0.1)
    for _ in range(3):
        machine.tick(REPEAT_AFTER + 0.01)
    machine.coming = [KeyUp("left")]
    machine.tick()
    machine.tick()
    amount = machine.app.view().amount
    assert amount == 1
    machine.coming = [Key("right")]
    machine.tick()
    machine.tick(HOLD + 0.1)
    for _ in range(12):
        machine.tick(REPEAT_AFTER + 0.01)
    assert machine.app.view().amount == 20


def test_lamps_say_what_the_screen_says(machine: Machine) -> None:
    lit = {button for button, lamp in machine.panel.lamps.items() if lamp is Lamp.ON}
    assert lit == {Button.CONFIRM, Button.LEFT, Button.RIGHT}
    assert lamps(Buttons(back=Hint(Action.BACK))) == {Button.BACK: Lamp.ON}


def test_a_touch_on_the_hint_presses_the_button(machine: Machine) -> None:
    drawn = machine.app.stage.drawn
    assert drawn is not None
    rect = next(rect for rect, name in drawn.targets if name == "button:confirm")
    machine.coming = [Touch(rect.centerx, rect.centery)]
    machine.tick()
    machine.tick()
    assert machine.sitting.table.game.acts == (Stake("Ola", 5),)


def test_the_throw_key_throws_what_is_due_and_nothing_else(machine: Machine) -> None:
    machine.key("t")
    assert machine.eye.thrown == []
    machine.key("return")
    machine.key("return")
    assert machine.eye.dice_due == 2
    machine.key("t")
    assert machine.eye.thrown == [(2, ())]


def test_what_the_eye_sees_is_shown_and_confirmed(machine: Machine) -> None:
    machine.key("return")
    machine.key("return")
    picture = np.full((480, 640, 3), 90, np.uint8)
    machine.eye.coming = [
        Seen(Sight(State.MOVING, None, False), picture, 1),
        Seen(Sight(State.AT_REST, reading(6, 6), True), picture, 2),
    ]
    machine.tick()
    assert machine.app.view().picture_number == 2
    machine.key("return")
    assert machine.sitting.table.game.state.winner == "Kari"


def test_a_lost_camera_is_said_once(machine: Machine, caplog: pytest.LogCaptureFixture) -> None:
    machine.eye.problem = "the cable is out"
    with caplog.at_level("WARNING"):
        machine.tick()
        machine.tick()
        machine.eye.problem = None
        machine.tick()
    assert [record.message for record in caplog.records] == [
        "camera: the cable is out",
        "camera: it is back",
    ]


def test_closing_the_window_stops(machine: Machine) -> None:
    machine.coming = [Quit()]
    machine.tick()
    assert machine.app.stopped


def test_a_screenshot_is_written(machine: Machine, tmp_path: Path) -> None:
    machine.app._pictures = tmp_path / "new"
    assert machine.app.screenshot("now").read_bytes().startswith(b"\x89PNG")


def test_turns_are_long_only_while_nothing_happens(machine: Machine) -> None:
    app = machine.app
    for _ in range(100):  # until the scene has come to rest
        machine.tick(0.1)
    assert app._pace() == QUIET_TURN
    machine.key("right")
    assert app._pace() == TURN, "a key"
    for _ in range(100):
        machine.tick(0.1)
    assert app._pace() == QUIET_TURN
    assert machine.app.panel.wake is not None
    machine.app.panel.wake()
    assert app._pace() == TURN, "a button on its pin, whose bounces are still to come"
