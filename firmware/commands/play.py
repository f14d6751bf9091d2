"""`dicetable play`: the table itself."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from importlib import metadata
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from display.catalogue import LANGUAGES
from firmware.rules import GAMES

if TYPE_CHECKING:
    from display.window import Window
    from firmware.app import App
    from firmware.clock import Clock
    from firmware.config import Loaded
    from firmware.dialogs import Dialog
    from firmware.eye import CameraSettings
    from firmware.health import Finding
    from firmware.lobby import Start
    from firmware.look import Look
    from firmware.options import CameraOptions, Config
    from firmware.startup import Startup
    from firmware.take_home import TakeHome
    from vision.cameras.picamera2 import PiSettings

HELP = "the table itself, with a camera or a simulated tray"

KEYS = (
    "Keys: left and right, Enter confirms, Backspace goes back; T throws the dice on the "
    "simulated tray; M opens the menu; F12 takes a screenshot; close the window or press Ctrl-C to "
    "stop."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `dicetable play`; what is not given comes from the configuration file."""
    parser.add_argument(
        "--camera",
        metavar="CAMERA",
        help="picamera2, webcam, recording:DIR or simulated",
    )
    parser.add_argument("--panel", choices=("gpio", "keyboard"), help="buttons or keys")
    parser.add_argument("--windowed", action="store_true", help="a window, not the whole screen")
    parser.add_argument("--size", default="1024x600", metavar="WxH", help="size of the window")
    parser.add_argument("--game", choices=tuple(GAMES))
    parser.add_argument("--players", metavar="NAME,NAME…", help="seat these players at once")
    parser.add_argument("--state", type=Path, metavar="DIR", help="folder of the record")
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration file")
    parser.add_argument(
        "--until-ready",
        action="store_true",
        help="say how long the start took, and end: first picture on the screen, first of the tray",
    )
    parser.add_argument("--language", choices=tuple(LANGUAGES))


def run(args: argparse.Namespace) -> int:
    """Play until the window is closed or the service is stopped; the exit status."""
    from display.view import Notice
    from display.window import WindowError
    from display.words import Words
    from firmware.panel import PanelError
    from firmware.rules.game import Refused
    from firmware.rules.options import ConfigError
    from firmware.statedir import StateError
    from firmware.table import plain_details

    try:
        return _play(args)
    except (WindowError, PanelError, StateError, ConfigError, UsageError) as error:
        print(f"dicetable: {error}", file=sys.stderr)
    except Refused as refused:
        notice = Notice(refused.code, details=plain_details(refused))
        print(f"dicetable: {Words('en').notice(notice)}", file=sys.stderr)
    return 2


class UsageError(Exception):
    """Arguments that do not go together."""


def _play(args: argparse.Namespace) -> int:
    from firmware import config as configuration
    from firmware import logs, notify
    from firmware.clock import SystemClock
    from firmware.startup import Startup
    from firmware.statedir import InUseError, StateError

    wish = _wish(args)
    clock = SystemClock()
    loaded = configuration.load(args.config, args.state)
    for problem in loaded.problems:
        print(f"dicetable: {problem}", file=sys.stderr)
    logs.start(clock)
    with Startup(loaded.state, clock) as start:
        reason = start.reason if start.safe else ""
        while True:
            if reason:
                print(f"Safe start, only to be looked into: {reason}")
                code = "failed_starts" if start.safe else "record_failed"
                if not _diagnose(args, loaded, reason, code, clock):
                    return 0
                start.again()
            try:
                _sit_down(args, loaded, clock, wish, start)
            except StateError as error:
                # A service that ends here would leave a dark screen: it says why instead.
                if isinstance(error, InUseError) or not notify.managed():
                    raise
                reason = str(error)
            else:
                return 0


def _sit_down(
    args: argparse.Namespace, loaded: Loaded, clock: Clock, wish: Start | None, start: Startup
) -> None:
    """Open record, buttons, screen and camera, and play until stopped."""
    from display.sounds import Speaker
    from firmware import live
    from firmware.app import App
    from firmware.dice_sets import DiceSets
    from firmware.evening import Evening
    from firmware.evidence import Evidence
    from firmware.eye import CameraProcess
    from firmware.journal import Journal
    from firmware.operator_menu import OperatorMenu
    from firmware.pages import Pages
    from firmware.panel import open_panel
    from firmware.startup import Told

    folder, config = loaded.state, loaded.config
    eye_settings = _eye_settings(args.camera or config.camera.source, config, folder)
    examine, report = _helpers(loaded, clock)
    look = _look(args, loaded)
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(folder, clock, version=metadata.version("dicetable")))
        kind = args.panel or config.panel.kind
        panel = stack.enter_context(open_panel(kind, config.panel, clock))
        window = stack.enter_context(_window(args, config))
        quota = config.state.picture_quota_mib
        evidence = stack.enter_context(Evidence.open(folder, journal, quota, clock))
        pin = config.table.operator_pin
        operator = OperatorMenu(
            pin, journal=journal, report=report, settings=_settings_page(args, look)
        )
        evening = Evening(
            journal,
            clock,
            house_rules=config.rules,
            evidence=evidence,
            rail=config.dice.rail,
            pages=Pages(
                journal,
                evidence.path,
                examine,
                operator=operator,
                look=look,
                take_home=_take_home(loaded, look),
                dice_sets=DiceSets(config.dice.sets, journal),
                live=lambda: live.look(panel, eye),
            ),
            operator_pin=pin,
            told=print,
            look=look,
            first_game=config.table.game,
            picture=evidence.path,
        )
        eye = stack.enter_context(CameraProcess(eye_settings, clock))
        app = App(
            panel=panel,
            eye=eye,
            window=window,
            clock=clock,
            mode=Told(loaded.problems) if loaded.problems else evening.first(wish),
            after=lambda mode: (
                evening.first(wish) if isinstance(mode, Told) else evening.after(mode)
            ),
            look=look,
            speaker=stack.enter_context(closing(Speaker(lambda: look.sounds))),
            pictures=folder / "screens",
            alive=start.alive,
        )
        if args.until_ready:
            app.milestones.then(app.stop)
        print(KEYS)
        _run(app)
        if args.until_ready:
            print(app.milestones)


def _take_home(loaded: Loaded, look: Look) -> TakeHome:
    """Makes the sheets to take home, in the language of the screen."""
    from firmware.take_home import FOLDER_NAME, TakeHome

    config = loaded.config
    return TakeHome(
        Path(config.state.sheets) if config.state.sheets else loaded.state / FOLDER_NAME,
        config.state.sheet_quota_mib * 1024 * 1024,
        place=config.table.place,
        language=lambda: look.language,
    )


def _diagnose(
    args: argparse.Namespace, loaded: Loaded, reason: str, code: str, clock: Clock
) -> bool:
    """Show why the table does not start; whether another real start is wanted."""
    from firmware.app import App
    from firmware.evidence import FOLDER_NAME
    from firmware.journal import JournalReader
    from firmware.operator_menu import OperatorMenu
    from firmware.pages import Pages
    from firmware.panel import KeyboardPanel, PanelError, open_panel
    from firmware.startup import Blind, Diagnosis
    from firmware.statedir import StateError

    folder, config = loaded.state, loaded.config
    examine, report = _helpers(loaded, clock)
    look = _look(args, loaded)
    with ExitStack() as stack:
        try:
            panel = open_panel(args.panel or config.panel.kind, config.panel, clock)
        except PanelError as error:
            print(f"dicetable: {error}", file=sys.stderr)
            panel = KeyboardPanel(clock)
        stack.enter_context(panel)
        try:
            reader = stack.enter_context(JournalReader(folder))
        except StateError:
            reader = None
        operator = OperatorMenu(
            config.table.operator_pin, report=report, settings=_settings_page(args, look)
        )
        pages = Pages(
            reader, lambda name: folder / FOLDER_NAME / f"{name}.jpg", examine, operator=operator
        )
        mode = Diagnosis(reason, pages.menu(), code)
        app = App(
            panel=panel,
            eye=Blind(),
            window=stack.enter_context(_window(args, config)),
            clock=clock,
            mode=mode,
            after=lambda mode: None,
            look=look,
            pictures=folder / "screens",
        )
        _run(app)
    return mode.done


def _run(app: App) -> None:
    """Run until the window is closed, or the service stopped."""
    from firmware import notify

    def stop(_signal: int, _frame: FrameType | None) -> None:
        app.stopped = True

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    app.run()
    notify.stopping()


def _settings_page(args: argparse.Namespace, look: Look) -> Callable[[], Dialog]:
    """Makes the page with every option, as it is saved now."""
    from functools import partial

    from firmware import config as configuration
    from firmware.settings import SettingsPage

    def make() -> SettingsPage:
        loaded = configuration.load(args.config, args.state)
        keep = look.keeping(partial(configuration.save_setting, loaded.state))
        return SettingsPage(loaded.config, keep)

    return make


def _window(args: argparse.Namespace, config: Config) -> Window:
    from display.window import HEADLESS, Window, WindowError
    from firmware import notify

    windowed = args.windowed or config.display.windowed
    window = Window(_size(args.size), fullscreen=not windowed, rotation=config.display.rotation)
    if window.visible:
        return window
    why = window.reason or window.driver
    if notify.managed() and os.environ.get("SDL_VIDEODRIVER", "") not in HEADLESS:
        # A screen that is plugged in later is found only by a new start: systemd tries again.
        window.close()
        raise WindowError(f"there is no screen ({why}); connect one, or switch it on")
    print(f"No screen ({why}): drawing into memory.")
    return window


def _look(args: argparse.Namespace, loaded: Loaded) -> Look:
    """What the screen is drawn in; what is changed there is kept in the state folder."""
    from functools import partial

    from firmware.config import save_setting
    from firmware.look import Look

    look = Look(loaded.config.display, partial(save_setting, loaded.state))
    look.language = args.language or look.language
    return look


def _helpers(loaded: Loaded, clock: Clock) -> tuple[Callable[[], list[Finding]], Callable[[], str]]:
    """What looks at the machine, and what writes a support bundle and says where."""
    from firmware import bundle
    from firmware.commands import doctor
    from firmware.health import Machine

    def examine() -> list[Finding]:
        return doctor.examine(loaded, loaded.config.panel, None, Machine(), clock, own=True)

    def report() -> str:
        target = loaded.state / "report.zip"
        bundle.write(target, loaded, examine(), Machine(), clock)
        return str(target)

    return examine, report


def _eye_settings(spec: str, config: Config, folder: Path) -> CameraSettings:
    """What the camera process is told; a camera that can not exist is refused at once."""
    from firmware import calibrated
    from firmware.eye import CameraSettings
    from vision.cameras import CameraError, open_camera

    kind = spec.partition(":")[0]
    made_up = kind not in ("picamera2", "webcam")
    if made_up:
        # Recordings and simulated trays never fail later: what is wrong is wrong now.
        try:
            open_camera(spec).close()
        except CameraError as error:
            raise UsageError(str(error)) from error
    size = None if made_up else (config.camera.width, config.camera.height)
    calibration, problem = calibrated.for_camera(folder, spec)
    if problem is not None:
        print(f"dicetable: {problem}", file=sys.stderr)
    return CameraSettings(
        spec,
        size,
        float(config.camera.fps),
        config.dice.edge_mm,
        pi_settings(config.camera),
        calibration,
    )


def pi_settings(camera: CameraOptions) -> PiSettings:
    """What the settings ask of the Pi's camera."""
    from vision.cameras.picamera2 import PiSettings

    return PiSettings(
        camera.exposure_us,
        camera.gain,
        (camera.red_gain, camera.blue_gain),
        camera.focus,
        upside_down=camera.rotation == 180,
    )


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise UsageError(f"--size {text}: give width and height, such as 1024x600")
    return int(width), int(height)


def _wish(args: argparse.Namespace) -> Start | None:
    from firmware.lobby import Start

    if args.players is None:
        return None
    if args.game is None:
        raise UsageError("--players needs --game")
    names = tuple(name.strip() for name in args.players.split(",") if name.strip())
    return Start(args.game, names)
