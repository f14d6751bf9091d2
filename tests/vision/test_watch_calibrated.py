"""The watcher of a calibrated table: a pushed camera is not read, an empty tray has no dice."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from vision.anchors import Trouble
from vision.calibration import Measures, calibrate
from vision.cameras.simulated import SimulatedCamera
from vision.cameras.softcam.space import BUILT
from vision.reading import Die, Image, Problem, Reading
from vision.watch import Sight, State, Watcher

SIZE = (640, 480)


class Stage:
    """The built table with its calibrated watcher; the truth is read, and `ghosts` besides."""

    def __init__(self, camera: SimulatedCamera) -> None:
        self.camera = camera
        self.ghosts: list[tuple[float, float]] = []
        self.asked = self.checked = 0
        self.known = calibrate(camera.read(1).image, Measures(angle=51.9), camera="s").calibration
        self.watcher = Watcher(self.read, check=self.check, empty=self.known.empty)
        self.due: int | None = None

    def check(self, image: Image) -> Trouble | None:
        self.checked += 1
        return self.known.anchors.check(image).trouble

    def read(self, image: Image, due: int | None) -> Reading:
        self.asked += 1
        dice = [
            Die(d.value, 1.0, d.centre, d.corners, d.zone, d.problems[0] if d.problems else None)
            for d in self.camera.truth.dice
        ]
        for x, y in self.ghosts:
            corners = ((x - 11, y - 11), (x + 11, y - 11), (x + 11, y + 11), (x - 11, y + 11))
            dice.append(Die(None, 0.0, (x, y), corners, problem=Problem.UNCLEAR))
        problems = [die.problem for die in dice if die.problem]
        if not dice:
            problems.append(Problem.NO_DICE)
        elif due is not None and due != len(dice):
            problems.append(Problem.WRONG_COUNT)
        return Reading(tuple(dice), tuple(dict.fromkeys(problems)), SIZE)

    def look(self, frames: int) -> list[Sight]:
        return [self.watcher.update(self.camera.read(1), self.due) for _ in range(frames)]

    def throw(self, *values: int) -> list[Sight]:
        self.due = len(values)
        self.camera.throw(len(values), values=values)
        sights = self.look(1)
        while self.camera.busy:
            sights += self.look(1)
        return sights + self.look(25)


@pytest.fixture(scope="module")
def camera() -> SimulatedCamera:
    return SimulatedCamera(
        seed=4, size=SIZE, paced=False, hands=False, stand=BUILT, felt="beige", light="ceiling"
    )


@pytest.fixture
def stage(camera: SimulatedCamera) -> Iterator[Stage]:
    camera.clear()
    camera.read(1)
    yield Stage(camera)
    camera.push()
    camera.cover(0)


def news(sights: list[Sight]) -> list[tuple[int, ...] | None]:
    return [s.reading.values for s in sights if s.new and s.reading is not None]


def test_a_throw_is_read_and_the_camera_looked_after(stage: Stage) -> None:
    stage.look(6)
    assert news(stage.throw(6, 5)) == [(6, 5)]
    before, asked = stage.checked, stage.asked
    stage.look(45)
    assert 2 <= stage.checked - before <= 4  # once a second, not at every frame
    assert stage.asked == asked


@pytest.mark.parametrize("ghost", [(60.0, 60.0), (540.0, 240.0), (320.0, 300.0)])
def test_what_was_there_when_the_tray_was_empty_is_no_die(
    stage: Stage, ghost: tuple[float, float]
) -> None:
    stage.ghosts = [ghost]
    assert stage.look(8)[-1].state is State.EMPTY
    assert news(stage.throw(4, 2, 1)) == [(4, 2, 1)]
    assert news(stage.throw(6, 3)) == [(6, 3)]
    stage.camera.dim(0.6, 3.0)
    assert news(stage.throw(5, 5)) == [(5, 5)]


def test_without_what_was_learned_the_ghost_would_hide_the_throw(stage: Stage) -> None:
    stage.ghosts = [(60.0, 60.0)]
    stage.watcher = Watcher(stage.read)
    stage.look(8)
    assert news(stage.throw(4, 2, 1)) == []


def test_real_dice_are_never_taken_for_the_empty_tray(stage: Stage) -> None:
    stage.look(8)
    for values in ((1,), (6, 6), (3, 2, 1), (5, 4, 4, 3, 1)):
        assert news(stage.throw(*values)) == [tuple(sorted(values, reverse=True))]


def test_a_pushed_camera_is_reported_and_not_read(stage: Stage) -> None:
    stage.look(8)
    stage.camera.push(right=9)
    sights = stage.look(8)
    assert sights[-1].trouble is Trouble.MOVED
    assert sights[-1].reading is None
    sights = stage.throw(6, 5)
    assert news(sights) == []
    assert all(s.trouble is Trouble.MOVED for s in sights)
    stage.camera.push()  # put back: what was thrown meanwhile is read now
    assert news(stage.look(25)) == [(6, 5)]


def test_a_push_while_dice_lie_there_is_noticed_as_well(stage: Stage) -> None:
    stage.look(8)
    assert news(stage.throw(6, 5)) == [(6, 5)]
    stage.camera.push(turn=2)
    assert stage.look(8)[-1].trouble is Trouble.MOVED
    stage.camera.push()
    sights = stage.look(25)
    assert sights[-1].trouble is None
    assert news(sights) == []  # it is the same throw


def test_a_covered_camera_is_reported_and_heals(stage: Stage) -> None:
    stage.look(8)
    stage.camera.cover(1.0)
    assert stage.look(60)[-1].trouble is Trouble.COVERED
    stage.camera.cover(0)
    assert stage.look(8)[-1].trouble is None
    assert stage.look(20)[-1].state is State.EMPTY


def test_a_calibration_of_another_size_is_not_used_for_ghosts(stage: Stage) -> None:
    stage.watcher = Watcher(stage.read, empty=np.zeros((90, 160), np.uint8))
    stage.look(8)
    assert news(stage.throw(6, 5)) == [(6, 5)]
