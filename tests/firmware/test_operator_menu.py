"""The operator's menu stands behind his PIN, and a locked table can still be looked into."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest

from display import stage
from display.view import Action, Level, Notice, Scene, View
from firmware.buttons import Button
from firmware.clock import FakeClock
from firmware.evening import Evening
from firmware.health import Finding
from firmware.health import Level as Severity
from firmware.journal import Journal
from firmware.lobby import Lobby, Start
from firmware.lock import FaultLock, PinPad
from firmware.operator_menu import OperatorMenu
from firmware.pages import Pages
from firmware.rules.acts import Stake, Throw
from firmware.table import Table

PIN = "2580"
Menu = Table | Lobby | FaultLock


class Bench:
    """A table with an operator's menu."""

    def __init__(self, folder: Path, journal: Journal, clock: FakeClock) -> None:
        self.journal = journal
        self.heard = True
        self.report: Callable[[], str] = lambda: "report.zip"
        operator = OperatorMenu(
            PIN, journal=journal, report=lambda: self.report(), power_off=lambda: self.heard
        )
        pages = Pages(
            journal,
            lambda name: folder / name,
            lambda: [Finding("disk", Severity.OK, "12 GiB free.")],
            operator=operator,
        )
        self.evening = Evening(journal, clock, pages=pages, operator_pin=PIN)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    clock = FakeClock()
    with Journal(tmp_path, clock) as journal:
        yield Bench(tmp_path, journal, clock)


def choose(mode: Menu, key: str) -> None:
    for _ in range(30):
        view = mode.view()
        if view.options[view.cursor] == key:
            mode.press(Button.CONFIRM)
            return
        mode.press(Button.RIGHT)
    pytest.fail(f"no {key} in {mode.view().options}")


def type_pin(mode: Menu, pin: str) -> None:
    for digit in pin:
        while not mode.view().typed.rstrip("_").endswith(digit):
            mode.press(Button.RIGHT)
        mode.press(Button.CONFIRM)


def opened(mode: Menu) -> Menu:
    mode.menu()
    choose(mode, Action.OPERATOR.value)
    type_pin(mode, PIN)
    assert mode.view().scene in (Scene.MENU, Scene.GAME)
    return mode


def playing(bench: Bench) -> Table:
    table = bench.evening.first(Start("barbudi", ("Kari", "Ola")))
    assert isinstance(table, Table)
    return table


def test_a_wrong_pin_opens_nothing_and_shows_no_digit(bench: Bench) -> None:
    table = playing(bench)
    table.menu()
    choose(table, Action.OPERATOR.value)
    for _ in range(3):
        table.press(Button.CONFIRM)
    assert table.view().typed == "•••0"
    table.press(Button.CONFIRM)
    view = table.view()
    assert (view.scene, view.armed, view.typed) == (Scene.MESSAGE, True, "0___")
    table.press(Button.BACK)
    assert table.view().options  # the players' menu again


def test_back_takes_a_digit_away_before_it_leaves(bench: Bench) -> None:
    table = playing(bench)
    table.menu()
    choose(table, Action.OPERATOR.value)
    table.press(Button.CONFIRM)
    table.press(Button.BACK)
    assert table.view().typed == "0___"


def test_a_dispute_is_marked_and_settled_in_the_record(bench: Bench) -> None:
    table = opened(playing(bench))
    choose(table, Action.DISPUTE.value)
    notice = table.view().notice
    assert notice is not None
    assert notice.code == "in_dispute"
    assert bench.journal.disputed() == {1}
    assert bench.journal.games()[0].disputed
    for _ in range(3):
        table.press(Button.BACK)
    opened(table)
    choose(table, Action.SETTLE.value)
    assert bench.journal.disputed() == frozenset()


def test_without_a_game_there_is_nothing_to_dispute(bench: Bench) -> None:
    lobby = bench.evening.first()
    assert isinstance(lobby, Lobby)
    options = opened(lobby).view().options
    assert options == (
        Action.HISTORY.value,
        Action.STATISTICS.value,
        Action.HEALTH.value,
        Action.REPORT.value,
        Action.SHUT_DOWN.value,
    )


@pytest.mark.parametrize(("heard", "code"), [(True, "shutting_down"), (False, "no_power_off")])
def test_switching_off_says_whether_anybody_heard_it(bench: Bench, heard: bool, code: str) -> None:
    bench.heard = heard
    table = opened(playing(bench))
    choose(table, Action.SHUT_DOWN.value)
    notice = table.view().notice
    assert notice is not None
    assert notice.code == code


def test_a_report_that_can_not_be_written_is_said(bench: Bench) -> None:
    table = opened(playing(bench))
    choose(table, Action.REPORT.value)
    assert table.view().notice == Notice("saved", Level.GOOD, text="report.zip")
    table.press(Button.BACK)

    def full() -> str:
        raise OSError("no space left on the card")

    bench.report = full
    choose(table, Action.REPORT.value)
    notice = table.view().notice
    assert notice is not None
    assert "no space left" in notice.text


def test_a_locked_table_can_be_looked_into_but_not_played(bench: Bench) -> None:
    playing(bench)
    bench.journal.fault("chips", "the chips do not add up", 1).result()
    lock = bench.evening.first()
    assert isinstance(lock, FaultLock)
    assert lock.view().buttons.back is not None
    lock.press(Button.BACK)
    choose(lock, Action.HISTORY.value)
    assert lock.view().scene is Scene.HISTORY
    lock.press(Button.CONFIRM)
    assert lock.view().scene is Scene.RECALL
    for _ in range(3):
        lock.press(Button.BACK)
    assert lock.view().scene is Scene.FAULT
    lock.menu()
    choose(lock, Action.HEALTH.value)
    assert lock.view().scene is Scene.HEALTH
    for _ in range(2):
        lock.press(Button.BACK)
    assert (lock.due, lock.done) == (0, False)
    type_pin(lock, PIN)
    assert lock.done
    assert isinstance(bench.evening.after(lock), Lobby)


@pytest.mark.parametrize("size", [(800, 480), (600, 1024)])
@pytest.mark.parametrize("scene", [Scene.FAULT, Scene.MESSAGE])
def test_the_screen_shows_how_far_the_pin_is(scene: Scene, size: tuple[int, int]) -> None:
    """Every change of the pad is another picture, and no digit that was taken is in it."""
    pygame.font.init()
    pad = PinPad("1234")
    pictures = []
    for button in (None, Button.RIGHT, Button.CONFIRM, *[Button.CONFIRM] * 3):
        if button is not None:
            pad.press(button)
        surface = pygame.Surface(size)
        view = View(scene, pad.buttons(None), notice=Notice("locked"), **pad.show())
        stage.draw(surface, view, 0.0)
        pictures.append(pygame.image.tobytes(surface, "RGB"))
    assert pad.wrong
    assert len(set(pictures)) == len(pictures)
    first, second = PinPad("1234"), PinPad("1234")
    for digit, one in ((3, first), (7, second)):
        for _ in range(digit):
            one.press(Button.RIGHT)
        one.press(Button.CONFIRM)
        for _ in range(10 - digit):
            one.press(Button.RIGHT)
    assert first.show() == second.show()


def test_chips_that_do_not_add_up_lock_the_open_game_until_the_operator_has_seen_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = playing(bench)
    for act in (Throw("Kari", (6,)), Throw("Ola", (1,)), Stake("Ola", 5)):
        table.ledger.send(act, {})
        while table.ledger.saving:
            table.tick()
    assert isinstance(bench.evening.first(), Lobby)
    monkeypatch.setattr("firmware.evening.chips", lambda state: 99 + bool(state.get("escrow")))
    lock = bench.evening.first()
    assert isinstance(lock, FaultLock)
    notice = lock.view().notice
    assert notice is not None
    assert notice.code == "chips"
    assert notice.text == "In game 1 there were 99 and 100 chips on the table at different times."
    type_pin(lock, PIN)
    assert isinstance(bench.evening.after(lock), Lobby)
