"""What lies in the tray, as far as the table knows.

A reading belongs to one throw and is used once: confirmed, it stands for the dice that still lie
there, and they must move or leave before anything counts again. Whatever is not certain any more
(the dice went, other dice lie there, the camera is gone) is forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from display.view import Watch
from vision.anchors import Trouble
from vision.reading import Image, Reading
from vision.watch import Sight, State


class Lying:
    """The dice in the tray."""

    def __init__(self) -> None:
        self.state = State.EMPTY
        self.trouble: Trouble | None = None
        """The camera was moved or covered: its pictures tell nothing of the dice."""
        self._pictures = True
        self.reading: Reading | None = None
        """What was read of a throw that has not been used yet."""
        self.picture: Image | None = None
        """The newest picture, for the screen."""
        self.picture_number = 0
        self.shot: Image | None = None
        """The picture in which the throw was read: it is the evidence, not what came later."""
        self.about: Mapping[str, Any] = {}
        """What the camera said of that picture: exposure, gain, focus …"""
        self._used: Reading | None = None
        """What was last confirmed, while those dice still lie there."""
        self._lies_read = False
        """What lies there has been read since it last moved or was hidden."""

    def see(
        self,
        sight: Sight,
        image: Image | None,
        number: int,
        about: Mapping[str, Any],
        *,
        due: bool,
    ) -> bool:
        """The camera saw this; True when it is a new throw. `due`: one is waited for."""
        self._pictures, self.trouble = True, sight.trouble
        self.state = sight.state
        if image is not None:
            self.picture, self.picture_number = image, number
        if sight.trouble is not None:
            self.reading = None
            return False
        self._lies_read = sight.state is State.AT_REST and (
            self._lies_read or sight.reading is not None
        )
        if sight.new and sight.reading is not None:
            # Dice that were thrown before they were due do not count.
            self.reading = sight.reading if due else None
            self.shot, self.about = self.picture, about
            self._used = None
            return True
        if sight.state is State.EMPTY:
            self.forget()
        elif sight.reading is not None:
            self._forget_unless_same(sight.reading)
        return False

    def _forget_unless_same(self, lying: Reading) -> None:
        """Other dice lie there than were read as a throw: what was read must not be confirmed.

        The watcher does not call them new, so they are no throw either.
        """
        if self.reading is not None and not same_faces(self.reading, lying):
            self.reading = None
        if self._used is not None and not same_faces(self._used, lying):
            self._used = None

    def lost(self) -> None:
        """There is no picture: nothing that was read stands any more."""
        self._pictures, self.trouble = False, None
        self.reading = None

    @property
    def camera(self) -> bool:
        """There are pictures that can be trusted."""
        return self._pictures and self.trouble is None

    def use(self) -> None:
        """What was read has been confirmed, or done with in another way."""
        self._used, self.reading = self.reading or self._used, None

    def bring_back(self) -> None:
        """The throw is taken back: the dice lie there as if they had not been confirmed."""
        self.reading = self._used

    def forget(self) -> None:
        """Nothing that was read stands any more."""
        self.reading = self._used = None

    @property
    def still(self) -> bool:
        """A throw that was not used yet lies still in sight."""
        return self.reading is not None and self._lies_read

    @property
    def busy(self) -> bool:
        """Somebody reaches for the dice, or they roll."""
        return self.state in (State.HAND, State.MOVING)

    def watch(self, *, due: bool) -> Watch:
        """What the screen says of the tray; `due`: a throw is waited for."""
        if not self.camera:
            return Watch.LOST if self.trouble is None else Watch(self.trouble.value)
        if not due:
            return Watch.OFF
        if self.state is State.AT_REST:
            return Watch.REST if self.reading is not None else Watch.SAME
        return {
            State.EMPTY: Watch.EMPTY,
            State.HAND: Watch.HAND,
            State.MOVING: Watch.MOVING,
        }[self.state]


def same_faces(one: Reading, other: Reading) -> bool:
    """Whether two readings show the same faces in the same zones, unread dice included."""
    return sorted((die.zone, die.value or 0) for die in one.dice) == sorted(
        (die.zone, die.value or 0) for die in other.dice
    )
