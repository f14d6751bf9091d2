"""A printed page: paper, type, tables, dice and codes, drawn as vectors in millimetres.

The same page becomes a PDF (fpdf2) or, drawn by PDFium, a picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import cv2

if TYPE_CHECKING:
    from fpdf import FPDF

Colour = tuple[int, int, int]

INK: Colour = (33, 28, 24)
SOFT: Colour = (122, 112, 101)
LINE: Colour = (206, 197, 184)
STRIPE: Colour = (248, 244, 236)
FELT: Colour = (20, 74, 58)
BRASS: Colour = (176, 128, 48)
GOOD: Colour = (20, 110, 66)
BAD: Colour = (168, 48, 36)
PAPER: Colour = (255, 255, 255)

A4 = (210.0, 297.0)
"""Width and height in millimetres, upright."""
MARGIN = 14.0
POINT = 25.4 / 72
"""Millimetres."""
PICTURE_DPI = 200
SMALLEST = 4.8
"""Points; a name that is still too wide is cut."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    head: str
    width: float
    align: str = "R"
    """`L`, `C` or `R`."""
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A text of a table with a colour of its own."""

    text: str
    colour: Colour = INK
    bold: bool = False


class Paper:
    """Pages of one size; `top` is the next free millimetre."""

    def __init__(self, title: str, made: datetime, *, landscape: bool = False) -> None:
        """`made`: the time that stands in the file; the same content is the same file."""
        from fpdf import FPDF

        self.pdf: FPDF = FPDF(orientation="L" if landscape else "P", unit="mm", format=A4)
        self.pdf.set_title(title)
        self.pdf.set_creator("dicetable")
        self.pdf.set_creation_date(made.astimezone(UTC))
        self.pdf.set_auto_page_break(False)
        for style, name in (("", "DejaVuSans.ttf"), ("B", "DejaVuSans-Bold.ttf")):
            with resources.as_file(resources.files("display") / "fonts" / name) as path:
                self.pdf.add_font("DejaVu", style, str(path))
        self.width, self.height = A4[::-1] if landscape else A4
        self.top = MARGIN
        self.pdf.add_page()

    @property
    def inner(self) -> float:
        """Width between the margins."""
        return self.width - 2 * MARGIN

    def new_page(self) -> None:
        """Begin another page."""
        self.pdf.add_page()
        self.top = MARGIN

    # -- things on the page

    def text(
        self,
        x: float,
        y: float,
        width: float,
        text: str,
        size: float = 10,
        *,
        colour: Colour = INK,
        bold: bool = False,
        align: str = "L",
    ) -> float:
        """A line of text on the base line `y` within a width, smaller where it must be.

        A text that is still too wide ends with an ellipsis. Returns the width of what was written.
        """
        pdf = self.pdf
        style = "B" if bold else ""
        pdf.set_font("DejaVu", style, size)
        wide = pdf.get_string_width(text)
        if wide > width:
            size = max(SMALLEST, size * width / wide * 0.995)
            pdf.set_font("DejaVu", style, size)
            while text and pdf.get_string_width(text) > width:
                text = text[:-2].rstrip() + "…" if len(text) > 1 else ""
            wide = pdf.get_string_width(text)
        pdf.set_text_color(*colour)
        pdf.text(x + {"L": 0.0, "C": (width - wide) / 2, "R": width - wide}[align], y, text)
        return float(wide)

    def wide(self, text: str, size: float, *, bold: bool = False) -> float:
        """Width of a text in millimetres."""
        self.pdf.set_font("DejaVu", "B" if bold else "", size)
        return float(self.pdf.get_string_width(text))

    def lines(self, text: str, width: float, size: float) -> list[str]:
        """A text broken into lines of a width."""
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and self.wide(longer, size) > width:
                lines.append(word)
            else:
                lines[-1] = longer
        return lines

    def box(
        self, x: float, y: float, width: float, height: float, colour: Colour, radius: float = 0
    ) -> None:
        """A filled box, with round corners or not."""
        self.pdf.set_fill_color(*colour)
        round_corners = radius > 0
        self.pdf.rect(
            x, y, width, height, style="F", round_corners=round_corners, corner_radius=radius
        )

    def frame(self, x: float, y: float, width: float, height: float, radius: float = 2.5) -> None:
        """A thin line round a box."""
        self.pdf.set_draw_color(*LINE)
        self.pdf.set_line_width(0.25)
        self.pdf.rect(x, y, width, height, round_corners=True, corner_radius=radius)

    def rule(
        self, x: float, y: float, width: float, colour: Colour = LINE, thick: float = 0.2
    ) -> None:
        """A line across."""
        self.pdf.set_draw_color(*colour)
        self.pdf.set_line_width(thick)
        self.pdf.line(x, y, x + width, y)

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """A filled circle round (x, y)."""
        self.pdf.set_fill_color(*colour)
        self.pdf.ellipse(x - radius, y - radius, 2 * radius, 2 * radius, style="F")

    def die(self, x: float, y: float, size: float, face: int, colour: Colour = FELT) -> None:
        """A die, its corner at (x, y)."""
        from display.sprites import PIPS  # needs pygame, which a sheet otherwise does not

        self.box(x, y, size, size, colour, size * 0.2)
        for dx, dy in PIPS[face]:
            spot = (x + size / 2 + dx * size * 0.27, y + size / 2 + dy * size * 0.27)
            self.disc(*spot, size * 0.095, PAPER)

    def code(self, x: float, y: float, size: float, matrix: Sequence[Sequence[int]]) -> None:
        """A QR code without its quiet border: rows of 1 (dark) and 0."""
        one = size / len(matrix)
        self.pdf.set_fill_color(*INK)
        for i, row in enumerate(matrix):
            start = 0
            while start < len(row):
                stop = start
                while stop < len(row) and row[stop]:
                    stop += 1
                if stop > start:
                    # A hair higher than the row: no white lines between them on a printer.
                    place = (x + start * one, y + i * one, (stop - start) * one, one * 1.01)
                    self.pdf.rect(*place, style="F")
                start = stop + 1

    # -- tables

    def table(
        self,
        columns: Sequence[Column],
        rows: Sequence[Sequence[str | Cell]],
        *,
        high: float = 5.2,
        size: float = 8,
        bottom: float = MARGIN,
        foot: float = MARGIN,
    ) -> None:
        """A table from `top` down; goes on overleaf, with its head, where the page ends.

        `bottom`: millimetres that stay free on every page; `foot`: on the last one.
        """
        wide = sum(one.width for one in columns)
        done = 0
        for many in self._shares(len(rows), high, bottom, foot):
            if done:
                self.new_page()
            self._head(columns, high, size)
            for i, row in enumerate(rows[done : done + many]):
                if i % 2:
                    self.box(MARGIN, self.top, wide, high, STRIPE)
                self._row(columns, row, high, size)
            done += many
        self.rule(MARGIN, self.top, wide, FELT, 0.4)

    def _shares(self, rows: int, high: float, bottom: float, foot: float) -> list[int]:
        """How many rows go on each page."""

        def room(top: float, below: float) -> int:
            return max(1, int((self.height - top - below - high - 0.4) / high))

        shares: list[int] = []
        top = self.top
        while rows > room(top, foot):
            # Some rows stay for the last page: a head and a foot alone look lost.
            shares.append(max(1, min(room(top, bottom), rows - 3)))
            rows -= shares[-1]
            top = MARGIN
        return [*shares, rows]

    def _row(
        self, columns: Sequence[Column], row: Sequence[str | Cell], high: float, size: float
    ) -> None:
        x = MARGIN
        base = self.top + high * 0.5 + size * POINT * 0.36
        for column, cell in zip(columns, row, strict=True):
            one = cell if isinstance(cell, Cell) else Cell(cell)
            self.text(
                x + 0.8, base, column.width - 1.6, one.text, size,
                colour=one.colour, bold=one.bold or column.bold, align=column.align,
            )  # fmt: skip
            x += column.width
        self.top += high

    def _head(self, columns: Sequence[Column], high: float, size: float) -> None:
        x = MARGIN
        base = self.top + high * 0.68
        for column in columns:
            lines = [column.head]
            if self.wide(column.head, size, bold=True) > column.width - 1.6:
                lines = self.lines(column.head, column.width - 1.6, size * 0.85)[:2]
            small = size if len(lines) == 1 else size * 0.85
            for i, line in enumerate(lines):
                y = base + (i - (len(lines) - 1) * 0.75) * small * POINT * 1.15
                self.text(
                    x + 0.8, y, column.width - 1.6, line, small,
                    colour=SOFT, bold=True, align=column.align,
                )  # fmt: skip
            x += column.width
        self.top += high + 0.4
        self.rule(MARGIN, self.top - 0.2, x - MARGIN, FELT, 0.4)

    # -- out

    def pdf_bytes(self) -> bytes:
        """The PDF."""
        return bytes(self.pdf.output())

    def png_bytes(self, dpi: int = PICTURE_DPI) -> list[bytes]:
        """Every page as a picture."""
        import pypdfium2

        document = pypdfium2.PdfDocument(self.pdf_bytes())
        try:
            pages = [page.render(scale=dpi / 72).to_numpy()[:, :, :3] for page in document]
        finally:
            document.close()
        smaller = [cv2.IMWRITE_PNG_COMPRESSION, 7]
        return [cv2.imencode(".png", page, smaller)[1].tobytes() for page in pages]

    def files(self, path: Path, *, pdf: bool) -> dict[Path, bytes]:
        """What is to be written as `path`: one PDF, or a picture of every page.

        The second page of pictures is NAME-2.png, and so on.
        """
        if pdf:
            return {path: self.pdf_bytes()}
        return {
            path if number == 1 else path.with_stem(f"{path.stem}-{number}"): page
            for number, page in enumerate(self.png_bytes(), 1)
        }
