"""The installer's checks, on machines made of stand-ins. Installing is tried by container.sh."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
INSTALL = ROOT / "install"  # a link to systemd/install

GOOD = {
    "apt-get": "exit 0",
    "apt-cache": "echo '  Candidate: 1.0'",
    "dpkg": "echo arm64",
    "df": "printf 'Avail\\n 4000M\\n'",
    "findmnt": "echo ext4",
    "systemctl": "echo multi-user.target",
}


def check(
    folder: Path, codename: str = "trixie", model: str = "Raspberry Pi 5 Model B", **tools: str
) -> subprocess.CompletedProcess[str]:
    """Run `install --check` on a machine whose tools answer as told."""
    for name, script in (GOOD | {k.replace("_", "-"): v for k, v in tools.items()}).items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    (folder / "os-release").write_text(f"VERSION_CODENAME={codename}\n", encoding="utf-8")
    (folder / "model").write_text(f"{model} Rev 1.0\0", encoding="utf-8")
    environment = os.environ | {
        "PATH": f"{folder}:{os.environ['PATH']}",
        "OS_RELEASE": str(folder / "os-release"),
        "MODEL": str(folder / "model"),
    }
    return subprocess.run(
        ["bash", str(INSTALL), "--check"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def complaints(result: subprocess.CompletedProcess[str]) -> list[str]:
    """What is missing, without what the machine that runs the test lacks (root, systemd)."""
    lines = [line[4:] for line in result.stderr.splitlines() if line.startswith("  - ")]
    return [line for line in lines if not re.match("The rights of root|A running systemd", line)]


@pytest.mark.parametrize("codename", ["bookworm", "trixie"])
def test_a_fit_machine_has_nothing_missing(tmp_path: Path, codename: str) -> None:
    assert complaints(check(tmp_path, codename=codename)) == []


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"codename": "bullseye"}, "this is 'bullseye'"),
        ({"model": "Some Board"}, "A Raspberry Pi"),
        ({"dpkg": "echo armhf"}, "this is 'armhf'"),
        ({"dpkg": "exit 127"}, "this is 'unknown'"),
        ({"df": "printf 'Avail\\n 300M\\n'"}, "1200 MB of free space on /opt; there are 300"),
        ({"findmnt": "echo overlay"}, "overlay file system"),
        ({"python3": "exit 1"}, "Python 3.11"),
        ({"apt_cache": "echo '  Candidate: (none)'"}, "apt does not offer here: python3-venv"),
        ({"apt_cache": "exit 100"}, "python3-picamera2 python3-lgpio"),
    ],
)
def test_each_lack_is_named(tmp_path: Path, change: dict[str, str], word: str) -> None:
    result = check(tmp_path, **change)
    assert result.returncode == 1
    (line,) = complaints(result)
    assert word in line


def test_all_lacks_come_in_one_answer(tmp_path: Path) -> None:
    result = check(
        tmp_path,
        codename="jessie",
        model="A toaster",
        dpkg="echo armhf",
        df="exit 1",
        python3="exit 1",
        findmnt="echo overlay",
        apt_cache="exit 1",
    )
    assert len(complaints(result)) == 7
    assert "nothing was changed" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--purge"], "--purge goes with --uninstall"),
        (["--from"], "--from wants a path"),
        (["--frmo", "x"], "'--frmo' is not known"),
    ],
)
def test_unusable_arguments_give_one_line(arguments: list[str], word: str) -> None:
    result = subprocess.run(
        ["bash", str(INSTALL), *arguments], capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    assert word in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_help_names_every_option() -> None:
    text = subprocess.run(
        ["bash", str(INSTALL), "--help"], capture_output=True, text=True, check=True
    ).stdout
    known = re.findall(r"^        (--[a-z-]+)\)", INSTALL.read_text(encoding="utf-8"), flags=re.M)
    assert len(known) == 5
    assert all(option in text for option in known)


def test_every_unit_and_drop_in_is_installed_and_removed() -> None:
    script = INSTALL.read_text(encoding="utf-8")
    for path in (ROOT / "systemd").iterdir():
        if path.suffix in {".service", ".path", ".conf", ".sh"}:
            assert path.name in script, path.name
    installed = set(
        re.findall(r"/etc/[a-z/.-]*90-dicetable\.conf|/etc/sysusers\.d/\S+conf", script)
    )
    removed = script.split("uninstall() {")[1].split("\n}\n")[0]
    assert len(installed) == 3
    assert all(path in removed for path in installed)


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
@pytest.mark.parametrize(
    "script",
    [
        "systemd/install",
        "systemd/dicetable.sh",
        "tests/systemd/container.sh",
        "tests/systemd/arm64.sh",
    ],
)
def test_shellcheck(script: str) -> None:
    result = subprocess.run(
        ["shellcheck", str(ROOT / script)], capture_output=True, text=True, check=False
    )
    assert (result.stdout, result.returncode) == ("", 0)
