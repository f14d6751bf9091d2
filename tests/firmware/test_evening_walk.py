"""No dead ends: whatever is on the screen, the four buttons lead to everything else.

The walk presses lit buttons on mock pins until every button of every state has been tried, where a
state is what a person can tell apart: the game, the scene, and what the lit buttons do.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest

from display.view import Action, Scene, View
from display.window import Window
from firmware.app import Mode
from firmware.buttons import Button
from firmware.evening import Evening
from firmware.lobby import Lobby
from firmware.rules import GAMES, Balut, Barbudi, Barbut, BarbutBg
from firmware.rules.barbudi import BarbudiRules
from firmware.rules.barbut_bg import BarbutBgRules
from firmware.rules.options import End
from tests.firmware.world import World

PLAYERS = ("Kari", "Ola", "Per")
FULL = {
    "fours": (8, 8, 8, 8),
    "fives": (10, 10, 10, 10),
    "sixes": (12, 12, 12, 12),
    "straight": (15, 15, 15, 15),
    "house": (20, 20, 20, 20),
    "choice": (20, 20, 20, 20),
    "balut": (0, 0, 0),
}
"""A sheet that one more entry fills."""

BEGINNINGS: dict[str, Callable[[], object]] = {
    "lobby": lambda: None,
    "barbudi": lambda: Barbudi(PLAYERS, chips=6, thrower="Kari", rules=BarbudiRules(two_shot=True)),
    "barbudi to its end": lambda: Barbudi(
        PLAYERS, chips=3, rules=BarbudiRules(end=End("rounds", 1), start="host", vari=True)
    ),
    "barbut": lambda: Barbut(PLAYERS[:2], chips=3, thrower="Kari"),
    "barbut, who begins": lambda: Barbut(PLAYERS[:2], chips=3),
    "three dice": lambda: BarbutBg(
        PLAYERS[:2],
        turn="Kari",
        totals={"Kari": 5450},
        opened={"Kari": True},
        rules=BarbutBgRules(set_aside="choose"),
    ),
    "balut": lambda: Balut(("Kari",), order=("Kari",)),
    "balut, the last field": lambda: Balut(("Kari",), order=("Kari",), sheets={"Kari": FULL}),
}
"""Games near enough to everything that may happen in them."""

State = tuple[str, str, tuple[tuple[str, str], ...]]
Move = Button | str
"""A button, `grip` (back held down) or `throw` (dice into the tray)."""

EVENINGS = 12
"""So many times a walk begins anew before it gives up trying everything."""
PLAYED = 40
"""Moves that an evening begins with, before everything is tried."""
AGAIN = 6
"""So often a move is made that changes nothing one can see."""
BY_CAMERA = {Scene.THROW, Scene.CORRECT}
BY_POWER = {Scene.RESUME, Scene.FAULT}
BY_PIN = {Scene.SETTINGS}
"""Behind the operator's PIN, which a walk enters only by chance; the scripted evening does it."""
"""Scenes that no button brings: dice in the tray, the power going, a fault."""


KNOWN = {*(action.value for action in Action), *GAMES}


def state_of(view: View) -> State:
    hints = ((button.value, getattr(view.buttons, button.value)) for button in Button)
    lit = tuple((name, hint.action.value) for name, hint in hints if hint is not None)
    scene = view.scene.value
    if view.scene in (Scene.GAME, Scene.THROW) and view.options:
        scene += " menu"
    game = view.game if view.scene in (Scene.GAME, Scene.THROW, Scene.RESULT) else ""
    # Where the cursor is matters in a menu, not among names, letters or rules.
    if view.scene in (Scene.GAME, Scene.THROW, Scene.MENU) and view.cursor < len(view.options):
        option = view.options[view.cursor]
        scene += f" {option}" if option in KNOWN else ""
    return game, scene, lit


def scenes(states: Iterable[State]) -> set[str]:
    return {scene.split()[0] for _, scene, _ in states}


class Walk:
    """Tries every move of every state that it comes to."""

    def __init__(self) -> None:
        self.edges: dict[State, dict[Move, set[State]]] = defaultdict(lambda: defaultdict(set))
        self.made: Counter[tuple[State, Move]] = Counter()
        self.random = Random(1)

    @property
    def here(self) -> State:
        return state_of(self.world.app.view())

    def go(self, world: World, moves: int = 220) -> None:
        """Until the moves are used up; then another evening may follow."""
        self.world = world
        self.edges[self.here]
        for _ in range(PLAYED):
            # First play, for the end of a game is far away.
            moves = moves - 1
            can = self._moves(self.here)
            likely: list[Move] = [m for m in ("throw", Button.CONFIRM) if m in can]
            self._make(likely[0] if likely and self.random.random() < 0.8 else self._any(can))
        while moves > 0:
            route = self._to_something_new()
            if route is None or self.random.random() < 0.2:
                # What looks alike need not be alike: another way may lead where this one does not.
                route = [self._seldom(self._moves(self.here))]
            for move in route:
                moves -= 1
                if not self._make(move):
                    break

    def _any(self, moves: list[Move]) -> Move:
        return self.random.sample(moves, 1)[0]

    def _seldom(self, moves: list[Move]) -> Move:
        """One of those that were made least often here."""
        least = min(self.made[self.here, move] for move in moves)
        return self._any([move for move in moves if self.made[self.here, move] == least])

    def untried(self) -> list[tuple[State, Move]]:
        """Moves that were never made."""
        states = list(self.edges)
        return [(s, move) for s in states for move in self._moves(s) if not self._tried(s, move)]

    def stuck(self) -> list[State]:
        """States from which no button leads back to the start, whatever was tried."""
        unsure = {state for state, _ in self.untried()}
        return [
            state
            for state in list(self.edges)
            if Scene.ATTRACT not in scenes(found := self.reached(state)) and not unsure & found
        ]

    def _tried(self, state: State, move: Move) -> bool:
        """A move that leads nowhere is made again: digits are deleted one by one."""
        return self.made[state, move] >= (1 if self.edges[state][move] - {state} else AGAIN)

    def _make(self, move: Move) -> bool:
        """Make a move; whether it led where it led before."""
        before = self.here
        known = self.edges[before].get(move)
        if isinstance(move, Button):
            self.world.press(move)
        elif move == "grip":
            self.world.grip()
        else:
            self.world.robot.throw()
        after = self.here
        self.edges[before][move].add(after)
        self.made[before, move] += 1
        return known is not None and after in known

    def _moves(self, state: State) -> list[Move]:
        _, scene, lit = state
        moves: list[Move] = [Button(name) for name, _ in lit]
        if scene in ("game", "throw", "result"):
            moves.append("grip")
        if scene == "game" and self.here == state and self.world.app.mode.due:
            moves.append("throw")
        return moves

    def _to_something_new(self) -> list[Move] | None:
        """The shortest way to a move that was not tried; None when all were."""
        seen = {self.here}
        paths: list[tuple[State, list[Move]]] = [(self.here, [])]
        while paths:
            state, path = paths.pop(0)
            for move in self._moves(state):
                if not self._tried(state, move):
                    return [*path, move]
            for move, ends in self.edges[state].items():
                for end in ends - seen:
                    seen.add(end)
                    paths.append((end, [*path, move]))
        return None

    def reached(self, start: State, *, by_buttons: bool = True) -> set[State]:
        """Where the moves that were tried lead from a state."""
        seen, todo = {start}, [start]
        while todo:
            for move, ends in self.edges[todo.pop()].items():
                if by_buttons and move == "throw":
                    continue
                todo += ends - seen
                seen |= ends
        return seen


@pytest.fixture(scope="module")
def window() -> Iterator[Window]:
    with Window((800, 480), headless=True) as opened:
        yield opened


def begun(key: str) -> Callable[[Evening], Mode]:
    if key == "lobby":
        return Evening.first
    return lambda evening: evening.begin(BEGINNINGS[key]())  # type: ignore[arg-type]


def walked(window: Window, folders: Iterator[Path], *keys: str) -> Walk:
    """Evenings that begin in all these ways, over and over, until everything was tried."""
    walk = Walk()
    for key in keys * EVENINGS:
        with World(next(folders), window, begun(key), draws=False) as world:
            walk.go(world)
        if not missing(walk) and few_untried(walk):
            break
    return walk


def missing(walk: Walk) -> set[str]:
    """Scenes that no button was seen to lead to from the start."""
    starts = [state for state in walk.edges if scenes([state]) == {Scene.ATTRACT}]
    found = scenes(end for state in starts for end in walk.reached(state))
    return {scene.value for scene in set(Scene) - BY_CAMERA - BY_POWER - BY_PIN} - found


def few_untried(walk: Walk) -> bool:
    return len(walk.untried()) <= 0.2 * sum(map(len, walk.edges.values()))


@pytest.fixture(scope="module")
def walk(window: Window, tmp_path_factory: pytest.TempPathFactory) -> Walk:
    folders = (tmp_path_factory.mktemp("walk") for _ in count())
    return walked(window, folders, *BEGINNINGS)


def test_nearly_everything_was_tried(walk: Walk) -> None:
    assert len(walk.edges) > 90
    assert few_untried(walk)


def test_from_every_state_the_buttons_lead_back_to_the_start(walk: Walk) -> None:
    assert not walk.stuck()
    assert all(lit for _, _, lit in walk.edges), "a screen on which no button does anything"


def test_the_buttons_reach_every_scene_from_the_start(walk: Walk) -> None:
    assert missing(walk) == set()


def test_dice_in_the_tray_lead_to_the_throw_and_to_its_correction(walk: Walk) -> None:
    for game in GAMES:
        assert any(state[:2] == (game, "throw") for state in walk.edges), game
    assert {scene.value for scene in BY_CAMERA} <= scenes(walk.edges)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_comes_to_its_result(walk: Walk, game: str) -> None:
    assert any(state[:2] == (game, "result") for state in walk.edges)


def test_an_open_game_and_a_fault_lead_back_to_the_start(window: Window, tmp_path: Path) -> None:
    with World(tmp_path, window, begun("balut"), draws=False):
        pass  # the power goes
    with World(tmp_path, window, begun("lobby"), draws=False) as world:
        assert world.app.view().scene is Scene.RESUME
        world.press(Button.BACK)
        assert world.press(Button.CONFIRM).scene is Scene.ATTRACT
        world.journal.fault("chips", "the chips do not add up").result()
    with World(tmp_path, window, begun("lobby"), draws=False) as world:
        assert world.app.view().scene is Scene.FAULT
        for _ in "0000":
            view = world.press(Button.CONFIRM)
        assert view.scene is Scene.ATTRACT


def test_a_walk_finds_a_dead_end(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lobby whose house rules can not be left is found out."""
    real = Lobby.press

    def press(self: Lobby, button: Button, held: int = 0) -> None:
        if self.view().scene is not Scene.HOUSE_RULES or button is not Button.BACK:
            real(self, button, held)

    monkeypatch.setattr(Lobby, "press", press)
    with World(tmp_path, window, begun("lobby"), draws=False) as world:
        world.press(Button.CONFIRM)
        world.press(Button.CONFIRM)
        world.robot._pick_option(Action.HOUSE_RULES.value)
        world.press(Button.CONFIRM)
        walk = Walk()
        walk.go(world)
        assert scenes(walk.stuck()) == {Scene.HOUSE_RULES.value}
