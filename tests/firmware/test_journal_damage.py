"""A damaged record is found at start, kept aside, rebuilt as far as possible, and says so."""

import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware import archive, recovery
from firmware.clock import FakeClock
from firmware.journal import FILE_NAME, Journal, JournalReader
from firmware.record import Event, Kind, check_chain, fold
from firmware.statedir import DamagedError

GAMES = 3
ACTS = 12
PAGE = 4096


def play(journal: Journal, closed: bool = True) -> int:
    number = journal.start_game("barbut", {"players": ["Kari", "Åse"]}, {})
    for turn in range(ACTS):
        journal.act(number, {"op": "throw", "by": "Kari", "dice": [turn % 6 + 1, 1]}).result()
    if closed:
        journal.close_game(number, {"winners": ["Kari"]}).result()
        journal.flush()
    return number


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[Event, ...]]:
    """A state folder with finished games and one interrupted game, the log folded in."""
    folder = tmp_path_factory.mktemp("evening") / "state"
    with Journal(folder, FakeClock()) as journal:
        for _ in range(GAMES):
            play(journal)
        play(journal, closed=False)
        events = journal.events()
    return folder, events


@pytest.fixture(scope="module")
def unplugged(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[Event, ...]]:
    """The same, as a pulled plug leaves it: the interrupted game only in the write-ahead log."""
    base = tmp_path_factory.mktemp("unplugged")
    with Journal(base / "state", FakeClock()) as journal:
        for _ in range(GAMES):
            play(journal)
        play(journal, closed=False)
        events = journal.events()
        shutil.copytree(base / "state", base / "cut")
    assert (base / "cut" / "journal.db-wal").stat().st_size > 10 * PAGE
    return base / "cut", events


def start_on(
    source: Path, tmp_path: Path, harm: Callable[[Path], None]
) -> tuple[Journal, tuple[Event, ...]]:
    """Harm a copy of the folder and start a journal on it; it and the events before its own."""
    folder = tmp_path / "state"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder)
    harm(folder)
    journal = Journal(folder, FakeClock())
    assert journal.verify() is None
    events = journal.events()
    power_on = next(i for i in reversed(range(len(events))) if events[i].kind == Kind.POWER_ON)
    return journal, events[:power_on]


def test_nothing_is_done_to_a_sound_record(
    evening: tuple[Path, tuple[Event, ...]],
    unplugged: tuple[Path, tuple[Event, ...]],
    tmp_path: Path,
) -> None:
    for source, events in (evening, unplugged):
        journal, found = start_on(source, tmp_path, lambda _: None)
        with journal:
            assert journal.recovery is None
            assert found == events


def test_overwritten_bytes_anywhere_never_go_unnoticed(
    evening: tuple[Path, tuple[Event, ...]], tmp_path: Path
) -> None:
    source, events = evening
    chance = random.Random(7)
    size = (source / FILE_NAME).stat().st_size
    noticed = 0
    for page in range(size // PAGE):
        for _ in range(5):
            offset = page * PAGE + chance.randrange(PAGE - 40)

            def harm(folder: Path, offset: int = offset) -> None:
                with (folder / FILE_NAME).open("r+b") as file:
                    file.seek(offset)
                    file.write(chance.randbytes(40))

            journal, found = start_on(source, tmp_path, harm)
            with journal:
                if journal.recovery is None:
                    assert found == events, offset  # bytes that nobody uses
                    assert journal.games(limit=None) == tuple(reversed(fold(events)))
                    continue
                noticed += 1
                check_recovered(journal, found, events)
    assert noticed > 10


def check_recovered(journal: Journal, found: tuple[Event, ...], events: tuple[Event, ...]) -> None:
    """What is left is a beginning of what was; a loss locks the table; the rest is kept aside."""
    done = journal.recovery
    assert done is not None
    assert found == events[: len(found)]
    # The copy and the log hold everything up to the end of the last game.
    closed = max(event.seq for event in events if event.kind == Kind.GAME_CLOSED)
    assert len(found) >= closed
    assert done.lost == len(events) - len(found)
    codes = [fault.body["code"] for fault in journal.open_faults()]
    assert codes == (["record_damaged"] if done.lost else [])
    if done.lost:
        assert f"{len(found) + 1}" in done.message
        assert done.message in journal.open_faults()[0].body["detail"]
    assert all(path.exists() for path in done.kept_aside)


@pytest.mark.parametrize("pages", [0, 0.5, 1, 2, 3, 4, 6])
def test_a_truncated_database(
    evening: tuple[Path, tuple[Event, ...]], tmp_path: Path, pages: float
) -> None:
    source, events = evening

    def harm(folder: Path) -> None:
        with (folder / FILE_NAME).open("r+b") as file:
            file.truncate(int(pages * PAGE))

    journal, found = start_on(source, tmp_path, harm)
    with journal:
        check_recovered(journal, found, events)


def test_a_database_that_is_gone(evening: tuple[Path, tuple[Event, ...]], tmp_path: Path) -> None:
    source, events = evening
    journal, found = start_on(source, tmp_path, lambda folder: (folder / FILE_NAME).unlink())
    with journal:
        check_recovered(journal, found, events)


def test_a_harmed_write_ahead_log_is_noticed_although_sqlite_is_content(
    unplugged: tuple[Path, tuple[Event, ...]], tmp_path: Path
) -> None:
    source, events = unplugged
    size = (source / "journal.db-wal").stat().st_size
    for keep in range(0, size, size // 8):
        for tear in (True, False):

            def harm(folder: Path, keep: int = keep, tear: bool = tear) -> None:
                with (folder / "journal.db-wal").open("r+b") as file:
                    file.seek(keep)
                    file.truncate() if tear else file.write(b"\xff" * 64)

            journal, found = start_on(source, tmp_path, harm)
            with journal:
                if journal.recovery is None:
                    assert found == events
                else:
                    check_recovered(journal, found, events)
                    names = [path.name for path in journal.recovery.kept_aside]
                    assert "journal.db-wal" not in names
                    assert any(name.endswith(".db-wal") for name in names)


def test_an_event_changed_by_hand_is_restored_from_the_copies(
    evening: tuple[Path, tuple[Event, ...]], tmp_path: Path
) -> None:
    source, events = evening

    def harm(folder: Path) -> None:
        with sqlite3.connect(folder / FILE_NAME) as connection:
            connection.execute("DROP TRIGGER event_stays")
            connection.execute("UPDATE event SET body = '{\"act\":{}}' WHERE seq = 5")

    journal, found = start_on(source, tmp_path, harm)
    with journal:
        assert found == events
        assert journal.recovery is not None
        assert journal.recovery.lost == 0
        assert "event 5 is not what was written" in journal.recovery.message
        assert journal.open_faults() == ()


def test_rebuilt_from_the_log_alone(
    evening: tuple[Path, tuple[Event, ...]], tmp_path: Path
) -> None:
    source, events = evening

    def harm(folder: Path) -> None:
        (folder / FILE_NAME).write_bytes(b"not a database" * 1000)
        (folder / archive.COPY_NAME).unlink()

    journal, found = start_on(source, tmp_path, harm)
    with journal:
        check_recovered(journal, found, events)


def test_when_nothing_is_left_the_table_starts_locked(
    evening: tuple[Path, tuple[Event, ...]], tmp_path: Path
) -> None:
    source, events = evening

    def harm(folder: Path) -> None:
        (folder / FILE_NAME).write_bytes(b"not a database" * 1000)
        (folder / archive.COPY_NAME).write_bytes(b"nor this")
        (folder / archive.LOG_NAME).write_text("nor that\n")

    journal, found = start_on(source, tmp_path, harm)
    with journal:
        assert found == ()
        assert journal.recovery is not None
        assert journal.recovery.lost == len(events)
        assert len(journal.open_faults()) == 1
        assert play(journal) == 1
    with Journal(journal.folder, FakeClock()) as again:
        assert again.recovery is None
        assert len(again.open_faults()) == 1


def test_a_cut_during_the_recovery_is_recovered_from(
    evening: tuple[Path, tuple[Event, ...]], tmp_path: Path
) -> None:
    """The plug is pulled after each step of putting the rebuilt record in place."""
    source, events = evening
    rebuilt = tmp_path / "rebuilt.db"
    shutil.copyfile(source / FILE_NAME, rebuilt)
    for removed in range(3):

        def harm(folder: Path, removed: int = removed) -> None:
            shutil.copyfile(rebuilt, folder / (FILE_NAME + ".rebuilt"))
            (folder / FILE_NAME).write_bytes(b"x" * PAGE)
            (folder / (FILE_NAME + "-wal")).write_bytes(b"x" * PAGE)
            for name in (FILE_NAME + "-wal", FILE_NAME)[:removed]:
                (folder / name).unlink()

        journal, found = start_on(source, tmp_path, harm)
        with journal:
            assert found == events
            assert journal.recovery is None


def test_the_chain_is_told_from_all_sources_together(
    evening: tuple[Path, tuple[Event, ...]],
) -> None:
    _, events = evening
    halves = [list(events[::2]), list(events[1::2])]
    assert recovery.longest_chain(halves) == list(events)
    assert recovery.longest_chain([halves[0]]) == [events[0]]
    assert recovery.longest_chain([]) == []


# --- the second copies -----------------------------------------------------------------------


def test_copy_and_log_hold_everything_up_to_the_last_game(
    evening: tuple[Path, tuple[Event, ...]],
) -> None:
    source, events = evening
    lines = list(archive.read_lines(source / archive.LOG_NAME))
    assert [line.game_id for line in lines if isinstance(line, archive.Line)] == [1, 2, 3]
    logged = [event for line in lines if isinstance(line, archive.Line) for event in line.events]
    closed = max(event.seq for event in events if event.kind == Kind.GAME_CLOSED)
    assert logged == list(events[:closed])
    assert check_chain(logged) is None
    with sqlite3.connect(source / archive.COPY_NAME) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        (count,) = connection.execute("SELECT count(*) FROM event").fetchone()
        assert count >= closed


def test_a_torn_log_is_completed_whatever_the_place_of_the_tear(
    evening: tuple[Path, tuple[Event, ...]], tmp_path: Path
) -> None:
    source, _ = evening
    whole = (source / archive.LOG_NAME).read_bytes()
    lines = whole.split(b"\n")
    start = len(whole) - len(lines[-2]) - 1
    for keep in [0, 1, *range(start - 2, len(whole), 397), len(whole) - 1]:
        journal, _ = start_on(
            source,
            tmp_path,
            lambda folder, keep=keep: (folder / archive.LOG_NAME).write_bytes(whole[:keep]),  # type: ignore[misc]
        )
        journal.close()
        read = list(archive.read_lines(tmp_path / "state" / archive.LOG_NAME))
        good = [line for line in read if isinstance(line, archive.Line)]
        assert [line.game_id for line in good] == [1, 2, 3]
        assert len(read) - len(good) <= 1


def test_a_reader_says_that_the_record_is_damaged(
    evening: tuple[Path, tuple[Event, ...]], tmp_path: Path
) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"not a database" * 1000)
    with pytest.raises(DamagedError, match="is damaged; start the table to have it repaired"):
        JournalReader(tmp_path)
