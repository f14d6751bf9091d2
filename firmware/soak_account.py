"""What was done at the table, written down by the player himself, who believes nothing.

After each act the table must have exactly these acts; after each fault, and at the end of each
game, so must the record, and the game must equal the record's replay. An act on its way to the
disk when the plug is pulled may be there or not; nothing else may differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from firmware.replay import rebuild
from firmware.rules.acts import Act, Throw, to_json
from firmware.soak_bench import Bench, SoakError


class Account:
    """The acts of the game that is on, and how many throws there were in all."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.throws = 0
        self.acts: list[dict[str, Any]] = []
        """Of the game that is on, as JSON, those that were taken back left out."""

    def begin(self) -> None:
        """A new game."""
        self.acts = []

    def acted(self, act: Act) -> None:
        """This act is done: the table must have it, once."""
        self._add(act)
        played = self.bench.table.game.acts
        if len(played) != len(self.acts) or played[-1] != act:
            raise SoakError(f"{act} was done, but the table has {played[-1:]} after {len(played)}")

    def taken_back(self) -> None:
        """The last act does not stand any more."""
        self.acts.pop()

    def _add(self, act: Act) -> None:
        self.acts.append(to_json(act))
        self.throws += isinstance(act, Throw)
        self.bench.counts["acts"] += 1

    def check(self, uncertain: Act | None = None) -> None:
        """The game on the table, the record and what was done must be the same."""
        self.bench.counts["comparisons with the record"] += 1
        table = self.bench.table
        recorded = self.bench.journal.game(table.ledger.game_id)
        if recorded is None:
            raise SoakError(f"game {table.ledger.game_id} is not in the record")
        told = [one.act for one in recorded.acts]
        if uncertain is not None and told == [*self.acts, to_json(uncertain)]:
            self._add(uncertain)
        if told != self.acts:
            raise SoakError(differs(self.acts, told, "the record"))
        shown = [to_json(act) for act in table.game.acts]
        if shown != told:
            raise SoakError(differs(told, shown, "the table"))
        if rebuild(recorded).state != table.game.state:
            raise SoakError("the game is not the replay of its record")

    def check_ended(self, uncertain: Act | None) -> None:
        """The game has ended with the power: the record must have it whole."""
        newest = self.bench.journal.games(limit=1)[0]
        told = [one.act for one in newest.acts]
        if uncertain is not None and told == [*self.acts, to_json(uncertain)]:
            self._add(uncertain)
        if not newest.closed or told != self.acts:
            raise SoakError(f"game {newest.id} is not what was played when the plug was pulled")


def differs(done: Sequence[Any], found: Sequence[Any], where: str) -> str:
    """A sentence on the first act that was lost, doubled or changed."""
    first = next((i for i, (a, b) in enumerate(zip(done, found, strict=False)) if a != b), None)
    if first is not None:
        return f"act {first + 1} is {done[first]}, {where} has {found[first]}"
    return f"{len(done)} acts were done, {where} has {len(found)}"
