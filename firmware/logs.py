"""The program's log: to standard error, and never so much that it fills a card.

Under systemd the journal keeps it, with limits of its own (`systemd/journald.conf`). An error that
comes back at every turn of the main loop would still push everything else out of it, so after a
burst only the count of what was left out is told.
"""

from __future__ import annotations

import logging

from firmware.clock import Clock

BURST = 100
"""So many lines may come at once ..."""
PER_SECOND = 0.2
"""... and so many a second for ever: 3 MiB a day at the very worst."""


class Brake(logging.Filter):
    """Lets a burst of lines through, then a few a second; says how many it has left out."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        self._room = float(BURST)
        self._at = clock.monotonic()
        self._left_out = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this line goes out; the next one that does tells what did not."""
        now = self._clock.monotonic()
        self._room = min(BURST, self._room + (now - self._at) * PER_SECOND)
        self._at = now
        if self._room < 1:
            self._left_out += 1
            return False
        self._room -= 1
        if self._left_out:
            record.msg = f"{record.getMessage()} ({self._left_out} lines before this left out)"
            record.args = ()
            self._left_out = 0
        return True


def start(clock: Clock) -> None:
    """Log from now on, with the brake on."""
    logging.basicConfig(level=logging.INFO, format="dicetable: %(message)s")
    for handler in logging.getLogger().handlers:
        handler.addFilter(Brake(clock))
