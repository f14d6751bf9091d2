"""Dice of the simulated camera: shape, colours, and the picture on their faces.

A face is numbered 0 to 5: +x, +y, +z, -x, -y, -z of the die. Faces 0, 1, 2 show 1, 2, 3, which run
counter-clockwise round their common corner, as on western dice, and opposite faces make 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.cameras.softcam.space import EDGE

Array = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
Colour = tuple[float, float, float]
"""Red, green, blue from 0 to 1, as on a screen (sRGB)."""

VALUES = (1, 2, 3, 6, 5, 4)
"""What the faces 0 to 5 show."""

NORMALS: Array = np.array(
    [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, -1, 0], [0, 0, -1]], float
)
ACROSS: Array = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0]], float)
UP: Array = np.cross(NORMALS, ACROSS)
"""Each face's picture runs along ACROSS and UP; ACROSS x UP is its normal."""

TILE = 128
"""Pixels of one face's picture."""
PAD = 0.03
"""Share of a tile beyond the face's edge, so that interpolation finds the same colour there."""


@dataclass(frozen=True, slots=True)
class DiceSet:
    """The dice on the table."""

    body: Colour
    pips: Colour
    one: Colour | None = None
    """Another colour for the one, as on Asian dice."""
    four: Colour | None = None
    marble: Colour | None = None
    """Veins of a second colour."""
    rounding: float = 0.20
    """Radius of the edges in centimetres."""
    pip_radius: float = 0.155
    pip_spacing: float = 0.40
    """From the middle of a face, in centimetres."""
    one_radius: float | None = None
    depth: float = 0.05
    """Of the hollows; 0 for painted pips."""
    rough: float = 0.28
    """0 is a mirror, 1 is chalk."""


_BLACK, _WHITE, _RED = (0.04, 0.04, 0.04), (0.95, 0.95, 0.93), (0.72, 0.03, 0.04)

DICE_SETS = {
    "white": DiceSet((0.93, 0.92, 0.90), _BLACK),
    "ivory": DiceSet((0.91, 0.86, 0.72), (0.06, 0.04, 0.03), rounding=0.26, pip_spacing=0.37),
    "black": DiceSet((0.05, 0.05, 0.055), _WHITE, rough=0.24),
    "red": DiceSet((0.72, 0.03, 0.05), _WHITE, rough=0.25),
    "blue": DiceSet((0.05, 0.16, 0.60), _WHITE),
    "green": DiceSet((0.03, 0.42, 0.18), _WHITE),
    "orange": DiceSet((0.93, 0.42, 0.06), _BLACK),
    "marble": DiceSet((0.12, 0.25, 0.55), (0.96, 0.94, 0.85), marble=(0.45, 0.6, 0.8), rough=0.2),
    "casino": DiceSet(
        (0.70, 0.02, 0.05), _WHITE, rounding=0.06, pip_radius=0.18, pip_spacing=0.43, depth=0.0
    ),
    "asian": DiceSet(
        (0.94, 0.93, 0.90), (0.02, 0.03, 0.10), one=_RED, four=_RED, one_radius=0.28,
        rounding=0.22, pip_spacing=0.36,
    ),
}  # fmt: skip


def linear(colour: Colour) -> Floats:
    """Blue, green, red in amounts of light, from red, green, blue of a screen."""
    c = np.array(colour[::-1], np.float32)
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4).astype(np.float32)


def layout(value: int, spacing: float) -> list[tuple[float, float]]:
    """Centres of the pips of a face, across and up from its middle."""
    a, b = (spacing, spacing), (-spacing, -spacing)
    four = [a, b, (spacing, -spacing), (-spacing, spacing)]
    return {
        1: [(0.0, 0.0)],
        2: [a, b],
        3: [a, (0.0, 0.0), b],
        4: four,
        5: [*four, (0.0, 0.0)],
        6: [*four, (spacing, 0.0), (-spacing, 0.0)],
    }[value]


def top_face(turn: Array) -> tuple[int, float]:
    """Which face of a die with this rotation matrix is up, and how far it tilts, in degrees."""
    heights = NORMALS @ turn[2]
    face = int(heights.argmax())
    return face, float(np.degrees(np.arccos(min(1.0, heights[face]))))


def top_corners(place: Array, turn: Array) -> Array:
    """The four corners (4, 3) of the face that is up."""
    face, _ = top_face(turn)
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    corners = NORMALS[face] + square[:, :1] * ACROSS[face] + square[:, 1:] * UP[face]
    world: Array = corners * (EDGE / 2) @ turn.T + place
    return world


@lru_cache(maxsize=4)
def picture_of_faces(dice: DiceSet) -> tuple[Floats, Floats]:
    """Colour (2 TILE, 3 TILE, 3), linear light, and slope (…, 2) of all six faces.

    Face f stands in row f // 3 and column f % 3; the first row of a tile is its lower edge.
    """
    rng = np.random.default_rng(2)
    colour = np.zeros((2 * TILE, 3 * TILE, 3), np.float32)
    slope = np.zeros((2 * TILE, 3 * TILE, 2), np.float32)
    at = ((np.arange(TILE) + 0.5) / TILE - PAD) / (1 - 2 * PAD)
    u, v = np.meshgrid((at * 2 - 1) * EDGE / 2, (at * 2 - 1) * EDGE / 2)
    pixel = float(u[0, 1] - u[0, 0])
    for face, value in enumerate(VALUES):
        row, column = divmod(face, 3)
        tile = np.s_[row * TILE : (row + 1) * TILE, column * TILE : (column + 1) * TILE]
        colour[tile] = _body(dice, rng)
        paint = linear({1: dice.one, 4: dice.four}.get(value) or dice.pips)
        radius = dice.one_radius if value == 1 and dice.one_radius else dice.pip_radius
        for across, up in layout(value, dice.pip_spacing):
            du, dv = u - across, v - up
            far = np.hypot(du, dv)
            cover = np.clip((radius - far) / (1.2 * pixel) + 0.5, 0, 1)[..., None]
            shade = (1 - 0.12 * np.minimum(far / radius, 1.0) ** 2)[..., None]
            colour[tile] = colour[tile] * (1 - cover) + paint * shade * cover
            if dice.depth:
                # The hollow is a part of a ball of this radius.
                ball = (radius**2 + dice.depth**2) / (2 * dice.depth)
                fall = np.sqrt(np.maximum(ball**2 - far**2, 1e-6))
                inside = (far < radius)[..., None]
                hollow = np.stack([-du / fall, -dv / fall], axis=-1)
                slope[tile] = np.where(inside, hollow, slope[tile])
    return colour, np.asarray(cv2.GaussianBlur(slope, (0, 0), 0.8), np.float32)


def _body(dice: DiceSet, rng: np.random.Generator) -> Floats:
    body = linear(dice.body) * (1 + 0.05 * cloud(rng, TILE, TILE, 3)[..., None])
    if dice.marble:
        veins = np.abs(cloud(rng, TILE, TILE, 4) + 0.5 * cloud(rng, TILE, TILE, 9))
        share = np.clip(1 - veins / 0.5, 0, 1)[..., None] * 0.8
        body = body * (1 - share) + linear(dice.marble) * share
    return np.clip(body, 0, 1).astype(np.float32)


def cloud(rng: np.random.Generator, height: int, width: int, cells: int) -> Floats:
    """Smooth noise of mean 0 and spread 1, with about `cells` lumps across."""
    rows = max(2, round(cells * height / width))
    grid = rng.standard_normal((rows, max(2, cells)), np.float32)
    noise = cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(noise / (noise.std() + 1e-6), np.float32)
