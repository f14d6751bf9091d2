"""Camera processes that misbehave; run in a process of their own by test_eye."""

from __future__ import annotations

import os
import time
from multiprocessing.connection import Connection
from typing import Any


def two_pictures(link: Connection, settings: Any) -> None:
    """Answers every order with what it was, as a picture stands for it."""
    while True:
        link.send(("order", *link.recv()))


def stuck(link: Connection, settings: Any) -> None:
    """A driver that never returns, not even when it is asked to end."""
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    link.send(("pid", os.getpid()))
    while True:
        time.sleep(60)


def dies(link: Connection, settings: Any) -> None:
    """Ends at once, as after a segmentation fault in a driver."""
    os._exit(139)


def refuses(link: Connection, settings: Any) -> None:
    """A camera that is not there."""
    link.send("no camera is connected: check the ribbon cable")
