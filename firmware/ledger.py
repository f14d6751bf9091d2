"""A game and its record, kept in step: what is on disk is pushed, and nothing else.

An act goes to the record first; when it is on disk, `settle` pushes it onto the game. So whatever
a screen shows of the game has happened, whenever the plug is pulled.

After each act the chips must be as many as before, and the judge's files the same: if not, a
fault goes into the record and the table is locked until the operator clears it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol

from firmware import audit
from firmware.record import Kind, RecordedGame
from firmware.replay import rules_on_disk
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

    def fault(self, code: str, detail: str, game_id: int | None = None) -> Future[int]:
        """Write that play is locked until the operator clears it."""

    def retry(self) -> None:
        """Try to write again after a failure; StateError when it still fails.

        When it succeeds, the failure stands in the record as a fault.
        """

    def game(self, game_id: int) -> RecordedGame | None:
        """A game as it stands in the record."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Something has reached the disk, and the game."""

    act: Act
    taken_back: bool = False


@dataclass(frozen=True, slots=True)
class _Saving:
    """On its way to the disk: an act, None for a take-back, a fault that locks the table, or the
    end of a game that is given up.
    """

    future: Future[int]
    act: Act | None = None
    locks: bool = False
    leaves: bool = False


class Ledger:
    """The game, the record, and what is between them."""

    def __init__(self, game: Game[Any], game_id: int, record: Record) -> None:
        self.game = game
        self.game_id = game_id
        self.fault: StateError | None = None
        """Why nothing can be written; nothing is played until `retry` succeeds."""
        self.locked = False
        """A fault stands in the record: only the operator can clear it."""
        self.given_up = False
        """The game was closed as abandoned."""
        self._record = record
        self._saving: _Saving | None = None
        self._closed = game.outcome() is not None
        self._chips = audit.chips(game.as_json())
        self._rules = rules_on_disk()

    @property
    def saving(self) -> bool:
        """Something is on its way to the disk."""
        return self._saving is not None

    def check(self, act: Act) -> None:
        """Ask the rules whether an act is allowed now.

        Raises:
            Refused: it is not.
        """
        self.game.push(act)
        self.game.pop()

    def send(
        self, act: Act, extra: Mapping[str, Any], correction: Mapping[str, Any] | None = None
    ) -> None:
        """Send an act on its way to the disk; the rules are asked first.

        `extra` is kept beside the act; `correction` is the correction that it rests on.

        Raises:
            Refused: the rules do not allow it; nothing was written.
        """
        self.check(act)
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
        self._saving = _Saving(self._record.take_back(self.game_id))

    def give_up(self) -> None:
        """Close the game in the record as abandoned; `given_up` when that is on disk."""
        closing = self._record.close_game(self.game_id, {"reason": "abandoned"})
        self._saving = _Saving(closing, leaves=True)

    def settle(self) -> Settled | None:
        """What has reached the disk since the last call; never waits.

        A failure sets `fault`; a fault that has reached the record sets `locked`.
        """
        if self._saving is None or not self._saving.future.done():
            return None
        saving, self._saving = self._saving, None
        try:
            saving.future.result()
        except StateError as error:
            self.fault = error
            return None
        if saving.locks:
            self.locked = True
            return None
        if saving.leaves:
            self.given_up = True
            return None
        if saving.act is None:
            self._closed = False
            settled = Settled(self.game.pop(), taken_back=True)
        else:
            self.game.push(saving.act)
            self._close_if_over()
            settled = Settled(saving.act)
        self._look_for_faults()
        return settled

    def _look_for_faults(self) -> None:
        """Lock the table when chips were made or lost, or the judge is not the same any more."""
        now = audit.chips(self.game.as_json())
        if now != self._chips:
            told = audit.differing_chips(self.game_id, {now, self._chips})
            self._lock("chips", told)
        elif rules_on_disk() != self._rules:
            told = f"The rules of this program were changed while game {self.game_id} was played."
            self._lock("code_changed", told)

    def _lock(self, code: str, detail: str) -> None:
        self._saving = _Saving(self._record.fault(code, detail, self.game_id), locks=True)

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
        """Open the record anew; `fault` says when that fails.

        When it succeeds the game is what stands in the record, which then also has the failure as
        a fault: the table is locked.
        """
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
        self.locked = True
