"""What the tests of all games share."""

from typing import Any

import pytest

from firmware.rules import Act, Barbudi, BarbudiRules, Cover, Event, Game, Refused, Stake

FOUR = ("Kari", "Ola", "Per", "Liv")
NOTHING = (6, 4)
"""A pair that decides nothing."""


def play(game: Game[Any], *acts: Act) -> Any:
    """Push the acts; the state after them."""
    for act in acts:
        game.push(act)
    return game.state


def refused(game: Game[Any], act: Act) -> str:
    """The code with which the act is refused, without a trace."""
    before = game.state
    with pytest.raises(Refused) as caught:
        game.push(act)
    assert game.state is before
    return caught.value.code


def event(state: Any, kind: str) -> Event:
    """The event of that kind that the last act brought about."""
    return next(one for one in state.events if one.kind == kind)


def barbudi(seats: tuple[str, ...] = FOUR, chips: Any = 20, **rules: Any) -> Barbudi:
    """A table at which Kari throws and Ola is fader."""
    return Barbudi(seats, BarbudiRules(**rules), chips, thrower="Kari")


def betting(stake: int, **covers: int) -> list[Act]:
    """Ola stakes, the others cover."""
    return [Stake("Ola", stake), *(Cover(who, n) for who, n in covers.items())]
