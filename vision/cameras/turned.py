"""A camera that hangs upside down or sideways, with its pictures turned upright."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from vision.cameras import Camera, Closing, Frame, Thrower


class TurnedCamera(Closing):
    """Another camera's pictures, turned clockwise by 90, 180 or 270 degrees."""

    def __init__(self, camera: Camera, turn: int) -> None:
        self._camera, self._quarters = camera, turn // 90
        width, height = camera.size
        self.size = (height, width) if self._quarters % 2 else (width, height)

    @property
    def controls(self) -> Mapping[str, Any]:
        """What was asked of the camera when it was started."""
        return dict(getattr(self._camera, "controls", {}))

    def read(self, timeout: float) -> Frame:
        """The next frame, turned; CameraError as the camera gives it."""
        frame = self._camera.read(timeout)
        return replace(frame, image=np.ascontiguousarray(np.rot90(frame.image, -self._quarters)))

    def throw(self, dice: int, kept: Sequence[int] = ()) -> None:
        """Throw, where the camera can; a real one does nothing."""
        if isinstance(self._camera, Thrower):
            self._camera.throw(dice, kept)

    def close(self) -> None:
        """Let the device go; may be called twice."""
        self._camera.close()
