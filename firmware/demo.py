"""The demo: four games played by a robot on mock pins, with recorded throws before the camera.

Everything from the camera's frames to the screen is the real path; only the clock is faked, so
that nobody waits, unless there is a window to look at.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin

from display.view import View, Watch
from display.window import Window
from display.words import Words
from firmware.app import App, Mode
from firmware.calibrated import make_watcher
from firmware.clock import FakeClock
from firmware.config import DiceOptions, PanelOptions
from firmware.evening import Evening
from firmware.eye import InlineEye
from firmware.journal import Journal
from firmware.lobby import Lobby
from firmware.panel import GpioPanel, MockFingers
from firmware.robot import Intention, Robot
from firmware.rules import Balut, Barbudi, Barbut, BarbutBg
from firmware.rules.acts import Bank, Cover, Enter, SideBet, Stake, Vari, Wager
from firmware.rules.balut import BalutState
from firmware.rules.balut_sheet import count
from firmware.rules.barbut_bg import BarbutBgState
from firmware.rules.game import Game
from firmware.table import Table
from vision.cameras.recording import RecordingCamera
from vision.reading import Problem
from vision.recording import Recording, RecordingError, load_recordings

SIZE = (1024, 600)
FRAME = 1 / 15
"""Seconds of the table's time in one turn of the loop."""


class DemoError(Exception):
    """The demo can not be played; one sentence."""


@dataclass(frozen=True, slots=True)
class Throw:
    """A recorded throw, by its name in the recordings; `keep` is for Balut."""

    recording: str
    keep: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Sitting:
    """One game of the evening: who plays what, and what they do."""

    title: str
    game: Callable[[], Game[Any]]
    steps: tuple[Throw | Intention, ...]


EVENING = (
    Sitting(
        "Barbudi, four players, 20 chips each",
        lambda: Barbudi(("Kari", "Ola", "Per", "Liv"), chips=20, thrower="Kari"),
        (
            Stake("Ola", 5),
            Cover("Kari", 3),
            Cover("Per", 2),
            SideBet("Liv", "Per", 4),
            Throw("wood_20023_04_good"),
            Throw("01034_plain"),
            Throw("01012_plain"),
            Stake("Per", 8),
            Cover("Ola", 8),
            Throw("asian_white_20020_02_good"),
        ),
    ),
    Sitting(
        "Barbut with Vari, two players",
        lambda: Barbut(("Ana", "Boris"), chips=20, thrower="Ana"),
        (
            Wager(6),
            Throw("blue_trans_20004_00_good"),
            Vari("Boris"),
            Throw("black_white_20007_03_good"),
        ),
    ),
    Sitting(
        "Барбут with three dice",
        lambda: BarbutBg(("Ana", "Boris", "Vera"), turn="Ana"),
        (
            Throw("white_black_20000_00_good"),
            Bank("Ana"),
            Throw("asian_black4_20022_00_good"),
        ),
    ),
    Sitting(
        "Balut, two players",
        lambda: Balut(("Eva", "Nils"), order=("Eva", "Nils")),
        (
            Throw("pink_white_20013_03_good"),
            Throw("orange_black_20011_05_good", keep=(6, 6)),
            Throw("asian_white_20020_00_normal", keep=(6, 6, 6)),
            Enter("Eva", "sixes"),
            Throw("green_white_20009_00_good"),
            Throw("red_white_20002_04_good"),
            Enter("Nils", "house"),
            Throw("01022_plain"),
            Enter("Eva", "choice"),
        ),
    ),
)


@dataclass
class Summary:
    """What came of the evening."""

    throws: int = 0
    by_hand: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    acts: int = 0
    presses: int = 0
    pictures: list[Path] = field(default_factory=list)
    record: str = ""

    def __str__(self) -> str:
        reasons = ", ".join(f"{count} {why}" for why, count in self.refused.items())
        refused = f", {sum(self.refused.values())} not read ({reasons})" if reasons else ""
        entered = f", {self.by_hand} entered by hand" if self.by_hand else ""
        return "\n".join(
            (
                "",
                f"Read {self.throws} throws{refused}{entered}; judged {self.acts} acts after "
                f"{self.presses} button presses.",
                self.record,
                f"{len(self.pictures)} screenshots in {self.pictures[0].parent}/"
                if self.pictures
                else "",
            )
        )


def play_evening(*, recordings: Path, state: Path, out: Path, headless: bool) -> Summary:
    """Play all sittings and tell them on stdout.

    Raises:
        DemoError: the recordings are not there.
        RobotError: the table did not do what the story expects.
    """
    by_name = _recordings(recordings)
    summary = Summary()
    with ExitStack() as stack:
        window = stack.enter_context(Window(SIZE, headless=headless))
        if not window.visible:
            print(f"There is no screen here; the screens are written to {out}/ as PNG.")
        clock = FakeClock()
        journal = stack.enter_context(Journal(state, clock))
        for sitting in EVENING:
            _play(sitting, by_name, window, clock, journal, out, summary)
        journal.flush()
        broken = journal.verify()
        if broken is not None:
            raise DemoError(f"the record does not hold: {broken.reason}")
        events = len(journal.events())
        summary.record = f"The record holds {events} events in one unbroken chain."
    return summary


def _recordings(folder: Path) -> dict[str, Recording]:
    try:
        return {Path(one.name).stem: one for one in load_recordings(folder)}
    except RecordingError as error:
        raise DemoError(f"no recorded throws to play: {error}") from error


def _play(
    sitting: Sitting,
    by_name: dict[str, Recording],
    window: Window,
    clock: FakeClock,
    journal: Journal,
    out: Path,
    summary: Summary,
) -> None:
    """One sitting: the robot does the steps, the teller tells what came of them."""
    missing = [s.recording for s in sitting.steps if isinstance(s, Throw)]
    missing = [name for name in missing if name not in by_name]
    if missing:
        raise DemoError(f"the recorded throw {missing[0]} is missing")
    print(f"\n== {sitting.title}")
    throws = [by_name[step.recording] for step in sitting.steps if isinstance(step, Throw)]
    evening = Evening(journal, clock)
    with ExitStack() as stack:
        camera = stack.enter_context(RecordingCamera(throws, hold=True, clock=clock, paced=False))
        panel = stack.enter_context(
            GpioPanel(PanelOptions(), clock, MockFactory(pin_class=MockPWMPin))
        )
        table = evening.begin(sitting.game())
        app = App(
            panel=panel,
            eye=InlineEye(camera, make_watcher(camera, DiceOptions().edge_mm)),
            window=window,
            clock=clock,
            mode=table,
            after=_no_more,
            pictures=out,
        )
        teller = Teller(table, app, summary)
        fingers = MockFingers(panel)
        robot = Robot(fingers, app.view, lambda: teller.tick(window.visible, clock), app.throw)
        robot.wait(lambda view: clock.monotonic() > 1, "the buttons to settle")
        for step in sitting.steps:
            _do(step, robot, teller, by_name)
        robot.wait(lambda view: view.progress is None, "the disk")
        summary.presses += robot.presses
        summary.pictures.append(app.screenshot(table.game.key))
        if table.game.outcome() is None:
            journal.close_game(table.ledger.game_id, {"reason": "abandoned"}).result()


def _no_more(mode: Mode) -> Lobby:
    return Lobby()


def _do(
    step: Throw | Intention, robot: Robot, teller: Teller, by_name: dict[str, Recording]
) -> None:
    if not isinstance(step, Throw):
        robot.do(step)
        return
    if step.keep:
        robot.keep(step.keep)
    values = by_name[step.recording].truth.values
    with teller.waiting():
        view = robot.throw()
    teller.reading(view)
    if view.buttons.confirm is not None:
        robot.confirm()
    elif values:
        # The die is there for people to see: they enter it, and the record says so.
        robot.enter(values)
        teller.by_hand(values)


class Teller:
    """Tells the evening in plain words as it happens."""

    def __init__(self, table: Table, app: App, summary: Summary) -> None:
        self._table = table
        self._app = app
        self._summary = summary
        self._words = Words("en")
        self._told = 0
        self._bar: str | None = None

    def tick(self, visible: bool, clock: FakeClock) -> None:
        """One turn of the main loop, at the pace of a person where there is a window."""
        begun = time.monotonic()
        self._app.tick()
        clock.advance(FRAME)
        self._tell()
        self._draw_bar()
        if visible:
            time.sleep(max(0.0, FRAME - (time.monotonic() - begun)))

    def _tell(self) -> None:
        game = self._table.game
        if len(game.acts) <= self._told:
            return
        self._told = len(game.acts)
        self._summary.acts += 1
        self._clear_bar()
        story = self._words.story(game.state.events)
        if story:
            print(f"  {story}")
        standing = standing_of(game)
        if standing:
            print(f"      {standing}", flush=True)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """A progress bar while the dice roll and are read, where stdout is a terminal."""
        self._bar = "" if sys.stdout.isatty() else None
        try:
            yield
        finally:
            self._clear_bar()
            self._bar = None

    def _draw_bar(self) -> None:
        if self._bar is None:
            return
        self._bar += "■"
        watch = self._app.view().watch
        what = {Watch.MOVING: "the dice roll", Watch.REST: "reading"}.get(watch, "waiting")
        print(f"\r  {self._bar:<30} {what}   ", end="", flush=True)

    def _clear_bar(self) -> None:
        if self._bar:
            print("\r" + " " * 60 + "\r", end="", flush=True)

    def reading(self, view: View) -> None:
        """What the camera saw."""
        reading = view.reading
        if reading is None:
            self._summary.refused[Problem.NO_DICE.value] += 1
            print(f"  Not read: {self._words.problem(Problem.NO_DICE)}", flush=True)
            return
        if reading.values is not None:
            self._summary.throws += 1
            return
        for problem in reading.problems:
            self._summary.refused[problem.value] += 1
            print(f"  Not read: {self._words.problem(problem)}", flush=True)

    def by_hand(self, values: tuple[int, ...]) -> None:
        """Dice were entered by hand."""
        self._summary.by_hand += 1
        print(f"      (entered by hand: {'-'.join(map(str, values))})", flush=True)


def standing_of(game: Game[Any]) -> str:
    """Pot and stacks, totals or sheets, in a line."""
    state = game.state
    if isinstance(state, BalutState):
        sums = {who: count(sheet).dice_sum for who, sheet in state.sheets.items()}
        return "dice sums: " + ", ".join(f"{who} {value}" for who, value in sums.items())
    if isinstance(state, BarbutBgState):
        turn = f"turn {state.turn_points}; " if state.turn_points else ""
        return turn + "totals: " + ", ".join(f"{who} {n}" for who, n in state.totals.items())
    stacks = ", ".join(f"{who} {chips}" for who, chips in state.chips.stacks.items())
    pot = getattr(state, "pot", 0)
    return (f"pot {pot}; " if pot else "") + f"chips: {stacks}"
