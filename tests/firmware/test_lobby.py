"""Before a sitting: the four buttons reach everything."""

import pytest

from display.view import Action, Scene
from firmware.buttons import Button
from firmware.lobby import LETTERS, SEATS, Lobby, OpenGame, Start
from firmware.rules import GAMES, Barbudi

NAMES = ("Kari", "Ola", "Per")


def press(lobby: Lobby, *buttons: Button) -> None:
    for button in buttons:
        lobby.press(button)


def to_seats(game: str) -> Lobby:
    lobby = Lobby(NAMES)
    press(lobby, Button.CONFIRM, *[Button.RIGHT] * list(GAMES).index(game), Button.CONFIRM)
    return lobby


def to_option(lobby: Lobby, key: str) -> None:
    for _ in range(100):
        view = lobby.view()
        if view.options[view.cursor] == key:
            return
        press(lobby, Button.RIGHT)
    pytest.fail(f"{key} can not be reached")


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_begun_with_as_many_as_it_takes(game: str) -> None:
    lobby = to_seats(game)
    assert lobby.view().game == game
    for name in NAMES[: max(2, SEATS[game][0])]:
        to_option(lobby, name)
        press(lobby, Button.CONFIRM)
    to_option(lobby, Action.START.value)
    press(lobby, Button.CONFIRM)
    assert lobby.start == Start(game, NAMES[: max(2, SEATS[game][0])])


def test_too_few_can_not_begin() -> None:
    lobby = to_seats("barbudi")
    press(lobby, Button.CONFIRM)
    to_option(lobby, Action.START.value)
    assert lobby.view().buttons.confirm is None
    press(lobby, Button.CONFIRM)
    assert not lobby.done


def test_too_many_are_refused_in_words() -> None:
    lobby = Lobby([f"P{i}" for i in range(7)])
    press(lobby, Button.CONFIRM, *[Button.RIGHT] * list(GAMES).index("balut"), Button.CONFIRM)
    for _ in range(7):
        press(lobby, Button.CONFIRM, Button.RIGHT)
    view = lobby.view()
    assert len(view.seats) == 6
    press(lobby, Button.LEFT, Button.CONFIRM)
    assert len(lobby.view().seats) == 6
    assert lobby.view().notice is not None


def test_a_seated_player_gets_up_again() -> None:
    lobby = to_seats("barbudi")
    press(lobby, Button.CONFIRM)
    assert lobby.view().buttons.confirm is not None
    assert lobby.view().buttons.confirm.action is Action.REMOVE
    press(lobby, Button.CONFIRM)
    assert lobby.view().seats == ()


def test_a_name_is_spelt_with_the_buttons() -> None:
    lobby = to_seats("barbudi")
    to_option(lobby, Action.NEW_NAME.value)
    press(lobby, Button.CONFIRM)
    for letter in "LIV":
        to_option(lobby, letter)
        press(lobby, Button.CONFIRM)
    assert lobby.view().typed == "Liv"
    press(lobby, Button.BACK)
    assert lobby.view().typed == "Li"
    to_option(lobby, "V")
    press(lobby, Button.CONFIRM)
    to_option(lobby, Action.ADD.value)
    press(lobby, Button.CONFIRM)
    assert lobby.view().seats == ("Liv",)


def test_a_name_is_typed_on_a_keyboard() -> None:
    lobby = to_seats("barbudi")
    to_option(lobby, Action.NEW_NAME.value)
    press(lobby, Button.CONFIRM)
    for text in "Øyvind ", "\t", "x" * 99:
        lobby.type(text)
    assert lobby.view().typed == "Øyvind xxxxx"


def test_letters_are_shown_as_a_board() -> None:
    assert all(len(letter) == 1 for letter in LETTERS)


def opened(problem: str = "") -> OpenGame:
    game = Barbudi(("Kari", "Ola"), chips=20, thrower="Kari")
    return OpenGame("barbudi", ("Kari", "Ola"), None if problem else game.state, problem)


def test_an_open_game_is_offered_first() -> None:
    lobby = Lobby(NAMES, open_game=opened())
    assert lobby.view().scene is Scene.RESUME
    press(lobby, Button.CONFIRM)
    assert lobby.start == Start("barbudi", ("Kari", "Ola"), resume=True)


def test_an_open_game_is_given_up_only_with_two_presses() -> None:
    given_up: list[bool] = []
    lobby = Lobby(NAMES, open_game=opened(), abandon=lambda: given_up.append(True))
    press(lobby, Button.BACK, Button.BACK, Button.BACK)
    assert not given_up
    press(lobby, Button.CONFIRM)
    assert given_up == [True]
    assert lobby.view().scene is Scene.ATTRACT


def test_an_open_game_that_can_not_go_on_says_why() -> None:
    lobby = Lobby(NAMES, open_game=opened("event 7 is refused by the rules"))
    assert lobby.view().buttons.confirm is None
    press(lobby, Button.CONFIRM)
    assert not lobby.done
    notice = lobby.view().notice
    assert notice is not None
    assert "event 7" in notice.text


def test_everything_in_the_lobby_is_reached_by_touch() -> None:
    lobby = Lobby(NAMES)
    press(lobby, Button.CONFIRM)
    lobby.point("option", str(list(GAMES).index("balut")))
    lobby.point("option", "1")
    lobby.point("option", "99")
    assert lobby.view().seats == ("Ola",)
    lobby.point("option", str(len(NAMES) + 1))
    assert lobby.start == Start("balut", ("Ola",))
