"""Each finding of the doctor, on machines made for the purpose."""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

import vision.cameras
from firmware import health, health_parts
from firmware.buttons import BASELINE, Button
from firmware.cli import main
from firmware.clock import Clock, FakeClock
from firmware.commands import doctor
from firmware.config import Config, PanelOptions, load
from firmware.health import Finding, Level, Machine
from firmware.journal import Journal
from firmware.panel import GpioPanel, MockFingers, Panel, PanelError
from vision.cameras import CameraError, Closing, Frame

GIB = 1024**3
RECORDINGS = Path(__file__).parents[1] / "recordings"


class FakeMachine(Machine):
    """A machine of files in a folder, with device files that may be closed."""

    def __init__(self, root: Path, files: dict[str, str] | None = None) -> None:
        super().__init__(root)
        self.closed: dict[str, str] = {}
        self.outputs: dict[str, str] = {}
        for name, text in (files or {}).items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)

    def output(self, *command: str) -> str | None:
        return self.outputs.get(command[0])

    def usable(self, path: Path) -> bool:
        return path.name not in self.closed

    def group_of(self, path: Path) -> str:
        return self.closed[path.name]


def levels(findings: list[Finding]) -> list[str]:
    return [str(one.level) for one in findings]


def the(findings: list[Finding]) -> Finding:
    (one,) = findings
    return one


# --- power, heat, memory, clock, access -------------------------------------------------------


@pytest.mark.parametrize(
    ("bits", "wanted"),
    [
        ("0", [("ok", "good")]),
        ("0x1", [("fault", "voltage is too low now")]),
        ("50005", [("fault", "too low now"), ("warning", "throttled now"),
                   ("warning", "was too low since"), ("warning", "was throttled since")]),
        ("0x80008", [("warning", "too hot now"), ("warning", "was too hot")]),
        ("?", [("note", "does not tell its voltage")]),
    ],
)  # fmt: skip
def test_voltage(tmp_path: Path, bits: str, wanted: list[tuple[str, str]]) -> None:
    path = "sys/devices/platform/soc/soc:firmware/get_throttled"
    found = health.power(FakeMachine(tmp_path, {path: bits + "\n"}))
    assert [str(one.level) for one in found] == [level for level, _ in wanted]
    for one, (_, text) in zip(found, wanted, strict=True):
        assert text in one.text
        assert bool(one.remedy) == (one.level in (Level.WARNING, Level.FAULT))


def test_voltage_by_vcgencmd(tmp_path: Path) -> None:
    machine = FakeMachine(tmp_path)
    machine.outputs["vcgencmd"] = "throttled=0x10000"
    assert levels(health.power(machine)) == ["warning"]


@pytest.mark.parametrize(("heat", "level"), [("79999", "ok"), ("80000", "warning")])
def test_heat(tmp_path: Path, heat: str, level: str) -> None:
    machine = FakeMachine(tmp_path, {"sys/class/thermal/thermal_zone0/temp": heat})
    assert levels(health.power(machine))[1:] == [level]


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("MemTotal: 4000000 kB\nMemAvailable: 3000000 kB\n", "ok"),
        ("MemTotal: 400000 kB\nMemAvailable: 90000 kB\n", "warning"),
        ("MemTotal: lots\n", "note"),
        ("", "note"),
    ],
)
def test_memory(tmp_path: Path, text: str, level: str) -> None:
    assert levels(health.memory(FakeMachine(tmp_path, {"proc/meminfo": text}))) == [level]


@pytest.mark.parametrize(
    ("wall", "files", "level"),
    [
        (0.0, {}, "warning"),
        (0.0, {"dev/rtc0": ""}, "warning"),
        (1_800_000_000.0, {"dev/rtc0": ""}, "ok"),
        (1_800_000_000.0, {"run/systemd/timesync/synchronized": ""}, "ok"),
        (1_800_000_000.0, {}, "note"),
    ],
)
def test_clock(tmp_path: Path, wall: float, files: dict[str, str], level: str) -> None:
    assert levels(health.clock(FakeMachine(tmp_path, files), FakeClock(wall=wall))) == [level]


def test_missing_groups_are_named(tmp_path: Path) -> None:
    names = ("gpiochip0", "video0", "media0", "dri/card1", "input/event3", "dma_heap/system")
    machine = FakeMachine(tmp_path, {f"dev/{name}": "" for name in names})
    assert levels(health.access(machine)) == ["ok"]
    machine.closed = {"gpiochip0": "gpio", "video0": "video", "system": "video", "card1": "video"}
    found = health.access(machine)
    assert [one.text for one in found] == [
        "no permission for the buttons (group gpio)",
        "no permission for the camera and the screen (group video)",
    ]
    assert found[0].remedy == "sudo usermod -aG gpio $USER, then log in again"
    assert levels(health.access(FakeMachine(tmp_path / "none"))) == ["note"]


def test_model(tmp_path: Path) -> None:
    machine = FakeMachine(tmp_path, {"proc/device-tree/model": "Raspberry Pi 5 Model B\0"})
    assert the(health.model(machine)).text == "Raspberry Pi 5 Model B"
    assert levels(health.model(FakeMachine(tmp_path / "x"))) == ["note"]


# --- disk and record --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "free", "wanted"),
    [
        ("ext4", GIB, ["ok"]),
        ("ext4", 400 * 1024**2, ["warning"]),
        ("ext4", 40 * 1024**2, ["fault"]),
        ("tmpfs", GIB, ["fault", "ok"]),
        ("overlay", GIB, ["fault", "ok"]),
        ("vfat", GIB, ["warning", "ok"]),
    ],
)
def test_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, free: int, wanted: list[str]
) -> None:
    mounts = f"1 0 0:1 / / rw - {kind} {kind} rw\n"
    machine = FakeMachine(tmp_path / "root", {"proc/self/mountinfo": mounts})
    monkeypatch.setattr(health.shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    found = health.disk(machine, tmp_path / "state")
    assert levels(found) == wanted
    for one in found:
        assert bool(one.remedy) == (one.level in (Level.WARNING, Level.FAULT))


def test_disk_that_can_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    found = the(health.disk(FakeMachine(tmp_path), tmp_path / "state"))
    assert (found.level, "a file is in the way" in found.text) == (Level.FAULT, True)


def test_record(tmp_path: Path) -> None:
    assert levels(health.record(tmp_path)) == ["note"]
    with Journal(tmp_path, FakeClock()) as journal:
        game = journal.start_game("barbut", {}, {})
        journal.act(game, {"op": "throw"}).result()
        assert levels(health.record(tmp_path)) == ["note", "ok"]
        assert health.running(tmp_path) == os.getpid()
        fault = journal.fault("chips", "the chips do not add up").result()
        found = health.record(tmp_path)[0]
        assert (found.level, found.text) == (
            Level.FAULT,
            "play is locked: the chips do not add up",
        )
        journal.clear_fault(fault, "operator").result()
    assert health.running(tmp_path) is None
    assert health.running(tmp_path / "none") is None
    (tmp_path / "journal.db").write_bytes(b"x" * 9999)
    assert levels(health.record(tmp_path)) == ["fault"]


# --- configuration, software, camera, buttons ---------------------------------------------------


def test_configuration(tmp_path: Path) -> None:
    path = tmp_path / "dicetable.toml"
    path.write_text("[table]\noperator_pin = '2468'\n")
    assert levels(health_parts.configuration(load(path, tmp_path))) == ["ok"]
    path.write_text("[camera]\nfpss = 1\n")
    found = the(health_parts.configuration(load(path, tmp_path)))
    assert "did you mean" in found.text
    assert "last good copy" in found.remedy
    found = the([*health_parts.configuration(load(None, tmp_path / "x", {"HOME": "/x"}))][1:])
    assert found == Finding(
        "config", Level.NOTE, "the operator's PIN is 0000", "set table.operator_pin"
    )


def test_software(monkeypatch: pytest.MonkeyPatch) -> None:
    found = the(health_parts.software(on_a_pi=False))
    assert found.level is Level.OK
    libraries = ("numpy ", "cv2 ", "onnxruntime ", "pygame ", "gpiozero ")
    for name in ("Python 3.", "SQLite 3.", *libraries):
        assert name in found.text
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(__version__="0.3.31"))
    monkeypatch.setitem(sys.modules, "libcamera", SimpleNamespace())
    found_all = health_parts.software(on_a_pi=True)
    assert [one.remedy for one in found_all[:-1]] == [
        "pip install 'onnxruntime<1.28,>=1.25'",
        "pip install 'gpiozero>=2.0.1.post3'",
        "sudo apt install python3-lgpio",
    ]
    assert "picamera2 0.3.31" in found_all[-1].text


def test_a_numpy_that_breaks_simplejpeg_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> Any:
        if name == "picamera2":
            raise ValueError("numpy.dtype size changed, may indicate binary incompatibility")
        return SimpleNamespace()

    monkeypatch.setattr(health_parts.importlib, "import_module", broken)
    found = health_parts.software(on_a_pi=True)[0]
    assert "simplejpeg" in found.remedy


class FakeCamera(Closing):
    """A camera with its own clock, controls and metadata."""

    size = (64, 48)

    def __init__(self, fps: float, lens: float, dies_at: int = 99) -> None:
        self.controls = {"LensPosition": 2.857, "ExposureTime": 10_000}
        self._fps, self._lens, self._dies_at = fps, lens, dies_at
        self._number = 0

    def read(self, timeout: float) -> Frame:
        self._number += 1
        if self._number > self._dies_at:
            raise CameraError(f"camera 0 is silent for {timeout:g} s: check its ribbon cable")
        image = np.zeros((48, 64, 3), np.uint8)
        metadata = {"LensPosition": self._lens, "ExposureTime": 9995}
        return Frame(image, self._number, self._number / self._fps, metadata)


@pytest.mark.parametrize(
    ("make", "wanted"),
    [
        (lambda: FakeCamera(15, 2.86), [("ok", "64x48, 15.0 pictures a second")]),
        (lambda: FakeCamera(4, 2.86), [("warning", "4.0 pictures a second")]),
        (
            lambda: FakeCamera(15, 0.0),
            [("ok", "64x48"), ("warning", "focus is 0, but 2.857 was asked for")],
        ),
        (lambda: FakeCamera(15, 2.86, dies_at=4), [("fault", "silent for 5 s")]),
    ],
)
def test_camera(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[], FakeCamera], wanted: list[tuple[str, str]]
) -> None:
    monkeypatch.setattr(vision.cameras, "open_camera", lambda *_, **__: make())
    found = health_parts.camera(Config())
    assert levels(found) == [level for level, _ in wanted]
    for one, (_, text) in zip(found, wanted, strict=True):
        assert text in one.text


def test_a_camera_that_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health_parts, "CAMERA_SECONDS", 0.05)
    monkeypatch.setattr(vision.cameras, "open_camera", lambda *_, **__: time.sleep(0.3))
    found = the(health_parts.camera(Config()))
    assert found.level is Level.FAULT
    assert "has not answered" in found.text


def mock_panel(press: tuple[Button, ...] = ()) -> Callable[[str, PanelOptions, Clock], Panel]:
    def open_it(_kind: str, options: PanelOptions, clock: Clock) -> Panel:
        panel = GpioPanel(options, clock, MockFactory())
        for button in press:
            MockFingers(panel).press(button)
        return panel

    return open_it


def test_buttons() -> None:
    options = Config().panel
    found = the(health_parts.buttons(options, FakeClock(), mock_panel()))
    assert (found.level, found.text.split(",")[0]) == (Level.OK, "confirm GPIO5")
    found = the(health_parts.buttons(options, FakeClock(), mock_panel((Button.LEFT,))))
    assert (found.level, found.text) == (Level.WARNING, "the left button is down (GPIO13)")

    def refuse(*_: object) -> Panel:
        raise PanelError("GPIO5 (panel.confirm_pin) is held by another program; stop it")

    found = the(health_parts.buttons(options, FakeClock(), refuse))
    assert found.level is Level.FAULT
    keyboard = PanelOptions(kind="keyboard")
    assert levels(health_parts.buttons(keyboard, FakeClock())) == ["note"]


# --- the command ------------------------------------------------------------------------------


def test_a_check_that_breaks_is_a_fault_and_the_others_go_on() -> None:
    def broken() -> list[Finding]:
        raise RuntimeError("no such luck")

    found = health.run([("power", broken), ("disk", lambda: [Finding("disk", Level.OK, "fine")])])
    assert levels(found) == ["fault", "ok"]
    assert found[0].text == "this check broke (RuntimeError: no such luck)"
    assert health.worst(found) is Level.FAULT
    assert health.worst([]) is Level.OK


def test_doctor_says_it_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = str(tmp_path / "state")
    camera = f"recording:{RECORDINGS / 's3001'}"
    arguments = ["doctor", "--state", state, "--camera", camera, "--panel", "keyboard"]
    status = main([*arguments, "--json"])
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    parts = {one["part"] for one in found}
    assert {"machine", "software", "config", "disk", "record", "clock", "memory"} <= parts
    assert {"camera", "buttons"} <= parts
    (seen,) = [one for one in found if one["part"] == "camera"]
    assert seen["level"] in ("ok", "warning"), seen  # a busy machine may be slow
    # What this machine lacks is its own affair; the exit status must say the same as the list.
    assert status == (1 if any(one["level"] == "fault" for one in found) else 0)


def test_doctor_for_people(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [
        Finding("disk", Level.OK, "90 MiB free"),
        Finding("power", Level.WARNING, "too hot", "give it air"),
    ]
    monkeypatch.setattr(doctor, "examine", lambda *_: found)
    assert main(["doctor", "--state", str(tmp_path)]) == 0
    assert capsys.readouterr().out == (
        "     ok  disk      90 MiB free\n"
        "WARNING  power     too hot\n"
        "                   -> give it air\n"
    )


def test_doctor_leaves_a_running_table_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(tmp_path, FakeClock()):
        main(["doctor", "--state", str(tmp_path), "--json"])
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert not {"camera", "buttons"} & {one["part"] for one in found}
    (note,) = [one for one in found if one["part"] == "table"]
    assert f"process {os.getpid()}" in note["text"]


def test_buttons_live(capsys: pytest.CaptureFixture[str]) -> None:
    clock = FakeClock()
    fingers: list[MockFingers] = []
    lit: list[bool] = []

    class Script(FakeClock):
        def sleep(self, seconds: float) -> None:
            clock_time = self.monotonic()
            if 1.0 <= clock_time < 1.5:
                fingers[0].press(Button.BACK)
                lit.append(fingers[0].lit(Button.BACK))
            else:
                fingers[0].release(Button.BACK)
            self.advance(seconds)

    clock = Script()

    def open_it(_kind: str, options: PanelOptions, now: Clock) -> Panel:
        panel = GpioPanel(options, now, MockFactory())
        fingers.append(MockFingers(panel))
        return panel

    assert doctor.watch(Config().panel, clock, open_it, seconds=BASELINE + 2) == 0
    out = capsys.readouterr().out
    assert "back     GPIO6   lamp GPIO16" in out
    assert [line.split()[2:] for line in out.splitlines() if " s  " in line] == [
        ["back", "pressed"],
        ["back", "released"],
    ]
    assert "back     1 presses, 0 glitches rejected" in out
    assert lit[-1]
    assert doctor.watch(PanelOptions(kind="keyboard"), clock) == 2
