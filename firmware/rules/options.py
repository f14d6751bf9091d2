"""House rules (RULES.md, section 6): one declaration a key gives default, check, JSON and menu.

The rules of a game are a frozen dataclass whose fields carry an `Option` each. `from_json` reads
the `config` object of a transcript, which names only what differs from the defaults; `to_json`
writes it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, TypeVar

from firmware.rules.game import Refused


class ConfigError(ValueError):
    """A house rule that does not exist or a value it can not have; one sentence for people."""

    def __init__(self, message: str, key: str) -> None:
        super().__init__(message)
        self.key = key


class Option(ABC):
    """What values a house rule can have."""

    @abstractmethod
    def read(self, value: Any) -> Any:
        """The value that a JSON value stands for; ValueError with what is wanted instead."""

    def write(self, value: Any) -> Any:
        """The JSON value."""
        return value


@dataclass(frozen=True, slots=True)
class Switch(Option):
    """On or off."""

    def read(self, value: Any) -> bool:
        """True or false; `"on"` and `"off"` are understood."""
        if isinstance(value, bool):
            return value
        if value in ("on", "off"):
            return bool(value == "on")
        raise ValueError("true or false")


@dataclass(frozen=True, slots=True)
class Choice(Option):
    """One of several words."""

    values: tuple[str, ...]
    others: tuple[tuple[str, str], ...] = ()
    """Other words that are understood, and what they stand for."""

    def read(self, value: Any) -> str:
        """The word; `counter_clockwise` is understood for `counter-clockwise`."""
        for word, meaning in (*((one, one) for one in self.values), *self.others):
            if isinstance(value, str) and value.replace("-", "_") == word.replace("-", "_"):
                return meaning
        wanted = f"one of {', '.join(self.values)}"
        close = get_close_matches(str(value), self.values, n=1)
        raise ValueError(wanted + (f'; did you mean "{close[0]}"?' if close else ""))


@dataclass(frozen=True, slots=True)
class Whole(Option):
    """A whole number of at least `low`, or None where `none` is allowed."""

    low: int
    none: bool = False

    def read(self, value: Any) -> int | None:
        """The number."""
        if self.none and value in (None, "none"):
            return None
        if isinstance(value, int) and not isinstance(value, bool) and value >= self.low:
            return value
        raise ValueError(f"a whole number from {self.low}" + (", or null" if self.none else ""))


@dataclass(frozen=True, slots=True)
class PercentFee:
    """A share of each winner's gross payout, rounded down (R-BD-11)."""

    rate_bp: int
    """In basis points: 250 is 2.5 %."""


@dataclass(frozen=True, slots=True)
class FixedFee:
    """So many chips a decided round, from the winning side (R-BD-11)."""

    amount: int


@dataclass(frozen=True, slots=True)
class FeeOption(Option):
    """None, `PercentFee` or `FixedFee`."""

    def read(self, value: Any) -> PercentFee | FixedFee | None:
        """From null, `{"mode": "percent", "rate_bp": 250}` or `{"mode": "fixed", "amount": 1}`."""
        if value in (None, "none", {"mode": "none"}):
            return None
        if isinstance(value, Mapping):
            match dict(value):
                case {"mode": "percent", "rate_bp": int(rate), **rest} if not rest:
                    if not isinstance(rate, bool) and 0 <= rate <= 10_000:
                        return PercentFee(rate)
                case {"mode": "fixed", "amount": int(amount), **rest} if not rest:
                    if not isinstance(amount, bool) and amount >= 0:
                        return FixedFee(amount)
        raise ValueError(
            'null, {"mode": "percent", "rate_bp": 0 to 10000} or {"mode": "fixed", "amount": chips}'
        )

    def write(self, value: Any) -> Any:
        """The JSON value."""
        match value:
            case PercentFee(rate):
                return {"mode": "percent", "rate_bp": rate}
            case FixedFee(amount):
                return {"mode": "fixed", "amount": amount}
        return None


@dataclass(frozen=True, slots=True)
class End:
    """When a session ends (R-BD-13): after `limit` rounds, after `limit` minutes, or by hand."""

    mode: str = "manual"
    """`rounds`, `minutes` or `manual`."""
    limit: int = 0


@dataclass(frozen=True, slots=True)
class EndOption(Option):
    """The agreed end of a session."""

    def read(self, value: Any) -> End:
        """From `"manual"`, `{"mode": "rounds", "rounds": 20}` or the like with minutes."""
        if value in (None, "manual", {"mode": "manual"}):
            return End()
        if isinstance(value, Mapping):
            given = dict(value)
            for mode in ("rounds", "minutes"):
                limit = given.get(mode)
                fits = given in ({mode: limit}, {"mode": mode, mode: limit})
                if fits and isinstance(limit, int) and not isinstance(limit, bool) and limit >= 1:
                    return End(mode, limit)
        raise ValueError(
            '"manual", {"mode": "rounds", "rounds": n} or {"mode": "minutes", "minutes": n}'
        )

    def write(self, value: Any) -> Any:
        """The JSON value."""
        if value.mode == "manual":
            return "manual"
        return {"mode": value.mode, value.mode: value.limit}


@dataclass(frozen=True, slots=True)
class PayOption(Option):
    """Fractions of the stake paid for certain throws (R-BT-7)."""

    throws: tuple[str, ...] = ("6-6", "1-1")

    def read(self, value: Any) -> tuple[tuple[str, Fraction], ...]:
        """From null or `{"6-6": [1, 2], "1-1": "1/2"}`; each fraction from 0 to 1."""
        if value in (None, "none"):
            return ()
        if isinstance(value, Mapping) and all(one in self.throws for one in value):
            try:
                pay = [(one, self._fraction(value[one])) for one in self.throws if one in value]
            except (ValueError, TypeError, ZeroDivisionError):
                pay = [("", Fraction(-1))]
            if all(0 <= part <= 1 for _, part in pay):
                return tuple(pay)
        raise ValueError(
            'null or an object such as {"6-6": [1, 2], "1-1": [1, 2]} with fractions from 0 to 1'
        )

    @staticmethod
    def _fraction(value: Any) -> Fraction:
        if isinstance(value, str):
            return Fraction(value)
        above, below = value
        if any(isinstance(one, bool) or not isinstance(one, int) for one in (above, below)):
            raise ValueError
        return Fraction(above, below)

    def write(self, value: Any) -> Any:
        """The JSON value."""
        pay = {throw: [part.numerator, part.denominator] for throw, part in value}
        return pay or None


def option(default: Any, kind: Option) -> Any:
    """A dataclass field that is a house rule."""
    return field(default=default, metadata={"option": kind})


def start_option() -> Any:
    """`start`, the house rule of all games: highest die, or the host names (R-GEN-5)."""
    return option("highest_die", Choice(("highest_die", "host"), (("host_names", "host"),)))


FEE = {"option": FeeOption()}
END = {"option": EndOption()}
PAY = {"option": PayOption()}
"""Metadata for fields whose default is no plain value."""

R = TypeVar("R")


def options_of(kind: type[Any]) -> dict[str, tuple[Option, Any]]:
    """Every house rule of a rules class: key -> (option, default)."""
    return {one.name: (one.metadata["option"], _default(one)) for one in fields(kind)}


def from_json(kind: type[R], config: Mapping[str, Any] | None) -> R:
    """The rules that a `config` object describes; keys not named keep their defaults.

    Raises:
        ConfigError: an unknown key (with "did you mean") or a value the key can not have.
    """
    known = options_of(kind)
    values: dict[str, Any] = {}
    for key, value in (config or {}).items():
        if key not in known:
            close = get_close_matches(key, known, n=1)
            hint = f'; did you mean "{close[0]}"?' if close else f"; there are {', '.join(known)}"
            raise ConfigError(f'unknown house rule "{key}"{hint}', key)
        try:
            values[key] = known[key][0].read(value)
        except ValueError as error:
            raise ConfigError(f'house rule "{key}" must be {error}', key) from None
    return kind(**values)


def to_json(rules: Any) -> dict[str, Any]:
    """The `config` object: only what differs from the defaults."""
    out: dict[str, Any] = {}
    for key, (kind, default) in options_of(type(rules)).items():
        value = getattr(rules, key)
        if value != default:
            out[key] = kind.write(value)
    return out


def check(rules: Any) -> None:
    """Refuse rules built in code with values that no configuration could give."""
    for key, (kind, _) in options_of(type(rules)).items():
        try:
            kind.read(kind.write(getattr(rules, key)))
        except (ValueError, AttributeError, TypeError) as error:
            raise ConfigError(f'house rule "{key}" must be {error}', key) from None


def check_seats(seats: Iterable[str], low: int, high: int) -> tuple[str, ...]:
    """The seats; code `players` for a wrong number of players, empty or doubled names."""
    seats = tuple(seats)
    if any(not isinstance(one, str) or not one.strip() for one in seats):
        raise Refused("players", nameless=True)
    if not low <= len(seats) <= high:
        raise Refused("players", count=len(seats), low=low, high=high)
    if len(set(seats)) != len(seats):
        twice = next(one for one in seats if seats.count(one) > 1)
        raise Refused("players", duplicate=twice)
    return seats


def check_name(seats: tuple[str, ...], name: str | None) -> None:
    """Refuse a beginner who is not at the table: code `bad_start`."""
    if name is not None and name not in seats:
        raise Refused("bad_start", by=name)


def check_chips(seats: tuple[str, ...], chips: int | Mapping[str, int]) -> dict[str, int]:
    """Everybody's stack at the start; code `bad_chips` when it is none."""
    if isinstance(chips, Mapping):
        if set(chips) != set(seats):
            raise Refused("bad_chips", names=sorted(set(chips) ^ set(seats)))
        stacks = {who: chips[who] for who in seats}
    else:
        stacks = dict.fromkeys(seats, chips)
    for who, stack in stacks.items():
        if isinstance(stack, bool) or not isinstance(stack, int) or stack < 0:
            raise Refused("bad_chips", by=who, amount=stack)
    if sum(stack > 0 for stack in stacks.values()) < 2:
        raise Refused("bad_chips", by=None, amount=0)
    return stacks


def _default(one: Field[Any]) -> Any:
    assert one.default is not MISSING
    return one.default
