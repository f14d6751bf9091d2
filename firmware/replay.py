"""From the record back to a game of the judge: resume, recall and audit are this one replay."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from firmware import rules
from firmware.record import RecordedGame
from firmware.rules import GAMES, Game
from firmware.rules.acts import from_json


class ReplayError(Exception):
    """A recorded game that the judge does not accept; `str()` is one sentence for people."""

    def __init__(self, message: str, seq: int) -> None:
        super().__init__(message)
        self.seq = seq
        """Number of the event in the record at which the replay stops."""


def rebuild(recorded: RecordedGame) -> Game[Any]:
    """The game with every act that stands pushed onto it.

    Raises:
        ReplayError: an unknown game, a start or an act that the rules refuse.
    """
    kind = GAMES.get(recorded.game)
    if kind is None:
        raise ReplayError(f'game {recorded.id} is of an unknown kind "{recorded.game}"', 0)
    try:
        game = kind.from_start(recorded.start)
    except Exception as error:
        raise ReplayError(f"game {recorded.id} can not begin as recorded ({error})", 0) from error
    for one in recorded.acts:
        try:
            game.push(from_json(one.act))
        except Exception as error:
            what = f"event {one.seq} of game {recorded.id} is refused by the rules ({error})"
            raise ReplayError(what, one.seq) from error
    return game


@cache
def rules_fingerprint() -> str:
    """SHA-256 over the judge's code and tables as this process found them, in hexadecimal.

    Kept with each game: a game may only go on under the rules it was begun with.
    """
    return rules_on_disk()


_seen: tuple[tuple[tuple[str, int, int], ...], str] = ((), "")
"""Names, times and sizes of the judge's files when they were last read, and what came of it."""


def rules_on_disk() -> str:
    """The same over the files as they are now; cheap enough to be asked after every act.

    A file is read again only when its time or its size has changed.
    """
    global _seen
    files = [(path, path.stat()) for path in sorted(Path(rules.__path__[0]).glob("*.py"))]
    looks = tuple((path.name, stat.st_mtime_ns, stat.st_size) for path, stat in files)
    if looks != _seen[0]:
        digest = hashlib.sha256()
        for path, _ in files:
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
        _seen = looks, digest.hexdigest()
    return _seen[1]
