"""The camera process is supervised: whatever it does, the table goes on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from firmware.clock import FakeClock
from firmware.eye import (
    FRAME_LIMIT,
    MOST_PATIENCE,
    PAUSES,
    START_LIMIT,
    STEADY_AFTER,
    CameraProcess,
    CameraSettings,
    InlineEye,
    Looker,
    preview,
)
from firmware.seen import Opened
from tests.firmware import camera_processes
from vision.cameras import CameraError, Frame
from vision.watch import Sight, State

Make = Callable[[Any], tuple[CameraProcess, FakeClock]]


@pytest.fixture
def make() -> Iterator[Make]:
    eyes: list[CameraProcess] = []

    def start(target: Any) -> tuple[CameraProcess, FakeClock]:
        clock = FakeClock()
        eye = CameraProcess(CameraSettings("simulated"), clock, target)
        eyes.append(eye)
        return eye, clock

    yield start
    for eye in eyes:
        eye.close()


def heard(eye: CameraProcess) -> list[Any]:
    """What the process says next; waits for it, but not for ever."""
    assert eye._link is not None
    eye._link.poll(20)
    return [seen.sight for seen in eye.poll()]


def test_orders_cross_and_answers_come_back(make: Make) -> None:
    eye, _ = make(camera_processes.two_pictures)
    assert heard(eye) == [("order", "due", 0)]
    eye.due(2)
    assert heard(eye) == [("order", "due", 2)]
    eye.due(2)
    eye.throw(3, (6, 6))
    assert heard(eye) == [("order", "throw", 3, (6, 6))]
    assert eye.problem is None


def test_a_stuck_camera_is_noticed_killed_and_started_again(make: Make) -> None:
    eye, clock = make(camera_processes.stuck)
    ((_, pid),) = heard(eye)
    clock.advance(FRAME_LIMIT + 0.1)
    assert eye.poll() == []
    assert eye.problem == "the camera does not answer"
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    clock.advance(PAUSES[0])
    eye.poll()
    assert eye.restarts == 1
    ((_, other),) = heard(eye)
    assert other != pid
    assert eye.problem is None


def test_a_camera_that_never_begins_is_given_up_later(make: Make) -> None:
    eye, clock = make(camera_processes.dies)
    eye._process.join(20)
    eye.poll()
    assert eye.problem == "the camera process has ended by itself"
    clock.advance(START_LIMIT)


def test_the_pauses_between_restarts_grow(make: Make) -> None:
    eye, clock = make(camera_processes.dies)
    for number, pause in enumerate(PAUSES[:3]):
        eye._process.join(20)
        eye.poll()
        assert eye.problem is not None
        clock.advance(pause - 0.01)
        eye.poll()
        assert eye.restarts == number
        clock.advance(0.02)
        eye.poll()
        assert eye.restarts == number + 1


def test_what_the_camera_says_is_passed_on(make: Make) -> None:
    eye, _ = make(camera_processes.refuses)
    assert heard(eye) == []
    assert eye.problem == "no camera is connected: check the ribbon cable"


def test_a_fault_that_can_not_pass_is_not_tried_again_and_again(make: Make) -> None:
    eye, clock = make(camera_processes.lacks_its_library)
    assert heard(eye) == []
    assert eye.problem == "the Pi's camera needs picamera2"
    for _ in range(100):
        clock.advance(PAUSES[-1])
        assert eye.poll() == []
    assert eye.restarts == 0


def test_what_the_camera_is_and_says_of_each_picture_is_kept(make: Make) -> None:
    eye, _ = make(camera_processes.begins)
    while not eye.seeing.about:
        heard(eye)
    assert eye.seeing.opened.name == "imx708 (picamera2)"
    assert eye.seeing.about == {"ExposureTime": 10_000}


def test_a_slow_start_is_given_more_time_after_each_failure(make: Make) -> None:
    eye, clock = make(camera_processes.opens_and_is_stuck)
    for failures in range(MOST_PATIENCE + 1):
        assert heard(eye) == []
        assert eye.seeing.opened.name
        limit = START_LIMIT * min(failures + 1, MOST_PATIENCE)
        clock.advance(limit - 0.1)
        eye.poll()
        assert eye._restart_at is None, "it may still come"
        clock.advance(0.2)
        eye.poll()
        assert eye.problem == "the camera does not answer"
        clock.advance(PAUSES[-1])
        eye.seeing.opened = Opened("", (0, 0))
        eye.poll()


class Broken:
    size = (640, 480)

    def __init__(self) -> None:
        self.down = True

    def read(self, timeout: float) -> Frame:
        if self.down:
            raise CameraError("the cable is out")
        return Frame(np.zeros((960, 1280, 3), np.uint8), 7, 0.0)

    def close(self) -> None:
        pass


class Idle:
    def update(self, frame: Frame, due: int | None) -> Sight:
        return Sight(State.EMPTY, None, False)


def test_the_eye_in_this_process_says_what_is_wrong_and_recovers() -> None:
    camera = Broken()
    eye = InlineEye(camera, Idle())  # type: ignore[arg-type]
    assert eye.poll() == []
    assert eye.problem == "the cable is out"
    camera.down = False
    (seen,) = eye.poll()
    assert eye.problem is None
    assert seen.image is not None
    assert (seen.number, seen.image.shape) == (7, (480, 640, 3))


class Timed:
    """A camera whose pictures are a tenth of a second apart, and a watcher with a script."""

    size = (640, 480)

    def __init__(self, *states: State) -> None:
        self.states = list(states)
        self.number = 0

    def read(self, timeout: float) -> Frame:
        self.number += 1
        return Frame(np.zeros((480, 640, 3), np.uint8), self.number, self.number / 10)

    def update(self, frame: Frame, due: int | None) -> Sight:
        state = self.states.pop(0) if self.states else State.EMPTY
        return Sight(state, None, False)


def test_a_tray_where_nothing_changes_is_looked_at_more_seldom_and_not_sent() -> None:
    scene = Timed()
    looker = Looker(scene, scene)  # type: ignore[arg-type]
    frames = round(STEADY_AFTER * 10)
    sent = [looker.look(thrifty=True).image is not None for _ in range(frames + 5)]
    assert sent[: frames - 1] == [True] * (frames - 1)
    assert sent[-3:] == [False] * 3
    assert looker.steady
    assert looker.look().image is not None, "whoever is not thrifty gets them all"
    scene.states = [State.MOVING]
    assert looker.look(thrifty=True).image is not None
    assert not looker.steady
    for _ in range(frames + 5):
        looker.look(thrifty=True)
    assert looker.steady
    looker.command("due", 2)
    assert not looker.steady
    assert looker.look(thrifty=True).image is not None


def test_a_hand_that_stays_is_watched_without_pause() -> None:
    scene = Timed(*[State.HAND] * 100)
    looker = Looker(scene, scene)  # type: ignore[arg-type]
    for _ in range(99):
        assert looker.look(thrifty=True).image is not None


def test_small_pictures_are_shown_as_they_are() -> None:
    image = np.zeros((480, 640, 3), np.uint8)
    assert preview(image) is image
