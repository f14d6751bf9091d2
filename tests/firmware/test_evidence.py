"""Pictures of throws: kept with what was read, within the quota, never in the way of play."""

import json
from collections.abc import Iterable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware import evidence as module
from firmware.clock import FakeClock
from firmware.evidence import Evidence
from firmware.journal import Journal
from firmware.record import Kind
from vision.reading import Die, Image, Problem, Reading, Zone

CORNERS = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
READING = Reading(
    dice=(
        Die(6, 0.99, (20.0, 30.0), CORNERS),
        Die(None, 0.2, (60.0, 30.0), CORNERS, Zone.RAIL, Problem.UNCLEAR),
    ),
    problems=(Problem.UNCLEAR,),
    size=(160, 120),
    ms=12.34,
)


def picture(seed: int = 0) -> Image:
    return np.random.default_rng(seed).integers(0, 255, (120, 160, 3), np.uint8)


def numbers(names: Iterable[str | None]) -> list[str]:
    """Names without the part that chance gives."""
    return [str(name).split("-")[0] for name in names]


SIZE = len(module.encoded(picture())) + len(json.dumps(module.as_json(READING))) + 60
"""About what one picture takes."""


def test_a_picture_is_kept_with_its_reading(tmp_path: Path) -> None:
    with Evidence(tmp_path, 10**9, FakeClock(wall=1_800_000_000.0)) as evidence:
        names = [
            evidence.keep(12, picture(), READING),
            evidence.keep(12, picture(), READING, (6, 5)),
        ]
        names.append(evidence.keep(13, picture(), READING))
        assert numbers(names) == ["000012/000001", "000012/000002", "000013/000001"]
        evidence.flush()
        image = cv2.imread(str(evidence.path(str(names[1]))))
        assert image is not None
        # JPEG blurs the noise, but it is the same picture.
        assert np.corrcoef(image.ravel(), picture().ravel())[0, 1] > 0.5
        about = json.loads(evidence.path(str(names[1])).with_suffix(".json").read_text())
        assert about["corrected"] == [6, 5]
        assert about["at"] == 1_800_000_000_000
        assert about["read"]["problems"] == ["unclear"]
        assert [die["value"] for die in about["read"]["dice"]] == [6, None]
    again = Evidence(tmp_path, 10**9, FakeClock())
    assert numbers([again.keep(12, picture(), READING)]) == ["000012/000003"]
    again.close()


def test_the_oldest_go_first_and_never_one_in_dispute(tmp_path: Path) -> None:
    with Evidence(tmp_path, 6 * SIZE, FakeClock(), protected=lambda: {2}) as evidence:
        for game in (1, 2, 3, 4, 5):
            for _ in range(2):
                evidence.keep(game, picture(), READING)
                evidence.flush()
        names = numbers(one.name for one in evidence.kept())
        assert sum(one.size for one in evidence.kept()) <= 6 * SIZE
    assert "000002/000001" in names
    assert "000002/000002" in names
    assert not any(name.startswith("000001/") for name in names)
    assert names[-1] == "000005/000002"
    assert not (tmp_path / "000001").exists()


def test_games_in_dispute_may_fill_the_quota_and_then_it_is_noted(tmp_path: Path) -> None:
    notes: list[tuple[str, int]] = []

    def note(text: str, game_id: int) -> None:
        notes.append((text, game_id))

    with Evidence(tmp_path, 3 * SIZE, FakeClock(), protected=lambda: {1}, note=note) as evidence:
        for _ in range(6):
            evidence.keep(1, picture(), READING)
            evidence.flush()
        assert len(list(evidence.kept())) in (2, 3)
    assert len(notes) in (3, 4)
    assert notes[0][1] == 1
    assert "used up by games in dispute; settle them or raise" in notes[0][0]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=12),
    st.frozensets(st.integers(1, 4), max_size=2),
    st.integers(1, 8),
)
def test_the_quota_holds_and_names_are_never_used_twice(
    tmp_path_factory: pytest.TempPathFactory,
    games: list[int],
    disputed: frozenset[int],
    quota: int,
) -> None:
    folder = tmp_path_factory.mktemp("evidence")
    names = []
    for game in sorted(games):
        # A new process for every picture: numbers must follow from the disk alone.
        evidence = Evidence(folder, quota * SIZE, FakeClock(), protected=lambda: disputed)
        before = {one.name for one in evidence.kept()}
        names.append(evidence.keep(game, picture(), READING))
        evidence.close()
        after = {one.name for one in evidence.kept()}
        assert sum(one.size for one in evidence.kept()) <= quota * SIZE
        gone = before - after
        assert not any(int(name.split("/")[0]) in disputed for name in gone)
    assert len(set(names)) == len(names)


def test_failures_are_noted_in_the_record_and_play_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path, FakeClock()) as journal:
        game = journal.start_game("barbut", {}, {})
        with Evidence.open(tmp_path, journal, 1, FakeClock()) as evidence:
            with monkeypatch.context() as patch:

                def refuse(path: Path, _data: bytes) -> None:
                    raise OSError(28, "No space left on device")

                patch.setattr(module, "write_durably", refuse)
                assert evidence.keep(game, picture(), READING) is not None
                evidence.flush()
            assert evidence.keep(game, np.zeros((0, 0, 3), np.uint8), READING) is not None
            evidence.flush()
            assert list(evidence.kept()) == []
        notes = [one for one in journal.events() if one.kind == Kind.EVIDENCE]
        assert [one.game_id for one in notes] == [game, game]
        assert "a picture was not kept: the disk is full, writing" in notes[0].body["text"]
        journal.act(game, {"op": "throw"}).result()


def test_a_slow_disk_does_not_fill_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate: Future[None] = Future()
    notes: list[Any] = []
    monkeypatch.setattr(module, "write_durably", lambda *_: gate.result())
    with Evidence(tmp_path, 10**9, FakeClock(), note=lambda *said: notes.append(said)) as evidence:
        names = [evidence.keep(1, picture(), READING) for _ in range(7)]
        assert names[4:] == [None, None, None]
        assert notes == [("a picture was not kept: the disk is too slow", 1)] * 3
        gate.set_result(None)


def test_no_quota_keeps_nothing(tmp_path: Path) -> None:
    with Evidence(tmp_path / "pictures", 0, FakeClock()) as evidence:
        assert evidence.keep(1, picture(), READING) is None
    assert not (tmp_path / "pictures").exists()
