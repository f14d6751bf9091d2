"""A JSON object that is read with care: what is wrong is told with its place."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)


class JsonObject:
    """The members of one JSON object, with checks.

    `where` names its place for messages, such as `recording.json: frames[3]`; what is wrong is
    raised as `error_type` with one sentence.
    """

    def __init__(self, data: object, where: str, error_type: type[Exception]) -> None:
        self.where, self._error_type = where, error_type
        if not isinstance(data, dict):
            raise self.error("an object {...} is expected here")
        self.data: dict[str, object] = data

    def error(self, message: str) -> Exception:
        """The exception for something wrong in this object."""
        return self._error_type(f"{self.where}: {message}")

    def get(self, key: str, kind: type[T], default: T | None = None) -> T:
        """A member of one type; without a default it must be there."""
        value = self.data.get(key, default)
        if value is None:
            raise self.error(f"`{key}` is missing")
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.error(f"`{key}` must be of type {kind.__name__}")
        return value

    def number(self, key: str) -> float:
        """A number, with or without a fraction."""
        value = self.data.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        return self.get(key, float)

    def word(self, key: str, words: type[E]) -> E:
        """One of some words."""
        return self._word(key, self.get(key, str), words)

    def words(self, key: str, words: type[E]) -> tuple[E, ...]:
        """A list of some words; none when it is missing."""
        return tuple(self._word(key, word, words) for word in self.get(key, list, []))

    def objects(self, key: str) -> list[JsonObject]:
        """A list of objects."""
        return [
            JsonObject(entry, f"{self.where}: {key}[{i}]", self._error_type)
            for i, entry in enumerate(self.get(key, list))
        ]

    def _word(self, key: str, word: object, words: type[E]) -> E:
        try:
            return words(str(word))
        except ValueError:
            known = ", ".join(words)
            raise self.error(f"`{key}` is {word!r}; it must be one of {known}") from None
