"""A whole table without a machine: mock pins, a scripted eye, a real record, the real screen.

Whoever plays here sees what is on the screen and which buttons are lit, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from gpiozero.pins.mock import MockFactory, MockPWMPin

from display.stage import scene_name
from display.view import View
from display.window import Event, Window
from firmware.app import App, Mode
from firmware.buttons import Button
from firmware.clock import FakeClock
from firmware.config import Config, PanelOptions
from firmware.evening import Evening
from firmware.eye import Seen
from firmware.health import Finding
from firmware.health import Level as HealthLevel
from firmware.journal import Journal
from firmware.look import Look
from firmware.operator_menu import OperatorMenu
from firmware.pages import Pages
from firmware.panel import GpioPanel, MockFingers
from firmware.robot import Robot
from firmware.settings import SettingsPage
from firmware.take_home import TakeHome
from tests.firmware.sitting import reading
from vision.reading import Problem, Reading
from vision.watch import Sight, State

PATIENCE = 20_000
PICTURE = np.full((480, 640, 3), 60, np.uint8)


class ScriptedEye:
    """Sees what it is told to; a throw shows `faces`, or as many ones as are due."""

    def __init__(self) -> None:
        self.problem: str | None = None
        self.faces: tuple[int, ...] = ()
        self.wrong: Problem | None = None
        self._coming: list[Seen] = []

    def poll(self) -> list[Seen]:
        seen, self._coming = self._coming[:1], self._coming[1:]
        return seen

    def due(self, dice: int) -> None:
        pass

    def throw(self, dice: int, kept: Sequence[int] = ()) -> None:
        self.lie(reading(*(self.faces or (1,) * dice), rail=kept, problem=self.wrong))

    def lie(self, what: Reading) -> None:
        """Dice are thrown, roll, and lie there."""
        for state in (State.EMPTY, State.HAND, State.MOVING):
            self._coming.append(Seen(Sight(state, None, False), PICTURE, len(self._coming)))
        self._coming.append(Seen(Sight(State.AT_REST, what, True), PICTURE, 9))

    def close(self) -> None:
        pass


class World:
    """The table in a folder; `draws` False leaves the drawing out."""

    def __init__(
        self, folder: Path, window: Window, begin: Callable[[Evening], Mode], *, draws: bool = True
    ) -> None:
        self.clock = FakeClock()
        self.journal = Journal(folder, self.clock)
        self.eye = ScriptedEye()
        self.look = Look()
        self.typed: list[Event] = []
        """Keys and touches to come."""
        self.shown: dict[str, View] = {}
        """The scenes that were on the screen, by their file in `display/scenes`."""
        panel = GpioPanel(PanelOptions(), self.clock, MockFactory(pin_class=MockPWMPin))
        self.panel = panel
        self.fingers = MockFingers(panel)
        operator = OperatorMenu(
            "0000",
            journal=self.journal,
            report=lambda: "report.zip",
            power_off=lambda: False,
            settings=lambda: SettingsPage(Config(), self.look.keeping(lambda key, value: None)),
        )
        found = [Finding("camera", HealthLevel.OK, "It gives pictures.")]
        self.evening = Evening(
            self.journal,
            self.clock,
            look=self.look,
            pages=Pages(
                self.journal,
                lambda name: folder / name,
                lambda: found,
                operator=operator,
                look=self.look,
                now=self.clock.wall,
                take_home=TakeHome(folder / "sheets", 1_000_000),
            ),
        )
        window.events = self._events  # type: ignore[method-assign]
        self.app = App(
            panel=panel,
            eye=self.eye,
            window=window,
            clock=self.clock,
            mode=begin(self.evening),
            after=self.evening.after,
            look=self.look,
        )
        real = self.app.stage.draw

        def draw(view: View, now: float) -> bool:
            self.shown.setdefault(scene_name(view), view)
            return real(view, now) if draws else False

        self.app.stage.draw = draw  # type: ignore[method-assign]
        # Sheets to take home are made on a thread, which takes many turns of this fast loop.
        self.robot = Robot(
            self.fingers, self.app.view, self.tick, self.app.throw, patience=PATIENCE
        )
        for _ in range(20):
            self.tick()

    def _events(self, wait: float = 0.0) -> list[Event]:
        events, self.typed = self.typed, []
        return events

    def tick(self) -> None:
        self.clock.advance(1 / 15)
        self.app.tick()
        if self.app.view().progress is not None:
            # The disk is slower than this clock.
            self.journal.flush()

    def press(self, button: Button) -> View:
        """Press a button and wait until the disk has it."""
        self.robot.press(button)
        return self.robot.settled()

    def grip(self) -> View:
        """Hold the back button, which opens the menu where the screen says so."""
        self.fingers.press(Button.BACK)
        for _ in range(20):
            self.tick()
        self.fingers.release(Button.BACK)
        self.tick()
        self.tick()
        return self.robot.settled()

    def lit(self) -> dict[Button, Any]:
        """What the screen says each lit button does; the lamps say the same."""
        buttons = self.app.view().buttons
        hints = {button: getattr(buttons, button.value) for button in Button}
        lit = {button: hint for button, hint in hints.items() if hint is not None}
        assert {button for button in Button if self.fingers.lit(button)} == set(lit)
        return lit

    def close(self) -> None:
        self.panel.close()
        self.journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
