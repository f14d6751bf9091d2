"""`dicetable sheets`: the PDFs are looked at as a printer would print them, and measured."""

from __future__ import annotations

import argparse
import builtins
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from display.catalogue import LANGUAGES
from firmware.commands import sheets
from firmware.pins import WIRING

pytest.importorskip("fpdf", reason="fpdf2 is not installed")

DPI = 150
PX_PER_MM = DPI / 25.4


@pytest.fixture(scope="module", params=["a4", "letter"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The three sheets on one kind of paper."""
    path = tmp_path_factory.mktemp(request.param)
    assert sheets.run(argparse.Namespace(folder=path / "new", paper=request.param)) == 0
    return path / "new"


def page(folder: Path, name: str) -> np.ndarray:
    """A sheet's one page in grey at DPI."""
    if shutil.which("pdftoppm") is None:
        pytest.skip("pdftoppm (poppler-utils) is not installed")
    command = ["pdftoppm", "-r", str(DPI), "-gray", "-singlefile", folder / f"{name}.pdf"]
    pdf = subprocess.run(command, check=True, capture_output=True).stdout
    picture = cv2.imdecode(np.frombuffer(pdf, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    return picture


def test_rim_markers_have_their_size_and_their_number(folder: Path) -> None:
    picture = page(folder, "markers")
    detector = cv2.aruco.ArucoDetector(sheets.dictionary())
    corners, ids, _ = detector.detectMarkers(picture)
    assert ids is not None
    assert sorted(ids.ravel().tolist()) == [0, 0, 1, 1, 2, 2, 3, 3]
    for quad in corners:
        points = np.asarray(quad).reshape(4, 2)
        sides = np.linalg.norm(points - np.roll(points, 1, axis=0), axis=1) / PX_PER_MM
        assert sides == pytest.approx([sheets.MARKER_MM] * 4, abs=0.25)
        # Not turned: the first corner is the one at the top left.
        assert points[0].tolist() == pytest.approx(points.min(axis=0).tolist(), abs=1)


def test_the_card_is_a_board_at_true_scale(folder: Path) -> None:
    picture = page(folder, "card")
    corners, ids, marker_corners, _ = cv2.aruco.CharucoDetector(sheets.board()).detectBoard(picture)
    assert len(marker_corners) == sheets.BOARD[0] * sheets.BOARD[1] // 2
    columns, rows = sheets.BOARD[0] - 1, sheets.BOARD[1] - 1
    assert ids is not None
    assert len(ids) == columns * rows
    grid = np.asarray(corners).reshape(rows, columns, 2) / PX_PER_MM
    assert np.abs(np.diff(grid[:, :, 0], axis=1) - sheets.SQUARE_MM).max() < 0.2
    assert np.abs(np.diff(grid[:, :, 1], axis=0) - sheets.SQUARE_MM).max() < 0.2


def test_the_card_fits_into_the_tray_and_its_markers_are_not_the_rim_s(folder: Path) -> None:
    assert sheets.BOARD[0] * sheets.SQUARE_MM + 2 * sheets.CARD_EDGE_MM < 280
    assert set(np.asarray(sheets.board().getIds()).ravel().tolist()).isdisjoint(range(4))


@pytest.mark.parametrize("name", ["markers", "labels", "card"])
def test_the_ruler_is_150_mm_long(folder: Path, name: str) -> None:
    dark = page(folder, name) < 128
    longest = 0
    for row in dark:
        edges = np.flatnonzero(np.diff(np.concatenate(([0], row.astype(np.int8), [0]))))
        longest = max(longest, int((edges[1::2] - edges[::2]).max(initial=0)))
    assert longest / PX_PER_MM == pytest.approx(150, abs=0.4)


@pytest.mark.parametrize("name", ["markers", "labels", "card"])
def test_nothing_comes_near_the_edge_of_the_paper(folder: Path, name: str) -> None:
    picture = page(folder, name)
    edge = round(4 * PX_PER_MM) - 2  # what common printers leave white
    inner = picture.copy()
    inner[edge:-edge, edge:-edge] = 255
    assert inner.min() == 255


def test_labels_are_four_buttons_in_every_language() -> None:
    buttons = [wire.option for wire in WIRING if "button, to ground" in wire.use]
    assert set(sheets.LABELS) == set(LANGUAGES) >= {"en", "nb", "bg", "ru"}
    for words in sheets.LABELS.values():
        assert len(set(words)) == len(buttons) == len(sheets.COLOURS)


def test_the_same_sheets_are_the_same_files(folder: Path, tmp_path: Path) -> None:
    paper = "letter" if "letter" in str(folder) else "a4"
    sheets.run(argparse.Namespace(folder=tmp_path, paper=paper))
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (folder / path.name).read_bytes()


def test_a_folder_that_can_not_be_made_gives_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert sheets.run(argparse.Namespace(folder=tmp_path / "file", paper="a4")) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_without_the_pdf_library_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    real = builtins.__import__

    def without(name: str, *args: object, **kwargs: object) -> object:
        if name == "fpdf":
            raise ImportError(name)
        return real(name, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    assert sheets.run(argparse.Namespace(folder=tmp_path, paper="a4")) == 2
    assert "pip install 'dicetable[sheets]'" in capsys.readouterr().err
