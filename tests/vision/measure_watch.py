"""Measure the watcher on many simulated throws with disturbances, and on recorded sequences.

    python tests/vision/measure_watch.py [THROWS] [--reader] [--unlearned] [--size 640x480]

Without `--reader` the truth is read: every die that is there, at every moment, also while it rolls
or while a hand covers it. So every early reading is the watcher's own fault. The watcher is told
what the empty tray looks like, as a calibrated table is; `--unlearned` keeps that from it.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from vision.cameras import EndOfRecording, Frame
from vision.cameras.recording import RecordingCamera
from vision.cameras.simulated import SimulatedCamera
from vision.cameras.softcam.dice import DICE_SETS
from vision.cameras.softcam.light import LIGHTS
from vision.cameras.softcam.plate import FELTS
from vision.reader import Reader
from vision.reading import Die, Image, Problem, Reading
from vision.recording import Truth, load_recordings
from vision.watch import Motion, Sight, State, Watcher

RECORDINGS = Path(__file__).parents[1] / "recordings"


def read_truth(truth: Callable[[], Truth], size: tuple[int, int]) -> Callable[..., Reading]:
    """A reader that sees every die and no hand, whatever happens."""

    def read(image: Image, due: int | None) -> Reading:
        dice = tuple(
            Die(d.value, 1.0, d.centre, d.corners, d.zone, d.problems[0] if d.problems else None)
            for d in truth().dice
        )
        problems = [d.problem for d in dice if d.problem]
        if not dice:
            problems.append(Problem.NO_DICE)
        elif due is not None and due != len(dice):
            problems.append(Problem.WRONG_COUNT)
        return Reading(dice, tuple(dict.fromkeys(problems)), size)

    return read


class Tally:
    """What went right and wrong."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.latency: list[float] = []
        self.states: Counter[tuple[str, str]] = Counter()
        self.notes: list[str] = []

    def note(self, what: str, where: str) -> None:
        self.counts[what] += 1
        self.notes.append(f"{what}: {where}")


class Stage:
    """A camera, a watcher, and the truth beside them."""

    def __init__(self, camera: SimulatedCamera, watcher: Watcher, tally: Tally) -> None:
        self.camera, self.watcher, self.tally = camera, watcher, tally
        self.due: int | None = None
        self.rested: float | None = None
        self.settled: list[Sight] = []
        self.expect_new = False
        self.hasty: tuple[str, Truth, tuple[int, ...] | None] | None = None

    def step(self) -> Frame:
        frame = self.camera.read(1)
        truth, state = self.camera.truth, self.camera.state
        sight = self.watcher.update(frame, self.due)
        self.tally.states[state.value, sight.state.value] += 1
        if state is not State.AT_REST:
            self.rested = None
        elif self.rested is None:
            self.rested = frame.time
        if self.hasty and state is State.AT_REST:
            self.judge_hasty(truth)
        if sight.new:
            assert sight.reading is not None
            where = f"frame {frame.number}, {sight.reading.values} of {truth.values}"
            if not self.expect_new:
                self.tally.note("double", where)
            elif state is not State.AT_REST:
                self.hasty = where, truth, sight.reading.values
            elif sight.reading.ok and sight.reading.values != truth.values:
                self.tally.note("wrong", where)
            elif sight.reading.ok:
                self.tally.counts["read"] += 1
                self.tally.latency.append(frame.time - (self.rested or frame.time))
                if self.tally.latency[-1] > 0.4:
                    self.tally.notes.append(
                        f"late: {1000 * self.tally.latency[-1]:.0f} ms, {where}"
                    )
            else:
                self.tally.counts["cocked" if truth.values is None else "not read"] += 1
            self.expect_new = False
        return frame

    def judge_hasty(self, truth: Truth) -> None:
        """Was a reading before the last tremor of the dice early, or could nobody see that?"""
        assert self.hasty is not None
        where, before, values = self.hasty
        moved = max(
            float(np.abs(np.array(a.corners) - b.corners).max())
            for a, b in zip(before.dice, truth.dice, strict=True)
        )
        if moved > self.camera.size[0] / 640 or (values and values != truth.values):
            self.tally.note("early", f"{where}, moved {moved:.1f} pixels afterwards")
        else:
            self.tally.counts["read" if values else "cocked"] += 1
            self.tally.latency.append(0.0)
        self.hasty = None

    def until_quiet(self, after: int) -> None:
        self.step()
        while self.camera.busy:
            self.step()
        for _ in range(after):
            self.step()


def disturb(camera: SimulatedCamera, rng: np.random.Generator) -> str:
    """Something that is no throw."""
    name = str(rng.choice(["none", "wave", "knock", "flicker", "dim", "glare", "take_one"]))
    if name == "knock":
        camera.knock(float(rng.uniform(0.3, 3)))
    elif name == "dim":
        camera.dim(float(rng.choice([0.0, 0.2, 0.5, 0.8, 1.3])), 1.5)
    elif name == "flicker":
        camera.flicker(2.0, float(rng.uniform(0.02, 0.2)))
    elif name != "none":
        getattr(camera, name)()
    return name


def simulated(
    throws: int, reader: Reader | None, size: tuple[int, int], fps: float, learned: bool
) -> Tally:
    tally, rng = Tally(), np.random.default_rng(0)
    done = 0
    while done < throws:
        camera = SimulatedCamera(
            seed=done,
            size=size,
            fps=fps,
            paced=False,
            dice_set=str(rng.choice(list(DICE_SETS))),
            felt=str(rng.choice(list(FELTS))),
            light=str(rng.choice(list(LIGHTS))),
            hands=bool(rng.random() < 0.8),
            cocked_share=0.05,
            noise=float(rng.choice([1.5, 2.5, 5.0])),
        )
        if reader is None:
            read = read_truth(lambda camera=camera: camera.truth, size)
        else:
            read = lambda image, due, tray=camera.tray: reader.read(image, due, tray=tray)  # noqa: E731
        empty = Motion.small(camera.read(1).image) if learned else None
        stage = Stage(camera, Watcher(read, empty=empty), tally)
        for _ in range(6):
            stage.step()
        for _ in range(25):
            dice = int(rng.choice([2, 3, 5]))
            stage.due = dice
            stage.expect_new = True
            camera.throw(dice, spin=bool(rng.random() < 0.15))
            if rng.random() < 0.15:
                camera.flicker(3.0, 0.15)
            stage.until_quiet(after=22)
            if stage.expect_new:
                tally.note("missed", f"seed {camera.seed} {camera.truth.values}")
            stage.expect_new = False
            disturb(camera, rng)
            stage.until_quiet(after=22)
            done += 1
    tally.counts["throws"] = done
    return tally


def recorded(reader: Reader | None, source: Path) -> Tally:
    tally = Tally()
    for recording in load_recordings(source):
        camera = RecordingCamera([recording], size=None, paced=False)
        truth = recording.truth
        shown = {"truth": Truth(())}
        fake = read_truth(lambda shown=shown: shown["truth"], camera.size)
        watcher = Watcher(reader.read if reader else fake)
        new = 0
        rested = None
        tally.counts["throws"] += bool(truth.dice)
        try:
            while True:
                frame = camera.read(1)
                state = State(str(frame.metadata["state"]))
                shown["truth"] = Truth(()) if state is State.EMPTY else truth
                sight = watcher.update(frame, len(truth.dice) or None)
                tally.states[state.value, sight.state.value] += 1
                rested = (rested or frame.time) if state is State.AT_REST else None
                if sight.new and sight.reading:
                    new += 1
                    if state is not State.AT_REST:
                        tally.note("early", recording.name)
                    elif not sight.reading.ok:
                        tally.counts["cocked" if truth.values is None else "not read"] += 1
                    elif sight.reading.values != truth.values:
                        tally.note("wrong", recording.name)
                    else:
                        tally.counts["read"] += 1
                        tally.latency.append(frame.time - (rested or frame.time))
        except EndOfRecording:
            if new > 1:
                tally.note("double", recording.name)
            if new == 0 and truth.dice:
                tally.note("missed", recording.name)
    return tally


def show(name: str, tally: Tally) -> None:
    counts = {k: tally.counts[k] for k in ("throws", "read", "cocked", "not read", "missed")}
    wrong = {k: tally.counts[k] for k in ("early", "double", "wrong")}
    print(f"{name}: {counts} {wrong}")
    if tally.latency:
        ms = [1000 * t for t in tally.latency]
        print(f"  rest to reading: median {statistics.median(ms):.0f} ms, worst {max(ms):.0f} ms")
    for (true, seen), n in sorted(tally.states.items()):
        print(f"  {true:8} seen as {seen:8} {n:6}")
    for note in sorted(tally.notes, key=lambda note: note.startswith("missed"))[:40]:
        print("  ", note)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("throws", type=int, nargs="?", default=300)
    parser.add_argument("--reader", action="store_true")
    parser.add_argument("--unlearned", action="store_true")
    parser.add_argument("--size", default="640x480")
    parser.add_argument("--fps", type=float, default=15.0)
    parser.add_argument("--recordings", type=Path, default=RECORDINGS, help="none: leave out")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    width, height = (int(n) for n in args.size.split("x"))
    reader = Reader() if args.reader else None
    began = time.process_time()
    if args.recordings.exists():
        show("recorded", recorded(reader, args.recordings))
    tally = simulated(args.throws, reader, (width, height), args.fps, not args.unlearned)
    show("simulated", tally)
    print(f"{time.process_time() - began:.0f} s of processor time")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
