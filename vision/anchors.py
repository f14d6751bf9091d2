"""Has the camera moved? Small pieces of the picture, learned with the empty tray, are looked for.

The pieces are the rim's markers, or the corners of the tray where there are none. Each is looked
for near its old place first, which is cheap enough to be done at every rest. Brightness does not
matter to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Image, Point

Grey = npt.NDArray[np.uint8]

WIDTH = 640
"""Pieces are cut from, and looked for in, pictures of about this width."""
SEARCH_MM = 10.0
"""A piece is looked for so far from its old place, and everywhere when it is not there."""
LIMIT_MM = 2.0
"""A camera that moved so far on the felt is no longer where it was calibrated."""
LIKE, SAME = 0.6, 0.75
"""Correlation from which a piece counts as found near its old place, and elsewhere."""
FLAT = 4.0
"""Grey levels: a piece that varies less can not be told from another."""


class Trouble(StrEnum):
    """Why what the camera shows can not be trusted."""

    MOVED = "moved"
    """The camera, or the tray, is not where it was."""
    COVERED = "covered"
    """The tray can not be seen: the lens is covered or the light is off."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A piece of the picture and where its middle was, in pixels of the full picture."""

    place: Point
    piece: Grey


@dataclass(frozen=True, slots=True)
class Finding:
    """How the anchors were found."""

    trouble: Trouble | None
    moved_mm: float = 0.0
    """How far the picture moved, as the anchors say that moved alike."""


class Anchors:
    """The anchors of a calibrated table.

    Args:
        anchors: three or more, best four.
        size: width and height of the full picture in pixels.
        scale: pixels of the full picture a millimetre.
    """

    def __init__(self, anchors: Sequence[Anchor], size: tuple[int, int], scale: float) -> None:
        self.anchors, self.size, self.scale = tuple(anchors), size, scale

    def check(self, image: Image) -> Finding:
        """Compare a picture with the calibrated one: about 1 ms, a few dozen when it is another."""
        if len(self.anchors) < 3:
            return Finding(None)
        step = shrink(self.size)
        found = self._moves(image, max(6, round(SEARCH_MM * self.scale / step)), LIKE)
        if len(found) < 2:
            found = self._moves(image, max(self.size), SAME)
            if len(found) < 2:
                return Finding(Trouble.COVERED)
        # One anchor may be wrong (something lies before it, glare): two that moved are a camera.
        far = float(np.sort(np.linalg.norm(found, axis=1))[-2])
        if far > LIMIT_MM:
            return Finding(Trouble.MOVED, far)
        return Finding(Trouble.COVERED if len(found) < len(self.anchors) - 1 else None, far)

    def _moves(self, image: Image, search: int, like: float) -> npt.NDArray[np.floating]:
        """How far each anchor that is found within so many reduced pixels moved: (n, 2) in mm."""
        step = shrink(self.size)
        moves = [_move(image, anchor, step, search, like) for anchor in self.anchors]
        found = [move for move in moves if move is not None]
        return np.array(found, float).reshape(-1, 2) * step / self.scale


def shrink(size: tuple[int, int]) -> int:
    """Every so many pixels of the full picture are looked at."""
    return max(1, round(size[0] / WIDTH))


def cut(image: Image, places: Sequence[Point], side_px: float) -> list[Anchor]:
    """Anchors of about `side_px` at these places, without those cut off or without any mark."""
    step = shrink((image.shape[1], image.shape[0]))
    half = max(6, round(side_px / 2 / step))
    anchors = []
    for place in places:
        window = _window(image, place, step, half)
        if window is not None and float(window.std()) > FLAT:
            anchors.append(Anchor(place, window.copy()))
    return anchors


def _window(image: Image, place: Point, step: int, half: int) -> Grey | None:
    """The grey window of 2 half + 1 reduced pixels round a place; None when it is cut off."""
    x, y = (round(v) - half * step - step // 2 for v in place)
    side = (2 * half + 1) * step
    if min(x, y) < 0 or x + side > image.shape[1] or y + side > image.shape[0]:
        return None
    return _reduced(image[y : y + side, x : x + side], step)


def _reduced(image: Image, step: int) -> Grey:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    size = (image.shape[1] // step, image.shape[0] // step)
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def _move(
    image: Image, anchor: Anchor, step: int, search: int, like: float
) -> tuple[float, float] | None:
    """How far an anchor moved, in reduced pixels; None when it is not to be seen."""
    half = anchor.piece.shape[0] // 2
    reach = (half + search) * step + step // 2
    x, y = (round(v) for v in anchor.place)
    # Whole steps from the anchor's own grid, so that a piece is compared with its like.
    left, top = (min(reach, v - (v - step // 2) % step) for v in (x, y))
    window = image[y - top : y + reach + 1, x - left : x + reach + 1]
    height, width = (n // step * step for n in window.shape[:2])
    if min(height, width) < anchor.piece.shape[0] * step:
        return None
    grey = _reduced(window[:height, :width], step)
    if float(grey.std()) < FLAT:
        return None
    likeness = cv2.matchTemplate(grey, anchor.piece, cv2.TM_CCOEFF_NORMED)
    _, best, _, (column, row) = cv2.minMaxLoc(likeness)
    if best < like:
        return None
    along, down = (np.asarray(v, np.float64) for v in (likeness[row], likeness[:, column]))
    old_x, old_y = ((v - step // 2) / step - half for v in (left, top))
    return column + _peak(along, column) - old_x, row + _peak(down, row) - old_y


def _peak(row: npt.NDArray[np.float64], at: int) -> float:
    """Where the top of the parabola through a peak and its neighbours is, from the peak."""
    if not 0 < at < len(row) - 1:
        return 0.0
    a, b, c = (float(v) for v in row[at - 1 : at + 2])
    bend = a - 2 * b + c
    return 0.0 if bend >= 0 else (a - c) / (2 * bend)
