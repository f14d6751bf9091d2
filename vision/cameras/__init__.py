"""Cameras, one file each; all of them keep the contract below.

A camera is opened when it is made, used as a context manager and closed once::

    with open_camera("recording:tests/recordings/sequence1") as camera:
        frame = camera.read(timeout=2.0)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Protocol, Self

from vision.reading import Image


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
