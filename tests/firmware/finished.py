"""Short finished games, as they stand in a record."""

from __future__ import annotations

from typing import Any

from firmware.record import RecordedAct, RecordedGame
from firmware.rules import Balut, Barbudi, Barbut, BarbutBg
from firmware.rules.acts import Act, Bank, Cover, Enter, Stake, Throw, Wager, to_json
from firmware.rules.balut import BalutRules
from firmware.rules.balut_sheet import ROWS
from firmware.rules.barbudi import BarbudiRules
from firmware.rules.barbut import BarbutRules
from firmware.rules.barbut_bg import BarbutBgRules
from firmware.rules.game import Game
from firmware.rules.options import End, FixedFee

AT = 1_796_075_400_000


def recorded(game: Game[Any], number: int = 12) -> RecordedGame:
    """A game as the record has it."""
    acts = tuple(RecordedAct(i, AT, to_json(act), {}) for i, act in enumerate(game.acts, 2))
    return RecordedGame(number, game.key, game.start_json, {}, AT, AT, {}, acts)


def played(game: Game[Any], *acts: Act) -> Game[Any]:
    for act in acts:
        game.push(act)
    return game


def barbudi() -> Game[Any]:
    """Two rounds: Ola wins 5 on the second throw, then 8 with Per, who covered 3 of them."""
    rules = BarbudiRules(end=End("rounds", 2), house_fee=FixedFee(1))
    game = Barbudi(("Kari", "Ola", "Пер"), rules, chips=50, thrower="Kari")
    played(game, Stake("Ola", 5), Cover("Kari", 5), Throw("Kari", (4, 2)), Throw("Ola", (6, 5)))
    return played(
        game, Stake("Ola", 8), Cover("Kari", 5), Cover("Пер", 3), Throw("Kari", (4, 4))
    )  # fmt: skip


def barbut() -> Game[Any]:
    game = Barbut(("Ana", "Boris"), BarbutRules(end=End("rounds", 1)), chips=20, thrower="Ana")
    return played(game, Wager(7), Throw("Ana", (6, 4)), Throw("Boris", (2, 1)))


def three_dice() -> Game[Any]:
    """Ana loses 300 by 6-6-6 and is last; Boris reaches 1000."""
    game = BarbutBg(
        ("Ana", "Boris"),
        BarbutBgRules(target=1000),
        turn="Ana",
        totals={"Ana": 300, "Boris": 500},
        opened={"Ana": True, "Boris": True},
    )
    played(game, Throw("Ana", (6, 6, 6)), Throw("Ana", (2, 3, 3)))
    played(game, Throw("Boris", (1, 2, 3)), Bank("Boris"), Throw("Ana", (2, 3, 6)))
    return played(game, Throw("Boris", (5, 5, 5)))


def balut(names: tuple[str, ...] = ("Eva", "Nils"), games: int = 1) -> Game[Any]:
    """Each fills the last field; of a match the others by sixes."""
    full = {row: [20, 15, 0, 16] for row in ROWS} | {"balut": [0, 40, 0]}
    full |= {"fours": [12, 12, 16, 12], "straight": [20, 15, 20, 20]}
    sheets = dict.fromkeys(names, full)
    game = Balut(names, BalutRules(games=games), order=names, sheets=sheets)
    last = names[-1]
    for name in names:
        dice = (1, 1, 1, 1, 1) if name == last else (6, 4, 3, 2, 1)
        played(game, Throw(name, dice), Enter(name, "balut"))
    while game.prompt is not None:
        who = game.prompt.by
        free = [row for row in ROWS if len(game.state.sheets[who][row]) < 4]
        if game.state.phase == "first":
            game.push(Throw(who, (6, 6, 6, 6, 6 if who == names[0] else 5)))
        else:
            played(game, Throw(who, (6, 6, 6, 6, 6)), Enter(who, free[0]))
    return game


GAMES = {"barbudi": barbudi, "barbut": barbut, "barbut_bg": three_dice, "balut": balut}
