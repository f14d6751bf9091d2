"""How long a start takes: to the first picture on the screen, and until a throw can be read."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path

from firmware.clock import Clock

log = logging.getLogger(__name__)

NAMES = ("first picture", "ready")
"""On the screen; and the first picture of the tray, the reader warmed up."""


class Milestones:
    """Each is reached once; the log tells when, counted from the start of this process."""

    def __init__(self, clock: Clock, since: float | None = None) -> None:
        """`since`: when the process began, in seconds of the clock; asked of the system if None."""
        self.times: dict[str, float] = {}
        """Seconds from the start of the process."""
        self._clock = clock
        self._since = process_began() if since is None else since
        self._then: Callable[[], None] = lambda: None

    def reached(self, name: str) -> bool:
        """Note that this has happened now; True the first time."""
        if name in self.times:
            return False
        self.times[name] = self._clock.monotonic() - self._since
        log.info("%s after %.1f s", name, self.times[name])
        if len(self.times) == len(NAMES):
            self._then()
        return True

    def then(self, call: Callable[[], None]) -> None:
        """Call this once all are reached."""
        self._then = call

    def __str__(self) -> str:
        return ", ".join(f"{name} after {took:.2f} s" for name, took in self.times.items())


def process_began() -> float:
    """When this process was started, in seconds since the start of the machine."""
    # The command's name stands in brackets and may have spaces: count from behind it.
    fields = Path("/proc/self/stat").read_text(encoding="utf-8", errors="replace")
    ticks = int(fields.rpartition(")")[2].split()[19])
    return ticks / os.sysconf("SC_CLK_TCK")
