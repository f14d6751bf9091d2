"""Where the tray and its keep rail are, and the way between pixels and millimetres.

The tray's own coordinates are millimetres on its floor: x to the right and y towards the player
who sits at the bottom of the picture, from the inner corner at the top left. The keep rail is a
strip along the near edge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from vision.lens import Lens, LensError
from vision.reading import Image, Point, Zone

FloatArray = npt.NDArray[np.float32]
Corners = tuple[Point, Point, Point, Point]

_FIND_WIDTH = 320
"""Width in pixels of the small picture in which the tray is looked for."""


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

    @classmethod
    def find(
        cls, image: Image, *, size_mm: tuple[float, float] = (280.0, 280.0), rail: float = 0.0
    ) -> Tray:
        """Find a rectangular tray seen from above by the edges of its floor.

        The rectangular region in the middle of the picture is taken whose colour differs from
        what surrounds it. Best effort, to be looked at before it is used: a hard shadow of a wall
        can pass for the wall.

        Raises:
            TrayError: there is no such region, or it is not near enough to a rectangle.
        """
        quad = _find_floor(image)
        if quad is None:
            raise TrayError(
                "no tray found: its inner edges must all be in the picture and differ from the "
                "floor; move the camera or mark the corners by hand"
            )
        return cls(_corners(quad), size_mm, rail)


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


def _find_floor(image: Image) -> FloatArray | None:
    """The inner corners, far left first and clockwise, or None."""
    factor = image.shape[1] / _FIND_WIDTH
    height = max(1, round(image.shape[0] / factor))
    small = cv2.resize(image, (_FIND_WIDTH, height), interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(cv2.medianBlur(small, 5), cv2.COLOR_BGR2LAB).astype(np.float32)
    # The floor's colour is the commonest of the middle; dice and shadows are the minority there.
    middle = lab[height // 4 : height * 3 // 4, _FIND_WIDTH // 4 : _FIND_WIDTH * 3 // 4]
    colour = np.median(middle.reshape(-1, 3), axis=0)
    # Brightness falls off towards the walls, the hue does not: lightness counts half.
    distance = np.linalg.norm((lab - colour) * (0.5, 1.0, 1.0), axis=2)
    best: FloatArray | None = None
    best_fit = 0.0
    for limit in (8.0, 12.0, 18.0, 26.0):
        quad, fit = _largest_quad((distance < limit).astype(np.uint8))
        if quad is not None and fit > best_fit:
            best, best_fit = quad, fit
    if best is None:
        return None
    return np.asarray((best + 0.5) * factor - 0.5, np.float32)


def _largest_quad(mask: npt.NDArray[np.uint8]) -> tuple[FloatArray | None, float]:
    """The four-sided outline of the region in the middle and how well it fills it (0 to 1)."""
    height, width = mask.shape
    kernel = np.ones((7, 7), np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel), np.uint8)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return None, 0.0
    outline = max(outlines, key=cv2.contourArea)
    hull = cv2.convexHull(outline)
    area = cv2.contourArea(hull)
    if area < 0.12 * height * width:
        return None, 0.0
    for tolerance in (0.02, 0.03, 0.05, 0.08):
        quad = cv2.approxPolyDP(hull, tolerance * cv2.arcLength(hull, True), True)
        if len(quad) == 4:
            break
    else:
        return None, 0.0
    points = quad.reshape(4, 2).astype(np.float32)
    x, y = points[:, 0], points[:, 1]
    if x.min() < 1 or y.min() < 1 or x.max() > width - 3 or y.max() > height - 3:
        return None, 0.0  # the tray runs out of the picture
    points = _sharpened(points, outline.reshape(-1, 2).astype(np.float32))
    if not _like_rectangle(points):
        return None, 0.0
    inside = np.zeros_like(mask)
    cv2.fillConvexPoly(inside, points.astype(np.int32), 1)
    both = float((inside & mask).sum())
    either = float((inside | mask).sum())
    return _from_far_left(points), both / either


def _sharpened(points: FloatArray, outline: FloatArray) -> FloatArray:
    """The corners where straight lines through the middle parts of the outline's sides meet."""
    lines = []
    for start, end in zip(points, np.roll(points, -1, axis=0), strict=True):
        along = end - start
        length = float(np.linalg.norm(along))
        rel = outline - start
        share = rel @ along / length**2
        away = np.abs(rel @ np.array([-along[1], along[0]])) / length
        near = outline[(share > 0.1) & (share < 0.9) & (away < 0.03 * length)]
        if len(near) < 10:
            return points
        vx, vy, x, y = cv2.fitLine(near, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append(np.cross((x, y, 1.0), (x + vx, y + vy, 1.0)))
    before = lines[-1:] + lines[:-1]
    corners = [np.cross(a, b) for a, b in zip(before, lines, strict=True)]
    if any(abs(corner[2]) < 1e-6 for corner in corners):
        return points
    return np.array([corner[:2] / corner[2] for corner in corners], np.float32)


def _like_rectangle(points: FloatArray) -> bool:
    """True for what a camera above a rectangle sees: right angles, opposite sides alike."""
    sides = np.roll(points, -1, axis=0) - points
    lengths = np.linalg.norm(sides, axis=1)
    if lengths.min() <= 0:
        return False
    units = sides / lengths[:, None]
    corners = np.abs(np.sum(units * np.roll(units, -1, axis=0), axis=1))  # cosines
    opposite = np.abs(np.log(lengths[:2] / lengths[2:]))
    return bool(corners.max() < np.sin(np.deg2rad(5)) and opposite.max() < 0.07)


def _from_far_left(points: FloatArray) -> FloatArray:
    """Four corners clockwise as seen, the one nearest to the picture's top left first."""
    middle = points.mean(axis=0)
    angle = np.arctan2(points[:, 1] - middle[1], points[:, 0] - middle[0])
    clockwise: Sequence[int] = np.argsort(angle).tolist()
    ordered = points[clockwise]
    return np.asarray(np.roll(ordered, -int(ordered.sum(axis=1).argmin()), axis=0), np.float32)
