"""The eye of the soak: says what lies in the tray, rightly or wrongly, as the player plans it."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence

import numpy as np

from firmware.eye import InlineEye
from firmware.seen import Seeing, Seen
from vision.cameras.recording import RecordingCamera
from vision.reading import Die, Image, Problem, Reading
from vision.watch import Sight, State


class SoakEye:
    """Tells throws of its own, or, when `recorded` is set, what the reader makes of a picture."""

    def __init__(self, chance: random.Random, real: InlineEye | None) -> None:
        self.problem: str | None = None
        self.seeing = Seeing()
        self.plan = "plain"
        """What the next throw is like: plain, hand, knock, misread, unreadable, count, recorded."""
        self.faces: tuple[int, ...] = ()
        """What truly lies in the tray, high to low."""
        self._chance = chance
        self._real = real
        self._looking = False
        self._sights: deque[Sight] = deque()
        self._resting = Sight(State.EMPTY)
        self._number = 0
        self._picture: Image = np.full((120, 160, 3), 90, np.uint8)

    def poll(self) -> list[Seen]:
        """One picture a turn of the main loop."""
        if self.problem is not None:
            return []
        if self._looking and self._real is not None:
            return self._real.poll()
        if not self._sights:
            return [Seen(self._resting, self._picture, self._number)]
        self._number += 1
        return [Seen(self._sights.popleft(), self._picture, self._number)]

    def due(self, dice: int) -> None:
        """See `firmware.eye.Eye`."""
        if self._real is not None:
            self._real.due(dice)

    def throw(self, dice: int, kept: Sequence[int] = ()) -> None:
        """Throw as planned."""
        self.clear()
        if self.plan == "recorded" and self._real is not None:
            self._looking = True
            self._real.throw(dice)
            return
        self.faces = self.roll(dice)
        moving = [Sight(State.EMPTY), Sight(State.MOVING), Sight(State.AT_REST)]
        self._sights.extend(moving)
        if self.plan == "hand":
            self._sights.extendleft([Sight(State.HAND)] * 2)
        if self.plan == "knock":
            self._lie(self.faces)
            self._sights.append(Sight(State.MOVING))
            self.faces = self.roll(dice)
        shown = list(self.faces)
        if self.plan == "misread":
            shown[0] = shown[0] % 6 + 1
        elif self.plan == "count":
            shown.append(self._chance.randint(1, 6))
        problem = Problem.COCKED if self.plan == "unreadable" else None
        self._lie(shown, problem)

    def _lie(self, faces: Sequence[int], problem: Problem | None = None) -> None:
        """A new throw has come to rest and is read so."""
        reading = as_read(faces, self.faces, problem)
        self._sights.append(Sight(State.AT_REST, reading, True))
        self._resting = Sight(State.AT_REST, reading, False)

    @property
    def has_recordings(self) -> bool:
        """Throws may be recorded pictures."""
        return self._real is not None

    @property
    def busy(self) -> bool:
        """More is about to happen in the tray."""
        return bool(self._sights)

    def knock(self) -> None:
        """The table is knocked; the dice stay as they are."""
        self._sights.extend([Sight(State.MOVING), Sight(State.MOVING)])

    def clear(self) -> None:
        """The tray is emptied."""
        self._sights.clear()
        self._resting = Sight(State.EMPTY)
        if self._looking:
            self._looking = False
            assert self._real is not None
            camera = self._real.camera
            if isinstance(camera, RecordingCamera):
                camera.clear()

    @property
    def truth(self) -> tuple[int, ...] | None:
        """Values of the recorded throw that lies there; None when there is no valid reading."""
        assert self._real is not None
        camera = self._real.camera
        assert isinstance(camera, RecordingCamera)
        return camera.recording.truth.values

    def roll(self, dice: int) -> tuple[int, ...]:
        """Faces of fair dice, high to low."""
        return tuple(sorted((self._chance.randint(1, 6) for _ in range(dice)), reverse=True))

    def close(self) -> None:
        """See `firmware.eye.Eye`."""
        if self._real is not None:
            self._real.close()


def as_read(faces: Sequence[int], truth: Sequence[int], problem: Problem | None = None) -> Reading:
    """A reading of these faces; a die that is misread has its true face as alternative."""
    dice = []
    for i, face in enumerate(faces):
        true = truth[i] if i < len(truth) else face
        x, y = 20.0 + 25 * i, 60.0
        corners = ((x - 8, y - 8), (x + 8, y - 8), (x + 8, y + 8), (x - 8, y + 8))
        other = true if true != face else face % 6 + 1
        sure = 0.99 if true == face else 0.9
        dice.append(Die(face, sure, (x, y), corners, alternative=other))
    return Reading(tuple(dice), (problem,) if problem else (), (160, 120))
