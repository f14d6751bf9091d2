"""The bill of materials: whole, and fit for each of the three boards."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

HARDWARE = Path(__file__).resolve().parents[2] / "hardware"
BOARDS = ("pi4", "pi5", "zero2w")


@pytest.fixture(scope="module")
def rows() -> list[dict[str, str]]:
    with (HARDWARE / "bom.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_row_is_whole(rows: list[dict[str, str]]) -> None:
    assert list(rows[0]) == ["part", "why", *BOARDS, "alternatives"]
    for row in rows:
        assert None not in row, f"too many fields: {row['part']}"
        assert row["part"], "a row without a part"
        assert row["why"], row["part"]
        counts = [int(row[board]) for board in BOARDS]
        assert sum(counts) > 0, row["part"]
    parts = [row["part"] for row in rows]
    assert len(set(parts)) == len(parts)


@pytest.mark.parametrize("board", BOARDS)
def test_one_board_one_camera_one_cable_four_buttons(
    rows: list[dict[str, str]], board: str
) -> None:
    def count(word: str) -> int:
        return sum(int(row[board]) for row in rows if word in row["part"].lower())

    assert count("raspberry pi") == 1
    assert count("camera module") == 1
    assert count("camera cable") == 1
    assert count("push button") == 4
    assert count("microsd") == 1
    assert count("light bar") == 2
    assert count("pi power supply") == 1
