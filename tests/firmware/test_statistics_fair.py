"""Are the dice fair? The test, and that it does not cry wolf however often one looks."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from display import fair
from display.view import DiceFigures
from display.words import Words
from firmware.statistics_fair import FEWEST, LEVEL, chance_of, chi_square, judge
from firmware.statistics_pages import shown_dice

QUANTILES = {1.6103: 0.9, 4.3515: 0.5, 9.2364: 0.1, 11.0705: 0.05, 15.0863: 0.01, 20.5150: 0.001}
"""Of the chi-square distribution with five degrees of freedom, from printed tables."""


@pytest.mark.parametrize(("x", "p"), QUANTILES.items())
def test_the_tail_of_chi_square_agrees_with_the_tables(x: float, p: float) -> None:
    assert chance_of(x) == pytest.approx(p, rel=1e-4)


@given(st.lists(st.integers(0, 500), min_size=6, max_size=6))
@settings(max_examples=100, deadline=None)
def test_chi_square_knows_no_order_of_faces_and_grows_with_the_size(counts: list[int]) -> None:
    x = chi_square(counts)
    assert x == pytest.approx(chi_square(counts[::-1]))
    assert chi_square([3 * one for one in counts]) == pytest.approx(3 * x)
    assert 0 <= chance_of(x) <= 1 + 1e-12


def worst(rng: np.random.Generator, dice: int) -> float:
    """The largest chi-square that somebody sees who looks after every single die."""
    thrown = rng.integers(0, 6, dice)
    squares = np.zeros(dice)
    for face in range(6):
        squares += np.cumsum(thrown == face).astype(np.float64) ** 2
    number = np.arange(1, dice + 1)
    return float((6 * squares / number - number)[FEWEST - 1 :].max())


def test_who_looks_after_every_die_seldom_hears_wolf() -> None:
    """400 tables with fair dice, 10,000 dice each, looked at after every one of them.

    At a level of 1 in 1,000 some three in a hundred would be called unusual; at the level that is
    used fewer than one.
    """
    rng = np.random.default_rng(11)
    seen = [chance_of(worst(rng, 10_000)) for _ in range(400)]
    assert sum(chance < 0.001 for chance in seen) >= 6
    assert sum(chance < 1 / LEVEL for chance in seen) <= 4


def test_one_look_at_fair_dice_is_hardly_ever_unusual() -> None:
    chance = random.Random(7)
    called = 0
    for _ in range(1000):
        counts = Counter(chance.choices(range(6), k=120))
        called += judge([counts[face] for face in range(6)]).unusual
    assert called <= 1


def test_a_loaded_die_is_found_and_few_dice_say_nothing() -> None:
    assert judge((100, 100, 100, 100, 100, 190)).unusual
    few = judge((0, 0, 0, 0, 0, FEWEST - 1))
    assert few.few
    assert not few.unusual
    assert not judge((205, 210, 204, 207, 206, 208)).unusual


def test_more_sets_share_the_level() -> None:
    counts = (100, 100, 100, 100, 100, 162)
    assert judge(counts).unusual
    assert not judge(counts, sets=20).unusual


@pytest.mark.parametrize(
    ("faces", "verdict", "measured"),
    [
        ((3, 0, 2, 4, 1, 1), "Only 11 dice so far: too few to say anything.", ""),
        (
            (205, 210, 204, 207, 206, 208),
            "Nothing unusual in 1240 dice thrown.",
            "Chi-square 0.1: of 100 fair sets 100 look at least as uneven.",
        ),
        (
            (150, 195, 214, 201, 223, 257),
            "Unusual in 1240 dice thrown: look at these dice.",
            "Chi-square 30.2: fewer than 1 fair set in 10\u202f000 looks so uneven.",
        ),
        (
            (160, 195, 214, 201, 223, 247),
            "Nothing unusual in 1240 dice thrown.",
            "Chi-square 20.8: of 1119 fair sets one looks as uneven. With so many looks that "
            "happens.",
        ),
    ],
)
def test_the_words(faces: tuple[int, ...], verdict: str, measured: str) -> None:
    dice = shown_dice("red", faces, 1)
    words = Words("en")
    assert fair.verdict(words, dice) == verdict
    assert fair.measured(words, dice) == measured
    assert "1 in 10\u202f000" in fair.level(words, dice)


def test_dice_without_a_name_are_told_so() -> None:
    assert fair.name(Words("nb"), DiceFigures((1,) * 6)) == "Terninger uten navn"
    assert fair.name(Words("nb"), DiceFigures((1,) * 6, "rød")) == "rød"
