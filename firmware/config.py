"""The configuration file: read, checked, repaired by the last good one, written, migrated.

`dicetable.toml` belongs to the owner and is never rewritten but to migrate it. What is set on the
settings page goes into `settings.toml` in the state folder and overrides it, because the service
may not write to /etc. `python -m firmware.config` prints the commented file with all defaults.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from firmware.config_text import FORMAT, render
from firmware.options import (
    OPTIONS,
    SECTIONS,
    CameraOptions,
    Config,
    DiceOptions,
    DisplayOptions,
    PanelOptions,
    StateOptions,
    TableOptions,
    build,
    clashes,
    toml,
)
from firmware.statedir import state_folder, write_durably

FILE_NAME = "dicetable.toml"
SETTINGS_NAME = "settings.toml"
LAST_GOOD_NAME = "last-good.toml"

RENAMED: dict[str, str] = {}
"""Old full name to new full name, for files of earlier formats. None so far."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a configuration file; `str()` is one sentence for people."""

    path: Path
    line: int | None
    text: str

    def __str__(self) -> str:
        where = f", line {self.line}" if self.line else ""
        return f"{self.path}{where}: {self.text}"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A configuration, and how it came about."""

    config: Config
    problems: tuple[Problem, ...]
    source: str
    """`file`, `last good` (the file is broken) or `defaults` (there is none to be used)."""
    path: Path
    """Where the owner's file is, or would be."""
    state: Path
    """The state folder."""


@dataclass(slots=True)
class Parsed:
    """What stands in one file."""

    path: Path
    lines: dict[str, int] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    """By full name; only those that are right."""
    rules: dict[str, dict[str, Any]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    readable: bool = True
    """False when it is no TOML at all."""

    def wrong(self, text: str, key: str | None = None, line: int | None = None) -> None:
        """Note a problem, on the line of a key where that is known."""
        self.problems.append(Problem(self.path, line or self.lines.get(key or ""), text))

    def check_pins(self, config: Config) -> bool:
        """Note the pins that clash in a configuration made with this file; whether any do."""
        found = clashes(config.panel)
        for key, text in found:
            self.wrong(f"{key}: {text}", key)
        return bool(found)


def config_path(given: Path | None = None, env: Mapping[str, str] | None = None) -> Path:
    """Where the owner's file is, or would be.

    In this order: what was given (`--config`), systemd's `CONFIGURATION_DIRECTORY`, the user's
    own (`~/.config/dicetable`) if it is there, and /etc/dicetable.
    """
    env = os.environ if env is None else env
    if given is not None:
        return given.expanduser().absolute()
    if env.get("CONFIGURATION_DIRECTORY"):
        return Path(env["CONFIGURATION_DIRECTORY"].split(":")[0]) / FILE_NAME
    home = env.get("XDG_CONFIG_HOME") or f"{env.get('HOME', '/nonexistent')}/.config"
    own = Path(home) / "dicetable" / FILE_NAME
    return own if own.is_file() else Path("/etc/dicetable") / FILE_NAME


def load(
    given: Path | None = None, state: Path | None = None, env: Mapping[str, str] | None = None
) -> Loaded:
    """The configuration to run with; never fails, problems are told beside it.

    Args:
        given: the file asked for (`--config`), or None for the usual place.
        state: the state folder asked for (`--state`), or None for `state.folder` in the file or
            the usual place. Settings and the last good copy are in it.
        env: the environment, os.environ when None.
    """
    path = config_path(given, env)
    chosen = owners = _read(path) or Parsed(path, readable=False)
    if not path.exists() and given is not None:
        owners.wrong("there is no such file; the defaults are used")
    owners.check_pins(build(owners.values, {}))
    source = "file" if owners.readable else "defaults"
    folder = state_folder(state or _configured(owners), env)
    if owners.problems:
        last_good = _read(folder / LAST_GOOD_NAME)
        if last_good is not None and not last_good.problems:
            chosen, source = last_good, "last good"
    elif owners.readable:
        _keep_last_good(path, folder / LAST_GOOD_NAME)
    settings = _read(folder / SETTINGS_NAME) or Parsed(folder / SETTINGS_NAME)
    values = chosen.values | settings.values
    if settings.values and settings.check_pins(build(values, {})):
        values = chosen.values
    rules = {
        game: {**chosen.rules.get(game, {}), **settings.rules.get(game, {})}
        for game in (*chosen.rules, *settings.rules)
    }
    return Loaded(
        build(values, rules), (*owners.problems, *settings.problems), source, path, folder
    )


def _configured(parsed: Parsed) -> Path | None:
    folder = parsed.values.get("state.folder", "")
    return Path(folder) if folder else None


def _keep_last_good(path: Path, copy: Path) -> None:
    try:
        data = path.read_bytes()
        if not copy.exists() or copy.read_bytes() != data:
            copy.parent.mkdir(parents=True, exist_ok=True)
            write_durably(copy, data)
    except OSError:
        # Without a copy the next broken file falls back to the defaults; the record's own check
        # of the state folder says what is wrong with the disk.
        return


def _read(path: Path) -> Parsed | None:
    """A file with its problems; None when it is not there."""
    parsed = Parsed(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return None
    except OSError as error:
        parsed.readable = False
        parsed.wrong(f"it can not be read ({error.strerror}); check its permissions")
        return parsed
    except UnicodeDecodeError as error:
        parsed.readable = False
        line = error.object[: error.start].count(b"\n") + 1
        parsed.wrong("it is no UTF-8 text; save it as UTF-8", line=line)
        return parsed
    return parse(migrated(path, text), path)


def parse(text: str, path: Path = Path(FILE_NAME)) -> Parsed:
    """Check the text of a file; what is right is taken, what is wrong is told."""
    parsed = Parsed(path, lines=_lines(text))
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        parsed.readable = False
        reason, _, place = str(error).partition(" (at ")
        line = re.match(r"line (\d+)", place)
        at = int(line[1]) if line else text.count("\n") + 1
        parsed.wrong(f"it is no valid TOML: {reason[0].lower()}{reason[1:]}", line=at)
        return parsed
    written = data.pop("format", 1)
    if written != FORMAT:
        parsed.wrong(f"format {written} is not known to this version (it knows {FORMAT})", "format")
    for section, table in data.items():
        if section == "rules" and isinstance(table, dict):
            _parse_rules(parsed, table)
        elif section in SECTIONS and isinstance(table, dict):
            for name, value in table.items():
                _parse_option(parsed, f"{section}.{name}", value)
        elif section in SECTIONS:
            parsed.wrong(f"{section} is a section; write [{section}] on a line of its own", section)
        else:
            kind = "section" if isinstance(table, dict) else "key"
            parsed.wrong(f'unknown {kind} "{section}"{_meant(section)}', section)
    return parsed


def _parse_option(parsed: Parsed, key: str, value: object) -> None:
    option = OPTIONS.get(key)
    if option is None:
        parsed.wrong(f'unknown key "{key}"{_meant(key)}', key)
        return
    try:
        parsed.values[key] = option.read(value)
    except ValueError as wanted:
        given = "" if option.limits.secret else f", not {_shown(value)}"
        parsed.wrong(f"{key} must be {wanted}{given}", key)


def _parse_rules(parsed: Parsed, table: Mapping[str, Any]) -> None:
    from firmware.rules import RULES, ConfigError
    from firmware.rules import options as house_rules

    for game, given in table.items():
        key = f"rules.{game}"
        if game not in RULES or not isinstance(given, dict):
            close = get_close_matches(game, RULES, n=1)
            hint = f'did you mean "{close[0]}"?' if close else f"there are {', '.join(RULES)}"
            parsed.wrong(f'unknown game "{game}" in [{key}]; {hint}', key)
            continue
        for name, value in given.items():
            try:
                house_rules.from_json(RULES[game], {name: value})
            except ConfigError as error:
                parsed.wrong(f"{key}: {error}", f"{key}.{name}")
            else:
                parsed.rules.setdefault(game, {})[name] = value


def _meant(key: str) -> str:
    """`; did you mean …?` for an unknown section or key, also for one in a wrong section."""
    section, _, name = key.rpartition(".")
    if not section and (close := get_close_matches(key, [*SECTIONS, "rules"], n=1)):
        return f'; did you mean "{close[0]}"?'
    here = {option.name: full for full, option in OPTIONS.items() if option.section == section}
    anywhere = {option.name: full for full, option in OPTIONS.items()}
    for names in (here, anywhere):
        if close := get_close_matches(name, names, n=1):
            return f'; did you mean "{names[close[0]]}"?'
    return "; remove it"


def _shown(value: object) -> str:
    try:
        text = toml(value)
    except ValueError:
        text = str(value)
    return text if len(text) <= 40 else text[:37] + "…"


def _lines(text: str) -> dict[str, int]:
    """Line number of every section and key by full name, as far as a quick look can tell."""
    found: dict[str, int] = {}
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        if match := re.match(r"\s*\[+\s*([^\[\]#]+?)\s*\]", line):
            section = match[1].replace('"', "") + "."
            found.setdefault(section[:-1], number)
        elif match := re.match(r"\s*([\w.\"'-]+)\s*=", line):
            full = section + re.sub("[\"']", "", match[1])
            found.setdefault(full, number)
            found.setdefault(full.split(".")[0], number)
    return found


def migrated(path: Path, text: str) -> str:
    """The text with renamed options under their new names; the file too, with a copy kept.

    The copy is named after the day's format; where the file can not be written only the text
    that is used is new.
    """
    lines = _lines(text)
    old = {key: lines[key] for key in RENAMED if key in lines}
    if not old:
        return text
    rows = text.splitlines()
    for key, number in old.items():
        row = rows[number - 1]
        new_section, _, new_name = RENAMED[key].rpartition(".")
        value = row.split("=", 1)[1].strip()
        rows[number - 1] = f"# {row.strip()}  (now {RENAMED[key]})"
        if new_section in lines and new_section == key.rpartition(".")[0]:
            rows[number - 1] += f"\n{new_name} = {value}"
        elif new_section in lines:
            rows[lines[new_section] - 1] += f"\n{new_name} = {value}"
        else:
            rows.append(f"\n[{new_section}]\n{new_name} = {value}")
    new = "\n".join(rows) + "\n"
    try:
        write_durably(path.with_name(f"{path.name}.before-migration"), text.encode())
        write_durably(path, new.encode())
    except OSError:
        return new
    return new


# --- writing ---------------------------------------------------------------------------------


def save_setting(state: Path, key: str, value: object) -> None:
    """Set an option (`display.language`) or a house rule (`rules.balut.start`) for good.

    Raises:
        ValueError: no such option, or not a value for it; the sentence says what is wanted.
        OSError: the state folder can not be written.
    """
    path = state / SETTINGS_NAME
    old = _read(path) or Parsed(path)
    section, _, name = key.rpartition(".")
    new = parse(f"[{section}]\n{name} = {toml(value)}\n", path)
    if new.problems:
        raise ValueError(new.problems[0].text)
    values = old.values | new.values
    rules = old.rules | {
        game: {**old.rules.get(game, {}), **given} for game, given in new.rules.items()
    }
    out = [
        "# Set on the table's settings page; overrides dicetable.toml. Remove a line to undo it."
    ]
    for name in SECTIONS:
        rows = [
            f"{k.split('.')[1]} = {toml(v)}" for k, v in values.items() if k.startswith(f"{name}.")
        ]
        out += [f"[{name}]", *rows] if rows else []
    for game, given in rules.items():
        out += [f"[rules.{game}]", *(f"{one} = {toml(v)}" for one, v in given.items())]
    write_durably(path, ("\n".join(out) + "\n").encode())


__all__ = [
    "CameraOptions",
    "Config",
    "DiceOptions",
    "DisplayOptions",
    "Loaded",
    "PanelOptions",
    "Problem",
    "StateOptions",
    "TableOptions",
    "config_path",
    "load",
    "parse",
    "render",
    "save_setting",
]

if __name__ == "__main__":
    print(render(), end="")
