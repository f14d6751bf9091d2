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
    """SHA-256 over the judge's code and tables, in hexadecimal.

    Kept with each game: a game may only go on under the rules it was begun with.
    """
    digest = hashlib.sha256()
    for path in sorted(Path(rules.__path__[0]).glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
