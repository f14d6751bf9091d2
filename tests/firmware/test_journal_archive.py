"""The second copies: brought up to date cheaply, made anew when they do not fit."""

import shutil
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware import archive
from firmware.clock import FakeClock
from firmware.journal import FILE_NAME, Journal, JournalReader
from firmware.record import Event


def play(journal: Journal, acts: int = 3) -> None:
    number = journal.start_game("barbut", {"players": ["Kari"]}, {})
    for turn in range(acts):
        journal.act(number, {"op": "throw", "dice": [turn], "text": "ж" * 50})
    journal.close_game(number, {"reason": "abandoned"}).result()
    journal.flush()


def copied(folder: Path) -> tuple[Event, ...]:
    (folder / "as").mkdir(exist_ok=True)
    shutil.copyfile(folder / archive.COPY_NAME, folder / "as" / FILE_NAME)
    with JournalReader(folder / "as") as reader:
        assert reader.verify() is None
        return reader.events()


def test_the_copy_is_extended_not_copied_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    anew = archive._copy_anew
    monkeypatch.setattr(archive, "_copy_anew", lambda *args: (made.append(args), anew(*args)))
    with Journal(tmp_path, FakeClock()) as journal:
        for _ in range(5):
            play(journal)
        assert len(made) == 1
        assert copied(tmp_path) == journal.events()


@pytest.mark.parametrize("kind", ["garbage", "gone", "foreign", "longer", "empty"])
def test_a_copy_that_does_not_fit_is_made_anew(tmp_path: Path, kind: str) -> None:
    folder, copy = tmp_path / "state", tmp_path / "state" / archive.COPY_NAME
    with Journal(folder, FakeClock()) as journal:
        play(journal)
        if kind == "garbage":
            copy.write_bytes(b"x" * 5000)
        elif kind == "gone":
            copy.unlink()
        elif kind == "empty":
            copy.write_bytes(b"")
        else:
            with Journal(tmp_path / "other", FakeClock(wall=5.0)) as other:
                play(other, acts=2 if kind == "foreign" else 40)
            shutil.copyfile(tmp_path / "other" / archive.COPY_NAME, copy)
        play(journal)
        assert copied(folder) == journal.events()
    with sqlite3.connect(copy) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_log_of_an_earlier_record_is_kept_and_added_to(tmp_path: Path) -> None:
    with Journal(tmp_path / "old", FakeClock(wall=7.0)) as journal:
        play(journal)
    (tmp_path / "new").mkdir()
    shutil.copyfile(tmp_path / "old" / archive.LOG_NAME, tmp_path / "new" / archive.LOG_NAME)
    with Journal(tmp_path / "new", FakeClock()) as journal:
        play(journal)
        play(journal)
        lines = list(archive.read_lines(tmp_path / "new" / archive.LOG_NAME))
        good = [line for line in lines if isinstance(line, archive.Line)]
        assert [line.game_id for line in good] == [1, 1, 2]
        assert good[1].events + good[2].events == journal.events()


def event(seq: int, length: int) -> Event:
    return Event(seq, 1, 0, 0, "b", "game_closed", {"x": "y" * length}, "p", "h")


@given(
    st.lists(st.one_of(st.integers(0, 300), st.integers(65_000, 66_500)), max_size=4),
    st.lists(st.sampled_from([b"torn", b"", b"00000000 {}"]), max_size=3),
)
def test_the_last_whole_line_is_found_from_the_end(
    tmp_path_factory: pytest.TempPathFactory, lengths: list[int], after: list[bytes]
) -> None:
    log = tmp_path_factory.mktemp("log") / "games.jsonl"
    lines = [archive._line(1, [event(seq, length)]) for seq, length in enumerate(lengths, 1)]
    log.write_bytes("".join(lines).encode() + b"\n".join(after))
    found = archive.last_line(log)
    if lengths:
        assert found is not None
        assert found.last == event(len(lengths), lengths[-1])
    else:
        assert found is None
    assert archive.last_line(log.with_name("none")) is None
