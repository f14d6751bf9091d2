"""A drawn tray, seen from above by a tilted camera, with the true corners of its floor."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.reading import Image

FELT = (60, 110, 40)
WOOD = (70, 110, 160)
TABLE = (95, 100, 105)


@dataclass(frozen=True)
class Box:
    """A square tray of 280 mm and the camera over it; lengths in millimetres, angles in degrees."""

    height: float = 450.0
    wall: float = 35.0
    rim: float = 15.0
    tilt: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0
    off: tuple[float, float] = (0.0, 0.0)
    shadow: float = 0.0
    """Width of the near wall's soft shadow on the floor."""
    lined: bool = False
    """Whether the walls are of the felt's colour."""
    noise: float = 4.0
    size: tuple[int, int] = (960, 720)

    def project(self, points: np.ndarray) -> np.ndarray:
        """Pixels (n, 2) of places (n, 3): from the tray's middle, heights upwards."""
        turned = cv2.Rodrigues(np.radians([*self.tilt, 0.0]))[0]
        turned = turned @ cv2.Rodrigues(np.radians([0.0, 0.0, self.turn]))[0]
        camera = (points - np.array([*self.off, self.height])) * (1, 1, -1)
        seen = camera @ np.asarray(turned).T
        focal = 0.95 * self.size[0]
        return np.asarray(seen[:, :2] / seen[:, 2:] * focal + (np.array(self.size) - 1) / 2)

    def square(self, half: float, up: float) -> np.ndarray:
        """The corners (4, 2) of a square, far left first and clockwise."""
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        return self.project(np.column_stack([corners, np.full(4, up)]))

    @property
    def corners(self) -> np.ndarray:
        """The floor's."""
        return self.square(140, 0)

    @property
    def below(self) -> np.ndarray:
        """The pixel of the floor's point straight below the camera."""
        return np.asarray(self.project(np.array([[*self.off, 0.0]]))[0])

    def draw(self, seed: int = 0) -> Image:
        """The picture."""
        rng = np.random.default_rng(seed)
        image = np.full((self.size[1], self.size[0], 3), TABLE, np.float32)
        grain = cv2.GaussianBlur(rng.normal(0, 60, image.shape[:2]).astype(np.float32), (0, 0), 9)
        image += 2 * grain[..., None]
        _fill(image, self.square(140 + self.rim, self.wall), WOOD, 1.0)
        upper, floor = self.square(140, self.wall), self.corners
        wall = FELT if self.lined else WOOD
        for side, light in enumerate((0.5, 0.75, 0.62, 0.85)):
            other = (side + 1) % 4
            _fill(
                image, np.array([upper[side], upper[other], floor[other], floor[side]]), wall, light
            )
        _fill(image, floor, FELT, 1.0)
        if self.shadow:
            mask = np.zeros(image.shape[:2], np.float32)
            band = np.array([[-140, 140 - self.shadow, 0], [140, 140 - self.shadow, 0],
                             [140, 140, 0], [-140, 140, 0]], float)  # fmt: skip
            _fill(mask, self.project(band), (1.0,), 1.0)
            inside = np.zeros_like(mask)
            _fill(inside, floor, (1.0,), 1.0)
            image *= (1 - 0.6 * cv2.GaussianBlur(mask, (0, 0), 6) * inside)[..., None]
        noisy = cv2.GaussianBlur(image, (0, 0), 0.9) + rng.normal(0, self.noise, image.shape)
        return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def _fill(image: np.ndarray, quad: np.ndarray, colour: tuple[float, ...], light: float) -> None:
    ink = tuple(light * c for c in colour)
    cv2.fillConvexPoly(image, np.rint(quad * 16).astype(np.int32), ink, cv2.LINE_8, 4)
