"""QR codes that hold a text itself, so that a phone needs no network."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import segno

Matrix = tuple[tuple[int, ...], ...]

QUIET: Final = 4
"""White modules round a code."""


LEVELS: Final = ("M", "L")
"""Of error correction, the better one first. M mends what a lamp's glare on the screen hides, and
was read more often than L at the same size of module (README, "What one takes home")."""


@lru_cache(maxsize=32)
def make(text: str, level: str = LEVELS[0]) -> Matrix | None:
    """The modules of a code, 1 for dark, without its quiet border; None: too long for any code.

    The text is UTF-8. The level of error correction is at least `level`, and the highest for which
    the code need not grow.
    """
    try:
        code = segno.make(text, error=level, mode="byte", encoding="utf-8", micro=False)
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
    tries = [(text, wanted) for text in texts] + [(text, least) for text in texts[-1:]]
    for text, need in tries:
        for level in LEVELS:
            matrix = make(text, level)
            if matrix is not None and module(matrix, pixels) >= need:
                return text, matrix
    return None
