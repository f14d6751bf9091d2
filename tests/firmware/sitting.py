"""A table without a machine round it: an in-memory record, a fake clock, readings by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from display.view import Action, Hint, View
from firmware.buttons import Button
from firmware.clock import FakeClock
from firmware.record import Entry, Event, Kind, RecordedGame, fold
from firmware.robot import Robot
from firmware.rules.game import Game
from firmware.statedir import StateError
from firmware.table import Table
from vision.reading import Die, Problem, Reading, Zone
from vision.watch import Sight, State


class MemoryRecord:
    """A record that forgets; `hold` keeps events on their way, `error` makes writing fail."""

    def __init__(self, game: Game[Any]) -> None:
        self.events: list[Event] = []
        self.hold = False
        self.error: StateError | None = None
        self._waiting: list[tuple[Future[int], list[Entry]]] = []
        self._put(
            [Entry(Kind.GAME_OPEN, {"game": game.key, "start": game.start_json}, 1, 0, 0, "")]
        )

    def append_all(
        self, events: Iterable[tuple[Kind, Mapping[str, Any]]], game_id: int | None = None
    ) -> Future[int]:
        entries = [Entry(kind, dict(body), game_id, 0, 0, "") for kind, body in events]
        future: Future[int] = Future()
        if self.error is not None:
            future.set_exception(self.error)
        elif self.hold:
            self._waiting.append((future, entries))
        else:
            future.set_result(self._put(entries))
        return future

    def let_go(self) -> None:
        """The disk has caught up."""
        for future, entries in self._waiting:
            future.set_result(self._put(entries))
        self._waiting.clear()

    def take_back(self, game_id: int, **extra: Any) -> Future[int]:
        return self.append_all([(Kind.TAKE_BACK, extra)], game_id)

    def close_game(self, game_id: int, outcome: Mapping[str, Any]) -> Future[int]:
        return self.append_all([(Kind.GAME_CLOSED, {"outcome": dict(outcome)})], game_id)

    def fault(self, code: str, detail: str, game_id: int | None = None) -> Future[int]:
        return self.append_all([(Kind.FAULT, {"code": code, "detail": detail})], game_id)

    def retry(self) -> None:
        if self.error is not None:
            raise self.error
        self.fault("storage", "it could not be written").result()

    def game(self, game_id: int) -> RecordedGame | None:
        return next(iter(fold(self.events)), None)

    def bodies(self, kind: Kind) -> list[dict[str, Any]]:
        return [event.body for event in self.events if event.kind == kind]

    def _put(self, entries: Sequence[Entry]) -> int:
        for entry in entries:
            seq = len(self.events) + 1
            self.events.append(Event(seq, entry.game_id, 0, 0, "", entry.kind, entry.body, "", ""))
        return len(self.events)


def reading(*faces: int, rail: Sequence[int] = (), problem: Problem | None = None) -> Reading:
    """A reading of these dice in the tray, and others in the rail."""
    dice = [
        Die(face, 1 - i / 100, (0, 0), ((0, 0),) * 4, zone, alternative=face % 6 + 1)
        for i, (face, zone) in enumerate(
            [*((f, Zone.TRAY) for f in faces), *((f, Zone.RAIL) for f in rail)]
        )
    ]
    return Reading(tuple(dice), (problem,) if problem else (), (640, 480))


class Sitting:
    """A table, and everything that happens to it."""

    def __init__(self, game: Game[Any], *, rail: bool = False, **more: Any) -> None:
        """`more` are further arguments of `Table`: pages, evidence …"""
        self.clock = FakeClock()
        self.record = MemoryRecord(game)
        self.table = Table(game, 1, self.record, self.clock, rail=rail, **more)
        self.next: Reading = reading()
        self.robot = Robot(self, lambda: self.table.view(), self.table.tick, self._throw)

    # the robot's pins
    def press(self, button: Button) -> None:
        self.table.press(button)

    def release(self, button: Button) -> None:
        pass

    def see(self, state: State, what: Reading | None = None) -> View:
        self.table.see(Sight(state, what, what is not None))
        self.table.tick()
        return self.table.view()

    def lie(self, what: Reading) -> View:
        """Dice are thrown and come to rest."""
        self.see(State.MOVING)
        return self.see(State.AT_REST, what)

    def _throw(self) -> None:
        self.lie(self.next)

    def throw(self, *faces: int, rail: Sequence[int] = ()) -> None:
        """Throw and confirm."""
        self.next = reading(*faces, rail=rail)
        self.robot.throw()
        self.robot.confirm()

    def hint(self, button: Button) -> Hint | None:
        found: Hint | None = getattr(self.table.view().buttons, button.value)
        return found

    def action(self, button: Button) -> Action | None:
        hint = self.hint(button)
        return hint.action if hint is not None else None
