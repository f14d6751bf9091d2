"""A short soak in the ordinary suite, and proof that the soak sees what it is there to see."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from firmware import soak as soaking
from firmware.journal import Journal
from firmware.ledger import Ledger, Settled
from firmware.rules.acts import Stake, to_json
from firmware.soak import Result, chosen, report, soak
from firmware.soak_account import differs
from firmware.soak_bench import Bench, SoakError
from firmware.soak_eye import as_read
from firmware.soak_player import FAULTS, Player

THROWS = 60


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults come ten times as often as in a long soak."""
    for fault, times in FAULTS.items():
        monkeypatch.setitem(FAULTS, fault, 10 * times)


@pytest.mark.usefixtures("often")
def test_a_short_soak_loses_nothing(tmp_path: Path) -> None:
    result = soak(THROWS, seed=3, folder=tmp_path, eye=None)
    assert result.throws >= THROWS
    assert result.events > THROWS
    for kind in ("power cuts", "disk full", "camera lost", "take-backs", "bounces", "corrections"):
        assert result.counts[kind] > 0, kind


def test_the_same_seed_begins_the_same_evening(tmp_path: Path) -> None:
    played = []
    for name in ("one", "two"):
        chance = random.Random(11)
        bench = Bench(tmp_path / name, chance)
        player = Player(bench, chance)
        player.begin()
        while player.throws < 8:
            player.move()
        played.append([to_json(act) for act in bench.table.game.acts])
        bench.close()
    assert played[0] == played[1]


# --- what it would see ---------------------------------------------------------------------------


def play_until_caught(folder: Path) -> str:
    chance = random.Random(5)
    bench = Bench(folder, chance)
    player = Player(bench, chance)
    try:
        player.begin()
        while player.throws < 30:
            player.move()
        player.finish()
    except SoakError as error:
        return str(error)
    finally:
        bench.close()
    return "nothing"


def test_it_sees_an_act_that_is_doubled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Journal.append_all

    def twice(journal: Journal, events: Any, game_id: int | None = None) -> Any:
        events = list(events)
        if any(kind == "act" and body["act"]["op"] == "stake" for kind, body in events):
            real(journal, events, game_id)
        return real(journal, events, game_id)

    monkeypatch.setattr(Journal, "append_all", twice)
    monkeypatch.setitem(FAULTS, "take-back", 300)
    assert "the record has" in play_until_caught(tmp_path)


def test_it_sees_an_act_that_is_shown_and_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Ledger.settle

    def shown(ledger: Ledger) -> Settled | None:
        settled = real(ledger)
        if settled is not None and isinstance(settled.act, Stake):
            ledger.game.pop()
        return settled

    monkeypatch.setattr(Ledger, "settle", shown)
    assert "but the table has" in play_until_caught(tmp_path)


def test_it_sees_a_scene_that_can_not_be_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("display.scenes.begin.draw", lambda *_: 1 / 0)
    assert "can not be drawn" in play_until_caught(tmp_path)


def test_differences_are_named() -> None:
    assert differs([1, 2], [1, 3], "the record") == "act 2 is 2, the record has 3"
    assert differs([1, 2], [1], "the table") == "2 acts were done, the table has 1"


def test_a_misread_die_offers_the_true_face_first() -> None:
    reading = as_read((4, 2), (3, 2))
    assert [die.value for die in reading.dice] == [4, 2]
    assert reading.dice[0].alternative == 3
    assert reading.dice[0].confidence < reading.dice[1].confidence


# --- the report ----------------------------------------------------------------------------------


def test_growth_is_the_slope_after_the_warm_up() -> None:
    memory = {throws: 300 - throws / 100 for throws in range(1000, 5000, 1000)}
    memory |= {throws: 100 + throws / 1e5 for throws in range(5000, 20_000, 1000)}
    assert Result(memory=memory).growth == pytest.approx(0.1)
    assert Result(memory={6000: 1.0, 7000: 9.0}).growth == 0.0


def test_the_report_has_every_count_and_at_most_a_dozen_samples() -> None:
    memory = dict.fromkeys(range(1000, 51000, 1000), 100.0)
    assert len(chosen(memory)) <= 13
    assert {1000, 50_000} <= set(chosen(memory))
    result = Result(throws=50_000, counts={"power cuts": 7}, memory=memory)
    text = report(result, "the command")
    assert "| power cuts | 7 |" in text
    assert "`the command`" in text


def test_a_flaw_ends_the_command_with_its_sentence_and_the_seed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def bad(*_: object, **__: object) -> Result:
        raise SoakError("an act was lost")

    monkeypatch.setattr(soaking, "soak", bad)
    assert soaking.main(["--seed", "42", "--throws", "1"]) == 1
    assert "an act was lost (seed 42)" in capsys.readouterr().err
