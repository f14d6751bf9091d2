"""Sounds, made by our own code: what is heard is computed here, no file is played.

They are quiet, short, and never wait for: a thread of its own plays them, and where there is no
sound device nothing is heard and nothing else happens.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt
import pygame

from display.view import Level, Scene, View, Watch

log = logging.getLogger(__name__)

Samples = npt.NDArray[np.int16]

RATE: Final = 22_050
"""Samples a second; one channel."""
QUIET: Final = 0.22
"""The loudest sample of any sound, as a share of the most that is possible."""
IDLE: Final = 20.0
"""Seconds without a sound after which the device is let go: an open one costs time for ever."""


class Cue(StrEnum):
    """What there is to hear."""

    BUTTON = "button"
    """A lit button was pressed: a tick of wood."""
    ACCEPTED = "accepted"
    """The dice were read, or entered, and fit: two notes upwards."""
    REFUSED = "refused"
    """Something does not count: one note and a lower one."""
    WIN = "win"
    """Somebody wins: four notes upwards."""
    FAULT = "fault"
    """Play stops: three low notes."""


WINS: Final = frozenset(
    {"won", "half_won", "wager_won", "five_alike", "restored", "finished", "row_filled"}
)
"""Events that are worth a fanfare."""


def cue(before: View | None, after: View) -> Cue | None:
    """What is to be heard when one picture follows another; None for silence."""
    if before is None:
        return None
    if after.scene is Scene.FAULT:
        return Cue.FAULT if before.scene is not Scene.FAULT else None
    if after.scene is Scene.RESULT and before.scene is not Scene.RESULT:
        return Cue.WIN
    if after.game == before.game and after.events != before.events:
        kinds = {event.kind for event in after.events}
        if kinds & WINS:
            return Cue.WIN
        if "void_throw" in kinds:
            return Cue.REFUSED
    warned = after.notice is not None and after.notice.level is not Level.INFO
    if warned and after.notice != before.notice:
        return Cue.REFUSED
    if after.watch is Watch.REST and after.reading is not None and after.reading != before.reading:
        return Cue.ACCEPTED if after.reading.ok else Cue.REFUSED
    return None


def _note(pitch: float, seconds: float, *, bright: float = 0.25) -> npt.NDArray[np.float64]:
    """A struck bar: a note with a fading overtone, from silence to silence."""
    t = np.arange(round(seconds * RATE)) / RATE
    tone = np.sin(2 * np.pi * pitch * t) * np.exp(-5 * t / seconds)
    over = np.sin(2 * np.pi * 2.76 * pitch * t) * np.exp(-14 * t / seconds)
    swell = np.minimum(1.0, t / 0.006) * np.minimum(1.0, (seconds - t) / 0.02)
    return np.asarray((tone + bright * over) * swell)


def _melody(notes: Sequence[tuple[float, float]], length: float) -> npt.NDArray[np.float64]:
    """Notes that ring on over each other: (pitch in Hz, begin in seconds)."""
    whole = np.zeros(round(length * RATE))
    for pitch, begin in notes:
        start = round(begin * RATE)
        part = _note(pitch, length - begin)
        whole[start : start + len(part)] += part[: len(whole) - start]
    return whole


@cache
def samples(what: Cue) -> Samples:
    """The sound itself."""
    match what:
        case Cue.BUTTON:
            sound, peak = _note(1150, 0.045, bright=0.6), 0.35
        case Cue.ACCEPTED:
            sound, peak = _melody(((659.3, 0.0), (880.0, 0.09)), 0.40), 0.75
        case Cue.REFUSED:
            sound, peak = _melody(((392.0, 0.0), (293.7, 0.13)), 0.45), 0.85
        case Cue.WIN:
            notes = ((523.3, 0.0), (659.3, 0.1), (784.0, 0.2), (1046.5, 0.3))
            sound, peak = _melody(notes, 0.95), 1.0
        case Cue.FAULT:
            sound, peak = _melody(((220.0, 0.0), (220.0, 0.22), (185.0, 0.44)), 0.95), 1.0
    loudest = float(np.abs(sound).max())
    return (sound * (peak * QUIET * 32_767 / loudest)).astype(np.int16)


class Device:
    """SDL's mixer; opened by the thread that plays."""

    def open(self) -> None:
        """Take the sound device; pygame.error when there is none."""
        pygame.mixer.init(RATE, -16, 1, 1024, allowedchanges=0)

    def play(self, sound: Samples) -> None:
        """Begin to play; does not wait for the end."""
        pygame.mixer.Sound(buffer=sound.tobytes()).play()

    def close(self) -> None:
        """Let the device go."""
        pygame.mixer.quit()


class Speaker:
    """Plays cues on a thread of its own, so that no picture ever waits for a sound."""

    def __init__(
        self,
        wanted: Callable[[], bool] = lambda: True,
        device: Device | None = None,
        *,
        idle: float = IDLE,
    ) -> None:
        """`wanted` says at every cue whether sounds are switched on."""
        self._wanted = wanted
        self._device = device or Device()
        self._idle = idle
        self._cues: queue.Queue[Cue | None] = queue.Queue(maxsize=4)
        self._thread: threading.Thread | None = None
        self.failed = ""
        """Why nothing can be heard; empty while that is not known."""

    def play(self, what: Cue | None) -> None:
        """Let it be heard, if that is possible; returns at once."""
        if what is None or self.failed or not self._wanted():
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="sounds", daemon=True)
            self._thread.start()
        with contextlib.suppress(queue.Full):
            self._cues.put_nowait(what)

    def close(self) -> None:
        """Stop; what has not been played is not heard. May be called twice."""
        thread, self._thread = self._thread, None
        if thread is not None:
            with contextlib.suppress(queue.Full):
                self._cues.put_nowait(None)
            thread.join(1.0)

    def _run(self) -> None:
        is_open = False
        try:
            while True:
                try:
                    what = self._cues.get(timeout=self._idle if is_open else None)
                except queue.Empty:
                    self._device.close()
                    is_open = False
                    continue
                if what is None:
                    break
                if not is_open:
                    self._device.open()
                    is_open = True
                self._device.play(samples(what))
        except Exception as error:  # whatever a driver thinks of: the table goes on in silence
            self.failed = str(error) or type(error).__name__
            log.warning("no sound: %s", self.failed)
        if is_open:
            with contextlib.suppress(pygame.error):
                self._device.close()
