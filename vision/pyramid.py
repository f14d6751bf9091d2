"""One picture at full, half, quarter ... size, and square patches cut out of the fitting one.

Cutting from a level where the patch is about as large as it shall become is fast, and never skips
pixels. Each level is made when it is first asked for.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Image


class Pyramid:
    """The levels of a picture (uint8, height x width x 3)."""

    def __init__(self, image: Image) -> None:
        self._levels = [image]

    @classmethod
    def of(cls, picture: Image | Pyramid) -> Pyramid:
        """The picture's levels; a pyramid is returned as it is."""
        return picture if isinstance(picture, Pyramid) else cls(picture)

    @property
    def image(self) -> Image:
        """The picture itself."""
        return self._levels[0]

    def level(self, shrink: float) -> Image:
        """The smallest level that must not be enlarged to shrink the picture by this factor."""
        k = max(0, math.floor(math.log2(max(shrink, 1.0))))
        while len(self._levels) <= k:
            last = self._levels[-1]
            # By area: halving is five times as fast as shrinking by any other factor.
            size = (max(1, last.shape[1] // 2), max(1, last.shape[0] // 2))
            half = cv2.resize(last, size, interpolation=cv2.INTER_AREA)
            self._levels.append(np.asarray(half, np.uint8))
        return self._levels[k]

    def patch(self, corners: npt.ArrayLike, side: int, face: int) -> Image:
        """A patch (side, side, 3) whose middle face x face pixels show a quadrilateral.

        `corners` (4, 2) count from the corner of the picture: the first pixel's centre is
        (0.5, 0.5). Outside the picture its border is repeated.
        """
        quad = np.asarray(corners, np.float32)
        edge = math.sqrt(max(1.0, abs(cv2.contourArea(quad))))
        source = self.level(1.05 * edge / face)
        scale = np.array(source.shape[1::-1], np.float32) / self.image.shape[1::-1]
        a, b = (side - face) / 2 - 0.5, (side + face) / 2 - 0.5
        target = np.array([(a, a), (b, a), (b, b), (a, b)], np.float32)
        view = cv2.getPerspectiveTransform((quad * scale - 0.5).astype(np.float32), target)
        patch = cv2.warpPerspective(
            source, view, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(patch, np.uint8)

    def square(self, centre: npt.ArrayLike, edge: float, side: int, face: int) -> Image:
        """As `patch`, of an upright square with this middle and edge: half the time."""
        source = self.level(1.05 * edge / face)
        scale = np.array(source.shape[1::-1]) / self.image.shape[1::-1]
        step = scale * edge / face
        x, y = np.asarray(centre) * scale - 0.5 - step * (side - 1) / 2
        view = np.array([(step[0], 0, x), (0, step[1], y)])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        patch = cv2.warpAffine(
            source, view, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(patch, np.uint8)
