"""The product's own format for recorded throws, and reading it; `recording_writer` writes it.

A recording is a folder with JPEG frames and one `recording.json`::

    {"format": "dicetable recording", "version": 1,
     "kind": "sequence",                       one throw, many frames
     "size": [640, 480],                       pixels, width and height, the same for all frames
     "fps": 12.0,
     "origin": "how it was made, in words",
     "scene": {"look": "ivory", "light": "window", ...},      any words, to group failures by cause
     "frames": [{"file": "0000.jpg", "time": 0.0, "state": "empty"}, ...],
     "truth": {"values": [6, 5], "problems": [], "may_refuse": false, "dice": [...]}}

`state` is one of `vision.watch.State`; frames that are `empty` at the start show the tray without
dice. `values` are the faces up from high to low, `null` when the throw has no valid reading
(`problems` says why, in the words of `vision.reading.Problem`), and `[]` when there is no die.
`may_refuse` marks pictures where both a right reading and a refusal are right (glare, a hand near
the dice). Each of `dice` is `{"value", "centre", "corners", "zone", "problems"}` in pixels.

Many stills share one folder, because a folder for each would only be in the way: then `kind` is
"stills" and instead of `frames` and `truth` there is ::

     "pictures": [{"file": "a.jpg", "scene": {...}, "truth": {...}}, ...]

Each picture of such an album is read back as a recording of its own, with one frame at rest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from vision.json_object import JsonObject
from vision.reading import FACES, Image, Point, Problem, Zone
from vision.watch import State

INDEX = "recording.json"
FORMAT = "dicetable recording"
VERSION = 1


class RecordingError(Exception):
    """A recording can not be read or written; the message says which, what and what to do."""


class Kind(StrEnum):
    """What a recording holds."""

    STILL = "still"
    SEQUENCE = "sequence"


@dataclass(frozen=True, slots=True)
class DieTruth:
    """What is known of one die."""

    value: int | None
    """The face up; None when the die has no valid reading."""
    centre: Point
    """Centre of the top face, in pixels."""
    corners: tuple[Point, Point, Point, Point]
    """Corners of the top face, in pixels."""
    zone: Zone = Zone.TRAY
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Truth:
    """What a throw really shows."""

    values: tuple[int, ...] | None
    """Faces up from high to low; None: no valid reading; empty: no die in the tray."""
    dice: tuple[DieTruth, ...] = ()
    """May be empty although `values` is not: whoever writes values down draws no corners."""
    problems: tuple[Problem, ...] = ()
    """Why there is no valid reading."""
    may_refuse: bool = False
    """A refusal is as right as the right reading."""


@dataclass(frozen=True, slots=True)
class RecordedFrame:
    """One frame of a recording."""

    file: str
    time: float
    """Seconds since the first frame."""
    state: State


@dataclass(frozen=True, slots=True)
class Recording:
    """One recorded throw."""

    folder: Path
    name: str
    """Short name for lists: the folder's, or for a still the picture's without its ending."""
    kind: Kind
    size: tuple[int, int]
    """Width and height in pixels."""
    fps: float | None
    """Frames a second; None for a still."""
    frames: tuple[RecordedFrame, ...]
    truth: Truth
    scene: Mapping[str, str] = field(default_factory=dict)
    """What was arranged: category, look, light, floor, quality …; any words."""
    origin: str = ""

    @property
    def empty_frames(self) -> int:
        """How many frames at the start show the tray without dice."""
        states = [frame.state for frame in self.frames]
        return next((i for i, s in enumerate(states) if s is not State.EMPTY), len(states))

    def image(self, index: int) -> Image:
        """The picture of one frame; RecordingError when it is missing, damaged, of another size."""
        path = self.folder / self.frames[index].file
        try:
            data = np.frombuffer(path.read_bytes(), np.uint8)
        except OSError as error:
            raise RecordingError(f"{path}: the frame can not be read: {error.strerror}") from error
        image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
        if image is None:
            raise RecordingError(f"{path}: not a picture; copy the recording again")
        if (image.shape[1], image.shape[0]) != self.size:
            raise RecordingError(
                f"{path}: the picture is {image.shape[1]}x{image.shape[0]} pixels, "
                f"but {INDEX} says {self.size[0]}x{self.size[1]}"
            )
        return np.asarray(image, np.uint8)


def load_recordings(path: Path | str) -> tuple[Recording, ...]:
    """All recordings at a place, in the order of their names.

    `path` is a recording, an album of stills, one picture of an album, or a folder of any of these.
    RecordingError when there is none, or when one of them is damaged.
    """
    path = Path(path)
    if path.is_file() and path.name != INDEX:
        found = [r for r in _load_folder(path.parent) if path.name in (f.file for f in r.frames)]
        if not found or found[0].kind is not Kind.STILL:
            raise RecordingError(f"{path}: {path.parent / INDEX} lists no such still")
        return tuple(found)
    if path.name == INDEX:
        path = path.parent
    if not path.is_dir():
        raise RecordingError(f"{path}: there is no such folder")
    if (path / INDEX).exists():
        return _load_folder(path)
    inside = sorted(p.parent for p in path.glob(f"*/{INDEX}"))
    if not inside:
        raise RecordingError(f"{path}: no recording here (a recording has a file {INDEX})")
    return tuple(recording for folder in inside for recording in _load_folder(folder))


def _load_folder(folder: Path) -> tuple[Recording, ...]:
    where = folder / INDEX
    index = JsonObject(_read_json(where), str(where), RecordingError)
    if index.get("format", str) != FORMAT:
        raise RecordingError(f"{where}: not a recording (`format` must be {FORMAT!r})")
    version = index.get("version", int)
    if version > VERSION:
        raise RecordingError(
            f"{where}: written by a newer dicetable (format version {version}, "
            f"this one reads {VERSION}); update dicetable"
        )
    kind = index.get("kind", str)
    if kind == "sequence":
        recordings: tuple[Recording, ...] = (_sequence(folder, index),)
    elif kind == "stills":
        recordings = _stills(folder, index)
    else:
        raise RecordingError(f'{where}: `kind` must be "sequence" or "stills", not "{kind}"')
    for recording in recordings:
        for frame in recording.frames:
            if not (folder / frame.file).is_file():
                raise RecordingError(
                    f"{folder / frame.file}: the frame is missing; copy the recording again"
                )
    return recordings


def _sequence(folder: Path, index: JsonObject) -> Recording:
    frames = tuple(
        RecordedFrame(_file(f), f.number("time"), f.word("state", State))
        for f in index.objects("frames")
    )
    if not frames:
        raise RecordingError(f"{index.where}: `frames` is empty")
    if any(b.time <= a.time for a, b in pairwise(frames)):
        raise RecordingError(f"{index.where}: the frames' times must grow")
    fps = index.number("fps")
    if fps <= 0:
        raise RecordingError(f"{index.where}: `fps` must be above 0")
    return Recording(
        folder,
        folder.name,
        Kind.SEQUENCE,
        _size(index),
        fps,
        frames,
        _truth(index),
        _scene(index),
        index.get("origin", str, ""),
    )


def _stills(folder: Path, index: JsonObject) -> tuple[Recording, ...]:
    size, origin = _size(index), index.get("origin", str, "")
    stills = []
    for picture in index.objects("pictures"):
        truth, file = _truth(picture), _file(picture)
        state = State.AT_REST if truth.values != () else State.EMPTY
        frames = (RecordedFrame(file, 0.0, state),)
        name = Path(file).stem
        scene = _scene(picture)
        stills.append(Recording(folder, name, Kind.STILL, size, None, frames, truth, scene, origin))
    return tuple(stills)


def _read_json(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RecordingError(f"{path}: can not be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise RecordingError(f"{path}: not UTF-8 text") from error
    except json.JSONDecodeError as error:
        raise RecordingError(f"{path}:{error.lineno}: not JSON: {error.msg}") from error


def _file(entry: JsonObject) -> str:
    name = entry.get("file", str)
    if not name or Path(name).name != name:
        raise entry.error("`file` must name a file in the same folder")
    return name


def _size(entry: JsonObject) -> tuple[int, int]:
    size = entry.get("size", list)
    if len(size) != 2 or not all(isinstance(n, int) and n > 0 for n in size):
        raise entry.error("`size` must be [width, height] in pixels")
    return size[0], size[1]


def _scene(entry: JsonObject) -> dict[str, str]:
    return {str(k): str(v) for k, v in entry.get("scene", dict, {}).items()}


def _truth(entry: JsonObject) -> Truth:
    if "truth" not in entry.data:
        example = '"truth": {"values": [6, 5]}'
        raise entry.error(f"no `truth`: add the values thrown, for instance {example}")
    truth = JsonObject(entry.data["truth"], f"{entry.where}: truth", RecordingError)
    dice = tuple(map(_die, truth.objects("dice"))) if "dice" in truth.data else ()
    if "values" not in truth.data:
        raise truth.error("`values` is missing (null: no valid reading)")
    values = None
    if truth.data["values"] is not None:
        faces = [_face(truth, value) for value in truth.get("values", list)]
        values = tuple(sorted(faces, reverse=True))
    may_refuse = truth.get("may_refuse", bool, False)
    return Truth(values, dice, truth.words("problems", Problem), may_refuse)


def _die(entry: JsonObject) -> DieTruth:
    value = entry.data.get("value")
    corners = [_point(entry, corner) for corner in entry.get("corners", list)]
    if len(corners) != 4:
        raise entry.error("`corners` must be four points")
    return DieTruth(
        None if value is None else _face(entry, value),
        _point(entry, entry.data.get("centre")),
        (corners[0], corners[1], corners[2], corners[3]),
        entry.word("zone", Zone) if "zone" in entry.data else Zone.TRAY,
        entry.words("problems", Problem),
    )


def _point(entry: JsonObject, data: object) -> Point:
    if isinstance(data, list) and len(data) == 2:
        x, y = data
        if isinstance(x, int | float) and isinstance(y, int | float):
            return float(x), float(y)
    raise entry.error("a point must be [x, y] in pixels")


def _face(entry: JsonObject, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value not in FACES:
        raise entry.error(f"{value!r} is no face of a die (1 to 6)")
    return value
