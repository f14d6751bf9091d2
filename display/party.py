"""What is thrown for the eye alone: dice that roll in, and paper that falls for a winner.

Nothing waits for it, and after a second nothing of it moves any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import Final

import pygame

from display import sprites
from display import widgets as w
from display.canvas import Canvas, Rect

ROLL: Final = 0.9
"""Seconds that dice roll."""
FALL: Final = 1.0
"""Seconds that paper falls: so long a winner is celebrated."""
PIECES: Final = 70


def roll(c: Canvas, name: str, rect: Rect, values: Sequence[int], *, size: float) -> None:
    """Dice side by side that come rolling from the left; `name` is new for each throw."""
    count = len(values)
    wide = min(size, rect.height, rect.width / (count * 1.24 - 0.24))
    step = wide * 1.24
    for i, value in enumerate(values):
        target = (rect.centerx + (i - (count - 1) / 2) * step, float(rect.centery))
        start = (target[0] - rect.width * (0.7 + 0.1 * i), rect.top - wide * (i % 3))
        place, moving = c.tween(f"{name}:{i}", target, start, seconds=ROLL)
        if not moving:
            w.die(c, place, wide, value)
            continue
        far = hypot(target[0] - place[0], target[1] - place[1])
        # A quarter turn for every width of its own; the last one shows what was thrown.
        turns = far / wide
        face = value if turns < 0.6 else (value + int(turns) * 2 + i) % 6 + 1
        theme = c.theme
        sprite = sprites.die(round(wide), face, theme.die, theme.die_edge, theme.pip)
        turned = pygame.transform.rotozoom(sprite, turns * 90, 1.0)
        c.surface.blit(turned, turned.get_rect(center=(round(place[0]), round(place[1]))))


def paper(c: Canvas, name: str, rect: Rect) -> None:
    """Bits of paper that fall once over a box and are gone."""
    if c.motion is None:
        return
    theme = c.theme
    colours = (theme.accent, theme.good, theme.info, theme.bad, theme.ink)
    c.surface.set_clip(rect)
    for i in range(PIECES):
        share, late, way = ((i * step) % 1.0 for step in (0.618034, 0.754878, 0.569840))
        x = rect.left + rect.width * share
        target = (x + rect.width * 0.3 * (way - 0.5), rect.bottom + rect.height * 1.2 * late)
        start = (x, rect.top - rect.height * 0.5 * late)
        place, moving = c.tween(f"{name}:{i}", target, start, seconds=FALL)
        if moving:
            flat = abs((place[1] / c.px(26) + i * 0.37) % 2 - 1)
            side = c.px(10 + 6 * way)
            bit = Rect(0, 0, side, max(2, round(side * flat)))
            bit.center = (round(place[0]), round(place[1]))
            c.surface.fill(colours[i % len(colours)], bit)
    c.surface.set_clip(None)
