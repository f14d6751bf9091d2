"""A learned opinion of one top face, independent of the pip fit in `vision.pips`.

A small network looks at the face rectified to 24 x 24 pixels with a margin of 8 around it, and says
how likely each value is, and how likely that there is no readable face.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Image

Floats = npt.NDArray[np.float32]

WEIGHTS = Path(__file__).parent / "weights" / "faces.onnx"

SIDE = 40
"""Side of a patch in pixels."""
FACE = 24
"""Side of the face in the middle of it."""
NONE = 0
"""Class of what is no die, or nothing that could be read."""
SPOILT = 7
"""Class of a die that leans or is partly covered. Classes 1 to 6 are the values."""


class FaceNet:
    """Classifies patches; one object serves any number of them."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(weights))

    def classify(self, patches: Sequence[Image]) -> Floats:
        """Probabilities (n, 8) of NONE, the values 1 to 6, and SPOILT, for patches of `crop`."""
        if not len(patches):
            return np.zeros((0, 8), np.float32)
        x = np.stack(patches).astype(np.float32).transpose(0, 3, 1, 2)
        x -= x.mean(axis=(1, 2, 3), keepdims=True)
        x /= np.maximum(x.std(axis=(1, 2, 3), keepdims=True), 6.0)
        self._net.setInput(x)
        logits = np.asarray(self._net.forward(), np.float32)
        p = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(p / p.sum(axis=1, keepdims=True), np.float32)

    @staticmethod
    def crop(image: Image, corners: npt.ArrayLike) -> Image:
        """The patch (SIDE, SIDE, 3) around a top face with these corners (4, 2), clockwise.

        Corners have their origin at the picture's corner. Outside the picture its border
        is repeated.
        """
        quad = np.asarray(corners, np.float32)
        edge = max(1.0, float(np.sqrt(abs(cv2.contourArea(quad)))))
        centre, reach = quad.mean(axis=0), 1.7 * edge
        height, width = image.shape[:2]
        low = np.clip(centre - reach, 0, (width - 1, height - 1)).astype(int)
        high = np.clip(centre + reach + 1, low + 1, (width, height)).astype(int)
        cut = image[low[1] : high[1], low[0] : high[0]]
        scale = np.ones(2)
        if edge > 1.6 * FACE:  # shrink by area first: the warp alone would alias
            shrink = 1.4 * FACE / edge
            size = [max(1, round(n * shrink)) for n in (cut.shape[1], cut.shape[0])]
            scale = np.array(size) / (cut.shape[1], cut.shape[0])
            cut = np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_AREA), np.uint8)
        a, b = (SIDE - FACE) / 2 - 0.5, (SIDE + FACE) / 2 - 0.5
        target = np.array([(a, a), (b, a), (b, b), (a, b)], np.float32)
        m = cv2.getPerspectiveTransform(((quad - low) * scale - 0.5).astype(np.float32), target)
        out = cv2.warpPerspective(
            cut, m, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(out, np.uint8)
