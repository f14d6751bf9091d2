"""What is worth taking home from a game, and its words."""

from __future__ import annotations

from dataclasses import replace

import cv2
import pygame
import pytest

from display import qr
from display.catalogue import LANGUAGES
from display.stage import draw
from display.view import Action, Buttons, Hint, Scene, View
from display.words import Words
from firmware.result_words import signed, texts
from firmware.results import Account, ReplayError, Result, Sheets, Turn, Turns, result_of
from tests.firmware import finished
from tests.firmware.finished import GAMES, recorded


def result(game: str) -> Result:
    found = result_of(recorded(GAMES[game]()))
    assert found is not None
    return found


def test_the_account_of_barbudi_has_every_throw_and_adds_up() -> None:
    found = result("barbudi")
    account = found.body
    assert isinstance(account, Account)
    first, second = account.deals
    assert (first.thrower, first.fader, first.pot) == ("Kari", "Ola", 10)
    assert first.throws == ((4, 2), (6, 5))
    assert first.changes == {"Kari": -5, "Ola": 4, "Пер": 0}
    assert second.throws == ((4, 4),)
    assert second.changes == {"Kari": -5, "Ola": 7, "Пер": -3}
    assert account.house == 2
    for name, score in found.outcome.scores:
        changes = sum(deal.changes[name] for deal in account.deals)
        assert account.start[name] + changes == score
    assert [place for place, _, _ in found.places()] == [1, 2, 3]


def test_a_void_round_and_a_throw_for_the_first_place_are_no_deals() -> None:
    from firmware.rules import Barbudi
    from firmware.rules.acts import Cover, Decline, Stake, Throw
    from firmware.rules.barbudi import BarbudiRules
    from firmware.rules.options import End

    game = Barbudi(("A", "B", "C"), BarbudiRules(end=End("rounds", 1)), chips=9)
    finished.played(game, *(Throw(who, (face,)) for who, face in (("A", 6), ("B", 2), ("C", 1))))
    finished.played(game, Decline("B"))
    finished.played(game, Stake("A", 2), Cover("C", 2), Throw("C", (6, 6)))
    found = result_of(recorded(game))
    assert found is not None
    assert isinstance(found.body, Account)
    assert [deal.throws for deal in found.body.deals] == [((6, 6),)]


def test_the_wager_of_barbut() -> None:
    account = result("barbut").body
    assert isinstance(account, Account)
    (deal,) = account.deals
    assert (deal.thrower, deal.fader, deal.pot) == ("Ana", "Boris", 14)
    assert deal.changes == {"Ana": 7, "Boris": -7}


def test_the_turns_of_the_three_dice_game() -> None:
    turns = result("barbut_bg").body
    assert isinstance(turns, Turns)
    assert turns.turns["Ana"] == (Turn(0, -300, "not_restored"), Turn(0, 0, "bust"))
    assert [(turn.total, turn.change) for turn in turns.turns["Boris"]] == [
        (700, 200),
        (1200, 500),
    ]


def test_the_sheets_of_balut_and_of_a_match() -> None:
    game = finished.balut()
    found = result_of(recorded(game))
    assert found is not None
    sheets = found.body
    assert isinstance(sheets, Sheets)
    assert sheets.games == (game.state.sheets,)
    match = result_of(recorded(finished.balut(games=2)))
    assert match is not None
    assert isinstance(match.body, Sheets)
    assert len(match.body.games) == 2
    assert match.body.games[0] == game.state.sheets


def test_an_open_game_has_no_result_and_a_wrong_one_is_refused() -> None:
    whole = recorded(finished.barbudi())
    assert result_of(replace(whole, acts=whole.acts[:-1])) is None
    with pytest.raises(ReplayError):
        result_of(replace(whole, acts=whole.acts[1:]))


# -- words


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_fullest_text_has_everything_and_the_last_the_totals(game: str, language: str) -> None:
    found = result(game)
    words = Words(language)
    told = texts(found, words, "Kafé Зар")
    assert len(told[0]) > len(told[-1])
    for text in told:
        assert text.splitlines()[0].startswith(words.game(game))
        assert text.splitlines()[0].endswith("Kafé Зар")
        for _, name, _ in found.places():
            assert name in text


def test_the_text_of_the_account_in_full() -> None:
    full, brief = texts(result("barbudi"), Words("en"))
    assert full.splitlines()[1:] == [
        "1. Ola: 61 chips (+11)",
        "2. Пер: 47 chips (−3)",
        "3. Kari: 40 chips (−10)",
        "1. 4-2 6-5: Kari −5, Ola +4",
        "2. 4-4: Kari −5, Ola +7, Пер −3",
    ]
    assert brief.splitlines() == full.splitlines()[:4]


def test_the_text_of_a_sheet_has_every_field() -> None:
    full = texts(result("balut"), Words("nb"))[0]
    assert "Firere 12 12 16 12 = 52 (2)" in full
    assert "Straight 20 15 20 20 = 75 (4)" in full
    assert "Balut 0 40 0 25 = 65 (4)" in full
    assert [signed(n) for n in (5, 0, -2)] == ["+5", "0", "−2"]


# -- the code on the screen


def decoded(surface: pygame.Surface) -> set[str]:
    """What OpenCV's two readers read; the first of them misses some codes at any size."""
    image = pygame.surfarray.array3d(surface).swapaxes(0, 1)[:, :, ::-1].copy()
    readers = (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco())
    return {reader.detectAndDecode(image)[0] for reader in readers}


@pytest.mark.parametrize("size", [(800, 480), (1024, 600), (600, 1024)])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_phone_reads_the_result_from_the_screen(
    game: str, language: str, size: tuple[int, int]
) -> None:
    told = texts(result(game), Words(language), "Kafé Зар")
    surface = pygame.Surface(size)
    buttons = Buttons(Hint(Action.SAVE_SHEET), Hint(Action.BACK))
    view = View(
        Scene.TAKE_HOME, buttons, language, game=game, take_home=((language, told),)
    )  # fmt: skip
    drawn = draw(surface, view, 0.0)
    assert not drawn.account.overflows
    read = decoded(surface) & set(told)
    assert read
    # While the sheet is made and when it is saved, it is the same code.
    draw(surface, replace(view, progress=0.5), 0.0)
    assert decoded(surface) & set(told) == read


def test_the_fullest_text_that_fits_is_taken() -> None:
    long, short = "x" * 900, "y" * 60
    found = qr.best([long, short], 360, 4, 3)
    assert found is not None
    assert found[0] == short
    assert qr.module(found[1], 360) >= 4
    # The last text may have smaller modules, and is given up below the least.
    found = qr.best(["z" * 600], 360, 4, 3)
    assert found is not None
    assert qr.module(found[1], 360) == 3
    assert qr.best(["z" * 900], 360, 4, 4) is None
    assert qr.best(["z" * 4000], 360, 4, 1) is None
    assert qr.best([], 360, 4, 3) is None
