"""The support bundle: everything that helps, and no secret."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from firmware import bundle
from firmware.cli import main
from firmware.clock import FakeClock
from firmware.config import load, parse, render, save_setting
from firmware.evidence import Evidence
from firmware.health import Finding, Level, Machine
from firmware.journal import Journal
from vision.reading import Reading


class NoMachine(Machine):
    def output(self, *command: str) -> str | None:
        return f"log of {command[2]}" if command[0] == "journalctl" else None


@pytest.fixture
def table(tmp_path: Path) -> tuple[Path, Path]:
    """An owner's file with a secret, and a state folder after an evening."""
    config, state = tmp_path / "dicetable.toml", tmp_path / "state"
    config.write_text(render({"table.operator_pin": "86420", "camera.fps": 9}))
    clock = FakeClock()
    with Journal(state, clock) as journal, Evidence.open(state, journal, 9, clock) as evidence:
        game = journal.start_game("barbut", {"players": ["Kari", "Ola"]}, {})
        image = np.zeros((40, 40, 3), np.uint8)
        reading = Reading((), (), (40, 40))
        for _ in range(25):
            name = evidence.keep(game, image, reading)
            journal.act(game, {"op": "throw"}, picture=name).result()
            evidence.flush()
        journal.fault("chips", "do not add up").result()
    save_setting(state, "table.operator_pin", "97531")
    (state / "screens").mkdir()
    (state / "screens" / "1.png").write_bytes(b"png")
    return config, state


def written(table: tuple[Path, Path], target: Path, whole: bool = False) -> dict[str, bytes]:
    loaded = load(*table)
    assert loaded.problems == ()
    assert loaded.config.table.operator_pin == "97531"
    findings = [Finding("disk", Level.OK, "fine")]
    names = bundle.write(target, loaded, findings, NoMachine(), FakeClock(), whole_record=whole)
    with zipfile.ZipFile(target) as file:
        assert file.testzip() is None
        assert file.namelist() == names
        return {name: file.read(name) for name in names}


def test_what_helps_is_in_it(table: tuple[Path, Path], tmp_path: Path) -> None:
    files = written(table, tmp_path / "report.zip")
    assert json.loads(files["doctor.json"])[0]["text"] == "fine"
    assert files["log.txt"] == b"log of dicetable"
    assert b"fps = 9" in files["config/dicetable.toml"]
    assert len(json.loads(files["games/000001.json"])["acts"]) == 25
    assert [one["kind"] for one in json.loads(files["events.json"])] == ["power_on", "fault"]
    assert b"journal.db" in files["files.txt"]
    assert json.loads(files["machine.json"])["kernel"].startswith("Linux")
    pictures = sorted(name for name in files if name.endswith(".jpg"))
    assert len(pictures) == bundle.PICTURES
    assert all(name.replace(".jpg", ".json") in files for name in pictures)
    assert "screens/1.png" in files
    assert not any(name.startswith("record/") for name in files)


def test_no_secret_is_in_it(table: tuple[Path, Path], tmp_path: Path) -> None:
    files = written(table, tmp_path / "report.zip", whole=True)
    assert "record/journal.db" in files
    for name, data in files.items():
        for secret in (b"86420", b"97531"):
            assert secret not in data, name
    assert b'operator_pin = "(left out)"' in files["config/settings.toml"]


def test_no_secret_is_told_as_a_problem() -> None:
    (problem,) = parse('[table]\noperator_pin = "86 420"\n').problems
    assert problem.text == "table.operator_pin must be 4 to 8 digits in quotes"


@pytest.mark.parametrize(
    "line",
    [
        "operator_pin='86420'",
        '  "operator_pin" = "86420" # mine',
        "table.operator_pin=86420",
        "# operator_pin = 86420",
        "table = { operator_pin = '86420' }",
    ],
)
def test_a_secret_is_found_however_it_is_written(line: str) -> None:
    text = bundle.without_secrets(f"[table]\n{line}\ngame = 'balut'\n")
    assert "86420" not in text
    assert "game = 'balut'" in text


def test_big_pictures_are_left_out(
    table: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "LIMIT", 1500)
    files = written(table, tmp_path / "report.zip")
    kept = [len(data) for name, data in files.items() if name.endswith(".jpg")]
    assert 0 < sum(kept) <= 1500


def test_a_damaged_record_is_no_obstacle(table: tuple[Path, Path], tmp_path: Path) -> None:
    (table[1] / "journal.db").write_bytes(b"x" * 9999)
    files = written(table, tmp_path / "report.zip")
    assert b"is damaged" in files["games/unreadable.txt"]


def test_the_command(
    table: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["report", "--config", str(table[0]), "--state", str(table[1])]
    arguments += ["--camera", "recording:/nonexistent"]
    target = tmp_path / "r.zip"
    assert main([*arguments, "--output", str(target)]) == 0
    assert capsys.readouterr().out.startswith(f"{target}: ")
    with zipfile.ZipFile(target) as file:
        found = json.loads(file.read("doctor.json"))
    assert {"camera", "record", "disk"} <= {one["part"] for one in found}
    assert main([*arguments, "--output", "/nonexistent/r.zip"]) == 2
    assert capsys.readouterr().err == (
        "report: /nonexistent/r.zip can not be written (No such file or directory); give another "
        "place with --output\n"
    )
