"""QR codes that hold a text itself, so that a phone needs no network."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import segno

Matrix = tuple[tuple[int, ...], ...]

QUIET: Final = 4
"""White modules round a code."""


@lru_cache(maxsize=16)
def make(text: str) -> Matrix | None:
    """The modules of a code, 1 for dark, without its quiet border; None: too long for any code.

    The text is UTF-8. The level of error correction is the highest for which the code need not
    grow: on a screen and on paper nothing covers a part of it, small modules cost more than
    they save.
    """
    try:
        code = segno.make(text, error="L", mode="byte", encoding="utf-8", micro=False)
    except segno.DataOverflowError:
        return None
    return tuple(tuple(1 if dark else 0 for dark in row) for row in code.matrix)


def module(matrix: Matrix, pixels: int) -> int:
    """How many whole pixels a module can have where the code with its border has `pixels`."""
    return pixels // (len(matrix) + 2 * QUIET)


def best(texts: Sequence[str], pixels: int, wanted: int, least: int) -> tuple[str, Matrix] | None:
    """The first text whose code has modules of `wanted` pixels; else the last with `least`.

    `texts`: the fullest first. None when not even the last one fits.
    """
    for text in texts:
        matrix = make(text)
        if matrix is not None and module(matrix, pixels) >= wanted:
            return text, matrix
    matrix = make(texts[-1]) if texts else None
    if matrix is None or module(matrix, pixels) < least:
        return None
    return texts[-1], matrix
