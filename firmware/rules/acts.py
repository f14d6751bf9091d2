"""The acts that players, host and table push onto a game, and their JSON form.

An act is plain frozen data. Its JSON form is the one of the transcripts:
`{"op": "stake", "by": "Ola", "amount": 5}`; `to_json` and `from_json` are the only codec, used by
the journal and by `dicetable judge` alike. Fields that stand at their default are left out.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from difflib import get_close_matches
from typing import Any, ClassVar

VOID_REASONS = ("cocked", "stacked", "off_table", "unreadable", "wrong_number")
"""The reasons of R-GEN-1. A transcript may give another text; the judge acts alike on all."""


@dataclass(frozen=True, slots=True)
class Act:
    """Anything that can be pushed onto a game."""

    op: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class Throw(Act):
    """Dice thrown (R-GEN-2), also in the throw for the first player (R-GEN-5)."""

    by: str
    dice: tuple[int, ...]
    """Faces of the dice thrown now, in any order."""
    keep: tuple[int, ...] | None = None
    """Faces kept from the table before this throw (Balut: R-BL-2; three dice with the house rule
    `set_aside = choose`). None: nothing is kept in Balut, everything that scored is set aside in
    the three-dice game."""
    op: ClassVar[str] = "throw"


@dataclass(frozen=True, slots=True)
class VoidThrow(Act):
    """A throw that does not count (R-GEN-1): the same player throws the same dice again."""

    by: str
    reason: str = "unreadable"
    op: ClassVar[str] = "void_throw"


@dataclass(frozen=True, slots=True)
class Begin(Act):
    """The host names who begins (R-GEN-5, house rule `start = host`)."""

    who: str
    op: ClassVar[str] = "begin"


@dataclass(frozen=True, slots=True)
class Stop(Act):
    """No new round after this (R-BD-13): stopped by hand, or the agreed minutes are over.

    The judge has no clock; the table pushes `Stop("time")` when the agreed time is up.
    """

    reason: str = "hand"
    """`"hand"` or `"time"`."""
    op: ClassVar[str] = "stop"


@dataclass(frozen=True, slots=True)
class Stake(Act):
    """The fader opens a Barbudi round (R-BD-2)."""

    by: str
    amount: int
    two_shot: bool = False
    """He demands two shot (R-BD-10)."""
    op: ClassVar[str] = "stake"


@dataclass(frozen=True, slots=True)
class Decline(Act):
    """The fader does not stake (R-BD-4), or the player asked refuses the wager (R-BT-5)."""

    by: str
    op: ClassVar[str] = "decline"


@dataclass(frozen=True, slots=True)
class Cover(Act):
    """A player covers a part of the stake, perhaps nothing (R-BD-3)."""

    by: str
    amount: int
    op: ClassVar[str] = "cover"


@dataclass(frozen=True, slots=True)
class SideBet(Act):
    """Two players outside the round bet equal amounts (R-BD-5)."""

    for_thrower: str
    for_fader: str
    amount: int
    op: ClassVar[str] = "side_bet"


@dataclass(frozen=True, slots=True)
class Vari(Act):
    """The player about to throw calls Vari for that one throw (R-BT-6)."""

    by: str
    op: ClassVar[str] = "vari"


@dataclass(frozen=True, slots=True)
class TwoShotChoice(Act):
    """Thrower or fader stops or goes on after the first half (R-BD-10)."""

    by: str
    choice: str
    """`"stop"` or `"continue"`."""
    op: ClassVar[str] = "two_shot_choice"


@dataclass(frozen=True, slots=True)
class Wager(Act):
    """Thrower and opponent agree a stake in Barbut; each puts it up (R-BT-2)."""

    amount: int
    by: str | None = None
    """Who pressed the button, if anybody cares: the thrower or the opponent."""
    op: ClassVar[str] = "wager"


@dataclass(frozen=True, slots=True)
class Bank(Act):
    """The player records his turn points (R-BG-4)."""

    by: str
    op: ClassVar[str] = "bank"


@dataclass(frozen=True, slots=True)
class Enter(Act):
    """The player enters his dice in a free field of a row (R-BL-3)."""

    by: str
    category: str
    """Key of the row: fours, fives, sixes, straight, house, choice or balut."""
    op: ClassVar[str] = "enter"


ACTS: dict[str, type[Act]] = {
    kind.op: kind
    for kind in (
        Throw,
        VoidThrow,
        Begin,
        Stop,
        Stake,
        Decline,
        Cover,
        SideBet,
        Vari,
        TwoShotChoice,
        Wager,
        Bank,
        Enter,
    )
}
"""Every act by its `op`."""


def _describe(kind: type[Act]) -> tuple[tuple[str, Any, Any], ...]:
    hints = typing.get_type_hints(kind)
    return tuple((field.name, field.default, hints[field.name]) for field in fields(kind))


_FIELDS = {op: _describe(kind) for op, kind in ACTS.items()}
"""Name, default and type of every field of every act."""


class ActError(ValueError):
    """A JSON value that is no act; the message is one sentence for people."""

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field
        """The field at fault; None when one is missing."""


def to_json(act: Act) -> dict[str, Any]:
    """The act as a JSON object of the transcript format."""
    out: dict[str, Any] = {"op": act.op}
    for name, default, _ in _FIELDS[act.op]:
        value = getattr(act, name)
        if default is MISSING or value != default:
            out[name] = list(value) if isinstance(value, tuple) else value
    return out


def from_json(data: Mapping[str, Any]) -> Act:
    """The act that a JSON object of the transcript format describes.

    The types of the fields are checked, their sense is left to the game: `"amount": -1` is an act
    that will be refused, and so is `"amount": 2.5`.

    Raises:
        ActError: unknown `op`, a field missing, unknown or of a wrong type.
    """
    op = data.get("op")
    if not isinstance(op, str):
        raise ActError('a step needs an "op", a text such as "throw"', "op")
    kind = ACTS.get(op)
    if kind is None:
        raise ActError(f'unknown op "{op}"{_did_you_mean(op, ACTS)}', "op")
    known = _FIELDS[op]
    names = [name for name, _, _ in known]
    for name in data:
        if name != "op" and name not in names:
            raise ActError(f'{op}: unknown field "{name}"{_did_you_mean(name, names)}', name)
    values: dict[str, Any] = {}
    for name, default, hint in known:
        if name not in data:
            if default is MISSING:
                raise ActError(f'{op}: the field "{name}" is missing')
            continue
        values[name] = _checked(op, name, data[name], hint)
    return kind(**values)


def _checked(op: str, name: str, value: Any, hint: Any) -> Any:
    """`value` as the field's type; whole-number fields let other numbers pass (see from_json)."""
    allowed = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    if value is None and types.NoneType in allowed:
        return None
    if str in allowed and isinstance(value, str):
        return value
    if bool in allowed and isinstance(value, bool):
        return value
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if int in allowed and number:
        return value
    wants_dice = any(typing.get_origin(one) is tuple for one in allowed)
    if wants_dice and isinstance(value, list):
        if all(isinstance(face, int | float) and not isinstance(face, bool) for face in value):
            return tuple(value)
        raise ActError(f'{op}: "{name}" must be a list of faces such as [6, 5]', name)
    words = {str: "a text", bool: "true or false", int: "a number"}
    wanted = next((words[one] for one in allowed if one in words), "a list of faces such as [6, 5]")
    raise ActError(f'{op}: "{name}" must be {wanted}', name)


def _did_you_mean(word: str, known: typing.Iterable[str]) -> str:
    """`; did you mean "…"?` when something known is close, else nothing."""
    close = get_close_matches(word, list(known), n=1)
    return f'; did you mean "{close[0]}"?' if close else ""
