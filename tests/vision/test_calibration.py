"""Calibrating: markers, the card, the lens, turned and mirrored pictures, the file."""

from __future__ import annotations

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.card_drawn import lay_card
from vision import markers
from vision.calibration import (
    Calibration,
    CalibrationError,
    FoundBy,
    Measures,
    calibrate,
    turned,
)
from vision.cameras.simulated import SimulatedCamera
from vision.cameras.softcam.space import BUILT, RAIL_SHARE
from vision.lens import Lens, LensError
from vision.reading import Image
from vision.tray import Tray

SIZE = (960, 720)
MEASURES = Measures(rail_mm=280 * RAIL_SHARE, angle=51.9)


@pytest.fixture(scope="module")
def camera() -> SimulatedCamera:
    return SimulatedCamera(seed=1, size=SIZE, paced=False, stand=BUILT, felt="navy")


@pytest.fixture(scope="module")
def empty(camera: SimulatedCamera) -> Image:
    return camera.read(1).image


@pytest.fixture(scope="module")
def card(camera: SimulatedCamera, empty: Image) -> Image:
    return lay_card(camera, empty)


def error_mm(found: Tray, true: Tray) -> float:
    """How far the worst corner is off; a simulated pixel's middle is at a half."""
    off = np.array(found.corners) + 0.5 - np.array(true.corners)
    return float(np.linalg.norm(off, axis=1).max() / true.scale)


def test_the_lens_bends_and_straightens() -> None:
    rng = np.random.default_rng(0)
    points = rng.uniform(0, 1000, (200, 2))
    for k1 in (-0.1, -0.03, 0.0, 0.05):
        lens = Lens((500, 400), 900, k1)
        assert np.allclose(lens.straighten(lens.bend(points)), points, atol=1e-3)
    assert np.allclose(Lens((500, 400), 900, -0.05).bend(np.array([[500.0, 400.0]])), (500, 400))


@pytest.mark.parametrize("data", [None, {}, {"middle": [1, 2], "focal": 0, "k1": 0}, {"middle": 3}])
def test_a_bad_lens_says_so(data: object) -> None:
    with pytest.raises(LensError, match="calibrate again"):
        Lens.from_dict(data)


def test_markers_tell_the_tray(camera: SimulatedCamera, empty: Image) -> None:
    found = calibrate(empty, MEASURES, camera="simulated").calibration
    assert found.found_by is FoundBy.MARKERS
    assert found.turn == 0
    assert error_mm(found.tray, camera.tray) < 0.5
    assert found.tray.rail == pytest.approx(RAIL_SHARE)
    assert len(found.anchors.anchors) == 4


def test_three_markers_are_enough(camera: SimulatedCamera, empty: Image) -> None:
    image = empty.copy()
    image[640:, 750:830] = 60
    found = calibrate(image, MEASURES, camera="simulated")
    assert sorted(found.seen.rim) == [0, 1, 3]
    assert error_mm(found.calibration.tray, camera.tray) < 1.0


def test_the_card_tells_the_lens_even_of_an_unknown_camera(
    camera: SimulatedCamera, empty: Image, card: Image
) -> None:
    unknown = replace(MEASURES, angle=None)
    found = calibrate(empty, unknown, camera="simulated", card=card)
    assert found.pose is not None
    assert found.pose.lens.k1 == pytest.approx(BUILT.k1, abs=0.012)
    assert found.pose.height_mm == pytest.approx(500, rel=0.04)
    assert error_mm(found.calibration.tray, camera.tray) < 0.4
    # A point half-way along a side is where the bent side is, not on the straight line.
    middle = found.calibration.tray.to_px((140, 0))
    assert np.hypot(*np.subtract(middle, camera.tray.to_px((140, 0)))) < 1.5
    without = calibrate(empty, unknown, camera="simulated").calibration.tray
    assert error_mm(without, camera.tray) > 2


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_turned_camera_is_found_out(camera: SimulatedCamera, empty: Image, turn: int) -> None:
    hung = turned(empty, 360 - turn)
    found = calibrate(hung, replace(MEASURES, angle=None), camera="simulated").calibration
    assert found.turn == turn
    assert np.array_equal(turned(hung, found.turn), empty)
    assert found.fits("simulated", (hung.shape[1], hung.shape[0]))
    assert not found.fits("simulated", (641, 480))
    assert not found.fits("webcam", (hung.shape[1], hung.shape[0]))


def test_a_mirrored_picture_is_found_out(empty: Image) -> None:
    with pytest.raises(CalibrationError, match="mirrored"):
        calibrate(np.ascontiguousarray(empty[:, ::-1]), MEASURES, camera="simulated")


def test_markers_on_wrong_corners_are_found_out(empty: Image) -> None:
    seen = markers.find(empty).rim
    swapped = empty.copy()
    for here, there in ((0, 1), (1, 0)):
        (x, y), (u, v) = (seen[n].mean(axis=0).astype(int) for n in (here, there))
        swapped[y - 18 : y + 18, x - 18 : x + 18] = empty[v - 18 : v + 18, u - 18 : u + 18]
    with pytest.raises(CalibrationError, match="mm from where they should be"):
        calibrate(swapped, MEASURES, camera="simulated")


def test_nothing_to_find_says_what_to_do() -> None:
    with pytest.raises(CalibrationError, match="printed markers") as caught:
        calibrate(np.full((480, 640, 3), 90, np.uint8), MEASURES, camera="simulated")
    assert "\n" not in str(caught.value)


def test_the_file_keeps_it(empty: Image, card: Image) -> None:
    known = calibrate(empty, MEASURES, camera="simulated", card=card).calibration
    text = json.dumps(known.to_dict())
    assert len(text) < 60_000
    back = Calibration.from_dict(json.loads(text))
    assert back.to_dict() == known.to_dict()
    assert back.tray.lens == known.tray.lens
    assert np.array_equal(back.empty, known.empty)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "something"},
        {"version": 2},
        {"size": [0, 0]},
        {"size": "wide"},
        {"turn": 45},
        {"found_by": "guess"},
        {"tray": None},
        {"tray": {"corners": 1}},
        {"anchors": [{"place": [1, 2], "piece": "%%"}]},
        {"anchors": [{"place": [1], "piece": "AAAA"}]},
        {"empty": "AAAA"},
        {"empty": None},
    ],
)
def test_a_damaged_file_says_so(empty: Image, change: dict[str, object]) -> None:
    data = calibrate(empty, MEASURES, camera="simulated").calibration.to_dict()
    for bad in ({**data, **change}, {k: v for k, v in data.items() if k not in change}, []):
        with pytest.raises(CalibrationError, match="calibrate again"):
            Calibration.from_dict(bad)


@pytest.mark.parametrize("light", ["bars", "ceiling", "window"])
@pytest.mark.parametrize("blur", [0.0, 1.0])
def test_markers_are_found_in_any_light(light: str, blur: float) -> None:
    camera = SimulatedCamera(seed=1, size=SIZE, paced=False, stand=BUILT, light=light)
    image = camera.read(1).image
    if blur:
        image = cv2.GaussianBlur(image, (0, 0), blur).astype(np.uint8)
    assert sorted(markers.find(image).rim) == [0, 1, 2, 3]
