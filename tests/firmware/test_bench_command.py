"""`dicetable bench`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import pytest

from firmware.cli import main

STILLS = Path(__file__).parents[1] / "recordings" / "stills"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four pictures with a truth that fits three of them."""
    truth = {
        "01034_plain.jpg": {"values": [5, 4], "category": "plain", "look": "red"},
        "01022_plain.jpg": {"values": [6, 6, 6, 6, 6], "category": "plain", "above": True},
        "wood_20023_02_normal.jpg": {"values": None, "category": "cocked", "why": ["cocked"]},
        "asian_blue_20021_empty_poor.jpg": {"values": [], "category": "empty"},
    }
    folder = tmp_path / "pictures"
    folder.mkdir()
    for name in truth:
        shutil.copy(STILLS / name, folder)
    (folder / "truth.json").write_text(json.dumps(truth))
    return folder


def test_tables_sheet_and_file(
    capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path
) -> None:
    sheet, table = tmp_path / "sheets", tmp_path / "BENCH.md"
    arguments = ["--sheet", str(sheet), "--markdown", str(table), "--baseline"]
    assert main(["bench", str(folder), *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    row = next(line for line in out.splitlines() if line.startswith("| all | 4 "))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[2] == "2"
    assert cells[3] == "1 (50.0 %)"
    assert cells[5] == "1 (50.0 %)"
    assert cells[7] == "1 (100.0 %)"
    assert cells[10] == "1 (100.0 %)"
    assert "silently wrong: pictures/01022_plain.jpg shows 6 6 6 6 6" in out
    assert "Blob-and-cluster baseline on the 2 valid ones" in out
    assert [path.name for path in sheet.iterdir()] == ["failures-01.png"]
    assert cv2.imread(str(sheet / "failures-01.png")) is not None
    written = table.read_text()
    assert written.startswith("# What the reader reaches")
    assert row in written
    assert "commit" in written


def test_told_and_one_opinion(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    for opinions in ("pips", "faces", "both"):
        assert main(["bench", str(folder), "--told", "--opinions", opinions]) == 0
        assert "| all | 4 |" in capsys.readouterr().out


@pytest.mark.parametrize("bad", ["nothing", "empty", "broken", "lost"])
def test_bad_folders(capsys: pytest.CaptureFixture[str], tmp_path: Path, bad: str) -> None:
    if bad != "nothing":
        (tmp_path / bad).mkdir()
    if bad == "broken":
        (tmp_path / bad / "truth.json").write_text("{")
    if bad == "lost":
        (tmp_path / bad / "truth.json").write_text('{"a.jpg": {"values": [1]}}')
    assert main(["bench", str(tmp_path / bad)]) == 2
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert err.startswith(f"dicetable bench: {tmp_path / bad}")
