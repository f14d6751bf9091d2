"""`dicetable record`: record throws at a real table, with their values.

Throw, wait until the throw is told, take the dice out, throw again. Each throw becomes a folder in
the format of `vision.recording`: from the empty tray to the dice at rest. The values are what was
read, when every die was read with confidence; otherwise the command asks:

    6 5     the faces that lie there, in any order
    -       no valid reading: a die is cocked, or lies on another one
    x       leave this throw out

Exit status: 0 something was recorded, 1 nothing was, 2 no camera or no permission to write.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count, pairwise
from pathlib import Path

import cv2

from firmware import calibrated
from firmware import config as configuration
from firmware.options import CameraOptions
from vision.anchors import Trouble
from vision.cameras import Camera, CameraError, EndOfRecording, Frame, Thrower, open_camera
from vision.reading import FACES, Problem, Reading
from vision.recording import DieTruth, RecordingError, Truth
from vision.recording_writer import SequenceWriter
from vision.watch import Sight, State, Watcher

HELP = "record throws with their values"

SURE = 0.9
"""A reading with a die below this confidence is asked about."""
EMPTY_FRAMES, REST_FRAMES = 6, 6
"""So many frames of the empty tray and of the settled throw are kept."""
LONGEST = 300
"""Frames of one throw; when more come in, the oldest go."""
TIMEOUT = 5.0
"""Seconds without a picture after which the camera counts as lost."""

TROUBLES = {
    None: "The camera sees the tray again.",
    Trouble.MOVED: "Camera or tray was moved: put it back, or stop and calibrate again.",
    Trouble.COVERED: "The tray can not be seen: is the lens covered, or the light off?",
}

Ask = Callable[[str], str]
"""Puts a question and gives the answer; EOFError when nobody is there."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `dicetable record`."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="where the throws are written")
    parser.add_argument("--camera", metavar="CAMERA", help="another camera than the configured")
    parser.add_argument("--dice", type=int, choices=range(1, 6), help="how many dice are thrown")
    parser.add_argument("--throws", type=int, metavar="N", help="stop after so many throws")
    parser.add_argument("--ask-all", action="store_true", help="ask about every throw")
    parser.add_argument("--state", type=Path, metavar="DIR", help="folder of the calibration")
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration file")


def run(args: argparse.Namespace) -> int:
    """Record throws until the user has enough; the exit status is 0, 1 or 2."""
    cv2.setNumThreads(1)
    try:
        args.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        print(f"{args.folder}: can not be made: {error.strerror}", file=sys.stderr)
        return 2
    loaded = configuration.load(args.config, args.state)
    spec = args.camera or loaded.config.camera.source
    known, problem = calibrated.for_camera(loaded.state, spec)
    for words in (*loaded.problems, *([problem] if problem else [])):
        print(f"dicetable: {words}", file=sys.stderr)
    try:
        with _open(spec, loaded.config.camera) as device:
            camera = calibrated.upright(device, known)
            watcher = calibrated.make_watcher(camera, loaded.config.dice.edge_mm, known)
            session = Session(camera, watcher, args.folder, dice=args.dice)
            written = session.record(args.throws, ask_all=args.ask_all)
    except (CameraError, RecordingError) as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{written} throws recorded in {args.folder}")
    return 0 if written else 1


def _open(spec: str, options: CameraOptions) -> Camera:
    from firmware.commands.play import pi_settings

    made_up = spec.partition(":")[0] in ("simulated", "recording")
    size = None if made_up else (options.width, options.height)
    return open_camera(spec, size=size, fps=options.fps, hold=False, settings=pi_settings(options))


@dataclass(frozen=True, slots=True)
class _Kept:
    """A frame that may become part of a recording."""

    picture: bytes
    time: float
    state: State


class Session:
    """Watches a camera and writes the throws that come by."""

    def __init__(
        self,
        camera: Camera,
        watcher: Watcher,
        folder: Path,
        *,
        dice: int | None = None,
        ask: Ask = input,
    ) -> None:
        self.camera, self.watcher, self.folder = camera, watcher, folder
        self.dice, self.ask = dice, ask
        self.frames: list[_Kept] = []
        self._trouble: Trouble | None = None

    def record(self, throws: int | None = None, *, ask_all: bool = False) -> int:
        """Watch so many throws (None: until the end); gives how many were written."""
        written = 0
        try:
            for _ in range(EMPTY_FRAMES):  # the tray before anything is thrown into it
                self._look()
            for _ in count() if throws is None else range(throws):
                if isinstance(self.camera, Thrower):  # dice that no one can take into the hand
                    self.camera.throw(self.dice or 2)
                reading = self._wait_for_throw()
                truth = self._truth(reading, ask_all)
                if truth is not None:
                    written += 1
                    print(f"  {self._write(truth).name}: {_words(truth)}", flush=True)
                self.frames.clear()
        except (EndOfRecording, KeyboardInterrupt):
            pass
        return written

    def _wait_for_throw(self) -> Reading:
        """Watch until the next throw is settled, and a few frames more."""
        while True:
            sight = self._look()
            if sight.new and sight.reading is not None:
                break
        for _ in range(REST_FRAMES):
            try:
                self._look()
            except EndOfRecording:
                break
        return sight.reading

    def _look(self) -> Sight:
        frame: Frame = self.camera.read(TIMEOUT)
        sight = self.watcher.update(frame, self.dice)
        if sight.trouble is not self._trouble:
            self._trouble = sight.trouble
            print(f"  {TROUBLES[self._trouble]}", flush=True)
        done, encoded = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, 92])
        if not done:
            raise RecordingError(f"{self.folder}: a frame can not be written as JPEG")
        self.frames.append(_Kept(encoded.tobytes(), frame.time, sight.state))
        self._forget()
        return sight

    def _forget(self) -> None:
        """Keep what belongs to the throw under way: the last frames of the empty tray and on."""
        empty = 0
        for frame in reversed(self.frames):
            if frame.state is not State.EMPTY:
                break
            empty += 1
        if empty >= EMPTY_FRAMES:
            del self.frames[:-EMPTY_FRAMES]
        del self.frames[:-LONGEST]

    def _truth(self, reading: Reading, ask_all: bool) -> Truth | None:
        """What lies there: as read, or as the user says; None: leave it out."""
        sure = reading.ok and all(die.confidence >= SURE for die in reading.dice)
        if sure and not ask_all:
            return _as_read(reading)
        values = " ".join(map(str, reading.values or ())) or "not read"
        why = f" ({', '.join(reading.problems)})" if reading.problems else ""
        question = f"Read: {values}{why}. What lies there? (6 5, - for none valid, x to leave out) "
        while True:
            try:
                answer = self.ask(question).strip().lower()
            except EOFError:
                print("\n  nobody to ask: left out")
                return None
            if answer == "x":
                return None
            if answer == "" and reading.ok:
                return _as_read(reading)
            if answer == "-":
                problems = tuple(p for p in reading.problems if p is not Problem.WRONG_COUNT)
                return Truth(None, problems=problems or (Problem.COCKED,))
            faces = _faces(answer)
            if faces:
                return _as_read(reading) if faces == reading.values else Truth(faces)
            print("  Faces are 1 to 6, for instance: 6 5")

    def _write(self, truth: Truth) -> Path:
        folder = _next_folder(self.folder)
        states = [frame.state for frame in self.frames]
        frames = self.frames[states.index(State.EMPTY) if State.EMPTY in states else 0 :]
        spans = [b.time - a.time for a, b in pairwise(frames)]
        fps = round(len(spans) / sum(spans), 2) if spans else 15.0
        writer = SequenceWriter(folder, fps=fps)
        for frame in frames:
            writer.add(frame.picture, time=frame.time, state=frame.state)
        writer.finish(truth, origin="recorded with dicetable record")
        return folder


def _as_read(reading: Reading) -> Truth:
    dice = tuple(DieTruth(d.value, d.centre, d.corners, d.zone) for d in reading.dice)
    return Truth(reading.values, dice)


def _faces(answer: str) -> tuple[int, ...]:
    """Faces from high to low; empty when the answer is not made of faces."""
    words = answer.replace(",", " ").replace("-", " ").split()
    if not all(word.isdecimal() and int(word) in FACES for word in words):
        return ()
    return tuple(sorted(map(int, words), reverse=True))


def _words(truth: Truth) -> str:
    if truth.values is None:
        return "no valid reading (" + ", ".join(truth.problems) + ")"
    return " ".join(map(str, truth.values))


def _next_folder(folder: Path) -> Path:
    """The first of throw-0001, throw-0002 … that holds nothing yet."""
    number = 1
    while (folder / f"throw-{number:04d}").exists():
        number += 1
    return folder / f"throw-{number:04d}"
