"""Puts the parts together: panel, eye, table, record, screen; and the main loop.

One `tick` takes what came in, lets the mode that is on act, lights the lamps and draws. Nothing
in it waits for a disk or a camera, so that the watchdog, which only this loop feeds, is a true
sign of life.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import pygame

from display.frame import has_grip
from display.sounds import Cue, Speaker, cue
from display.stage import Stage, draw
from display.view import Buttons, Scene, View
from display.window import Key, KeyUp, Quit, Touch, Window, save
from firmware import notify
from firmware.buttons import Button, EventKind
from firmware.clock import Clock
from firmware.eye import Eye
from firmware.lobby import Lobby
from firmware.lock import Standstill
from firmware.look import Look
from firmware.milestones import Milestones
from firmware.panel import KeyboardPanel, Lamp, Panel
from firmware.table import Table
from vision.reading import Image
from vision.watch import Sight

log = logging.getLogger(__name__)

REPEAT_AFTER = 0.12
"""Seconds between the steps while left or right is held."""
BIG_STEPS_AFTER = 10
"""So many steps later they become steps of five."""
THROW_KEY = "t"
"""Throws the dice on the simulated tray."""
MENU_KEY = "m"
"""The same as holding back."""
PICTURE_KEY = "f12"
"""Writes a screenshot."""


class Mode(Protocol):
    """What is on: the lobby or a sitting."""

    @property
    def done(self) -> bool:
        """Another mode follows."""

    def press(self, button: Button, held: int = 0) -> None:
        """A button was pressed."""

    def point(self, kind: str, name: str) -> None:
        """A finger on something that the screen shows."""

    def menu(self) -> None:
        """The grip for the menu was held."""

    def see(
        self,
        sight: Sight,
        image: Image | None = None,
        number: int = 0,
        about: Mapping[str, Any] | None = None,
    ) -> None:
        """The eye saw something."""

    def camera_lost(self) -> None:
        """There is no picture."""

    def tick(self) -> None:
        """Time passes."""

    def view(self) -> View:
        """What to show."""

    @property
    def due(self) -> int:
        """How many dice should lie there when all is thrown."""

    def throw(self) -> tuple[int, tuple[int, ...]] | None:
        """What a simulated throw must throw: dice and the faces kept; None when nothing is due."""


class Repeat:
    """Left or right is held: further steps, growing."""

    def __init__(self, button: Button, now: float) -> None:
        self.button = button
        self._next = now
        self._steps = 0

    def due(self, now: float) -> int:
        """Size of the step that is due now; 0 when none is."""
        if now < self._next:
            return 0
        self._next = now + REPEAT_AFTER
        self._steps += 1
        return 5 if self._steps > BIG_STEPS_AFTER else 1


TURN, QUIET_TURN = 1 / 30, 1 / 12
"""Seconds that a turn of the main loop waits at most for something to happen."""
QUIET_AFTER = 2.0
"""Seconds without a key, a button or a new picture after which the turns become longer."""


class App:
    """The table as it runs."""

    def __init__(
        self,
        *,
        panel: Panel,
        eye: Eye,
        window: Window,
        clock: Clock,
        mode: Mode,
        after: Callable[[Mode], Mode | None],
        look: Look | None = None,
        speaker: Speaker | None = None,
        pictures: Path = Path(),
        alive: Callable[[], None] = lambda: None,
    ) -> None:
        """`after` gives the mode that follows one that is done; None ends the program.

        `alive` is called at every turn of the main loop; `look` says in which language and
        colours to draw, `speaker` plays what there is to hear.
        """
        self._alive = alive
        self.panel = panel
        self.eye = eye
        self.window = window
        self.clock = clock
        self.mode = mode
        self.stopped = False
        self.stage = Stage(window.surface)
        self._after = after
        self.look = look or Look()
        self._speaker = speaker
        panel.wake = self._wake
        self._active_at = clock.monotonic()
        """When something last came in or was drawn."""
        self._grip = False
        """The back button went down where holding it opens the menu."""
        self._seen: View | None = None
        """The view that was shown last."""
        self._pictures = pictures
        self._repeat: Repeat | None = None
        self.milestones = Milestones(clock)
        self._status = ""
        self._camera_problem: str | None = None

    def run(self) -> None:
        """Tick until stopped; waits for events in between, no longer than a frame."""
        while not self.stopped:
            self.tick(wait=self._pace())

    def _pace(self) -> float:
        """How long a turn of the main loop may wait, in seconds: longer where nothing happens."""
        quiet = self.clock.monotonic() - self._active_at > QUIET_AFTER
        return QUIET_TURN if quiet and self._repeat is None else TURN

    def _wake(self) -> None:
        """A button moved; called on any thread. Its bounces want short turns too."""
        self._active_at = self.clock.monotonic()
        self.window.wake()

    def stop(self) -> None:
        """End after this turn of the main loop."""
        self.stopped = True

    def tick(self, wait: float = 0.0) -> None:
        """One turn of the main loop; `wait` is how long it may wait for keys, in seconds."""
        self._window_events(wait)
        self._panel_events()
        self._eye_events()
        self.mode.tick()
        if self.mode.done:
            follows = self._after(self.mode)
            if follows is None:
                self.stopped = True
                return
            self.mode = follows
        self.eye.due(self.mode.due)
        self._show()
        self._alive()
        notify.watchdog()

    def view(self) -> View:
        """What is on the screen now."""
        return replace(self.mode.view(), language=self.look.language, theme=self.look.theme)

    # --- what comes in ---------------------------------------------------------------------------

    def _window_events(self, wait: float) -> None:
        for event in self.window.events(wait=wait):
            self._active_at = self.clock.monotonic()
            match event:
                case Quit():
                    self.stopped = True
                case Key(text=text) if self._typed(text):
                    pass
                case Key(name=name) if name == THROW_KEY:
                    self.throw()
                case Key(name=name) if name == MENU_KEY:
                    self.mode.menu()
                case Key(name=name) if name == PICTURE_KEY:
                    self.screenshot("screen")
                case Key(name=name):
                    self._key(name, down=True)
                case KeyUp(name=name):
                    self._key(name, down=False)
                case Touch(x=x, y=y):
                    self._touch(self.stage.at(x, y))

    def _typed(self, text: str) -> bool:
        """A letter of a name that is being spelt; the space bar is one of them."""
        if not (isinstance(self.mode, Lobby) and self.mode.typing and text.isprintable()):
            return False
        self.mode.type(text)
        return text != ""

    def _key(self, name: str, *, down: bool) -> None:
        if isinstance(self.panel, KeyboardPanel):
            self.panel.key(name, down)

    def _touch(self, target: str | None) -> None:
        kind, _, name = (target or "").partition(":")
        if kind == "button":
            self._press(Button(name))
        elif kind == "menu":
            self.mode.menu()
        elif kind:
            self.mode.point(kind, name)

    def throw(self) -> None:
        """Throw on the simulated tray (or go on to the next recorded throw) what is due."""
        wanted = self.mode.throw()
        if wanted is not None:
            self.eye.throw(*wanted)

    def _panel_events(self) -> None:
        now = self.clock.monotonic()
        for event in self.panel.poll():
            match event.kind:
                case EventKind.PRESSED if event.button is not None:
                    self._press(event.button)
                case EventKind.MENU:
                    self.mode.menu()
                case EventKind.HELD if event.button is Button.BACK and self._grip:
                    self.mode.menu()
                case EventKind.HELD if event.button in (Button.LEFT, Button.RIGHT):
                    self._repeat = Repeat(event.button, now)
                case EventKind.RELEASED:
                    self._repeat = None
                case _:
                    log.info("panel: %s %s", event.kind, event.button or "")
        if self._repeat is not None and (step := self._repeat.due(now)):
            self.mode.press(self._repeat.button, step)

    def _press(self, button: Button) -> None:
        if self._seen is not None and getattr(self._seen.buttons, button.value) is not None:
            self._sound(Cue.BUTTON)
        # Held, it means what the screen said when it went down.
        self._grip = button is Button.BACK and self._seen is not None and has_grip(self._seen)
        self.mode.press(button)

    def _sound(self, what: Cue | None) -> None:
        if self._speaker is not None:
            self._speaker.play(what)

    def _eye_events(self) -> None:
        for seen in self.eye.poll():
            self.milestones.reached("ready")
            self.mode.see(seen.sight, seen.image, seen.number, seen.about)
        problem = self.eye.problem
        if problem is not None:
            self.mode.camera_lost()
        if problem != self._camera_problem:
            self._camera_problem = problem
            log.warning("camera: %s", problem or "it is back")

    # --- what goes out ---------------------------------------------------------------------------

    def _show(self) -> None:
        if self.look.rotation != self.window.rotation:
            self.window.turn(self.look.rotation)
            self.stage = Stage(self.window.surface)
        view = self.view()
        # On the health page a button is tried out: its lamp lights while it is down.
        tried = _pressed(self.panel) if view.scene is Scene.HEALTH else {}
        self.panel.light(lamps(view.buttons) | tried)
        self.panel.tray_light(view.scene is Scene.THROW or view.due > 0)
        now = self.clock.monotonic()
        if self.stage.draw(view, now):
            self._active_at = now
            self.window.show()
        self._sound(cue(self._seen, view))
        self._seen = view
        if self.milestones.reached("first picture"):
            notify.ready()
        status = self._status_text()
        if status != self._status:
            self._status = status
            notify.status(status)

    def _status_text(self) -> str:
        if isinstance(self.mode, Standstill):
            return self.mode.status
        if isinstance(self.mode, Lobby) and self.mode.open_game is not None:
            return f"{self.mode.open_game.game}, waits to be resumed"
        if not isinstance(self.mode, Table):
            return "no game open"
        resumed = ", resumed" if self.mode.resumed else ""
        return f"{self.mode.game.key}, game {self.mode.ledger.game_id}{resumed}"

    def screenshot(self, name: str) -> Path:
        """Write what is on the screen as a PNG; its path."""
        self._pictures.mkdir(parents=True, exist_ok=True)
        path = self._pictures / f"{name}.png"
        # Drawn anew, so that nothing is caught half-way to its place.
        surface = pygame.Surface(self.window.surface.get_size())
        draw(surface, self.view(), self.clock.monotonic())
        save(surface, path)
        return path


def _pressed(panel: Panel) -> dict[Button, Lamp]:
    """The lamps of the buttons that are down."""
    return {button: Lamp.ON for button, one in panel.status().items() if one.pressed}


def lamps(buttons: Buttons) -> dict[Button, Lamp]:
    """The lamps that say what the screen says: lit where a button does something."""
    return {button: Lamp.ON for button in Button if getattr(buttons, button.value) is not None}
