"""What takes two presses takes them within some seconds, or the next hand would finish it."""

from __future__ import annotations

ARMED_FOR = 8.0
"""Seconds in which the second press must come; after that the first must be made anew."""


class TwoPresses:
    """Watches whether the first of two presses has grown too old."""

    def __init__(self) -> None:
        self._since: float | None = None

    def too_late(self, armed: bool, now: float) -> bool:
        """Whether what is `armed` must be forgotten; to be asked at every turn.

        `now` is in seconds of a clock that never goes back.
        """
        if not armed:
            self._since = None
        elif self._since is None:
            self._since = now
        elif now - self._since > ARMED_FOR:
            self._since = None
            return True
        return False
