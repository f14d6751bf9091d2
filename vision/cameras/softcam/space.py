"""The simulated table's measures, in centimetres.

The origin is the middle of the tray's floor; x to the right, y away from the player who sits at the
bottom of the picture, z up. The tray is the one of the building instructions: 28 by 28 cm inside,
with a keep rail along its near edge behind a low rib.
"""

from __future__ import annotations

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
CAMERA_HEIGHT = 44.0
FIELD_OF_VIEW = 51.9
"""Horizontal, in degrees, of a 4:3 picture: Camera Module 3."""
