"""What spoils a picture: a knock on the table, flickering lamps, glare, lamps going dim."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from vision.reading import Image, Point


class Effect(Protocol):
    """Something that lasts for a while."""

    @property
    def seconds(self) -> float:
        """How long."""
        ...

    @property
    def moves(self) -> bool:
        """Whether it changes the picture from frame to frame."""
        ...

    def apply(self, image: Image, time: float) -> Image:
        """The picture `time` seconds after it began."""
        ...


@dataclass(frozen=True, slots=True)
class Knock:
    """Someone bumped the table: the picture shakes and settles; the dice stay where they are."""

    strength: float = 1.0
    """1 shakes by about a third of a die."""
    seconds: float = 0.9
    moves = True

    def apply(self, image: Image, time: float) -> Image:
        """The picture, shifted."""
        height, width = image.shape[:2]
        swing = self.strength * width / 80 * math.exp(-time / 0.22)
        dx = swing * math.sin(2 * math.pi * 8.3 * time)
        dy = 0.6 * swing * math.sin(2 * math.pi * 6.1 * time + 0.7)
        shift = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
        moved = cv2.warpAffine(image, shift, (width, height), borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(moved, np.uint8)


@dataclass(frozen=True, slots=True)
class Flicker:
    """Mains light against a rolling shutter: bright and dark bands that wander."""

    depth: float = 0.12
    seconds: float = 2.0
    moves = True

    def apply(self, image: Image, time: float) -> Image:
        """The picture, with bands."""
        rows = np.linspace(0, 1, image.shape[0], dtype=np.float32)
        bands = 1 + self.depth * np.sin(2 * math.pi * (1.6 * rows + 3.7 * time))
        bright = image * bands[:, None, None].astype(np.float32)
        return np.asarray(np.clip(bright, 0, 255), np.uint8)


@dataclass(frozen=True, slots=True)
class Glare:
    """A lamp mirrored by whatever lies at one place."""

    place: Point
    """In pixels."""
    radius: float
    """In pixels."""
    seconds: float
    moves = False

    def apply(self, image: Image, time: float) -> Image:
        """The picture, with a white spot."""
        height, width = image.shape[:2]
        x = (np.arange(width, dtype=np.float32) - self.place[0]) / self.radius
        y = (np.arange(height, dtype=np.float32) - self.place[1]) / self.radius
        blob = np.minimum(1, 1.6 * np.exp(-(x[None] ** 2 + y[:, None] ** 2)))[..., None]
        bright = image + (255 - image) * blob
        return np.asarray(np.clip(bright, 0, 255), np.uint8)


@dataclass(frozen=True, slots=True)
class Dim:
    """The lamps go darker (or brighter) at once, and back."""

    gain: float = 0.6
    seconds: float = 1.0
    moves = False

    def apply(self, image: Image, time: float) -> Image:
        """The picture, darker."""
        return np.asarray(cv2.convertScaleAbs(image, alpha=self.gain), np.uint8)
