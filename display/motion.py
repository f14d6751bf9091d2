"""Things that move to where they go: chips to a bet, roles round the table, the pot to its winner.

A scene says where a thing belongs; when that place has changed since the last picture, the thing
is drawn on its way there. Nothing waits for it: what the picture says is true at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

DURATION: Final = 0.6
"""Seconds that a thing is on its way."""

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Move:
    origin: Place
    target: Place
    began: float
    seconds: float

    def at(self, now: float) -> tuple[Place, bool]:
        """Where it is at a moment, and whether it is still on its way."""
        share = min(1.0, max(0.0, (now - self.began) / self.seconds))
        if share >= 1.0 or self.origin == self.target:
            return self.target, False
        gone = 1 - (1 - share) ** 3
        x = self.origin[0] + (self.target[0] - self.origin[0]) * gone
        y = self.origin[1] + (self.target[1] - self.origin[1]) * gone
        return (x, y), True


class Motion:
    """Remembers from picture to picture where everything was."""

    def __init__(self) -> None:
        self._moves: dict[str, _Move] = {}
        self._seen: set[str] = set()

    def at(
        self,
        name: str,
        target: Place,
        now: float,
        start: Place | None = None,
        seconds: float = DURATION,
    ) -> tuple[Place, bool]:
        """Where the thing `name` is now on its way to `target`, and whether it is on its way.

        A thing that was not there before comes from `start`, or stands at its target at once. It
        takes `seconds`.
        """
        self._seen.add(name)
        move = self._moves.get(name)
        if move is None:
            move = _Move(start or target, target, now, seconds)
        elif move.target != target:
            move = _Move(move.at(now)[0], target, now, seconds)
        self._moves[name] = move
        return move.at(now)

    def end_picture(self) -> None:
        """Forget what was not in this picture; a picture without such things forgets nothing."""
        if self._seen:
            self._moves = {name: self._moves[name] for name in self._seen}
        self._seen.clear()
