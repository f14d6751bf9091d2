"""The calibration in the state folder: written by `dicetable calibrate`, used by all that look."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.options import Config
from firmware.statedir import plain_os_error, prepare, write_durably
from vision.calibration import Calibration, CalibrationError, Measures

if TYPE_CHECKING:
    from vision.cameras import Camera
    from vision.watch import Watcher

FILE_NAME = "calibration.json"
STANDARD_ANGLE = 51.9
"""Degrees across a 4:3 picture of the Pi's Camera Module 3, which the build guide asks for."""


def load(folder: Path) -> Calibration | None:
    """The calibration of this table; None when it was never calibrated.

    Raises:
        CalibrationError: there is one and it can not be used; the sentence names the file.
    """
    path = folder / FILE_NAME
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "not text"
        raise CalibrationError(f"{path} can not be read ({why}); calibrate again") from error
    try:
        return Calibration.from_dict(json.loads(text))
    except (json.JSONDecodeError, RecursionError) as error:
        raise CalibrationError(f"{path} is damaged; calibrate again") from error
    except CalibrationError as error:
        raise CalibrationError(f"{path}: {error}") from error


def save(folder: Path, calibration: Calibration) -> Path:
    """Write it so that after a power cut it is the old one or the new one; gives the file.

    Raises:
        StateError: the folder can not be written to.
    """
    prepare(folder)
    path = folder / FILE_NAME
    text = json.dumps(calibration.to_dict(), indent=1) + "\n"
    try:
        write_durably(path, text.encode("utf-8"))
    except OSError as error:
        raise plain_os_error(error, path, "writing") from error
    return path


def for_camera(folder: Path, camera: str) -> tuple[Calibration | None, str | None]:
    """The calibration of this camera, and what is to be said of it.

    A calibration of another camera is left alone, without a word for a made-up one.
    """
    try:
        known = load(folder)
    except CalibrationError as error:
        return None, str(error)
    if known is not None and known.camera == camera:
        return known, None
    if camera.partition(":")[0] in ("simulated", "recording"):
        return None, None
    if known is None:
        return None, "the camera is not calibrated: dicetable calibrate finds tray and keep rail"
    return None, f"the calibration is for {known.camera}, not for {camera}; calibrate again"


def measures(config: Config, camera: str, angle: float | None = None) -> Measures:
    """What the settings say of tray and lens."""
    dice = config.dice
    if angle is None and camera.partition(":")[0] in ("picamera2", "simulated"):
        angle = STANDARD_ANGLE
    rail = dice.rail_mm if dice.rail else 0.0
    return Measures((dice.tray_width_mm, dice.tray_depth_mm), dice.rim_mm, rail, angle)


def upright(camera: Camera, calibration: Calibration | None) -> Camera:
    """The camera with its pictures turned as the calibration says."""
    if calibration is None or calibration.turn == 0:
        return camera
    from vision.cameras.turned import TurnedCamera

    return TurnedCamera(camera, calibration.turn)


def make_watcher(camera: Camera, edge_mm: float, calibration: Calibration | None = None) -> Watcher:
    """A watcher with the reader, told all that is known of the tray; `camera` is upright.

    A calibration for pictures of another size is not used.
    """
    from vision.reader import Reader
    from vision.watch import Watcher

    reader = Reader()
    reader.warm_up()
    if calibration is not None and calibration.size == tuple(camera.size):
        tray, anchors = calibration.tray, calibration.anchors
        read = partial(reader.read, tray=tray, edge_px=tray.edge_px(edge_mm))
        return Watcher(
            read, check=lambda image: anchors.check(image).trouble, empty=calibration.empty
        )
    own = getattr(camera, "tray", None)
    if own is None:
        return Watcher(reader.read)
    return Watcher(partial(reader.read, tray=own, edge_px=own.edge_px(edge_mm)))
