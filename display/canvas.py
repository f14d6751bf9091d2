"""A surface to draw on that knows its scale, fits text to its place, and keeps account of it.

Everything a scene draws goes through a `Canvas`. It records every text with the box it had to fit,
so that a test can prove that nothing is cut, overlaps or is too small to read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Literal

import pygame

from display.motion import DURATION, Motion, Place
from display.theme import BODY, DARK, MIN_PIXELS, Colour, Theme

Align = Literal["left", "centre", "right"]
VAlign = Literal["top", "middle", "bottom"]
Rect = pygame.Rect

_OVERSAMPLE = 4


@dataclass(frozen=True, slots=True)
class Placed:
    """A text that was drawn: what, where, and how large."""

    text: str
    rect: tuple[int, int, int, int]
    pixels: int


@dataclass(slots=True)
class Account:
    """What happened to the texts of one picture."""

    texts: list[Placed] = field(default_factory=list)
    overflows: list[str] = field(default_factory=list)
    """Texts that did not fit their box even at the smallest size."""

    @property
    def smallest(self) -> int:
        """Size in pixels of the smallest type that was used; a large number without any text."""
        return min((placed.pixels for placed in self.texts), default=10_000)


@lru_cache(maxsize=128)
def _font(pixels: int, bold: bool) -> pygame.font.Font:
    if not pygame.font.get_init():
        pygame.font.init()
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return pygame.font.Font(str(files("display") / "fonts" / name), pixels)


# The fullest screen has about a hundred texts; 25 KiB each at 800x480, 125 KiB at 1920x1080.
@lru_cache(maxsize=256)
def _rendered(text: str, pixels: int, bold: bool, colour: Colour) -> pygame.Surface:
    return _font(pixels, bold).render(text, True, colour)


@lru_cache(maxsize=4096)
def text_width(text: str, pixels: int, bold: bool) -> int:
    """Width of a text in pixels."""
    return int(_font(pixels, bold).size(text)[0])


@lru_cache(maxsize=256)
def _disc(radius: int, colour: Colour) -> pygame.Surface:
    """A filled circle with a smooth edge, 2 * radius wide."""
    big = pygame.Surface((2 * radius * _OVERSAMPLE,) * 2, pygame.SRCALPHA)
    big.fill((*colour, 0))
    centre = radius * _OVERSAMPLE
    pygame.draw.circle(big, (*colour, 255), (centre, centre), centre)
    return pygame.transform.smoothscale(big, (2 * radius, 2 * radius))


def wrap(text: str, width: int, pixels: int, bold: bool = False) -> list[str]:
    """Break a text into lines no wider than `width` pixels; a single long word stays whole."""
    lines: list[str] = []
    for part in text.split("\n"):
        line = ""
        for word in part.split(" "):
            longer = f"{line} {word}" if line else word
            if line and text_width(longer, pixels, bold) > width:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return lines


class Canvas:
    """Draws shapes and text on a surface, in design units where sizes of type are meant."""

    def __init__(
        self,
        surface: pygame.Surface,
        theme: Theme = DARK,
        motion: Motion | None = None,
        now: float = 0.0,
    ) -> None:
        """Without `motion` everything stands where it belongs."""
        self.surface = surface
        self.theme = theme
        self.motion = motion
        self.now = now
        self.account = Account()
        self.targets: list[tuple[Rect, str]] = []
        """Places that can be touched, with the name of what they stand for; the last one wins."""
        self.moving = False
        """Set by whoever draws something that looks different a moment later."""
        width, height = surface.get_size()
        self.portrait = height > width
        short, long = sorted((width, height))
        self.unit = min(short / 600, long / 1024)

    @property
    def rect(self) -> Rect:
        """The whole surface."""
        return self.surface.get_rect()

    def px(self, units: float) -> int:
        """Design units to whole pixels, at least one."""
        return max(1, round(units * self.unit))

    def pixels(self, units: float) -> int:
        """Size of type in pixels for a size in design units; never below MIN_PIXELS."""
        return max(MIN_PIXELS, round(units * self.unit))

    def tween(
        self,
        name: str,
        target: Place,
        start: Place | None = None,
        *,
        seconds: float = DURATION,
    ) -> tuple[Place, bool]:
        """Where a thing is on its way to `target`, and whether it is on its way (see Motion)."""
        if self.motion is None:
            return target, False
        place, moving = self.motion.at(name, target, self.now, start, seconds)
        self.moving = self.moving or moving
        return place, moving

    # -- shapes

    def disc(self, centre: tuple[float, float], radius: float, colour: Colour) -> None:
        """A filled circle with a smooth edge."""
        size = max(1, round(radius))
        x, y = round(centre[0]) - size, round(centre[1]) - size
        self.surface.blit(_disc(size, colour), (x, y))

    def box(
        self,
        rect: Rect,
        fill: Colour,
        *,
        radius: float = 10,
        border: Colour | None = None,
        width: float = 2,
    ) -> None:
        """A filled rectangle with smooth round corners (units), with or without a border."""
        if border is not None:
            self.box(rect, border, radius=radius)
            line = self.px(width)
            inner = rect.inflate(-2 * line, -2 * line)
            self.box(inner, fill, radius=max(0.0, radius - width))
            return
        size = min(self.px(radius) if radius else 0, rect.width // 2, rect.height // 2)
        if size < 2:
            self.surface.fill(fill, rect)
            return
        disc = _disc(size, fill)
        left, top = rect.topleft
        right, bottom = rect.right - size, rect.bottom - size
        for x, y, dx, dy in (
            (left, top, 0, 0),
            (right, top, size, 0),
            (left, bottom, 0, size),
            (right, bottom, size, size),
        ):
            self.surface.blit(disc, (x, y), (dx, dy, size, size))
        self.surface.fill(fill, (left + size, top, rect.width - 2 * size, rect.height))
        self.surface.fill(fill, (left, top + size, size, rect.height - 2 * size))
        self.surface.fill(fill, (right, top + size, size, rect.height - 2 * size))

    def polygon(self, points: Sequence[tuple[float, float]], colour: Colour) -> None:
        """A filled polygon with a smooth outline."""
        pygame.draw.polygon(self.surface, colour, points)
        pygame.draw.aalines(self.surface, colour, True, points)

    def line(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        colour: Colour,
        width: float = 2,
    ) -> None:
        """A straight line; `width` in units."""
        pygame.draw.line(self.surface, colour, start, end, self.px(width))

    def target(self, rect: Rect, name: str) -> None:
        """Say that touching this place means `name`."""
        self.targets.append((Rect(rect), name))

    def cover(self, rect: Rect) -> None:
        """Darken a part of the picture: what stands there is background from now on."""
        shade = pygame.Surface(rect.size)
        shade.fill(self.theme.ground)
        shade.set_alpha(205)
        self.surface.blit(shade, rect)
        self.account.texts = [t for t in self.account.texts if not rect.colliderect(t.rect)]
        self.targets = [
            (place, name) for place, name in self.targets if not rect.colliderect(place)
        ]

    # -- text

    def text(
        self,
        text: str,
        rect: Rect,
        size: float = BODY,
        colour: Colour | None = None,
        *,
        bold: bool = False,
        align: Align = "left",
        valign: VAlign = "middle",
        name: bool = False,
    ) -> Rect:
        """One line of text in a box; the type shrinks until it fits.

        `name` marks text that people chose themselves: it may be cut with an ellipsis without
        being reported as an overflow. Returns where the ink is.
        """
        pixels = self.pixels(size)
        while pixels > MIN_PIXELS and text_width(text, pixels, bold) > rect.width:
            pixels -= 1
        if text_width(text, pixels, bold) > rect.width:
            if not name:
                self.account.overflows.append(text)
            text = _cut(text, rect.width, pixels, bold)
        return self._put([text], rect, pixels, bold, colour or self.theme.ink, align, valign)

    def paragraph(
        self,
        text: str,
        rect: Rect,
        size: float = BODY,
        colour: Colour | None = None,
        *,
        bold: bool = False,
        align: Align = "left",
        valign: VAlign = "top",
    ) -> Rect:
        """Text broken into lines in a box; the type shrinks until it fits. Returns the ink."""
        pixels = self.pixels(size)
        while True:
            lines = wrap(text, rect.width, pixels, bold)
            height = _font(pixels, bold).get_linesize() * len(lines)
            widest = max(text_width(line, pixels, bold) for line in lines)
            if height <= rect.height and widest <= rect.width:
                break
            if pixels <= MIN_PIXELS:
                self.account.overflows.append(text)
                room = max(1, rect.height // _font(pixels, bold).get_linesize())
                lines = [_cut(line, rect.width, pixels, bold) for line in lines[:room]]
                break
            pixels -= 1
        return self._put(lines, rect, pixels, bold, colour or self.theme.ink, align, valign)

    def fits(self, text: str, rect: Rect) -> bool:
        """Whether a paragraph fits the box at the smallest size."""
        lines = wrap(text, rect.width, MIN_PIXELS)
        high = _font(MIN_PIXELS, False).get_linesize() * len(lines)
        return high <= rect.height and all(
            text_width(line, MIN_PIXELS, False) <= rect.width for line in lines
        )

    def width(self, text: str, size: float = BODY, bold: bool = False) -> int:
        """Width in pixels that a text takes at its full size."""
        return text_width(text, self.pixels(size), bold)

    def height(self, size: float = BODY, bold: bool = False) -> int:
        """Height in pixels of one line."""
        return int(_font(self.pixels(size), bold).get_linesize())

    def _put(
        self,
        lines: list[str],
        rect: Rect,
        pixels: int,
        bold: bool,
        colour: Colour,
        align: Align,
        valign: VAlign,
    ) -> Rect:
        font = _font(pixels, bold)
        step = font.get_linesize()
        total = step * len(lines)
        y = {"top": rect.top, "middle": rect.centery - total // 2, "bottom": rect.bottom - total}[
            valign
        ]
        ink = Rect(rect.left, y, 0, 0)
        for line in lines:
            if line:
                picture = _rendered(line, pixels, bold, colour)
                width = picture.get_width()
                x = {
                    "left": rect.left,
                    "centre": rect.centerx - width // 2,
                    "right": rect.right - width,
                }[align]
                self.surface.blit(picture, (x, y))
                placed = Rect(x, y, width, step)
                ink = placed if not ink.width else ink.union(placed)
            y += step
        box = (ink.left, ink.top, ink.width, ink.height)
        self.account.texts.append(Placed(" ".join(lines), box, pixels))
        return ink


def _cut(text: str, width: int, pixels: int, bold: bool) -> str:
    while text and text_width(text + "…", pixels, bold) > width:
        text = text[:-1]
    return text + "…" if text else ""
