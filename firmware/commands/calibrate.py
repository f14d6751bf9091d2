"""`dicetable calibrate`: find tray, keep rail and scale; say what to change about camera and light.

Empty the tray first. The printed markers on the rim (`dicetable sheets`) tell where the tray is and
how the camera hangs; without them its edges do. With the printed card in the tray (`--card`) the
lens is measured as well. The result is written into the state folder and used from the next start
on; what is found can be looked at in a picture (`--annotate`).

Exit status: 0 all is well, 1 written but something should be changed, 2 nothing was found.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from firmware import calibrated
from firmware import config as configuration
from firmware.config import Loaded
from firmware.statedir import StateError
from vision import markers
from vision.advice import Advice, advise
from vision.calibration import TURNS, CalibrationError, Found, calibrate
from vision.cameras import Camera, CameraError, open_camera
from vision.reading import Image

HELP = "find tray and keep rail, check focus and light"

FRAMES, SETTLE = 8, 5
"""So many pictures are looked at, after so many in which the camera settles."""
TIMEOUT = 5.0
"""Seconds without a picture after which the camera counts as lost."""
ENOUGH = 12
"""Corners of the card from which a picture counts as one with the card in it."""

Ask = Callable[[str], str]
"""Puts a question and gives the answer; EOFError when nobody is there."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `dicetable calibrate`."""
    parser.add_argument("--camera", metavar="CAMERA", help="another camera than the configured")
    parser.add_argument(
        "--image",
        type=Path,
        action="append",
        metavar="FILE",
        help="look at this picture instead of the camera; may be given again, with the card in one",
    )
    parser.add_argument("--card", action="store_true", help="measure the lens with the card")
    parser.add_argument(
        "--turn", type=int, choices=TURNS, help="turn the picture clockwise; else as markers tell"
    )
    parser.add_argument(
        "--angle", type=float, metavar="DEGREES", help="what the lens sees across a picture"
    )
    parser.add_argument("--annotate", type=Path, metavar="PNG", help="draw what was found")
    parser.add_argument("--dry-run", action="store_true", help="write no calibration")
    parser.add_argument("--state", type=Path, metavar="DIR", help="folder of the record")
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration file")


def run(args: argparse.Namespace, ask: Ask = input) -> int:
    """Calibrate; the exit status."""
    loaded = configuration.load(args.config, args.state)
    for problem in loaded.problems:
        print(f"dicetable: {problem}", file=sys.stderr)
    spec = args.camera or loaded.config.camera.source
    if args.angle is not None and not 20 <= args.angle <= 150:
        print(f"dicetable: --angle {args.angle:g}: give 20 to 150 degrees", file=sys.stderr)
        return 2
    try:
        shots = _from_files(args.image) if args.image else _from_camera(spec, args, loaded, ask)
        found = calibrate(
            shots.empty,
            calibrated.measures(loaded.config, spec, args.angle),
            camera=spec,
            card=shots.card,
            turn=args.turn,
        )
        advice = [*advise(found, shots.frames), *_dice_in_it(found)]
        for one in advice:
            show(one)
        if args.annotate:
            _draw(found, args.annotate)
        if not args.dry_run:
            path = calibrated.save(loaded.state, found.calibration)
            print(f"Written to {path}; it is used from the table's next start on.")
    except (CalibrationError, CameraError, StateError) as error:
        print(f"dicetable: {error}", file=sys.stderr)
        return 2
    return 0 if all(one.good for one in advice) else 1


def show(advice: Advice) -> None:
    """One line for what was looked at, one for what to do."""
    print(f"{'ok' if advice.good else 'CHANGE':>7}  {advice.about:<9} {advice.text}")
    if advice.do:
        print(f"{'':7}  {'':9} -> {advice.do}")


@dataclass(frozen=True, slots=True)
class Shots:
    """Pictures to calibrate from."""

    frames: list[Image]
    """The empty tray, several times."""
    empty: Image
    """Their mean, which has less noise."""
    card: Image | None


def _from_files(paths: Sequence[Path]) -> Shots:
    """Pictures on disk, told apart by whether the card is in them."""
    frames: list[Image] = []
    card = None
    for path in paths:
        image = cv2.imread(str(path), cv2.IMREAD_COLOR) if path.is_file() else None
        if image is None:
            raise CalibrationError(f"{path} is no picture that can be read")
        picture = np.asarray(image, np.uint8)
        if len(markers.find(picture).card) >= ENOUGH:
            card = picture
        else:
            frames.append(picture)
    return Shots(frames, _mean(frames), card)


def _from_camera(spec: str, args: argparse.Namespace, loaded: Loaded, ask: Ask) -> Shots:
    """Pictures of the camera: of the card, when it is asked for, then of the empty tray."""
    from firmware.commands.play import pi_settings

    options = loaded.config.camera
    made_up = spec.partition(":")[0] in ("simulated", "recording")
    size = None if made_up else (options.width, options.height)
    card = None
    with open_camera(spec, size=size, fps=options.fps, settings=pi_settings(options)) as camera:
        if args.card:
            _wait(ask, "Lay the card flat into the empty tray, then press Enter. ")
            card = _mean(_take(camera))
            if len(markers.find(card).card) < ENOUGH:
                raise CalibrationError(
                    "the card is not seen: lay it flat, printed side up, whole in the picture"
                )
            _wait(ask, "Take the card out again, then press Enter. ")
        frames = _take(camera)
    if len(markers.find(frames[-1]).card) >= ENOUGH:
        raise CalibrationError("the card lies in the tray: take it out, or calibrate with --card")
    return Shots(frames, _mean(frames), card)


def _wait(ask: Ask, question: str) -> None:
    try:
        ask(question)
    except EOFError as error:
        raise CalibrationError("nobody is there to lay the card; go without --card") from error


def _take(camera: Camera) -> list[Image]:
    """Some pictures, the first ones left out."""
    return [camera.read(TIMEOUT).image for _ in range(SETTLE + FRAMES)][SETTLE:]


def _mean(frames: Sequence[Image]) -> Image:
    if not frames:
        raise CalibrationError("a picture of the empty tray is wanted as well, without the card")
    if len({frame.shape for frame in frames}) > 1:
        raise CalibrationError("the pictures are not all of one size; give those of one camera")
    mean = np.mean(np.stack(frames), axis=0, dtype=np.float32)
    return np.asarray(np.rint(mean), np.uint8)


def _dice_in_it(found: Found) -> list[Advice]:
    """The tray must be empty: what is learned with it counts as no die from then on."""
    from vision.reader import Reader

    tray = found.calibration.tray
    reading = Reader().read(found.image, tray=tray)
    sure = [die for die in reading.dice if die.value is not None and tray.contains(die.centre)]
    if not sure:
        return []
    text = f"{len(sure)} {'die lies' if len(sure) == 1 else 'dice lie'} in the tray"
    return [Advice("tray", False, text, "take everything out and calibrate again")]


def _draw(found: Found, path: Path) -> None:
    from vision.calibration_picture import draw

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(cv2.imencode(".png", draw(found))[1].tobytes())
    except OSError as error:
        raise CalibrationError(f"{path} can not be written: {error.strerror}") from error
    print(f"Drawn in {path}")
