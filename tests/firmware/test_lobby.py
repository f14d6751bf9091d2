"""Before a sitting: the four buttons reach everything."""

import pytest

from display.view import Action, Scene
from firmware.buttons import Button
from firmware.clock import FakeClock
from firmware.lobby import IDLE_SECONDS, SEATS, Lobby, OpenGame, Start
from firmware.look import Look
from firmware.rules import GAMES, Barbudi
from firmware.two_presses import ARMED_FOR

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
    press(lobby, Button.CONFIRM)
    assert lobby.view().seats == ("Øyvind xxxxx",), "Enter takes the name, and no letter more"


def test_letters_are_shown_as_a_board() -> None:
    lobby = to_seats("barbudi")
    to_option(lobby, Action.NEW_NAME.value)
    press(lobby, Button.CONFIRM)
    *letters, other, add = lobby.view().options
    assert all(len(letter) == 1 for letter in letters)
    assert (other, add) == (Action.LETTERS, Action.ADD)


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


def test_an_open_game_is_not_given_up_by_a_press_minutes_later() -> None:
    clock = FakeClock()
    given_up: list[bool] = []
    lobby = Lobby(NAMES, open_game=opened(), clock=clock, abandon=lambda: given_up.append(True))
    press(lobby, Button.BACK)
    lobby.tick()
    clock.advance(ARMED_FOR + 1)
    lobby.tick()
    press(lobby, Button.CONFIRM)
    assert not given_up
    assert lobby.start is not None
    assert lobby.start.resume


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
    lobby.point("option", str(len(NAMES) + 2))
    assert lobby.start == Start("balut", ("Ola",))


def test_names_are_spelt_in_the_letters_of_the_language() -> None:
    look = Look()
    look.language = "bg"
    lobby = Lobby(NAMES, look=look)
    press(lobby, Button.CONFIRM, Button.CONFIRM)
    to_option(lobby, Action.NEW_NAME.value)
    press(lobby, Button.CONFIRM)
    for letter in "ЯНА":
        to_option(lobby, letter)
        press(lobby, Button.CONFIRM)
    to_option(lobby, Action.LETTERS.value)
    press(lobby, Button.CONFIRM)
    to_option(lobby, " ")
    press(lobby, Button.CONFIRM)
    to_option(lobby, "Q")
    press(lobby, Button.CONFIRM)
    assert lobby.view().typed == "Яна Q"
    to_option(lobby, Action.LETTERS.value)
    press(lobby, Button.CONFIRM)
    assert "Я" in lobby.view().options
    to_option(lobby, Action.ADD.value)
    press(lobby, Button.CONFIRM)
    assert lobby.view().seats == ("Яна Q",)


def change(lobby: Lobby, key: str, steps: int) -> None:
    """In the house rules: go to a rule and step its value."""
    for _ in range(40):
        view = lobby.view()
        if view.cursor < len(view.settings) and view.settings[view.cursor].key == key:
            break
        if view.cursor == len(view.settings):
            press(lobby, Button.CONFIRM)
        else:
            press(lobby, Button.RIGHT)
    press(lobby, Button.CONFIRM, *[Button.RIGHT] * steps, Button.CONFIRM)


def test_house_rules_are_changed_with_the_buttons_and_go_into_the_game() -> None:
    lobby = to_seats("barbudi")
    press(lobby, Button.CONFIRM, Button.RIGHT, Button.CONFIRM)
    to_option(lobby, Action.HOUSE_RULES.value)
    press(lobby, Button.CONFIRM)
    assert lobby.view().scene is Scene.HOUSE_RULES
    assert lobby.view().settings == ()
    change(lobby, "two_shot", 1)
    change(lobby, "starting_chips", 2)
    press(lobby, Button.BACK)
    assert {one.key for one in lobby.view().settings} == {"two_shot", "starting_chips"}
    press(lobby, Button.CONFIRM)
    first = lobby.view().settings
    assert [(one.key, one.value, one.usual) for one in first] == [
        ("starting_chips", "60", "50"),
        ("two_shot", "on", "off"),
    ]
    press(lobby, Button.BACK)
    to_option(lobby, Action.START.value)
    press(lobby, Button.CONFIRM)
    rules = {"two_shot": True, "starting_chips": 60}
    assert lobby.start == Start("barbudi", NAMES[:2], rules=rules)


def test_who_just_played_plays_again_with_two_presses() -> None:
    lobby = Lobby(NAMES, again=Start("barbut", NAMES[:2]))
    assert lobby.view().scene is Scene.CHOOSE_GAME
    assert lobby.view().game == "barbut"
    press(lobby, Button.CONFIRM, Button.CONFIRM)
    assert lobby.start == Start("barbut", NAMES[:2])


def test_the_games_go_by_again_when_everybody_has_gone() -> None:
    clock = FakeClock()
    lobby = Lobby(NAMES, again=Start("barbut", NAMES[:2]), clock=clock)
    clock.advance(IDLE_SECONDS - 1)
    press(lobby, Button.CONFIRM)
    clock.advance(2)
    lobby.tick()
    assert lobby.view().scene is Scene.SEATS
    clock.advance(IDLE_SECONDS)
    lobby.tick()
    assert lobby.view().scene is Scene.ATTRACT
    assert lobby.view().seats == ()


def test_language_sound_and_colours_are_one_press_away() -> None:
    kept: dict[str, object] = {}
    look = Look(keep=lambda key, value: kept.update({key: value}))
    lobby = Lobby(NAMES, look=look)
    press(lobby, Button.LEFT)
    assert lobby.view().scene is Scene.QUICK_SETTINGS
    press(lobby, Button.CONFIRM)
    press(lobby, Button.RIGHT, Button.CONFIRM)
    lobby.point("option", "2")
    assert (look.language, look.sounds, look.theme) == ("nb", False, "contrast")
    assert kept == {"display.language": "nb", "display.sounds": False, "display.theme": "contrast"}
    press(lobby, Button.BACK)
    assert lobby.view().scene is Scene.ATTRACT


def test_the_settings_page_changes_the_look_at_once_and_nothing_else() -> None:
    kept: list[tuple[str, object]] = []
    look = Look()
    keep = look.keeping(lambda key, value: kept.append((key, value)))
    for key, value in (("display.rotation", 90), ("display.theme", "contrast"), ("camera.fps", 5)):
        keep(key, value)
    assert (look.rotation, look.theme, look.language) == (90, "contrast", "en")
    assert len(kept) == 3


def test_what_can_not_be_saved_is_changed_all_the_same_and_said() -> None:
    def full(key: str, value: object) -> None:
        raise OSError("no space")

    look = Look(keep=full)
    lobby = Lobby(NAMES, look=look)
    press(lobby, Button.LEFT, Button.CONFIRM)
    assert look.language == "nb"
    notice = lobby.view().notice
    assert notice is not None
    assert notice.code == "not_kept"
