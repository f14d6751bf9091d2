"""Every scene at every size: all of it is there, none of it is cut, and it can be read."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pygame
import pytest

from display import catalogue
from display.motion import DURATION
from display.stage import BY_STATE, WITH_PICTURE, Stage, draw
from display.theme import MIN_PIXELS
from display.view import Buttons, Scene, View
from tests.display.contact_sheet import SIZES
from tests.display.views import VIEWS

LANGUAGES = tuple(catalogue.LANGUAGES)


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def surface(request: pytest.FixtureRequest) -> pygame.Surface:
    return pygame.Surface(request.param)


@pytest.mark.parametrize(
    ("name", "language"),
    [
        (name, language)
        for name in VIEWS
        for language in LANGUAGES
        if language == "en" or not name.startswith("rules_")  # test_rules_scene.py turns all pages
    ],
)
def test_nothing_is_cut_or_overlaps(surface: pygame.Surface, name: str, language: str) -> None:
    drawn = draw(surface, replace(VIEWS[name](), language=language), 0.0)
    account = drawn.account
    assert account.texts, "a scene says something"
    assert not account.overflows
    assert account.smallest >= MIN_PIXELS
    boxes = [pygame.Rect(text.rect) for text in account.texts if text.text.strip()]
    outside = [
        text.text
        for text in account.texts
        if text.text.strip() and not surface.get_rect().contains(text.rect)
    ]
    assert not outside
    # The line box is a little higher than its ink: two lines may share that much air.
    tight = [box.inflate(-2, -round(box.height * 0.3)) for box in boxes]
    clashes = [
        (account.texts[i].text, account.texts[j].text)
        for i, j in combinations(range(len(tight)), 2)
        if tight[i].colliderect(tight[j])
    ]
    assert not clashes


def test_every_scene_and_every_game_has_a_golden_view() -> None:
    shown = {view().scene for view in VIEWS.values()}
    assert shown == set(Scene)
    states = {type(view().state).__name__ for view in VIEWS.values() if view().state is not None}
    assert states == set(BY_STATE)


@pytest.mark.parametrize("name", VIEWS)
def test_a_picture_depends_on_the_view_alone(name: str) -> None:
    pictures = []
    for _ in range(2):
        surface = pygame.Surface((800, 480))
        surface.fill((250, 0, 250))  # whatever stood there before must be gone
        draw(surface, VIEWS[name](), 0.0)
        pictures.append(pygame.image.tobytes(surface, "RGB"))
        pygame.draw.rect(surface, (1, 2, 3), (0, 0, 100, 100))
    assert pictures[0] == pictures[1]


def test_only_lit_buttons_can_be_touched() -> None:
    surface = pygame.Surface((1024, 600))
    for make in VIEWS.values():
        view = make()
        names = {name for _, name in draw(surface, view, 0.0).targets if name.startswith("button:")}
        lit = {
            f"button:{key}"
            for key in ("confirm", "back", "left", "right")
            if getattr(view.buttons, key)
        }
        assert names == lit


def test_nothing_is_drawn_again_while_nothing_changes() -> None:
    stage = Stage(pygame.Surface((800, 480)))
    view = VIEWS["barbudi_throw"]()
    assert stage.draw(view, 0.0)
    assert stage.draw(view, DURATION)  # the chips have arrived
    assert not stage.draw(replace(view), 1.0)
    assert stage.draw(replace(view, cursor=1), 2.0)
    assert stage.draw(replace(view, buttons=Buttons()), 3.0)


def test_the_camera_alone_redraws_only_screens_that_show_its_picture() -> None:
    surface = pygame.Surface((800, 480))
    for name, make in VIEWS.items():
        stage = Stage(surface)
        view = replace(make(), picture=VIEWS["throw_read"]().picture)
        for now in (0.0, 9.0):
            stage.draw(view, now)
        before = pygame.image.tobytes(surface, "RGB")
        other = replace(view, picture=VIEWS["throw_five"]().picture, picture_number=5)
        again = stage.draw(other, 9.0)
        assert again == (view.scene in WITH_PICTURE)
        draw(surface, other, 9.0)
        changed = pygame.image.tobytes(surface, "RGB") != before
        assert again or not changed, f"{name} shows the picture"


def test_a_scene_that_fails_becomes_a_fault_and_no_black_screen() -> None:
    stage = Stage(pygame.Surface((800, 480)))
    broken = View(Scene.GAME, game="barbudi", state=VIEWS["balut_enter"]().state, amount=None)
    broken = replace(broken, prompt=VIEWS["barbudi_stake"]().prompt, kept=(True,), cursor=0)
    object.__setattr__(broken, "state", _Impossible())
    assert stage.draw(broken, 0.0)
    assert stage.drawn is not None
    texts = " ".join(text.text for text in stage.drawn.account.texts)
    assert "could not be drawn" in texts


class _Impossible:
    phase = "throw"
    seats = ()
    events = ()


_Impossible.__name__ = "BarbudiState"
