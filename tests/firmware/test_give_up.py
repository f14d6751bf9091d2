"""A game that people walk away from: given up with the buttons, from any state."""

from __future__ import annotations

import pytest

from display.view import Action, Scene
from firmware.buttons import Button
from firmware.record import Kind
from firmware.rules import Balut, Barbudi, BarbutBg
from firmware.rules.acts import Stake, Stop
from firmware.rules.game import Game
from tests.firmware.sitting import Sitting


def offered(sitting: Sitting, key: str) -> bool:
    sitting.table.menu()
    return key in sitting.table.view().options


@pytest.mark.parametrize(
    "game",
    [
        Balut(("Eva", "Nils"), order=("Eva", "Nils")),
        BarbutBg(("Ana", "Boris"), turn="Ana"),
        Barbudi(("Kari", "Ola"), thrower="Kari", chips=20),
    ],
    ids=lambda game: game.key,
)
def test_it_ends_at_once_and_counts_for_nobody(game: Game[object]) -> None:
    if isinstance(game, Barbudi):
        # As long as it can be stopped and counted, it is not given up.
        game.push(Stake("Ola", 5))
        game.push(Stop("hand"))
    sitting = Sitting(game)
    sitting.table.menu()
    sitting.robot._pick_option(Action.GIVE_UP.value)
    sitting.table.press(Button.CONFIRM)
    assert sitting.table.view().scene is Scene.MESSAGE
    sitting.table.press(Button.CONFIRM)
    assert not sitting.table.done, "two presses of one button come too easily"
    sitting.table.press(Button.LEFT)
    sitting.table.tick()
    assert sitting.table.done
    assert sitting.record.bodies(Kind.GAME_CLOSED) == [{"outcome": {"reason": "abandoned"}}]


def test_where_a_game_can_be_stopped_and_counted_it_is_not_given_up() -> None:
    sitting = Sitting(Barbudi(("Kari", "Ola"), thrower="Kari", chips=20))
    assert offered(sitting, Action.END_GAME.value)
    assert Action.GIVE_UP.value not in sitting.table.view().options


def test_nothing_is_given_up_by_going_back() -> None:
    sitting = Sitting(Balut(("Eva",), order=("Eva",)))
    sitting.table.menu()
    sitting.robot._pick_option(Action.GIVE_UP.value)
    for button in (Button.CONFIRM, Button.BACK):
        sitting.table.press(button)
    sitting.table.tick()
    assert not sitting.table.done
    assert sitting.table.view().scene is not Scene.MESSAGE
