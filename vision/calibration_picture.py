"""The picture that shows what was found out: floor, rail, markers, a scale."""

from __future__ import annotations

import cv2
import numpy as np

from vision import markers
from vision.calibration import Found
from vision.reading import Image, Point
from vision.tray import Tray

FLOOR, RAIL, MARKER = (255, 0, 255), (255, 200, 0), (0, 220, 255)
"""Blue, green, red."""


def draw(found: Found) -> Image:
    """The empty tray with its floor and rail outlined; the player sits at the bottom."""
    image = found.image.copy()
    tray = found.calibration.tray
    width, depth = tray.size_mm
    thick = max(1, round(image.shape[1] / 640))
    corners = [(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)]
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        _line(image, tray, start, end, FLOOR, thick)
    names = [f"{tray.scale:.2f} pixels a millimetre"]
    if tray.rail:
        at = depth * (1 - tray.rail)
        _line(image, tray, (0, at), (width, at), RAIL, thick)
        _write(image, tray.to_px((6, depth - 6)), "keep rail", RAIL)
    _line(image, tray, (width / 2 - 50, depth / 2), (width / 2 + 50, depth / 2), FLOOR, thick)
    _write(image, tray.to_px((width / 2 - 48, depth / 2 - 4)), "100 mm", FLOOR)
    _write(image, tray.to_px((6, 14)), names[0], FLOOR)
    for number, quad in found.seen.rim.items():
        outline = np.rint(quad).astype(np.int32)
        cv2.polylines(image, [outline], True, MARKER, thick, cv2.LINE_AA)
        x, y = quad.mean(axis=0)
        inwards = 24 if number in (0, 3) else -145
        place = (float(x) + inwards * tray.scale / 2, float(y) + (0 if number < 2 else 6))
        _write(image, place, f"{number} {markers.CORNERS[number]}", MARKER)
    return image


def _line(
    image: Image, tray: Tray, start: Point, end: Point, colour: tuple[int, int, int], thick: int
) -> None:
    """A straight line on the felt, bent as the lens bends it."""
    share = np.linspace(0, 1, 25)[:, None]
    points = np.array(start) + share * (np.array(end) - start)
    pixels = np.array([tray.to_px((float(x), float(y))) for x, y in points])
    cv2.polylines(image, [np.rint(pixels).astype(np.int32)], False, colour, thick, cv2.LINE_AA)


def _write(image: Image, place: Point, words: str, colour: tuple[int, int, int]) -> None:
    x, y = round(place[0]), round(place[1])
    size = max(0.5, image.shape[1] / 1500)
    font = cv2.FONT_HERSHEY_SIMPLEX
    for off, ink in ((1, (0, 0, 0)), (-1, (0, 0, 0)), (0, colour)):  # to be read on any felt
        cv2.putText(image, words, (x + off, y + off), font, size, ink, 1, cv2.LINE_AA)
