"""The camera and the reader, as the table sees them.

On the table they run in a process of their own (`CameraProcess`): a dead camera may block for
ever, even while it is closed, and must not take the screen with it. The main process supervises:
a limit on the time between pictures, a kill, a restart after growing pauses. In tests and in the
demo the same loop runs in the main process, one picture a poll (`InlineEye`).
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Protocol, Self

from firmware.calibrated import make_watcher, upright
from firmware.clock import Clock
from firmware.seen import Opened, Seeing, Seen, Trouble, plain
from vision.calibration import Calibration
from vision.cameras import Camera, CameraError, Frame, open_camera
from vision.cameras.picamera2 import PiSettings
from vision.reading import Image
from vision.watch import Sight, State, Watcher

FRAME_LIMIT = 2.0
"""Seconds without a picture after which the camera counts as lost."""
START_LIMIT = 20.0
"""Seconds that the first picture may take: a Pi's camera starts slowly."""
MOST_PATIENCE = 4
"""After starts that failed the next one may take up to so many times as long."""
PAUSES = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""Seconds before the first, second … restart; the last one for all that follow."""
PREVIEW_WIDTH = 640
"""Pictures are sent to the screen no wider than this."""
STEADY_AFTER = 3.0
"""Seconds without any change after which the camera process looks more seldom …"""
STEADY_PAUSE = 0.2
"""… with this pause between two pictures, and sends none of them, until something changes."""


class Eye(Protocol):
    """What the table needs of camera and reader."""

    problem: str | None
    """Why there is no picture; None while there is."""
    seeing: Seeing
    """The camera at work."""

    def poll(self) -> list[Seen]:
        """What was seen since the last poll; never blocks for long, never raises."""

    def due(self, dice: int) -> None:
        """So many dice are to be seen."""

    def throw(self, dice: int, kept: Sequence[int] = ()) -> None:
        """Throw dice on a simulated tray; a real camera does nothing."""

    def close(self) -> None:
        """Let the camera go; may be called twice."""


def preview(image: Image) -> Image:
    """The picture, reduced for the screen when it is wider."""
    import cv2

    height, width = image.shape[:2]
    if width <= PREVIEW_WIDTH:
        return image
    size = (PREVIEW_WIDTH, round(height * PREVIEW_WIDTH / width))
    small: Image = cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype("uint8")
    return small


class Looker:
    """The loop that both eyes share: a frame, what it shows, what to say of it."""

    def __init__(self, camera: Camera, watcher: Watcher) -> None:
        self.camera = camera
        self.watcher = watcher
        self.dice_due = 0
        self.steady = False
        """Nothing has changed for `STEADY_AFTER` seconds."""
        self._last: Sight | None = None
        self._since = 0.0

    def look(self, *, thrifty: bool = False) -> Seen:
        """The next frame; CameraError when there is none. `thrifty`: no picture while steady."""
        frame: Frame = self.camera.read(FRAME_LIMIT)
        sight = self.watcher.update(frame, self.dice_due or None)
        same = self._last is not None and not sight.new and sight == replace(self._last, new=False)
        if not same or sight.state in (State.HAND, State.MOVING):
            self._since = frame.time
        self._last = sight
        self.steady = frame.time - self._since > STEADY_AFTER
        image = None if thrifty and self.steady else preview(frame.image)
        return Seen(sight, image, frame.number, plain(frame.metadata))

    def command(self, name: str, *args: Any) -> None:
        """An order from the table: `due` or `throw`."""
        # Whoever asks for dice wants to see the tray as it is now.
        self._last = None
        self.steady = False
        if name == "due":
            self.dice_due = args[0]
        elif name == "throw" and hasattr(self.camera, "throw"):
            self.camera.throw(*args)


class InlineEye:
    """Camera and reader in this process; each poll looks at one frame."""

    def __init__(self, camera: Camera, watcher: Watcher) -> None:
        self.problem: str | None = None
        self.seeing = Seeing()
        self._looker = Looker(camera, watcher)

    @property
    def camera(self) -> Camera:
        """The camera itself."""
        return self._looker.camera

    def poll(self) -> list[Seen]:
        """One frame, or none and `problem` set."""
        try:
            seen = self._looker.look()
        except CameraError as error:
            self.problem = str(error)
            return []
        self.problem = None
        return [seen]

    def due(self, dice: int) -> None:
        """See `Eye`."""
        self._looker.command("due", dice)

    def throw(self, dice: int, kept: Sequence[int] = ()) -> None:
        """See `Eye`."""
        self._looker.command("throw", dice, tuple(kept))

    def close(self) -> None:
        """See `Eye`."""
        self._looker.camera.close()


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """What the camera process is told at its start; plain data, for it crosses to a new process."""

    spec: str
    """See `vision.cameras.open_camera`."""
    size: tuple[int, int] | None = None
    fps: float = 15.0
    edge_mm: float = 16.0
    """Length of a die's edge."""
    pi: PiSettings | None = None
    """Exposure, gain, white balance and focus of the Pi's camera."""
    calibration: Calibration | None = None
    """Where the tray is; None while that is not known."""


def run_camera(link: Connection, settings: CameraSettings) -> None:
    """The camera process: frames in, sights out, until the link closes."""
    import cv2

    # The table's own process decides when to stop; Ctrl-C reaches the whole group.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cv2.setNumThreads(1)
    try:
        with open_camera(
            settings.spec, size=settings.size, fps=settings.fps, settings=settings.pi
        ) as device:
            link.send(opened(device, settings.spec))
            camera = upright(device, settings.calibration)
            looker = Looker(camera, make_watcher(camera, settings.edge_mm, settings.calibration))
            while True:
                while link.poll(STEADY_PAUSE if looker.steady else 0.0):
                    looker.command(*link.recv())
                link.send(looker.look(thrifty=True))
    except CameraError as error:
        with contextlib.suppress(OSError):
            link.send(Trouble(str(error), error.permanent))
    except (EOFError, OSError):
        # The table has gone; nobody is left to tell.
        return


def opened(camera: Camera, spec: str) -> Opened:
    """What is told of a camera once it is open."""
    model = getattr(camera, "model", "")
    name = f"{model} ({spec})" if model else spec
    return Opened(name, camera.size, plain(getattr(camera, "controls", {})))


class CameraProcess:
    """The eye of the table: supervises the process that holds the camera."""

    def __init__(self, settings: CameraSettings, clock: Clock, target: Any = run_camera) -> None:
        """`target` is what the process runs: `run_camera`, or a test's stand-in."""
        self.problem: str | None = None
        self.restarts = 0
        self.seeing = Seeing()
        self._settings = settings
        self._clock = clock
        self._target = target
        # Spawned, not forked: lgpio's thread and SDL do not survive a fork.
        self._context = multiprocessing.get_context("spawn")
        self._process: Any = None
        self._link: Connection | None = None
        self._due = 0
        self._failures = 0
        self._start()

    def _start(self) -> None:
        self._link, theirs = self._context.Pipe()
        self._process = self._context.Process(
            target=self._target, args=(theirs, self._settings), daemon=True
        )
        self._process.start()
        theirs.close()
        self._deadline = self._clock.monotonic() + self._patience
        self._restart_at: float | None = None
        self._send("due", self._due)

    @property
    def _patience(self) -> float:
        """Seconds that the next step of a start may take: more after each start that failed.

        A machine that is too busy for the usual limit would else never have a camera.
        """
        return START_LIMIT * min(1 + self._failures, MOST_PATIENCE)

    def _send(self, *order: Any) -> None:
        if self._link is not None:
            with contextlib.suppress(OSError):
                self._link.send(order)

    def poll(self) -> list[Seen]:
        """What came since the last poll; kills and restarts a process that gives nothing."""
        now = self._clock.monotonic()
        if self._restart_at is not None:
            if now >= self._restart_at:
                self.restarts += 1
                self._start()
            return []
        seen: list[Seen] = []
        try:
            while self._link is not None and self._link.poll():
                message = self._link.recv()
                if isinstance(message, Trouble):
                    self._fail(message.text, permanent=message.permanent)
                    return seen
                if isinstance(message, Opened):
                    # The reader warms up now, which takes a slow machine some seconds.
                    self.seeing.opened = message
                    self._deadline = now + self._patience
                else:
                    self.seeing.came(message, now)
                    seen.append(message)
        except (EOFError, OSError):
            self._fail("the camera process has ended by itself")
            return seen
        if seen:
            self._deadline = now + FRAME_LIMIT
            self._failures = 0
            self.problem = None
        elif now > self._deadline:
            self._fail("the camera does not answer")
        return seen

    def _fail(self, problem: str, *, permanent: bool = False) -> None:
        """Give the process up; a fault that can pass by itself is tried again after a pause."""
        self.problem = problem
        self._kill()
        if permanent:
            self._restart_at = float("inf")
            return
        pause = PAUSES[min(self._failures, len(PAUSES) - 1)]
        self._failures += 1
        self._restart_at = self._clock.monotonic() + pause

    def _kill(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None
        if self._process is not None:
            # Not terminate(): a process stuck in the driver does not heed SIGTERM.
            self._process.kill()
            self._process.join(1.0)
            self._process = None

    def due(self, dice: int) -> None:
        """See `Eye`."""
        if dice != self._due:
            self._due = dice
            self._send("due", dice)

    def throw(self, dice: int, kept: Sequence[int] = ()) -> None:
        """See `Eye`."""
        self._send("throw", dice, tuple(kept))

    def close(self) -> None:
        """Stop the process; may be called twice."""
        self._kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
