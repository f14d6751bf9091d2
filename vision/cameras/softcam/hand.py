"""A hand over the tray."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.cameras.softcam.dice import Colour, linear
from vision.cameras.softcam.lens import Lens
from vision.reading import Image

Floats = npt.NDArray[np.float32]

NEARER = 1.2
"""A hand is nearer to the camera than the tray's floor, and so looks larger."""

# Bones in centimetres, the palm's middle at the origin, fingers towards +y: x, y of both ends, and
# the radius. The flag says whether it curls.
_BONES = (
    (-2.6, -2.5, -2.2, 2.2, 1.7, False),
    (-0.6, -3.0, -0.4, 2.6, 1.8, False),
    (1.4, -3.0, 1.4, 2.5, 1.8, False),
    (2.3, -2.5, 2.4, 1.8, 1.5, False),
    (-2.9, 3.0, -4.0, 8.2, 0.80, True),
    (-1.1, 3.5, -1.4, 10.2, 0.88, True),
    (0.9, 3.5, 1.2, 10.0, 0.88, True),
    (2.7, 2.6, 3.6, 8.6, 0.85, True),
    (-2.6, -1.5, -5.2, 1.6, 1.10, False),
    (-5.2, 1.6, -6.3, 4.2, 0.95, True),
    (0.0, -3.0, 0.0, -11.0, 2.7, False),
)
_SLEEVE = (0.0, -12.5, 0.0, -45.0, 4.3)
SKIN: Colour = (0.80, 0.58, 0.46)
CLOTH: Colour = (0.16, 0.24, 0.36)
_REACH = (-9.0, -34.0, 9.0, 12.0)  # what the drawing covers: x0, y0, x1, y1


@dataclass(frozen=True, slots=True)
class Hand:
    """Where a hand is."""

    x: float
    y: float
    """The palm's middle over the tray's floor, in centimetres."""
    heading: float = 0.0
    """Where the fingers point, in degrees to the left of straight away from the player."""
    curl: float = 0.0
    """0 is an open hand, 1 a fist."""


class HandPainter:
    """Draws hands into pictures of one lens."""

    def __init__(self, lens: Lens) -> None:
        self.lens = lens
        self.scale = NEARER * lens.focal / float(lens.place[2])  # pixels a centimetre

    def paint(self, image: Image, hand: Hand) -> Image:
        """The picture with the hand and its shadow on it."""
        drawing, cover = _drawings(self.scale)[min(2, max(0, round(hand.curl * 2)))]
        width, height = self.lens.size
        turn = math.radians(hand.heading) - float(np.arctan2(self.lens.turn[1, 0], 1.0))
        c, s = math.cos(turn), math.sin(turn)
        at = self.lens.project(np.array([[hand.x, hand.y, 7.0]]))[0]
        pivot = np.array([-_REACH[0], _REACH[3]]) * self.scale
        move = np.array([[c, s, 0.0], [-s, c, 0.0]])
        move[:, 2] = at - move[:, :2] @ pivot
        alpha = cv2.warpAffine(cover, move, (width, height))
        if not alpha.any():
            return image
        colour = cv2.warpAffine(drawing, move, (width, height), borderMode=cv2.BORDER_REPLICATE)
        # The shadow, on a quarter of the pixels: it is soft.
        drop = move.copy()
        drop[:, 2] += np.array([0.02, 0.03]) * width
        drop /= 4
        low = cv2.warpAffine(cover, drop, (width // 4, height // 4))
        soft = cv2.GaussianBlur(low, (0, 0), width / 160)
        shade = 1 - 0.5 * cv2.resize(soft, (width, height)).astype(np.float32) / 255
        share = alpha.astype(np.float32)[..., None] / 255
        mixed = image * shade[..., None] * (1 - share) + colour * share
        return np.asarray(mixed + 0.5).astype(np.uint8)


@lru_cache(maxsize=2)
def _drawings(scale: float) -> tuple[tuple[Image, Image], ...]:
    """Colour and cover of an open hand, a half closed one and a fist, fingers up."""
    return tuple(_draw(curl, scale) for curl in (0.0, 0.5, 1.0))


def _draw(curl: float, scale: float) -> tuple[Image, Image]:
    step = 1 / scale
    x, y = np.meshgrid(
        np.arange(_REACH[0], _REACH[2], step).astype(np.float32),
        np.arange(_REACH[3], _REACH[1], -step).astype(np.float32),
    )
    height = np.zeros_like(x)
    for x0, y0, x1, y1, radius, curls in _BONES:
        share = 1 - 0.62 * curl if curls else 1.0
        end = (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share)
        height = np.maximum(height, _capsule(x, y, (x0, y0), end, radius))
    sleeve = _capsule(x, y, _SLEEVE[:2], _SLEEVE[2:4], _SLEEVE[4])
    colour = np.where((sleeve > height)[..., None], linear(CLOTH), linear(SKIN))
    height = np.maximum(height, sleeve)
    smooth = cv2.GaussianBlur(height, (0, 0), 0.12 * scale)
    slope_x = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=scale / 8)
    slope_y = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=scale / 8)
    normal = np.sqrt(slope_x**2 + slope_y**2 + 1)
    facing = np.clip((0.35 * slope_x + 0.30 * slope_y + 0.88) / normal, 0, 1)
    light = colour * (0.18 + 0.72 * facing)[..., None]
    grey = np.clip(light, 0, 1) ** (1 / 2.2) * 255
    cover = np.clip(height * scale / 1.5, 0, 1) * 255
    return grey.astype(np.uint8), cover.astype(np.uint8)


def _capsule(
    x: Floats, y: Floats, a: tuple[float, ...], b: tuple[float, ...], radius: float
) -> Floats:
    """Height of a round bar from a to b above the plane through its axis."""
    way = np.array([b[0] - a[0], b[1] - a[1]], np.float32)
    along = np.clip(((x - a[0]) * way[0] + (y - a[1]) * way[1]) / float(way @ way), 0, 1)
    off = (x - a[0] - along * way[0]) ** 2 + (y - a[1] - along * way[1]) ** 2
    return np.asarray(np.sqrt(np.maximum(radius**2 - off, 0)), np.float32)
