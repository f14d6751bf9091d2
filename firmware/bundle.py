"""A support bundle: all that a stranger needs to understand what went wrong, in one zip file.

Inside: what the doctor finds, the configuration without its secrets, the program's log, the last
games, the last pictures, and a list of the files in the state folder. Not inside: the operator's
PIN, and, unless it is asked for, the whole record.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from firmware.clock import Clock
from firmware.commands.history import as_json
from firmware.config import SETTINGS_NAME, Loaded
from firmware.evidence import FOLDER_NAME
from firmware.health import Finding, Machine
from firmware.journal import FILE_NAME, JournalReader
from firmware.options import OPTIONS
from firmware.statedir import StateError

GAMES = 10
EVENTS = 5000
PICTURES = 20
LOG_LINES = "5000"
LIMIT = 20 * 1024 * 1024
"""Bytes of pictures and screens; a bundle must fit into a mail."""


def write(
    target: Path,
    loaded: Loaded,
    findings: Iterable[Finding],
    machine: Machine,
    clock: Clock,
    *,
    whole_record: bool = False,
) -> list[str]:
    """Write the bundle; the names of what is in it.

    Raises:
        OSError: the file can not be written. What can not be read is named inside instead.
    """
    partial = target.with_name(target.name + ".part")
    try:
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as bundle:
            _add_texts(bundle, loaded, findings, machine, clock)
            _add_games(bundle, loaded.state)
            _add_pictures(bundle, loaded.state)
            if whole_record:
                for path in sorted(loaded.state.glob(FILE_NAME + "*")):
                    _add_file(bundle, path, f"record/{path.name}")
            names = bundle.namelist()
        partial.replace(target)
    except OSError:
        partial.unlink(missing_ok=True)
        raise
    return names


def without_secrets(text: str) -> str:
    """The text of a configuration file with every secret left out, commented ones too."""
    names = "|".join(option.name for option in OPTIONS.values() if option.limits.secret)
    return re.sub(rf"(?m)^(.*\b(?:{names})\b[\"']?\s*=).*$", r'\1 "(left out)"', text)


def _add_texts(
    bundle: zipfile.ZipFile,
    loaded: Loaded,
    findings: Iterable[Finding],
    machine: Machine,
    clock: Clock,
) -> None:
    found = [asdict(one) for one in findings]
    bundle.writestr("doctor.json", json.dumps(found, ensure_ascii=False, indent=1))
    for path in (loaded.path, loaded.state / SETTINGS_NAME):
        if path.is_file():
            text = path.read_bytes().decode("utf-8", "replace")
            bundle.writestr(f"config/{path.name}", without_secrets(text))
    log = machine.output(
        "journalctl", "-u", "dicetable", "--no-pager", "-n", LOG_LINES, "-o", "short-iso"
    )
    bundle.writestr("log.txt", log or "there is no log of a service called dicetable here\n")
    facts = {
        "wall": clock.wall(),
        "monotonic": clock.monotonic(),
        "os-release": machine.text("etc/os-release"),
        "model": machine.text("proc/device-tree/model"),
        "kernel": machine.text("proc/version"),
        "cmdline": machine.text("proc/cmdline"),
        "mounts": machine.text("proc/self/mountinfo"),
        "memory": machine.text("proc/meminfo"),
    }
    bundle.writestr("machine.json", json.dumps(facts, ensure_ascii=False, indent=1))
    files = [
        f"{path.stat().st_size:>12}  {path.relative_to(loaded.state)}"
        for path in sorted(loaded.state.rglob("*"))
        if path.is_file()
    ]
    bundle.writestr("files.txt", "\n".join(files) + "\n")


def _add_games(bundle: zipfile.ZipFile, state: Path) -> None:
    try:
        with JournalReader(state) as reader:
            for game in reader.games(limit=GAMES):
                data = as_json(game, reader.events(game.id))
                text = json.dumps(data, ensure_ascii=False, indent=1)
                bundle.writestr(f"games/{game.id:06}.json", text)
            last = reader.events(first=max(1, reader.last_seq() - EVENTS))
            loose = [one.as_json() for one in last if one.game_id is None]
            bundle.writestr("events.json", json.dumps(loose, ensure_ascii=False, indent=1))
    except StateError as error:
        bundle.writestr("games/unreadable.txt", f"{error}\n")


def _add_pictures(bundle: zipfile.ZipFile, state: Path) -> None:
    """The last pictures with their readings, and the last screens."""
    room = LIMIT
    pictures = sorted((state / FOLDER_NAME).glob("*/*.jpg"))[-PICTURES:]
    screens = sorted((state / "screens").glob("*.png"))[-PICTURES:]
    for path in reversed([*screens, *pictures]):
        room -= path.stat().st_size
        if room < 0:
            return
        for file in (path, path.with_suffix(".json")):
            if file.exists():
                _add_file(bundle, file, str(file.relative_to(state)))


def _add_file(bundle: zipfile.ZipFile, path: Path, name: str) -> None:
    # Read first: zipfile leaves a broken entry behind when reading fails in the middle.
    bundle.writestr(name, path.read_bytes())
