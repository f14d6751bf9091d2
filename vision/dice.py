"""Find the dice: every top face in one picture, of any size, on any ground.

A small convolutional network looks at a reduced picture and answers with maps at a quarter of its
size. Where its heat has a peak there is a die; the other maps say at that place where exactly the
face's middle is, how long its edge, how it is turned and how it is foreshortened, whether the die
leans or lies on another one, and where a hand or a cup covers the picture. How it was taught is in
`vision/training`.

All coordinates have their origin at the corner of the picture: the first pixel's centre is
(0.5, 0.5). OpenCV's own functions count from that centre; take half a pixel off for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Image

Floats = npt.NDArray[np.float32]

WEIGHTS = Path(__file__).parent / "weights" / "dice.onnx"

EDGE = 16.0
"""Length in pixels to which a die's edge is reduced when it is known; the network is best there."""
SIDE = 640
"""Longest side of the first level when the size of the dice is not known: edges of 10 to 40 pixels
are found on one level, the next one is four times smaller."""
_STRIDE = 4
_PAD = 16  # sides of the network's input are multiples of this

# The maps. Face axes u and v are complex numbers from the middle of the face to two neighbouring
# sides. The symmetric terms u²v² and u²+v² do not change when the square is turned by 90 degrees,
# so the network never has to choose between four right answers.
_HEAT, _DX, _DY, _LOG_EDGE, _P_RE, _P_IM, _S_RE, _S_IM, _COCKED, _HAND, _STACKED = range(11)


@dataclass(frozen=True)
class Candidate:
    """A top face that was found."""

    corners: Floats
    """(4, 2), clockwise as seen in the picture, in pixels."""
    score: float
    """How sure it is that this is the top face of a die, 0 to 1."""
    cocked: float
    """Probability that the die leans."""
    stacked: float
    """Probability that the die lies flat on another one."""

    @property
    def tilt(self) -> float:
        """Probability that the die has no valid face up: it leans, or lies on another one."""
        return max(self.cocked, self.stacked)

    @cached_property
    def centre(self) -> Floats:
        """Middle of the face, (2,)."""
        return np.asarray(self.corners.mean(axis=0), np.float32)

    @cached_property
    def edge(self) -> float:
        """Length of an edge in pixels: the root of the face's area."""
        return float(np.sqrt(abs(cv2.contourArea(self.corners))))


class Finder:
    """Finds dice by the network; one object serves any number of pictures, one at a time."""

    hand: float = 0.0
    """How sure it is, 0 to 1, that a hand, a sleeve or a cup covers a hundredth or more of the
    picture last searched."""

    def __init__(self, weights: Path = WEIGHTS, threshold: float = 0.3) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(weights))
        self._threshold = float(np.log(threshold / (1 - threshold)))

    def find(self, image: Image, edge_px: float | None = None) -> list[Candidate]:
        """All top faces, the surest first.

        `edge_px` is the length of a die's edge in this picture where it is known (from the tray's
        scale): then one look is enough, and dice of 0.6 to 2 times that size are found. Without it
        two looks find edges of 1/60 to 1/4 of the picture's longest side and more.
        """
        found: list[Candidate] = []
        hands = []
        for scale in self._scales(image, edge_px):
            maps, shift = self._look(image, scale)
            found += _decode(maps, scale, shift, self._threshold)
            hands.append(_sigmoid(float(np.quantile(maps[_HAND], 0.99))))
        self.hand = max(hands)
        return _distinct(found)

    @staticmethod
    def _scales(image: Image, edge_px: float | None) -> tuple[float, ...]:
        if edge_px is not None:
            return (EDGE / edge_px,)
        first = min(1.0, SIDE / max(image.shape[:2]))
        return first, first / 4

    def _look(self, image: Image, scale: float) -> tuple[Floats, tuple[int, int]]:
        """The maps (11, h, w) of a reduced picture, and how far (x, y) it was moved by padding."""
        height, width = image.shape[:2]
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        shrink = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        small = image if scale == 1 else cv2.resize(image, size, interpolation=shrink)
        room = [max(4 * _PAD, -(-n // _PAD) * _PAD) - n for n in size]
        left, top = room[0] // 2, room[1] // 2
        small = cv2.copyMakeBorder(
            small, top, room[1] - top, left, room[0] - left, cv2.BORDER_REPLICATE
        )
        self._net.setInput(cv2.dnn.blobFromImage(small, 1 / 64, mean=(128, 128, 128)))
        return np.asarray(self._net.forward()[0], np.float32), (left, top)


def _decode(
    maps: Floats, scale: float, shift: tuple[int, int], threshold: float
) -> list[Candidate]:
    heat = maps[_HEAT]
    peaks = (heat >= threshold) & (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8)))
    return [
        _candidate(maps[:, y, x], x, y, scale, shift)
        for y, x in zip(*np.nonzero(peaks), strict=True)
    ]


def _candidate(cell: Floats, x: int, y: int, scale: float, shift: tuple[int, int]) -> Candidate:
    middle = complex(x + 0.5 + cell[_DX], y + 0.5 + cell[_DY]) * _STRIDE - complex(*shift)
    half = EDGE / 2 * float(np.exp(np.clip(cell[_LOG_EDGE], -2, 3)))
    p, s = complex(cell[_P_RE], cell[_P_IM]), complex(cell[_S_RE], cell[_S_IM])
    p /= max(abs(p), 1e-6)
    root = np.sqrt(s * s - 4 * p)  # u² and v² are the roots of t² - s t + p = 0
    u, v = half * np.sqrt((s + root) / 2), half * np.sqrt((s - root) / 2)
    if u.real * v.imag - u.imag * v.real < 0:
        v = -v
    corners = np.array([middle - u - v, middle + u - v, middle + u + v, middle - u + v]) / scale
    return Candidate(
        corners=np.stack([corners.real, corners.imag], axis=1).astype(np.float32),
        score=_sigmoid(cell[_HEAT]),
        cocked=_sigmoid(cell[_COCKED]),
        stacked=_sigmoid(cell[_STACKED]),
    )


def _sigmoid(x: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(x, -30, 30))))


def _distinct(found: list[Candidate]) -> list[Candidate]:
    """The surest first, without those that lie on a surer one."""
    kept: list[Candidate] = []
    for one in sorted(found, key=lambda c: -c.score):
        apart = (np.hypot(*(one.centre - k.centre)) > 0.55 * max(one.edge, k.edge) for k in kept)
        if all(apart):
            kept.append(one)
    return kept
