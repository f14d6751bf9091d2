"""The webcam, with a capture that is told what to give."""

import threading

import cv2
import numpy as np
import pytest

from vision.cameras import CameraError, open_camera
from vision.cameras.webcam import Webcam


class FakeCapture:
    """Gives the next picture when `give` was called; blocks until then, as drivers do."""

    def __init__(self, opens: bool = True) -> None:
        self.opens, self.released = opens, False
        self.asked: dict[int, float] = {}
        self.pictures: list[np.ndarray | None] = []
        self.ready = threading.Semaphore(0)

    def give(self, *greys: int | None) -> None:
        for grey in greys:
            self.pictures.append(None if grey is None else np.full((48, 64, 3), grey, np.uint8))
            self.ready.release()

    def isOpened(self):  # noqa: N802
        return self.opens

    def set(self, what, value):
        self.asked[what] = value

    def get(self, what):
        return {cv2.CAP_PROP_FRAME_WIDTH: 64.0, cv2.CAP_PROP_FRAME_HEIGHT: 48.0}[what]

    def read(self):
        self.ready.acquire()
        picture = self.pictures.pop(0)
        return picture is not None, picture

    def release(self):
        self.released = True


class Clock:
    def monotonic(self) -> float:
        return 7.0

    def sleep(self, seconds: float) -> None:
        raise AssertionError("a webcam does not wait on the clock")


@pytest.fixture
def capture():
    capture = FakeCapture()
    yield capture
    capture.give(None)  # lets the thread end


def webcam(capture) -> Webcam:
    return Webcam(2, clock=Clock(), opener=lambda number: capture)


def test_pictures_come_with_their_time(capture):
    with webcam(capture) as camera:
        assert camera.size == (64, 48)
        assert capture.asked[cv2.CAP_PROP_FRAME_WIDTH] == 1280
        capture.give(50)
        frame = camera.read(timeout=5)
        assert (frame.image.mean(), frame.number, frame.time) == (50, 0, 7.0)
        capture.give(60)
        assert camera.read(timeout=5).number == 1
        capture.give(None)
    assert capture.released


def test_a_silent_camera_is_an_error_that_may_pass(capture):
    camera = webcam(capture)
    with pytest.raises(CameraError, match=r"webcam 2 is silent for 0\.01 s") as caught:
        camera.read(timeout=0.01)
    assert not caught.value.permanent
    capture.give(80)
    assert camera.read(timeout=5).image.mean() == 80


def test_a_camera_that_is_pulled_out_is_told_at_once(capture):
    camera = webcam(capture)
    capture.give(None)
    with pytest.raises(CameraError, match="no longer gives pictures: check its cable"):
        camera.read(timeout=5)


def test_a_closed_camera_gives_no_pictures(capture):
    camera = webcam(capture)
    capture.give(None)
    camera.close()
    camera.close()
    assert capture.released
    with pytest.raises(CameraError, match="webcam 2 is closed") as caught:
        camera.read(timeout=1)
    assert caught.value.permanent


def test_a_camera_that_does_not_open_says_what_to_check():
    capture = FakeCapture(opens=False)
    with pytest.raises(CameraError, match=r"plugged in.*group video") as caught:
        Webcam(0, opener=lambda number: capture)
    assert not caught.value.permanent
    assert capture.released


def test_opening_a_camera_that_there_is_not_prints_nothing(capfd):
    with pytest.raises(CameraError, match="webcam 97 does not open"):
        open_camera("webcam:97")
    assert capfd.readouterr().err == ""
