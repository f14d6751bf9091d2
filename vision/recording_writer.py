"""Writing recorded throws; the format is described in `vision.recording`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import cv2
import numpy as np

from vision.reading import Image
from vision.recording import (
    FORMAT,
    INDEX,
    VERSION,
    Recording,
    RecordingError,
    Truth,
    load_recordings,
)
from vision.watch import State


def truth_json(truth: Truth) -> dict[str, object]:
    """The truth as it stands in `recording.json`."""
    dice = [
        {
            "value": die.value,
            "centre": list(die.centre),
            "corners": [list(corner) for corner in die.corners],
            "zone": die.zone.value,
            "problems": [problem.value for problem in die.problems],
        }
        for die in truth.dice
    ]
    return {
        "values": None if truth.values is None else list(truth.values),
        "problems": [problem.value for problem in truth.problems],
        "may_refuse": truth.may_refuse,
        "dice": dice,
    }


class SequenceWriter:
    """Writes one throw, frame by frame; the recording exists once `finish` has written its index.

    A folder that was left without an index (power cut, crash) is no recording, so a half-written
    throw is never replayed as a whole one.
    """

    def __init__(self, folder: Path | str, *, fps: float, quality: int = 92) -> None:
        self.folder, self.fps, self.quality = Path(folder), fps, quality
        self._size: tuple[int, int] | None = None
        self._start: float | None = None
        self._frames: list[dict[str, object]] = []
        _make_folder(self.folder)

    def add(self, picture: Image | bytes, *, time: float, state: State) -> None:
        """One more frame: an image, or the bytes of a JPEG file; `time` in seconds, growing."""
        name = f"{len(self._frames):04d}.jpg"
        size = _write_picture(self.folder / name, picture, self.quality)
        if self._size not in (None, size):
            raise RecordingError(f"{self.folder / name}: {size} pixels, but before {self._size}")
        self._size = size
        if self._start is None:
            self._start = time
        entry = {"file": name, "time": round(time - self._start, 4), "state": state.value}
        self._frames.append(entry)

    def finish(
        self, truth: Truth, *, scene: Mapping[str, str] | None = None, origin: str = ""
    ) -> Recording:
        """Write the index and give the recording back as it will be read."""
        if self._size is None:
            raise RecordingError(f"{self.folder}: a recording needs at least one frame")
        index = {
            "format": FORMAT,
            "version": VERSION,
            "kind": "sequence",
            "size": list(self._size),
            "fps": self.fps,
            "origin": origin,
            "scene": dict(scene or {}),
            "truth": truth_json(truth),
            "frames": self._frames,
        }
        _write_index(self.folder, index)
        return load_recordings(self.folder)[0]


def write_stills(
    folder: Path | str,
    stills: Iterable[tuple[str, Image | bytes, Truth, Mapping[str, str]]],
    *,
    origin: str = "",
    quality: int = 92,
) -> tuple[Recording, ...]:
    """Write an album: `stills` are (name without ending, picture, truth, scene)."""
    folder = Path(folder)
    _make_folder(folder)
    size: tuple[int, int] | None = None
    pictures = []
    for name, picture, truth, scene in stills:
        this = _write_picture(folder / f"{name}.jpg", picture, quality)
        if size not in (None, this):
            raise RecordingError(f"{folder / name}.jpg: {this} pixels, but before {size}")
        size = this
        entry = {"file": f"{name}.jpg", "scene": dict(scene), "truth": truth_json(truth)}
        pictures.append(entry)
    if size is None:
        raise RecordingError(f"{folder}: an album needs at least one picture")
    index = {
        "format": FORMAT,
        "version": VERSION,
        "kind": "stills",
        "size": list(size),
        "origin": origin,
        "pictures": pictures,
    }
    _write_index(folder, index)
    return load_recordings(folder)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordingError(f"{folder}: can not be made: {error.strerror}") from error
    if (folder / INDEX).exists():
        raise RecordingError(f"{folder}: there is a recording already; choose another folder")


def _write_picture(path: Path, picture: Image | bytes, quality: int) -> tuple[int, int]:
    if not isinstance(picture, bytes):
        done, encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if not done:
            raise RecordingError(f"{path}: the picture can not be written as JPEG")
        size = picture.shape[1], picture.shape[0]
        picture = encoded.tobytes()
    else:
        image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
        if image is None:
            raise RecordingError(f"{path}: these bytes are no picture")
        size = image.shape[1], image.shape[0]
    try:
        path.write_bytes(picture)
    except OSError as error:
        raise RecordingError(f"{path}: can not be written: {error.strerror}") from error
    return size


def _write_index(folder: Path, index: Mapping[str, object]) -> None:
    # Lists of numbers stay on one line each: the file is meant to be read and mended by people.
    text = re.sub(
        r"\[[^\[\]{}]*\]",
        lambda match: re.sub(r"\s+", " ", match[0]).replace("[ ", "[").replace(" ]", "]"),
        json.dumps(index, ensure_ascii=False, indent=1),
    )
    part = folder / (INDEX + ".part")
    try:
        part.write_text(text + "\n", encoding="utf-8")
        os.replace(part, folder / INDEX)
    except OSError as error:
        raise RecordingError(f"{folder / INDEX}: can not be written: {error.strerror}") from error
