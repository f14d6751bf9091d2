"""The words: one for everything that can happen, in every language, in letters the fonts have."""

from __future__ import annotations

import ast
import string
import unicodedata
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

import display
import firmware
from display import catalogue
from display.catalogue import CatalogueError, compiled, read_po
from display.story import dice_text
from display.view import Action, Hint, Level, Notice, Scene, View, Watch
from display.vocabulary import NOTICES
from display.words import Words
from firmware.rules import barbudi, barbut, barbut_bg
from firmware.rules.balut import BalutRules
from firmware.rules.balut_sheet import ROWS
from firmware.rules.events import EVENTS
from firmware.rules.game import CODES, Event
from firmware.rules.options import options_of
from vision.reading import Problem

OTHERS = [language for language in catalogue.LANGUAGES if language != "en"]
RULES = (barbudi.BarbudiRules, barbut.BarbutRules, barbut_bg.BarbutBgRules, BalutRules)


@pytest.fixture(params=catalogue.LANGUAGES)
def words(request: pytest.FixtureRequest) -> Words:
    return Words(request.param)


def marked() -> Iterator[str]:
    """Every text in the code that is to be translated; plural forms joined by NUL."""
    roots = [Path(package.__path__[0]) for package in (display, firmware)]
    for path in sorted(path for root in roots for path in root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            texts = [
                argument.value
                for argument in node.args
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
            ]
            if name in ("say", "N_") and texts:
                yield texts[0]
            elif name == "plural" and len(texts) == 2:
                yield "\0".join(texts)


def messages(language: str) -> dict[str, list[str]]:
    return read_po((files("display") / "locale" / f"{language}.po").read_text(encoding="utf-8"))


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


# -- the catalogues


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_is_translated_and_none_is_left_over(language: str) -> None:
    wanted = set(marked())
    assert len(wanted) > 250
    found = set(messages(language)) - {""}
    assert wanted - found == set()
    assert found - wanted == set()


@pytest.mark.parametrize("language", OTHERS)
def test_placeholders_are_kept_in_every_form(language: str) -> None:
    for key, forms in messages(language).items():
        if not key:
            continue
        wanted = placeholders(key.split("\0")[-1])
        for form in forms:
            assert placeholders(form) == wanted, (key, form)


@pytest.mark.parametrize("language", OTHERS)
def test_texts_are_clean(language: str) -> None:
    for key, forms in messages(language).items():
        if not key:
            continue
        for form in forms:
            assert form == form.strip()
            assert not any(unicodedata.category(sign) == "Cc" for sign in form), form
            assert "  " not in form
            if len(key) > 6:  # an abbreviation may end with a point of its own
                assert (key[-1] in ".?!") == (form[-1] in ".?!"), (key, form)


@pytest.mark.parametrize("font", ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"])
def test_the_fonts_have_every_letter(font: str) -> None:
    with (files("display") / "fonts" / font).open("rb") as file:
        have = set(TTFont(file).getBestCmap())
    texts = [text for language in OTHERS for forms in messages(language).values() for text in forms]
    texts += [*marked(), *catalogue.LANGUAGES.values(), "–−…▏␣ÆØÅæøå"]
    missing = {
        sign for text in texts for sign in text if sign not in "\n\0" and ord(sign) not in have
    }
    assert missing == set()


def test_a_po_file_reads_as_its_author_meant_it() -> None:
    text = """
    # Comment
    msgid ""
    msgstr "Plural-Forms: nplurals=2; plural=(n != 1);\\n"

    #, fuzzy
    msgid "guessed"
    msgstr "gjettet"

    msgid "open"
    msgstr ""

    msgid "a \\"b\\""
    msgstr ""
    "c\\n"
    "d"
    msgid "{n} die"
    msgid_plural "{n} dice"
    msgstr[0] "{n} terning"
    msgstr[1] "{n} terninger"
    """
    found = read_po(text)
    assert found.pop("")[0].startswith("Plural-Forms")
    assert found == {'a "b"': ["c\nd"], "{n} die\0{n} dice": ["{n} terning", "{n} terninger"]}
    assert compiled(found)[:4] == b"\xde\x12\x04\x95"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('msgid "a"\nmsgstr b', 2),
        ('msgid "a"\nmsgstr "b"\nmsgstr "c"', 3),
        ('msgid "a"\nmsgword "b"', 2),
        ('"alone"', 1),
        ('msgid "a"\nmsgstr "unclosed', 2),
    ],
)
def test_a_broken_po_file_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(CatalogueError, match=f"nb.po, line {line}:"):
        read_po(text, "nb.po")


def test_an_unknown_language_speaks_english() -> None:
    assert Words("xx").game("barbut_bg") == "Barbut, three dice"


# -- a word for everything


@pytest.mark.parametrize("kind", EVENTS)
def test_every_event_is_told(words: Words, kind: str) -> None:
    event = Event(
        kind,
        "R-BD-6",
        who="Kari",
        other="Ola",
        dice=(6, 5),
        row={"game_over": "rounds", "row_filled": "fours"}.get(kind, "fours"),
        meaning="win",
        amount=5,
        total=10,
        shares=(("Kari", 6), ("Per", 4)),
    )
    sentence = words.event(event)
    assert sentence.endswith((".", "!"))
    assert "None" not in sentence
    assert "{" not in sentence


def test_a_deciding_throw_in_full() -> None:
    events = (
        Event("throw", "R-BD-6", who="Kari", dice=(4, 4), row="lose_double", meaning="lose"),
        Event("won", "R-BD-7", who="Ola", other="Kari", amount=5, total=10, shares=(("Ola", 10),)),
        Event("roles_move_on", "R-BD-8", who="Ola", other="Per"),
    )
    assert Words("en").story(events) == (
        "Kari throws 4-4 and loses. Ola takes the pot of 10. "
        "The roles move on: Ola throws, Per is fader."
    )
    assert Words("nb").story(events) == (
        "Kari kaster 4-4 og taper. Ola tar potten på 10. "
        "Rollene rykker videre: Ola kaster, Per er motstander."
    )


def test_every_key_has_a_word(words: Words) -> None:
    other = words.language != "en"
    for code in CODES:
        assert words.refusal(code) != code
    for code in (*CODES, *NOTICES, *Problem):
        assert words.notice(Notice(code, Level.WARNING)) != code
    for problem in Problem:
        assert words.problem(problem).endswith(".")
    for watch in Watch:
        assert words.watch(watch)
    for action in Action:
        assert words.label(Hint(action)) != action.value
    for scene in Scene:
        assert words.headline(View(scene))[1]
    for row in ROWS:
        assert (words.row(row) != row.capitalize()) == other or row in ("straight", "balut")
    for kind in RULES:
        for key, (option, default) in options_of(kind).items():
            assert words.rule(key) != key
            for value in (*getattr(option, "values", ()), default):
                if isinstance(value, str):
                    assert words.value(value) != value or not set(value) & {"_"}
    for reason in ("rounds", "time", "hand", "broke", "finished", "filled"):
        assert words.reason(reason) != reason
    for level in Level:
        assert words.level(level)


def test_plural_forms() -> None:
    forms = {n: Words("ru").chips(n) for n in (1, 2, 5, 11, 21, 104)}
    assert forms == {
        1: "1 фишка",
        2: "2 фишки",
        5: "5 фишек",
        11: "11 фишек",
        21: "21 фишка",
        104: "104 фишки",
    }
    assert [Words("bg").players(n) for n in (1, 2)] == ["1 играч", "2 играчи"]
    assert [Words("nb").chips(n) for n in (1, 2)] == ["1 sjetong", "2 sjetonger"]
    assert Words("en").points(-2) == "−2 points"


def test_notices_say_the_numbers_they_know() -> None:
    words = Words("en")
    wrong = Notice("wrong_count", Level.WARNING, (("due", 2), ("found", 3)))
    assert words.notice(wrong) == "2 due, 3 dice seen."
    players = Notice("players", Level.WARNING, (("low", 2), ("high", 9)))
    assert words.notice(players) == "This game is for 2 to 9 players."
    assert words.notice(Notice(text="As it is.")) == "As it is."


def test_dice_and_lists() -> None:
    assert dice_text((6, 5)) == "6-5"
    words = Words("en")
    assert words.names([]) == ""
    assert words.names(["Kari"]) == "Kari"
    assert words.names(["Kari", "Ola", "Per"]) == "Kari, Ola and Per"
    assert words.value("rounds 20") == "20 rounds"
    assert words.value("50") == "50"
