"""Transcripts: a game, its steps and what is expected of them, in JSON.

The format is that of the test vectors with an added `"game"`. One vector object or a list of them
is a file. This module checks the structure; whether the rules allow a step, the game decides.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from firmware.rules import GAMES, RULES, acts, options
from firmware.rules.acts import Act, ActError
from firmware.rules.game import TRANSCRIPT_VERSION
from firmware.rules.jsonlines import LineFinder


class Unreadable(Exception):  # noqa: N818 - it says what the text is
    """The text is no transcript; the message is `line N: reason`."""


class _Fault(Exception):  # noqa: N818
    """Something is wrong with the value at the path `where`."""

    def __init__(self, message: str, *where: str | int) -> None:
        super().__init__(message)
        self.where = where


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a transcript."""

    op: str
    act: Act | None
    """None for a check."""
    error: str | None = None
    expect: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Transcript:
    """One vector, its structure checked."""

    id: str | None
    title: str | None
    start: Mapping[str, Any]
    steps: tuple[Step, ...]
    expect: Mapping[str, Any]
    error: str | None
    """The code with which the start itself must be refused."""
    warnings: tuple[str, ...] = ()
    """Keys that mean nothing here, a sentence each."""


def load(text: str) -> list[Transcript]:
    """The transcripts in a JSON text.

    Raises:
        Unreadable: it is no JSON, or no transcript.
    """
    try:
        data = json.loads(text)
        if isinstance(data, list):
            if not data:
                raise _Fault("the list is empty, there is nothing to judge")
            return [_transcript(one, index) for index, one in enumerate(data)]
        return [_transcript(data)]
    except _Fault as fault:
        raise Unreadable(f"line {LineFinder(text).line(fault.where)}: {fault}") from None
    except json.JSONDecodeError as error:
        raise Unreadable(f"line {error.lineno}: this is no JSON: {error.msg}") from None
    except RecursionError:
        raise Unreadable("line 1: this is nested too deeply") from None
    except ValueError as error:  # a number of thousands of digits
        raise Unreadable(f"line 1: {error}") from None


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_sheets(value: Any) -> bool:
    return _is_object(value) and all(
        _is_object(sheet) and all(isinstance(row, list) for row in sheet.values())
        for sheet in value.values()
    )


Check = tuple[Callable[[Any], bool], str]

_COMMON: dict[str, Check] = {
    "id": (_is_text, "a text"),
    "title": (_is_text, "a text"),
    "source": (_is_text, "a text"),
    "version": (_is_number, "a number"),
    "game": (_is_text, "a text"),
    "config": (_is_object, "an object of house rules"),
    "players": (_is_names, "a list of names"),
    "steps": (lambda value: isinstance(value, list), "a list of steps"),
    "expect": (_is_object, "an object"),
    "error": (_is_text, "a refusal code"),
}
_CHIPS: Check = (
    lambda value: _is_number(value) or _is_object(value),
    "a number of chips, or an object of name and chips",
)
_START: dict[str, dict[str, Check]] = {
    "barbudi": {"chips": _CHIPS, "thrower": (_is_text, "a name")},
    "barbut": {"chips": _CHIPS, "thrower": (_is_text, "a name")},
    "barbut_bg": {
        "totals": (_is_object, "an object of name and points"),
        "opened": (_is_object, "an object of name and true or false"),
        "turn": (_is_text, "a name"),
    },
    "balut": {
        "order": (_is_names, "a list of names"),
        "sheets": (_is_sheets, "an object of name and sheet, each row a list"),
    },
}
_REMARKS = ("note", "comment")
"""Fields of a step that are for people only."""
_REQUIRED = ("game", "players", "steps")


def _transcript(data: Any, *where: int) -> Transcript:
    """Check the structure of one vector."""
    if not isinstance(data, dict):
        raise _Fault("a transcript must be an object", *where)
    if _is_number(data.get("version")) and data["version"] > TRANSCRIPT_VERSION:
        raise _Fault(
            f"this transcript is of version {data['version']}, this judge reads up to version "
            f"{TRANSCRIPT_VERSION}: bring dicetable up to date",
            *where,
            "version",
        )
    for key in _REQUIRED:
        if key not in data:
            raise _Fault(f'the key "{key}" is missing', *where)
    game = data["game"]
    if not isinstance(game, str) or game not in GAMES:
        known = ", ".join(GAMES)
        raise _Fault(f"unknown game {game!r}; there are {known}", *where, "game")
    warnings: list[str] = []
    known_keys = {**_COMMON, **_START[game]}
    for key, value in data.items():
        if key not in known_keys:
            close = get_close_matches(key, known_keys, n=1)
            hint = f'; did you mean "{close[0]}"?' if close else ""
            warnings.append(f'the key "{key}" is unknown and ignored{hint}')
            continue
        fits, wanted = known_keys[key]
        if (value is not None and not fits(value)) or (value is None and key in _REQUIRED):
            raise _Fault(f'"{key}" must be {wanted}', *where, key)
    try:
        options.from_json(RULES[game], data.get("config"))
    except options.ConfigError as error:
        raise _Fault(str(error), *where, "config", error.key) from None
    return Transcript(
        data.get("id"),
        data.get("title"),
        {key: data[key] for key in ("config", "players", *_START[game], "game") if key in data},
        tuple(_step(one, *where, "steps", index) for index, one in enumerate(data["steps"])),
        data.get("expect") or {},
        data.get("error"),
        tuple(warnings),
    )


def _step(data: Any, *where: str | int) -> Step:
    """Check the structure of one step."""
    if not isinstance(data, dict):
        raise _Fault("a step must be an object", *where)
    data = {key: value for key, value in data.items() if key not in _REMARKS}
    if data.get("op") == "check":
        expect = data.get("expect")
        if not isinstance(expect, dict) or set(data) != {"op", "expect"}:
            raise _Fault('a check must have "expect", an object, and nothing else', *where)
        return Step("check", None, expect=expect)
    error = data.get("error")
    if error is not None and not isinstance(error, str):
        raise _Fault('"error" must be a refusal code', *where)
    try:
        act = acts.from_json({key: value for key, value in data.items() if key != "error"})
    except ActError as reason:
        at = () if reason.field is None else (reason.field,)
        raise _Fault(str(reason), *where, *at) from None
    return Step(act.op, act, error)
