"""Every option of the table: name, type, default, allowed values and help, once.

The dataclasses below are the one table. From it come the defaults, the commented
`dicetable.toml`, all checks, the settings page (`OPTIONS`) and the typed object that the program
reads (`config.camera.source`). `firmware.config` reads and writes the files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, TypeVar, get_type_hints

from display.catalogue import LANGUAGES
from firmware import pins
from firmware.rules import GAMES

T = TypeVar("T", bool, int, float, str)

SECTION_HELP = {
    "camera": "The camera above the tray.",
    "dice": "The dice and the tray.",
    "panel": "Buttons and lamps. Pins are BCM numbers; 0 means not connected.",
    "display": "The screen.",
    "table": "The table's habits.",
    "state": "The record and the pictures.",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """What an option may be, beyond its type."""

    help: str
    choices: tuple[Any, ...] = ()
    low: float | None = None
    high: float | None = None
    pattern: str = ""
    """Regular expression that a text must match as a whole."""
    wanted: str = ""
    """What that pattern means, in words."""
    secret: bool = False
    """Left out of support bundles."""


def option(default: T, help: str, **limits: Any) -> T:
    """A field that is an option."""
    return field(default=default, metadata={"limits": Limits(help, **limits)})


def _pin(key: str) -> int:
    use = next(wire.use for wire in pins.WIRING if wire.option == key)
    help_text = use[0].upper() + use[1:] + "."
    return option(pins.default(key), help_text, low=0, high=27)


@dataclass(frozen=True, slots=True)
class CameraOptions:
    """The camera above the tray."""

    source: str = option(
        "picamera2",
        "Where the pictures come from.",
        pattern=r"picamera2(:\d+)?|webcam(:\d+)?|recording:.+|simulated(:\d+)?",
        wanted="picamera2, webcam, webcam:NUMBER, recording:FOLDER, simulated or simulated:SEED",
    )
    width: int = option(1280, "Width of a picture in pixels.", low=320, high=4608)
    height: int = option(960, "Height of a picture in pixels.", low=240, high=2592)
    fps: int = option(15, "Pictures a second.", low=1, high=60)
    rotation: int = option(
        0, "180 when the camera hangs upside down (the Pi's camera only).", choices=(0, 180)
    )
    exposure_us: int = option(
        10_000,
        "Exposure in microseconds (the Pi's camera only). Lamps do not flicker in multiples of "
        "10000 on 50 Hz mains, of 8333 on 60 Hz.",
        low=100,
        high=66_666,
    )
    gain: float = option(2.0, "Gain of the sensor (the Pi's camera only).", low=1.0, high=16.0)
    red_gain: float = option(2.1, "White balance, red (the Pi's camera only).", low=0.1, high=8.0)
    blue_gain: float = option(1.7, "White balance, blue (the Pi's camera only).", low=0.1, high=8.0)
    focus: float = option(
        2.0, "Focus in dioptres, 1 / metres (the Pi's camera only).", low=0.0, high=20.0
    )


@dataclass(frozen=True, slots=True)
class DiceOptions:
    """The dice and the tray."""

    edge_mm: float = option(16.0, "Length of a die's edge in millimetres.", low=5.0, high=50.0)
    sets: str = option(
        "",
        'Names of the dice sets, separated by commas, such as "red, ivory"; which one is in play '
        "is chosen on the screen, and each is tested for itself. Empty: the dice have no names.",
        pattern=r"[^,\n]{1,20}(,[^,\n]{1,20})*|",
        wanted="names of up to 20 letters, separated by commas",
    )
    rail: bool = option(
        True, "A rail along the near edge of the tray holds the dice that a player keeps."
    )
    rail_mm: float = option(
        50.0, "Depth of that rail in millimetres, to the middle of its ridge.", low=10.0, high=500.0
    )
    tray_width_mm: float = option(
        280.0, "Inner width of the tray in millimetres.", low=100.0, high=1000.0
    )
    tray_depth_mm: float = option(
        280.0, "Inner depth of the tray in millimetres, keep rail included.", low=100.0, high=1000.0
    )
    rim_mm: float = option(
        35.0, "Height of the rim above the felt in millimetres.", low=0.0, high=150.0
    )


@dataclass(frozen=True, slots=True)
class PanelOptions:
    """Buttons and lamps."""

    kind: str = option("gpio", "Buttons on pins, or the keyboard.", choices=("gpio", "keyboard"))
    confirm_pin: int = _pin("confirm_pin")
    back_pin: int = _pin("back_pin")
    left_pin: int = _pin("left_pin")
    right_pin: int = _pin("right_pin")
    confirm_lamp_pin: int = _pin("confirm_lamp_pin")
    back_lamp_pin: int = _pin("back_lamp_pin")
    left_lamp_pin: int = _pin("left_lamp_pin")
    right_lamp_pin: int = _pin("right_lamp_pin")
    tray_light_pin: int = _pin("tray_light_pin")
    encoder_a_pin: int = _pin("encoder_a_pin")
    encoder_b_pin: int = _pin("encoder_b_pin")
    lamps: bool = option(True, "Light the buttons that do something now.")


@dataclass(frozen=True, slots=True)
class DisplayOptions:
    """The screen."""

    language: str = option("en", "Language on the screen.", choices=tuple(LANGUAGES))
    theme: str = option("dark", "Colours.", choices=("dark", "contrast"))
    windowed: bool = option(False, "A window on a desktop instead of the whole screen.")
    rotation: int = option(
        0, "How far the screen is turned, clockwise in degrees.", choices=(0, 90, 180, 270)
    )
    sounds: bool = option(True, "Play sounds.")


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The table's habits."""

    game: str = option(
        "barbudi",
        "The game offered first.",
        choices=tuple(GAMES),
    )
    place: str = option(
        "",
        "Where the table stands; printed on the sheets to take home.",
        pattern=r"[^\n]{0,40}",
        wanted="up to 40 letters",
    )
    operator_pin: str = option(
        "0000",
        "Digits that open the operator's menu and clear a fault. Change them.",
        pattern=r"\d{4,8}",
        wanted="4 to 8 digits in quotes",
        secret=True,
    )


@dataclass(frozen=True, slots=True)
class StateOptions:
    """The record and the pictures."""

    folder: str = option(
        "",
        "Folder of the record; empty for the usual place.",
        pattern=r"(/.*)?",
        wanted="an absolute path, or empty",
    )
    picture_quota_mib: int = option(
        512, "Room for the pictures of confirmed throws, in MiB.", low=0, high=1_000_000
    )
    sheets: str = option(
        "",
        "Folder of the sheets to take home; empty for sheets/ in the folder of the record.",
        pattern=r"(/.*)?",
        wanted="an absolute path, or empty",
    )
    sheet_quota_mib: int = option(
        64, "Room for those sheets, in MiB; the oldest go first.", low=1, high=1_000_000
    )


@dataclass(frozen=True, slots=True)
class Config:
    """All options with their values."""

    camera: CameraOptions = CameraOptions()
    dice: DiceOptions = DiceOptions()
    panel: PanelOptions = PanelOptions()
    display: DisplayOptions = DisplayOptions()
    table: TableOptions = TableOptions()
    state: StateOptions = StateOptions()
    rules: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """House rules of each game that differ from the defaults: `config.rules["barbudi"]`."""


@dataclass(frozen=True, slots=True)
class Option:
    """One row of the table."""

    section: str
    name: str
    kind: type
    default: bool | int | float | str
    limits: Limits

    @property
    def key(self) -> str:
        """Its full name, such as `camera.source`."""
        return f"{self.section}.{self.name}"

    def wanted(self) -> str:
        """What it may be, in words."""
        if self.limits.choices:
            return "one of " + ", ".join(toml(one) for one in self.limits.choices)
        if self.limits.wanted:
            return self.limits.wanted
        if self.kind is bool:
            return "true or false"
        if self.kind is str:
            return "a text in quotes"
        noun = "a whole number" if self.kind is int else "a number"
        if self.limits.low is not None and self.limits.high is not None:
            return f"{noun} from {self.limits.low:.10g} to {self.limits.high:.10g}"
        return noun

    def read(self, value: object) -> bool | int | float | str:
        """The value, checked; ValueError with what is wanted instead."""
        if self.kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if type(value) is not self.kind or not self._allowed(value):
            raise ValueError(self.wanted())
        return value  # type: ignore[return-value]

    def _allowed(self, value: Any) -> bool:
        limits = self.limits
        if limits.choices:
            return value in limits.choices
        if limits.pattern:
            return re.fullmatch(limits.pattern, value) is not None
        return not (
            (limits.low is not None and not value >= limits.low)
            or (limits.high is not None and not value <= limits.high)
        )


SECTIONS: dict[str, type[Any]] = {
    one.name: get_type_hints(Config)[one.name] for one in fields(Config) if one.name != "rules"
}
"""Name of each section and its dataclass."""


def _options() -> dict[str, Option]:
    table = {}
    for section, kind in SECTIONS.items():
        hints = get_type_hints(kind)
        for one in fields(kind):
            row = Option(section, one.name, hints[one.name], one.default, one.metadata["limits"])  # type: ignore[arg-type]
            table[row.key] = row
    return table


OPTIONS: dict[str, Option] = _options()
"""Every option by its full name, in the order of the file."""


def toml(value: object) -> str:
    """A value as TOML text; whole tables inline."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case str():
            return '"' + "".join(map(_escaped, value)) + '"'
        case list() | tuple():
            return "[" + ", ".join(map(toml, value)) + "]"
        case Mapping():
            inside = ", ".join(f"{toml(str(key))} = {toml(one)}" for key, one in value.items())
            return "{ " + inside + " }" if inside else "{}"
        case None:
            return '"none"'
    raise ValueError(f"TOML has no such value: {value!r}")


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    return char if ord(char) >= 0x20 and ord(char) != 0x7F else f"\\u{ord(char):04x}"


def build(values: Mapping[str, object], rules: Mapping[str, Mapping[str, Any]]) -> Config:
    """The configuration with these checked values by full name, and defaults for all others."""
    sections = {
        name: kind(
            **{
                option.name: values[key]
                for key, option in OPTIONS.items()
                if option.section == name and key in values
            }
        )
        for name, kind in SECTIONS.items()
    }
    frozen = MappingProxyType({game: MappingProxyType(dict(one)) for game, one in rules.items()})
    return Config(**sections, rules=frozen)


def clashes(panel: PanelOptions) -> list[tuple[str, str]]:
    """Options of the panel whose pins are used twice or reserved, each with a sentence."""
    found = []
    taken: dict[int, str] = {}
    for wire in pins.WIRING:
        bcm: int = getattr(panel, wire.option)
        key = f"panel.{wire.option}"
        if bcm in pins.RESERVED and bcm != 0:
            found.append((key, f"GPIO{bcm} is taken by {pins.RESERVED[bcm]}; use another pin"))
        elif bcm in taken:
            found.append((key, f"GPIO{bcm} is used by {taken[bcm]} already; use another pin"))
        elif bcm != 0:
            taken[bcm] = key
    for button in ("confirm", "back", "left", "right"):
        if getattr(panel, f"{button}_pin") == 0:
            found.append((f"panel.{button}_pin", f"the {button} button needs a pin from 2 to 27"))
    if (panel.encoder_a_pin == 0) != (panel.encoder_b_pin == 0):
        found.append(("panel.encoder_b_pin", "a rotary encoder needs both of its pins"))
    return found
