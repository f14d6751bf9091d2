"""The tray: pixels and millimetres, zones, the calibration file, and finding it by its edges."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.calibration import CalibrationError, Measures, calibrate
from vision.edges import LIKELY, SURE, find_floor
from vision.reading import Zone
from vision.tray import Tray, TrayError

CORNERS = ((200.0, 100.0), (900.0, 110.0), (920.0, 800.0), (190.0, 790.0))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.floats(0, 280), st.floats(0, 280))
def test_there_and_back(x: float, y: float) -> None:
    tray = Tray(CORNERS)
    assert tray.to_mm(tray.to_px((x, y))) == pytest.approx((x, y), abs=0.01)


def test_corners_are_the_corners_of_the_floor() -> None:
    tray = Tray(CORNERS, size_mm=(300.0, 200.0))
    floor = [(0, 0), (300, 0), (300, 200), (0, 200)]
    for corner, place in zip(CORNERS, floor, strict=True):
        assert tray.to_mm(corner) == pytest.approx(place, abs=0.01)


def test_scale_of_an_upright_tray() -> None:
    tray = Tray(((100, 100), (660, 100), (660, 660), (100, 660)), size_mm=(280, 280))
    assert tray.scale == pytest.approx(2.0)
    assert tray.edge_px(16) == pytest.approx(32.0)


def test_zones_and_inside() -> None:
    tray = Tray(CORNERS, rail=0.15)
    assert tray.zone_of(tray.to_px((140, 100))) is Zone.TRAY
    assert tray.zone_of(tray.to_px((140, 237))) is Zone.TRAY
    assert tray.zone_of(tray.to_px((140, 239))) is Zone.RAIL
    assert tray.contains(tray.to_px((1, 1)))
    outside = tray.to_px((-5, 100))
    assert not tray.contains(outside)
    assert tray.contains(outside, margin_mm=6)


def test_without_a_rail_all_is_tray() -> None:
    assert Tray(CORNERS).zone_of(CORNERS[2]) is Zone.TRAY


def test_the_calibration_file_keeps_it() -> None:
    tray = Tray(CORNERS, size_mm=(270.0, 260.0), rail=0.2)
    assert Tray.from_dict(json.loads(json.dumps(tray.to_dict()))) == tray


@pytest.mark.parametrize(
    "change",
    [
        {"corners": None},
        {"corners": [[0, 0], [1, 1]]},
        {"corners": [["a", 0], [1, 0], [1, 1], [0, 1]]},
        {"corners": [[0, 0], [0, 9], [9, 9], [9, 0]]},  # the wrong way round
        {"corners": [[0, 0], [9, 9], [9, 0], [0, 9]]},  # crossed
        {"corners": [[float("nan"), 0], [9, 0], [9, 9], [0, 9]]},
        {"size_mm": [0, 280]},
        {"size_mm": 280},
        {"rail": 1.0},
        {"rail": -0.1},
        {"rail": "wide"},
        {"rale": 0.2},
    ],
)
def test_a_bad_calibration_says_what_to_do(change: dict[str, object]) -> None:
    with pytest.raises(TrayError) as caught:
        Tray.from_dict({**Tray(CORNERS).to_dict(), **change})
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) > 20


def tray_picture(turn: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A felt floor with a wooden rim on a table, and its true inner corners."""
    rng = np.random.default_rng(seed)
    image = np.full((864, 1152, 3), (90, 110, 130), np.uint8)
    angles = np.deg2rad(turn + np.array([225, 315, 45, 135]))
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    inner = ring * 480 + (570, 430)
    cv2.fillConvexPoly(image, np.rint(ring * 530 + (570, 430)).astype(np.int32), (40, 70, 110))
    cv2.fillConvexPoly(image, np.rint(inner).astype(np.int32), (50, 100, 30))
    for _ in range(5):
        x, y = rng.integers(420, 720, 2)
        cv2.rectangle(image, (int(x), int(y)), (int(x) + 45, int(y) + 45), (235, 235, 235), -1)
    noisy = image + rng.normal(0, 5, image.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), inner


@pytest.mark.parametrize("turn", [-8, -3, 0, 2, 7])
def test_find_by_its_edges(turn: float) -> None:
    image, inner = tray_picture(turn, seed=turn + 20)
    found = find_floor(image, 1.0)
    assert found is not None
    assert found.sure >= SURE
    assert np.linalg.norm(found.corners - inner, axis=1).max() < 6


def test_find_is_honest() -> None:
    rng = np.random.default_rng(3)
    nothing = [
        np.full((480, 640, 3), 80, np.uint8),
        rng.integers(0, 255, (480, 640, 3)).astype(np.uint8),
        np.zeros((1, 1, 3), np.uint8),
        tray_picture(0, 1)[0][:, 300:],  # the left wall is cut off
    ]
    for image in nothing:
        found = find_floor(image, 1.0)
        assert found is None or found.sure < SURE
        if found is None or found.sure < LIKELY:
            with pytest.raises(CalibrationError, match="no tray found"):
                calibrate(image, Measures(), camera="webcam")
