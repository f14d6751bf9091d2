"""The table under soak: everything of the real one but the hands, and everything can be broken.

Record and pictures are on a real disk, the buttons are gpiozero's mock pins, the screen is drawn
into memory, the clock is a false one. The eye says what lies in the tray; for some throws the
reader looks at a recorded picture instead.
"""

from __future__ import annotations

import logging
import random
import shutil
import time
from collections import Counter
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin

from display.stage import Stage
from display.view import Scene, View, Watch
from display.window import Window
from firmware.app import App
from firmware.buttons import Button
from firmware.clock import FakeClock
from firmware.config import PanelOptions
from firmware.evening import Evening
from firmware.evidence import FOLDER_NAME, Evidence
from firmware.eye import InlineEye
from firmware.journal import Journal
from firmware.lobby import Start
from firmware.panel import GpioPanel, MockFingers
from firmware.soak_disk import Disk
from firmware.soak_eye import SoakEye
from firmware.statedir import Lock
from firmware.table import Table

SIZE = (800, 480)
STEP = 1 / 15
"""Seconds of the table's time in one turn of the main loop."""
DRAWN = 8
"""One in so many turns is drawn; drawing all of them would take most of a soak's time."""
FORGET = 500
"""Turns of the main loop after which the mock pins forget."""
QUOTA_MIB = 2
"""Of pictures; so little that the oldest are thrown out all the time."""

HOUSE_RULES: dict[str, dict[str, Any]] = {
    "barbudi": {"two_shot": True, "vari": True, "end": {"mode": "rounds", "rounds": 12}},
    "barbut": {"end": {"mode": "rounds", "rounds": 12}},
    "barbut_bg": {},
    "balut": {},
}


class SoakError(Exception):
    """Something was lost, doubled, or shown that is not so; one sentence."""


# --- the screen ----------------------------------------------------------------------------------


class SparingStage(Stage):
    """Draws one in `DRAWN` of the pictures that it is given."""

    given = 0
    pictures = 0

    def draw(self, view: View, now: float) -> bool:
        """See `Stage`."""
        self.given += 1
        if self.given % DRAWN:
            return False
        self.pictures += 1
        return super().draw(view, now)


# --- the whole table -----------------------------------------------------------------------------


class Bench:
    """A table that can be played at, broken, and switched on again; it is the robot's pins too."""

    def __init__(self, folder: Path, chance: random.Random, real: InlineEye | None = None) -> None:
        self.chance = chance
        self.counts: Counter[str] = Counter()
        """What was done to the table, by kind."""
        self.disk = Disk()
        self.eye = SoakEye(chance, real)
        self.window = Window(SIZE, headless=True)
        self.clock = FakeClock()
        self._folder = folder
        self._boots = 0
        self._errors = _Errors()
        logging.getLogger().addHandler(self._errors)

    def power_on(self, wish: Start | None = None) -> None:
        """Start the table as a new process on what is on the disk."""
        self._boots += 1
        # The clock of a new start begins anew, and that of the wall may jump either way.
        wall = self.clock.wall() + self.chance.uniform(-14 * 86_400, 3 * 3600)
        self.clock = FakeClock(self.chance.uniform(5, 60), max(wall, 1.0))
        folder = self.folder
        self.journal = Journal(
            folder, self.clock, boot=f"boot{self._boots}", connect=self.disk.connect
        )
        if self.journal.recovery is not None:
            raise SoakError(f"the record was damaged: {self.journal.recovery.message}")
        self.evidence = Evidence.open(folder, self.journal, QUOTA_MIB, self.clock)
        self.panel = GpioPanel(PanelOptions(), self.clock, MockFactory(pin_class=MockPWMPin))
        self._fingers = MockFingers(self.panel)
        evening = Evening(self.journal, self.clock, house_rules=HOUSE_RULES, evidence=self.evidence)
        self.app = App(
            panel=self.panel,
            eye=self.eye,
            window=self.window,
            clock=self.clock,
            mode=evening.first(wish),
            after=evening.after,
        )
        self.app.stage = SparingStage(self.window.surface)
        for _ in range(10):  # until the levels of the pins count
            self.tick()

    def power_cut(self) -> None:
        """Pull the plug: what waits is never written; what is on disk is all that is left."""
        self.counts["power cuts"] += 1
        self.evidence.close()
        journal, old = self.journal, self.folder
        journal._worker.shutdown(wait=True, cancel_futures=True)
        journal._copier.shutdown(wait=True, cancel_futures=True)
        pictures = old / FOLDER_NAME
        new = old.with_name(f"state{self._boots + 1}")
        # The log of SQLite is not folded in: the next start finds it as a cut leaves it.
        shutil.copytree(old, new, ignore=shutil.ignore_patterns(FOLDER_NAME, "*.lock"))
        if pictures.exists():
            pictures.rename(new / FOLDER_NAME)
        if journal._store is not None:
            journal._store.close()
        journal._lock.release()
        shutil.rmtree(old)
        self.panel.close()

    @property
    def folder(self) -> Path:
        """The state folder of this start."""
        return self._folder / f"state{self._boots}"

    def close(self) -> None:
        """Switch off in good order; the record stays in `folder`."""
        self.evidence.close()
        self.journal.close()
        self.panel.close()
        self.eye.close()
        self.window.close()
        logging.getLogger().removeHandler(self._errors)
        Lock(self.folder).release()

    @property
    def table(self) -> Table:
        """The sitting that is on."""
        mode = self.app.mode
        if not isinstance(mode, Table):
            raise SoakError(f"a {type(mode).__name__} is on where a game should be")
        return mode

    def view(self) -> View:
        """What is on the screen."""
        return self.app.view()

    def throw(self) -> None:
        """Throw the dice that are due."""
        self.app.throw()

    def tick(self) -> None:
        """One turn of the main loop; then what is on the screen must make sense."""
        self.clock.advance(STEP)
        self.app.tick()
        self.counts["turns of the main loop"] += 1
        if self.counts["turns of the main loop"] % FORGET == 0:
            # The mock pins remember every edge of their lives; real ones do not.
            for pin in self.panel.factory.pins.values():
                pin.clear_states()
        if self._errors.told is not None:
            raise SoakError(self._errors.told)
        mode = self.app.mode
        if not isinstance(mode, Table):
            return
        if mode.ledger.saving:
            time.sleep(0.0003)  # the disk is real
        elif self.eye.busy and self.eye.problem is None:
            view = mode.view()
            busy = view.scene is Scene.THROW and view.watch in (Watch.HAND, Watch.MOVING)
            if busy and view.buttons.confirm is not None:
                raise SoakError("a throw could be confirmed while something moved")

    # --- fingers ---------------------------------------------------------------------------------

    def press(self, button: Button) -> None:
        """Close the contact; every tenth time it bounces."""
        self._fingers.press(button)
        self._bounce(button, pressed=True)

    def release(self, button: Button) -> None:
        """Open the contact; every tenth time it bounces."""
        self._fingers.release(button)
        self._bounce(button, pressed=False)

    def _bounce(self, button: Button, *, pressed: bool) -> None:
        """Four more edges within 8 ms (field report 23)."""
        if self.chance.random() >= 0.1:
            return
        self.counts["bounces"] += 1
        for level in (not pressed, pressed) * 2:
            self.clock.advance(0.002)
            self._drive(button, level)

    def _drive(self, button: Button, pressed: bool) -> None:
        if pressed:
            self._fingers.press(button)
        else:
            self._fingers.release(button)

    def glitch(self) -> None:
        """A pulse that is too short to be a finger, on any button."""
        self.counts["glitches"] += 1
        button = self.chance.choice(list(Button))
        self._drive(button, True)
        self.clock.advance(0.003)
        self._drive(button, False)
        self.tick()


class _Errors(logging.Handler):
    """Remembers the first error that anything logs, above all a scene that can not be drawn."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.told: str | None = None

    def emit(self, record: logging.LogRecord) -> None:
        cause = f" ({record.exc_info[1]})" if record.exc_info else ""
        self.told = self.told or f"logged: {record.getMessage()}{cause}"
