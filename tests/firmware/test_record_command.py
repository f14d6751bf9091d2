"""`dicetable record`, on recorded throws, with a reader that is told what to say."""

from pathlib import Path

import pytest

from firmware import cli
from firmware.commands.record import Session
from vision.anchors import Trouble
from vision.cameras.recording import RecordingCamera
from vision.reading import Die, Problem, Reading
from vision.recording import load_recordings
from vision.watch import State, Watcher

RECORDINGS = Path(__file__).parents[1] / "recordings"
THROWN = (6, 5)  # what s3001 shows


def reader(shown, *, confidence=1.0, values=THROWN):
    """Sees the dice of s3001 once they are there: as these values, and so sure."""
    (recording,) = load_recordings(RECORDINGS / "s3001")

    def read(image, due):
        if shown() == State.EMPTY:
            return Reading((), (Problem.NO_DICE,), (640, 480))
        dice = tuple(
            Die(value, confidence, truth.centre, truth.corners)
            for value, truth in zip(values, recording.truth.dice, strict=True)
        )
        problems = (Problem.UNCLEAR,) if None in values else ()
        return Reading(dice, problems, (640, 480))

    return read


def record(folder, answers=(), *, ask_all=False, times=1, **seen):
    camera = RecordingCamera(load_recordings(RECORDINGS / "s3001") * times, paced=False)
    state = {"now": State.EMPTY}
    honest, asked, left = camera.read, [], list(answers)

    def watched(timeout):
        frame = honest(timeout)
        state["now"] = frame.metadata["state"]
        return frame

    def ask(question):
        asked.append(question)
        if not left:
            raise EOFError
        return left.pop(0)

    camera.read = watched
    watcher = Watcher(reader(lambda: state["now"], **seen))
    session = Session(camera, watcher, folder, ask=ask)
    return session.record(ask_all=ask_all), asked


def test_a_throw_that_is_read_surely_is_written_without_a_question(tmp_path):
    assert record(tmp_path, times=2) == (2, [])
    first, second = load_recordings(tmp_path)
    assert (first.name, second.name) == ("throw-0001", "throw-0002")
    (source,) = load_recordings(RECORDINGS / "s3001")
    assert first.truth.values == (6, 5)
    assert first.truth.dice == source.truth.dice
    states = [frame.state for frame in first.frames]
    assert first.empty_frames >= 3
    assert State.MOVING in states
    assert states[-5:] == [State.AT_REST] * 5
    assert State.HAND not in states + [frame.state for frame in second.frames]
    assert first.fps == pytest.approx(12, abs=0.1)
    assert first.image(len(states) - 1).shape == (480, 640, 3)


def test_a_throw_that_is_read_unsurely_is_asked_about(tmp_path):
    written, asked = record(tmp_path, ["6 7", "6, 4"], confidence=0.5)
    assert written == 1
    assert len(asked) == 2
    assert "Read: 6 5" in asked[0]
    (recording,) = load_recordings(tmp_path)
    assert recording.truth.values == (6, 4)
    assert recording.truth.dice == ()


def test_enter_takes_what_was_read(tmp_path):
    record(tmp_path, [""], ask_all=True)
    (recording,) = load_recordings(tmp_path)
    assert recording.truth.values == (6, 5)
    assert len(recording.truth.dice) == 2


def test_a_throw_that_is_not_read_is_asked_about(tmp_path):
    _, asked = record(tmp_path, ["", "-"], values=(6, None))
    assert "Read: not read (unclear)" in asked[0]
    (recording,) = load_recordings(tmp_path)
    assert (recording.truth.values, recording.truth.problems) == (None, (Problem.UNCLEAR,))


@pytest.mark.parametrize("answers", [["x"], []])
def test_a_throw_can_be_left_out(tmp_path, answers):
    assert record(tmp_path, answers, confidence=0.5)[0] == 0
    assert list(tmp_path.iterdir()) == []


def test_older_throws_are_left_alone(tmp_path):
    record(tmp_path)
    record(tmp_path)
    assert [r.name for r in load_recordings(tmp_path)] == ["throw-0001", "throw-0002"]


def test_what_can_not_be_used_is_told_in_one_sentence(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert cli.main(["record", str(tmp_path / "file" / "dir"), "--camera", "webcm"]) == 2
    assert "can not be made" in capsys.readouterr().err
    assert cli.main(["record", str(tmp_path / "dir"), "--camera", "webcm"]) == 2
    assert "did you mean webcam?" in capsys.readouterr().err


def test_a_pushed_camera_is_told_and_nothing_is_recorded_until_it_is_back(tmp_path, capsys):
    camera = RecordingCamera(load_recordings(RECORDINGS / "s3001") * 2, paced=False)
    honest, state = camera.read, {"now": State.EMPTY, "frames": 0}

    def watched(timeout):
        frame = honest(timeout)
        state["now"] = frame.metadata["state"]
        state["frames"] += 1
        return frame

    camera.read = watched
    # Pushed during the first throw, back for the second.
    watcher = Watcher(
        reader(lambda: state["now"]),
        check=lambda image: Trouble.MOVED if 10 < state["frames"] <= 50 else None,
    )
    assert Session(camera, watcher, tmp_path, ask=lambda question: "x").record() == 1
    told = capsys.readouterr().out
    assert told.index("was moved") < told.index("sees the tray again") < told.index("6 5")
