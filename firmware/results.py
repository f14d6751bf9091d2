"""What is worth taking home from a finished game, by replay: sheets, accounts, turns.

Numbers and names only; the words come with the language (`firmware.take_home`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from firmware.record import RecordedGame
from firmware.replay import ReplayError, rebuild
from firmware.rules import Game
from firmware.rules.acts import Act, Throw, from_json
from firmware.rules.balut import BalutState, match_results
from firmware.rules.balut_sheet import Sheet
from firmware.rules.barbut_bg import BarbutBgState
from firmware.rules.game import Outcome

Dice = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """A round of Barbudi or a wager of Barbut that was played out."""

    thrower: str
    fader: str
    """The one whom the thrower played against."""
    pot: int
    """All that both sides had put up on the throws, without side bets."""
    throws: tuple[Dice, ...]
    changes: Mapping[str, int]
    """By player what he won (or lost, negative), side bets and fees included."""


@dataclass(frozen=True, slots=True)
class Account:
    """The chips of Barbudi or Barbut, deal by deal."""

    start: Mapping[str, int]
    deals: tuple[Deal, ...]
    house: int
    """What the house took."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of the three-dice game that is over."""

    total: int
    """The player's total after it."""
    change: int
    """What it did to the total."""
    event: str
    """`BarbutBgState.event`: banked, bust, not_opened, wiped …"""


@dataclass(frozen=True, slots=True)
class Turns:
    """The turns of the three-dice game, by player in their order."""

    turns: Mapping[str, tuple[Turn, ...]]


@dataclass(frozen=True, slots=True)
class Sheets:
    """The full sheets of Balut, one set for each game of a match."""

    variant: str
    games: tuple[Mapping[str, Sheet], ...]
    sums: Mapping[str, int]
    """Dice sum of everybody, over all games."""


Body = Account | Turns | Sheets


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game."""

    id: int
    game: str
    seats: tuple[str, ...]
    outcome: Outcome
    ended_at: int
    """Wall clock in milliseconds since 1970 UTC."""
    body: Body

    def places(self) -> list[tuple[int, str, int]]:
        """Place from 1, name and score of everybody; equal ones share a place."""
        scores = dict(self.outcome.scores)
        found: list[tuple[int, str, int]] = []
        for names in self.outcome.ranking:
            place = len(found) + 1
            found += [(place, name, scores[name]) for name in names]
        return found


@dataclass(slots=True)
class _Deals:
    """Collects the deals while a game is replayed."""

    before: dict[str, int]
    pair: tuple[str, str] = ("", "")
    pot: int = 0
    throws: list[Dice] = field(default_factory=list)
    deals: list[Deal] = field(default_factory=list)

    def see(self, old: Any, act: Act, new: Any) -> None:
        """An act brought the game from one state to the next."""
        if isinstance(act, Throw) and old.phase != "first":
            if not self.throws:
                self.pair = (old.thrower, getattr(old, "fader", None) or old.opponent)
                self.pot = getattr(old, "pot", 0) or 2 * old.stake
            self.throws.append(new.dice)
        if new.chips.escrow:
            return
        if self.throws:
            changes = {who: now - self.before[who] for who, now in new.chips.stacks.items()}
            self.deals.append(Deal(*self.pair, self.pot, tuple(self.throws), changes))
        # Without a throw the round was void and everybody has his own back.
        self.throws = []
        self.before = dict(new.chips.stacks)


def result_of(recorded: RecordedGame) -> Result | None:
    """The result of a recorded game; None when it was not played to its end.

    Raises:
        ReplayError: the judge does not accept the record.
    """
    outcome = rebuild(recorded).outcome()
    if outcome is None:
        return None
    game = rebuild(RecordedGame(recorded.id, recorded.game, recorded.start, {}, 0))
    body = _replay(game, [from_json(one.act) for one in recorded.acts])
    ended = recorded.closed_at or recorded.opened_at
    return Result(recorded.id, recorded.game, game.seats, outcome, ended, body)


def _replay(game: Game[Any], acts: list[Act]) -> Body:
    state = game.state
    if isinstance(state, BalutState):
        return _sheets(game, acts)
    if isinstance(state, BarbutBgState):
        return _turns(game, acts)
    start = dict(state.chips.stacks)
    deals = _Deals(start)
    for act in acts:
        old = game.state
        game.push(act)
        deals.see(old, act, game.state)
    return Account(start, tuple(deals.deals), game.state.chips.house)


def _sheets(game: Game[Any], acts: list[Act]) -> Sheets:
    games: list[Mapping[str, Sheet]] = []
    for act in acts:
        game.push(act)
        if any(event.kind == "game_begins" for event in game.state.events):
            games.append(game.state.last_sheets)
    state: BalutState = game.state
    sums = {who: total for who, (_, total) in match_results(state).items()}
    return Sheets(state.rules.variant, (*games, state.sheets), sums)


def _turns(game: Game[Any], acts: list[Act]) -> Turns:
    turns: dict[str, list[Turn]] = {who: [] for who in game.seats}
    before = dict(game.state.totals)
    for act in acts:
        by = game.state.turn
        game.push(act)
        state: BarbutBgState = game.state
        if by is None or (state.turn == by and state.phase != "over"):
            continue
        total = state.totals[by]
        turns[by].append(Turn(total, total - before[by], state.event or ""))
        before[by] = total
    return Turns({who: tuple(one) for who, one in turns.items()})


__all__ = ["Account", "Deal", "ReplayError", "Result", "Sheets", "Turn", "Turns", "result_of"]
