"""The geometric opinion, on drawn faces: every face, rotation, polarity and size."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from vision.pips import read_pips
from vision.reading import FACES

_SPEC = importlib.util.spec_from_file_location(
    "faces_drawn", Path(__file__).with_name("faces_drawn.py")
)
assert _SPEC is not None
assert _SPEC.loader is not None
drawn = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(drawn)

INKS = {
    "black on ivory": ((200, 225, 235), (20, 20, 20)),
    "white on red": ((30, 20, 180), (240, 240, 240)),
    "red on black": ((25, 25, 25), (40, 30, 190)),
    "red on white": ((235, 238, 240), (30, 20, 180)),
    "white on pink": ((160, 130, 235), (250, 250, 250)),
    "gold on green": ((40, 70, 20), (110, 210, 240)),
    "blue on white": ((230, 235, 235), (130, 40, 10)),
}


def one(image, quad):
    return read_pips(image, quad[None])[0]


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("value", FACES)
def test_every_face_every_colour_every_turn(value: int, ink: str) -> None:
    body, pip = INKS[ink]
    for turn in range(0, 360, 15):
        image = drawn.blank()
        quad = drawn.square((80.3, 79.6), 46, turn)
        drawn.draw_die(image, quad, value, body=body, pip=pip)
        reading = one(drawn.noisy(cv2.GaussianBlur(image, (0, 0), 0.8), 3, turn), quad)
        assert reading.value == value, turn
        assert reading.confidence > 0.8, turn
        assert reading.light == (sum(pip) > sum(body)), turn


@settings(max_examples=250, deadline=None, derandomize=True)
@given(
    value=st.sampled_from(FACES),
    turn=st.floats(0, 360),
    edge=st.floats(22, 150),
    radius=st.floats(0.085, 0.125),
    spacing=st.floats(0.215, 0.275),
    corner_errors=st.lists(st.floats(-0.04, 0.04), min_size=8, max_size=8),
    dark=st.booleans(),
    seed=st.integers(0, 2**16),
)
def test_errors_of_corners_size_and_layout(
    value: int,
    turn: float,
    edge: float,
    radius: float,
    spacing: float,
    corner_errors: list[float],
    dark: bool,
    seed: int,
) -> None:
    assume(spacing > 2 * radius + 0.02)  # else the pips of a six would touch
    body, pip = INKS["black on ivory" if dark else "white on red"]
    side = int(edge * 2.2)
    image = drawn.blank(side, side)
    quad = drawn.square((side / 2, side / 2), edge, turn)
    drawn.draw_die(image, quad, value, body=body, pip=pip, radius=radius, spacing=spacing)
    errors = np.array(corner_errors, np.float32).reshape(4, 2) * edge
    assert one(drawn.noisy(image, 3, seed), quad + errors).value == value


@pytest.mark.parametrize("value", FACES)
def test_perspective(value: int) -> None:
    image = drawn.blank()
    quad = np.array([[50, 40], [110, 48], [118, 108], [44, 112]], np.float32)
    drawn.draw_die(image, quad, value)
    reading = one(image, quad)
    assert reading.value == value
    matrix = cv2.getPerspectiveTransform(
        np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32) * 2, quad
    )
    places = np.array(drawn.PLACES[value], np.float32).reshape(-1, 1, 2)
    expected = cv2.perspectiveTransform(places, matrix).reshape(-1, 2)
    found = np.array(reading.pips)
    distance = np.linalg.norm(expected[:, None] - found[None], axis=2).min(axis=1)
    assert distance.max() < 5  # pixels, of a pip with a radius of 6


@pytest.mark.parametrize("value", FACES)
def test_any_turn_needs_no_rotation(value: int) -> None:
    for turn in range(-40, 45, 10):
        image = drawn.blank()
        drawn.draw_die(image, drawn.square((80, 80), 60, turn), value)
        upright = drawn.square((80, 80), 60, 0)
        assert read_pips(image, upright[None], any_turn=True)[0].value == value, turn


def test_large_one_of_asian_dice() -> None:
    image = drawn.blank()
    quad = drawn.square((80, 80), 48, 20)
    drawn.draw_die(image, quad, 1, pip=(30, 20, 180), radius=0.2)
    reading = one(image, quad)
    assert reading.value == 1
    assert reading.confidence > 0.8


def test_a_bare_face_is_not_sure() -> None:
    for seed in range(20):
        image = drawn.blank()
        quad = drawn.square((80, 80), 46, seed * 7)
        cv2.fillConvexPoly(image, quad.astype(np.int32), (230, 235, 235))
        assert one(drawn.noisy(image, 4, seed), quad).confidence < 0.5, seed


@pytest.mark.parametrize(("value", "rival"), [(5, 4), (4, 2), (6, 4), (3, 2), (2, 1)])
def test_a_lost_pip_costs_the_confidence(value: int, rival: int) -> None:
    """A pip under a highlight must not turn a face into another one that is sure of itself."""
    image = drawn.blank()
    quad = drawn.square((80, 80), 60, 0)
    body, pip = (200, 225, 235), (20, 20, 20)
    drawn.draw_die(image, quad, value, body=body, pip=pip)
    whole = one(image, quad)
    lost = next(p for p in drawn.PLACES[value] if p not in drawn.PLACES[rival])
    at = (round(80 + lost[0] * 15), round(80 + lost[1] * 15))
    cv2.circle(image, at, 9, (255, 255, 255), -1, cv2.LINE_AA)
    reading = one(image, quad)
    assert reading.confidence < whole.confidence
    if reading.value != value:
        assert reading.confidence < 0.9


def test_a_streak_is_no_pip() -> None:
    image = drawn.blank()
    quad = drawn.square((80, 80), 60, 0)
    drawn.draw_die(image, quad, 2)
    cv2.line(image, (60, 98), (100, 62), (20, 20, 20), 3, cv2.LINE_AA)
    reading = one(image, quad)
    assert reading.value == 2 or reading.confidence < 0.1


def test_many_faces_at_once_and_none() -> None:
    image = drawn.blank(400, 80)
    quads = []
    for value in FACES:
        quad = drawn.square((60 * value - 20, 40), 40, 11 * value)
        drawn.draw_die(image, quad, value)
        quads.append(quad)
    assert [r.value for r in read_pips(image, np.stack(quads))] == list(FACES)
    assert read_pips(image, np.empty((0, 4, 2), np.float32)) == []


def test_faces_over_the_edge_of_the_picture_and_degenerate_ones() -> None:
    image = drawn.blank()
    wild = np.stack(
        [
            drawn.square((-500, -500), 40),
            drawn.square((159, 80), 40, 45),
            np.zeros((4, 2), np.float32),
            drawn.square((80, 80), 5000),
        ]
    )
    readings = read_pips(image, wild)
    assert len(readings) == 4
    assert all(0 <= r.confidence <= 1 for r in readings)
