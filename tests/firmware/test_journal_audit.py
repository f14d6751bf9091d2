"""History and audit on games of all four kinds: told, exported, judged again, and found out."""

import csv
import io
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware import archive, audit, recovery
from firmware.cli import main
from firmware.clock import FakeClock
from firmware.journal import FILE_NAME, Journal, JournalReader
from firmware.record import GENESIS, Event, Kind, canonical
from firmware.replay import ReplayError, rebuild, rules_fingerprint
from firmware.rules import GAMES, Game
from firmware.rules.acts import Act, Throw, to_json

STARTS: dict[str, dict[str, Any]] = {
    "barbudi": {"players": ["Kari", "Ola", "Per"], "chips": 9, "config": {"house_fee":
                {"mode": "fixed", "amount": 1}}},
    "barbut": {"players": ["Жоро", "Мария", "Иван"], "chips": 12},
    "barbut_bg": {"players": ["Kari", "Ola"], "config": {"target": 1500}},
    "balut": {"players": ["Лиза", "Åse"]},
}  # fmt: skip
ACTS = 60


def likely(game: Game[Any], chance: random.Random) -> Act | None:
    acts = [act for act in game.legal() if act.op not in ("stop", "void_throw")]
    return chance.choice(acts) if acts else None


def play(journal: Journal, key: str, chance: random.Random, clock: FakeClock) -> int:
    """A whole game or the beginning of one, with take-backs and corrections."""
    game = GAMES[key].from_start({"game": key, **STARTS[key]})
    number = journal.start_game(key, game.start_json, {"rules": rules_fingerprint()})
    for turn in range(ACTS):
        clock.advance(3.0)
        act = likely(game, chance)
        if act is None:
            break
        game.push(act)
        extra = {"source": "camera", "read": [6, None], "picture": f"{number:06}/{turn:06}-abc"}
        journal.act(number, to_json(act), **extra)
        if turn % 11 == 7:
            game.pop()
            journal.take_back(number, by="Ola")
        elif turn % 13 == 5 and isinstance(act, Throw):
            throw = Throw(act.by, tuple(7 - face for face in act.dice), act.keep)
            game.correct(throw)
            body = {"read": list(act.dice), "corrected": list(throw.dice), "by": "operator"}
            journal.append(Kind.CORRECTION, {**body, "act": to_json(throw)}, number)
    outcome = game.outcome()
    body: dict[str, Any] = {"reason": "abandoned"}
    if outcome is not None:
        body = {"winners": list(outcome.winners), "scores": dict(outcome.scores)}
        body["reason"] = outcome.reason
    journal.close_game(number, body).result()
    return number


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight finished or abandoned games, and one that is open."""
    folder = tmp_path_factory.mktemp("evening") / "state"
    chance, clock = random.Random(3), FakeClock(wall=1_800_000_000.0)
    with Journal(folder, clock) as journal:
        for key in (*STARTS, *STARTS):
            play(journal, key, chance, clock)
        game = GAMES["barbudi"].from_start({"game": "barbudi", **STARTS["barbudi"]})
        number = journal.start_game("barbudi", game.start_json, {"rules": rules_fingerprint()})
        journal.act(number, {"op": "throw", "by": "Kari", "dice": [5]}).result()
        journal.append(Kind.NOTE, {"dispute": True}, 3).result()
    return folder


@pytest.fixture
def folder(evening: Path, tmp_path: Path) -> Path:
    shutil.copytree(evening, tmp_path / "state")
    return tmp_path / "state"


def dicetable(*arguments: object) -> int:
    return main([str(one) for one in arguments])


# --- history ----------------------------------------------------------------------------------


def test_games_are_listed(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert dicetable("history", "--state", evening) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [int(line.split()[0]) for line in lines] == list(range(9, 0, -1))
    assert lines[0].endswith("Kari, Ola, Per: open, 1 acts")
    assert lines[6].endswith("(in dispute)")
    assert "Лиза, Åse" in lines[1]
    for line in lines[1:]:
        assert "won by" in line or "abandoned after" in line


def test_only_ten_unless_all_are_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(tmp_path, FakeClock()) as journal:
        for _ in range(12):
            journal.close_game(journal.start_game("balut", {}, {}), {"reason": "abandoned"})
    for arguments, count in (((), 10), (("--all",), 12)):
        assert dicetable("history", "--state", tmp_path, *arguments) == 0
        assert len(capsys.readouterr().out.splitlines()) == count


@pytest.mark.parametrize("language", ["en", "nb", "bg", "ru"])
@pytest.mark.parametrize("number", range(1, 10))
def test_every_game_is_shown_act_by_act(
    evening: Path, capsys: pytest.CaptureFixture[str], number: int, language: str
) -> None:
    assert dicetable("history", number, "--state", evening, "--language", language) == 0
    out = capsys.readouterr().out
    with JournalReader(evening) as reader:
        events = reader.events(number)
    shown = [int(line.split()[0]) for line in out.splitlines()[1:] if line[5] != " "]
    assert shown == [event.seq for event in events]
    assert out.count("taken back: ") == sum(event.kind == Kind.TAKE_BACK for event in events)
    assert "THE JUDGE REFUSES" not in out
    if number < 9:
        assert "  source camera, read 6-?, picture " in out


@pytest.mark.parametrize("number", range(1, 10))
def test_a_transcript_is_judged_again(
    evening: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], number: int
) -> None:
    file = tmp_path / "game.json"
    arguments = ["--export", "transcript", "--output", file, "--state", evening]
    assert dicetable("history", number, *arguments) == 0
    assert dicetable("judge", "--json", file) == 0
    out = capsys.readouterr()
    assert out.err == ""
    with JournalReader(evening) as reader:
        recorded = reader.game(number)
    assert recorded is not None
    steps = [json.loads(line) for line in out.out.splitlines()]
    assert len(steps) == len(recorded.acts)
    assert steps[-1]["id"] == f"game-{number}"
    assert steps[-1]["state"] == json.loads(json.dumps(rebuild(recorded).as_json()))


def test_all_transcripts_at_once(
    evening: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.json"
    assert dicetable("history", "--all", "--export", "transcript", "--output", file,
                     "--state", evening) == 0  # fmt: skip
    assert len(json.loads(file.read_text())) == 9
    assert dicetable("judge", file) == 0
    capsys.readouterr()


def test_csv_has_a_row_for_every_event_and_the_pot(
    evening: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dicetable("history", 1, "--export", "csv", "--state", evening) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    with JournalReader(evening) as reader:
        events = reader.events(1)
    assert [int(row["seq"]) for row in rows] == [event.seq for event in events]
    pot = "0"
    for row in rows:
        assert row["pot_before"] == pot
        pot = row["pot_after"]
        state = json.loads(row["state"])
        assert sum(state["chips"].values()) + state["escrow"] + state["house"] == 27
    assert any(row["pot_after"] != "0" for row in rows)
    throw = next(row for row in rows if row["op"] == "throw")
    assert (throw["read"], throw["source"]) == ("6-?", "camera")


def test_json_has_everything(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert dicetable("history", 4, "--export", "json", "--state", evening) == 0
    data = json.loads(capsys.readouterr().out)
    with JournalReader(evening) as reader:
        assert tuple(Event(**one) for one in data["events"]) == reader.events(4)
        recorded = reader.game(4)
    assert recorded is not None
    assert data["acts"] == [one.act for one in recorded.acts]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["history", "99"], "history: there is no game 99; dicetable history --all lists them\n"),
        (["history", "1", "--output", "/nonexistent/x"], "history: /nonexistent/x can not be"),
    ],
)
def test_history_in_plain_words(
    evening: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert dicetable(*arguments, "--state", evening) == 2
    assert capsys.readouterr().err.startswith(sentence)


@pytest.mark.parametrize("command", ["history", "audit"])
def test_no_record(tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert dicetable(command, "--state", tmp_path) == 2
    assert capsys.readouterr().err == (
        f"{command}: there is no record at {tmp_path}/journal.db; nothing has been played here "
        "yet\n"
    )


# --- audit ------------------------------------------------------------------------------------


def test_a_sound_record_passes(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert dicetable("audit", "--state", evening) == 0
    out = capsys.readouterr().out
    assert "the chain holds; 9 games, all add up" in out


def test_it_passes_while_the_table_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(folder, FakeClock()) as journal:
        journal.act(9, {"op": "throw", "by": "Ola", "dice": [3]}).result()
        assert dicetable("audit", "--state", folder) == 0
    capsys.readouterr()


def tamper(folder: Path, sql: str, *values: object) -> None:
    with sqlite3.connect(folder / FILE_NAME) as connection:
        connection.execute("DROP TRIGGER IF EXISTS event_stays")
        connection.execute("DROP TRIGGER IF EXISTS event_is_kept")
        assert connection.execute(sql, values).rowcount == 1


def rechained(folder: Path) -> None:
    """What a cheat with a programmer would do: make all hashes right again."""
    with sqlite3.connect(folder / FILE_NAME) as connection:
        rows = connection.execute("SELECT * FROM event ORDER BY seq").fetchall()
        before = GENESIS
        for row in rows:
            event = Event(*row[:6], json.loads(row[6]), before, "")
            digest = event.computed_hash()
            connection.execute(
                "UPDATE event SET prev_hash = ?, hash = ? WHERE seq = ?",
                (before, digest, event.seq),
            )
            before = digest
        recovery.write_head(folder, event.seq, before)


def act_of(folder: Path, game: int, which: Callable[[dict[str, Any]], bool]) -> Event:
    with JournalReader(folder) as reader:
        return next(
            event
            for event in reader.events(game)
            if event.kind == Kind.ACT and which(event.body["act"])
        )


def test_a_changed_event_is_the_first_bad_link(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for game in (5, 2):
        event = act_of(folder, game, lambda act: act["op"] == "throw")
        body = canonical({**event.body, "source": "hand"})
        tamper(folder, "UPDATE event SET body = ? WHERE seq = ?", body, event.seq)
    assert dicetable("audit", "--state", folder) == 1
    first = capsys.readouterr().out.splitlines()[0]
    assert first == f"BAD  event {event.seq}: event {event.seq} is not what was written"


def test_a_removed_event_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tamper(folder, "DELETE FROM event WHERE seq = 20")
    assert dicetable("audit", "--state", folder) == 1
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "BAD  event 20: event 20 is missing (the next one is 21)"


def test_a_removed_end_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with JournalReader(folder) as reader:
        last = reader.events()[-1].seq
    tamper(folder, "DELETE FROM event WHERE seq = ?", last)
    assert dicetable("audit", "--state", folder) == 1
    assert f"BAD  event {last}: it was written and is missing" in capsys.readouterr().out


def test_a_changed_event_with_all_hashes_made_right_is_told_by_the_log(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event = act_of(folder, 1, lambda act: act["op"] == "throw")
    body = canonical({**event.body, "read": [1, 1]})
    tamper(folder, "UPDATE event SET body = ? WHERE seq = ?", body, event.seq)
    rechained(folder)
    assert dicetable("audit", "--state", folder) == 1
    out = capsys.readouterr().out.splitlines()
    # Every game up to now has a line in the log, and all of them come after the change.
    assert len([line for line in out if "games.jsonl tells of another event" in line]) == 8
    assert "9 games, all add up" in out[-1]


def test_a_stake_changed_beyond_the_rules_is_refused_by_the_judge(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event = act_of(folder, 1, lambda act: act["op"] == "stake")
    body = canonical({**event.body, "act": {**event.body["act"], "amount": 999}})
    tamper(folder, "UPDATE event SET body = ? WHERE seq = ?", body, event.seq)
    rechained(folder)
    assert dicetable("audit", "--state", folder) == 1
    out = capsys.readouterr().out
    assert f"BAD  game 1, event {event.seq}: the judge refuses it: " in out
    assert "9 games, 1 do NOT add up" in out


def test_a_wrong_result_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with JournalReader(folder) as reader:
        game = next(one for one in reader.games() if one.outcome and "scores" in one.outcome)
        closing = reader.events(game.id)[-1]
    assert game.outcome is not None
    scores = {who: score + 1 for who, score in game.outcome["scores"].items()}
    outcome = canonical({"outcome": {**game.outcome, "scores": scores}})
    tamper(folder, "UPDATE event SET body = ? WHERE seq = ?", outcome, closing.seq)
    rechained(folder)
    assert dicetable("audit", "--state", folder) == 1
    assert f"BAD  game {game.id}, event {closing.seq}: the recorded scores" in (
        capsys.readouterr().out
    )


def test_a_game_closed_before_its_end_is_told(folder: Path) -> None:
    with Journal(folder, FakeClock()) as journal:
        journal.close_game(9, {"winners": ["Kari"], "scores": {}}).result()
        (flaw,) = audit.game(9, journal.events(9))
    assert flaw.text == "it was closed, but the judge has it still running"


def test_chips_out_of_nowhere_are_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with JournalReader(folder) as reader:
        events = reader.events(1)
    honest = GAMES["barbudi"].as_json
    stakes = [event.seq for event in events if event.body.get("act", {}).get("op") == "stake"]

    def generous(self: Game[Any]) -> dict[str, Any]:
        state = honest(self)
        return {**state, "house": state["house"] + bool(state["stake"])}

    monkeypatch.setattr(GAMES["barbudi"], "as_json", generous)
    (flaw,) = audit.game(1, events)
    assert (flaw.seq, flaw.text) == (
        stakes[0],
        "there are 28 chips on the table, 27 at the beginning",
    )


def test_other_rules_are_said(folder: Path) -> None:
    with Journal(folder, FakeClock()) as journal:
        journal.close_game(9, {"reason": "abandoned"}).result()
        number = journal.start_game("barbudi", {"players": []}, {"rules": "0123"})
        (flaw,) = audit.game(number, journal.events(number))
        assert flaw.text.endswith("(it was played with another version of the rules)")
        recorded = journal.game(number)
        assert recorded is not None
        with pytest.raises(ReplayError, match="can not begin as recorded"):
            rebuild(recorded)


def test_a_damaged_line_of_the_log_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = folder / archive.LOG_NAME
    lines = log.read_bytes().split(b"\n")
    lines[2] = lines[2].replace(b"throw", b"thrwo", 1)
    log.write_bytes(b"\n".join(lines))
    assert dicetable("audit", "--state", folder) == 1
    assert "BAD  line 3 of games.jsonl is damaged" in capsys.readouterr().out


@pytest.mark.parametrize("locale", ["C", "POSIX", "xx_YY", ""])
def test_names_in_any_script_are_printed_under_any_locale(evening: Path, locale: str) -> None:
    env = {**os.environ, "LC_ALL": locale, "LANG": locale, "PYTHONUTF8": "0"}
    env |= {"PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
    done = subprocess.run(
        [sys.executable, "-m", "firmware", "history", "--state", evening],
        capture_output=True,
        env=env,
        check=True,
    )
    assert "Жоро, Мария, Иван" in done.stdout.decode("utf-8")
    assert done.stderr == b""
