"""The learned opinion of one face, on the recorded stills."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.faces import FACE, NONE, SIDE, SPOILT, FaceNet

STILLS = Path(__file__).parents[1] / "recordings" / "stills"
PICTURES = json.loads((STILLS / "recording.json").read_text())["pictures"]


@pytest.fixture(scope="module")
def net() -> FaceNet:
    cv2.setNumThreads(1)
    return FaceNet()


@pytest.mark.parametrize("edge", [10, 24, 47, 90, 400])
@pytest.mark.parametrize("turn", [0, 33, 77])
def test_crop_puts_the_face_in_the_middle(edge, turn):
    """A white square on black fills exactly the inner FACE x FACE pixels."""
    size = edge * 3 + 20
    a = np.deg2rad(turn + np.array([225, 315, 45, 135]))
    quad = edge / np.sqrt(2) * np.stack([np.cos(a), np.sin(a)], 1) + size / 2
    image = np.zeros((size, size, 3), np.uint8)
    cv2.fillConvexPoly(image, np.round((quad - 0.5) * 256).astype(np.int32), (255,) * 3, 16, 8)
    patch = FaceNet.crop(image, quad)
    assert patch.shape == (SIDE, SIDE, 3)
    blur = max(2, round(2 * FACE / edge))
    low, high = (SIDE - FACE) // 2, (SIDE + FACE) // 2
    assert patch[low + blur : high - blur, low + blur : high - blur].min() > 245
    outside = patch.copy()
    outside[low - blur : high + blur, low - blur : high + blur] = 0
    assert outside.max() < 10


def test_crop_repeats_the_border_outside_the_picture():
    image = np.full((30, 30, 3), 77, np.uint8)
    quad = np.array([(-20, -20), (10, -20), (10, 10), (-20, 10)], np.float32)
    assert (FaceNet.crop(image, quad) == 77).all()
    assert (FaceNet.crop(image, quad + 500) == 77).all()


def test_probabilities(net):
    patches = np.random.default_rng(1).integers(0, 256, (7, SIDE, SIDE, 3), np.uint8)
    p = net.classify(patches)
    assert p.shape == (7, 8)
    np.testing.assert_allclose(p.sum(1), 1, rtol=1e-5)
    for i in range(7):  # a patch's neighbours in the batch do not matter
        np.testing.assert_allclose(net.classify(patches[i : i + 1])[0], p[i], atol=1e-4)
    assert net.classify([]).shape == (0, 8)


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_plain_patch_is_no_face(net, level):
    assert net.classify([np.full((SIDE, SIDE, 3), level, np.uint8)])[0].argmax() == NONE


def test_the_recorded_faces_are_read(net):
    """All stills together, every face in four turns; figures are in vision/training/README.md."""
    right, sure_and_wrong, all_ = 0, 0, 0
    for picture in PICTURES:
        image = cv2.imread(str(STILLS / picture["file"]))
        for die in picture["truth"]["dice"]:
            if die["value"] is None or picture["truth"]["may_refuse"]:
                continue
            quad = np.array(die["corners"], np.float32)
            turned = [FaceNet.crop(image, np.roll(quad, k, 0)) for k in range(4)]
            for p in net.classify(turned):
                best = int(p.argmax())
                right += best == die["value"]
                sure_and_wrong += best not in (die["value"], NONE, SPOILT) and p[best] > 0.9
                all_ += 1
    assert right / all_ > 0.93
    assert sure_and_wrong / all_ < 0.01
