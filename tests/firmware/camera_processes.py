"""Camera processes that misbehave; run in a process of their own by test_eye."""

from __future__ import annotations

import os
import time
from multiprocessing.connection import Connection
from typing import Any

from firmware.seen import Opened, Seen, Trouble


def two_pictures(link: Connection, settings: Any) -> None:
    """Answers every order with what it was, as a picture stands for it."""
    while True:
        link.send(Seen(("order", *link.recv()), None, 0))


def stuck(link: Connection, settings: Any) -> None:
    """A driver that never returns, not even when it is asked to end."""
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    link.send(Seen(("pid", os.getpid()), None, 0))
    while True:
        time.sleep(60)


def dies(link: Connection, settings: Any) -> None:
    """Ends at once, as after a segmentation fault in a driver."""
    os._exit(139)


def refuses(link: Connection, settings: Any) -> None:
    """A camera that is not there."""
    link.send(Trouble("no camera is connected: check the ribbon cable"))


def lacks_its_library(link: Connection, settings: Any) -> None:
    """A camera that no trying again can bring back."""
    link.send(Trouble("the Pi's camera needs picamera2", permanent=True))


def begins(link: Connection, settings: Any) -> None:
    """A camera that says what it is and gives one picture."""
    link.send(Opened("imx708 (picamera2)", (1280, 960)))
    link.send(Seen(("picture",), None, 0, {"ExposureTime": 10_000}))
    link.recv()
    link.recv()


def opens_and_is_stuck(link: Connection, settings: Any) -> None:
    """A camera that opens and gives no picture."""
    link.send(Opened("imx708 (picamera2)", (1280, 960)))
    time.sleep(600)
