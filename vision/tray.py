"""Where the tray and its keep rail are, and the way between pixels and millimetres.

The tray's own coordinates are millimetres on its floor: x to the right and y towards the player
who sits at the bottom of the picture, from the inner corner at the top left. The keep rail is a
strip along the near edge.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from vision.lens import Lens, LensError
from vision.reading import Point, Zone

FloatArray = npt.NDArray[np.float32]
Corners = tuple[Point, Point, Point, Point]


class TrayError(Exception):
    """The tray is not found, or its description is unusable; the message says what to do."""


@dataclass(frozen=True)
class Tray:
    """A rectangular tray as the camera sees it.

    Args:
        corners: the four inner corners of the floor in pixels: far left, far right, near right,
            near left (clockwise as seen).
        size_mm: inner width and depth of the floor in millimetres.
        rail: depth of the keep rail as a share of the tray's depth, 0 for none.
        lens: what bends the straight lines between the corners; None for nothing.
    """

    corners: Corners
    size_mm: tuple[float, float] = (280.0, 280.0)
    rail: float = 0.0
    lens: Lens | None = None
    _to_mm: FloatArray = field(init=False, repr=False, compare=False)
    _to_px: FloatArray = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        quad = np.array(self.corners, np.float32)
        width, depth = self.size_mm
        if quad.shape != (4, 2) or not np.isfinite(quad).all():
            raise TrayError("a tray needs four corners [x, y] in pixels; calibrate again")
        if not cv2.isContourConvex(quad) or cv2.contourArea(quad, True) <= 0:
            raise TrayError("the tray's corners must go clockwise round it; calibrate again")
        if not (width > 0 and depth > 0):
            raise TrayError("the tray's width and depth must be above 0 mm")
        if not 0 <= self.rail < 1:
            raise TrayError("the keep rail must be a share of the tray from 0 to below 1")
        floor = np.array([[0, 0], [width, 0], [width, depth], [0, depth]], np.float32)
        if self.lens is not None:
            quad = self.lens.straighten(quad).astype(np.float32)
        object.__setattr__(self, "_to_mm", cv2.getPerspectiveTransform(quad, floor))
        object.__setattr__(self, "_to_px", cv2.getPerspectiveTransform(floor, quad))

    @property
    def scale(self) -> float:
        """Pixels per millimetre, in the middle of the tray."""
        area = abs(cv2.contourArea(np.array(self.corners, np.float32)))
        return float(np.sqrt(area / (self.size_mm[0] * self.size_mm[1])))

    def edge_px(self, edge_mm: float = 16.0) -> float:
        """How long a die's edge of `edge_mm` is in the picture, in pixels."""
        return self.scale * edge_mm

    def to_mm(self, point: Point) -> Point:
        """A point of the picture in millimetres on the tray's floor."""
        if self.lens is not None:
            x, y = self.lens.straighten(np.array(point))
            point = float(x), float(y)
        return _apply(self._to_mm, point)

    def to_px(self, point: Point) -> Point:
        """A point of the tray's floor (millimetres) in pixels of the picture."""
        straight = _apply(self._to_px, point)
        if self.lens is None:
            return straight
        x, y = self.lens.bend(np.array(straight))
        return float(x), float(y)

    def contains(self, point: Point, margin_mm: float = 0.0) -> bool:
        """True when a point of the picture lies in the tray, or at most `margin_mm` outside it."""
        x, y = self.to_mm(point)
        width, depth = self.size_mm
        return -margin_mm <= x <= width + margin_mm and -margin_mm <= y <= depth + margin_mm

    def zone_of(self, point: Point) -> Zone:
        """Whether a point of the picture lies in the keep rail or in the tray proper."""
        _, y = self.to_mm(point)
        in_rail = self.rail > 0 and y >= self.size_mm[1] * (1 - self.rail)
        return Zone.RAIL if in_rail else Zone.TRAY

    def to_dict(self) -> dict[str, object]:
        """The tray as JSON for the calibration file; `from_dict` reads it back."""
        data: dict[str, object] = {
            "corners": [[round(x, 2), round(y, 2)] for x, y in self.corners],
            "size_mm": list(self.size_mm),
            "rail": self.rail,
        }
        return data if self.lens is None else {**data, "lens": self.lens.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Tray:
        """The tray of a calibration file.

        Raises:
            TrayError: a key is missing, misspelt or of the wrong shape.
        """
        unknown = set(data) - {"corners", "size_mm", "rail", "lens"}
        if unknown:
            raise TrayError(f"tray: unknown key {min(unknown)!r}; calibrate again")
        points = _numbers(data.get("corners"), (4, 2), "corners")
        size = _numbers(data.get("size_mm", [280.0, 280.0]), (2,), "size_mm")
        rail = _numbers(data.get("rail", 0.0), (), "rail")
        try:
            lens = Lens.from_dict(data["lens"]) if "lens" in data else None
        except LensError as error:
            raise TrayError(str(error)) from error
        return cls(_corners(points), (float(size[0]), float(size[1])), float(rail), lens)


def _apply(matrix: FloatArray, point: Point) -> Point:
    moved = cv2.perspectiveTransform(np.array([[point]], np.float32), matrix)[0, 0]
    return float(moved[0]), float(moved[1])


def _corners(points: npt.NDArray[np.floating]) -> Corners:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d


def _numbers(data: object, shape: tuple[int, ...], key: str) -> npt.NDArray[np.float64]:
    try:
        array = np.array(data, np.float64)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.shape != shape or not np.isfinite(array).all():
        want = {(4, 2): "four points [x, y]", (2,): "two numbers"}.get(shape, "a number")
        raise TrayError(f"tray: `{key}` must be {want}; calibrate again")
    return array
