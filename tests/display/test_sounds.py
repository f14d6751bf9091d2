"""Sounds: short, quiet, never clipped, never waited for, and never a reason to stop."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import numpy as np
import pygame
import pytest

from display.sounds import QUIET, RATE, Cue, Device, Samples, Speaker, cue, samples
from display.view import Level, Notice, Scene, View
from firmware.rules.game import Event
from tests.display.views import VIEWS

LENGTHS = {
    Cue.BUTTON: (0.02, 0.08),
    Cue.ACCEPTED: (0.2, 0.6),
    Cue.REFUSED: (0.2, 0.6),
    Cue.WIN: (0.5, 1.0),
    Cue.FAULT: (0.5, 1.0),
}
"""Shortest and longest, in seconds: a win is celebrated for a second and no longer."""


@pytest.mark.parametrize("what", Cue)
def test_a_sound_is_short_quiet_and_whole(what: Cue) -> None:
    sound = samples(what).astype(float) / 32_768
    low, high = LENGTHS[what]
    assert low <= len(sound) / RATE <= high
    peak = np.abs(sound).max()
    assert 0.05 < peak <= QUIET, "to be heard, but quiet; and nothing near the limit of clipping"
    assert np.sqrt((sound**2).mean()) > 0.01
    assert abs(sound.mean()) < 0.002
    # It neither begins nor ends with a click.
    assert abs(sound[0]) < 0.005
    assert abs(sound[-1]) < 0.005
    assert np.abs(np.diff(sound)).max() < 0.15


def test_sounds_can_be_told_apart() -> None:
    def pitches(what: Cue) -> set[int]:
        sound = samples(what).astype(float)
        spectrum = np.abs(np.fft.rfft(sound, RATE))
        return {int(i) // 40 for i in np.argsort(spectrum)[-20:]}

    kinds = list(Cue)
    for i, one in enumerate(kinds):
        for other in kinds[i + 1 :]:
            assert pitches(one) != pitches(other)


def test_what_is_heard_follows_from_what_is_seen() -> None:
    waiting, read = VIEWS["throw_waiting"](), VIEWS["throw_read"]()
    assert cue(None, read) is None
    assert cue(waiting, read) is Cue.ACCEPTED
    assert cue(read, replace(read, picture_number=9)) is None
    assert cue(waiting, VIEWS["throw_problem"]()) is Cue.REFUSED
    turned = VIEWS["throw_turned"]()
    assert cue(replace(turned, notice=None), turned) is Cue.REFUSED
    assert cue(replace(turned, notice=Notice("saved", Level.INFO)), read) is None
    won = replace(waiting, scene=Scene.GAME, events=(Event("won", "R-BD-7", who="Ola"),))
    assert cue(read, won) is Cue.WIN
    void = replace(won, events=(Event("void_throw", "R-GEN-1", who="Ola"),))
    assert cue(read, void) is Cue.REFUSED
    fault = View(Scene.FAULT)
    assert cue(won, fault) is Cue.FAULT
    assert cue(fault, fault) is None
    assert cue(won, replace(VIEWS["result_one"](), game="barbudi")) is Cue.WIN


class Recorder(Device):
    """A device that remembers; `hold` keeps it from opening."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.hold = threading.Event()
        self.hold.set()
        self.heard: list[Samples] = []
        self.opened = self.closed = 0
        self.done = threading.Event()
        self.let_go = threading.Event()

    def open(self) -> None:
        self.hold.wait(5)
        if self.error is not None:
            self.done.set()
            raise self.error
        self.opened += 1

    def play(self, sound: Samples) -> None:
        self.heard.append(sound)
        self.done.set()

    def close(self) -> None:
        self.closed += 1
        self.let_go.set()


def test_a_device_that_blocks_delays_nobody() -> None:
    device = Recorder()
    device.hold.clear()
    speaker = Speaker(device=device)
    began = time.perf_counter()
    for _ in range(50):
        speaker.play(Cue.BUTTON)
    assert time.perf_counter() - began < 2.0
    device.hold.set()
    assert device.done.wait(5)
    speaker.close()
    assert 1 <= len(device.heard) <= 6, "what could not be played in time is dropped"


def test_no_device_is_said_once_and_nothing_stops(caplog: pytest.LogCaptureFixture) -> None:
    device = Recorder(pygame.error("no such audio device"))
    speaker = Speaker(device=device)
    with caplog.at_level("WARNING"):
        speaker.play(Cue.WIN)
        assert device.done.wait(5)
        speaker.close()
        speaker.play(Cue.WIN)
        speaker.close()
    assert [record.message for record in caplog.records] == ["no sound: no such audio device"]
    assert device.heard == []


def test_switched_off_nothing_is_opened() -> None:
    device = Recorder()
    speaker = Speaker(lambda: False, device)
    speaker.play(Cue.WIN)
    speaker.close()
    assert device.opened == 0


def test_the_device_is_let_go_after_a_while() -> None:
    device = Recorder()
    speaker = Speaker(device=device, idle=0.001)
    speaker.play(Cue.BUTTON)
    assert device.let_go.wait(5)
    assert device.closed == 1
    device.done.clear()
    speaker.play(Cue.WIN)
    assert device.done.wait(5)
    speaker.close()
    assert device.opened == 2


def test_the_real_mixer_plays_on_sdls_dummy_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    device = Device()
    device.open()
    try:
        assert pygame.mixer.get_init() == (RATE, -16, 1)
        for what in Cue:
            device.play(samples(what))
        assert pygame.mixer.get_busy()
    finally:
        device.close()
    assert pygame.mixer.get_init() is None


def test_the_real_mixer_without_a_device_fails_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "no_such_driver")
    speaker = Speaker()
    speaker.play(Cue.BUTTON)
    speaker.close()
    assert speaker.failed
