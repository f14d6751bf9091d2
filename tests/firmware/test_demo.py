"""The whole path: recorded frames, reader, mock pins, judge, record on disk, screen."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from firmware.commands import demo


def options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    demo.add_arguments(parser)
    return parser.parse_args(words)


def test_the_evening_is_played_as_the_story_has_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert demo.run(options("--headless", "--out", str(tmp_path))) == 0
    told = capsys.readouterr()
    assert told.err == ""
    for sentence in (
        # The pot, the side bet and the roles of Barbudi.
        "Kari throws 1-1 and loses",
        "chips: Kari 17, Ola 25, Per 22, Liv 16",
        # Vari turns 2-1 into a win for Boris.
        "chips: Ana 14, Boris 26",
        # The three-dice turn is recorded, the next player is not in the game yet.
        "totals: Ana 150, Boris 0, Vera 0",
        # Three throws for 24 in sixes; a die that leans on another one; a house of 19.
        "Not read: A die leans.",
        "dice sums: Eva 24, Nils 19",
        "dice sums: Eva 42, Nils 19",
        "Read 13 throws, 1 not read (1 cocked); judged 25 acts",
    ):
        assert sentence in told.out
    pictures = sorted(path.name for path in tmp_path.glob("*.png"))
    assert pictures == ["balut.png", "barbudi.png", "barbut.png", "barbut_bg.png"]
    assert all(path.stat().st_size > 5_000 for path in tmp_path.glob("*.png"))


def test_without_recordings_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "nothing"
    assert demo.run(options("--headless", "--recordings", str(missing))) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert str(missing) in error
