"""The measuring itself: formats of truth, verdicts and counts."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import baseline
from vision.bench import (
    BenchError,
    Case,
    Result,
    Tally,
    Verdict,
    failures,
    group,
    load_cases,
    measure,
    timing,
)
from vision.picture import PictureError
from vision.reading import Die, Problem, Reading

ROOT = Path(__file__).parents[2]
RECORDINGS = ROOT / "tests" / "recordings"
SHARED = ROOT.parent / "shared"
SQUARE = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))


def read_as(*values: int, ms: float = 1.0) -> Reading:
    dice = tuple(Die(v, 0.9, (4.0, 4.0), SQUARE) for v in values)
    return Reading(dice, (), (9, 9), ms)


def refused(*problems: Problem, seen: int = 1) -> Reading:
    die = Die(None, 0.0, (4.0, 4.0), SQUARE, problem=Problem.UNCLEAR)
    return Reading((die,) * seen, problems, (9, 9), 1.0)


def case(values: tuple[int, ...] | None, *problems: Problem, may_refuse: bool = False) -> Case:
    return Case("a", Path("a.jpg"), values, frozenset(problems), may_refuse=may_refuse)


UNCLEAR = refused(Problem.UNCLEAR)
NOTHING = refused(Problem.NO_DICE, seen=0)


@pytest.mark.parametrize(
    ("truth", "reading", "verdict"),
    [
        (case((6, 5)), read_as(5, 6), Verdict.EXACT),
        (case((6, 5)), read_as(6, 4), Verdict.WRONG),
        (case((6, 5)), read_as(6), Verdict.WRONG),
        (case((6, 5)), UNCLEAR, Verdict.NOT_READ),
        (case((6, 5), may_refuse=True), UNCLEAR, Verdict.EXACT),
        (case((6, 5), may_refuse=True), read_as(6, 4), Verdict.WRONG),
        (case(None, Problem.COCKED), UNCLEAR, Verdict.EXACT),
        (case(None, Problem.COCKED), read_as(6, 5), Verdict.WRONG),
        (case(()), NOTHING, Verdict.EXACT),
        (case(()), UNCLEAR, Verdict.NOT_READ),
        (case(()), read_as(1), Verdict.WRONG),
    ],
)
def test_verdicts(truth: Case, reading: Reading, verdict: Verdict) -> None:
    assert Result(truth, reading).verdict is verdict


def test_tally_counts_every_kind_apart() -> None:
    results = [
        Result(case((6, 5)), read_as(6, 5)),
        Result(case((6, 5)), read_as(6, 4)),
        Result(case((6, 5)), UNCLEAR),
        Result(case(None, Problem.COCKED), refused(Problem.COCKED)),
        Result(case(None, Problem.COCKED), UNCLEAR),
        Result(case(None, Problem.STACKED), read_as(6)),
        Result(case(()), NOTHING),
        Result(case(()), UNCLEAR),
    ]
    assert Tally.of(results) == Tally(
        valid=3,
        exact=1,
        not_read=1,
        wrong=1,
        invalid=3,
        refused=2,
        named=1,
        empty=2,
        clean=1,
    )
    worst = [r.verdict for r in failures(results)]
    assert worst[:2] == [Verdict.WRONG, Verdict.WRONG]
    assert len(worst) == 5  # the refusal for a wrong reason is among them
    assert worst == sorted(worst, key=[Verdict.WRONG, Verdict.NOT_READ, Verdict.EXACT].index)


def test_timing() -> None:
    results = [Result(case((1,)), read_as(1, ms=ms)) for ms in (5.0, 1.0, 30.0)]
    assert timing(results) == (5.0, 30.0)


def test_the_recordings_of_the_product() -> None:
    cases = load_cases(RECORDINGS)
    assert len(cases) >= 63
    assert [c.name for c in cases] == [c.name for c in load_cases(RECORDINGS)]
    by_category = group([Result(c, NOTHING) for c in cases], "category")
    assert {"plain", "cocked", "lean", "stacked", "hand", "empty"} <= set(by_category)
    cocked = [c for c in cases if c.values is None]
    assert len(cocked) > 15
    assert all(c.problems for c in cocked)
    assert all(c.due for c in cases if c.values)


@pytest.mark.skipif(
    not SHARED.is_dir(), reason="the shared recordings are not beside this checkout"
)
def test_the_shared_formats() -> None:
    stills = load_cases(SHARED / "recordings" / "stills")
    assert len(stills) == 320
    assert sum(c.may_refuse for c in stills) == 13
    assert all(c.problems and c.due for c in stills if c.values is None)
    sequences = load_cases(SHARED / "recordings" / "sequences")
    assert {c.tags["category"] for c in sequences} == {"sequence, settled", "sequence, empty"}
    photos = load_cases(SHARED / "photos")
    assert len(photos) == 683
    assert sum(c.tags.get("subset") == "above" for c in photos) == 149
    assert "casino" not in photos[0].tags


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is not JSON"),
        ("[]", "must map"),
        ('{"a.jpg": {}}', "`values` is missing"),
        ('{"a.jpg": {"values": [7]}}', "from 1 to 6"),
        ('{"a.jpg": {"values": 6}}', "from 1 to 6"),
        ("{}", "no pictures"),
    ],
)
def test_bad_truth(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "truth.json").write_text(text)
    with pytest.raises(BenchError, match=words):
        load_cases(tmp_path)


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="no such folder"):
        load_cases(tmp_path / "nothing")


def test_measuring_tells_the_number_only_when_asked(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((9, 9, 3), np.uint8))
    (tmp_path / "truth.json").write_text(json.dumps({"a.png": {"values": [6, 1, 2]}}))
    cases = load_cases(tmp_path)
    asked: list[int | None] = []

    def read(image: np.ndarray, dice: int | None) -> Reading:
        asked.append(dice)
        return NOTHING

    list(measure(cases, read))
    list(measure(cases, read, told=True))
    assert asked == [None, 3]
    (tmp_path / "a.png").unlink()
    with pytest.raises(PictureError, match=r"a\.png"):
        list(measure(cases, read))


def test_the_baseline_reads_what_it_was_made_for() -> None:
    image = np.full((300, 500, 3), 235, np.uint8)
    for x, y in [(100, 100), (125, 125), (150, 150), (350, 150)]:
        cv2.circle(image, (x, y), 9, (10, 10, 10), -1)
    values, ms = baseline.read(image)
    assert values == (3, 1)
    assert ms > 0
