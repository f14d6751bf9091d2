"""Colours and sizes of everything that is drawn.

Sizes are given in design units: one unit is a pixel at 1024x600 and grows with the screen. The
smallest type is 21 units, which is 16 pixels at 800x480.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

Colour = tuple[int, int, int]

MIN_PIXELS: Final = 16
"""No text is smaller than this, on any screen."""


@dataclass(frozen=True, slots=True)
class Theme:
    """One set of colours. Meaning is never carried by a colour alone."""

    ground: Colour = (19, 15, 13)
    panel: Colour = (35, 28, 24)
    raised: Colour = (52, 42, 35)
    line: Colour = (84, 68, 55)
    felt: Colour = (20, 61, 49)
    felt_dark: Colour = (14, 44, 36)
    wood: Colour = (92, 57, 33)
    brass: Colour = (214, 170, 96)

    ink: Colour = (247, 239, 226)
    soft: Colour = (197, 181, 160)
    on_light: Colour = (29, 22, 17)

    accent: Colour = (247, 184, 68)
    good: Colour = (120, 211, 134)
    bad: Colour = (248, 122, 106)
    info: Colour = (134, 188, 246)

    die: Colour = (246, 238, 220)
    die_edge: Colour = (196, 180, 150)
    pip: Colour = (36, 25, 20)

    button_confirm: Colour = (58, 190, 103)
    button_back: Colour = (232, 84, 80)
    button_left: Colour = (245, 200, 66)
    button_right: Colour = (92, 164, 245)
    button_dark: Colour = (58, 50, 45)


DARK: Final = Theme()

HIGH_CONTRAST: Final = Theme(
    ground=(0, 0, 0),
    panel=(0, 0, 0),
    raised=(30, 30, 30),
    line=(200, 200, 200),
    felt=(0, 28, 20),
    felt_dark=(0, 0, 0),
    wood=(120, 120, 120),
    brass=(255, 255, 255),
    ink=(255, 255, 255),
    soft=(255, 255, 255),
    accent=(255, 214, 0),
    good=(0, 255, 128),
    bad=(255, 120, 120),
    info=(120, 210, 255),
    die=(255, 255, 255),
    die_edge=(160, 160, 160),
    pip=(0, 0, 0),
)

THEMES: Final = {"dark": DARK, "contrast": HIGH_CONTRAST}

# Type sizes in design units.
SMALL: Final = 21
BODY: Final = 25
LARGE: Final = 34
TITLE: Final = 46
HUGE: Final = 84
