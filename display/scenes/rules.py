"""The rules of a game, from the judge's own tables, in the language of the screen.

The sections flow into pages, as many as they need; left and right turn them. The type is as large
as it can be without one more page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from display import widgets as w
from display.canvas import Canvas, Rect, wrap
from display.theme import BODY, LARGE, SMALL
from display.view import View
from display.words import Words
from firmware.rules.text import Section, Table, rules_text

GAP = 12
"""Design units between two paragraphs; twice that before a heading."""
COLUMN_GAP = 18
LARGEST = BODY + 6
"""Design units of the type, at most; BODY at least."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What is never torn apart by the end of a page: a heading, a paragraph, a row of a table."""

    cells: tuple[str, ...]
    """One for a paragraph."""
    widths: tuple[int, ...]
    height: int
    gap: int
    """Pixels above it, unless it is the first of a page."""
    size: float
    """Of the type, in design units."""
    kind: str = "text"
    """`title`, `text`, `head` (of a table) or `row`."""
    head: Piece | None = None
    """The head of the table of a row, repeated where a page begins with that row."""


@lru_cache(maxsize=8)
def sections(game: str, rules: Any, language: str) -> tuple[Section, ...]:
    """The text: `rules` are the house rules that are played, None: the defaults."""
    return rules_text(game, rules, Words(language))


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw the page `view.page`; after the last one the first one comes again."""
    body = w.panel(c, room).inflate(-c.px(16), 0)
    text = sections(view.game, getattr(view.state, "rules", None), words.language)
    body, foot = w.take_bottom(body, c.height(SMALL))
    pages = flow(c, text, body)
    page = view.page % len(pages)
    c.text(f"{page + 1} / {len(pages)}", foot, SMALL, c.theme.soft, align="right")
    top = body.top
    for i, piece in enumerate(pages[page]):
        top += piece.gap if i else 0
        _put(c, piece, Rect(body.left, top, body.width, piece.height))
        top += piece.height


def flow(c: Canvas, text: Sequence[Section], body: Rect) -> list[list[Piece]]:
    """The pieces of every page."""
    pages = _flow(c, text, body, BODY)
    for size in range(BODY + 1, LARGEST + 1):
        larger = _flow(c, text, body, size)
        if len(larger) > len(pages) or any(height(page) > body.height for page in larger):
            break
        pages = larger
    return pages


def height(page: Sequence[Piece]) -> int:
    """Pixels that the pieces of a page take."""
    return sum(one.height for one in page) + sum(one.gap for one in page[1:])


def _flow(c: Canvas, text: Sequence[Section], body: Rect, size: float) -> list[list[Piece]]:
    """A section begins a new page rather than be torn apart."""
    pages: list[list[Piece]] = [[]]
    for section in text:
        pieces = list(_pieces(c, section, body.width, size))
        if pages[-1] and height([*pages[-1], *pieces]) > body.height:
            pages.append([])
        for i, piece in enumerate(pieces):
            # A title or a head of a table stays with what follows it.
            unit = pieces[i : i + 2] if piece.kind in ("title", "head") else [piece]
            if pages[-1] and height([*pages[-1], *unit]) > body.height:
                pages.append([piece.head] if piece.head is not None else [])
            pages[-1].append(piece)
    return pages


def _pieces(c: Canvas, section: Section, width: int, size: float) -> Iterator[Piece]:
    gap = c.px(GAP)
    title = size + LARGE - BODY
    yield Piece((section.title,), (width,), c.height(title, bold=True), 2 * gap, title, "title")
    for part in section.body:
        if isinstance(part, Table):
            yield from _table(c, part, width, size)
        else:
            yield Piece((part,), (width,), _lines(c, part, width, size), gap, size)


def _table(c: Canvas, table: Table, width: int, size: float) -> Iterator[Piece]:
    table = _folded(c, table, width, size)
    widths = tuple(_columns(c, table, width, size))

    def piece(cells: tuple[str, ...], above: int, kind: str, head: Piece | None = None) -> Piece:
        high = max(_lines(c, cell, wide, size) for cell, wide in zip(cells, widths, strict=True))
        return Piece(cells, widths, high, above, size, kind, head)

    head = piece(table.head, c.px(GAP), "head")
    yield head
    for row in table.rows:
        yield piece(row, c.px(5), "row", head)


def _lines(c: Canvas, text: str, width: int, size: float) -> int:
    """Height of a text in lines of a width."""
    return c.height(size) * len(wrap(text, width, c.pixels(size)))


def _wants(c: Canvas, table: Table, size: float) -> list[int]:
    """How wide each column would be on one line."""
    cells = zip(table.head, *table.rows, strict=True)
    return [max(c.width(cell, size) for cell in column) + 2 for column in cells]


def _folded(c: Canvas, table: Table, width: int, size: float) -> Table:
    """A long narrow table as two halves side by side."""
    wide = 2 * sum(_wants(c, table, size)) + (2 * len(table.head) - 1) * c.px(COLUMN_GAP)
    if len(table.rows) < 8 or wide > width:
        return table
    half = -(-len(table.rows) // 2)
    right = [*table.rows[half:], *[("",) * len(table.head)] * (2 * half - len(table.rows))]
    rows = tuple((*one, *other) for one, other in zip(table.rows[:half], right, strict=True))
    return Table(table.head * 2, rows)


def _columns(c: Canvas, table: Table, width: int, size: float) -> list[int]:
    """Widths of the columns: their whole text where it fits, else none narrower than a word."""
    wants = _wants(c, table, size)
    room = width - c.px(COLUMN_GAP) * (len(wants) - 1)
    if sum(wants) <= room:
        return wants
    least = [
        max(c.width(word, size) for cell in column for word in cell.split()) + 2
        for column in zip(table.head, *table.rows, strict=True)
    ]
    share = (room - sum(least)) / max(1, sum(wants) - sum(least))
    return [low + int((want - low) * share) for low, want in zip(least, wants, strict=True)]


def _put(c: Canvas, piece: Piece, rect: Rect) -> None:
    if piece.kind == "title":
        c.text(piece.cells[0], rect, piece.size, c.theme.accent, bold=True)
        return
    left = rect.left
    colour = c.theme.soft if piece.kind == "head" else c.theme.ink
    for cell, wide in zip(piece.cells, piece.widths, strict=True):
        c.paragraph(cell, Rect(left, rect.top, wide, rect.height), piece.size, colour)
        left += wide + c.px(COLUMN_GAP)
    if piece.kind == "head":
        c.surface.fill(c.theme.line, (rect.left, rect.bottom, rect.width, max(1, c.px(1))))
