"""The unit files: clean to systemd's own checker, hardened, and what the program relies on."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from firmware import notify

SYSTEMD = Path(__file__).resolve().parents[2] / "systemd"
UNITS = (
    "dicetable.service",
    "dicetable-fault.service",
    "dicetable-poweroff.path",
    "dicetable-poweroff.service",
)

needs_analyze = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)


def values(name: str, key: str) -> list[str]:
    """All values of a key in a unit or drop-in, in order."""
    text = (SYSTEMD / name).read_text(encoding="utf-8")
    return re.findall(rf"^{key}=(.*)$", text, flags=re.MULTILINE)


@needs_analyze
def test_verify_is_clean(tmp_path: Path) -> None:
    for unit in UNITS:
        text = (SYSTEMD / unit).read_text(encoding="utf-8")
        # The program is not installed where the tests run; another executable stands in.
        text = re.sub(r"^ExecStart=/opt/\S+", f"ExecStart={sys.executable}", text, flags=re.M)
        (tmp_path / unit).write_text(text, encoding="utf-8")
    result = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *(str(tmp_path / unit) for unit in UNITS)],
        capture_output=True,
        text=True,
        check=False,
    )
    # Unknown keys are only printed, the exit status stays 0: any word about ours is a failure.
    ours = [line for line in result.stderr.splitlines() if "dicetable" in line]
    assert (result.returncode, ours) == (0, [])


@needs_analyze
@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit.endswith(".service")])
def test_exposure_is_under_2_5(unit: str) -> None:
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager"]
    strict = subprocess.run(
        [*command, "--threshold=25", str(SYSTEMD / unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    if "offline" in strict.stderr:
        pytest.skip("this systemd-analyze is too old for security --offline")
    assert strict.returncode == 0, strict.stdout[-400:]


def test_a_kiosk_never_gives_up() -> None:
    assert values("dicetable.service", "StartLimitIntervalSec") == ["0"]
    assert values("dicetable.service", "Restart") == ["always"]
    assert float(values("dicetable.service", "RestartSec")[0]) >= 1
    # A failed dependency is no failed start: it is not restarted, but told and tried again.
    assert values("dicetable.service", "OnFailure") == ["dicetable-fault.service"]
    assert values("dicetable-fault.service", "ExecStart")[-1].endswith("start dicetable.service")


def test_watchdog_chain() -> None:
    """The board's watchdog (15.9 s at most) outlives a loop that the unit's watchdog ends first."""
    assert values("dicetable.service", "Type") == ["notify"]
    assert values("dicetable.service", "NotifyAccess") == ["main"]
    assert 5 <= float(values("dicetable.service", "WatchdogSec")[0]) <= 30
    assert float(values("watchdog.conf", "RuntimeWatchdogSec")[0]) <= 15


def test_power_off_note_is_where_the_path_unit_looks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    runtime = Path("/run") / values("dicetable.service", "RuntimeDirectory")[0]
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    notify.request_power_off()
    (note,) = tmp_path.iterdir()
    assert values("dicetable-poweroff.path", "PathExists") == [str(runtime / note.name)]
    assert values("dicetable-poweroff.path", "Unit") == ["dicetable-poweroff.service"]


def test_user_and_groups() -> None:
    user = values("dicetable.service", "User")[0]
    lines = [
        line.split()
        for line in (SYSTEMD / "sysusers.conf").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    assert [line[1] for line in lines if line[0] == "u"] == [user]
    groups = {line[2] for line in lines if line[0] == "m" and line[1] == user}
    assert groups == {"audio", "gpio", "input", "render", "tty", "video"}


def test_every_device_the_table_uses_is_allowed() -> None:
    """ProtectClock closes all devices that are not listed: the list must be whole."""
    allowed = {value.split()[0] for value in values("dicetable.service", "DeviceAllow")}
    wanted = {"gpiochip", "video4linux", "media", "dma_heap", "drm", "input", "alsa"}
    assert allowed == {f"char-{name}" for name in wanted} | {"/dev/vcio", "/dev/tty0", "/dev/tty1"}
    assert values("dicetable.service", "TTYPath") == ["/dev/tty1"]


def test_pictures_cannot_leave_the_table() -> None:
    """README: pictures stay on the table. The kernel keeps that promise, not only the program."""
    families = values("dicetable.service", "RestrictAddressFamilies")[0].split()
    assert not {"AF_INET", "AF_INET6", "AF_PACKET"} & set(families)
    assert values("dicetable.service", "IPAddressDeny") == ["any"]


@pytest.mark.parametrize("name", ["journald.conf", "watchdog.conf"])
def test_drop_ins_are_ini_files(name: str) -> None:
    parser = configparser.ConfigParser()
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(SYSTEMD / name, encoding="utf-8")
    assert len(parser.sections()) == 1
