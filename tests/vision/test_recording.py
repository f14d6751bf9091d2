import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from vision.reading import Problem, Zone
from vision.recording import INDEX, DieTruth, Kind, RecordingError, Truth, load_recordings
from vision.recording_writer import SequenceWriter, write_stills
from vision.watch import State

RECORDINGS = Path(__file__).parents[1] / "recordings"
SQUARE = ((1.0, 2.0), (3.0, 2.0), (3.0, 4.0), (1.0, 4.0))
LYING = Truth((6, 5), (DieTruth(6, (2.0, 3.0), SQUARE), DieTruth(5, (9.0, 3.0), SQUARE, Zone.RAIL)))
COCKED = Truth(
    None, (DieTruth(None, (2.0, 3.0), SQUARE, problems=(Problem.COCKED,)),), (Problem.COCKED,)
)


def picture(grey: int = 90, size: tuple[int, int] = (40, 30)) -> np.ndarray:
    return np.full((size[1], size[0], 3), grey, np.uint8)


def write_sequence(folder: Path, truth: Truth = LYING) -> None:
    writer = SequenceWriter(folder, fps=10)
    for i, state in enumerate((State.EMPTY, State.EMPTY, State.MOVING, State.AT_REST)):
        writer.add(picture(60 * i), time=50 + i / 10, state=state)
    writer.finish(truth, scene={"look": "white"}, origin="made up")


def break_index(folder: Path, change: dict[str, object]) -> None:
    index = json.loads((folder / INDEX).read_text())
    for key, value in change.items():
        if value is None:
            del index[key]
        else:
            index[key] = value
    (folder / INDEX).write_text(json.dumps(index))


def test_a_sequence_is_read_back_as_it_was_written(tmp_path):
    write_sequence(tmp_path / "throw")
    (recording,) = load_recordings(tmp_path / "throw")
    assert recording.truth == LYING
    assert (recording.kind, recording.size, recording.fps) == (Kind.SEQUENCE, (40, 30), 10)
    assert [f.time for f in recording.frames] == [0, 0.1, 0.2, 0.3]
    assert recording.empty_frames == 2
    assert recording.scene == {"look": "white"}
    assert [int(recording.image(i).mean()) for i in range(4)] == [0, 60, 120, 180]


def test_stills_share_a_folder_and_are_read_back_one_by_one(tmp_path):
    stills = [("a", picture(10), LYING, {}), ("b", picture(20), COCKED, {"category": "lean"})]
    written = write_stills(tmp_path, stills, origin="made up")
    assert written == load_recordings(tmp_path)
    assert [r.name for r in written] == ["a", "b"]
    assert [r.truth for r in written] == [LYING, COCKED]
    assert load_recordings(tmp_path / "b.jpg") == written[1:]


def test_jpeg_bytes_are_kept_as_they_are(tmp_path):
    write_sequence(tmp_path / "one")
    data = (tmp_path / "one" / "0000.jpg").read_bytes()
    write_stills(tmp_path / "two", [("x", data, LYING, {})])
    assert (tmp_path / "two" / "x.jpg").read_bytes() == data


def test_an_unfinished_sequence_is_no_recording(tmp_path):
    writer = SequenceWriter(tmp_path / "throw", fps=10)
    writer.add(picture(), time=0, state=State.EMPTY)
    with pytest.raises(RecordingError, match="no recording here"):
        load_recordings(tmp_path / "throw")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"truth": None}, "no `truth`: add the values thrown"),
        ({"version": 2}, "newer dicetable .format version 2, this one reads 1.; update"),
        ({"version": "1"}, "`version` must be of type int"),
        ({"format": "video"}, "not a recording"),
        ({"kind": "film"}, 'must be "sequence" or "stills", not "film"'),
        ({"frames": []}, "`frames` is empty"),
        ({"fps": 0}, "`fps` must be above 0"),
        ({"fps": None}, "`fps` is missing"),
        ({"size": [40]}, "must be .width, height."),
        ({"truth": {}}, "`values` is missing"),
        ({"truth": {"values": [7]}}, "7 is no face of a die"),
        ({"truth": {"values": [True]}}, "True is no face of a die"),
        ({"truth": {"values": None, "problems": ["tilted"]}}, "'tilted'; it must be one of"),
        ({"truth": {"values": [6], "dice": [{"value": 6}]}}, r"dice\[0\]: `corners` is missing"),
        ({"frames": [{"file": "../x.jpg", "time": 0, "state": "empty"}]}, "in the same folder"),
        ({"frames": [{"file": "0000.jpg", "time": 0, "state": "gone"}]}, "one of empty, hand"),
        ({"frames": [{"file": "0009.jpg", "time": 0, "state": "empty"}]}, "0009.jpg.*is missing"),
        ({"frames": [{"file": "0000.jpg", "time": 1, "state": "empty"}] * 2}, "must grow"),
    ],
)
def test_a_damaged_index_is_refused_in_one_sentence(tmp_path, change, says):
    write_sequence(tmp_path / "throw")
    break_index(tmp_path / "throw", change)
    with pytest.raises(RecordingError, match=says) as caught:
        load_recordings(tmp_path / "throw")
    assert "\n" not in str(caught.value)
    assert str(tmp_path / "throw") in str(caught.value)


def test_the_index_that_is_no_json_names_the_line(tmp_path):
    (tmp_path / INDEX).write_text('{\n "format": oops}')
    with pytest.raises(RecordingError, match=f"{INDEX}:2: not JSON"):
        load_recordings(tmp_path)


def test_pictures_that_do_not_fit_are_refused(tmp_path):
    write_sequence(tmp_path / "throw")
    (recording,) = load_recordings(tmp_path / "throw")
    (tmp_path / "throw" / "0000.jpg").write_bytes(b"no picture")
    with pytest.raises(RecordingError, match="not a picture"):
        recording.image(0)
    (tmp_path / "throw" / "0001.jpg").write_bytes(b"")
    with pytest.raises(RecordingError, match="not a picture"):
        recording.image(1)
    break_index(tmp_path / "throw", {"size": [80, 60]})
    with pytest.raises(RecordingError, match=r"40x30 pixels, but recording\.json says 80x60"):
        load_recordings(tmp_path / "throw")[0].image(2)
    writer = SequenceWriter(tmp_path / "other", fps=10)
    writer.add(picture(), time=0, state=State.EMPTY)
    with pytest.raises(RecordingError, match="before"):
        writer.add(picture(size=(80, 60)), time=1, state=State.EMPTY)


def test_a_recording_is_not_written_over(tmp_path):
    write_sequence(tmp_path / "throw")
    with pytest.raises(RecordingError, match="there is a recording already"):
        SequenceWriter(tmp_path / "throw", fps=10)


@pytest.mark.parametrize("place", ["", "nothing", "empty"])
def test_no_recording_there(tmp_path, place):
    (tmp_path / "empty").mkdir()
    with pytest.raises(RecordingError, match=r"no such folder|no recording here"):
        load_recordings(tmp_path / place)


def test_the_recordings_of_this_repository_are_what_the_readme_says():
    recordings = load_recordings(RECORDINGS)
    stills = [r for r in recordings if r.kind is Kind.STILL]
    sequences = [r for r in recordings if r.kind is Kind.SEQUENCE]
    assert (len(stills), len(sequences)) == (90, 3)
    assert sum(f.stat().st_size for f in RECORDINGS.rglob("*") if f.is_file()) < 25 * 2**20
    assert sum(r.truth.values is None for r in stills) == 22
    assert len({r.scene["look"] for r in stills}) == 27
    for recording in recordings:
        truth = recording.truth
        if truth.values is None:
            assert truth.problems
        else:
            values = sorted((die.value or 0 for die in truth.dice), reverse=True)
            assert truth.values == tuple(values)
            assert truth.problems == ()
    for sequence in sequences:
        assert sequence.empty_frames >= 5
        assert all(b.time - a.time < 0.1 for a, b in pairwise(sequence.frames))
        assert sequence.image(0).shape == (480, 640, 3)
