"""Frames over time: is the tray empty, is a hand in it, do the dice move, do they lie still?"""

from __future__ import annotations

from enum import StrEnum


class State(StrEnum):
    """What the tray shows at one moment."""

    EMPTY = "empty"
    """Nothing lies in the tray and nothing moves."""
    HAND = "hand"
    """A hand, a cup or a sleeve is over the tray."""
    MOVING = "moving"
    """Dice roll or spin, the table was knocked, or the light changes."""
    AT_REST = "at_rest"
    """Something lies in the tray and nothing moves."""
