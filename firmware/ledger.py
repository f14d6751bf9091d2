"""A game and its record, kept in step: what is on disk is pushed, and nothing else.

An act goes to the record first; when it is on disk, `settle` pushes it onto the game. So whatever
a screen shows of the game has happened, whenever the plug is pulled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol

from firmware.record import Kind, RecordedGame
from firmware.rules import acts
from firmware.rules.acts import Act
from firmware.rules.game import Game, Refused
from firmware.statedir import StateError


class Record(Protocol):
    """What a sitting needs of `firmware.journal.Journal`."""

    def append_all(
        self, events: Iterable[tuple[Kind, Mapping[str, Any]]], game_id: int | None = None
    ) -> Future[int]:
        """Write several events as one; the future is done when they are on disk."""

    def take_back(self, game_id: int, **extra: Any) -> Future[int]:
        """Write that the last act is taken back."""

    def close_game(self, game_id: int, outcome: Mapping[str, Any]) -> Future[int]:
        """Write that the game has ended."""

    def retry(self) -> None:
        """Try to write again after a failure; StateError when it still fails."""

    def game(self, game_id: int) -> RecordedGame | None:
        """A game as it stands in the record."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Something has reached the disk, and the game."""

    act: Act
    taken_back: bool = False


@dataclass(frozen=True, slots=True)
class _Saving:
    """On its way to the disk: an act, or None for a take-back."""

    future: Future[int]
    act: Act | None


class Ledger:
    """The game, the record, and what is between them."""

    def __init__(self, game: Game[Any], game_id: int, record: Record) -> None:
        self.game = game
        self.game_id = game_id
        self.fault: StateError | None = None
        """Why nothing can be written; play is locked until `retry` succeeds."""
        self._record = record
        self._saving: _Saving | None = None
        self._closed = game.outcome() is not None

    @property
    def saving(self) -> bool:
        """Something is on its way to the disk."""
        return self._saving is not None

    def send(
        self, act: Act, extra: Mapping[str, Any], correction: Mapping[str, Any] | None = None
    ) -> None:
        """Send an act on its way to the disk; the rules are asked first.

        `extra` is kept beside the act; `correction` is the correction that it rests on.

        Raises:
            Refused: the rules do not allow it; nothing was written.
        """
        self.game.push(act)
        self.game.pop()
        events = [(Kind.ACT, {"act": acts.to_json(act), **extra})]
        if correction is not None:
            events.insert(0, (Kind.CORRECTION, dict(correction)))
        self._saving = _Saving(self._record.append_all(events, self.game_id), act)

    def send_take_back(self) -> None:
        """Take the last act back, also over the end of the game.

        Raises:
            Refused: there is none.
        """
        if not self.game.acts:
            raise Refused("too_late")
        self._saving = _Saving(self._record.take_back(self.game_id), None)

    def settle(self) -> Settled | None:
        """What has reached the disk since the last call; never waits.

        A failure sets `fault`.
        """
        if self._saving is None or not self._saving.future.done():
            return None
        saving, self._saving = self._saving, None
        try:
            saving.future.result()
        except StateError as error:
            self.fault = error
            return None
        if saving.act is None:
            self._closed = False
            return Settled(self.game.pop(), taken_back=True)
        self.game.push(saving.act)
        self._close_if_over()
        return Settled(saving.act)

    def _close_if_over(self) -> None:
        outcome = self.game.outcome()
        if outcome is None or self._closed:
            return
        self._closed = True
        body = {
            "winners": list(outcome.winners),
            "ranking": [list(place) for place in outcome.ranking],
            "reason": outcome.reason,
            "scores": dict(outcome.scores),
        }
        self._record.close_game(self.game_id, body)

    def retry(self) -> None:
        """Open the record anew and go on from what stands in it; sets `fault` when it fails."""
        try:
            self._record.retry()
            recorded = self._record.game(self.game_id)
        except StateError as error:
            self.fault = error
            return
        assert recorded is not None
        self.game = self.game.replay(acts.from_json(one.act) for one in recorded.acts)
        self._closed = recorded.closed
        self.fault = None
