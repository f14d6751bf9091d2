"""Cameras, one file each; all of them keep the contract below.

A camera is opened when it is made, used as a context manager and closed once::

    with open_camera("recording:tests/recordings/sequence1") as camera:
        frame = camera.read(timeout=2.0)
"""

from __future__ import annotations

import difflib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

from vision.reading import Image

if TYPE_CHECKING:
    from vision.cameras.picamera2 import PiSettings


class CameraError(Exception):
    """A camera gives no picture. `permanent` tells whether trying again can help."""

    def __init__(self, message: str, *, permanent: bool = False) -> None:
        super().__init__(message)
        self.permanent = permanent


class EndOfRecording(CameraError):  # noqa: N818 - it is the regular end, not a fault
    """The recording has no more frames."""

    def __init__(self, message: str = "the recording has ended") -> None:
        super().__init__(message, permanent=True)


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of the tray."""

    image: Image
    number: int
    """Counts up from 0, one for each frame that the camera took."""
    time: float
    """When it was taken, in seconds of the camera's monotonic clock."""
    metadata: Mapping[str, object] = field(default_factory=dict)
    """What the camera says of it (exposure, gain, lens position …)."""


class Camera(Protocol):
    """What the table needs of a camera."""

    size: tuple[int, int]
    """Width and height of its pictures in pixels."""

    def read(self, timeout: float) -> Frame:
        """The next frame; CameraError when none comes within `timeout` seconds."""
        ...

    def close(self) -> None:
        """Let the device go; may be called twice."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...


@runtime_checkable
class Thrower(Protocol):
    """A camera whose dice are thrown by command: the recorded and the simulated one."""

    def throw(self, dice: int, kept: Sequence[int] = ()) -> None:
        """Throw so many dice; dice with the faces `kept` lie in the keep rail."""
        ...

    def clear(self) -> None:
        """Take all dice out of the tray."""
        ...


class Clock(Protocol):
    """What a camera needs of a clock; both in seconds."""

    def monotonic(self) -> float:
        """Now."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class SystemClock:
    """The machine's own clock."""

    def monotonic(self) -> float:
        """Now."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


class Closing:
    """The `with` half of the contract, for cameras that have `close`."""

    def close(self) -> None:
        """Let the device go; may be called twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class Pacer:
    """When the frames of a made-up camera are due.

    Paced, `next` waits on the clock until the frame is due; a reader that was too slow finds the
    schedule moved on, not a heap of late frames. Not paced, the frames follow each other at once
    and only their times say how far apart they were.
    """

    def __init__(self, clock: Clock, *, paced: bool) -> None:
        self._clock, self._paced = clock, paced
        self._due: float | None = None

    def next(self, interval: float, timeout: float) -> float:
        """The time of the next frame, `interval` seconds after the last; CameraError if too late.

        The schedule does not move when it raises.
        """
        now = self._clock.monotonic()
        due = now if self._due is None else self._due + interval
        if self._paced:
            if due - now > timeout:
                self._clock.sleep(max(0.0, timeout))
                raise CameraError(f"no picture within {timeout:g} s")
            if due > now:
                self._clock.sleep(due - now)
            else:
                due = now
        self._due = due
        return due


KINDS = ("picamera2", "webcam", "recording", "simulated")


def open_camera(
    spec: str,
    *,
    size: tuple[int, int] | None = None,
    fps: float = 15.0,
    clock: Clock | None = None,
    paced: bool = True,
    hold: bool = True,
    settings: PiSettings | None = None,
) -> Camera:
    """Open the camera that a user named.

    `spec` is `picamera2[:NUMBER]`, `webcam[:NUMBER]`, `recording:FOLDER` or `simulated[:SEED]`;
    `size` is width and height in pixels (None: the camera's usual one). `clock` and `paced` matter
    to the made-up cameras only (see `Pacer`), `hold` to recordings (see `RecordingCamera`), and
    `settings` to the Pi's camera.
    CameraError, permanent, when there is no such camera.
    """
    kind, _, rest = spec.partition(":")
    if kind == "recording":
        if not rest:
            raise CameraError("recording: needs a folder, as in recording:DIR", permanent=True)
        from vision.cameras.recording import RecordingCamera

        return RecordingCamera.open(rest, size=size, fps=fps, hold=hold, clock=clock, paced=paced)
    if kind not in KINDS:
        near = difflib.get_close_matches(kind, KINDS, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(KINDS)}"
        raise CameraError(f"no camera is called {spec!r}: {hint}", permanent=True)
    if rest and not rest.isdecimal():
        raise CameraError(f"{spec}: {rest!r} must be a whole number", permanent=True)
    number = int(rest or 0)
    # Imported late: each camera brings its own, sometimes heavy or absent, library.
    if kind == "picamera2":
        from vision.cameras.picamera2 import PiCamera

        return PiCamera(number, size=size or PiCamera.SIZE, fps=fps, settings=settings)
    if kind == "webcam":
        from vision.cameras.webcam import Webcam

        return Webcam(number, size=size or Webcam.SIZE, fps=fps)
    from vision.cameras.simulated import SimulatedCamera

    return SimulatedCamera(
        seed=number, size=size or SimulatedCamera.SIZE, fps=fps, clock=clock, paced=paced
    )
