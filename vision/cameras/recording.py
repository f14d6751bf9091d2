"""A camera that replays recordings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path

from vision.cameras import CameraError, Clock, Closing, EndOfRecording, Frame, Pacer, SystemClock
from vision.cameras.replay import Reel, Shot, reel
from vision.reading import Image
from vision.recording import Recording, RecordingError, load_recordings


class RecordingCamera(Closing):
    """Replays recorded throws, one after the other, as if a camera saw them.

    With `hold` it behaves like a table with players: the tray is empty until `throw`, and the dice
    lie still until the next `throw` or `clear`. Without, the recordings run through at their own
    times, and a still rests for one second.

    `size` None means the size of the first recording. After the last frame `read` raises
    EndOfRecording; with `loop` the recordings start again.
    """

    def __init__(
        self,
        recordings: Sequence[Recording],
        *,
        size: tuple[int, int] | None = None,
        fps: float = 15.0,
        hold: bool = False,
        loop: bool = False,
        clock: Clock | None = None,
        paced: bool = True,
    ) -> None:
        if not recordings:
            raise CameraError("there is no recording to replay", permanent=True)
        self.size = size or recordings[0].size
        for recording in recordings:
            width, height = recording.size
            if abs(width * self.size[1] - height * self.size[0]) > max(self.size):
                raise CameraError(
                    f"{recording.folder}: {recording.name} is {width}x{height} pixels, which does "
                    f"not fit pictures of {self.size[0]}x{self.size[1]}; replay it on its own",
                    permanent=True,
                )
        self._recordings, self._fps = list(recordings), fps
        self._hold, self._loop = hold, loop
        self._pacer = Pacer(clock or SystemClock(), paced=paced)
        self._number = 0
        self._next = 0
        self._thrown: int | None = None
        self._clear = False
        self._closed = False
        self._reel = self._cut(0)
        self._shots = self._holding() if hold else self._running()
        self._ahead: Shot | None = None

    @classmethod
    def open(
        cls,
        path: Path | str,
        *,
        size: tuple[int, int] | None = None,
        fps: float = 15.0,
        hold: bool = False,
        loop: bool = False,
        clock: Clock | None = None,
        paced: bool = True,
    ) -> RecordingCamera:
        """Replay what `load_recordings(path)` finds; CameraError, permanent, when it can not."""
        try:
            found = load_recordings(path)
        except RecordingError as error:
            raise CameraError(str(error), permanent=True) from error
        return cls(found, size=size, fps=fps, hold=hold, loop=loop, clock=clock, paced=paced)

    @property
    def recording(self) -> Recording:
        """The recording that is on now (with `hold`: that was thrown last)."""
        return self._reel.recording

    def throw(self, dice: int = 0, kept: Sequence[int] = ()) -> None:
        """Go on to the next recording with so many dice, or simply to the next one.

        The order of the recordings is kept; only when the next one has another number of dice, and
        a later one has not, are those between left out. `kept` dice can not be replayed.
        """
        self._thrown = dice

    def clear(self) -> None:
        """Take the dice out of the tray (with `hold`)."""
        self._clear = True

    def read(self, timeout: float) -> Frame:
        """The next frame. EndOfRecording after the last one."""
        if self._closed:
            raise CameraError("the camera is closed", permanent=True)
        if self._ahead is None:
            self._ahead = next(self._shots, None)
        shot = self._ahead
        if shot is None:
            raise EndOfRecording
        time = self._pacer.next(shot.interval, timeout)
        self._ahead = None
        try:
            image: Image = shot.take()
        except RecordingError as error:
            raise CameraError(str(error), permanent=True) from error
        number, self._number = self._number, self._number + 1
        metadata = {"recording": self._reel.recording.name, "state": shot.state.value}
        return Frame(image, number, time, metadata)

    def close(self) -> None:
        """Stop; may be called twice."""
        self._closed = True

    # --------------------------------------------------------------------------------------- order

    def _cut(self, index: int) -> Reel:
        return reel(self._recordings[index], self.size, self._fps, seed=index)

    def _advance(self, dice: int) -> bool:
        """Put the next recording on; False at the end."""
        if self._next >= len(self._recordings):
            if not self._loop:
                return False
            self._next = 0
        order = range(self._next, len(self._recordings))
        index = next((i for i in order if len(_dice(self._recordings[i])) == dice), self._next)
        self._reel = self._cut(index)
        self._next = index + 1
        return True

    def _running(self) -> Iterator[Shot]:
        while self._advance(0):
            yield from (*self._reel.arrive, *self._reel.rest, *self._reel.leave)

    def _holding(self) -> Iterator[Shot]:
        resting: tuple[Shot, ...] = ()
        idle = self._reel.arrive[:1] or self._reel.rest[:1]
        while True:
            yield from self._wait(resting or idle)
            yield from self._reel.leave if resting else ()
            resting = ()
            if self._clear:
                self._clear = False
                idle = self._reel.leave[-1:] or idle
            if self._thrown is None:
                continue
            dice, self._thrown = self._thrown, None
            if not self._advance(dice):
                return
            yield from self._reel.arrive
            resting = self._reel.rest or self._reel.arrive[-1:]

    def _wait(self, shots: tuple[Shot, ...]) -> Iterator[Shot]:
        """These shots over and over until something is asked."""
        for shot in cycle(shots):
            if self._thrown is not None or self._clear:
                return
            yield shot


def _dice(recording: Recording) -> tuple[object, ...]:
    return recording.truth.dice or recording.truth.values or ()
