"""Every golden view in every language and size, compared with pictures that were found good.

The pictures are kept small: a screen is divided into blocks, and the mean brightness of each is
remembered (`golden/*.npz`). Letters that another font renderer draws a little otherwise stay below
the tolerance; an icon, a number or a word that is missing does not. Tests below prove both.

After a change that is meant: look at the contact sheets, then
`python tests/display/test_golden.py` writes the pictures anew.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np
import numpy.typing as npt
import pygame
import pytest

from display import canvas, catalogue, sprites
from display import widgets as w
from display.canvas import Canvas
from display.stage import draw
from display.theme import Colour
from tests.display.contact_sheet import SIZES
from tests.display.views import VIEWS

FOLDER = Path(__file__).with_name("golden")
BLOCKS = 46
"""So many blocks lie along the longer edge."""
TOLERANCE = 5.0
"""How far 2 x 2 blocks may be from what they were, of 255. Measured at 1024x600: text drawn softer
stays below 3.3, all text a pixel lower below 4.3, the faintest number that is missing makes 6."""
NAMES = [name for name in VIEWS if not name.startswith("rules_")]

Print = npt.NDArray[np.uint8]
"""The mean brightness of the blocks of a picture, rows by columns."""


def print_of(name: str, size: tuple[int, int], language: str = "en", theme: str = "dark") -> Print:
    surface = pygame.Surface(size)
    draw(surface, replace(VIEWS[name](), language=language, theme=theme), 0.0)
    return blocks(surface)


def blocks(surface: pygame.Surface) -> Print:
    picture = pygame.surfarray.array3d(surface).astype(np.float32) @ np.float32([0.3, 0.59, 0.11])
    side = max(picture.shape) // BLOCKS
    across, down = (length // side for length in picture.shape)
    cut = picture[: across * side, : down * side].reshape(across, side, down, side)
    means: npt.NDArray[np.float32] = cut.mean((1, 3)).T
    return means.round().astype(np.uint8)


def difference(one: Print, other: Print) -> float:
    """The largest difference of any 2 x 2 blocks."""
    if one.shape != other.shape:
        return 255.0
    apart = one.astype(np.float32) - other.astype(np.float32)
    quads = apart[1:, 1:] + apart[1:, :-1] + apart[:-1, 1:] + apart[:-1, :-1]
    return float(np.abs(quads).max() / 4)


def path(size: tuple[int, int], language: str) -> Path:
    return FOLDER / f"{size[0]}x{size[1]}-{language}.npz"


@cache
def golden(size: tuple[int, int], language: str) -> dict[str, Print]:
    with np.load(path(size, language)) as file:
        return dict(file)


@pytest.mark.parametrize("language", catalogue.LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_everything_looks_as_it_did_when_it_was_found_good(
    size: tuple[int, int], language: str
) -> None:
    good = golden(size, language)
    assert set(NAMES) == set(good), "views came or went: write the pictures anew"
    apart = {name: difference(print_of(name, size, language), good[name]) for name in NAMES}
    other = {name: round(far, 1) for name, far in apart.items() if far > TOLERANCE}
    assert not other, "look at these, then write the pictures anew"


@contextmanager
def planted(owner: object, name: str, fault: Callable[..., object]) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, fault)
        yield


def _nothing(*args: object, **more: object) -> None:
    pass


FAULTS: dict[str, tuple[object, str, str]] = {
    "icons": (w, "icon", "throw_problem"),
    "chips": (w, "chips", "barbudi_throw"),
    "the buttons' strips and rims": (Canvas, "box", "menu"),
    "points of a polygon": (Canvas, "polygon", "balut_choice"),
    "lines": (Canvas, "line", "balut_enter"),
    "discs": (Canvas, "disc", "balut_choice"),
}
"""What is left out, and the view that must notice."""


@pytest.mark.parametrize("missing", FAULTS)
def test_a_missing_element_is_noticed(missing: str) -> None:
    owner, attribute, name = FAULTS[missing]
    with planted(owner, attribute, _nothing):
        found = print_of(name, (1024, 600))
    assert difference(found, golden((1024, 600), "en")[name]) > TOLERANCE


def without_text(name: str, number: int) -> Print:
    """The view with one of its texts left out."""
    real, count = Canvas._put, iter(range(10_000))

    def put(self: Canvas, lines: list[str], *args: Any) -> pygame.Rect:
        return real(self, [""] * len(lines) if next(count) == number else lines, *args)

    with planted(Canvas, "_put", put):
        return print_of(name, (1024, 600))


@pytest.mark.parametrize("name", ["throw_read", "barbudi_stake", "balut_enter", "seats_names"])
def test_any_word_or_number_that_is_missing_is_noticed(name: str) -> None:
    texts = draw(pygame.Surface((1024, 600)), VIEWS[name](), 0.0).account.texts
    good = golden((1024, 600), "en")[name]
    for number, text in enumerate(texts):
        far = difference(without_text(name, number), good)
        assert far > TOLERANCE, f"{text.text!r} is missing and nobody notices"


def test_a_pip_that_is_missing_is_noticed() -> None:
    pips = {**sprites.PIPS, 5: sprites.PIPS[4]}
    sprites.die.cache_clear()
    with planted(sprites, "PIPS", pips):
        found = print_of("throw_read", (1024, 600))
    sprites.die.cache_clear()
    assert difference(found, golden((1024, 600), "en")["throw_read"]) > TOLERANCE


def softer(picture: pygame.Surface) -> pygame.Surface:
    """Half a pixel aside and blurred, as without hinting."""
    width, height = picture.get_size()
    big = pygame.transform.smoothscale(picture, (width * 2, height * 2))
    part = big.subsurface((1, 0, width * 2 - 1, height * 2)) if width else big
    return pygame.transform.smoothscale(part, (width, height))


def lower(picture: pygame.Surface) -> pygame.Surface:
    """A pixel lower, as with another line height."""
    moved = pygame.Surface(picture.get_size(), pygame.SRCALPHA)
    moved.blit(picture, (0, 1))
    return moved


@pytest.mark.parametrize("change", [softer, lower])
def test_another_rendering_of_the_letters_is_not_noticed(
    change: Callable[[pygame.Surface], pygame.Surface],
) -> None:
    real = canvas._rendered

    def rendered(text: str, pixels: int, bold: bool, colour: Colour) -> pygame.Surface:
        return change(real(text, pixels, bold, colour))

    good = golden((1024, 600), "en")
    with planted(canvas, "_rendered", rendered):
        far = {name: difference(print_of(name, (1024, 600)), good[name]) for name in NAMES}
    assert {name: apart for name, apart in far.items() if apart > TOLERANCE} == {}


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    for size in SIZES:
        for language in catalogue.LANGUAGES:
            found = {name: print_of(name, size, language) for name in NAMES}
            np.savez_compressed(path(size, language), **found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
