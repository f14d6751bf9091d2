"""Field reports: what went wrong in machines like this one, staged; and the table of all of them.

`tests/FIELD_REPORTS.md` names for every report the test that stages it, or why there is none.
"""

from __future__ import annotations

import ast
import logging
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pygame
import pytest

from display.view import Scene
from display.window import Window
from firmware.buttons import Button
from firmware.clock import FakeClock
from firmware.journal import Journal
from firmware.logs import BURST, PER_SECOND, Brake
from firmware.record import Kind
from firmware.rules import Barbudi
from firmware.rules.acts import Cover, Stake, Stop
from firmware.rules.barbudi import BarbudiRules
from firmware.rules.options import End
from tests.firmware.sitting import Sitting, reading
from vision.watch import State

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "tests" / "FIELD_REPORTS.md"
REPORTS = ROOT.parent / "shared" / "field-reports.md"


# --- the table -----------------------------------------------------------------------------------


def rows() -> dict[int, str]:
    """Number of the report -> the last column of its row."""
    found = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0].isdigit():
            assert len(cells) == 3, line
            assert int(cells[0]) not in found, line
            found[int(cells[0])] = cells[2]
    return found


@cache
def named_in(path: str) -> set[str]:
    tree = ast.parse((ROOT / "tests" / path).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_test_that_is_named_exists() -> None:
    for number, what in rows().items():
        named = re.findall(r"`([\w/]+\.py)::(\w+)`", what)
        assert named or what.startswith("Not staged: "), (
            f"report {number} has no test and no reason"
        )
        for path, name in named:
            assert name in named_in(path), f"report {number}: there is no {path}::{name}"


def test_every_report_has_its_row() -> None:
    if not REPORTS.exists():
        pytest.skip("the field reports are not beside this checkout")
    text = REPORTS.read_text(encoding="utf-8")
    assert set(rows()) == {int(number) for number in re.findall(r"(?m)^\| (\d+) \|", text)}


# --- 39: logs must not fill the card -------------------------------------------------------------


def lines_in(seconds: float, per_second: int) -> tuple[int, list[str]]:
    """Log in a loop; how many lines went in, and those that came out."""
    clock = FakeClock()
    brake = Brake(clock)
    out, count = [], round(seconds * per_second)
    for number in range(count):
        clock.advance(1 / per_second)
        record = logging.LogRecord("x", logging.ERROR, "", 0, "error %d", (number,), None)
        if brake.filter(record):
            out.append(record.getMessage())
    return count, out


def test_a_thousand_errors_a_second_do_not_fill_the_card() -> None:
    count, out = lines_in(60, 1000)
    assert len(out) <= BURST + 60 * PER_SECOND + 1
    told = sum(int(n) for line in out for n in re.findall(r"\((\d+) lines before", line))
    # Nothing disappears without being counted, but what came after the last line that went out.
    assert count - len(out) - told <= 1000 / PER_SECOND


def test_a_quiet_log_is_left_as_it_is() -> None:
    count, out = lines_in(3600, 1)
    assert len(out) < count  # an hour of a line a second is not quiet
    clock = FakeClock()
    brake = Brake(clock)
    for number in range(1000):
        clock.advance(1 / PER_SECOND)
        record = logging.LogRecord("x", logging.INFO, "", 0, "line %d", (number,), None)
        assert brake.filter(record)
        assert record.getMessage() == f"line {number}"


# --- 41: the clock of the wall may jump ----------------------------------------------------------


@pytest.mark.parametrize("jump", [-14 * 86_400, 3 * 3600])
def test_the_agreed_minutes_do_not_heed_the_clock_on_the_wall(jump: float) -> None:
    rules = BarbudiRules(end=End("minutes", 60))
    sitting = Sitting(Barbudi(("Kari", "Ola"), rules, chips=20, thrower="Kari"))
    sitting.clock.advance(59 * 60)
    sitting.clock.jump(jump)
    sitting.table.tick()
    assert list(sitting.table.game.acts) == []
    sitting.clock.advance(61)
    sitting.table.tick()
    sitting.table.tick()
    assert sitting.table.game.acts == (Stop("time"),)


# --- 45: alive but hung --------------------------------------------------------------------------


def test_only_the_main_loop_feeds_the_watchdog() -> None:
    """A thread or a timer that fed it would keep a hung table alive."""
    callers = []
    for path in sorted((ROOT / "firmware").rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                for node in ast.walk(function):
                    if isinstance(node, ast.Call) and ast.unparse(node.func) == "notify.watchdog":
                        callers.append((path.name, function.name))
    assert callers == [("app.py", "tick")]


# --- 57: a press in the same tick as the end -----------------------------------------------------


@pytest.mark.parametrize("button", list(Button))
def test_a_press_while_the_last_act_is_written_is_passed_over(button: Button) -> None:
    rules = BarbudiRules(end=End("rounds", 1))
    sitting = Sitting(Barbudi(("Kari", "Ola"), rules, chips=20, thrower="Kari"))
    sitting.robot.do(Stake("Ola", 5))
    sitting.robot.do(Cover("Kari", 5))
    sitting.lie(reading(6, 6))
    sitting.record.hold = True
    sitting.table.press(Button.CONFIRM)
    sitting.table.press(button)  # not on disk yet
    sitting.record.let_go()
    sitting.table.press(button)  # on disk, not settled yet
    sitting.table.tick()
    assert sitting.table.view().scene is Scene.RESULT
    over = sitting.table.done
    assert not over
    assert len(sitting.table.game.acts) == 3
    sitting.see(State.AT_REST, reading(1, 1))  # and a throw that comes too late counts for nothing
    sitting.record.let_go()
    sitting.table.press(Button.CONFIRM)
    assert sitting.table.done
    assert len(sitting.record.bodies(Kind.GAME_CLOSED)) == 1


# --- 12: memory ends -----------------------------------------------------------------------------

LEAKY = """
import resource, sys
from pathlib import Path
from firmware.clock import SystemClock
from firmware.journal import Journal

pages = int(Path("/proc/self/statm").read_text().split()[0])
limit = pages * resource.getpagesize() + 512 * 2**20
with Journal(Path(sys.argv[1]), SystemClock()) as journal:
    game = journal.start_game("barbut", {"players": ["a", "b"]}, {})
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    leak = []
    while True:
        done = len(leak)
        journal.act(game, {"op": "throw", "by": "a", "dice": [1, 1], "n": done}).result()
        print(done, flush=True)  # shown
        leak.append(bytearray(8 * 2**20))
"""


def test_a_table_whose_memory_ends_dies_and_the_open_game_goes_on(tmp_path: Path) -> None:
    """`MemoryMax=` of the unit kills it and systemd starts it again; here it ends by itself."""
    done = subprocess.run(
        [sys.executable, "-c", LEAKY, tmp_path], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0, "it must die, not hang: only then is it started again"
    assert "MemoryError" in done.stderr
    shown = len(done.stdout.split())
    assert shown > 10
    with Journal(tmp_path, FakeClock()) as journal:
        assert journal.recovery is None
        game = journal.open_game()
        assert game is not None
        assert [one.act["n"] for one in game.acts][:shown] == list(range(shown))
        assert len(game.acts) <= shown + 1


# --- 31: the screen goes dark --------------------------------------------------------------------


def test_no_screen_saver_is_let_in_while_the_table_has_a_window() -> None:
    with Window((800, 480), headless=True):
        assert not pygame.display.get_allow_screensaver()
