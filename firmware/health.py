"""What is wrong with this machine as a dice table, and what to do about it.

Every check looks at one thing and gives findings: what was found, how bad it is, and the remedy.
They are the same for `dicetable doctor`, the health page and the support bundle. Whatever a check
asks of the machine it asks of a `Machine`, so that a test can put another one under it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from firmware.clock import Clock, clock_is_set
from firmware.journal import JournalReader
from firmware.statedir import (
    InUseError,
    Lock,
    NoRecordError,
    StateError,
    file_system,
    prepare,
    volatile,
)

MIB = 1024 * 1024

SPACE_WARNING = 500 * MIB
SPACE_FAULT = 50 * MIB
MEMORY_WARNING = 100 * MIB
HOT = 80.0
"""Degrees Celsius; from here on a Raspberry Pi slows itself down."""


class Level(StrEnum):
    """How bad a finding is."""

    OK = "ok"
    NOTE = "note"
    """Good to know."""
    WARNING = "warning"
    """Play goes on, but something should be done."""
    FAULT = "fault"
    """The table can not be played at, or not be trusted, until it is put right."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the health page."""

    part: str
    """What it is about: config, record, disk, clock, power, memory, access, software …"""
    level: Level
    text: str
    remedy: str = ""
    """What to do; empty when there is nothing to do."""


class Machine:
    """What the checks ask of the machine they run on."""

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root

    def text(self, path: str) -> str | None:
        """The text of a system file, without the line's end; None when it can not be read."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip("\n\0 ")
        except OSError:
            return None

    def output(self, *command: str) -> str | None:
        """What a command prints; None when there is none or it fails."""
        if shutil.which(command[0]) is None:
            return None
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=True)
        except (OSError, subprocess.SubprocessError):
            return None
        return done.stdout.strip()

    def devices(self, pattern: str) -> list[Path]:
        """Device files such as `gpiochip*`."""
        return sorted((self.root / "dev").glob(pattern))

    def usable(self, path: Path) -> bool:
        """Whether this user may read and write a device."""
        return os.access(path, os.R_OK | os.W_OK)

    def group_of(self, path: Path) -> str:
        """The group that a file belongs to."""
        try:
            return path.group()
        except (KeyError, OSError):
            return "?"


def model(machine: Machine) -> list[Finding]:
    """What kind of machine it is."""
    name = machine.text("proc/device-tree/model")
    if name is None:
        return [
            Finding("machine", Level.NOTE, "this is no Raspberry Pi: no pins and no ribbon camera")
        ]
    return [Finding("machine", Level.OK, name)]


def disk(machine: Machine, folder: Path) -> list[Finding]:
    """Space, and whether what is written stays."""
    part = "disk"
    try:
        prepare(folder)
        usage = shutil.disk_usage(folder)
    except (StateError, OSError) as error:
        return [Finding(part, Level.FAULT, f"{error}")]
    findings = []
    kind = file_system(folder, machine.text("proc/self/mountinfo"))
    gone = volatile(folder, machine.text("proc/self/mountinfo"))
    if gone:
        findings.append(
            Finding(
                part,
                Level.FAULT,
                f"{folder} is in memory ({gone}): everything is lost when the power goes",
                "put the state folder on a partition of its own; with the overlay file system use "
                "overlayroot=tmpfs:recurse=0",
            )
        )
    elif kind in ("vfat", "exfat", "msdos"):
        findings.append(
            Finding(
                part,
                Level.WARNING,
                f"{folder} is on a {kind} file system, which a pulled plug can destroy",
                "use ext4",
            )
        )
    space = f"{usage.free // MIB} MiB free in {folder} ({kind})"
    remedy = "free some space, or lower state.picture_quota_mib"
    if usage.free < SPACE_FAULT:
        findings.append(Finding(part, Level.FAULT, f"only {space}", remedy))
    elif usage.free < SPACE_WARNING:
        findings.append(Finding(part, Level.WARNING, f"only {space}", remedy))
    else:
        findings.append(Finding(part, Level.OK, space))
    return findings


def record(folder: Path) -> list[Finding]:
    """The record: who holds it, what lies open, and whether its chain is whole."""
    part = "record"
    try:
        with JournalReader(folder) as reader:
            broken = reader.verify()
            game, faults = reader.open_game(), reader.open_faults()
            count = len(reader.game_ids())
    except NoRecordError:
        return [Finding(part, Level.NOTE, f"nothing has been played yet in {folder}")]
    except StateError as error:
        return [Finding(part, Level.FAULT, str(error))]
    findings = []
    if broken is not None:
        remedy = "start the table: it keeps the damaged file aside and rebuilds the record"
        findings.append(Finding(part, Level.FAULT, broken.reason, remedy))
    for fault in faults:
        text = f"play is locked: {fault.body.get('detail', fault.body.get('code'))}"
        findings.append(Finding(part, Level.FAULT, text, "clear it in the operator's menu"))
    if game is not None:
        text = f"game {game.id} ({game.game}) is open with {len(game.acts)} acts"
        findings.append(Finding(part, Level.NOTE, text))
    if broken is None:
        findings.append(Finding(part, Level.OK, f"{count} games, every event as it was written"))
    return findings


def running(folder: Path) -> int | None:
    """Process number of the table that is running on this folder; None when none is, or unknown."""
    if not (folder / "dicetable.lock").exists():
        return None
    try:
        Lock(folder).release()
    except InUseError as error:
        return error.pid or -1
    except StateError:
        return None
    return None


def clock(machine: Machine, time: Clock) -> list[Finding]:
    """Whether the date can be right."""
    part = "clock"
    if not clock_is_set(time.wall()):
        return [
            Finding(
                part,
                Level.WARNING,
                "the clock is not set: dates in the record will be wrong, their order not",
                "connect a network once, or fit a clock module with a battery",
            )
        ]
    if machine.devices("rtc*") or (machine.root / "run/systemd/timesync/synchronized").exists():
        return [Finding(part, Level.OK, "the clock is set")]
    return [
        Finding(
            part,
            Level.NOTE,
            "the clock shows a likely date, but nothing keeps it while the power is off",
            "a clock module with a battery keeps it",
        )
    ]


_THROTTLED = {
    0: (Level.FAULT, "the supply voltage is too low now"),
    1: (Level.WARNING, "the processor is held at a low speed now"),
    2: (Level.WARNING, "the processor is throttled now"),
    3: (Level.WARNING, "the processor is too hot now"),
    16: (Level.WARNING, "the supply voltage was too low since the start"),
    18: (Level.WARNING, "the processor was throttled since the start"),
    19: (Level.WARNING, "the processor was too hot since the start"),
}
"""Bits of the firmware's report."""


def power(machine: Machine) -> list[Finding]:
    """Voltage and temperature, where the machine tells."""
    part = "power"
    findings = []
    bits = machine.text("sys/devices/platform/soc/soc:firmware/get_throttled")
    if bits is None:
        bits = (machine.output("vcgencmd", "get_throttled") or "").partition("=")[2]
    try:
        flags = int(bits, 16)
    except ValueError:
        findings.append(Finding(part, Level.NOTE, "this machine does not tell its voltage"))
    else:
        remedy = "use the official supply (5 V, 3 A; 5 A for a Pi 5) and a short cable"
        cooling = "give it air or a heat sink"
        for bit, (level, text) in _THROTTLED.items():
            if flags >> bit & 1:
                advice = remedy if "voltage" in text else cooling
                findings.append(Finding(part, level, text, advice))
        if not findings:
            findings.append(Finding(part, Level.OK, "the supply voltage is good"))
    heat = machine.text("sys/class/thermal/thermal_zone0/temp")
    if heat is not None and heat.isdecimal():
        degrees = int(heat) / 1000
        hot = degrees >= HOT
        level = Level.WARNING if hot else Level.OK
        advice = "give it air or a heat sink" if hot else ""
        findings.append(Finding(part, level, f"processor at {degrees:.0f} °C", advice))
    return findings


def memory(machine: Machine) -> list[Finding]:
    """Memory that is left."""
    text = machine.text("proc/meminfo") or ""
    lines = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    try:
        available = int(lines["MemAvailable"].split()[0]) * 1024
        total = int(lines["MemTotal"].split()[0]) * 1024
    except (KeyError, ValueError, IndexError):
        return [Finding("memory", Level.NOTE, "this machine does not tell its memory")]
    left = f"{available // MIB} of {total // MIB} MiB of memory left"
    if available < MEMORY_WARNING:
        return [Finding("memory", Level.WARNING, left, "stop other programs")]
    return [Finding("memory", Level.OK, left)]


_DEVICES = (
    ("gpiochip*", "the buttons"),
    ("media*", "the camera"),
    ("video*", "the camera"),
    ("dma_heap/*", "the camera"),
    ("dri/card*", "the screen"),
    ("dri/renderD*", "the screen"),
    ("input/event*", "the keyboard"),
)


def access(machine: Machine) -> list[Finding]:
    """Devices that are there but closed to this user, with the group that would open them."""
    missing: dict[str, set[str]] = {}
    seen = False
    for pattern, use in _DEVICES:
        for path in machine.devices(pattern):
            seen = True
            if not machine.usable(path):
                missing.setdefault(machine.group_of(path), set()).add(use)
    if missing:
        return [
            Finding(
                "access",
                Level.FAULT,
                f"no permission for {' and '.join(sorted(uses))} (group {group})",
                f"sudo usermod -aG {group} $USER, then log in again",
            )
            for group, uses in sorted(missing.items())
        ]
    text = "all devices may be used" if seen else "there are no devices to be used here"
    return [Finding("access", Level.OK if seen else Level.NOTE, text)]


Check = Callable[[], Iterable[Finding]]


def run(checks: Iterable[tuple[str, Check]]) -> list[Finding]:
    """Run checks one after the other; one that breaks becomes a fault itself."""
    findings: list[Finding] = []
    for part, check in checks:
        try:
            findings += check()
        except Exception as error:
            text = f"this check broke ({type(error).__name__}: {error})"
            findings.append(Finding(part, Level.FAULT, text, "please report it"))
    return findings


def worst(findings: Iterable[Finding]) -> Level:
    """The gravest level among findings."""
    order = list(Level)
    return max((one.level for one in findings), key=order.index, default=Level.OK)
