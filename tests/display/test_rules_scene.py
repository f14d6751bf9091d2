"""The rules on the screen: every page in every language and size whole, and large enough."""

from __future__ import annotations

import pygame
import pytest

from display import catalogue
from display.canvas import Canvas
from display.scenes import rules as scene
from display.stage import draw
from display.theme import BODY
from display.view import Scene, View
from display.words import Words
from firmware.rules import GAMES, BarbudiRules
from firmware.rules.text import Section, Table, rules_text
from tests.display.contact_sheet import SIZES

# Everything that Barbudi can have: the longest text of all.
LONGEST = BarbudiRules(two_shot=True, vari=True)


def pages(view: View, size: tuple[int, int]) -> list[str]:
    """The texts of all pages, each page drawn."""
    surface = pygame.Surface(size)
    least = Canvas(surface).pixels(BODY)
    found: list[str] = []
    number, count = 0, 1
    while number < count:
        shown = View(
            Scene.RULES, game=view.game, state=view.state, language=view.language, page=number
        )
        drawn = draw(surface, shown, 0.0)
        assert not drawn.account.overflows
        texts = [one.text for one in drawn.account.texts]
        inside = [one for one in drawn.account.texts if one.pixels < least]
        # Smaller than the body are only the name of the game and the number of the page.
        assert len(inside) <= 2
        for one in drawn.account.texts:
            assert surface.get_rect().contains(pygame.Rect(one.rect)), one.text
        number_text = next(text for text in reversed(texts) if " / " in text)
        count = int(number_text.split(" / ")[1])
        assert number_text == f"{number + 1} / {count}"
        found.append(" ".join(texts))
        number += 1
    return found


def strings(text: tuple[Section, ...]) -> list[str]:
    found: list[str] = []
    for section in text:
        found.append(section.title)
        for part in section.body:
            if isinstance(part, Table):
                found += [cell for row in (part.head, *part.rows) for cell in row]
            else:
                found.append(part)
    return found


@pytest.mark.parametrize("language", catalogue.LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("game", GAMES)
def test_all_of_the_rules_is_shown_and_none_of_it_cut(
    game: str, size: tuple[int, int], language: str
) -> None:
    shown = pages(View(Scene.RULES, game=game, language=language), size)
    whole = " ".join(" ".join(shown).split())
    for text in strings(rules_text(game, None, Words(language))):
        assert " ".join(text.split()) in whole
    assert len(shown) <= 12


def test_the_house_rules_that_are_played_are_told() -> None:
    class Played:
        rules = LONGEST

    view = View(Scene.RULES, game="barbudi", language="nb", state=Played())  # type: ignore[arg-type]
    whole = " ".join(pages(view, (800, 480)))
    assert "Two shot" in whole
    assert "Før sitt eget kast kan en spiller rope Vari" in whole


def test_a_section_is_torn_apart_only_where_it_is_longer_than_a_page() -> None:
    surface = pygame.Surface((800, 480))
    c = Canvas(surface)
    text = scene.sections("balut", None, "en")
    body = pygame.Rect(0, 0, 700, 300)
    whole = scene.flow(c, text, body)
    for page in whole:
        assert page[-1].kind not in ("title", "head")
        assert scene.height(page) <= body.height
    # Where a table goes on overleaf, its head is there again.
    torn = [page for page in whole if page[0].kind == "head"]
    assert torn
    assert all(page[1].kind == "row" for page in torn)


def test_after_the_last_page_comes_the_first() -> None:
    surface = pygame.Surface((800, 480))
    shown = []
    count = len(pages(View(Scene.RULES, game="barbut"), (800, 480)))
    for page in (0, count):
        draw(surface, View(Scene.RULES, game="barbut", page=page), 0.0)
        shown.append(pygame.image.tobytes(surface, "RGB"))
    assert shown[0] == shown[1]
