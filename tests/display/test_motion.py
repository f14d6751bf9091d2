"""Things on their way: where they are, when they arrive, what is forgotten."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from display.motion import DURATION, Motion
from display.party import FALL, ROLL
from display.stage import PATIENCE, Stage, draw
from display.view import Buttons, View
from firmware.rules.acts import Bank, Cover, Stake, Throw
from firmware.rules.barbudi import Barbudi
from firmware.rules.barbut_bg import BarbutBg
from tests.display.views import NAMES, VIEWS, of_game


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


def test_dice_roll_in_and_then_lie_still() -> None:
    stage = Stage(pygame.Surface((800, 480)))
    view = VIEWS["attract"]()
    assert stage.draw(view, 0.0)
    for now in (0.2, 0.5, ROLL + 0.01):
        assert stage.draw(view, now)
    assert not stage.draw(view, ROLL + 0.02)
    rolled = pygame.image.tobytes(stage.surface, "RGB")
    plain = pygame.Surface((800, 480))
    draw(plain, view, 0.0)
    assert rolled == pygame.image.tobytes(plain, "RGB"), "they come to lie where they belong"
    assert stage.draw(replace(view, page=3), 9.0)
    assert stage.drawn is not None
    assert stage.drawn.moving


def test_a_winner_is_celebrated_for_a_second_and_can_be_left_at_once() -> None:
    stage = Stage(pygame.Surface((800, 480)))
    view = VIEWS["result_one"]()
    stage.draw(view, 0.0)
    assert stage.drawn is not None
    assert any(name == "button:confirm" for _, name in stage.drawn.targets)
    stage.draw(view, 0.3)
    paper = pygame.image.tobytes(stage.surface, "RGB")
    stage.draw(view, FALL + 0.01)
    assert pygame.image.tobytes(stage.surface, "RGB") != paper
    assert not stage.draw(view, FALL + 0.02)


def test_only_a_wait_that_lasts_is_shown_and_it_runs_to_and_fro() -> None:
    stage = Stage(pygame.Surface((800, 480)))
    view = VIEWS["balut_enter"]()
    waits = replace(view, progress=0.0)
    stage.draw(view, 0.0)
    assert not stage.draw(waits, 1.0)
    assert not stage.draw(waits, 1.0 + PATIENCE - 0.01)
    pictures = []
    for now in (1.5, 1.7):
        assert stage.draw(waits, now)
        pictures.append(pygame.image.tobytes(stage.surface, "RGB"))
    assert pictures[0] != pictures[1]
    assert stage.draw(view, 1.8)
    assert not stage.draw(view, 1.9)
    assert not stage.draw(waits, 2.0), "the next wait begins anew"


def test_points_grow_on_their_way_to_the_target() -> None:
    stage = Stage(pygame.Surface((800, 480)))
    game = BarbutBg(NAMES, turn="Ola", totals={"Ola": 1000}, opened={"Ola": True})
    game.push(Throw("Ola", (6, 6, 1)))
    stage.draw(of_game(game, Buttons()), 0.0)
    game.push(Bank("Ola"))
    assert stage.draw(of_game(game, Buttons()), 5.0)
    assert stage.drawn is not None
    assert stage.drawn.moving
