"""The health page of a running table: live lines, and checks that never hold the main loop up."""

from __future__ import annotations

import threading

import numpy as np

from display.view import Level
from firmware import live
from firmware.buttons import Button
from firmware.clock import FakeClock
from firmware.health import Finding
from firmware.health import Level as Severity
from firmware.health_page import LINES, HealthPage
from firmware.panel import KeyboardPanel
from firmware.seen import Opened, Seeing, Seen, plain
from firmware.startup import Blind
from vision.watch import Sight, State


class Eye(Blind):
    """An eye that has seen something."""

    def __init__(self) -> None:
        self.seeing = Seeing()


def test_the_page_is_there_at_once_and_the_worst_comes_first() -> None:
    go = threading.Event()

    def examine() -> list[Finding]:
        go.wait(20)
        return [
            Finding("disk", Severity.OK, "12 GiB free"),
            Finding("clock", Severity.WARNING, "the clock is not set", "connect a network once"),
            Finding("power", Severity.FAULT, "the supply voltage is too low now"),
        ]

    page = HealthPage(examine, lambda: [Finding("buttons", Severity.OK, "all up")])
    shown = page.show()
    assert [one.name for one in shown["checks"]] == ["buttons"]
    assert shown["progress"] == 0.0
    go.set()
    page.wait()
    shown = page.show()
    assert shown["progress"] is None
    assert [one.name for one in shown["checks"]] == ["buttons", "power", "clock", "disk"]
    assert shown["checks"][2].text == "The clock is not set. Connect a network once."
    assert shown["checks"][1].level is Level.FAULT


def test_many_findings_are_turned_page_by_page() -> None:
    page = HealthPage(lambda: [Finding(str(n), Severity.OK, "good") for n in range(12)])
    page.wait()
    names = []
    for _ in range(page.places):
        checks = page.show()["checks"]
        assert len(checks) <= LINES
        names += [one.name for one in checks]
        page.press(Button.RIGHT)
    assert names == [str(n) for n in range(12)]


def test_checks_that_break_are_a_fault_on_the_page() -> None:
    def broken() -> list[Finding]:
        raise OSError("no such thing")

    page = HealthPage(broken)
    page.wait()
    assert page.show()["checks"][0].level is Level.FAULT


def test_buttons_are_seen_while_they_are_down() -> None:
    clock = FakeClock()
    panel = KeyboardPanel(clock)
    panel.key("left", True)
    panel.poll()
    (line,) = live.buttons(panel)
    assert "left DOWN (1)" in line.text
    assert "right up (0)" in line.text
    for _ in range(70):
        clock.advance(1.0)
        panel.poll()
    assert any("more than a minute" in one.text for one in live.buttons(panel))


def test_the_camera_tells_model_focus_exposure_and_pictures_a_second() -> None:
    eye = Eye()
    assert live.camera(eye)[0].text == "the camera has not begun yet"
    eye.seeing.opened = Opened("imx708 (picamera2)", (1280, 960), {"LensPosition": 2.0})
    about = {"ExposureTime": 10_000, "AnalogueGain": 2.0, "LensPosition": 2.0}
    for n in range(46):
        picture = np.zeros((4, 4, 3), np.uint8)
        eye.seeing.came(Seen(Sight(State.EMPTY), picture, n, about), n / 15)
    (line,) = live.camera(eye)
    assert line.text == (
        "imx708 (picamera2), 1280x960, 15 pictures a second now, exposure 10.0 ms, gain 2.0, "
        "focus 2.00 dioptres"
    )
    eye.seeing.about = {**about, "LensPosition": 5.0}
    assert "focus is 5, but 2 was asked for" in live.camera(eye)[1].text
    eye.problem = "camera 0 is not connected"
    assert live.camera(eye)[0].level is Severity.FAULT


def test_of_what_a_camera_says_only_numbers_are_kept() -> None:
    assert plain({"Lux": 310.5, "AfState": object(), "ColourGains": (2.1, 1.7)}) == {
        "Lux": 310.5,
        "ColourGains": [2.1, 1.7],
    }
