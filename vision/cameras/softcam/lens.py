"""A pinhole camera looking down on the tray, and the turns of cubes."""

from __future__ import annotations

import itertools
import math

import numpy as np
import numpy.typing as npt

from vision.cameras.softcam.space import FIELD_OF_VIEW, PLAIN, Stand
from vision.lens import Lens as Glass

Array = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]


class Lens:
    """Where points of the tray (centimetres) are in the picture (pixels), and the way back.

    The camera hangs over the middle of the tray, a little askew, as they do.
    """

    ASKEW = (0.5, -0.4, 0.6)  # degrees about x, y and the line of sight

    def __init__(self, size: tuple[int, int], stand: Stand = PLAIN) -> None:
        self.size = size
        self.focal = size[0] / 2 / math.tan(math.radians(FIELD_OF_VIEW) / 2)
        self.blur = 0.5 * size[0] / 640  # a small lens is not quite sharp; sigma in pixels
        self.middle = np.array([size[0] / 2, size[1] / 2])
        self.place: Array = np.array([0.35, -0.25, stand.camera_height])
        self.turn: Array = _turn(self.ASKEW)
        middle = (size[0] / 2, size[1] / 2)
        self.glass = Glass(middle, self.focal, stand.k1) if stand.k1 else None

    def project(self, points: Array) -> Array:
        """Pixels (n, 2) of points (n, 3)."""
        seen = (np.atleast_2d(points) - self.place) @ self.turn
        flat = np.stack([seen[:, 0], -seen[:, 1]], axis=1) / -seen[:, 2:]
        pixels: Array = flat * self.focal + self.middle
        return pixels if self.glass is None else np.asarray(self.glass.bend(pixels), np.float64)

    def rays(self, box: tuple[int, int, int, int], fine: int = 1) -> Floats:
        """Directions (rows, columns, 3) of length 1 for a window x0, y0, x1, y1 of the picture.

        `fine` rays a pixel, in each direction.
        """
        x0, y0, x1, y1 = box
        x = (x0 + (np.arange((x1 - x0) * fine) + 0.5) / fine - self.middle[0]) / self.focal
        y = (y0 + (np.arange((y1 - y0) * fine) + 0.5) / fine - self.middle[1]) / self.focal
        # Rotation taken apart, so that the big array is built once.
        across, down, ahead = self.turn[:, 0], self.turn[:, 1], self.turn[:, 2]
        u, v = x[None, :, None], y[:, None, None]
        if self.glass is not None:
            bent = np.stack(np.broadcast_arrays(u[..., 0], v[..., 0]), axis=-1) * self.focal
            flat = self.glass.straighten(bent + self.middle) - self.middle
            u, v = flat[..., :1] / self.focal, flat[..., 1:] / self.focal
        rays: Floats = (u * across - v * down - ahead).astype(np.float32)
        rays /= np.sqrt(np.einsum("ijk,ijk->ij", rays, rays))[..., None]
        return rays


def _turn(degrees: tuple[float, float, float]) -> Array:
    (cx, cy, cz), (sx, sy, sz) = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    about_x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    about_y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    about_z = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    turn: Array = about_z @ about_y @ about_x
    return turn


def matrix(quaternion: Array) -> Array:
    """The rotation matrix of a quaternion x, y, z, w."""
    x, y, z, w = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def about(axis: int, radians: float) -> Array:
    """The rotation matrix about x (0), y (1) or z (2)."""
    turn = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    turn[i, i] = turn[j, j] = math.cos(radians)
    turn[j, i] = math.sin(radians)
    turn[i, j] = -turn[j, i]
    return turn


def _cube_turns() -> tuple[Array, ...]:
    turns = []
    for order in itertools.permutations(range(3)):
        for signs in itertools.product((1.0, -1.0), repeat=3):
            turn = np.zeros((3, 3))
            turn[range(3), order] = signs
            if np.linalg.det(turn) > 0:
                turns.append(turn)
    return tuple(turns)


CUBE_TURNS = _cube_turns()
"""The 24 turns that put a cube onto itself."""
