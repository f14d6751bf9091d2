"""Thumbnails of every golden view, compared with those that were looked at and found good.

After a change that is meant: `python tests/display/test_golden.py` writes them anew; look at the
picture before it is committed.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np
import numpy.typing as npt
import pygame
import pytest

from display.stage import draw
from display.window import save
from tests.display.views import VIEWS

SHEET = Path(__file__).with_name("golden.png")
SIZE = (1024, 600)
SMALL = (64, 38)
ACROSS = 8
TOLERANCE = 3.0
"""Mean difference of a thumbnail's channels, of 255; another version of the font renderer stays
below, a panel that is missing or a text elsewhere does not."""

NAMES = [name for name in VIEWS if not name.startswith("rules_")]


def thumbnail(name: str) -> pygame.Surface:
    surface = pygame.Surface(SIZE)
    draw(surface, VIEWS[name](), 0.0)
    return pygame.transform.smoothscale(surface, SMALL)


def place(name: str) -> pygame.Rect:
    row, column = divmod(NAMES.index(name), ACROSS)
    return pygame.Rect((column * SMALL[0], row * SMALL[1]), SMALL)


def pixels(surface: pygame.Surface) -> npt.NDArray[np.int16]:
    return pygame.surfarray.array3d(surface).astype(np.int16)


def difference(one: pygame.Surface, other: pygame.Surface) -> float:
    return float(np.abs(pixels(one) - pixels(other)).mean())


@pytest.fixture(scope="module")
def sheet() -> pygame.Surface:
    return pygame.image.load(SHEET)


@pytest.mark.parametrize("name", NAMES)
def test_looks_as_it_did_when_it_was_found_good(name: str, sheet: pygame.Surface) -> None:
    assert sheet.get_rect().contains(place(name)), "a new view: write the thumbnails anew"
    assert difference(thumbnail(name), sheet.subsurface(place(name))) < TOLERANCE


def test_the_comparison_sees_a_difference(sheet: pygame.Surface) -> None:
    """Views of one game that differ by a dialog or a bet are further apart than the tolerance."""
    for one, other in (("balut_enter", "balut_strike"), ("throw_read", "throw_void")):
        apart = difference(sheet.subsurface(place(one)), sheet.subsurface(place(other)))
        assert apart > TOLERANCE


def main() -> int:
    height = -(-len(NAMES) // ACROSS) * SMALL[1]
    sheet = pygame.Surface((ACROSS * SMALL[0], height))
    for name in NAMES:
        sheet.blit(thumbnail(name), place(name))
    save(sheet, SHEET)
    return 0


if __name__ == "__main__":
    sys.exit(main())
