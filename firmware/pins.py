"""What is wired to which pin: the one table that code, configuration and wiring guide share.

Buttons close to ground, so that a broken wire is a button never pressed. All pins lie clear of
I2C (2, 3; 3 also wakes a halted Pi), the serial port (14, 15), the HAT's own memory (0, 1), SPI0
with the usual pins of a display on it (7 to 11, 17, 18, 24, 25) and sound (18 to 21). The lamps
use pins that the Pi itself pulls down at power-on, so that no lamp lights before the program.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wire:
    """One connection of the 40-pin header."""

    option: str
    """Its key in the section `[panel]` of the configuration."""
    bcm: int
    """Default number in Broadcom's counting; 0 means not connected."""
    use: str
    """What is connected to it, in words."""


WIRING = (
    Wire("confirm_pin", 5, "confirm button, to ground"),
    Wire("back_pin", 6, "back button, to ground"),
    Wire("left_pin", 13, "left button, to ground"),
    Wire("right_pin", 26, "right button, to ground"),
    Wire("confirm_lamp_pin", 12, "lamp of the confirm button, through a transistor"),
    Wire("back_lamp_pin", 16, "lamp of the back button, through a transistor"),
    Wire("left_lamp_pin", 23, "lamp of the left button, through a transistor"),
    Wire("right_lamp_pin", 27, "lamp of the right button, through a transistor"),
    Wire("tray_light_pin", 22, "light over the tray, through a transistor"),
    Wire("encoder_a_pin", 0, "rotary encoder, contact A (not connected by default)"),
    Wire("encoder_b_pin", 0, "rotary encoder, contact B (not connected by default)"),
)
"""Every connection and its default."""

RESERVED = {
    0: "the HAT's own memory (ID_SD); here 0 means not connected",
    1: "the HAT's own memory (ID_SC)",
    2: "I2C, with a fixed pull-up",
    3: "I2C, with a fixed pull-up; it also wakes a halted Pi",
    14: "the serial port",
    15: "the serial port",
}
"""Pins that the panel should leave alone, and why."""

HEADER = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19,
    9: 21, 25: 22, 11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35,
    16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""BCM number to the place on the 40-pin header."""


def default(option: str) -> int:
    """The default BCM number of an option; KeyError when there is no such wire."""
    return {wire.option: wire.bcm for wire in WIRING}[option]
