"""The levels of a picture and the patches cut out of them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.pyramid import Pyramid
from vision.reading import Image


def ramp(width: int, height: int) -> Image:
    """Blue grows by one grey level a pixel to the right, green downwards."""
    y, x = np.mgrid[0:height, 0:width]
    return np.dstack([x, y, np.full_like(x, 50)]).astype(np.uint8)


def square(x: float, y: float, edge: float) -> list[tuple[float, float]]:
    h = edge / 2
    return [(x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h)]


@pytest.mark.parametrize("size", [(200, 180), (201, 181), (255, 99)])
@pytest.mark.parametrize("edge", [8.0, 20.0, 40.0, 75.0])
def test_a_patch_shows_the_place_whatever_level_it_comes_from(
    size: tuple[int, int], edge: float
) -> None:
    image = ramp(*size)
    patch = Pyramid(image).patch(square(90.0, 48.0, edge), 20, 20)
    # Pixel centres lie half a pixel inside: the mean over the square is its middle less a half.
    assert patch[..., 0].mean() == pytest.approx(89.5, abs=1.0)
    assert patch[..., 1].mean() == pytest.approx(47.5, abs=1.0)
    # and from one side to the other it spans the square
    span = float(patch[:, -1, 0].mean()) - float(patch[:, 0, 0].mean())
    assert span == pytest.approx(edge * 19 / 20, rel=0.06, abs=1.0)


def test_shrinking_skips_no_pixel() -> None:
    image = np.zeros((256, 256, 3), np.uint8)
    image[::2] = 200  # every second line: sampling would show stripes, averaging grey
    patch = Pyramid(image).patch(square(128.0, 128.0, 160.0), 24, 24)
    assert np.abs(patch.astype(int) - 100).max() <= 2


def test_levels_are_made_once_and_only_when_asked_for() -> None:
    pyramid = Pyramid(ramp(64, 64))
    assert pyramid.level(1.9) is pyramid.image
    assert pyramid.level(2.0) is pyramid.level(3.9)
    assert pyramid.level(4.0).shape == (16, 16, 3)
    assert Pyramid.of(pyramid) is pyramid


def test_a_turned_face_is_set_upright() -> None:
    image = np.zeros((120, 120, 3), np.uint8)
    corners = cv2.boxPoints(((60.0, 60.0), (40.0, 40.0), 30.0))
    cv2.fillConvexPoly(image, np.int32(np.round(corners)), (255, 255, 255))
    patch = Pyramid(image).patch(corners, 40, 24)
    assert patch[10:30, 10:30].min() > 200
    assert patch[:6].max() < 40
    assert patch[:, :6].max() < 40


def test_the_tiniest_picture_has_levels() -> None:
    assert Pyramid(np.zeros((1, 1, 3), np.uint8)).level(64).shape == (1, 1, 3)


@pytest.mark.parametrize(("side", "face"), [(40, 20), (64, 26)])
@pytest.mark.parametrize("edge", [9.3, 41.7, 95.0])
def test_an_upright_square_is_cut_out_like_any_other_quadrilateral(
    edge: float, side: int, face: int
) -> None:
    rng = np.random.default_rng(5)
    noise = rng.integers(0, 256, (301, 403, 3), np.uint8)
    pyramid = Pyramid(np.asarray(cv2.GaussianBlur(noise, (0, 0), 2), np.uint8))
    ring = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * edge / 2
    for centre in ((200.3, 150.8), (3.5, 299.0)):
        wanted = pyramid.patch(centre + ring, side, face).astype(int)
        assert np.abs(pyramid.square(centre, edge, side, face) - wanted).max() <= 2
