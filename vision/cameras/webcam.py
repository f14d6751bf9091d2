"""A USB camera, or a laptop's own, through OpenCV."""

from __future__ import annotations

import threading
from collections.abc import Callable

import cv2
import numpy as np

from vision.cameras import CameraError, Clock, Closing, Frame, SystemClock
from vision.reading import Image


class Webcam(Closing):
    """The newest picture of a camera that OpenCV can open.

    A thread of its own takes the pictures: `read` of OpenCV may block for ever, and drivers hand
    out old pictures from a queue when one asks too seldom.
    """

    SIZE = (1280, 960)

    def __init__(
        self,
        number: int = 0,
        *,
        size: tuple[int, int] = SIZE,
        fps: float = 15.0,
        clock: Clock | None = None,
        opener: Callable[[int], cv2.VideoCapture] = cv2.VideoCapture,
    ) -> None:
        self._clock = clock or SystemClock()
        self._name = f"webcam {number}"
        # OpenCV would explain a missing camera with warnings of its own on stderr.
        level = cv2.utils.logging.getLogLevel()
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
        try:
            self._capture = opener(number)
        finally:
            cv2.utils.logging.setLogLevel(level)
        if not self._capture.isOpened():
            self._capture.release()
            raise CameraError(
                f"{self._name} does not open: check that it is plugged in, that no other program "
                "uses it and that your user is in the group video"
            )
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._capture.set(cv2.CAP_PROP_FPS, fps)
        # A camera gives the nearest size it can.
        self.size = (
            int(self._capture.get(cv2.CAP_PROP_FRAME_WIDTH)),
            int(self._capture.get(cv2.CAP_PROP_FRAME_HEIGHT)),
        )
        self._fresh = threading.Condition()
        self._latest: tuple[Image, float] | None = None
        self._taken = -1
        self._lost = self._stop = False
        self._thread = threading.Thread(target=self._take, name=self._name, daemon=True)
        self._thread.start()

    def read(self, timeout: float) -> Frame:
        """The newest picture not yet given; CameraError when none comes in time."""
        with self._fresh:
            if self._stop:
                raise CameraError(f"{self._name} is closed", permanent=True)
            self._fresh.wait_for(lambda: self._latest is not None or self._lost, timeout)
            if self._latest is None:
                why = "no longer gives pictures" if self._lost else f"is silent for {timeout:g} s"
                raise CameraError(f"{self._name} {why}: check its cable")
            (image, time), self._latest = self._latest, None
            return Frame(image, self._taken, time)

    def close(self) -> None:
        """Let the device go; may be called twice."""
        with self._fresh:
            self._stop = True
        self._thread.join(timeout=1.0)
        # A thread that hangs in the driver still uses the device: releasing it would crash.
        if not self._thread.is_alive():
            self._capture.release()

    def _take(self) -> None:
        while not self._stop:
            good, image = self._capture.read()
            with self._fresh:
                if good:
                    self._latest = np.asarray(image, np.uint8), self._clock.monotonic()
                    self._taken += 1
                self._lost = not good
                self._fresh.notify_all()
            if not good:
                return
