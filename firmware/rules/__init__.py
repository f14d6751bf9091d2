"""The judge: four games, pure; no clock, no chance, no files, no pixels.

See `firmware.rules.game` for the contract that every game keeps.
"""

from typing import Any

from firmware.rules.acts import (
    Act,
    ActError,
    Bank,
    Begin,
    Cover,
    Decline,
    Enter,
    SideBet,
    Stake,
    Stop,
    Throw,
    TwoShotChoice,
    Vari,
    VoidThrow,
    Wager,
)
from firmware.rules.balut import Balut, BalutRules, BalutState
from firmware.rules.barbudi import Barbudi, BarbudiRules, BarbudiState
from firmware.rules.barbut import Barbut, BarbutRules, BarbutState
from firmware.rules.barbut_bg import BarbutBg, BarbutBgRules, BarbutBgState
from firmware.rules.game import (
    AmountWanted,
    ChoiceWanted,
    DiceWanted,
    Event,
    Game,
    Keep,
    Outcome,
    Prompt,
    Refused,
    SideBetWanted,
    State,
    Want,
)
from firmware.rules.options import ConfigError, End, FixedFee, PercentFee

GAMES: dict[str, type[Game[Any]]] = {game.key: game for game in (Barbudi, Barbut, BarbutBg, Balut)}
"""Every game by its key."""

RULES: dict[str, type[Any]] = {
    "barbudi": BarbudiRules,
    "barbut": BarbutRules,
    "barbut_bg": BarbutBgRules,
    "balut": BalutRules,
}
"""The class of house rules of every game by its key."""

__all__ = [
    "GAMES",
    "RULES",
    "Act",
    "ActError",
    "AmountWanted",
    "Balut",
    "BalutRules",
    "BalutState",
    "Bank",
    "Barbudi",
    "BarbudiRules",
    "BarbudiState",
    "Barbut",
    "BarbutBg",
    "BarbutBgRules",
    "BarbutBgState",
    "BarbutRules",
    "BarbutState",
    "Begin",
    "ChoiceWanted",
    "ConfigError",
    "Cover",
    "Decline",
    "DiceWanted",
    "End",
    "Enter",
    "Event",
    "FixedFee",
    "Game",
    "Keep",
    "Outcome",
    "PercentFee",
    "Prompt",
    "Refused",
    "SideBet",
    "SideBetWanted",
    "Stake",
    "State",
    "Stop",
    "Throw",
    "TwoShotChoice",
    "Vari",
    "VoidThrow",
    "Wager",
    "Want",
]
