"""Small pictures made by our own code: dice, chips, icons. Drawn large, scaled down, kept."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import cos, pi, sin
from typing import Final, Literal

import pygame

from display.theme import Colour

Icon = Literal[
    "confirm",
    "back",
    "left",
    "right",
    "hand",
    "alert",
    "dice",
    "chips",
    "wait",
    "crown",
    "lock",
    "changed",
]

_OVERSAMPLE: Final = 4

PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""Where the pips of a face are, in steps from its centre."""


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """A colour between two; `share` of the second."""
    first, second = ((a + (b - a) * share) for a, b in zip(one[:2], other[:2], strict=True))
    return (round(first), round(second), round(one[2] + (other[2] - one[2]) * share))


def _blank(width: int, height: int, colour: Colour) -> pygame.Surface:
    surface = pygame.Surface((width * _OVERSAMPLE, height * _OVERSAMPLE), pygame.SRCALPHA)
    surface.fill((*colour, 0))
    return surface


def _small(surface: pygame.Surface) -> pygame.Surface:
    width, height = surface.get_size()
    return pygame.transform.smoothscale(surface, (width // _OVERSAMPLE, height // _OVERSAMPLE))


@lru_cache(maxsize=256)
def die(size: int, value: int | None, face: Colour, edge: Colour, pip: Colour) -> pygame.Surface:
    """A die seen from above, `size` pixels wide; without a value the face is blank."""
    big = _blank(size, size, edge)
    side = size * _OVERSAMPLE
    radius = round(side * 0.19)
    rim = max(1, round(side * 0.035))
    pygame.draw.rect(big, (*edge, 255), big.get_rect(), border_radius=radius)
    inner = big.get_rect().inflate(-2 * rim, -2 * rim)
    inner.move_ip(0, -rim // 2)
    pygame.draw.rect(big, (*face, 255), inner, border_radius=radius - rim)
    gloss = pygame.Rect(inner.left, inner.top, inner.width, inner.height // 2)
    lit = mix(face, (255, 255, 255), 0.45)
    pygame.draw.rect(
        big,
        (*lit, 255),
        gloss,
        border_top_left_radius=radius - rim,
        border_top_right_radius=radius - rim,
        border_bottom_left_radius=radius * 2,
        border_bottom_right_radius=radius * 2,
    )
    step, dot = side * 0.255, round(side * 0.098)
    for dx, dy in PIPS.get(value or 0, ()):
        centre = (round(side / 2 + dx * step), round(side / 2 - rim / 2 + dy * step))
        pygame.draw.circle(big, (*mix(pip, face, 0.35), 255), centre, dot + max(1, dot // 12))
        pygame.draw.circle(big, (*pip, 255), centre, dot)
    return _small(big)


@lru_cache(maxsize=64)
def chip(width: int, colour: Colour, mark: Colour) -> pygame.Surface:
    """One chip lying on a table, seen from a low angle; 0.62 times as high as it is wide."""
    height = round(width * 0.62)
    big = _blank(width, height, mix(colour, (0, 0, 0), 0.5))
    w, h = big.get_size()
    thick = round(h * 0.26)
    oval = h - thick
    dark = mix(colour, (0, 0, 0), 0.42)
    pygame.draw.ellipse(big, (*dark, 255), (0, thick, w, oval))
    pygame.draw.rect(big, (*dark, 255), (0, oval // 2, w, thick))
    for angle in (0.15, 0.5, 0.85):
        x = round(w / 2 - cos(angle * pi) * w * 0.48)
        y = round(oval / 2 + sin(angle * pi) * oval * 0.48)
        pygame.draw.rect(big, (*mix(mark, dark, 0.25), 255), (x - w // 18, y, w // 9, thick))
    pygame.draw.ellipse(big, (*colour, 255), (0, 0, w, oval))
    for sixth in range(6):
        angle = sixth * pi / 3 + pi / 6
        points = [
            (
                w / 2 + cos(angle + turn) * w * reach / 2,
                oval / 2 + sin(angle + turn) * oval * reach / 2,
            )
            for turn, reach in ((-0.16, 0.98), (0.16, 0.98), (0.18, 0.72), (-0.18, 0.72))
        ]
        pygame.draw.polygon(big, (*mark, 255), points)
    inner = pygame.Rect(0, 0, round(w * 0.66), round(oval * 0.66))
    inner.center = (w // 2, oval // 2)
    pygame.draw.ellipse(big, (*mix(colour, (255, 255, 255), 0.18), 255), inner)
    pygame.draw.ellipse(big, (*mix(mark, colour, 0.3), 255), inner, width=max(2, w // 60))
    return _small(big)


@lru_cache(maxsize=128)
def icon(name: Icon, size: int, colour: Colour) -> pygame.Surface:
    """A sign `size` pixels wide and high; each has a shape of its own."""
    big = _blank(size, size, colour)
    side = big.get_width()
    ink = (*colour, 255)
    stroke = round(side * 0.15)

    def at(x: float, y: float) -> tuple[int, int]:
        return round(x * side), round(y * side)

    def path(*points: tuple[float, float]) -> None:
        spots = [at(x, y) for x, y in points]
        for start, end in pairwise(spots):
            _thick(big, start, end, stroke, ink)

    match name:
        case "confirm":
            path((0.14, 0.54), (0.39, 0.80), (0.86, 0.24))
        case "back":
            path((0.2, 0.2), (0.8, 0.8))
            path((0.8, 0.2), (0.2, 0.8))
        case "left":
            pygame.draw.polygon(big, ink, [at(0.12, 0.5), at(0.8, 0.1), at(0.8, 0.9)])
        case "right":
            pygame.draw.polygon(big, ink, [at(0.88, 0.5), at(0.2, 0.1), at(0.2, 0.9)])
        case "hand":
            pygame.draw.circle(big, ink, at(0.5, 0.66), round(side * 0.27))
            for x, top in ((0.29, 0.3), (0.43, 0.16), (0.57, 0.16), (0.71, 0.3)):
                _thick(big, at(x, top), at(x, 0.6), round(side * 0.115), ink)
            _thick(big, at(0.12, 0.5), at(0.36, 0.8), round(side * 0.13), ink)
        case "alert":
            pygame.draw.polygon(big, ink, [at(0.5, 0.06), at(0.97, 0.92), at(0.03, 0.92)])
            hole = (*colour, 0)
            pygame.draw.rect(big, hole, (*at(0.445, 0.36), *at(0.11, 0.3)))
            pygame.draw.circle(big, hole, at(0.5, 0.78), round(side * 0.065))
        case "dice":
            pygame.draw.rect(big, ink, (*at(0.1, 0.1), *at(0.8, 0.8)), border_radius=side // 6)
            for x in (0.32, 0.68):
                pygame.draw.circle(big, (*colour, 0), at(x, x), side // 11)
        case "chips":
            for y in (0.72, 0.5, 0.28):
                oval = pygame.Rect(*at(0.08, y - 0.17), *at(0.84, 0.34))
                pygame.draw.ellipse(big, (*colour, 0), oval.inflate(side // 10, side // 10))
                pygame.draw.ellipse(big, ink, oval)
        case "wait":
            pygame.draw.circle(big, ink, at(0.5, 0.5), round(side * 0.44), width=stroke)
            path((0.5, 0.26), (0.5, 0.52), (0.68, 0.62))
        case "crown":
            points = (0.06, 0.3), (0.3, 0.52), (0.5, 0.14), (0.7, 0.52), (0.94, 0.3), (0.84, 0.84)
            pygame.draw.polygon(big, ink, [*(at(x, y) for x, y in points), at(0.16, 0.84)])
        case "changed":
            pygame.draw.polygon(big, ink, [at(0.5, 0.1), at(0.9, 0.5), at(0.5, 0.9), at(0.1, 0.5)])
        case "lock":
            pygame.draw.rect(big, ink, (*at(0.18, 0.44), *at(0.64, 0.46)), border_radius=side // 12)
            pygame.draw.circle(big, ink, at(0.5, 0.42), round(side * 0.24), width=stroke)
    return _small(big)


def _thick(
    surface: pygame.Surface,
    start: tuple[int, int],
    end: tuple[int, int],
    width: int,
    colour: tuple[int, int, int, int],
) -> None:
    """A line with round ends."""
    radius = width // 2
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = max(1.0, (dx * dx + dy * dy) ** 0.5)
    ox, oy = -dy / length * radius, dx / length * radius
    corners = [
        (start[0] + ox, start[1] + oy),
        (end[0] + ox, end[1] + oy),
        (end[0] - ox, end[1] - oy),
        (start[0] - ox, start[1] - oy),
    ]
    pygame.draw.polygon(surface, colour, corners)
    pygame.draw.circle(surface, colour, start, radius)
    pygame.draw.circle(surface, colour, end, radius)
