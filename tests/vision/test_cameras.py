"""What all cameras share, and the one that replays recordings."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.cameras import (
    CameraError,
    EndOfRecording,
    Pacer,
    Thrower,
    open_camera,
)
from vision.cameras.recording import RecordingCamera
from vision.recording import Truth, load_recordings
from vision.recording_writer import write_stills
from vision.watch import State

cv2.setNumThreads(1)  # small pictures: threads only get in each other's way

RECORDINGS = Path(__file__).parents[1] / "recordings"


class FakeClock:
    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds >= 0
        self.now += seconds


def play(camera: RecordingCamera) -> list:
    frames = []
    try:
        while True:
            frames.append(camera.read(1.0))
    except EndOfRecording:
        return frames


def states(frames) -> list[State]:
    """Without repetition."""
    found = [State(frame.metadata["state"]) for frame in frames]
    return [s for i, s in enumerate(found) if i == 0 or s is not found[i - 1]]


# ------------------------------------------------------------------------------------------ pacing


def test_paced_frames_come_when_they_are_due():
    clock = FakeClock()
    pacer = Pacer(clock, paced=True)
    assert [pacer.next(0.1, 1) for _ in range(3)] == pytest.approx([100, 100.1, 100.2])
    assert clock.now == pytest.approx(100.2)


def test_a_slow_reader_finds_no_heap_of_old_frames():
    clock = FakeClock()
    pacer = Pacer(clock, paced=True)
    pacer.next(0.1, 1)
    clock.now += 5
    assert pacer.next(0.1, 1) == pytest.approx(105)
    assert pacer.next(0.1, 1) == pytest.approx(105.1)


def test_a_frame_that_is_due_too_late_is_an_error_and_comes_next_time():
    clock = FakeClock()
    pacer = Pacer(clock, paced=True)
    pacer.next(1.0, 1)
    with pytest.raises(CameraError, match=r"no picture within 0\.2 s") as caught:
        pacer.next(1.0, 0.2)
    assert not caught.value.permanent
    assert clock.now == pytest.approx(100.2)
    assert pacer.next(1.0, 1.0) == pytest.approx(101)


def test_frames_that_are_not_paced_do_not_wait():
    clock = FakeClock()
    pacer = Pacer(clock, paced=False)
    assert [pacer.next(10, 0) for _ in range(3)] == [100, 110, 120]
    assert clock.now == 100


# ----------------------------------------------------------------------------------------- opening


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("webcm", "no camera is called 'webcm': did you mean webcam?"),
        ("telescope", "there are picamera2, webcam, recording, simulated"),
        ("recording", "needs a folder"),
        ("recording:nowhere", "no such folder"),
        ("webcam:front", "'front' must be a whole number"),
    ],
)
def test_a_camera_that_there_is_not_is_refused_for_good(spec, says):
    with pytest.raises(CameraError, match=says) as caught:
        open_camera(spec)
    assert caught.value.permanent


def test_a_recording_is_opened_by_its_name():
    with open_camera(f"recording:{RECORDINGS / 's3001'}", paced=False) as camera:
        assert camera.size == (640, 480)
        assert isinstance(camera, Thrower)
        assert camera.read(1).image.shape == (480, 640, 3)


# ---------------------------------------------------------------------------------------- replaying


def test_a_sequence_plays_at_its_own_times():
    recording = load_recordings(RECORDINGS / "s3002")[0]
    clock = FakeClock()
    frames = play(RecordingCamera([recording], clock=clock))
    assert [f.number for f in frames] == list(range(36))
    assert [f.metadata["state"] for f in frames] == [f.state for f in recording.frames]
    times = [f.time - frames[0].time for f in frames]
    assert times == pytest.approx([f.time for f in recording.frames])
    assert clock.now - 100 == pytest.approx(times[-1])
    assert np.array_equal(frames[17].image, recording.image(17))


def test_a_still_becomes_a_throw():
    (recording,) = load_recordings(RECORDINGS / "stills" / "01022_plain.jpg")
    frames = play(RecordingCamera([recording], fps=15, size=(640, 480), paced=False))
    assert states(frames) == [State.EMPTY, State.MOVING, State.AT_REST, State.MOVING, State.EMPTY]
    still = cv2.resize(recording.image(0), (640, 480), interpolation=cv2.INTER_AREA)
    for frame in frames:
        off = np.abs(frame.image.astype(int) - still)
        if frame.metadata["state"] == State.AT_REST:
            assert 0 < off.mean() < 3
        else:
            assert all(region(off, die.corners).mean() > 10 for die in recording.truth.dice)
    resting = [f.image for f in frames if f.metadata["state"] == State.AT_REST]
    assert len(resting) == 15
    assert not np.array_equal(resting[0], resting[1])


def region(image, corners):
    points = np.array(corners) * image.shape[1] / 1152
    (x0, y0), (x1, y1) = points.min(axis=0).astype(int), points.max(axis=0).astype(int)
    return image[y0:y1, x0:x1]


@pytest.mark.parametrize("name", ["grey_white_20014_empty_normal", "01004_hand", "01007_cup"])
def test_stills_of_all_kinds_play_to_the_end(name):
    (recording,) = load_recordings(RECORDINGS / "stills" / f"{name}.jpg")
    frames = play(RecordingCamera([recording], size=(320, 240), paced=False))
    assert all(f.image.shape == (240, 320, 3) for f in frames)
    at_rest = any(f.metadata["state"] == State.AT_REST for f in frames)
    assert at_rest == bool(recording.truth.dice)


def test_a_still_without_known_places_rests_as_it_is(tmp_path):
    image = np.full((30, 40, 3), 90, np.uint8)
    (recording,) = write_stills(tmp_path, [("x", image, Truth((6, 5)), {})])
    frames = play(RecordingCamera([recording], paced=False))
    assert states(frames) == [State.AT_REST]


def test_dice_lie_until_the_next_throw():
    chosen = [load_recordings(RECORDINGS / name)[0] for name in ("s3001", "s3003")]
    camera = RecordingCamera(chosen, hold=True, paced=False)
    assert states(camera.read(1) for _ in range(60)) == [State.EMPTY]
    camera.throw(2)
    frames = [camera.read(1) for _ in range(120)]
    assert states(frames) == [State.EMPTY, State.MOVING, State.AT_REST]
    assert camera.recording.name == "s3001"
    camera.clear()
    frames = [camera.read(1) for _ in range(60)]
    assert states(frames) == [State.AT_REST, State.HAND, State.EMPTY][states(frames)[0] == "hand" :]
    camera.throw(3)
    frames = [camera.read(1) for _ in range(60)]
    assert states(frames) == [State.EMPTY, State.MOVING, State.AT_REST]
    assert camera.recording.name == "s3003"
    camera.throw(2)
    assert states(play(camera))[-1] is State.EMPTY


def test_the_next_throw_with_so_many_dice_is_taken():
    camera = RecordingCamera.open(RECORDINGS / "stills", size=(320, 240), hold=True, paced=False)
    names = []
    for dice in (5, 2, 3, 2):
        camera.throw(dice)
        last = [camera.read(1) for _ in range(40)][-1]
        assert last.metadata["state"] == State.AT_REST
        assert last.metadata["recording"] == camera.recording.name
        assert len(camera.recording.truth.dice) == dice
        names.append(camera.recording.name)
    assert names == sorted(set(names))


def test_recordings_start_again_with_loop():
    camera = RecordingCamera.open(RECORDINGS / "s3003", loop=True, paced=False)
    frames = [camera.read(1) for _ in range(80)]
    assert np.array_equal(frames[40].image, frames[4].image)


def test_errors_while_replaying(tmp_path):
    image = np.full((30, 40, 3), 90, np.uint8)
    write_stills(tmp_path, [("x", image, Truth((6, 5)), {})])
    camera = RecordingCamera.open(tmp_path, paced=False)
    (tmp_path / "x.jpg").write_bytes(b"gone")
    with pytest.raises(CameraError, match="not a picture") as caught:
        camera.read(1)
    assert caught.value.permanent
    camera.close()
    camera.close()
    with pytest.raises(CameraError, match="closed"):
        camera.read(1)


def test_recordings_of_other_shapes_do_not_mix():
    with pytest.raises(CameraError, match="does not fit pictures of 640x640"):
        RecordingCamera.open(RECORDINGS / "s3001", size=(640, 640))
    with pytest.raises(CameraError, match="no recording to replay"):
        RecordingCamera([])
