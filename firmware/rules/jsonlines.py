"""On which line of a JSON text a value stands: Python's parser does not tell."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')

Path = tuple[str | int, ...]


class LineFinder:
    """Lines of all values in a valid JSON text.

    >>> LineFinder('{"steps": [\\n  {"op": "throw"}]}').line(("steps", 0, "op"))
    2
    """

    def __init__(self, text: str) -> None:
        self._lines: dict[Path, int] = {}
        path: list[str | int] = []
        kinds: list[str] = []
        key_next = False
        line, seen = 1, 0
        for token in _TOKEN.finditer(text):
            line += text.count("\n", seen, token.start())
            seen = token.start()
            word = token.group()
            if word in "}]":
                kinds.pop()
                path.pop()
            elif word == ",":
                key_next = kinds[-1] == "{"
                last = path[-1]
                path[-1] = last + 1 if isinstance(last, int) else ""
            elif word == ":":
                key_next = False
            elif key_next:
                path[-1] = str(json.loads(word))
            else:
                self._lines.setdefault(tuple(path), line)
                if word in "{[":
                    kinds.append(word)
                    path.append("" if word == "{" else 0)
                    key_next = word == "{"

    def line(self, where: Sequence[str | int]) -> int:
        """The line, counted from 1, of a value or of the innermost value around it."""
        path = tuple(where)
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 1)
