"""Drawn dice for the tests: a top face of any value, colour, size, rotation and perspective."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Image

Quad = npt.NDArray[np.float32]

PLACES = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (-1, 1), (1, 1), (0, 0)],
    6: [(-1, -1), (1, -1), (-1, 1), (1, 1), (-1, 0), (1, 0)],
}

Colour = tuple[int, int, int]


def square(centre: tuple[float, float], edge: float, turn: float = 0.0) -> Quad:
    """Corners of a square, clockwise, turned by degrees; the first pixel's centre is (0.5, 0.5)."""
    angles = np.deg2rad(turn + np.array([225.0, 315.0, 45.0, 135.0]))
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1) * edge / np.sqrt(2)
    return (ring + centre).astype(np.float32)


def draw_die(
    image: Image,
    quad: Quad,
    value: int,
    *,
    body: Colour = (235, 240, 240),
    pip: Colour = (20, 20, 20),
    radius: float = 0.1,
    spacing: float = 0.25,
) -> None:
    """Draw a top face into the picture; pips are circles on the face's own plane."""
    fine = 256
    face = np.full((fine, fine, 3), body, np.uint8)
    for x, y in PLACES[value]:
        at = (round((0.5 + spacing * x) * fine), round((0.5 + spacing * y) * fine))
        cv2.circle(face, at, round(radius * fine), pip, -1, cv2.LINE_AA)
    # Averaged down to about the size in the picture first, as a lens does.
    edge = max(4, round(float(np.sqrt(cv2.contourArea(quad)))))
    face = cv2.resize(face, (edge, edge), interpolation=cv2.INTER_AREA).astype(np.uint8)
    a, b = -0.5, edge - 0.5
    matrix = cv2.getPerspectiveTransform(
        np.array([[a, a], [b, a], [b, b], [a, b]], np.float32), quad
    )
    size = (image.shape[1], image.shape[0])
    moved = cv2.warpPerspective(face, matrix, size)
    mask = cv2.warpPerspective(np.full((edge, edge), 255, np.uint8), matrix, size)
    image[mask > 127] = moved[mask > 127]


def blank(width: int = 160, height: int = 160, colour: Colour = (60, 90, 40)) -> Image:
    """A picture of one colour."""
    return np.full((height, width, 3), colour, np.uint8)


def noisy(image: Image, sigma: float, seed: int) -> Image:
    """The picture with the noise of a small sensor."""
    noise = np.random.default_rng(seed).normal(0, sigma, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)
