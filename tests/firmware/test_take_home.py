"""Sheets to take home: what is printed, where it is kept, and how one gets at it."""

from __future__ import annotations

import errno
import io
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2
import pytest
from fontTools.ttLib import TTFont

from display.catalogue import LANGUAGES
from display.view import Action, Scene
from display.words import Words
from firmware import take_home as module
from firmware.buttons import Button
from firmware.cli import main
from firmware.clock import FakeClock
from firmware.dialogs import Command
from firmware.dice_sets import DiceSets
from firmware.evening import Evening
from firmware.journal import Journal
from firmware.pages import Pages
from firmware.prints import A4, PICTURE_DPI, Cell, Column, Paper
from firmware.prints_games import sheet
from firmware.results import Result, result_of
from firmware.rules.acts import Throw, Wager, to_json
from firmware.rules.game import Game
from firmware.statedir import DiskFullError
from firmware.statistics import DICE_SET
from firmware.table import Table
from firmware.take_home import QuotaError, TakeHome, TakeHomePage
from tests.firmware import finished
from tests.firmware.finished import GAMES, recorded

MIB = 1024 * 1024


def result(game: str = "balut", number: int = 12) -> Result:
    found = result_of(recorded(GAMES[game](), number))
    assert found is not None
    return found


def text_of(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return " ".join(page.get_textpage().get_text_range() for page in document)
    finally:
        document.close()


# -- on paper


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_sheet_has_the_names_the_place_and_the_words_of_its_language(
    game: str, language: str
) -> None:
    found = result(game)
    words = Words(language)
    text = text_of(sheet(found, words, "Kafé Зар").pdf_bytes())
    for name in found.seats:
        assert name in text
    assert "Kafé Зар" in text
    assert "30.11.2026" in text
    assert words.game(game) in text
    if game == "balut":
        assert words.row("fours") in text
        assert "396" in text
    if game == "barbudi":
        assert words.say("Thrower and fader") in text
        assert "4-2" in text
        assert "+11" in text


def test_the_fonts_are_in_the_file_and_it_is_small() -> None:
    data = sheet(result("barbudi"), Words("bg")).pdf_bytes()
    assert b"/FontFile2" in data
    assert len(data) < 100_000


def test_the_same_result_is_the_same_file() -> None:
    one, other = (sheet(result(), Words("ru")).pdf_bytes() for _ in range(2))
    assert one == other


def test_the_picture_is_the_page() -> None:
    (data,) = sheet(result(), Words("nb")).png_bytes()
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    height, width = picture.shape[:2]
    assert width == pytest.approx(A4[0] / 25.4 * PICTURE_DPI, abs=2)
    assert height == pytest.approx(A4[1] / 25.4 * PICTURE_DPI, abs=2)
    assert cv2.QRCodeDetectorAruco().detectAndDecode(picture)[0].startswith("Balut, 30.11.2026")


def test_a_long_table_goes_on_overleaf_with_its_head() -> None:
    paper = Paper("t", finished_at())
    rows = [(str(i), Cell("x")) for i in range(120)]
    paper.table([Column("HEAD", 30), Column("", 30)], rows, foot=60)
    text = text_of(paper.pdf_bytes())
    assert text.count("HEAD") == paper.pdf.pages_count == 3
    assert all(str(i) in text for i in range(120))
    assert paper.top <= paper.height - 60


def test_nothing_runs_over_the_edge_with_the_longest_names() -> None:
    """Twelve players with wide names: everything drawn stays within the margins' outer half."""
    names = ("Wilhelmina WW", "Александрина", "MMMMMMMMMMMM")
    for game in (finished.balut(names), wide_barbudi()):
        found = result_of(recorded(game))
        assert found is not None
        for data in sheet(found, Words("ru"), "W" * 40).png_bytes(60):
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
            assert picture is not None
            edge = round(7 / 25.4 * 60)
            inside = picture[edge:-edge, edge:-edge]
            assert picture.min() < 128
            assert int((picture < 250).sum()) == int((inside < 250).sum())


def finished_at() -> Any:
    from datetime import UTC, datetime

    return datetime(2026, 11, 30, tzinfo=UTC)


def wide_barbudi() -> Game[Any]:
    from firmware.rules import Barbudi
    from firmware.rules.acts import Cover, Stake
    from firmware.rules.barbudi import BarbudiRules
    from firmware.rules.options import End

    names = tuple(f"Wilhelmina{i:02}" for i in range(12))
    rules = BarbudiRules(end=End("rounds", 1))
    game = Barbudi(names, rules, chips=5000, thrower=names[0])
    throws = (Throw(names[i % 2], (6, 4)) for i in range(40))
    return finished.played(
        game,
        Stake(names[1], 4999),
        Cover(names[0], 4999),
        *throws,
        Throw(names[0], (6, 6)),
    )


# -- where it is kept


def test_it_is_saved_as_pdf_and_png(tmp_path: Path) -> None:
    files = TakeHome(tmp_path / "sheets", MIB).save(result(), "nb")
    assert [path.name for path in files] == ["000012-balut-nb.pdf", "000012-balut-nb.png"]
    assert files[0].read_bytes().startswith(b"%PDF")
    assert files[1].read_bytes().startswith(b"\x89PNG")


def test_the_oldest_sheets_make_room_and_other_files_stay(tmp_path: Path) -> None:
    (tmp_path / "notes.pdf").write_bytes(b"mine")
    first = TakeHome(tmp_path, MIB).save(result(number=1), "en")
    size = sum(path.stat().st_size for path in first)
    keeper = TakeHome(tmp_path, round(2.5 * size))
    keeper.save(result(number=2), "en")
    keeper.save(result(number=3), "en")
    kept = sorted(path.name for path in tmp_path.iterdir())
    assert kept == [
        "000002-balut-en.pdf",
        "000002-balut-en.png",
        "000003-balut-en.pdf",
        "000003-balut-en.png",
        "notes.pdf",
    ]
    # Saved once more it replaces itself and nothing else.
    keeper.save(result(number=3), "en")
    assert sorted(path.name for path in tmp_path.iterdir()) == kept
    with pytest.raises(QuotaError, match="sheet_quota_mib"):
        TakeHome(tmp_path, 100).save(result(number=4), "en")
    assert sorted(path.name for path in tmp_path.iterdir()) == kept


def test_a_full_disk_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(module, "write_durably", full)
    with pytest.raises(DiskFullError, match="the disk is full"):
        TakeHome(tmp_path, MIB).save(result(), "en")
    page = TakeHomePage(result(), TakeHome(tmp_path, MIB, worker=AtOnce()))
    page.press(Button.CONFIRM)
    notice = page.show()["notice"]
    assert notice.code == "disk_full"
    # It can be tried again.
    assert page.buttons().confirm is not None


# -- on the screen


class AtOnce(Executor):
    """Does the work when it is told to."""

    def __init__(self) -> None:
        self.hold = False
        self._waiting: list[Callable[[], None]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()

        def work() -> None:
            try:
                future.set_result(fn(*args, **kwargs))
            except Exception as error:
                future.set_exception(error)

        if self.hold:
            self._waiting.append(work)
        else:
            work()
        return future

    def let_go(self) -> None:
        for work in self._waiting:
            work()


def test_the_page_shows_the_wait_and_where_the_sheet_is(tmp_path: Path) -> None:
    worker = AtOnce()
    worker.hold = True
    page = TakeHomePage(
        result(), TakeHome(tmp_path, MIB, language=lambda: "ru", worker=worker)
    )  # fmt: skip
    assert dict(page.show()["take_home"]).keys() == set(LANGUAGES)
    assert page.show()["progress"] is None
    page.press(Button.CONFIRM)
    assert page.show()["progress"] is not None
    assert page.buttons().confirm is None
    page.press(Button.CONFIRM)  # dark: it does nothing
    worker.let_go()
    shown = page.show()
    assert (shown["notice"].code, shown["notice"].text) == ("sheet_saved", str(tmp_path))
    assert shown["progress"] is None
    assert page.buttons().confirm is None
    assert [path.name for path in sorted(tmp_path.iterdir())] == [
        "000012-balut-ru.pdf",
        "000012-balut-ru.png",
    ]
    assert page.press(Button.BACK) is Command.CLOSE


@pytest.fixture
def journal(tmp_path: Path) -> Any:
    with Journal(tmp_path / "state", FakeClock(), copies=False) as opened:
        yield opened


def evening(journal: Journal, tmp_path: Path, sets: str = "") -> Evening:
    pages = Pages(
        journal,
        lambda name: Path(name),
        list,
        take_home=TakeHome(tmp_path / "sheets", MIB, worker=AtOnce()),
        dice_sets=DiceSets(sets, journal),
    )
    return Evening(journal, FakeClock(), pages=pages)


def settled(table: Table, journal: Journal, *acts: Any) -> None:
    for act in acts:
        table._do(act, source="hand")
        journal.flush()
        table.tick()


def test_the_result_is_taken_home_with_the_buttons(journal: Journal, tmp_path: Path) -> None:
    from firmware.rules import Barbut
    from firmware.rules.barbut import BarbutRules
    from firmware.rules.options import End

    rules = BarbutRules(end=End("rounds", 1))
    table = evening(journal, tmp_path).begin(
        Barbut(("Ana", "Boris"), rules, chips=20, thrower="Ana")
    )  # fmt: skip
    settled(table, journal, Wager(7), Throw("Ana", (6, 5)))
    view = table.view()
    assert view.scene is Scene.RESULT
    assert view.buttons.left is not None
    assert view.buttons.left.action is Action.TAKE_HOME
    table.press(Button.LEFT)
    view = table.view()
    assert view.scene is Scene.TAKE_HOME
    assert "Ana: 27" in dict(view.take_home)["en"][-1]
    table.press(Button.CONFIRM)
    assert (tmp_path / "sheets" / "000001-barbut-en.pdf").exists()
    table.press(Button.BACK)
    assert table.view().scene is Scene.RESULT
    table.press(Button.CONFIRM)
    assert table.done


def test_a_finished_game_is_taken_home_from_recall_and_an_open_one_is_not(
    journal: Journal, tmp_path: Path
) -> None:
    pages = evening(journal, tmp_path)._pages
    assert pages is not None
    for whole in (True, False):
        game = finished.barbut()
        number = journal.start_game(game.key, game.start_json, {})
        for act in game.acts if whole else game.acts[:-1]:
            journal.act(number, to_json(act)).result()
        if whole:
            journal.close_game(number, {"winners": ["Ana"]}).result()
        page = pages.recall(number)
        hint = page.buttons().confirm
        assert (hint.action if hint is not None else None) == (Action.TAKE_HOME if whole else None)
        opened = page.opens()
        assert isinstance(opened, TakeHomePage) == whole


# -- by command


@pytest.fixture
def state(journal: Journal) -> Path:
    for game in (finished.barbudi(), finished.barbut()):
        number = journal.start_game(game.key, game.start_json, {})
        for act in game.acts[: None if game.key == "barbudi" else -1]:
            journal.act(number, to_json(act)).result()
        if game.key == "barbudi":
            journal.close_game(number, {"winners": ["Ola"]}).result()
    return journal.path.parent


def test_the_command_writes_the_sheet(state: Path, tmp_path: Path) -> None:
    pdf, png = tmp_path / "sheet.pdf", tmp_path / "sheet.png"
    where = ["--state", str(state), "--language", "bg"]
    assert main(["history", "1", *where, "--pdf", str(pdf), "--png", str(png)]) == 0
    assert "Барбуди" in text_of(pdf.read_bytes())
    assert png.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["2", "--pdf", "x.pdf"], "game 2 was not played to its end"),
        (["7", "--pdf", "x.pdf"], "there is no game 7"),
        (["--pdf", "x.pdf"], "need the number of a game"),
        (["1", "--png", "none/x.png"], "none/x.png can not be written"),
    ],
)
def test_the_command_says_what_is_wrong_in_a_sentence(
    state: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert main(["history", *arguments, "--state", str(state)]) == 2
    assert said in capsys.readouterr().err


# -- dice sets


def test_the_dice_in_play_are_chosen_on_the_screen_and_stand_with_every_throw(
    journal: Journal, tmp_path: Path
) -> None:
    from firmware.rules import Barbut

    whole = evening(journal, tmp_path, "red, ivory")
    table = whole.begin(Barbut(("Ana", "Boris"), chips=20, thrower="Ana"))
    settled(table, journal, Wager(7), Throw("Ana", (6, 4)))
    table.menu()
    while table.view().options[table.view().cursor] != Action.DICE_SETS.value:
        table.press(Button.RIGHT)
    table.press(Button.CONFIRM)
    assert table.view().options == ("red", "ivory")
    table.press(Button.RIGHT)
    table.press(Button.CONFIRM)
    notice = table.view().notice
    assert notice is not None
    assert (notice.code, notice.text) == ("dice_set", "ivory")
    for _ in range(3):
        table.press(Button.BACK)
    settled(table, journal, Throw("Boris", (4, 1)))
    acts = journal.game(1)
    assert acts is not None
    assert [one.extra.get(DICE_SET) for one in acts.acts] == [None, "red", "ivory"]
    assert journal.verify() is None
    # It is still so after a power cycle, as long as that name is there.
    assert DiceSets("red, ivory", journal).current == "ivory"
    assert DiceSets("red, blue", journal).current == "red"
    assert DiceSets("", journal).current == ""


def test_one_set_needs_no_choice_and_no_set_no_name(journal: Journal) -> None:
    assert DiceSets("red", journal).item() is None
    assert DiceSets("red", journal).current == "red"
    assert DiceSets("", journal).item() is None
    assert DiceSets(" red , red,ivory ", journal).names == ("red", "ivory")


def test_the_font_has_the_narrow_space_of_large_numbers() -> None:
    from importlib.resources import files

    data = (files("display") / "fonts" / "DejaVuSans.ttf").read_bytes()
    assert ord("\u202f") in TTFont(io.BytesIO(data)).getBestCmap()


def test_a_result_that_can_not_be_read_is_said_and_stops_nothing(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from firmware.rules import Barbut
    from firmware.rules.barbut import BarbutRules
    from firmware.rules.options import End
    from firmware.statedir import IoFailureError

    rules = BarbutRules(end=End("rounds", 1))
    table = evening(journal, tmp_path).begin(
        Barbut(("Ana", "Boris"), rules, chips=20, thrower="Ana")
    )  # fmt: skip
    settled(table, journal, Wager(7), Throw("Ana", (6, 5)))

    def broken(game_id: int) -> None:
        raise IoFailureError("the disk answers with an error")

    monkeypatch.setattr(journal, "game", broken)
    table.press(Button.LEFT)
    view = table.view()
    assert view.scene is Scene.RESULT
    assert view.notice is not None
    assert view.notice.code == "sheet_not_saved"
