"""The simulated table's measures, in centimetres.

The origin is the middle of the tray's floor; x to the right, y away from the player who sits at the
bottom of the picture, z up. The tray is the one of the building instructions: 28 by 28 cm inside,
with a keep rail along its near edge behind a low rib.
"""

from __future__ import annotations

from dataclasses import dataclass

EDGE = 1.6
"""Edge of a die."""
ROUNDING = 0.2
"""Radius of a die's edges, for the motion; the dice sets differ a little."""
HALF = 14.0
"""Half the inner width and depth of the tray."""
WALL_HEIGHT = 2.2
WALL_THICK = 1.0
RIB_NEAR, RIB_FAR = -10.2, -9.6
"""The rib between keep rail (nearer) and tray (farther)."""
RIB_HEIGHT = 0.8
RAIL_SHARE = ((RIB_NEAR + RIB_FAR) / 2 + HALF) / (2 * HALF)
"""Depth of the keep rail as a share of the tray's depth, up to the middle of the rib."""
FIELD_OF_VIEW = 51.9
"""Horizontal, in degrees, of a 4:3 picture: Camera Module 3."""


@dataclass(frozen=True, slots=True)
class Stand:
    """What of the table differs from one to the other."""

    wall_height: float = WALL_HEIGHT
    wall_thick: float = WALL_THICK
    camera_height: float = 44.0
    """The lens above the felt."""
    markers: bool = False
    """Whether the printed markers are glued on the rim's corners."""
    k1: float = 0.0
    """How much the lens bends straight lines: see `vision.lens`."""


PLAIN = Stand()
"""A tray without markers and a lens without faults."""
BUILT = Stand(wall_height=3.5, wall_thick=1.8, camera_height=50.0, markers=True, k1=-0.03)
"""The table of the building instructions, with markers and a lens that bends a little."""
