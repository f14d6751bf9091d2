"""Record how thrown dice move, for the simulated camera.

    python tests/recordings/throw_motion.py vision/cameras/softcam/motion.npz

Needs pybullet (zlib licence), which the product itself never imports. Bullet throws rounded cubes
into the tray of `vision.cameras.softcam.space`; what is kept of each throw are the poses of its
dice, 40 a second, from outside the picture to rest. The values do not matter here: a cube may be
renumbered in 24 ways without changing how it moves.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator

import numpy as np
import pybullet as pb

from vision.cameras.softcam.motion import LEANING, LYING, Kind, pack
from vision.cameras.softcam.space import (
    EDGE,
    HALF,
    RIB_FAR,
    RIB_HEIGHT,
    ROUNDING,
    WALL_HEIGHT,
    WALL_THICK,
)

HZ = 600  # steps of the physics a second
RECORD_HZ = 40
PRELUDE = 0.3  # seconds of flight before the physics starts
WANTED = {  # number of dice -> how many throws that lie well, how many with a die that leans
    1: (30, 6),
    2: (70, 10),
    3: (60, 10),
    4: (36, 8),
    5: (60, 10),
}


def hull() -> list[list[float]]:
    """Points whose hull is a cube with rounded edges."""
    core, points = EDGE / 2 - ROUNDING, []
    for signs in itertools.product((-1, 1), repeat=3):
        for a, b in itertools.product(np.linspace(0, np.pi / 2, 4), repeat=2):
            out = np.array([np.cos(a) * np.sin(b), np.sin(a) * np.sin(b), np.cos(b)])
            points.append((np.array(signs) * (core + ROUNDING * out)).tolist())
    return points


class World:
    """A tray with unseen high walls above its walls, and dice."""

    def __init__(self, count: int) -> None:
        pb.resetSimulation()
        pb.setGravity(0, 0, -981)
        pb.setPhysicsEngineParameter(
            fixedTimeStep=1 / HZ,
            numSolverIterations=60,
            restitutionVelocityThreshold=4.0,
            contactBreakingThreshold=0.02,
        )
        self.floor = self.box((60, 60, 5), (0, 0, -5), 0.45, 0.85)
        centre, deep = (HALF + RIB_FAR) / 2, (HALF - RIB_FAR) / 2
        self.walls = []
        for side in (-1, 1):
            self.walls += self.wall((WALL_THICK / 2, 30), (side * (HALF + WALL_THICK / 2), 0))
        self.walls += self.wall((30, WALL_THICK / 2), (0, HALF + WALL_THICK / 2))
        self.walls += self.wall((30, 0.3), (0, RIB_FAR - 0.3), RIB_HEIGHT)
        self.middle, self.reach = np.array([0, centre]), np.array([HALF, deep])
        shape = pb.createCollisionShape(pb.GEOM_MESH, vertices=hull())
        mass = 1.2e-3 * EDGE**3
        inertia = [mass * EDGE**2 / 6] * 3
        self.dice = []
        for i in range(count):
            die = pb.createMultiBody(mass, shape, -1, [0, 0, 20 + 3 * i])
            pb.changeDynamics(
                die,
                -1,
                lateralFriction=0.9,
                restitution=0.6,
                rollingFriction=0.002,
                spinningFriction=0.006,
                linearDamping=0.01,
                angularDamping=0.04,
                localInertiaDiagonal=inertia,
            )
            self.dice.append(die)

    def box(self, half, at, friction, restitution) -> int:
        shape = pb.createCollisionShape(pb.GEOM_BOX, halfExtents=list(half))
        body = pb.createMultiBody(0, shape, -1, list(at))
        pb.changeDynamics(body, -1, lateralFriction=friction, restitution=restitution)
        return body

    def wall(self, half, at, height=WALL_HEIGHT) -> list[int]:
        self.box((*half, 30), (*at, height + 30), 0.1, 0.3)  # keeps the dice in; no one sees it
        return [self.box((*half, height / 2), (*at, height / 2), 0.4, 0.7)]

    def throw(self, rng: np.random.Generator) -> Iterator[np.ndarray]:
        """Poses (dice, 7) 40 times a second; ends when all lie still."""
        angle = rng.uniform(0, 2 * np.pi)
        start = self.middle + self.reach * 0.8 * np.array([np.cos(angle), np.sin(angle)])
        aim = self.middle + self.reach * rng.uniform(-0.5, 0.5, 2) - start
        velocity = aim / np.linalg.norm(aim) * rng.uniform(80, 210)
        places: list[np.ndarray] = []
        spread = np.array([1, 1, 0.8]) * (1.6 + 0.25 * len(self.dice))
        low, high = self.middle - self.reach + 1.6, self.middle + self.reach - 1.6
        turn = rng.normal(size=3)
        for die in self.dice:
            while True:
                at = np.array([*start, rng.uniform(6, 11)]) + rng.normal(size=3) * spread
                at[:2] = np.clip(at[:2], low, high)
                at[2] = max(at[2], 3)
                if all(np.linalg.norm(at - p) > EDGE * 1.75 for p in places):
                    break
            places.append(at)
            pose = rng.normal(size=4)
            pb.resetBasePositionAndOrientation(
                die, at.tolist(), (pose / np.linalg.norm(pose)).tolist()
            )
            speed = np.array([*velocity, rng.uniform(-60, 10)]) + rng.normal(0, 8, 3)
            spin = turn * 12 + rng.normal(0, 15, 3)
            pb.resetBaseVelocity(die, speed.tolist(), spin.tolist())
        yield from self.prelude()
        calm = 0
        for step in range(6 * HZ):
            if step % (HZ // RECORD_HZ) == 0:
                yield self.poses()
            pb.stepSimulation()
            speeds = (pb.getBaseVelocity(die) for die in self.dice)
            fast = max(np.linalg.norm(v) + 0.8 * np.linalg.norm(w) for v, w in speeds)
            calm = calm + 1 if fast < 1.2 else 0
            if calm > HZ // 4:
                return
        raise TimeoutError

    def prelude(self) -> Iterator[np.ndarray]:
        """Straight flight, turning, up to where the physics starts."""
        for k in range(round(PRELUDE * RECORD_HZ)):
            t, poses = k / RECORD_HZ - PRELUDE, []
            for die in self.dice:
                (place, pose), (v, w) = (
                    pb.getBasePositionAndOrientation(die),
                    pb.getBaseVelocity(die),
                )
                angle = float(np.linalg.norm(w)) * t
                back = pb.getQuaternionFromAxisAngle(w, angle)
                _, pose = pb.multiplyTransforms([0, 0, 0], back, [0, 0, 0], pose)
                flat = np.array([v[0], v[1], min(v[2], 0) * 0.5])
                poses.append([*(np.array(place) + flat * t), *pose])
            yield np.array(poses)

    def poses(self) -> np.ndarray:
        return np.array([[*p, *q] for p, q in map(pb.getBasePositionAndOrientation, self.dice)])

    def kind(self) -> Kind | None:
        """How the dice came to rest; None when the throw is not worth keeping."""
        kind = LYING
        for die in self.dice:
            place, pose = pb.getBasePositionAndOrientation(die)
            turn = np.array(pb.getMatrixFromQuaternion(pose)).reshape(3, 3)
            tilt = np.degrees(np.arccos(min(1.0, float(np.abs(turn[2]).max()))))
            if abs(place[0]) > HALF or not RIB_FAR < place[1] < HALF:
                return None
            flat = tilt < 0.5 and abs(place[2] - EDGE / 2) < 0.03
            if not flat and tilt < 6 and place[2] < EDGE:
                return None  # hardly off the flat: nobody could say whether it counts
            if not flat:
                others = (*self.walls, *(d for d in self.dice if d != die))
                if not any(pb.getClosestPoints(die, other, 0.03) for other in others):
                    return None  # leans on nothing, which only a polyhedron can
                kind = LEANING
        return kind


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    pb.connect(pb.DIRECT)
    rng = np.random.default_rng(2)
    throws = []
    for count, (lying, leaning) in WANTED.items():
        left = {LYING: lying, LEANING: leaning}
        while any(left.values()):
            world = World(count)
            try:
                poses = np.array(list(world.throw(rng)))
            except TimeoutError:
                continue
            kind = world.kind()
            if kind is None or not left[kind]:
                continue
            left[kind] -= 1
            throws.append((kind, poses))
        print(count, "dice done", flush=True)
    pack(sys.argv[1], throws)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
