"""House rules on four buttons: every rule of every game can have every value, and keeps it."""

from __future__ import annotations

from typing import Any

import pytest

from display.view import Action
from firmware.buttons import Button
from firmware.house_rules import HouseRulesDialog, offered, stepped
from firmware.rules import GAMES, RULES
from firmware.rules.options import Whole, from_json, options_of

SEATS = {"barbudi": 3, "barbut": 3, "barbut_bg": 3, "balut": 2}
ALL = [(game, key) for game in GAMES for key in options_of(RULES[game])]


def opened(game: str, config: dict[str, Any] | None = None) -> tuple[HouseRulesDialog, list[Any]]:
    taken: list[Any] = []
    return HouseRulesDialog(game, config or {}, taken.append), taken


def to(dialog: HouseRulesDialog, key: str) -> None:
    for _ in range(60):
        show = dialog.show()
        lines = [one.key for one in show["settings"]]
        if dialog.cursor < len(lines) and lines[dialog.cursor] == key:
            return
        if dialog.cursor == len(lines):
            dialog.press(Button.CONFIRM)
        else:
            dialog.press(Button.RIGHT)
    pytest.fail(f"{key} can not be reached")


@pytest.mark.parametrize(("game", "key"), ALL)
def test_every_rule_is_reached_and_every_value_is_taken_by_the_judge(game: str, key: str) -> None:
    kind, default = options_of(RULES[game])[key]
    for step in range(1, max(len(offered(kind)), 4)):
        dialog, taken = opened(game)
        to(dialog, key)
        for button in (Button.CONFIRM, *[Button.RIGHT] * step, Button.CONFIRM):
            dialog.press(button)
        players = [f"P{i}" for i in range(SEATS[game])]
        begun = GAMES[game].from_start({"players": players, "config": taken[-1]})
        wanted = stepped(kind, default, step)
        assert getattr(begun.state.rules, key) == wanted
        assert set(taken[-1]) == ({key} if wanted != default else set())


@pytest.mark.parametrize(("game", "key"), ALL)
def test_what_is_changed_back_is_as_usual(game: str, key: str) -> None:
    kind, default = options_of(RULES[game])[key]
    other = stepped(kind, default, 1)
    dialog, taken = opened(game, {key: kind.write(other)})
    assert [one.key for one in dialog.show()["settings"]] == [key]
    for button in (Button.CONFIRM, Button.LEFT, Button.CONFIRM):
        dialog.press(button)
    assert taken == [{}]
    assert dialog.show()["settings"][0].usual == ""


def test_what_differs_stands_first_and_stays_there() -> None:
    dialog, _ = opened("barbudi", {"vari": True, "two_shot": True})
    assert [one.key for one in dialog.show()["settings"]] == ["two_shot", "vari"]
    assert dialog.show()["options"] == (Action.ALL_RULES.value,)
    to(dialog, "starting_chips")
    keys = [one.key for one in dialog.show()["settings"]]
    assert keys[:2] == ["two_shot", "vari"]
    assert sorted(keys) == sorted(options_of(RULES["barbudi"]))
    for button in (Button.CONFIRM, Button.RIGHT, Button.CONFIRM):
        dialog.press(button)
    assert [one.key for one in dialog.show()["settings"]] == keys


def test_cancel_changes_nothing() -> None:
    dialog, taken = opened("balut", {"games": 3})
    for button in (Button.CONFIRM, Button.RIGHT, Button.BACK):
        dialog.press(button)
    assert dialog.show()["settings"][0].value == "3"
    assert not taken


def test_numbers_count_in_steps_of_their_size() -> None:
    some, none = Whole(1), Whole(1, none=True)
    assert [stepped(some, n, 1) for n in (1, 19, 20, 195, 200, 5550)] == [
        2,
        20,
        25,
        200,
        250,
        5600,
    ]
    assert [stepped(some, n, -1) for n in (1, 20, 25, 200, 250)] == [1, 19, 20, 195, 200]
    assert stepped(none, 1, -1) is None
    assert stepped(none, None, -1) is None
    assert stepped(none, None, 3) == 3
    assert stepped(some, 9999, 5) == 9999


def test_a_value_of_the_file_that_is_not_offered_stays_until_it_is_changed() -> None:
    config = {"end": {"mode": "rounds", "rounds": 17}}
    dialog, taken = opened("barbudi", config)
    assert dialog.show()["settings"][0].value == "rounds 17"
    dialog.press(Button.CONFIRM)
    dialog.press(Button.CONFIRM)
    assert taken == [config]
    assert from_json(RULES["barbudi"], taken[0]).end.limit == 17


def test_a_finger_opens_a_line_and_takes_its_value() -> None:
    dialog, taken = opened("barbudi", {"two_shot": True, "vari": True})
    assert not dialog.point("option", "9")
    assert not dialog.point("die", "0")
    assert dialog.point("option", "1")
    dialog.press(Button.CONFIRM)
    dialog.press(Button.RIGHT)
    assert not dialog.point("option", "0"), "another line must not take this one's value"
    assert dialog.point("option", "1")
    dialog.press(Button.CONFIRM)
    assert taken == [{"two_shot": True}]
