"""A scripted evening by mock pins, through every screen that the table has."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from display.view import Action, Scene, View
from display.window import Key, Touch, Window
from firmware.buttons import Button
from firmware.evening import Evening
from firmware.lobby import Lobby
from firmware.rules.acts import Bank, Cover, Enter, Stake, Wager
from firmware.statedir import StateError
from firmware.table import Table
from tests.firmware.world import World
from vision.reading import Problem


@pytest.fixture
def window() -> Iterator[Window]:
    with Window((800, 480), headless=True) as opened:
        yield opened


class Visitor:
    """Somebody who does what the screen says."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.robot = world.robot

    @property
    def view(self) -> View:
        return self.world.app.view()

    def use(self, *actions: Action) -> None:
        self.robot.use(*actions)
        self.robot.settled()

    def to(self, key: str) -> None:
        """Go to a line of a list and choose it."""
        self.robot._pick_option(key)
        self.world.press(Button.CONFIRM)

    def menu(self) -> None:
        """Open the menu as the screen says: by a button of its own, or by holding back."""
        if self.robot.find(Action.MENU):
            self.use(Action.MENU)
        else:
            self.world.grip()

    def spell(self, name: str) -> None:
        """A new name, letter by letter."""
        self.to(Action.NEW_NAME.value)
        for letter in name.upper():
            self.to(letter)
        self.to(Action.ADD.value)

    def throw(self, *faces: int) -> None:
        """Dice into the tray, read right, confirmed."""
        self.world.eye.faces = faces
        self.robot.throw()
        self.robot.confirm()


def look_round(visitor: Visitor) -> None:
    """From the start through all pages of the menu, and back."""
    for key in (Action.LOOK, Action.HISTORY, Action.STATISTICS, Action.HEALTH):
        visitor.use(Action.MENU)
        visitor.to(key.value)
        for _ in range(4):
            if visitor.robot.find(Action.NEXT):
                visitor.use(Action.NEXT)
        visitor.use(Action.BACK)
        visitor.use(Action.BACK)
    visitor.use(Action.MENU)
    visitor.to(Action.RULES.value)
    visitor.to("balut")
    for _ in range(3):
        visitor.use(Action.BACK)
    assert visitor.view.scene is Scene.ATTRACT


def seat(visitor: Visitor, game: str) -> None:
    """Choose a game, seat two, change a house rule, begin."""
    if visitor.view.scene is Scene.ATTRACT:
        visitor.use(Action.START)
    visitor.to(game)
    if not visitor.view.seats:
        visitor.spell("Kari")
        visitor.spell("Ola")
    visitor.to(Action.HOUSE_RULES.value)
    while visitor.robot.find(Action.ALL_RULES) is None:
        visitor.use(Action.NEXT)
    visitor.use(Action.ALL_RULES)
    for action in (Action.CHANGE, Action.NEXT, Action.CONFIRM, Action.BACK):
        visitor.use(action)
    visitor.to(Action.START.value)


def play_barbudi(visitor: Visitor) -> None:
    """The host names who begins; a correction, a hand in the tray, dice by hand, a take-back."""
    seat(visitor, "barbudi")
    visitor.to("Kari")
    visitor.robot.do(Stake("Ola", 5))
    visitor.robot.do(Cover("Kari", 5))
    visitor.world.eye.wrong = Problem.COCKED
    visitor.world.eye.faces = (4, 2)
    assert visitor.robot.throw().buttons.confirm is None
    visitor.world.eye.wrong = None
    visitor.robot.throw()
    visitor.use(Action.CORRECT)
    visitor.use(Action.CANCEL, Action.BACK)
    visitor.use(Action.CONFIRM)
    visitor.use(Action.TAKE_BACK)
    visitor.use(Action.TAKE_BACK)
    visitor.use(Action.CONFIRM)
    visitor.robot.enter((1, 1))
    visitor.menu()
    visitor.to(Action.END_GAME.value)
    visitor.use(Action.CHOOSE)
    assert visitor.view.scene is Scene.RESULT
    visitor.use(Action.TAKE_HOME)
    assert visitor.view.scene is Scene.TAKE_HOME
    visitor.use(Action.BACK)


def play_the_others(visitor: Visitor) -> None:
    """A round of each of the other games; what has no end yet is given up."""
    for game in ("barbut", "barbut_bg", "balut"):
        visitor.use(Action.NEW_GAME) if visitor.view.scene is Scene.RESULT else None
        seat(visitor, game)
        visitor.to("Kari")
        if game == "barbut":
            visitor.robot.do(Wager(3))
            visitor.throw(6, 6)
        elif game == "barbut_bg":
            visitor.throw(5, 1, 1)
            if visitor.robot.find(Action.RECORD):
                visitor.robot.do(Bank("Kari"))
        else:
            visitor.throw(6, 6, 6, 6, 1)
            visitor.robot.do(Enter("Kari", "sixes"))
        visitor.menu()
        if Action.GIVE_UP.value in visitor.view.options:
            visitor.to(Action.GIVE_UP.value)
            visitor.use(Action.GIVE_UP)
        else:
            visitor.to(Action.END_GAME.value)
            visitor.use(Action.CHOOSE)


def recall_and_operate(visitor: Visitor) -> None:
    """The last game step by step, and behind the PIN."""
    while visitor.view.scene is not Scene.ATTRACT:
        visitor.use(Action.BACK)
    visitor.use(Action.MENU)
    visitor.to(Action.HISTORY.value)
    visitor.use(Action.CHOOSE)
    assert visitor.view.scene is Scene.RECALL
    visitor.use(Action.BACK)
    visitor.use(Action.BACK)
    visitor.to(Action.OPERATOR.value)
    for _ in "0000":
        visitor.use(Action.CHOOSE)
    visitor.to(Action.SETTINGS.value)
    assert visitor.view.scene is Scene.SETTINGS
    visitor.use(Action.BACK)
    visitor.to(Action.DISPUTE.value)
    assert visitor.view.scene is Scene.MESSAGE


@pytest.fixture
def shown(window: Window, tmp_path: Path) -> dict[str, View]:
    """Every screen that was seen on one long evening, with a power cut and a full disk."""
    with World(tmp_path, window, Evening.first) as world:
        visitor = Visitor(world)
        look_round(visitor)
        play_barbudi(visitor)
        play_the_others(visitor)
        recall_and_operate(visitor)
        seen = dict(world.shown)
    with World(tmp_path, window, lambda evening: evening.first()) as world:
        visitor = Visitor(world)
        seat(visitor, "barbudi")
        assert isinstance(world.app.mode, Table)
    with World(tmp_path, window, Evening.first) as world:
        visitor = Visitor(world)
        assert visitor.view.scene is Scene.RESUME
        visitor.use(Action.GO_ON)
        table = world.app.mode
        assert isinstance(table, Table)
        table.ledger.fault = StateError("no space left on device")
        world.tick()
        assert visitor.view.scene is Scene.FAULT
        seen |= world.shown
    return seen


def test_every_screen_of_the_table_was_shown(shown: dict[str, View]) -> None:
    folder = files("display") / "scenes"
    known = {
        name.removesuffix(".py")
        for name in (one.name for one in folder.iterdir())
        if name.endswith(".py") and name != "__init__.py"
    }
    assert known - set(shown) == set()
    assert {view.scene for view in shown.values()} == set(Scene)


def test_a_finger_reaches_what_the_buttons_reach(window: Window, tmp_path: Path) -> None:
    """The same evening's beginning with nothing but touches on what is drawn."""
    with World(tmp_path, window, Evening.first) as world:

        def touch(name: str) -> View:
            drawn = world.app.stage.drawn
            assert drawn is not None
            rect = next(rect for rect, target in reversed(drawn.targets) if target == name)
            world.typed = [Touch(*rect.center)]
            world.tick()
            world.tick()
            return world.robot.settled()

        def option(key: str) -> View:
            view = world.app.view()
            return touch(f"option:{view.options.index(key)}")

        touch("button:left")
        assert touch("option:0").language == "nb"
        touch("button:back")
        touch("button:confirm")
        option("balut")
        option(Action.NEW_NAME.value)
        for letter in "EVA":
            option(letter)
        assert option(Action.ADD.value).seats == ("Eva",)
        option(Action.HOUSE_RULES.value)
        touch("option:0")
        assert touch("option:0").editing
        touch("button:right")
        touch("option:0")
        touch("button:back")
        assert option(Action.START.value).scene is Scene.GAME
        world.eye.faces = (6, 6, 6, 6, 1)
        world.app.throw()
        for _ in range(8):
            world.tick()
        assert touch("button:confirm").keeping
        assert touch("menu").options, "the menu opens by a finger on its sign"
        touch("button:back")
        assert touch("die:0").kept[0]
        view = touch("row:sixes")
        assert not view.keeping
        touch("button:confirm")
        touch("button:right")
        touch("button:left")  # the list turns round to its last line, which was out of sight
        option(Action.GIVE_UP.value)
        touch("button:left")
        assert isinstance(world.app.mode, Lobby)


def test_a_keyboard_reaches_the_menu_and_spells_names(window: Window, tmp_path: Path) -> None:
    with World(tmp_path, window, Evening.first) as world:
        world.typed = [Key("m", "m")]
        world.tick()
        assert world.app.view().scene is Scene.MENU
        world.press(Button.BACK)
        world.press(Button.CONFIRM)
        world.press(Button.CONFIRM)
        world.press(Button.CONFIRM)
        world.typed = [Key("m", "M"), Key("ø", "ø"), Key("space", " "), Key("t", "t")]
        world.tick()
        assert world.app.view().typed == "Mø t"
