"""What is drawn on a picture."""

from __future__ import annotations

import numpy as np
import pytest

from vision.annotate import WORDS, annotate, contact_sheet, verdict
from vision.reading import Die, Problem, Reading

SQUARE = ((40.0, 40.0), (80.0, 40.0), (80.0, 80.0), (40.0, 80.0))
GREEN, RED = (80, 220, 60), (40, 60, 240)


def reading(value: int | None, problem: Problem | None = None) -> Reading:
    die = Die(value, 0.9, (60.0, 60.0), SQUARE, problem=problem)
    return Reading((die,), (problem,) if problem else (), (200, 150))


def picture(width: int = 200, height: int = 150) -> np.ndarray:
    return np.full((height, width, 3), 100, np.uint8)


def has(image: np.ndarray, colour: tuple[int, int, int]) -> bool:
    return bool((np.abs(image.astype(int) - colour).max(axis=2) < 70).any())


def test_the_picture_itself_is_left_alone() -> None:
    image = picture()
    annotate(image, reading(5))
    assert (image == 100).all()


def test_read_is_green_and_refused_is_red() -> None:
    read = annotate(picture(), reading(5))
    refused = annotate(picture(), reading(None, Problem.COCKED))
    assert has(read, GREEN)
    assert not has(read, RED)
    assert has(refused, RED)
    assert not has(refused, GREEN)


def test_the_outline_lies_on_the_edges_of_the_face() -> None:
    changed = (annotate(picture(), reading(5)) != 100).any(axis=2)
    assert changed[40, 45:75].all()
    assert changed[45:75, 80].all()
    assert not changed[50:70, 50:70].any(), "the pips stay to be seen"


@pytest.mark.parametrize("size", [(1, 1), (3, 900), (900, 3), (20, 20), (4000, 3000)])
def test_any_size(size: tuple[int, int]) -> None:
    image = picture(*size)
    assert annotate(image, reading(6)).shape == image.shape


def test_every_problem_has_words() -> None:
    assert set(WORDS) == set(Problem)
    assert verdict(reading(5)) == "read: 5"
    assert verdict(reading(None, Problem.HAND)) == "not read: a hand or a cup is in the way"


def test_contact_sheet() -> None:
    entries = [("one", picture(), reading(5)), ("two", picture(90, 300), reading(2))]
    sheet = contact_sheet([*entries, entries[0], entries[1]], columns=3)
    one_row = contact_sheet(entries, columns=3)
    assert sheet.shape[0] == 2 * one_row.shape[0]
    assert sheet.shape[1] == one_row.shape[1]
    assert contact_sheet([]).size > 0
