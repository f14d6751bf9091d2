"""What happens on the simulated table: dice lie, roll, are taken; a hand comes and goes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from vision.cameras.softcam.dice import VALUES, top_corners, top_face
from vision.cameras.softcam.hand import Hand
from vision.cameras.softcam.lens import CUBE_TURNS, Array, Lens, about, matrix
from vision.cameras.softcam.motion import Motion
from vision.cameras.softcam.space import EDGE, HALF, RIB_NEAR
from vision.reading import Problem, Zone
from vision.recording import DieTruth, Truth
from vision.watch import State

FLAT = 3.0
"""A die that tilts more, in degrees, has no valid reading."""
SHUTTER = 0.010
"""Seconds."""
AWAY = -27.5
"""Where a hand's palm is when its fingers are just out of the picture, in centimetres."""


@dataclass(slots=True, eq=False)
class TableDie:
    """A die on the table."""

    place: Array
    turn: Array
    zone: Zone = Zone.TRAY
    moves: bool = False
    before: Array | None = None
    """Where it was when the shutter opened."""

    @property
    def value(self) -> int:
        """The face that is most nearly up."""
        return VALUES[top_face(self.turn)[0]]


@dataclass(slots=True)
class Table:
    """All there is to see."""

    dice: list[TableDie] = field(default_factory=list)
    hand: Hand | None = None

    @property
    def state(self) -> State:
        """What a perfect watcher would say."""
        if self.hand:
            return State.HAND
        if any(die.moves for die in self.dice):
            return State.MOVING
        return State.AT_REST if self.dice else State.EMPTY

    def truth(self, lens: Lens) -> Truth:
        """The truth of this moment, in pixels of the lens."""
        dice = tuple(self._die_truth(die, lens) for die in self.dice)
        early = {State.HAND: Problem.HAND, State.MOVING: Problem.MOVING}.get(self.state)
        problems = tuple(dict.fromkeys(p for die in dice for p in die.problems))
        if early:
            return Truth(None, dice, (early, *problems))
        if problems:
            return Truth(None, dice, problems)
        return Truth(tuple(sorted((d.value for d in self.dice), reverse=True)), dice)

    def _die_truth(self, die: TableDie, lens: Lens) -> DieTruth:
        corners = lens.project(top_corners(die.place, die.turn))
        a, b, c, d = ((float(x), float(y)) for x, y in corners)
        centre = (float(corners[:, 0].mean()), float(corners[:, 1].mean()))
        problems = self._problems(die)
        value = None if problems else die.value
        return DieTruth(value, centre, (a, b, c, d), die.zone, problems)

    def _problems(self, die: TableDie) -> tuple[Problem, ...]:
        if top_face(die.turn)[1] > FLAT:
            return (Problem.COCKED,)
        above = [
            other
            for other in self.dice
            if other is not die
            and other.place[2] > die.place[2] + EDGE / 2
            and np.hypot(*(other.place - die.place)[:2]) < EDGE
        ]
        if above or die.place[2] > EDGE * 0.6:
            return (Problem.STACKED,)
        return ()


class Act(Protocol):
    """Something that happens over time."""

    seconds: float

    def show(self, table: Table, time: float) -> None:
        """Make the table what it is `time` seconds into the act; called with growing times.

        The last call is with `seconds`.
        """
        ...


class Roll:
    """Dice come flying in and roll until they lie; the last one may spin on its corner first."""

    SPIN = 1.6  # seconds

    def __init__(self, motion: Motion, turns: Sequence[Array], *, spin: bool) -> None:
        self.motion, self.turns, self.spin = motion, turns, spin
        self.seconds = motion.seconds + (self.SPIN if spin else 0.0)
        self.dice: list[TableDie] | None = None

    def show(self, table: Table, time: float) -> None:
        """Move the dice; put them on the table at the first call."""
        if self.dice is None:
            self.dice = [TableDie(np.zeros(3), np.eye(3)) for _ in self.turns]
            table.dice += self.dice
        poses, before = self.motion.at(time), self.motion.at(time - SHUTTER)
        for i, (die, turn) in enumerate(zip(self.dice, self.turns, strict=True)):
            die.place, die.turn = poses[i, :3], matrix(poses[i, 3:]) @ turn
            die.before = before[i, :3]
            die.moves = time < self.motion.seconds
        if self.spin:
            self._spin(self.dice[-1], time - self.motion.seconds)

    def _spin(self, die: TableDie, time: float) -> None:
        """Up on a corner, round and round, slower and slower, then over."""
        left = self.SPIN - time
        if left <= 1e-6:
            return
        die.moves = True
        # It stands on its corner most of the time and tips over in the last moments.
        lift = min(1.0, left / 0.3) * min(1.0, max(0.0, time + 0.6) / 0.6)
        tip = math.atan(1 / math.sqrt(2)) * lift
        angle = 2 * math.pi * (3.0 * time - 3.0 * time * time / (2 * self.SPIN) + 0.3)
        rest = math.pi / 4 * lift
        die.turn = about(2, angle * lift) @ about(1, tip) @ about(0, rest) @ die.turn
        half = float(np.abs(die.turn[2]).sum()) * EDGE / 2
        die.place = np.array([die.place[0], die.place[1], max(half, die.place[2])])


class Reach:
    """A hand comes from the near edge, visits places one after the other, and leaves."""

    TRAVEL, VISIT = 0.33, 0.16  # seconds

    def __init__(
        self,
        visits: Sequence[tuple[float, float, Callable[[Table], None]]],
        *,
        dwell: float = 0.0,
        fist: bool = True,
    ) -> None:
        """`visits`: x, y, and what is done when the hand is there; `dwell`: how long it stays."""
        self.visits = list(visits)
        self.seconds = 2 * self.TRAVEL + self.VISIT * len(self.visits) + dwell
        first, last = self.visits[0], self.visits[-1]
        begin, end = self.TRAVEL, self.seconds - self.TRAVEL
        step = (end - begin) / len(self.visits)
        self.stops = [(0.0, first[0], AWAY, 0.0)]
        for i, (x, y, _) in enumerate(self.visits):
            curl = (i + 0.5) / len(self.visits) if fist else 0.3
            self.stops.append((begin + i * step, x, y - 5.0, curl))
        self.stops.append((end, last[0], last[1] - 5.0, 1.0 if fist else 0.3))
        self.stops.append((self.seconds, last[0], AWAY, 1.0 if fist else 0.0))
        self.done = 0

    def show(self, table: Table, time: float) -> None:
        """Move the hand and do what is due."""
        # A place is dealt with when the hand is over it, which hides what happens there.
        while self.done < len(self.visits) and time >= self.stops[self.done + 1][0]:
            self.visits[self.done][2](table)
            self.done += 1
        if time >= self.seconds:
            table.hand = None
            return
        times = [stop[0] for stop in self.stops]
        x, y, curl = (
            float(np.interp(time, times, [stop[k] for stop in self.stops])) for k in (1, 2, 3)
        )
        table.hand = Hand(x, y, heading=-1.2 * x, curl=curl)


@dataclass(slots=True)
class Now:
    """A change that takes no time."""

    change: Callable[[Table], None]
    seconds: float = 0.0

    def show(self, table: Table, time: float) -> None:
        """Do it."""
        self.change(table)


def lay(value: int, slot: int, rng: np.random.Generator) -> TableDie:
    """A die in the keep rail; slots 0 to 4 from left to right."""
    place = np.array([(slot - 2) * 2.6, (RIB_NEAR - HALF) / 2, EDGE / 2])
    place[:2] += rng.uniform(-0.25, 0.25, 2)
    return TableDie(place, about(2, rng.uniform(-0.4, 0.4)) @ upright(value, rng), Zone.RAIL)


def upright(value: int, rng: np.random.Generator) -> Array:
    """A turn that shows this value, one of four at random."""
    fitting = [turn for turn in CUBE_TURNS if VALUES[top_face(turn)[0]] == value]
    return fitting[rng.integers(len(fitting))]


def renumber(motion: Motion, values: Sequence[int | None], rng: np.random.Generator) -> list[Array]:
    """For each die a turn of its numbers, so that it ends with this value (None: any) up."""
    turns = []
    for pose, value in zip(motion.poses[-1], values, strict=True):
        end = matrix(pose[3:])
        fitting = [t for t in CUBE_TURNS if value in (None, VALUES[top_face(end @ t)[0]])]
        turns.append(fitting[rng.integers(len(fitting))])
    return turns
