"""The checks that open something: configuration, software, camera, buttons."""

from __future__ import annotations

import importlib
import os
import sqlite3
import sys
import threading
from collections.abc import Callable, Mapping
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

from firmware.buttons import BASELINE, Button, EventKind
from firmware.clock import Clock
from firmware.config import Config, Loaded, PanelOptions
from firmware.health import Finding, Level, run
from firmware.panel import Panel, PanelError, open_panel
from vision.reading import Image

CAMERA_SECONDS = 10.0
"""A camera that has not answered by then will not."""
FRAMES = 10

NEEDED = {
    "numpy": "numpy",
    "cv2": "opencv-python-headless",
    "onnxruntime": "onnxruntime",
    "pygame": "pygame-ce",
    "gpiozero": "gpiozero",
}
"""Modules that the table can not do without, and the packages they come from."""
ON_A_PI = {"lgpio": "python3-lgpio", "picamera2": "python3-picamera2", "libcamera": "libcamera"}
"""Modules from the Pi's own packages (apt)."""


def configuration(loaded: Loaded) -> list[Finding]:
    """The configuration file."""
    part = "config"
    remedy = {
        "last good": "put it right; until then the last good copy is used",
        "defaults": "put it right; until then the defaults are used",
    }.get(loaded.source, "put it right; until then the default is used")
    findings = [Finding(part, Level.WARNING, str(one), remedy) for one in loaded.problems]
    if not findings:
        text = f"{loaded.path} is right"
        if loaded.source == "defaults":
            text = f"there is no {loaded.path}; all defaults"
        findings.append(Finding(part, Level.OK, text))
    if loaded.config.table.operator_pin == "0000":
        text = "the operator's PIN is 0000"
        findings.append(Finding(part, Level.NOTE, text, "set table.operator_pin"))
    return findings


def software(on_a_pi: bool) -> list[Finding]:
    """Versions of everything, and what can not be imported."""
    part = "software"
    versions = [
        f"dicetable {metadata.version('dicetable')}",
        f"Python {sys.version.split()[0]}",
        f"SQLite {sqlite3.sqlite_version}",
    ]
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    findings = []
    for module, package in {**NEEDED, **(ON_A_PI if on_a_pi else {})}.items():
        try:
            loaded = importlib.import_module(module)
        except Exception as error:
            # Not only ImportError: apt's simplejpeg raises ValueError beside a newer numpy.
            apt = module in ON_A_PI
            how = f"sudo apt install {package}" if apt else f"pip install '{_wanted(package)}'"
            if "numpy.dtype size changed" in str(error):
                how = "pip install 'simplejpeg>=1.9' in the table's environment"
            text = f"{module} can not be used ({error})"
            findings.append(Finding(part, Level.FAULT, text, how))
        else:
            versions.append(f"{module} {_version(loaded, package)}")
    return [*findings, Finding(part, Level.OK, ", ".join(versions))]


def _wanted(package: str) -> str:
    """The package with the versions of it that are known to do."""
    wanted = metadata.requires("dicetable") or ()
    return next((line for line in wanted if line.startswith(package)), package)


def _version(module: Any, package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return str(getattr(module, "__version__", "of unknown version"))


def camera(config: Config, spec: str | None = None, folder: Path | None = None) -> list[Finding]:
    """Open the camera, take some pictures, and look at what it says of them.

    With the state folder also whether it still hangs where it was calibrated.
    """
    answer: list[Finding] = []
    check = partial(_camera, config, spec or config.camera.source, folder)
    thread = threading.Thread(target=lambda: answer.extend(run([("camera", check)])), daemon=True)
    thread.start()
    # A dead camera may block for ever, even in closing; the thread is then left behind.
    thread.join(CAMERA_SECONDS)
    if not answer:
        text = f"the camera has not answered for {CAMERA_SECONDS:.0f} s"
        return [Finding("camera", Level.FAULT, text, "check its cable with the power off")]
    return answer


def _camera(config: Config, spec: str, folder: Path | None) -> list[Finding]:
    from vision.cameras import CameraError, open_camera

    part = "camera"
    options = config.camera
    made_up = spec.partition(":")[0] in ("simulated", "recording")
    size = None if made_up else (options.width, options.height)
    try:
        with open_camera(spec, size=size, fps=options.fps) as opened:
            frames = [opened.read(timeout=5.0) for _ in range(FRAMES)]
            wanted = dict(getattr(opened, "controls", {}))
            model = getattr(opened, "model", "")
    except CameraError as error:
        return [Finding(part, Level.FAULT, str(error))]
    height, width = frames[-1].image.shape[:2]
    seconds = frames[-1].time - frames[0].time
    rate = (len(frames) - 1) / seconds if seconds > 0 else float(options.fps)
    told = [f"{model} ({spec})" if model else spec, f"{width}x{height}"]
    told += [f"{rate:.1f} pictures a second", *said_of_picture(frames[-1].metadata)]
    text = ", ".join(told)
    slow = rate < options.fps * 0.7
    advice = "the machine is too slow for camera.fps, or the exposure too long" if slow else ""
    findings = [Finding(part, Level.WARNING if slow else Level.OK, text, advice)]
    findings += drifted(wanted, frames[-1].metadata)
    return findings if folder is None else findings + _tray(folder, spec, frames[-1].image)


def _tray(folder: Path, spec: str, image: Image) -> list[Finding]:
    """Whether the camera is calibrated, and still hangs where it was then."""
    from firmware import calibrated
    from vision.anchors import Trouble
    from vision.calibration import turned

    part, again = "tray", "empty the tray and run dicetable calibrate"
    known, problem = calibrated.for_camera(folder, spec)
    if problem is not None:
        return [Finding(part, Level.WARNING, problem, again)]
    if known is None:
        return []
    image = turned(image, known.turn)
    if known.size != (image.shape[1], image.shape[0]):
        width, height = known.size
        text = f"it is calibrated for pictures of {width}x{height}, and they are of another size"
        return [Finding(part, Level.WARNING, text, again)]
    found = known.anchors.check(image)
    if found.trouble is Trouble.MOVED:
        text = f"camera or tray moved by {found.moved_mm:.0f} mm since it was calibrated"
        return [Finding(part, Level.FAULT, text, f"put it back, or {again}")]
    if found.trouble is Trouble.COVERED:
        text = "the camera does not see the tray that was calibrated"
        return [Finding(part, Level.FAULT, text, f"look at lens, light and tray, or {again}")]
    return [Finding(part, Level.OK, f"calibrated by its {known.found_by}, and where it was then")]


def said_of_picture(about: Mapping[str, Any]) -> list[str]:
    """Exposure, gain, focus and sharpness, as far as the camera tells them."""
    told = []
    if "ExposureTime" in about:
        told.append(f"exposure {float(about['ExposureTime']) / 1000:.1f} ms")
    if "AnalogueGain" in about:
        told.append(f"gain {float(about['AnalogueGain']):.1f}")
    if "LensPosition" in about:
        told.append(f"focus {float(about['LensPosition']):.2f} dioptres")
    if "FocusFoM" in about:
        told.append(f"sharpness {float(about['FocusFoM']):.0f}")
    return told


def drifted(wanted: Mapping[str, Any], got: Mapping[str, Any]) -> list[Finding]:
    """What the camera does not do as it was told."""
    findings = []
    for name, word in (("LensPosition", "focus"), ("ExposureTime", "exposure")):
        if name not in wanted or name not in got:
            continue
        asked, is_now = float(wanted[name]), float(got[name])
        if abs(is_now - asked) > max(0.1, 0.05 * abs(asked)):
            text = f"the camera's {word} is {is_now:g}, but {asked:g} was asked for"
            findings.append(Finding("camera", Level.WARNING, text, f"set camera.{word} again"))
    return findings


def buttons(
    options: PanelOptions,
    clock: Clock,
    open_it: Callable[[str, PanelOptions, Clock], Panel] = open_panel,
) -> list[Finding]:
    """Open the buttons and look whether one is stuck."""
    part = "buttons"
    if options.kind == "keyboard":
        return [Finding(part, Level.NOTE, "the keyboard stands for the buttons (panel.kind)")]
    try:
        with open_it(options.kind, options, clock) as panel:
            clock.sleep(BASELINE)
            down = [one.button for one in panel.poll() if one.kind is EventKind.HELD_AT_BOOT]
    except PanelError as error:
        return [Finding(part, Level.FAULT, str(error))]
    findings = [
        Finding(
            part,
            Level.WARNING,
            f"the {button} button is down (GPIO{getattr(options, f'{button}_pin')})",
            "let it go, or look for a short circuit; dicetable doctor --buttons shows it live",
        )
        for button in down
    ]
    pins = ", ".join(f"{one} GPIO{getattr(options, f'{one}_pin')}" for one in Button)
    return findings or [Finding(part, Level.OK, pins)]
