"""`dicetable read`: a contract that stays."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.cli import main

STILLS = Path(__file__).parents[1] / "recordings" / "stills"
GOOD = STILLS / "01034_plain.jpg"  # 5 4
FIVE = STILLS / "01022_plain.jpg"  # 6 4 4 2 2
COCKED = STILLS / "wood_20023_02_normal.jpg"
EMPTY = STILLS / "asian_blue_20021_empty_poor.jpg"

KEYS = ["file", "ok", "values", "problems", "dice", "ms"]
DIE_KEYS = ["value", "confidence", "centre", "corners", "zone", "problem"]
PROBLEMS = {
    "no_dice",
    "wrong_count",
    "cocked",
    "stacked",
    "hand",
    "moving",
    "outside",
    "unclear",
}


def run(
    capsys: pytest.CaptureFixture[str], *arguments: object
) -> tuple[int, list[dict[str, object]], str]:
    """Exit status, the objects of standard output, and standard error."""
    status = main(["read", "--json", *map(str, arguments)])
    out, err = capsys.readouterr()
    return status, [json.loads(line) for line in out.splitlines()], err


def test_one_object_a_line_in_the_order_of_the_arguments(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, readings, err = run(capsys, FIVE, EMPTY, GOOD)
    assert [r["file"] for r in readings] == [str(FIVE), str(EMPTY), str(GOOD)]
    assert [r["values"] for r in readings] == [[6, 4, 4, 2, 2], None, [5, 4]]
    assert [r["ok"] for r in readings] == [True, False, True]
    assert status == 1
    assert err == ""


def test_every_key_has_its_type(capsys: pytest.CaptureFixture[str]) -> None:
    _, readings, _ = run(capsys, FIVE, COCKED, EMPTY)
    for reading in readings:
        assert list(reading) == KEYS
        assert isinstance(reading["ok"], bool)
        assert (reading["values"] is not None) is reading["ok"]
        assert (reading["problems"] == []) is reading["ok"]
        assert set(reading["problems"]) <= PROBLEMS
        assert isinstance(reading["ms"], float)
        assert 0 < reading["ms"] < 5000
        for die in reading["dice"]:
            assert list(die) == DIE_KEYS
            assert die["value"] in (None, 1, 2, 3, 4, 5, 6)
            assert (die["value"] is None) is (die["problem"] is not None)
            assert 0 <= die["confidence"] <= 1
            assert np.array(die["centre"]).shape == (2,)
            assert np.array(die["corners"]).shape == (4, 2)
            assert die["zone"] == "tray"
            assert die["problem"] in (None, *PROBLEMS)
            inside = np.array(die["corners"], np.float32)
            assert cv2.pointPolygonTest(inside, die["centre"], False) > 0
            assert cv2.contourArea(inside, True) > 0, "clockwise as seen"


def test_values_are_those_of_the_dice(capsys: pytest.CaptureFixture[str]) -> None:
    _, (reading,), _ = run(capsys, FIVE)
    assert sorted((die["value"] for die in reading["dice"]), reverse=True) == reading["values"]


def test_all_read_is_status_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, GOOD)[0] == 0
    assert run(capsys, GOOD, FIVE)[0] == 0


def test_an_empty_tray(capsys: pytest.CaptureFixture[str]) -> None:
    status, (reading,), _ = run(capsys, EMPTY)
    assert status == 1
    assert reading["problems"] == ["no_dice"]
    assert reading["dice"] == []
    assert reading["values"] is None


def test_a_cocked_die_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    status, (reading,), _ = run(capsys, COCKED)
    assert status == 1
    assert "cocked" in reading["problems"]
    assert "cocked" in [die["problem"] for die in reading["dice"]]


@pytest.mark.parametrize(("due", "status"), [(2, 0), (1, 1), (3, 1), (40, 1)])
def test_how_many_are_due(capsys: pytest.CaptureFixture[str], due: int, status: int) -> None:
    got, (reading,), _ = run(capsys, "--dice", due, GOOD)
    assert got == status
    assert reading["problems"] == ([] if status == 0 else ["wrong_count"])
    assert len(reading["dice"]) == 2


@pytest.mark.parametrize("due", ["0", "-1", "two", "1.5", ""])
def test_an_impossible_number_is_status_2(capsys: pytest.CaptureFixture[str], due: str) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["read", "--dice", due, str(GOOD)])
    assert caught.value.code == 2
    assert "is no number of dice" in capsys.readouterr().err


def test_no_picture_is_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["read", "--json"])
    assert caught.value.code == 2


def bad_files(folder: Path) -> dict[str, Path]:
    """Files that can not be used, by what is wrong with them."""
    jpeg, (_, png) = GOOD.read_bytes(), cv2.imencode(".png", cv2.imread(str(GOOD)))
    contents = {
        "text.jpg": b"no picture at all\n",
        "empty.png": b"",
        "short.jpg": jpeg[: len(jpeg) // 2],
        "short.png": png.tobytes()[: png.size // 2],
        "torn.png": png.tobytes()[:5000] + bytes(2000) + png.tobytes()[7000:],
        "huge.png": png.tobytes()[:16] + b"\x00\x01\x5f\x90" * 2 + png.tobytes()[24:],
    }
    for name, data in contents.items():
        (folder / name).write_bytes(data)
    (folder / "folder.jpg").mkdir()
    return {name: folder / name for name in [*contents, "folder.jpg", "missing.jpg"]}


def test_unusable_files_are_named_and_the_others_read(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    bad = bad_files(tmp_path)
    status = main(["read", "--json", str(GOOD), *map(str, bad.values()), str(FIVE)])
    out, err = capfd.readouterr()  # also what libpng says behind Python's back
    assert status == 2
    assert [json.loads(line)["file"] for line in out.splitlines()] == [str(GOOD), str(FIVE)]
    lines = err.splitlines()
    assert len(lines) == len(bad)
    for line, path in zip(lines, bad.values(), strict=True):
        assert line.startswith(f"dicetable read: {path}: ")
    assert "Traceback" not in err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_no_permission(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    secret = tmp_path / "secret.jpg"
    secret.write_bytes(GOOD.read_bytes())
    secret.chmod(0)
    status, readings, err = run(capsys, secret, GOOD)
    assert status == 2
    assert len(readings) == 1
    assert err == f"dicetable read: {secret}: can not be read (permission denied)\n"


def test_kinds_of_pictures(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """16 bits, transparent and grey PNG, BMP, TIFF, WebP: the same dice."""
    image = cv2.imread(str(GOOD))
    kinds = {
        "deep.png": image.astype(np.uint16) * 257,
        "clear.png": cv2.cvtColor(image, cv2.COLOR_BGR2BGRA),
        "grey.png": cv2.cvtColor(image, cv2.COLOR_BGR2GRAY),
        "a.bmp": image,
        "a.tiff": image,
        "a.webp": image,
    }
    for name, picture in kinds.items():
        cv2.imwrite(str(tmp_path / name), picture)
    _, readings, err = run(capsys, *(tmp_path / name for name in kinds))
    assert err == ""
    found = {Path(str(r["file"])).name: len(r["dice"]) for r in readings}
    assert found == dict.fromkeys(kinds, 2)
    assert [r["values"] for r in readings if "grey" not in str(r["file"])] == [[5, 4]] * 5


@pytest.mark.parametrize("shape", [(1, 1), (1, 3000), (2, 2), (5000, 7000)])
def test_sizes(capsys: pytest.CaptureFixture[str], tmp_path: Path, shape: tuple[int, int]) -> None:
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), np.full((*shape, 3), 70, np.uint8))
    status, (reading,), _ = run(capsys, path)
    assert status == 1
    assert reading["problems"] == ["no_dice"]


def test_the_same_run_twice_gives_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (run(capsys, FIVE, COCKED)[1] for _ in range(2))
    for reading in [*first, *second]:
        reading.pop("ms")
    assert first == second


def test_the_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(GOOD), str(COCKED), str(EMPTY)]) == 1
    good, cocked, empty = capsys.readouterr().out.splitlines()
    assert good.startswith(str(GOOD))
    assert "read: 5 4" in good
    assert "not read: a die leans" in cocked
    assert "not read: no dice seen" in empty
    assert good.index("read:") == cocked.index("not read:")


def test_annotated_pictures_and_stages(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    twin = tmp_path / "twin"
    twin.mkdir()
    (twin / GOOD.name).write_bytes(GOOD.read_bytes())
    out, stages = tmp_path / "new" / "out", tmp_path / "stages"
    status, _, err = run(
        capsys, "--annotate", out, "--explain", stages, GOOD, COCKED, twin / GOOD.name
    )
    assert (status, err) == (1, "")
    assert len(list(out.iterdir())) == 3
    assert len(list(stages.iterdir())) == 3
    drawn = cv2.imread(str(out / GOOD.name))
    before = cv2.imread(str(GOOD))
    assert drawn.shape == before.shape
    assert (np.abs(drawn.astype(int) - before).max(axis=2) > 100).sum() > 200


def test_annotating_never_overwrites_the_picture(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / GOOD.name
    path.write_bytes(GOOD.read_bytes())
    run(capsys, "--annotate", tmp_path, path)
    assert path.read_bytes() == GOOD.read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


def test_a_folder_that_can_not_be_made(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    status, readings, err = run(capsys, "--annotate", tmp_path / "file" / "out", GOOD)
    assert status == 2
    assert readings == []
    assert len(err.splitlines()) == 1
    assert str(tmp_path / "file") in err


@pytest.mark.skipif(sys.platform != "linux", reason="other systems forbid such names")
def test_strange_names(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    names = ["зар.jpg", "with space.jpg", "new\nline.jpg", os.fsdecode(b"\xff\xfe.jpg")]
    for name in names:
        (tmp_path / name).write_bytes(GOOD.read_bytes())
    status, readings, _ = run(capsys, *(tmp_path / name for name in names))
    assert status == 0
    assert [r["file"] for r in readings] == [str(tmp_path / name) for name in names]
    assert main(["read", *(str(tmp_path / name) for name in names)]) == 0
