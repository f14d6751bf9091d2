"""The rules text takes every number from the tables: change a table and see the text change."""

from dataclasses import replace
from typing import Any

import pytest

from display.catalogue import LANGUAGES
from display.words import Words
from firmware.rules import (
    GAMES,
    BalutRules,
    BarbudiRules,
    BarbutBgRules,
    BarbutRules,
    End,
    FixedFee,
    PercentFee,
    balut,
    balut_sheet,
    balut_turn,
    barbudi,
    bg_values,
    options,
    pairs,
)
from firmware.rules.text import plain, rules_text


def text(game: str, rules: Any = None, language: str = "en") -> str:
    return " ".join(plain(rules_text(game, rules, Words(language))).split())


def test_without_a_tongue_it_is_english() -> None:
    assert rules_text("balut") == rules_text("balut", None, Words("en"))


@pytest.mark.parametrize("game", GAMES)
def test_every_section_has_a_rule_and_tables_are_even(game: str) -> None:
    for section in rules_text(game):
        assert section.rule.startswith("R-")
        assert section.body
        for part in section.body:
            if not isinstance(part, str):
                assert {len(row) for row in part.rows} == {len(part.head)}


def test_a_changed_throw(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "6-6, 5-5, 3-3 wins" in text("barbudi")
    win, lose = pairs.TABLE[0], pairs.TABLE[2]
    changed = (
        replace(win, pairs=((6, 6), (5, 5), (2, 2))),
        pairs.TABLE[1],
        replace(lose, pairs=((4, 4), (3, 3), (1, 1))),
        *pairs.TABLE[3:],
    )
    monkeypatch.setattr(pairs, "TABLE", changed)
    assert pairs.classify((2, 2)).meaning == "win"  # the judge reads the same table
    for game in ("barbudi", "barbut"):
        assert "6-6, 5-5, 2-2 wins" in text(game)
        assert "4-4, 3-3, 1-1 loses" in text(game)


def test_a_changed_value(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "1-1-1 1000" in text("barbut_bg")
    monkeypatch.setitem(bg_values.COMBINATIONS, (1, 1, 1), 1234)
    monkeypatch.setitem(bg_values.SINGLES, 5, 60)
    assert bg_values.value((1, 1, 1)).points == 1234
    assert "1-1-1 1234" in text("barbut_bg")
    assert "each 5 otherwise 60" in text("barbut_bg")


def test_a_changed_threshold(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "2 for a sum of 52 or more" in text("balut")
    assert "650–812 +6" in text("balut")
    fours = replace(balut_sheet.ROWS["fours"], at_least=56, points=3)
    monkeypatch.setitem(balut_sheet.ROWS, "fours", fours)
    assert "3 for a sum of 56 or more" in text("balut")
    assert balut_sheet.row_points("fours", (16, 12, 12, 12)) == 0
    monkeypatch.setattr(balut_sheet, "ADDITION", ((20, -3), (700, 9)))
    assert "700–812 +9" in text("balut")
    assert balut_sheet.addition(700) == 9
    monkeypatch.setattr(balut_sheet, "BALUT_BASE", 30)
    assert "30 and the sum of all dice" in text("balut")


def test_changed_numbers_of_players_and_throws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(barbudi, "SEATS", (3, 8))
    assert "3 to 8 players" in text("barbudi")
    monkeypatch.setattr(balut, "SEATS", (2, 5))
    monkeypatch.setattr(balut_turn, "THROWS", 4)
    assert "2 to 5 players" in text("balut")
    assert "up to 3 times more" in text("balut")


@pytest.mark.parametrize(
    ("game", "rules", "words"),
    [
        ("barbudi", BarbudiRules(house_fee=PercentFee(375)), "takes 3.75 %"),
        ("barbudi", BarbudiRules(house_fee=FixedFee(2)), "takes 2 chips of each decided round"),
        ("barbudi", BarbudiRules(fixed_stake=7), "stakes exactly 7 chips"),
        ("barbudi", BarbudiRules(starting_chips=33), "33 chips each"),
        ("barbudi", BarbudiRules(end=End("rounds", 12)), "ends after 12 rounds"),
        ("barbudi", BarbudiRules(end=End("minutes", 1)), "ends after 1 minute;"),
        ("barbudi", BarbudiRules(two_shot=True), "but 6-5 and 2-1 only half"),
        ("barbudi", BarbudiRules(vari=True), "may call Vari"),
        ("barbudi", BarbudiRules(start="host"), "The host names who begins"),
        ("barbut", BarbutRules(next_opponent="queue"), "goes to the back"),
        ("barbut", options.from_json(BarbutRules, {"special_pay": {"6-6": "2/3"}}), "pays 2/3"),
        ("barbut_bg", BarbutBgRules(target=1000), "1000 points or more"),
        ("barbut_bg", BarbutBgRules(finish="exact"), "5550 points exactly"),
        ("barbut_bg", BarbutBgRules(max_throws=4), "After throw 4 of a turn"),
        ("barbut_bg", BarbutBgRules(opening="only"), "nothing but 1s and 5s"),
        ("balut", BalutRules(games=3), "A match is 3 games"),
        ("balut", BalutRules(variant="singapore"), "7 rows of 1 field, so 7 rounds"),
        ("balut", BalutRules(variant="singapore"), "all dice alike: 30"),
    ],
)
def test_house_rules_are_told(game: str, rules: Any, words: str) -> None:
    assert words in text(game, rules)
    assert words not in text(game)


def house_rules(game: str, key: str, option: options.Option) -> list[Any]:
    values = {
        "fixed_stake": [4],
        "house_fee": [{"mode": "fixed", "amount": 1}],
        "end": [{"rounds": 3}, {"minutes": 9}],
        "special_pay": [{"1-1": [1, 2]}],
    }
    if key in values:
        return values[key]
    if isinstance(option, options.Choice):
        return list(option.values)
    if isinstance(option, options.Switch):
        return [True, False]
    return [3]


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
@pytest.mark.parametrize("game", GAMES)
def test_every_language_has_the_whole_text(game: str, language: str) -> None:
    """The same sections, paragraphs and tables, and no paragraph left in English."""
    for one, other in zip(rules_text(game), rules_text(game, None, Words(language)), strict=True):
        assert one.rule == other.rule
        for part, told in zip(one.body, other.body, strict=True):
            if isinstance(part, str):
                assert told != part
            else:
                assert isinstance(told, type(part))
                assert len(told.rows) == len(part.rows)
                assert told.head != part.head


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_changed_table_changes_every_language(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(bg_values.COMBINATIONS, (1, 1, 1), 1234)
    assert "1-1-1 1234" in text("barbut_bg", language=language)
    monkeypatch.setattr(balut_sheet, "ADDITION", ((20, -3), (700, 9)))
    assert "700–812 +9" in text("balut", language=language)
    monkeypatch.setattr(barbudi, "SEATS", (3, 17))
    assert "17" in text("barbudi", language=language)
    win = replace(pairs.TABLE[0], pairs=((6, 6), (5, 5), (2, 2)))
    monkeypatch.setattr(pairs, "TABLE", (win, *pairs.TABLE[1:]))
    assert "6-6, 5-5, 2-2" in text("barbut", language=language)


def test_numbers_bend_their_words() -> None:
    for n, wanted in ((1, "1 фишка"), (3, "3 фишки"), (50, "50 фишек"), (101, "101 фишка")):
        assert f"у каждого {wanted}." in text("barbudi", BarbudiRules(starting_chips=n), "ru")
    assert "3,75 % av utbetalingen" in text(
        "barbudi", BarbudiRules(house_fee=PercentFee(375)), "nb"
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_house_rule_changes_the_text(game: str, language: str) -> None:
    kind = {"barbudi": BarbudiRules, "barbut": BarbutRules, "barbut_bg": BarbutBgRules}.get(
        game, BalutRules
    )
    for key, (option, _) in options.options_of(kind).items():
        base = {"two_shot": True} if key == "two_shot_rotation" else {}
        told = {
            text(game, options.from_json(kind, {**base, key: value}), language)
            for value in house_rules(game, key, option)
        }
        assert told != {text(game, options.from_json(kind, base), language)}, key
