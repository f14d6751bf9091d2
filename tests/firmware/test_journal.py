"""The record: what is appended comes back, in order, chained, and resumable."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.clock import FakeClock
from firmware.journal import FILE_NAME, Journal, JournalReader
from firmware.record import Entry, Event, Kind, check_chain, fold
from firmware.statedir import InUseError, NoRecordError
from firmware.store import Store, connect_for_writing

START = {"players": ["Kari", "Ola"], "config": {}, "chips": {"Kari": 20, "Ola": 20}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state"


def throw(number: int) -> dict[str, object]:
    return {"op": "throw", "by": "Kari", "dice": [number % 6 + 1, 3]}


def test_a_game_is_resumed_where_it_stood(folder: Path) -> None:
    with Journal(folder, FakeClock()) as journal:
        game = journal.start_game("barbudi", START, {"version": "1"})
        for number in range(5):
            journal.act(game, throw(number), by="panel", picture=f"{number}.jpg")
        journal.take_back(game, by="Ola").result()
    with Journal(folder, FakeClock()) as journal:
        found = journal.open_game()
        assert found is not None
        assert (found.id, found.game, found.start, found.code) == (
            game,
            "barbudi",
            START,
            {"version": "1"},
        )
        assert [one.act for one in found.acts] == [throw(number) for number in range(4)]
        assert found.acts[2].extra == {"by": "panel", "picture": "2.jpg"}
        assert found.transcript() == {
            **START,
            "game": "barbudi",
            "steps": [throw(number) for number in range(4)],
        }
        power_on = journal.events()[-1]
        assert (power_on.kind, power_on.body["open_game"]) == ("power_on", game)


def test_a_closed_game_is_not_resumed_until_its_end_is_taken_back(folder: Path) -> None:
    with Journal(folder, FakeClock()) as journal:
        game = journal.start_game("barbut", START, {})
        journal.act(game, throw(1))
        journal.close_game(game, {"winners": ["Kari"]}).result()
        assert journal.open_game() is None
        closed = journal.game(game)
        assert closed is not None
        assert closed.outcome == {"winners": ["Kari"]}
        journal.take_back(game).result()
        again = journal.open_game()
        assert again is not None
        assert (again.acts, again.outcome, again.taken_back) == ((), None, 1)


def test_one_game_at_a_time(folder: Path) -> None:
    with Journal(folder, FakeClock()) as journal:
        game = journal.start_game("barbut", START, {})
        with pytest.raises(ValueError, match="game 1 is still open"):
            journal.start_game("balut", START, {})
        journal.close_game(game, {})
        assert journal.start_game("balut", START, {}) == 2


def test_games_are_listed_newest_first(folder: Path) -> None:
    with Journal(folder, FakeClock()) as journal:
        for number in range(12):
            game = journal.start_game("barbut", START, {})
            journal.act(game, throw(number))
            journal.close_game(game, {"n": number})
        assert [game.id for game in journal.games()] == list(range(12, 2, -1))
        assert [game.id for game in journal.games(limit=None)] == list(range(12, 0, -1))


def test_corrections_stay_with_their_act(folder: Path) -> None:
    with Journal(folder, FakeClock()) as journal:
        game = journal.start_game("barbut", START, {})
        before = {"read": [6, 5], "corrected": [6, 6], "by": "Ola"}
        journal.append_all([(Kind.CORRECTION, before), (Kind.ACT, {"act": throw(1)})], game)
        after = {"read": [2, 3], "corrected": [5, 3], "by": "operator", "act": throw(4)}
        journal.append(Kind.CORRECTION, after, game).result()
        found = journal.game(game)
        assert found is not None
        assert found.acts[0].act == throw(4)
        assert found.acts[0].corrections == (before, after)


def test_faults_survive_a_power_cycle_until_cleared(folder: Path) -> None:
    with Journal(folder, FakeClock()) as journal:
        first = journal.fault("chips", "39 instead of 40").result()
        second = journal.fault("io_error", "card").result()
        journal.clear_fault(first, by="operator").result()
    with Journal(folder, FakeClock()) as journal:
        assert [(one.seq, one.body["code"]) for one in journal.open_faults()] == [
            (second, "io_error")
        ]


def test_disputes_are_known(folder: Path) -> None:
    with Journal(folder, FakeClock()) as journal:
        for number, standing in enumerate((True, True, False), 1):
            journal.append(Kind.NOTE, {"dispute": standing}, number).result()
        journal.append(Kind.NOTE, {"dispute": False}, 1).result()
        assert journal.disputed() == {2}


def test_times_come_from_both_clocks_and_order_from_neither(folder: Path) -> None:
    clock = FakeClock(monotonic=5.0, wall=1_800_000_000.0)
    with Journal(folder, clock, boot="b1") as journal:
        clock.advance(1.5)
        journal.append(Kind.NOTE, {}).result()
        clock.jump(-14 * 86400)
        journal.append(Kind.NOTE, {}).result()
        events = journal.events()
    assert [(one.seq, one.uptime, one.at, one.boot) for one in events] == [
        (1, 5000, 1_800_000_000_000, "b1"),
        (2, 6500, 1_800_000_001_500, "b1"),
        (3, 6500, 1_800_000_001_500 - 14 * 86_400_000, "b1"),
    ]


def test_a_clock_that_was_never_set_is_marked(folder: Path) -> None:
    for wall, is_set in ((100.0, False), (1_800_000_000.0, True)):
        with Journal(folder, FakeClock(wall=wall)) as journal:
            assert journal.events()[-1].body["clock_set"] is is_set


def test_the_second_table_is_refused_in_plain_words(folder: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from firmware.journal import Journal\n"
        "from firmware.clock import SystemClock\n"
        "try: Journal(Path(sys.argv[1]), SystemClock())\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    with Journal(folder, FakeClock()) as journal:
        out = subprocess.run(
            [sys.executable, "-c", code, folder], capture_output=True, text=True, check=True
        ).stdout
        assert out.startswith("InUseError a dice table is running already (process ")
        assert f"process {os.getpid()} " in out
        with pytest.raises(InUseError) as refused:
            Journal(folder, FakeClock())
        assert refused.value.pid == os.getpid()
        journal.append(Kind.NOTE, {}).result()
    Journal(folder, FakeClock()).close()


def test_a_reader_works_beside_the_table_and_cannot_write(folder: Path) -> None:
    with pytest.raises(NoRecordError):
        JournalReader(folder)
    with Journal(folder, FakeClock()) as journal:
        game = journal.start_game("barbut", START, {})
        journal.act(game, throw(1)).result()
        with JournalReader(folder) as reader:
            assert reader.open_game() == journal.open_game()
            journal.act(game, throw(2)).result()
            assert len(reader.events()) == 4
            with pytest.raises(sqlite3.OperationalError, match="readonly"):
                reader._store._sql("CREATE TABLE x (y)")


def test_a_body_that_is_not_json_is_refused_at_once(folder: Path) -> None:
    with Journal(folder, FakeClock()) as journal:
        for body in ({"x": float("nan")}, {"x": object()}, {"x": "\ud800"}):
            with pytest.raises(ValueError, match="not fit for the record"):
                journal.append(Kind.NOTE, body)
        journal.append(Kind.NOTE, {"x": "Жоро, Kåre, 👍"}).result()
        assert journal.verify() is None


def test_the_table_can_not_be_changed_by_accident(folder: Path) -> None:
    with Journal(folder, FakeClock()):
        pass
    with sqlite3.connect(folder / FILE_NAME) as connection:
        for sql in ("UPDATE event SET at = 0", "DELETE FROM event"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(sql)


@pytest.mark.parametrize("column", ["game_id", "at", "uptime", "boot", "kind", "body", "prev_hash"])
def test_verify_names_the_first_event_that_was_changed(folder: Path, column: str) -> None:
    with Journal(folder, FakeClock()) as journal:
        for _ in range(6):
            journal.append(Kind.NOTE, {"text": "x"}).result()
    value = {"body": '{"text":"y"}', "kind": "act", "boot": "z", "prev_hash": "0" * 64}
    with sqlite3.connect(folder / FILE_NAME) as connection:
        connection.execute("DROP TRIGGER event_stays")
        connection.execute(
            f"UPDATE event SET {column} = ? WHERE seq IN (4, 6)", (value.get(column, 77),)
        )
    with JournalReader(folder) as reader:
        broken = reader.verify()
        assert broken is not None
        assert broken.seq == 4


def test_verify_sees_missing_and_exchanged_events(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.db", connect_for_writing(tmp_path / "x.db"))
    store.prepare()
    events = store.append(Entry(Kind.NOTE, {"n": n}, None, 0, 0, "b") for n in range(5))
    assert check_chain(events) is None
    for missing in range(4):
        broken = check_chain(events[:missing] + events[missing + 1 :])
        assert broken is not None
        assert broken.seq == missing + 1
    again = check_chain([*events[:2], events[3], events[2], events[4]])
    assert again is not None
    assert again.seq == 3


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abæЖ", max_size=3), inner),
    max_leaves=8,
)  # fmt: skip


@given(st.dictionaries(st.text("abæЖ", max_size=3), json_values, max_size=4))
def test_any_json_survives_the_chain(body: dict[str, object]) -> None:
    store = Store(Path(":memory:"), connect_for_writing(Path(":memory:")))
    store.prepare()
    written = store.append([Entry(Kind.NOTE, body, 1, 2, 3, "b")])
    assert list(store.events()) == written
    assert written[0].body == json.loads(json.dumps(body))
    assert check_chain(written) is None
    store.close()


@given(st.lists(st.sampled_from(["act", "take_back", "close", "fix"]), max_size=30))
def test_the_fold_is_a_stack(ops: list[str]) -> None:
    stack: list[int] = []
    closed = False
    events = [Event(1, 1, 0, 0, "b", "game_open", {"game": "x", "start": {}}, "", "")]
    for seq, op in enumerate(ops, 2):
        match op:
            case "act":
                stack.append(seq)
                kind, body = "act", {"act": {"n": seq}}
            case "take_back":
                del stack[-1:]
                closed = False
                kind, body = "take_back", {}
            case "close":
                closed = True
                kind, body = "game_closed", {"outcome": {}}
            case _:
                stack[-1:] = [seq] if stack else []
                kind, body = "correction", {"act": {"n": seq}}
        events.append(Event(seq, 1, 0, 0, "b", kind, dict(body), "", ""))
    (game,) = fold(events)
    assert [one.act["n"] for one in game.acts] == stack
    assert game.closed is closed
    assert game.last_seq == len(events)
