"""Starts that fail in a row lead to a screen that says why; one good start forgets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from display.stage import Stage
from display.view import Action, Scene, View
from display.window import Key, KeyUp, Quit, Window
from firmware.buttons import Button
from firmware.cli import main
from firmware.clock import FakeClock
from firmware.commands import play
from firmware.config import Problem
from firmware.dialogs import Item
from firmware.health import Level
from firmware.startup import (
    FILE_NAME,
    GOOD_AFTER,
    SILENT,
    TRIES,
    Diagnosis,
    Startup,
    Told,
    findings,
)
from firmware.statedir import InUseError, NotWritableError


class CrashError(Exception):
    """A start that fails."""


def fail(folder: Path, times: int, error: Exception | None = None) -> None:
    for _ in range(times):
        with pytest.raises(CrashError), Startup(folder, FakeClock()):
            raise error or CrashError("the camera is of an unknown kind")


def killed(folder: Path) -> None:
    """As a crash of the interpreter, or a kill, leaves it: nothing was tidied up."""
    Startup(folder, FakeClock()).__enter__()


def asked(folder: Path) -> tuple[int, str]:
    """Failed starts so far, and why, without adding one."""
    start = Startup(folder, FakeClock())
    with start:
        start.alive()
    return start.failed, start.reason


def test_five_failures_in_a_row_make_a_safe_start(tmp_path: Path) -> None:
    for number in range(TRIES):
        assert asked(tmp_path)[0] == number
        fail(tmp_path, 1, CrashError("no pins"))
    with Startup(tmp_path, FakeClock()) as start:
        assert (start.failed, start.safe, start.reason) == (TRIES, True, "no pins")


def test_a_kill_counts_like_a_crash_and_says_nothing(tmp_path: Path) -> None:
    for _ in range(TRIES):
        killed(tmp_path)
    with Startup(tmp_path, FakeClock()) as start:
        assert (start.safe, start.reason) == (True, SILENT)


def test_a_start_is_good_half_a_minute_after_the_first_picture(tmp_path: Path) -> None:
    fail(tmp_path, TRIES - 1)
    clock = FakeClock()
    start = Startup(tmp_path, clock).__enter__()
    clock.advance(300)  # a slow start is no good start yet
    start.alive()
    clock.advance(GOOD_AFTER - 1)
    start.alive()
    assert (tmp_path / FILE_NAME).exists()
    clock.advance(1)
    start.alive()
    assert not (tmp_path / FILE_NAME).exists()
    # And what happens after it does not count as a failed start.
    start.__exit__(CrashError, CrashError("later"), None)
    assert asked(tmp_path)[0] == 0


def test_dying_just_before_the_half_minute_counts(tmp_path: Path) -> None:
    clock = FakeClock()
    start = Startup(tmp_path, clock).__enter__()
    start.alive()
    clock.advance(GOOD_AFTER - 1)
    start.alive()
    assert asked(tmp_path)[0] == 1


@pytest.mark.parametrize("error", [None, InUseError("running", 7), KeyboardInterrupt()])
def test_what_is_no_failure_leaves_the_count_as_it_was(
    tmp_path: Path, error: BaseException | None
) -> None:
    """Stopped in good order, stopped by Ctrl-C, or refused because another table runs."""
    fail(tmp_path, 2)
    start = Startup(tmp_path, FakeClock()).__enter__()
    start.alive()
    start.__exit__(type(error) if error else None, error, None)
    assert asked(tmp_path)[0] == 2


def test_stopped_before_the_first_picture_is_a_failure(tmp_path: Path) -> None:
    """The service manager stops a start that takes too long: in good order, but in vain."""
    with Startup(tmp_path, FakeClock()):
        pass
    assert asked(tmp_path) == (1, SILENT)


def test_a_safe_start_stays_until_somebody_wants_another_try(tmp_path: Path) -> None:
    fail(tmp_path, TRIES)
    for _ in range(3):
        clock = FakeClock()
        with Startup(tmp_path, clock) as start:
            for _ in range(3):
                start.alive()
                clock.advance(GOOD_AFTER)
            assert start.safe
    with Startup(tmp_path, FakeClock()) as start:
        start.again()
        assert not start.safe
        start.alive()
    assert asked(tmp_path)[0] == 0


@pytest.mark.parametrize("text", ["", "{", "[]", '{"failed": null}', "\0\0\0\0"])
def test_a_torn_note_counts_as_one_failure(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_text(text)
    assert asked(tmp_path) == (1, SILENT)


def test_a_folder_that_can_not_be_written_stops_nothing(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    with Startup(file / "state", FakeClock()) as start:
        start.alive()
    assert start.failed == 0


def test_the_doctor_tells_of_starts_that_failed(tmp_path: Path) -> None:
    assert findings(tmp_path) == []
    fail(tmp_path, 1)
    assert findings(tmp_path) == []
    fail(tmp_path, 1)
    (warning,) = findings(tmp_path)
    assert warning.level is Level.WARNING
    assert warning.text == "2 starts in a row failed: the camera is of an unknown kind"
    fail(tmp_path, TRIES - 2)
    (fault,) = findings(tmp_path)
    assert fault.level is Level.FAULT
    assert fault.remedy


def test_the_screen_of_a_safe_start(tmp_path: Path) -> None:
    mode = Diagnosis("no pins", [Item(Action.HEALTH.value, None)])
    view = mode.view()
    assert view.scene is Scene.FAULT
    assert view.notice is not None
    assert (view.notice.code, view.notice.text) == ("failed_starts", "no pins")
    assert (mode.throw(), mode.due) == (None, 0)  # type: ignore[func-returns-value]
    mode.press(Button.RIGHT)
    assert mode.view().options == (Action.HEALTH.value,)
    mode.press(Button.BACK)
    mode.press(Button.CONFIRM)
    assert mode.done
    assert "no pins" in mode.status


# --- the command ---------------------------------------------------------------------------------


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Keys that are pressed one after the other, then the window is closed."""
    coming: list[object] = []

    def events(window: Window, wait: float = 0.0) -> list[object]:
        return [coming.pop(0) if coming else Quit()]

    monkeypatch.setattr(Window, "events", events)
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    return coming


def command(state: Path) -> int:
    camera = ["--camera", "simulated", "--panel", "keyboard", "--windowed"]
    return main(["play", "--state", str(state), *camera])


def test_the_table_itself_starts_safely_and_tries_again_on_demand(
    tmp_path: Path,
    keys: list[object],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    real: list[bool] = []

    def sit_down(*_: object) -> None:
        real.append(True)
        raise play.UsageError("camera.source is nonsense")

    monkeypatch.setattr(play, "_sit_down", sit_down)
    for _ in range(TRIES):
        assert command(tmp_path) == 2
    assert len(real) == TRIES
    assert command(tmp_path) == 0  # the window is closed on the screen that says why
    assert len(real) == TRIES
    assert (
        "Safe start, only to be looked into: camera.source is nonsense" in capsys.readouterr().out
    )
    keys += [Key("return"), KeyUp("return")]
    assert command(tmp_path) == 2
    assert len(real) == TRIES + 1
    assert json.loads((tmp_path / FILE_NAME).read_text())["failed"] == 1


def test_a_service_whose_record_can_not_be_opened_says_so_on_the_screen(
    tmp_path: Path,
    keys: list[object],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    tries: list[bool] = []

    def sit_down(*_: object) -> None:
        tries.append(True)
        if len(tries) == 1:
            raise NotWritableError("the record can not be written")

    monkeypatch.setattr(play, "_sit_down", sit_down)
    assert command(tmp_path) == 2  # by hand: a sentence in the terminal
    monkeypatch.setenv("NOTIFY_SOCKET", "@nobody")
    tries.clear()
    keys += [Key("return"), KeyUp("return")]
    assert command(tmp_path) == 0
    assert len(tries) == 2
    assert "only to be looked into: the record can not be written" in capsys.readouterr().out


def test_the_pages_of_a_safe_start_need_no_record(
    tmp_path: Path, keys: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Menu, down to the health page and back, with an empty state folder."""
    fail(tmp_path, TRIES)
    seen: list[str] = []
    draw = Stage.draw

    def watch(stage: Stage, view: View, now: float) -> bool:
        seen.append(view.scene.value)
        return draw(stage, view, now)

    monkeypatch.setattr("display.stage.Stage.draw", watch)
    keys.append(KeyUp("right"))  # the first picture comes before the first key
    for name in ("right", "right", "return"):
        keys += [Key(name), KeyUp(name)]
    assert command(tmp_path) == 0
    assert list(dict.fromkeys(seen)) == ["fault", "menu", "health"]


def test_a_broken_configuration_is_said_on_the_screen_before_anything_else(tmp_path: Path) -> None:
    problem = Problem(tmp_path / "dicetable.toml", 3, 'unknown key "camera.fsp"')
    told = Told([problem])
    view = told.view()
    assert view.scene is Scene.MESSAGE
    assert view.notice is not None
    assert "line 3" in view.notice.text
    told.press(Button.LEFT)
    assert not told.done
    told.press(Button.CONFIRM)
    assert told.done
