"""The floor by its edges: near the truth where it is sure, and not sure where there is no tray."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.box_drawn import Box
from vision import foot
from vision.advice import advise
from vision.calibration import CalibrationError, FoundBy, Measures, calibrate
from vision.cameras.simulated import SimulatedCamera
from vision.edges import LIKELY, SURE, find_floor
from vision.picture import load_picture
from vision.reading import Image
from vision.training.train_tray import learn, read_truth
from vision.upright import X, Y, upright

RECORDINGS = Path(__file__).parents[3] / "shared" / "recordings" / "stills"
TRUTH = Path(__file__).with_name("tray_truth.json")

BOXES = {
    "straight above": Box(),
    "turned": Box(turn=5),
    "tilted": Box(tilt=(2, -1.5), turn=-3, off=(5, 6), height=500),
    "off the middle": Box(off=(-30, 8), height=480),
    "high walls": Box(wall=50, height=500),
    "shadow": Box(shadow=40, tilt=(0, 2)),
    "noisy": Box(noise=14, turn=2),
    "small picture": Box(size=(640, 480), turn=-4),
}


def error_mm(corners: np.ndarray, truth: np.ndarray) -> float:
    """The worst corner, for a floor of 280 mm."""
    scale = np.sqrt(cv2.contourArea(truth.astype(np.float32))) / 280
    return float(np.linalg.norm(corners - truth, axis=1).max() / scale)


@pytest.mark.parametrize("name", BOXES)
def test_a_drawn_floor_is_found(name: str) -> None:
    box = BOXES[name]
    found = find_floor(box.draw(), 1.0)
    assert found is not None
    assert error_mm(found.corners, box.corners) < 1.5
    assert found.sure >= SURE


@pytest.mark.parametrize("name", BOXES)
def test_what_is_parallel_becomes_parallel(name: str) -> None:
    box = BOXES[name]
    view = upright(box.draw())
    flat = np.array([[*box.corners, box.below]])
    *corners, below = cv2.perspectiveTransform(flat, view.way)[0]
    left, right = (corners[0], corners[3]), (corners[1], corners[2])
    far, near = (corners[0], corners[1]), (corners[3], corners[2])
    for kind, pairs in ((X, (left, right)), (Y, (far, near))):
        for start, end in pairs:
            assert abs(start[kind] - end[kind]) < 4
    assert np.linalg.norm(below - view.below) < 25
    assert np.allclose(view.back(np.array(corners)), box.corners, atol=0.1)


def nothing() -> dict[str, Image]:
    rng = np.random.default_rng(3)
    box = Box()
    left = int(box.corners[:, 0].min()) + 25
    near = int(box.corners[:, 1].max()) - 25
    stripes = np.zeros((480, 640, 3), np.uint8)
    stripes[:, ::20] = 200
    return {
        "one colour": np.full((480, 640, 3), 80, np.uint8),
        "black": np.zeros((480, 640, 3), np.uint8),
        "noise": rng.integers(0, 255, (480, 640, 3)).astype(np.uint8),
        "stripes": stripes,
        "a point": np.zeros((1, 1, 3), np.uint8),
        "the left wall is cut off": np.ascontiguousarray(box.draw()[:, left:]),
        "the near wall is cut off": np.ascontiguousarray(box.draw()[:near]),
        "a strip": np.zeros((4000, 300, 3), np.uint8),
    }


@pytest.mark.parametrize("name", nothing())
def test_where_there_is_none_it_is_not_sure(name: str) -> None:
    found = find_floor(nothing()[name], 1.0)
    assert found is None or found.sure < SURE


def test_another_aspect_is_not_taken_for_this_one() -> None:
    box = Box(turn=2)
    found = find_floor(box.draw(), 1.25)
    assert found is None or found.sure < SURE


def test_a_sure_floor_is_good_and_an_unsure_one_is_to_be_looked_at() -> None:
    image = Box(turn=2).draw()
    found = calibrate(image, Measures(rail_mm=0), camera="webcam")
    assert found.calibration.found_by is FoundBy.EDGES
    tray = next(one for one in advise(found, [image]) if one.about == "tray")
    assert found.sure >= SURE
    assert tray.good
    assert "--turn" in tray.text
    tray = next(
        one for one in advise(replace(found, sure=SURE - 0.2), [image]) if one.about == "tray"
    )
    assert not tray.good
    assert f"{SURE - 0.2:.0%}" in tray.text
    assert "markers" in tray.do


def test_less_than_likely_is_no_calibration(monkeypatch: pytest.MonkeyPatch) -> None:
    image = Box(turn=2).draw()
    monkeypatch.setattr("vision.calibration.LIKELY", 1.1)
    with pytest.raises(CalibrationError, match="glue the printed markers"):
        calibrate(image, Measures(), camera="webcam")
    assert 0 < LIKELY < SURE


@pytest.mark.parametrize("light", ["bars", "ceiling", "window"])
@pytest.mark.parametrize("felt", ["navy", "beige", "green"])
def test_the_simulated_tray_is_right_where_it_is_sure(light: str, felt: str) -> None:
    camera = SimulatedCamera(seed=4, size=(640, 480), paced=False, felt=felt, light=light)
    found = find_floor(camera.read(1).image, 1.0)
    assert found is not None
    if found.sure >= SURE:
        assert error_mm(found.corners + 0.5, np.array(camera.tray.corners)) < 2


@pytest.mark.skipif(not RECORDINGS.is_dir(), reason="the shared recordings are not there")
def test_recorded_empty_trays() -> None:
    pictures = [p for p in read_truth(f"{RECORDINGS}={TRUTH}") if "empty" in p[0].name]
    right = sure = 0
    for path, truth in pictures:
        found = find_floor(load_picture(path), 1.0)
        good = found is not None and error_mm(found.corners, truth) < 2
        right += good
        if found is not None and found.sure >= SURE:
            sure += 1
            assert good, path.name
    assert len(pictures) == 20
    assert right >= RIGHT
    assert sure >= SURE_OF


RIGHT, SURE_OF = 16, 8
"""Of the 20 recorded empty trays that are whole in the picture; measured, see EDGES.md."""


def test_weights_are_learned_for_what_tells_right_from_wrong() -> None:
    rng = np.random.default_rng(1)
    known = []
    for _ in range(40):
        measured = rng.normal(0, 1, (50, 3))
        right = np.zeros(50, bool)
        right[7] = True
        measured[7, 1] += 4
        known.append((measured, right))
    weights = learn(known)[:, 2]
    assert weights[1] > 5 * np.abs(weights[[0, 2]]).max()


def test_chances_sum_up_to_one_at_most() -> None:
    box = Box(tilt=(1, 1))
    view = upright(box.draw())
    found = foot.lines(view)
    rects, guessed = foot.candidates(view, found, 1.0)
    chances = foot.chances(foot.describe(view, found, rects, guessed, 1.0))
    assert len(chances) == len(rects) > 10
    assert 0 < chances.sum() <= 1.0001


def test_the_weights_are_those_of_what_is_measured() -> None:
    """They are read in their order: another order would weigh one thing by another's weight."""
    view = upright(np.zeros((480, 640, 3), np.uint8))
    measured = foot.names(view, foot.lines(view))
    assert list(json.loads(foot.WEIGHTS.read_text(encoding="utf-8"))) == [*measured, "none"]
