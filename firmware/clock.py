"""Time, injected: the table's clock and the tests' clock.

Durations are measured with `monotonic`, never with `wall`: a Raspberry Pi has no clock of its own
and sets the time once the network answers, by days, in the middle of a game.
"""

from __future__ import annotations

import time
from typing import Protocol

# The first commit of this program. A clock that shows an earlier time has not been set.
_BORN = 1_796_040_000.0


class Clock(Protocol):
    """What the table needs of time."""

    def monotonic(self) -> float:
        """Seconds since some moment; never goes back."""
        ...

    def wall(self) -> float:
        """Seconds since 1970 in UTC, as far as anybody knows; may jump either way."""
        ...

    def sleep(self, seconds: float) -> None:
        """Let that much time pass."""
        ...


class SystemClock:
    """The clock of the machine."""

    def monotonic(self) -> float:
        """Seconds since the start of the machine."""
        return time.monotonic()

    def wall(self) -> float:
        """Seconds since 1970 in UTC."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


class FakeClock:
    """A clock that moves only when it is told to."""

    def __init__(self, monotonic: float = 0.0, wall: float = 1_800_000_000.0) -> None:
        self._monotonic = monotonic
        self._wall = wall

    def monotonic(self) -> float:
        """Seconds advanced so far, from where it was set."""
        return self._monotonic

    def wall(self) -> float:
        """Seconds since 1970 in UTC, jumps included."""
        return self._wall

    def sleep(self, seconds: float) -> None:
        """The same as `advance`."""
        self.advance(seconds)

    def advance(self, seconds: float) -> None:
        """Let time pass on both clocks; ValueError when it would go back."""
        if seconds < 0:
            raise ValueError("time does not go back; use jump() for the wall clock")
        self._monotonic += seconds
        self._wall += seconds

    def jump(self, seconds: float) -> None:
        """Set the wall clock by so much, either way; the monotonic clock does not notice."""
        self._wall += seconds


def clock_is_set(wall: float) -> bool:
    """Whether a wall clock can be right: it is not older than this program."""
    return wall >= _BORN
