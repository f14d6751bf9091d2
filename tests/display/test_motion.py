"""Things on their way: where they are, when they arrive, what is forgotten."""

from __future__ import annotations

import pygame
import pytest

from display.motion import DURATION, Motion
from display.stage import Stage
from display.view import Buttons, View
from firmware.rules.acts import Cover, Stake, Throw
from firmware.rules.barbudi import Barbudi
from tests.display.views import NAMES, of_game


def test_a_thing_stands_where_it_belongs_until_that_changes() -> None:
    motion = Motion()
    assert motion.at("pot", (0, 0), 0.0) == ((0, 0), False)
    assert motion.at("pot", (0, 0), 5.0) == ((0, 0), False)
    assert motion.at("pot", (100, 40), 6.0) == ((0, 0), True)
    (x, y), moving = motion.at("pot", (100, 40), 6.0 + DURATION / 2)
    assert moving
    assert 50 < x < 100
    assert y == pytest.approx(0.4 * x)
    assert motion.at("pot", (100, 40), 6.01 + DURATION) == ((100, 40), False)


def test_a_new_thing_comes_from_its_start() -> None:
    assert Motion().at("bet", (10, 10), 0.0, start=(0, 0)) == ((0, 0), True)


def test_turning_round_on_the_way_starts_from_there() -> None:
    motion = Motion()
    motion.at("role", (0.0, 0.0), 0.0)
    motion.at("role", (100.0, 0.0), 0.0)
    there, _ = motion.at("role", (100.0, 0.0), DURATION / 3)
    assert motion.at("role", (0.0, 0.0), DURATION / 3) == (there, True)


def test_what_is_not_shown_is_forgotten_but_not_by_another_screen() -> None:
    motion = Motion()
    motion.at("a", (0, 0), 0.0)
    motion.end_picture()
    motion.end_picture()  # another screen: nothing of the kind on it
    assert motion.at("a", (9, 9), 1.0) == ((0, 0), True)
    motion.end_picture()
    motion.at("b", (0, 0), 1.0)
    motion.end_picture()
    assert motion.at("a", (5, 5), 2.0) == ((5, 5), False)


def test_a_round_moves_for_a_moment_and_then_rests() -> None:
    stage = Stage(pygame.Surface((800, 480)))
    game = Barbudi(NAMES, thrower="Kari")

    def shown(now: float) -> bool:
        return stage.draw(show(game), now)

    assert shown(0.0)
    assert not shown(0.1)
    for i, act in enumerate((Stake("Ola", 5), Cover("Kari", 5), Throw("Kari", (4, 4)))):
        began = 10.0 * (i + 1)
        game.push(act)
        assert shown(began)
        assert stage.drawn is not None
        assert stage.drawn.moving
        assert shown(began + DURATION / 2)
        assert shown(began + DURATION + 0.01)
        assert not stage.drawn.moving
        assert not shown(began + DURATION + 0.02)


def show(game: Barbudi) -> View:
    return of_game(game, Buttons())
