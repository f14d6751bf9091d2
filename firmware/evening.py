"""One sitting after the other: lobby, table, lobby, with the record behind them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

from display.view import Record
from firmware.app import Mode
from firmware.audit import chips, differing_chips
from firmware.clock import Clock
from firmware.dialogs import Dialog, Item
from firmware.journal import Journal
from firmware.lobby import Lobby, OpenGame, Replay, Start
from firmware.lock import FaultLock
from firmware.look import Look
from firmware.pages import GAMES_SHOWN, Pages, as_shown, load_picture
from firmware.recall import moments
from firmware.record import Event, RecordedGame
from firmware.replay import ReplayError, rebuild, rules_fingerprint
from firmware.rules import GAMES
from firmware.rules.game import Game
from firmware.statedir import StateError
from firmware.table import Evidence, Table
from vision.reading import Image

GAMES_REMEMBERED = 50
"""The names of so many last games are offered for the seats."""


class Evening:
    """Knows what follows what; `app.App` calls `after` when a mode is done."""

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        *,
        house_rules: Mapping[str, Mapping[str, Any]] | None = None,
        evidence: Evidence | None = None,
        rail: bool = False,
        pages: Pages | None = None,
        operator_pin: str = "0000",
        told: Callable[[str], None] = lambda _: None,
        look: Look | None = None,
        first_game: str | None = None,
        picture: Callable[[str], Path] | None = None,
    ) -> None:
        """`house_rules` by game; `told` hears in a sentence what begins.

        `first_game` is offered first; `picture` gives the file of a kept picture.
        """
        self._journal = journal
        self._clock = clock
        self._house_rules = dict(house_rules or {})
        self._look = look
        self._first_game = first_game
        self._picture = picture
        self._evidence = evidence
        self._rail = rail
        self._pages = pages
        self._operator_pin = operator_pin
        self._wish: Start | None = None
        self._told = told

    def first(self, wish: Start | None = None) -> Mode:
        """What is on when the table is switched on.

        A fault that stands locks the table, an open game is offered first; `wish` is a new game
        asked for on the command line.
        """
        self._wish = wish
        recorded = self._journal.open_game()
        if recorded is not None:
            self._check_code(recorded)
            self._check_chips(recorded)
        lock = self._lock()
        if lock is not None:
            return lock
        if recorded is None and wish is not None:
            return self._begin(wish)
        return self._lobby(recorded)

    def after(self, mode: Mode) -> Mode | None:
        """The mode that follows one that is done."""
        if isinstance(mode, Lobby) and mode.start is not None:
            return self._resume() if mode.start.resume else self._begin(mode.start)
        if isinstance(mode, FaultLock):
            return self.first(self._wish)
        again = Start(mode.game.key, mode.game.seats) if isinstance(mode, Table) else None
        return self._lock() or self._lobby(self._journal.open_game(), again)

    def _lock(self) -> FaultLock | None:
        """What is on while a fault stands in the record."""
        faults = self._journal.open_faults()
        if not faults:
            return None
        return FaultLock(faults, self._operator_pin, self._clear, self._menu())

    def _check_code(self, recorded: RecordedGame) -> None:
        """A fault when the judge is not the one that the open game was begun with.

        Once the operator has accepted this judge for this game, it is not asked again.
        """
        now = rules_fingerprint()
        if recorded.code.get("rules") in (None, now):
            return
        detail = (
            f"The rules in this program are not those that game {recorded.id} was begun with "
            f"({now[:12]}): clear this to go on under them, or give the game up."
        )
        self._lock_once("code_changed", detail, recorded.id)

    def _check_chips(self, recorded: RecordedGame) -> None:
        """A fault when the chips of the open game are not as many all the time."""
        try:
            sums = {chips(one.after) for one in moments(self._journal.events(recorded.id))}
        except ReplayError:
            return  # the lobby says why it can not go on
        if len(sums) > 1:
            self._lock_once("chips", differing_chips(recorded.id, sums), recorded.id)

    def _lock_once(self, code: str, detail: str, game_id: int) -> None:
        """Put a fault into the record, unless the operator has seen this one before."""
        told = (event.body.get("detail") for event in self._journal.events(game_id))
        if detail not in told:
            self._journal.fault(code, detail, game_id).result()

    def _clear(self, faults: Sequence[Event]) -> None:
        for fault in faults:
            self._journal.clear_fault(fault.seq, by="operator").result()

    def begin(self, game: Game[Any]) -> Table:
        """Put a new game into the record and on the table."""
        code = {"version": metadata.version("dicetable"), "rules": rules_fingerprint()}
        game_id = self._journal.start_game(game.key, game.start_json, code)
        return self._table(game, game_id)

    def _begin(self, start: Start) -> Table:
        if start.rules is not None:
            # What this evening agreed on is offered again, till the table is switched off.
            self._house_rules[start.game] = start.rules
        config = dict(self._house_rules.get(start.game, {}))
        data = {"players": list(start.seats), "config": config}
        game = GAMES[start.game].from_start(data)
        self._told(f"A new game: {start.game}, {', '.join(start.seats)}.")
        return self.begin(game)

    def _resume(self) -> Table:
        recorded = self._journal.open_game()
        assert recorded is not None
        played = recorded.acts[-1].extra.get("played", 0) if recorded.acts else 0
        self._told(f"Game {recorded.id} goes on where it stood, after {len(recorded.acts)} acts.")
        return self._table(rebuild(recorded), recorded.id, float(played), resumed=True)

    def _table(
        self, game: Game[Any], game_id: int, played: float = 0.0, *, resumed: bool = False
    ) -> Table:
        return Table(
            game,
            game_id,
            self._journal,
            self._clock,
            evidence=self._evidence,
            rail=self._rail,
            played=played,
            resumed=resumed,
            pages=self._menu(game.key),
            home=partial(self._home, game_id) if self._can_take_home else None,
            dice_set=lambda: self._pages.dice_set if self._pages is not None else "",
        )

    @property
    def _can_take_home(self) -> bool:
        return self._pages is not None and self._pages.can_take_home

    def _home(self, game_id: int) -> Dialog | None:
        """The page to take a result home from; None when the record of it can not be read."""
        assert self._pages is not None
        try:
            make = self._pages.home_of(self._journal.game(game_id))
        except StateError:
            return None
        return make() if make is not None else None

    def _menu(self, game: str | None = None) -> Sequence[Item]:
        return self._pages.menu(game) if self._pages is not None else ()

    def _lobby(self, recorded: RecordedGame | None, again: Start | None = None) -> Lobby:
        make = partial(
            Lobby,
            self._names(),
            pages=self._menu(),
            records=self._last(),
            clock=self._clock,
            house_rules=self._house_rules,
            look=self._look,
            again=again,
            first=self._first_game,
            replay=self._replay(),
        )
        if recorded is None:
            return make()
        try:
            game = rebuild(recorded)
        except ReplayError as error:
            seats = tuple(recorded.start.get("players", ()))
            open_game = OpenGame(recorded.game, seats, None, str(error))
        else:
            open_game = OpenGame(recorded.game, tuple(game.seats), game.state)

        def abandon() -> None:
            self._journal.close_game(recorded.id, {"reason": "abandoned"}).result()

        return make(open_game=open_game, abandon=abandon)

    def _last(self) -> Sequence[Record]:
        """The last games that were played to their end."""
        games = self._journal.games(GAMES_SHOWN)
        return [as_shown(game) for game in games if (game.outcome or {}).get("winners")]

    def _replay(self) -> Replay | None:
        """The last throw of the newest game, with its picture where there is one."""
        for game in self._journal.games(1):
            for recorded in reversed(game.acts):
                if recorded.act.get("op") == "throw" and recorded.act.get("by"):
                    return Replay(
                        str(recorded.act["by"]),
                        tuple(recorded.act["dice"]),
                        self._load(recorded.extra.get("picture")),
                    )
        return None

    def _load(self, name: object) -> Image | None:
        if self._picture is None or not isinstance(name, str):
            return None
        return load_picture(self._picture(name))

    def _names(self) -> Sequence[str]:
        """Who has played here, the latest first."""
        names: dict[str, None] = {}
        for recorded in self._journal.games(GAMES_REMEMBERED):
            names.update(dict.fromkeys(recorded.start.get("players", ())))
        return list(names)
