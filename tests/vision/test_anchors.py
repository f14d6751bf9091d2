"""A camera that was pushed, turned or covered is noticed; light and noise are not."""

from __future__ import annotations

import pytest

from vision.anchors import LIMIT_MM, Anchors, Trouble, cut
from vision.calibration import Measures, calibrate
from vision.cameras.simulated import SimulatedCamera
from vision.cameras.softcam.space import BUILT, PLAIN, Stand


def table(stand: Stand, size: tuple[int, int] = (640, 480)) -> tuple[SimulatedCamera, Anchors]:
    camera = SimulatedCamera(seed=2, size=size, paced=False, hands=False, stand=stand)
    image = camera.read(1).image
    if stand.markers:
        return camera, calibrate(image, Measures(angle=51.9), camera="s").calibration.anchors
    tray = camera.tray
    return camera, Anchors(cut(image, tray.corners, 30 * tray.scale), size, tray.scale)


@pytest.fixture(scope="module", params=["markers", "edges"])
def pair(request: pytest.FixtureRequest) -> tuple[SimulatedCamera, Anchors]:
    return table(BUILT if request.param == "markers" else PLAIN)


def test_at_rest_all_is_well(pair: tuple[SimulatedCamera, Anchors]) -> None:
    camera, anchors = pair
    for _ in range(5):
        found = anchors.check(camera.read(1).image)
        assert found.trouble is None
        assert found.moved_mm < 0.3


@pytest.mark.parametrize(
    ("push", "expected"),
    [
        ((1, 0, 0), None),
        ((0, 4, 0), Trouble.MOVED),
        ((-12, 5, 0), Trouble.MOVED),
        ((-40, 5, 0), Trouble.MOVED),
        ((0, 0, 1.5), Trouble.MOVED),
        ((0, 0, -4), Trouble.MOVED),
    ],
)
def test_a_push_is_noticed_and_heals(
    pair: tuple[SimulatedCamera, Anchors], push: tuple[float, ...], expected: Trouble | None
) -> None:
    camera, anchors = pair
    camera.push(*push)
    found = anchors.check(camera.read(1).image)
    camera.push()
    assert found.trouble is expected
    assert (found.moved_mm > LIMIT_MM) is (expected is not None)
    assert anchors.check(camera.read(1).image).trouble is None


def test_a_cloth_is_noticed(pair: tuple[SimulatedCamera, Anchors]) -> None:
    camera, anchors = pair
    for share in (0.5, 1.0):
        camera.cover(share)
        assert anchors.check(camera.read(1).image).trouble is Trouble.COVERED
    camera.cover(0)
    assert anchors.check(camera.read(1).image).trouble is None


def test_dim_light_is_no_trouble_but_darkness_is(pair: tuple[SimulatedCamera, Anchors]) -> None:
    camera, anchors = pair
    for gain, expected in ((0.4, None), (1.4, None), (0.0, Trouble.COVERED)):
        camera.dim(gain, 0.05)
        assert anchors.check(camera.read(1).image).trouble is expected
        camera.read(1)
        camera.read(1)


def test_dice_are_no_trouble(pair: tuple[SimulatedCamera, Anchors]) -> None:
    camera, anchors = pair
    for _ in range(4):
        camera.throw(5)
        camera.read(1)
        while camera.busy:
            camera.read(1)
        assert anchors.check(camera.read(1).image).trouble is None
    camera.clear()
    camera.read(1)


def test_without_anchors_nothing_is_claimed() -> None:
    camera, _ = table(PLAIN)
    assert Anchors((), (640, 480), 1.4).check(camera.read(1).image).trouble is None


def test_large_pictures_are_looked_at_just_as_well() -> None:
    camera, anchors = table(BUILT, (1280, 960))
    assert anchors.check(camera.read(1).image).moved_mm < 0.2
    camera.push(8, 0)
    found = anchors.check(camera.read(1).image)
    assert found.moved_mm == pytest.approx(8 / camera.tray.scale, abs=0.3)
