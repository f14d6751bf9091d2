"""A learned opinion of one top face, independent of the pip fit in `vision.pips`.

A small network looks at the face rectified to 24 x 24 pixels with a margin of 8 around it, and says
how likely each value is, and how likely that there is no readable face.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.dice import unit_contrast
from vision.network import WEIGHTS, Floats, Network
from vision.pyramid import Pyramid
from vision.reading import Image

SIDE = 40
"""Side of a patch in pixels."""
FACE = 24
"""Side of the face in the middle of it."""
NONE = 0
"""Class of what is no die, or nothing that could be read."""
SPOILT = 7
"""Class of a die that is partly covered. Classes 1 to 6 are the values."""


class FaceNet:
    """Classifies patches; one object serves any number of them."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._net = Network(weights / "faces.onnx")

    def classify(self, patches: Sequence[Image]) -> Floats:
        """Probabilities (n, 8) of NONE, the values 1 to 6, and SPOILT, for patches of `crop`."""
        if not len(patches):
            return np.zeros((0, 8), np.float32)
        logits = self._net(unit_contrast(np.stack(patches).astype(np.float32)))
        p = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(p / p.sum(axis=1, keepdims=True), np.float32)

    @staticmethod
    def crop(picture: Image | Pyramid, corners: npt.ArrayLike) -> Image:
        """The patch (SIDE, SIDE, 3) around a top face with these corners (4, 2), clockwise.

        Corners have their origin at the picture's corner.
        """
        return Pyramid.of(picture).patch(corners, SIDE, FACE)
