"""One sitting after the other, on a real record: nothing is lost when the power goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from display.view import Scene
from firmware.buttons import Button
from firmware.clock import FakeClock
from firmware.evening import Evening
from firmware.journal import Journal
from firmware.lobby import Lobby, Start
from firmware.lock import FaultLock
from firmware.rules.acts import Cover, Stake, Throw
from firmware.soak_disk import Disk
from firmware.table import Table

Open = Callable[[], tuple[Journal, Evening]]
WISH = Start("barbudi", ("Kari", "Ola", "Per"))


@pytest.fixture
def switch_on(tmp_path: Path) -> Iterator[Open]:
    """Power on: the record in the same folder, opened anew each time."""
    journals: list[Journal] = []

    def start() -> tuple[Journal, Evening]:
        for journal in journals:
            journal.close()
        clock = FakeClock()
        journal = Journal(tmp_path, clock)
        journals.append(journal)
        rules = {"barbudi": {"starting_chips": 30, "end": {"mode": "rounds", "rounds": 1}}}
        return journal, Evening(journal, clock, house_rules=rules)

    yield start
    for journal in journals:
        journal.close()


def play(table: Table, *acts: object) -> None:
    for act in acts:
        table.ledger.send(act, {"played": 70})  # type: ignore[arg-type]
        while table.ledger.saving:
            table.tick()


def begun(evening: Evening) -> Table:
    table = evening.first(WISH)
    assert isinstance(table, Table)
    for who, face in (("Kari", 6), ("Ola", 2), ("Per", 1)):
        play(table, Throw(who, (face,)))
    return table


def test_the_house_rules_come_from_the_configuration(switch_on: Open) -> None:
    _, evening = switch_on()
    table = begun(evening)
    assert dict(table.game.state.chips.stacks) == {"Kari": 30, "Ola": 30, "Per": 30}


def test_the_game_goes_on_exactly_where_it_stood(switch_on: Open) -> None:
    _, evening = switch_on()
    table = begun(evening)
    play(table, Stake("Ola", 5), Cover("Kari", 5), Throw("Kari", (6, 4)))
    before = table.game.state

    _, evening = switch_on()
    lobby = evening.first(WISH)
    assert isinstance(lobby, Lobby)
    assert lobby.view().scene is Scene.RESUME
    assert lobby.view().state == before
    lobby.press(Button.CONFIRM)
    resumed = evening.after(lobby)
    assert isinstance(resumed, Table)
    assert resumed.resumed
    assert resumed.game.state == before
    assert resumed.game.acts == table.game.acts
    play(resumed, Throw("Ola", (6, 6)))
    assert resumed.game.state.winner == "Ola"


def test_a_game_that_is_given_up_is_not_offered_again(switch_on: Open) -> None:
    journal, evening = switch_on()
    begun(evening)
    journal, evening = switch_on()
    lobby = evening.first()
    lobby.press(Button.BACK)
    lobby.press(Button.CONFIRM)
    assert lobby.view().scene is Scene.ATTRACT
    assert journal.open_game() is None
    _, evening = switch_on()
    assert evening.first().view().scene is Scene.ATTRACT


def test_after_the_result_the_lobby_knows_the_names(switch_on: Open) -> None:
    _, evening = switch_on()
    table = begun(evening)
    play(table, Stake("Ola", 5), Cover("Kari", 5), Throw("Kari", (6, 6)))
    assert table.view().scene is Scene.RESULT
    table.press(Button.CONFIRM)
    assert table.done
    lobby = evening.after(table)
    assert isinstance(lobby, Lobby)
    assert lobby.names == ["Kari", "Ola", "Per"]
    # The next game is near, for the same people.
    assert lobby.view().scene is Scene.CHOOSE_GAME
    lobby.press(Button.CONFIRM)
    assert lobby.view().seats == ("Kari", "Ola", "Per")


def test_house_rules_chosen_for_a_game_are_kept_with_it_and_offered_again(
    switch_on: Open,
) -> None:
    journal, evening = switch_on()
    table = evening.after(_started(replace(WISH, rules={"starting_chips": 7})))
    assert isinstance(table, Table)
    assert set(table.game.state.chips.stacks.values()) == {7}
    recorded = journal.open_game()
    assert recorded is not None
    assert recorded.start["config"] == {"starting_chips": 7}
    journal.close_game(recorded.id, {"reason": "abandoned"}).result()
    again = evening.after(_started(WISH))
    assert isinstance(again, Table)
    assert set(again.game.state.chips.stacks.values()) == {7}


def _started(start: Start) -> Lobby:
    lobby = Lobby()
    lobby.start = start
    return lobby


def test_the_last_throw_is_shown_while_nobody_plays(switch_on: Open) -> None:
    _, evening = switch_on()
    table = begun(evening)
    play(table, Stake("Ola", 5), Cover("Kari", 5), Throw("Kari", (6, 5)))
    table.done = True
    lobby = evening.after(table)
    assert isinstance(lobby, Lobby)
    lobby.press(Button.BACK)
    view = lobby.view()
    assert view.scene is Scene.ATTRACT
    assert (view.seats, view.entry) == (("Kari",), (6, 5))


def type_pin(lock: FaultLock, pin: str) -> None:
    for digit in pin:
        while not lock.view().typed.rstrip("_").endswith(digit):
            lock.press(Button.RIGHT)
        lock.press(Button.CONFIRM)


def test_a_fault_locks_the_table_over_power_cycles_until_the_pin_clears_it(
    switch_on: Open,
) -> None:
    journal, _ = switch_on()
    journal.fault("chips", "the chips do not add up").result()
    for _ in range(2):
        _, evening = switch_on()
        lock = evening.first(WISH)
        assert isinstance(lock, FaultLock)
        view = lock.view()
        assert view.scene is Scene.FAULT
        assert view.notice is not None
        assert "do not add up" in view.notice.text
        type_pin(lock, "1234")
        assert lock.view().armed
        assert not lock.done
    type_pin(lock, "0000")
    assert lock.done
    assert isinstance(evening.after(lock), Table)
    journal, _ = switch_on()
    assert not journal.open_faults()


def test_a_game_begun_under_other_rules_asks_the_operator_once(
    switch_on: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, evening = switch_on()
    begun(evening)
    monkeypatch.setattr("firmware.evening.rules_fingerprint", lambda: "f" * 64)
    _, evening = switch_on()
    lock = evening.first()
    assert isinstance(lock, FaultLock)
    type_pin(lock, "0000")
    assert isinstance(evening.after(lock), Lobby)
    _, evening = switch_on()
    assert isinstance(evening.first(), Lobby)


def test_a_record_that_could_not_be_written_locks_over_a_power_cycle(tmp_path: Path) -> None:
    """The plug is pulled while the disk is full; the next start asks for the PIN."""
    disk, clock = Disk(), FakeClock()
    with Journal(tmp_path, clock, connect=disk.connect) as journal:
        table = begun(Evening(journal, clock))
        disk.fill("COMMIT")
        table.ledger.send(Stake("Ola", 5), {})
        while table.ledger.saving:
            table.tick()
        assert table.view().scene is Scene.FAULT
    for _ in range(2):
        with Journal(tmp_path, clock) as journal:
            evening = Evening(journal, clock)
            lock = evening.first()
            assert isinstance(lock, FaultLock)
            notice = lock.view().notice
            assert notice is not None
            assert "disk is full" in notice.text
            assert len(journal.open_faults()) == 1
    with Journal(tmp_path, clock) as journal:
        evening = Evening(journal, clock)
        lock = evening.first()
        type_pin(lock, "0000")
        lobby = evening.after(lock)
        assert isinstance(lobby, Lobby)
        assert lobby.view().scene is Scene.RESUME
    with Journal(tmp_path, clock) as journal:
        assert not journal.open_faults()


def test_once_it_can_be_written_the_operator_clears_it_and_the_game_goes_on(
    tmp_path: Path,
) -> None:
    disk, clock = Disk(), FakeClock()
    with Journal(tmp_path, clock, connect=disk.connect) as journal:
        evening = Evening(journal, clock)
        table = begun(evening)
        before = table.game.state
        disk.fill("COMMIT")
        table.ledger.send(Stake("Ola", 5), {})
        while table.ledger.saving:
            table.tick()
        table.press(Button.CONFIRM)
        assert table.view().scene is Scene.FAULT
        disk.free()
        table.press(Button.CONFIRM)
        table.tick()
        lock = evening.after(table)
        assert isinstance(lock, FaultLock)
        type_pin(lock, "0000")
        lobby = evening.after(lock)
        assert isinstance(lobby, Lobby)
        lobby.press(Button.CONFIRM)
        resumed = evening.after(lobby)
        assert isinstance(resumed, Table)
        assert resumed.game.state == before
        play(resumed, Stake("Ola", 5))
