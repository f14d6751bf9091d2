"""Figures that people like, from the record by replay: who won what, and which faces came.

A game counts for its players once the judge has ended it; its throws count for the faces of the
dice set that was in play in any case. What was taken back counts for nothing.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from firmware.queries import Queries
from firmware.record import RecordedGame
from firmware.replay import ReplayError
from firmware.rules import GAMES, Game
from firmware.rules.acts import Throw, from_json
from firmware.rules.balut import BalutState
from firmware.rules.game import FACES, Event

DAY = 24 * 60 * 60 * 1000
"""Milliseconds."""

DICE_SET = "dice_set"
"""Key beside a throw in the record: the name of the dice set."""

COLUMNS = ("games", "wins", "best", "mean", "baluts", "rows_met", "luck")
"""Keys of the figures of a player, in the order in which they are shown."""


class Period(StrEnum):
    """The time that figures are taken over."""

    WEEK = "week"
    MONTH = "month"
    EVER = "ever"


_DAYS = {Period.WEEK: 7, Period.MONTH: 30}


@dataclass(slots=True)
class Player:
    """The figures of one player."""

    games: int = 0
    wins: int = 0
    """Games won, also with others."""
    balut_points: list[int] = field(default_factory=list)
    """Points of each finished sheet of the standard Balut."""
    baluts: int = 0
    """Throws of five alike."""
    rows_met: int = 0
    """Rows of Balut that earned their points."""
    luck: int = 0
    """Most wins in a row: rounds of a game of Barbudi, wagers of one of Barbut, or whole games."""

    def add(self, other: Player) -> None:
        """Put another game's figures on top."""
        self.games += other.games
        self.wins += other.wins
        self.balut_points += other.balut_points
        self.baluts += other.baluts
        self.rows_met += other.rows_met
        self.luck = max(self.luck, other.luck)

    def cells(self) -> tuple[str, ...]:
        """The figures as they are shown, in the order of `COLUMNS`."""
        points = self.balut_points
        best = str(max(points)) if points else "–"
        mean = f"{sum(points) / len(points):.1f}" if points else "–"
        counts = (self.baluts, self.rows_met, self.luck)
        return (str(self.games), str(self.wins), best, mean, *map(str, counts))


@dataclass(slots=True)
class Figures:
    """The figures of some games."""

    players: dict[str, Player] = field(default_factory=dict)
    sets: dict[str, Counter[int]] = field(default_factory=dict)
    """For each dice set by name how often each face was thrown; the empty name: not known."""
    unreadable: int = 0
    """Games that this program's judge can not replay; they are left out."""

    def player(self, name: str) -> Player:
        """The figures of a player, from nothing."""
        return self.players.setdefault(name, Player())

    def add(self, other: Figures) -> None:
        """Put other figures on top."""
        for name, player in other.players.items():
            self.player(name).add(player)
        for name, faces in other.sets.items():
            self.sets.setdefault(name, Counter()).update(faces)
        self.unreadable += other.unreadable

    def league(self) -> list[tuple[str, Player]]:
        """Players who have finished a game, those with most games won first."""
        finished = [(name, one) for name, one in self.players.items() if one.games]
        return sorted(finished, key=lambda one: (-one[1].wins, one[1].games, one[0]))

    def dice(self) -> list[tuple[str, tuple[int, ...]]]:
        """Every dice set that was thrown and how often its faces came, from one to six.

        The one thrown most comes first, the dice without a name last.
        """
        found = [(name, tuple(faces[face] for face in FACES)) for name, faces in self.sets.items()]
        return sorted(found, key=lambda one: (not one[0], -sum(one[1]), one[0]))


class Statistician:
    """Adds up the games of a record; remembers the ones that can not change any more."""

    def __init__(self, record: Queries) -> None:
        self._record = record
        self._known: dict[int, tuple[int, Figures]] = {}
        """Game -> when it ended, and its figures."""

    def work(self, seconds: float, timer: Callable[[], float] = time.perf_counter) -> float:
        """Add up games for so long, at least one; the share that is done, 1.0 when all are.

        For a main loop that must not stand still: a card full of games takes a Pi some seconds.
        """
        end = timer() + seconds
        ids = self._record.game_ids()
        todo = [game_id for game_id in ids[1:] if game_id not in self._known]
        for number, game_id in enumerate(todo):
            if number and timer() >= end:
                return (len(ids) - len(todo) + number) / len(ids)
            self._known[game_id] = self._read(game_id)
        return 1.0

    def figures(self, period: Period, now: float) -> Figures:
        """The figures of a period; `now` in seconds since 1970 UTC.

        Raises:
            StateError: the record can not be read.
        """
        self.work(math.inf)
        days = _DAYS.get(period)
        since = int(now * 1000) - days * DAY if days is not None else None
        total = Figures()
        row: Counter[str] = Counter()
        for game_id in reversed(self._record.game_ids()):
            # The newest game may still go on, or its end be taken back: it is read each time.
            at, figures = self._known.get(game_id) or self._read(game_id)
            if since is None or at >= since:
                total.add(figures)
                _games_in_a_row(total, row, figures)
        return total

    def _read(self, game_id: int) -> tuple[int, Figures]:
        recorded = self._record.game(game_id)
        if recorded is None:
            return 0, Figures(unreadable=1)
        return recorded.closed_at or recorded.opened_at, of_game(recorded)


def of_game(recorded: RecordedGame) -> Figures:
    """The figures of one game; only `unreadable` when the judge does not accept it."""
    figures = Figures()
    streaks: dict[str, int] = {}
    try:
        game = _begun(recorded)
        for one in recorded.acts:
            act = from_json(one.act)
            game.push(act)
            if isinstance(act, Throw):
                dice_set = str(one.extra.get(DICE_SET, ""))
                figures.sets.setdefault(dice_set, Counter()).update(act.dice)
            for event in game.state.events:
                _count(figures, streaks, event, game)
    except Exception:
        # Written by another version of the rules, or by hand: the audit says what is wrong.
        return Figures(unreadable=1)
    outcome = game.outcome()
    if outcome is None:
        return Figures(sets=figures.sets)
    for name in game.seats:
        player = figures.player(name)
        player.games = 1
        player.wins = int(name in outcome.winners)
    return figures


def _games_in_a_row(total: Figures, row: Counter[str], game: Figures) -> None:
    """Go on counting the games that each player has won one after the other."""
    for name, player in game.players.items():
        if player.games:
            row[name] = row[name] + 1 if player.wins else 0
            total.player(name).luck = max(total.player(name).luck, row[name])


def _begun(recorded: RecordedGame) -> Game[Any]:
    if recorded.game not in GAMES:
        raise ReplayError(f'game {recorded.id} is of an unknown kind "{recorded.game}"', 0)
    return GAMES[recorded.game].from_start(recorded.start)


def _count(figures: Figures, streaks: dict[str, int], event: Event, game: Game[Any]) -> None:
    """Add what one event brings to its player."""
    if event.who is None:
        return
    player = figures.player(event.who)
    match event.kind:
        case "five_alike":
            player.baluts += 1
        case "row_filled":
            player.rows_met += int(bool(event.amount))
        case "counted" if _standard(game.state):
            player.balut_points.append(event.amount or 0)
        case "won" | "wager_won":
            streaks[event.who] = streaks.get(event.who, 0) + 1
            player.luck = max(player.luck, streaks[event.who])
            if event.other is not None:
                streaks[event.other] = 0


def _standard(state: object) -> bool:
    return isinstance(state, BalutState) and state.rules.variant == "standard"
