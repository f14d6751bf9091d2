"""Figures from the record: who won what, and whether the dice are fair."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from display.view import Action, Scene
from firmware.buttons import Button
from firmware.cli import main
from firmware.clock import FakeClock
from firmware.evening import Evening
from firmware.journal import Journal
from firmware.lobby import Lobby
from firmware.pages import Pages
from firmware.rules import Balut, Barbudi, Barbut
from firmware.rules.acts import Act, Cover, Enter, Stake, Throw, Wager, to_json
from firmware.rules.balut import BalutRules
from firmware.rules.balut_sheet import ROWS
from firmware.rules.barbudi import BarbudiRules
from firmware.rules.game import Game
from firmware.rules.options import End
from firmware.statistics import COLUMNS, DICE_SET, Figures, Period, Player, Statistician
from firmware.statistics_fair import LEVEL
from firmware.statistics_pages import ROWS as ON_A_PAGE
from firmware.statistics_pages import dice as dice_pages
from firmware.statistics_pages import league, pages

DAY = 86_400.0


class Book:
    """Writes whole games into a record."""

    def __init__(self, folder: Path) -> None:
        self.clock = FakeClock()
        self.folder = folder
        self.journal = Journal(folder, self.clock, copies=False)

    def play(self, game: Game[Any], acts: Iterable[Act], **extra: str) -> int:
        game_id = self.journal.start_game(game.key, game.start_json, {})
        for act in acts:
            game.push(act)
            self.journal.act(game_id, to_json(act), **extra)
        outcome = game.outcome()
        if outcome is None:
            self.journal.close_game(game_id, {"reason": "abandoned"}).result()
        else:
            body = {"winners": list(outcome.winners), "scores": dict(outcome.scores)}
            self.journal.close_game(game_id, body).result()
        return game_id


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    book = Book(tmp_path)
    yield book
    book.journal.close()


def barbudi(book: Book, *throws: tuple[int, int], **extra: str) -> None:
    """Kari throws, Ola fades 5; a game of as many rounds as there are throws."""
    rules = BarbudiRules(end=End("rounds", len(throws)))
    game = Barbudi(("Kari", "Ola"), rules, chips=50, thrower="Kari")
    acts: list[Act] = []
    for dice in throws:
        thrower, fader = game.state.thrower, game.state.fader
        assert thrower is not None
        assert fader is not None
        for act in (Stake(fader, 5), Cover(thrower, 5), Throw(thrower, dice)):
            acts.append(act)
            game.push(act)
    book.play(game.replay([]), acts, **extra)


def test_games_wins_and_the_longest_run_of_rounds(book: Book) -> None:
    # Two players swap when the thrower loses: Kari wins twice, then loses as thrower.
    barbudi(book, (6, 6), (3, 3), (1, 1))
    barbudi(book, (4, 4))
    figures = Statistician(book.journal).figures(Period.EVER, book.clock.wall())
    kari, ola = figures.players["Kari"], figures.players["Ola"]
    assert (kari.games, ola.games) == (2, 2)
    assert (kari.wins, ola.wins) == (1, 1)
    assert (kari.luck, ola.luck) == (2, 1)
    assert figures.dice() == [("", (2, 0, 2, 2, 0, 2))]


def balut_acts(game: Balut, order: Iterable[str], seed: int) -> list[Act]:
    """Everybody throws once and enters the row that is next; the third throw is five sixes."""
    chance = random.Random(seed)
    acts: list[Act] = []
    rows = {who: [row for row in ROWS for _ in range(4)] for who in order}
    while game.prompt is not None:
        who = game.prompt.by
        row = rows[who].pop(0)
        five = (6,) * 5 if row == "balut" else tuple(sorted(chance.choices(range(1, 7), k=5)))
        for act in (Throw(who, five[::-1]), Enter(who, row)):
            game.push(act)
            acts.append(act)
    return acts


def test_balut_best_mean_baluts_and_rows(book: Book) -> None:
    points: dict[str, list[int]] = {"Eva": [], "Nils": []}
    for seed in (1, 2):
        game = Balut(("Eva", "Nils"), order=("Eva", "Nils"))
        acts = balut_acts(game, ("Eva", "Nils"), seed)
        outcome = game.outcome()
        assert outcome is not None
        for name, value in outcome.scores:
            points[name].append(value)
        book.play(game.replay([]), acts)
    figures = Statistician(book.journal).figures(Period.EVER, book.clock.wall())
    for name, player in figures.players.items():
        assert player.balut_points == points[name]
        # The balut row is met four times over in each game, and nobody throws them elsewhere.
        assert player.baluts >= 8
        assert player.rows_met >= 2
        best, mean = player.cells()[2:4]
        assert (best, mean) == (str(max(points[name])), f"{sum(points[name]) / 2:.1f}")


def test_points_of_the_short_balut_are_not_mixed_in(book: Book) -> None:
    game = Balut(("Eva",), BalutRules(variant="singapore"), order=("Eva",))
    acts: list[Act] = []
    for row in ROWS:
        acts += [Throw("Eva", (6, 6, 6, 6, 6)), Enter("Eva", row)]
    book.play(game, acts)
    eva = Statistician(book.journal).figures(Period.EVER, book.clock.wall()).players["Eva"]
    assert eva.games == 1
    assert eva.balut_points == []
    assert eva.cells()[2:4] == ("–", "–")
    assert eva.baluts == 7


def test_abandoned_games_give_faces_and_no_games(book: Book) -> None:
    game = Barbut(("Ana", "Boris"), chips=20, thrower="Ana")
    book.play(game, [Wager(5), Throw("Ana", (6, 5))])
    figures = Statistician(book.journal).figures(Period.EVER, book.clock.wall())
    assert figures.league() == []
    assert figures.dice() == [("", (0, 0, 0, 0, 1, 1))]


def test_what_was_taken_back_does_not_count(book: Book) -> None:
    game = Barbut(("Ana", "Boris"), chips=20, thrower="Ana")
    number = book.journal.start_game(game.key, game.start_json, {})
    book.journal.act(number, to_json(Wager(5)))
    book.journal.act(number, to_json(Throw("Ana", (6, 6))))
    book.journal.take_back(number).result()
    assert Statistician(book.journal).figures(Period.EVER, 0).dice() == []


def test_a_game_that_can_not_be_replayed_is_left_out_and_counted(book: Book) -> None:
    number = book.journal.start_game("barbut", {"players": ["a", "b"]}, {})
    book.journal.act(number, {"op": "throw", "by": "nobody", "dice": [6, 6]}).result()
    figures = Statistician(book.journal).figures(Period.EVER, 0)
    assert figures.unreadable == 1
    assert figures.dice() == []


def test_periods(book: Book) -> None:
    """What was played 40, 20 and 2 days ago counts ever, for the month, for the week."""
    for wait in (0, 20, 18):
        book.clock.advance(wait * DAY)
        barbudi(book, (6, 6))
    book.clock.advance(2 * DAY)
    statistician = Statistician(book.journal)
    games = {
        period: statistician.figures(period, book.clock.wall()).players["Kari"].games
        for period in Period
    }
    assert games == {Period.WEEK: 1, Period.MONTH: 2, Period.EVER: 3}


def test_the_figures_stay_right_while_games_come_and_are_taken_back(book: Book) -> None:
    """One statistician asked again and again says the same as a new one each time."""
    asked = Statistician(book.journal)
    for throws in (((6, 6),), ((1, 1), (6, 6)), ((3, 3),)):
        barbudi(book, *throws)
        for undo in (False, True):
            if undo:
                book.journal.take_back(book.journal.game_ids()[0]).result()
            new = Statistician(book.journal).figures(Period.EVER, book.clock.wall())
            assert asked.figures(Period.EVER, book.clock.wall()) == new
        book.journal.close_game(book.journal.game_ids()[0], {"reason": "abandoned"}).result()


def test_adding_up_goes_by_slices_and_comes_to_the_same(book: Book) -> None:
    for dice in ((6, 6), (1, 1), (5, 5), (3, 3)):
        barbudi(book, dice)
    ticks = iter(range(100))
    slow = Statistician(book.journal)
    shares = [slow.work(0.5, lambda: next(ticks)) for _ in range(3)]
    assert shares == [0.5, 0.75, 1.0]
    now = book.clock.wall()
    assert slow.figures(Period.EVER, now) == Statistician(book.journal).figures(Period.EVER, now)


# --- where they are seen -------------------------------------------------------------------------


def test_the_page_turns_through_the_periods(book: Book) -> None:
    barbudi(book, (6, 6))
    book.clock.advance(10 * DAY)
    pages = Pages(book.journal, lambda name: Path(name), list, now=book.clock.wall)
    lobby = Evening(book.journal, book.clock, pages=pages).first()
    assert isinstance(lobby, Lobby)
    lobby.menu()
    while (view := lobby.view()).options[view.cursor] != Action.STATISTICS.value:
        lobby.press(Button.RIGHT)
    lobby.press(Button.CONFIRM)
    shown = []
    for _ in Period:  # the pages after them tell of the dice
        view = lobby.view()
        assert view.scene is Scene.STATISTICS
        assert view.statistics is not None
        shown.append((view.statistics.period, [row[:4] for row in view.statistics.rows]))
        lobby.press(Button.RIGHT)
    players = [("1", "Kari", "1", "1"), ("2", "Ola", "1", "0")]
    assert shown == [("week", []), ("month", players), ("ever", players)]
    found = lobby.view().statistics
    assert found is not None
    assert found.dice is not None
    assert found.dice.faces == (0, 0, 0, 0, 0, 2)
    assert found.dice.few
    lobby.press(Button.RIGHT)  # round to the first page
    first = lobby.view().statistics
    assert first is not None
    assert first.period == "week"


def test_every_dice_set_is_counted_for_itself(book: Book) -> None:
    """Throws from before dice sets had names stay what they were, and are counted too."""
    barbudi(book, (1, 1))
    barbudi(book, (6, 6), (6, 6), **{DICE_SET: "red"})
    barbudi(book, (5, 5), **{DICE_SET: "ivory"})
    assert book.journal.verify() is None
    figures = Statistician(book.journal).figures(Period.EVER, book.clock.wall())
    assert figures.dice() == [
        ("red", (0, 0, 0, 0, 0, 4)),
        ("ivory", (0, 0, 0, 0, 2, 0)),
        ("", (2, 0, 0, 0, 0, 0)),
    ]
    shown = [one.dice for one in dice_pages(figures)]
    assert [one.name for one in shown if one is not None] == ["red", "ivory", ""]
    # Three sets are three looks: each has a third of the level.
    assert {one.level for one in shown if one is not None} == {3 * LEVEL}


def test_luck_also_counts_games_won_in_a_row(book: Book) -> None:
    for dice in ((6, 6), (1, 1), (3, 3), (5, 5), (6, 5), (4, 4)):
        barbudi(book, dice)  # one round a game: Kari, Ola, three times Kari, Ola
    figures = Statistician(book.journal).figures(Period.EVER, book.clock.wall())
    assert figures.players["Kari"].luck == 3
    assert figures.players["Ola"].luck == 1


def test_many_players_go_on_further_pages_and_equal_wins_share_a_place() -> None:
    figures = Figures({f"p{i:02}": Player(games=9, wins=(20 - i) // 2) for i in range(11)})
    parts = league(figures, Period.WEEK)
    assert [len(part.rows) for part in parts] == [ON_A_PAGE, 3]
    assert [(part.page, part.pages) for part in parts] == [(0, 2), (1, 2)]
    assert [row[0] for part in parts for row in part.rows] == [
        "1", "2", "2", "4", "4", "6", "6", "8", "8", "10", "10",
    ]  # fmt: skip
    assert len(pages({Period.WEEK: figures, Period.EVER: Figures()})) == 3


@pytest.mark.parametrize("language", ["en", "bg"])
def test_the_command_prints_and_writes(
    book: Book, tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    barbudi(book, (6, 6), (6, 6), **{DICE_SET: "red"})
    table, picture, sheet = (tmp_path / f"out.{kind}" for kind in ("csv", "png", "pdf"))
    where = ["--state", str(book.folder), "--language", language, "--csv", str(table)]
    assert main(["stats", *where, "--png", str(picture), "--pdf", str(sheet)]) == 0
    printed = capsys.readouterr().out
    assert "Kari" in printed
    assert {"en": "too few", "bg": "твърде малко"}[language] in printed
    rows = list(csv.reader(table.open(encoding="utf-8")))
    assert rows[0] == ["player", *COLUMNS]
    assert rows[1] == ["Kari", "1", "1", "", "", "0", "0", "2"]
    assert rows[-1][:7] == ["red", "0", "0", "0", "0", "0", "4"]
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert sheet.read_bytes().startswith(b"%PDF")


def test_a_file_that_can_not_be_written_is_told(
    book: Book, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "none" / "out.png"
    assert main(["stats", "--state", str(book.folder), "--png", str(target)]) == 2
    assert f"stats: {target} can not be written" in capsys.readouterr().err


def test_the_command_says_what_is_wrong_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", "--state", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.startswith("stats: there is no record at ")


def test_a_player_without_balut_has_dashes() -> None:
    assert Player(games=3).cells() == ("3", "0", "–", "–", "0", "0", "0")
