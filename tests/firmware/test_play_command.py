"""`dicetable play`: what it does before the first picture."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from display.window import WindowError
from firmware.commands import play
from firmware.options import Config


def options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    play.add_arguments(parser)
    return parser.parse_args(words)


def no_screen(monkeypatch: pytest.MonkeyPatch, driver: str, *, service: bool) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SDL_VIDEODRIVER", driver)
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere" if service else "")


def test_a_service_without_a_screen_ends_and_is_started_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    no_screen(monkeypatch, "kmsdrm", service=True)
    with pytest.raises(WindowError, match="no screen"):
        play._window(options(), Config())


@pytest.mark.parametrize(("driver", "service"), [("dummy", True), ("kmsdrm", False)])
def test_without_a_screen_it_draws_into_memory(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    driver: str,
    service: bool,
) -> None:
    no_screen(monkeypatch, driver, service=service)
    with play._window(options(), Config()) as window:
        assert not window.visible
    assert "No screen" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--camera", "nonsense"), "no camera is called 'nonsense'"),
        (("--camera", "recording:/nowhere"), "/nowhere: there is no such folder"),
        (("--players", "A,B"), "--players needs --game"),
        (("--size", "big"), "give width and height"),
        (("--game", "barbudi", "--players", "A"), "2 to 12 players"),
    ],
)
def test_what_can_not_be_played_is_said_in_a_line(
    words: tuple[str, ...],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    given = ("--panel", "keyboard", "--camera", "simulated", "--state", str(tmp_path))
    assert play.run(options(*given, *words)) == 2
    error = capsys.readouterr().err
    assert says in error
    assert "Traceback" not in error
