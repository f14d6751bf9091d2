"""The window: a real screen where there is one, an off-screen surface where there is none.

    with Window((1024, 600)) as window:
        draw(window.surface, view, now)
        window.show()
        for event in window.events():
            ...

No clock in here: nothing waits unless `events(wait=...)` is asked to.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import pygame

HEADLESS: Final = ("dummy", "offscreen")
ROTATIONS: Final = (0, 90, 180, 270)


class WindowError(Exception):
    """The window can not be opened as asked, or a picture can not be written."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key went down. `name` is pygame's ("return", "left", "a"); `text` is what it types."""

    name: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class KeyUp:
    """A key was let go."""

    name: str


@dataclass(frozen=True, slots=True)
class Touch:
    """A finger or a mouse button came down, in pixels of `Window.surface`."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Quit:
    """The window was closed."""


Event = Key | KeyUp | Touch | Quit


def drivers(environ: Mapping[str, str], platform: str = sys.platform) -> tuple[str, ...]:
    """SDL video drivers to try, in order ("" is SDL's own choice).

    A driver that the user names in SDL_VIDEODRIVER is tried first. A desktop is used where one
    runs, else the bare console of a Linux machine. The last is always `dummy`: it draws into
    memory and can not fail.
    """
    asked = environ.get("SDL_VIDEODRIVER", "").strip().lower()
    if asked:
        tries = [asked]
    elif not platform.startswith("linux") or environ.get("DISPLAY"):
        tries = [""]
    elif environ.get("WAYLAND_DISPLAY"):
        tries = ["wayland"]
    else:
        tries = ["kmsdrm"]
    return (*dict.fromkeys([*tries, "dummy"]),)


class Window:
    """A surface of a known size, shown on whatever screen this machine has."""

    def __init__(
        self,
        size: tuple[int, int] = (1024, 600),
        *,
        fullscreen: bool = False,
        rotation: int = 0,
        title: str = "dicetable",
        headless: bool = False,
    ) -> None:
        """Open the window.

        `size` is what the viewer sees, after `rotation` (clockwise, in degrees); fullscreen takes
        the size of the screen instead. `headless` asks for no screen at all. Raises WindowError
        for an impossible rotation or size.
        """
        if rotation not in ROTATIONS:
            raise WindowError(f"rotation is {rotation}, but must be one of 0, 90, 180, 270")
        if min(size) < 1:
            raise WindowError(f"a window of {size[0]} x {size[1]} pixels can not be shown")
        self.rotation = rotation
        self.driver = ""
        """The SDL driver in use."""
        self.reason = ""
        """Why there is no screen, in SDL's words; empty when there is one."""
        self._awake = threading.Event()
        turned = rotation in (90, 270)
        wanted = (size[1], size[0]) if turned else size
        self._screen = self._open(wanted, fullscreen, headless)
        pygame.display.set_caption(title)
        if fullscreen and self.visible:
            pygame.mouse.set_visible(False)
        seen = self._screen.get_size()
        self.size = (seen[1], seen[0]) if turned else seen
        self.surface = pygame.Surface(self.size) if rotation else self._screen
        """Draw here, then `show()`."""

    def _open(self, size: tuple[int, int], fullscreen: bool, headless: bool) -> pygame.Surface:
        before = os.environ.get("SDL_VIDEODRIVER")
        for driver in ("dummy",) if headless else drivers(os.environ):
            if driver:
                os.environ["SDL_VIDEODRIVER"] = driver
            try:
                pygame.display.quit()
                pygame.display.init()
                full = fullscreen and driver not in HEADLESS
                if not driver and pygame.display.get_driver() in HEADLESS:
                    raise pygame.error("the desktop does not answer")
                flags = pygame.FULLSCREEN if full else 0
                screen = pygame.display.set_mode((0, 0) if full else size, flags)
            except pygame.error as error:
                self.reason = self.reason or str(error)
                continue
            finally:
                if before is None:
                    os.environ.pop("SDL_VIDEODRIVER", None)
                else:
                    os.environ["SDL_VIDEODRIVER"] = before
            self.driver = pygame.display.get_driver()
            return screen
        raise WindowError(f"no picture can be drawn on this machine: {self.reason}")

    @property
    def visible(self) -> bool:
        """True when people can see it; False when it is drawn into memory only."""
        return self.driver not in HEADLESS

    def show(self) -> None:
        """Put `surface` on the screen. Call it only when something changed: it is the dear part."""
        if self.rotation == 180:
            self._screen.blit(pygame.transform.flip(self.surface, True, True), (0, 0))
        elif self.rotation:
            # pygame turns counter-clockwise.
            self._screen.blit(pygame.transform.rotate(self.surface, -self.rotation), (0, 0))
        pygame.display.flip()

    def turn(self, rotation: int) -> None:
        """Show the picture turned clockwise by so many degrees from now on.

        `size` and `surface` are new then. Raises WindowError for an impossible rotation.
        """
        if rotation not in ROTATIONS:
            raise WindowError(f"rotation is {rotation}, but must be one of 0, 90, 180, 270")
        width, height = self._screen.get_size()
        if (rotation - self.rotation) % 180 and not self._screen.get_flags() & pygame.FULLSCREEN:
            self._screen = pygame.display.set_mode((height, width))
            width, height = height, width
        self.rotation = rotation
        self.size = (height, width) if rotation in (90, 270) else (width, height)
        self.surface = pygame.Surface(self.size) if rotation else self._screen

    def events(self, wait: float = 0.0) -> list[Event]:
        """What happened since the last call.

        First it sleeps for `wait` seconds, or until `wake`; not in SDL, which would look for events
        a thousand times a second meanwhile.
        """
        if wait > 0:
            self._awake.wait(wait)
            self._awake.clear()
        return [event for raw in pygame.event.get() if (event := self._neutral(raw)) is not None]

    def wake(self) -> None:
        """End the sleep of `events`; may be called on any thread."""
        self._awake.set()

    def _neutral(self, raw: pygame.event.Event) -> Event | None:
        if raw.type == pygame.QUIT:
            return Quit()
        if raw.type == pygame.KEYDOWN:
            text = raw.unicode if raw.unicode.isprintable() else ""
            return Key(pygame.key.name(raw.key), text)
        if raw.type == pygame.KEYUP:
            return KeyUp(pygame.key.name(raw.key))
        if raw.type == pygame.MOUSEBUTTONDOWN and raw.button == 1 and not raw.touch:
            return self._touch(*raw.pos)
        if raw.type == pygame.FINGERDOWN:
            width, height = self._screen.get_size()
            return self._touch(round(raw.x * width), round(raw.y * height))
        return None

    def _touch(self, x: int, y: int) -> Touch:
        """From the screen's pixels to the surface's."""
        width, height = self.size
        match self.rotation:
            case 90:
                return Touch(y, height - 1 - x)
            case 180:
                return Touch(width - 1 - x, height - 1 - y)
            case 270:
                return Touch(width - 1 - y, x)
        return Touch(x, y)

    def screenshot(self, path: Path) -> None:
        """Write what is drawn as a picture (the ending of the name says the format)."""
        save(self.surface, path)

    def close(self) -> None:
        """Give the screen back; may be called twice."""
        pygame.display.quit()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def save(surface: pygame.Surface, path: Path) -> None:
    """Write a surface as a picture; makes the folder. Raises WindowError when it can not."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        pygame.image.save(surface, str(path))
    except (OSError, pygame.error) as error:
        raise WindowError(f"the picture {path} can not be written: {error}") from error
