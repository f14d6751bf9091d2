"""`dicetable read`: read the dice in pictures.

With `--json` one object a line and a picture, in the order of the arguments::

    {"file": str, "ok": bool, "values": [6, 5, 3] | null, "problems": [str],
     "dice": [{"value": int | null, "confidence": float, "centre": [x, y],
               "corners": [[x, y], [x, y], [x, y], [x, y]],
               "zone": "tray" | "rail", "problem": str | null}],
     "ms": float}

Exit status: 0 all pictures read, 1 some not read, 2 unusable arguments or files.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections.abc import Iterable
from pathlib import Path

import cv2

from vision.annotate import annotate, explain, verdict
from vision.picture import PictureError, load_picture
from vision.reader import Reader
from vision.reading import Die, Image, Reading

HELP = "read the dice in pictures"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `dicetable read`."""
    parser.add_argument("pictures", nargs="+", metavar="PICTURE", help="JPEG, PNG, …")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument(
        "--dice", type=_count, metavar="N", help="how many dice are due; another number is refused"
    )
    parser.add_argument(
        "--annotate", type=Path, metavar="DIR", help="write the pictures with what was seen on them"
    )
    parser.add_argument(
        "--explain", type=Path, metavar="DIR", help="write the stages of each reading as a picture"
    )


def run(args: argparse.Namespace) -> int:
    """Read all pictures; the exit status is 0, 1 or 2."""
    cv2.setNumThreads(1)  # the same time on every machine, and the same result
    try:
        for folder in (args.annotate, args.explain):
            if folder is not None:
                _make_folder(folder)
    except PictureError as error:
        return _complain(error)
    reader = Reader()
    # The first picture must not pay for what is set up once: run the networks on nothing.
    reader.warm_up()
    status = 0
    width = max(len(str(name)) for name in args.pictures)
    names = _Names(folder for folder in (args.annotate, args.explain) if folder is not None)
    for name in args.pictures:
        try:
            image = load_picture(name)
            reading = reader.read(image, args.dice)
            print(_json(name, reading) if args.json else _row(name, reading, width), flush=True)
            _draw(args, reader, names(name), image, reading)
        except PictureError as error:
            status = _complain(error)
            continue
        if not reading.ok:
            status = max(status, 1)
    return status


def _draw(
    args: argparse.Namespace, reader: Reader, name: str, image: Image, reading: Reading
) -> None:
    if args.annotate is not None:
        _write(args.annotate / name, annotate(image, reading))
    if args.explain is not None:
        stages = explain(image, reader.look(image), reading)
        _write((args.explain / name).with_suffix(".png"), stages)


def _json(name: str, reading: Reading) -> str:
    return json.dumps(
        {
            "file": name,
            "ok": reading.ok,
            "values": None if reading.values is None else list(reading.values),
            "problems": [problem.value for problem in reading.problems],
            "dice": [_die(die) for die in reading.dice],
            "ms": round(reading.ms, 2),
        }
    )


def _die(die: Die) -> dict[str, object]:
    return {
        "value": die.value,
        "confidence": round(die.confidence, 4),
        "centre": _rounded(die.centre),
        "corners": [_rounded(corner) for corner in die.corners],
        "zone": die.zone.value,
        "problem": None if die.problem is None else die.problem.value,
    }


def _rounded(point: tuple[float, float]) -> list[float]:
    return [round(point[0], 1), round(point[1], 1)]


def _row(name: str, reading: Reading, width: int) -> str:
    text = f"{name:<{width}}  {verdict(reading):<32}  {reading.ms:6.1f} ms"
    # A file name need not be valid in the terminal's encoding.
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _count(text: str) -> int:
    try:
        count = int(text)
    except ValueError:
        count = 0
    if count < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of dice; give 1 or more")
    return count


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise PictureError(f"{folder}: the folder can not be made ({why})") from error


def _write(path: Path, image: Image) -> None:
    done, data = cv2.imencode(path.suffix, image)
    try:
        if not done:
            raise OSError(None, "can not be encoded")
        path.write_bytes(data.tobytes())
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise PictureError(f"{path}: the picture can not be written ({why})") from error


class _Names:
    """A name of its own in the output folders for each picture: two may be called alike, and the
    picture itself may lie in such a folder."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._folders = tuple(folders)
        self._given: set[str] = set()

    def __call__(self, name: str) -> str:
        path = Path(name)
        writable = path.suffix and cv2.haveImageWriter(f"a{path.suffix.lower()}")
        suffix = path.suffix if writable else ".png"
        for number in itertools.count(1):
            candidate = f"{path.stem}{suffix}" if number == 1 else f"{path.stem}-{number}{suffix}"
            if candidate not in self._given and not self._is_source(candidate, path):
                break
        self._given.add(candidate)
        return candidate

    def _is_source(self, candidate: str, source: Path) -> bool:
        return any(
            (folder / other).exists() and (folder / other).samefile(source)
            for folder in self._folders
            for other in (candidate, Path(candidate).with_suffix(".png").name)
        )


def _complain(error: Exception) -> int:
    print(f"dicetable read: {error}", file=sys.stderr)
    return 2
