"""The window: drivers, rotation, touch, keys, pictures; all on SDL's dummy driver."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from display.window import ROTATIONS, Key, KeyUp, Quit, Touch, Window, WindowError, drivers


@pytest.fixture
def window() -> Iterator[Window]:
    with Window((320, 200), headless=True) as opened:
        yield opened


@pytest.mark.parametrize(
    ("environ", "platform", "expected"),
    [
        ({}, "linux", ("kmsdrm", "dummy")),
        ({"DISPLAY": ":0"}, "linux", ("", "dummy")),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", ("wayland", "dummy")),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, "linux", ("", "dummy")),
        ({"SDL_VIDEODRIVER": "KMSDRM", "DISPLAY": ":0"}, "linux", ("kmsdrm", "dummy")),
        ({"SDL_VIDEODRIVER": "dummy"}, "linux", ("dummy",)),
        ({}, "darwin", ("", "dummy")),
    ],
)
def test_order_of_drivers(
    environ: dict[str, str], platform: str, expected: tuple[str, ...]
) -> None:
    assert drivers(environ, platform) == expected


def test_no_screen_falls_back_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "no_such_driver")
    with Window((320, 200)) as window:
        assert window.driver == "dummy"
        assert not window.visible
        assert "no_such_driver" in window.reason


def test_a_desktop_that_does_not_answer_is_no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", ":4711")
    with Window((320, 200), fullscreen=True) as window:
        assert (window.driver, window.visible, window.size) == ("dummy", False, (320, 200))
        assert window.reason


def test_asking_for_no_screen_needs_no_reason(window: Window) -> None:
    assert (window.driver, window.visible, window.reason) == ("dummy", False, "")


def test_the_environment_is_left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    with Window((32, 20), headless=True):
        import os

        assert "SDL_VIDEODRIVER" not in os.environ


@pytest.mark.parametrize("rotation", ROTATIONS)
def test_what_is_touched_is_what_is_seen(rotation: int) -> None:
    """A mark drawn anywhere on the surface is under the finger that points at it on the screen."""
    with Window((60, 40), headless=True, rotation=rotation) as window:
        assert window.size == (60, 40)
        assert pygame.display.get_window_size() == ((40, 60) if rotation in (90, 270) else (60, 40))
        for spot in ((0, 0), (59, 0), (7, 31), (59, 39)):
            window.surface.fill("black")
            window.surface.set_at(spot, "white")
            window.show()
            screen = pygame.display.get_surface()
            assert screen is not None
            lit = [
                (x, y)
                for x in range(screen.get_width())
                for y in range(screen.get_height())
                if screen.get_at((x, y))[0] == 255
            ]
            assert len(lit) == 1
            pygame.event.clear()
            pygame.event.post(
                pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=lit[0], touch=False)
            )
            assert window.events() == [Touch(*spot)]


def test_it_can_be_turned_while_it_is_open() -> None:
    with Window((60, 40), headless=True) as window:
        for rotation in (90, 180, 270, 0, 270):
            window.turn(rotation)
            assert window.size == (60, 40)
            assert window.surface.get_size() == window.size
            spot = (window.size[0] - 1, 0)
            window.surface.fill("black")
            window.surface.set_at(spot, "white")
            window.show()
            pygame.event.clear()
            screen = pygame.display.get_surface()
            assert screen is not None
            width, height = screen.get_size()
            (lit,) = [
                (x, y) for x in range(width) for y in range(height) if screen.get_at((x, y))[0]
            ]
            pygame.event.post(
                pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=lit, touch=False)
            )
            assert window.events() == [Touch(*spot)]
        with pytest.raises(WindowError):
            window.turn(45)


def test_quarter_turn_is_clockwise() -> None:
    with Window((60, 40), headless=True, rotation=90) as window:
        window.surface.set_at((0, 0), "white")
        window.show()
        screen = pygame.display.get_surface()
        assert screen is not None
        assert screen.get_at((39, 0))[:3] == (255, 255, 255)


def test_events(window: Window) -> None:
    pygame.event.clear()
    for event in (
        pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RETURN, unicode="\r"),
        pygame.event.Event(pygame.KEYDOWN, key=pygame.K_a, unicode="å"),
        pygame.event.Event(pygame.KEYUP, key=pygame.K_RETURN),
        pygame.event.Event(pygame.FINGERDOWN, x=0.5, y=0.25),
        pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(9, 9), touch=True),
        pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=3, pos=(9, 9), touch=False),
        pygame.event.Event(pygame.MOUSEMOTION, pos=(1, 1), rel=(0, 0), buttons=(0, 0, 0)),
        pygame.event.Event(pygame.QUIT),
    ):
        pygame.event.post(event)
    assert window.events(wait=0.001) == [
        Key("return"),
        Key("a", "å"),
        KeyUp("return"),
        Touch(160, 50),
        Quit(),
    ]


def test_a_wake_ends_the_sleep_and_is_no_event(window: Window) -> None:
    pygame.event.clear()
    thread = threading.Timer(0.0, window.wake)
    thread.start()
    began = time.perf_counter()
    assert window.events(wait=20.0) == []
    assert time.perf_counter() - began < 10
    thread.join()


def test_screenshot(window: Window, tmp_path: Path) -> None:
    window.surface.fill((10, 20, 30))
    path = tmp_path / "new" / "picture.png"
    window.screenshot(path)
    assert pygame.image.load(path).get_at((5, 5))[:3] == (10, 20, 30)


def test_a_picture_that_can_not_be_written_is_one_sentence(window: Window, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(WindowError, match=r"the picture .* can not be written"):
        window.screenshot(tmp_path / "file" / "picture.png")


@pytest.mark.parametrize("bad", [{"rotation": 45}, {"size": (0, 5)}])
def test_impossible_windows_are_refused(bad: dict[str, object]) -> None:
    with pytest.raises(WindowError):
        Window(headless=True, **bad)  # type: ignore[arg-type]
