"""`dicetable sheets`: the sheets to print for a table, as PDF at true scale.

* `markers.pdf`: four markers for the corners of the tray's rim, by which the camera finds the tray;
* `card.pdf`: a card to lay in the tray while it is calibrated: chessboard with markers, greys,
  red and blue, a ruler;
* `labels.pdf`: labels for the four buttons in four languages.

Measures are those of `hardware/parameters.scad`; everything is drawn as vectors, in millimetres.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.markers import (
    BOARD,
    BOARD_MARKER_MM,
    CORNERS,
    MARKER_MM,
    PATCHES,
    RIM_MM,
    SQUARE_MM,
    board,
    dictionary,
    patches,
)

if TYPE_CHECKING:
    from fpdf import FPDF

HELP = "make the printed sheets as PDF"

CARD_EDGE_MM = 9.0
"""White left and right of the chessboard: the card is narrower than the tray."""
LABEL_MM = (52.0, 14.0)
"""A button's label; its seat in the console is 0.6 mm larger."""
LABELS = {
    "en": ("Back", "Left", "Right", "Confirm"),
    "nb": ("Tilbake", "Venstre", "Høyre", "Bekreft"),
    "bg": ("Назад", "Наляво", "Надясно", "Потвърди"),
    "ru": ("Назад", "Влево", "Вправо", "Подтвердить"),
}
"""Words on the buttons from left to right."""
COLOURS = ((216, 67, 63), (201, 154, 18), (47, 127, 214), (47, 158, 88))
"""Of the buttons from left to right, as on the screen."""

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in millimetres, upright."""
MARGIN = 12.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("folder", type=Path, metavar="OUTDIR", help="where the PDFs go")
    parser.add_argument("--paper", choices=tuple(PAPERS), default="a4", help="default: a4")


def run(args: argparse.Namespace) -> int:
    """Write the sheets; 0, or 2 with one line on stderr."""
    try:
        sheets = (
            ("markers.pdf", markers_sheet(args.paper)),
            ("card.pdf", card_sheet(args.paper)),
            ("labels.pdf", labels_sheet(args.paper)),
        )
        args.folder.mkdir(parents=True, exist_ok=True)
        for name, pdf in sheets:
            pdf.output(str(args.folder / name))
            print(args.folder / name)
    except ImportError:
        print(
            "dicetable sheets: fpdf2 is not installed: pip install 'dicetable[sheets]'",
            file=sys.stderr,
        )
        return 2
    except OSError as error:
        print(f"dicetable sheets: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    print("Print them at 100 %, without 'fit to page', and measure the ruler on each sheet.")
    return 0


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page, and the few things that are drawn on it; lengths in millimetres."""

    pdf: FPDF

    def text(self, x: float, y: float, words: str, size: float = 10, grey: int = 0) -> None:
        """A line of text that begins at x on the base line y; `size` in points."""
        self.pdf.set_font("DejaVu", size=size)
        self.pdf.set_text_color(grey)
        self.pdf.text(x, y, words)

    def square(
        self, x: float, y: float, w: float, h: float, colour: int | tuple[int, int, int]
    ) -> None:
        """A filled rectangle without an edge; `colour` is a grey, or red, green and blue."""
        self.pdf.set_fill_color(*((colour,) if isinstance(colour, int) else colour))
        self.pdf.rect(x, y, w, h, style="F")

    def cut(self, x: float, y: float, w: float, h: float) -> None:
        """A thin line to cut along."""
        self.pdf.set_draw_color(170)
        self.pdf.set_line_width(0.1)
        self.pdf.rect(x, y, w, h)

    def marker(self, number: int, x: float, y: float, side: float) -> None:
        """A marker with its black edge; the white round it is the paper."""
        cells = cv2.aruco.generateImageMarker(dictionary(), number, 6)
        cell = side / 6
        self.square(x, y, side, side, 0)
        for row, start, stop in _runs(np.asarray(cells) > 127):
            self.square(x + start * cell, y + row * cell, (stop - start) * cell, cell, 255)

    def ruler(self, x: float, y: float, length: int) -> None:
        """A ruler of `length` millimetres with the words how to check the print."""
        self.pdf.set_draw_color(0)
        self.pdf.set_line_width(0.15)
        self.pdf.line(x, y, x + length, y)
        for mm in range(length + 1):
            self.pdf.line(x + mm, y, x + mm, y - (5 if mm % 10 == 0 else 3 if mm % 5 == 0 else 2))
        for mm in range(0, length + 1, 10):
            self.text(x + mm - 1.2, y + 3.6, str(mm), size=6)
        self.text(
            x, y + 8.5, f"This ruler must be {length} mm long. If it is not, print at 100 %.", 7
        )


def _runs(white: np.ndarray) -> Iterator[tuple[int, int, int]]:
    """Row, first and one past the last of each run of white cells."""
    for row, cells in enumerate(white):
        steps = np.flatnonzero(np.diff(np.concatenate(([0], cells.astype(np.int8), [0]))))
        for start, stop in zip(steps[::2], steps[1::2], strict=True):
            yield row, int(start), int(stop)


def _sheet(paper: str, title: str, *, landscape: bool = False) -> Sheet:
    from fpdf import FPDF

    pdf = FPDF(orientation="L" if landscape else "P", unit="mm", format=PAPERS[paper])
    pdf.set_creation_date(datetime(2026, 1, 1, tzinfo=UTC))  # the same sheet is the same file
    pdf.set_title(title)
    pdf.set_auto_page_break(False)
    font = resources.files("display") / "fonts" / "DejaVuSans.ttf"
    with resources.as_file(font) as path:
        pdf.add_font("DejaVu", fname=str(path))
    pdf.add_page()
    return Sheet(pdf)


def markers_sheet(paper: str) -> FPDF:
    """Two sets of the rim's markers, and where each of them goes."""
    sheet = _sheet(paper, "dicetable: rim markers")
    sheet.text(MARGIN, 20, "Rim markers", 16)
    for line, words in enumerate(
        (
            "Print on matt white paper or label film; gloss reflects light. Cut along the lines.",
            "Glue each marker flat on the rim's corner of the same number, this way up as seen",
            "from the player's side. The second set is for the day when the first one is worn.",
        )
    ):
        sheet.text(MARGIN, 29 + 5 * line, words, 9)
    for row in range(2):
        for number, corner in enumerate(CORNERS):
            x, y = MARGIN + number * 46, 52 + row * 34
            edge = (RIM_MM - MARKER_MM) / 2
            sheet.cut(x, y, RIM_MM, RIM_MM)
            sheet.marker(number, x + edge, y + edge, MARKER_MM)
            sheet.text(x, y + RIM_MM + 5, f"{number}  {corner}", 8)
    _plan(sheet, MARGIN + 40, 128)
    sheet.ruler(MARGIN, 262, 150)
    return sheet.pdf


def _plan(sheet: Sheet, x: float, y: float) -> None:
    """The tray from above, small, with the markers' numbers."""
    size, rim = 100.0, 9.0
    sheet.square(x, y, size, size, 215)
    sheet.square(x + rim, y + rim, size - 2 * rim, size - 2 * rim, 245)
    sheet.square(x + rim, y + size - rim - 16, size - 2 * rim, 1, 150)
    sheet.text(x + 38, y + 46, "the tray", 9, 90)
    sheet.text(x + 38, y + size - rim - 5, "keep rail", 8, 90)
    sheet.text(x + 28, y + size + 8, "player and buttons", 9, 90)
    places = ((0.0, 0.0), (size - rim, 0.0), (size - rim, size - rim), (0.0, size - rim))
    for number, (dx, dy) in enumerate(places):
        sheet.square(x + dx + 1, y + dy + 1, rim - 2, rim - 2, 255)
        sheet.text(x + dx + 3.4, y + dy + 6.2, str(number), 10)


def card_sheet(paper: str) -> FPDF:
    """The calibration card: chessboard, greys, red and blue, ruler."""
    sheet = _sheet(paper, "dicetable: calibration card", landscape=True)
    height, width = PAPERS[paper]
    left = (width - BOARD[0] * SQUARE_MM) / 2
    top = 10.0
    for row in range(BOARD[1]):
        for column in range(BOARD[0]):
            if (row + column) % 2 == 0:
                x, y = left + column * SQUARE_MM, top + row * SQUARE_MM
                sheet.square(x, y, SQUARE_MM, SQUARE_MM, 0)
    for number, corners in zip(
        np.asarray(board().getIds()).ravel(), board().getObjPoints(), strict=True
    ):
        x, y = np.asarray(corners)[0, :2]
        sheet.marker(int(number), left + float(x), top + float(y), BOARD_MARKER_MM)
    bottom = top + BOARD[1] * SQUARE_MM
    sheet.ruler(left, bottom + 9, 150)
    for (x, y, wide, high), colour in zip(patches(), PATCHES, strict=True):
        sheet.square(left + x, top + y, wide, high, colour)
    sheet.text(left + 165, bottom + 17.5, "Lay flat in the empty tray, this text towards you.", 7)
    sheet.text(
        left + 165, bottom + 21, "Print in colour; nothing but the felt may lie under it.", 7
    )
    sheet.cut(left + 165, bottom + 3, 70, 10)
    for x in (left - CARD_EDGE_MM, left + BOARD[0] * SQUARE_MM + CARD_EDGE_MM):
        sheet.cut(x, 6, 0, height - 12)
    sheet.text(left, height - 5.5, "dicetable: cut both sides off along the grey lines", 6, 120)
    return sheet.pdf


def labels_sheet(paper: str) -> FPDF:
    """The buttons' labels in every language, as far apart as the page allows."""
    sheet = _sheet(paper, "dicetable: button labels")
    pdf = sheet.pdf
    sheet.text(MARGIN, 20, "Button labels", 16)
    sheet.text(MARGIN, 28, "Cut along the grey lines; they fit the seats below the buttons.", 9)
    wide, high = LABEL_MM
    y = 36.0
    block = min(2 * high + 20, (256 - y) / len(LABELS))
    gap = (block - 2 * high) * 0.3
    for words in LABELS.values():
        for column, (word, colour) in enumerate(zip(words, COLOURS, strict=True)):
            # Two rows of two, so that four labels fit across neither paper's width.
            x = MARGIN + (column % 2) * (wide + 34)
            top = y + (column // 2) * (high + gap)
            sheet.cut(x, top, wide, high)
            pdf.set_fill_color(*colour)
            pdf.rect(x + 1.5, top + 1.5, 3, high - 3, style="F")
            pdf.set_font("DejaVu", size=_fit(pdf, word, wide - 9))
            pdf.set_text_color(0)
            pdf.text(x + 4.5 + (wide - 4.5 - pdf.get_string_width(word)) / 2, top + 9, word)
        y += block
    sheet.ruler(MARGIN, 262, 150)
    return pdf


def _fit(pdf: FPDF, word: str, room: float, largest: float = 17) -> float:
    """The size in points at which a word fits the room in millimetres."""
    pdf.set_font("DejaVu", size=largest)
    return min(largest, largest * room / pdf.get_string_width(word))
