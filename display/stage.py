"""From a view to a picture: chooses the scene, draws the frame around it, never leaves it black.

stage = Stage(window.surface)
if stage.draw(view, now):
    window.show()
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module

import pygame

from display import frame, overlay
from display.canvas import Account, Canvas, Rect
from display.motion import Motion
from display.theme import DARK, THEMES
from display.view import Level, Notice, Scene, View
from display.words import Words

log = logging.getLogger(__name__)

Draw = Callable[[Canvas, View, Words, float, Rect], None]
"""A scene: draws a view at a moment (seconds of any steady clock) into a box."""

BY_STATE = {
    "BarbudiState": "barbudi",
    "BarbutState": "barbut",
    "BarbutBgState": "barbut_bg",
    "BalutState": "balut",
}
"""Which file in `display/scenes/` draws a game's state."""


PATIENCE = 0.4
"""Seconds that a wait may take before it is shown."""
WITH_PICTURE = (Scene.THROW, Scene.CORRECT, Scene.RECALL, Scene.ATTRACT)
"""Scenes that show `View.picture`."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What came of drawing a view."""

    account: Account
    targets: tuple[tuple[Rect, str], ...]
    """Places that can be touched: `button:confirm`, `option:2`, `die:0` …"""
    moving: bool
    """Something on it changes with time alone: draw it again soon (30 times a second at most)."""

    def at(self, x: int, y: int) -> str | None:
        """The name of what lies at a point; None when nothing can be touched there."""
        for rect, name in reversed(self.targets):
            if rect.collidepoint(x, y):
                return name
        return None


def scene_name(view: View) -> str:
    """The file in `display/scenes/` that draws the view."""
    if view.scene is Scene.GAME:
        if getattr(view.state, "phase", "") == "first":
            return "begin"
        return BY_STATE.get(type(view.state).__name__, "message")
    return view.scene.value


def scene(view: View) -> Draw:
    """The function that draws the view."""
    draw: Draw = import_module(f"display.scenes.{scene_name(view)}").draw
    return draw


def draw(surface: pygame.Surface, view: View, now: float, motion: Motion | None = None) -> Drawn:
    """Draw a view on a surface; raises whatever a scene raises.

    With `motion` things are drawn on their way from where they were in the last picture.
    """
    canvas = Canvas(surface, THEMES.get(view.theme, DARK), motion, now)
    words = Words(view.language)
    room = frame.draw(canvas, view, words)
    scene(view)(canvas, view, words, now, room)
    if overlay.wanted(view):
        overlay.draw(canvas, view, words, room)
    if motion is not None:
        motion.end_picture()
    return Drawn(canvas.account, tuple(canvas.targets), canvas.moving)


class Stage:
    """Draws views on one surface, each only once, and shows a fault instead of a black screen."""

    def __init__(self, surface: pygame.Surface) -> None:
        self.surface = surface
        self.drawn: Drawn | None = None
        self._last: View | None = None
        self._motion = Motion()
        self._waits_since: float | None = None

    def draw(self, view: View, now: float) -> bool:
        """Draw when something changed or moves; True when the surface has a new picture."""
        if view.scene not in WITH_PICTURE:
            # The camera goes on all the time; a screen without its picture need not.
            view = replace(view, picture=None, picture_number=0)
        if self._waits_since is None or view.progress is None:
            self._waits_since = now if view.progress is not None else None
        if self._waits_since is not None and now - self._waits_since < PATIENCE:
            # Most waits for the disk are over before anybody could see them.
            view = replace(view, progress=None)
        if view == self._last and self.drawn is not None and not self.drawn.moving:
            return False
        self._last = view
        try:
            self.drawn = draw(self.surface, view, now, self._motion)
        except Exception as error:  # a fault in a scene must not stop the table
            log.exception("the scene %s can not be drawn", view.scene)
            text = f"{type(error).__name__}: {error}"
            notice = Notice("scene_failed", Level.FAULT, (("scene", view.scene.value),), text)
            plain = View(Scene.FAULT, view.buttons, view.language, view.theme, notice=notice)
            self.drawn = draw(self.surface, plain, now)
        return True

    def at(self, x: int, y: int) -> str | None:
        """What was touched, see `Drawn.at`."""
        return self.drawn.at(x, y) if self.drawn else None
