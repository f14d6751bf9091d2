"""What happened in a recorded game, act by act, also the acts that were taken back.

The record is replayed through the judge, so that the state before and after each act, and what
the rules made of it, are the judge's own words and not a second bookkeeping.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from firmware.record import Event, Json, Kind
from firmware.replay import ReplayError
from firmware.rules import GAMES, Game
from firmware.rules.acts import Throw, from_json, to_json
from firmware.rules.game import Event as RulesEvent
from firmware.rules.game import Outcome


@dataclass(frozen=True, slots=True)
class Moment:
    """One event of a game, and what it did."""

    event: Event
    before: Json
    """The state before it, as `dicetable judge` prints it."""
    after: Json
    story: tuple[RulesEvent, ...] = ()
    """What the act brought about, with the rules that say so."""
    act: Json | None = None
    """The act; the one taken back for a take-back, the new one for a correction of an act."""
    refused: str | None = None
    """Why the judge does not accept it; None when it does."""
    outcome: Outcome | None = None
    """How the game has ended by then, as the judge says."""

    @property
    def pot(self) -> tuple[int, int] | None:
        """Chips in the pot before and after; None in games without one."""
        if "escrow" not in self.before:
            return None
        return int(self.before["escrow"]), int(self.after["escrow"])


def moments(events: Iterable[Event]) -> Iterator[Moment]:
    """The moments of one game, from its opening on.

    Raises:
        ReplayError: the first event is no opening, or the game can not begin as recorded.
    """
    events = iter(events)
    opening = next(events, None)
    if opening is None or opening.kind != Kind.GAME_OPEN:
        raise ReplayError("the opening of this game is missing", opening.seq if opening else 0)
    game = _begin(opening)
    state = game.as_json()
    yield Moment(opening, state, state, game.state.events)
    for event in events:
        before, act, refused = game.as_json(), None, None
        try:
            act = _apply(game, event)
        except Exception as error:
            # Whatever the judge says to a record that it did not write itself is the finding.
            refused = str(error) or type(error).__name__
        story = game.state.events if act is not None and event.kind != Kind.TAKE_BACK else ()
        yield Moment(event, before, game.as_json(), story, act, refused, game.outcome())


def _begin(opening: Event) -> Game[Any]:
    key = str(opening.body.get("game"))
    if key not in GAMES:
        raise ReplayError(f'this game is of an unknown kind "{key}"', opening.seq)
    try:
        return GAMES[key].from_start(opening.body.get("start", {}))
    except Exception as error:
        raise ReplayError(f"this game can not begin as recorded ({error})", opening.seq) from error


def _apply(game: Game[Any], event: Event) -> Json | None:
    """Do to the game what the event says; the act concerned."""
    match event.kind:
        case Kind.ACT:
            game.push(from_json(event.body["act"]))
            return dict(event.body["act"])
        case Kind.TAKE_BACK:
            return to_json(game.pop())
        case Kind.CORRECTION if "act" in event.body:
            throw = from_json(event.body["act"])
            if not isinstance(throw, Throw):
                raise ValueError("only a throw can be corrected")
            game.correct(throw)
            return dict(event.body["act"])
    return None
