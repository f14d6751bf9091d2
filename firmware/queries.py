"""What may be asked of the record, by the running table and by anybody beside it."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from firmware.record import Broken, Event, Kind, RecordedGame, check_chain, fold, open_faults
from firmware.store import Store, connect_for_reading, plain_sql_error

FILE_NAME = "journal.db"

T = TypeVar("T")


class Queries(ABC):
    """The questions; whoever has a store answers them."""

    @abstractmethod
    def _ask(self, question: Callable[[Store], T]) -> T:
        """Put a question to the store; StateError when it can not be read."""

    def open_game(self) -> RecordedGame | None:
        """The game that has begun and not ended, with the acts that stand; None if there is none.

        A game whose end was taken back is open again.
        """
        newest = self.games(limit=1)
        return newest[0] if newest and not newest[0].closed else None

    def games(self, limit: int | None = 10) -> tuple[RecordedGame, ...]:
        """The last games, the newest first; `limit=None` for all."""

        def question(store: Store) -> tuple[RecordedGame, ...]:
            ids = store.last_game_ids(limit)
            return tuple(game for one in ids for game in fold(store.events(game_id=one)))

        return self._ask(question)

    def game_ids(self) -> list[int]:
        """The numbers of all games, the newest first."""
        return self._ask(lambda store: store.last_game_ids(None))

    def game(self, game_id: int) -> RecordedGame | None:
        """One game by its number."""
        return self._ask(lambda store: next(iter(fold(store.events(game_id=game_id))), None))

    def events(self, game_id: int | None = None, first: int = 1) -> tuple[Event, ...]:
        """The events of one game, or all, from event number `first` on."""
        return self._ask(lambda store: tuple(store.events(game_id=game_id, first=first)))

    def event(self, seq: int) -> Event | None:
        """One event by its number."""
        found = self._ask(lambda store: next(iter(store.events(first=seq)), None))
        return found if found is not None and found.seq == seq else None

    def last_seq(self) -> int:
        """The number of the last event; 0 in an empty record."""
        return self._ask(lambda store: store.head()[0])

    def open_faults(self) -> tuple[Event, ...]:
        """The faults that lock the table, oldest first; they survive a power cycle."""
        kinds = (Kind.FAULT, Kind.FAULT_CLEARED)
        return self._ask(lambda store: open_faults(store.events(kinds=kinds)))

    def disputed(self) -> frozenset[int]:
        """Numbers of the games in dispute: their pictures must stay."""

        marks: dict[int, bool] = {}
        for event in self.notes():
            if event.game_id is not None and "dispute" in event.body:
                marks[event.game_id] = bool(event.body["dispute"])
        return frozenset(game for game, standing in marks.items() if standing)

    def notes(self) -> tuple[Event, ...]:
        """All notes, the oldest first."""
        return self._ask(lambda store: tuple(store.events(kinds=(Kind.NOTE,))))

    def verify(self) -> Broken | None:
        """The first bad link of the whole chain; None when every event is what was written."""
        return self._ask(lambda store: check_chain(store.events()))


class JournalReader(Queries):
    """The record, for reading only; works while the table runs, and after it."""

    def __init__(self, folder: Path) -> None:
        """Open it; StateError when there is none or it can not be read."""
        self.path = folder / FILE_NAME
        self._store = Store(self.path, connect_for_reading(self.path))

    def _ask(self, question: Callable[[Store], T]) -> T:
        try:
            return question(self._store)
        except Exception as error:
            raise plain_sql_error(error, self.path, "reading") from error

    def close(self) -> None:
        """Let the file go."""
        close_quietly(self._store)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def close_quietly(store: Store) -> None:
    """Close a store whose disk may be broken."""
    with contextlib.suppress(Exception):  # nothing was promised that is not on disk
        store.close()
