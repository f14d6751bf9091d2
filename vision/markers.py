"""The printed markers: on the corners of the tray's rim, and on the calibration card.

`dicetable sheets` prints them, this module finds them. A rim marker is as wide as the rim and lies
on its corner, so that it begins where the inner walls meet. The tray's own coordinates are those of
`vision.tray`, in millimetres, with a third one: the height above the felt.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Image

Array = npt.NDArray[np.float64]

RIM_MM = 18.0
"""Width of the tray's rim, and of a marker with its white edge."""
MARKER_MM = RIM_MM * 6 / 8
"""Black square of a rim marker: six cells of the eight that fit on the rim."""
CORNERS = ("far left", "far right", "near right", "near left")
"""Where the markers 0 to 3 go."""
BOARD = (9, 6)
"""Squares of the card's chessboard, across and down."""
SQUARE_MM = 28.0
BOARD_MARKER_MM = 21.0
PATCH_MM = (10.0, 10.0)
"""A grey or coloured field below the card's chessboard, across and down."""
PATCHES: tuple[int | tuple[int, int, int], ...] = (
    0,
    46,
    119,
    187,
    255,
    (200, 40, 40),
    (30, 90, 200),
)
"""The fields from left to right: greys, then red and blue (in red, green, blue)."""
BOARD_FIRST = 10
"""The card's markers count from here, so that none passes for one of the rim's."""


@cache
def dictionary() -> cv2.aruco.Dictionary:
    """The family of all markers: 4 x 4 cells, 50 of them."""
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


@cache
def board() -> cv2.aruco.CharucoBoard:
    """The card's chessboard with markers; lengths in millimetres."""
    count = BOARD[0] * BOARD[1] // 2
    ids = np.arange(BOARD_FIRST, BOARD_FIRST + count, dtype=np.int32)
    return cv2.aruco.CharucoBoard(BOARD, SQUARE_MM, BOARD_MARKER_MM, dictionary(), ids)


@cache
def cells_of(number: int) -> npt.NDArray[np.bool_]:
    """The eight by eight cells of a rim marker with its paper, True where it is white."""
    cells = np.asarray(cv2.aruco.generateImageMarker(dictionary(), number, 6)) > 127
    return np.asarray(np.pad(cells, 1, constant_values=True), np.bool_)


def places(size_mm: tuple[float, float], height_mm: float) -> dict[int, Array]:
    """Where the corners of each rim marker are: number -> (4, 3), clockwise from its top left."""
    width, depth = size_mm
    gap = (RIM_MM - MARKER_MM) / 2
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * MARKER_MM + gap
    result = {}
    for number, (x, y) in enumerate(
        ((-RIM_MM, -RIM_MM), (width, -RIM_MM), (width, depth), (-RIM_MM, depth))
    ):
        flat = square + np.array([x, y])
        result[number] = np.column_stack([flat, np.full(4, height_mm)])
    return result


@dataclass(frozen=True, slots=True)
class Seen:
    """The markers of one picture; all in pixels."""

    rim: dict[int, Array]
    """Number of a rim marker -> its corners (4, 2), clockwise from its own top left."""
    card: dict[int, Array]
    """Number of an inner corner of the card's chessboard -> where it is (2,)."""


def find(image: Image) -> Seen:
    """The rim's markers and the card's corners; empty where there are none."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    rim: dict[int, Array] = {}
    numbers: set[int] = set()
    for factor in (1, 2):  # small or blurred ones are found in a larger picture
        seen, all_numbers = _detect(grey, factor)
        rim = {**seen, **rim}
        numbers |= all_numbers
        if len(rim) == len(CORNERS):
            break
    card: dict[int, Array] = {}
    if any(number >= BOARD_FIRST for number in numbers):
        found, names, _, _ = cv2.aruco.CharucoDetector(board()).detectBoard(grey)
        if names is not None:
            where = np.asarray(found, np.float64).reshape(-1, 2)
            card = {int(n): place for n, place in zip(names.ravel(), where, strict=True)}
    return Seen(rim, card)


def _detect(grey: npt.NDArray[np.uint8], factor: int) -> tuple[dict[int, Array], set[int]]:
    """Rim markers, none that is seen twice, and the numbers of all markers."""
    if factor > 1:
        size = (grey.shape[1] * factor, grey.shape[0] * factor)
        grey = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    # A cell is but six pixels wide: read its middle only, and let one cell in sixteen be wrong.
    parameters.perspectiveRemovePixelPerCell = 8
    parameters.perspectiveRemoveIgnoredMarginPerCell = 0.25
    parameters.errorCorrectionRate = 1.0
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary(), parameters).detectMarkers(grey)
    numbers: list[int] = [] if ids is None else [int(i) for i in ids.ravel()]
    rim = {
        number: (np.asarray(quad, np.float64).reshape(4, 2) + 0.5) / factor - 0.5
        for number, quad in zip(numbers, corners, strict=True)
        if number < len(CORNERS) and numbers.count(number) == 1
    }
    return rim, set(numbers)


def card_places() -> Array:
    """Where the card's inner corners are on the card, in millimetres: (n, 2)."""
    return np.asarray(board().getChessboardCorners(), np.float64)[:, :2]


def patches() -> list[tuple[float, float, float, float]]:
    """Left, top, width and height of the card's fields, in millimetres of the chessboard."""
    left, top = 165.0, BOARD[1] * SQUARE_MM + 3
    wide, high = PATCH_MM
    return [(left + n * wide, top, wide, high) for n in range(len(PATCHES))]
