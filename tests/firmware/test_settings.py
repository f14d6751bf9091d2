"""The operator's settings page: every option with four buttons, checked and kept for good."""

from __future__ import annotations

from pathlib import Path

import pytest

from display.view import Action, Level
from firmware import config as configuration
from firmware.buttons import Button
from firmware.config import save_setting
from firmware.dialogs import Command
from firmware.options import OPTIONS, Config
from firmware.settings import SettingsPage, choices, moved, value_of


@pytest.fixture
def page(tmp_path: Path) -> SettingsPage:
    return SettingsPage(Config(), lambda key, value: save_setting(tmp_path, key, value))


def go_to(page: SettingsPage, key: str) -> None:
    while list(OPTIONS)[page.cursor] != key:
        page.press(Button.RIGHT)


def press(page: SettingsPage, *buttons: Button) -> None:
    for button in buttons:
        page.press(button)


def test_every_option_stands_there_with_its_value_its_meaning_and_what_it_may_be(
    page: SettingsPage,
) -> None:
    for option in OPTIONS.values():
        shown = page.show()
        assert shown["settings"][shown["cursor"]].key == option.key
        assert option.limits.help in shown["typed"]
        assert option.wanted() in shown["typed"]
        page.press(Button.RIGHT)
    assert page.cursor == 0
    assert page.press(Button.BACK) is Command.CLOSE


@pytest.mark.parametrize("key", [key for key, one in OPTIONS.items() if choices(one) is not None])
def test_every_value_that_the_buttons_reach_is_allowed(key: str) -> None:
    option = OPTIONS[key]
    for way in (1, -1):
        value = "0" if option.limits.secret else value_of(Config(), option)
        for _ in range(40):
            value = moved(option, value, way * 5)
            if not option.limits.secret:
                assert option.read(value) == value


def test_a_change_is_kept_and_counts_from_the_next_start(
    page: SettingsPage, tmp_path: Path
) -> None:
    go_to(page, "camera.fps")
    press(page, Button.CONFIRM, Button.RIGHT, Button.RIGHT)
    assert page.buttons().confirm is not None
    assert page.show()["settings"][page.cursor].value == "17"
    press(page, Button.CONFIRM)
    notice = page.show()["notice"]
    assert (notice.code, notice.level) == ("next_start", Level.GOOD)
    assert page.show()["settings"][page.cursor].usual == "15"
    loaded = configuration.load(tmp_path / "none.toml", tmp_path)
    assert loaded.config.camera.fps == 17


def test_back_changes_nothing(page: SettingsPage, tmp_path: Path) -> None:
    go_to(page, "dice.rail")
    press(page, Button.CONFIRM, Button.RIGHT, Button.BACK)
    assert page.show()["settings"][page.cursor].value == "on"
    assert not (tmp_path / configuration.SETTINGS_NAME).exists()


def test_a_pin_that_another_wire_has_is_refused_with_a_reason(
    page: SettingsPage, tmp_path: Path
) -> None:
    go_to(page, "panel.confirm_pin")
    press(page, Button.CONFIRM)
    while page.show()["settings"][page.cursor].value != str(Config().panel.back_pin):
        page.press(Button.RIGHT)
    press(page, Button.CONFIRM)
    notice = page.show()["notice"]
    assert notice.level is Level.WARNING
    assert "is used by" in notice.text
    assert not (tmp_path / configuration.SETTINGS_NAME).exists()


def test_the_operators_pin_is_typed_digit_by_digit_and_never_shown(
    page: SettingsPage, tmp_path: Path
) -> None:
    go_to(page, "table.operator_pin")
    assert page.show()["settings"][page.cursor].value == "••••"
    press(page, Button.CONFIRM)
    for _ in range(4):
        press(page, Button.RIGHT, Button.RIGHT, Button.CONFIRM)
    loaded = configuration.load(tmp_path / "none.toml", tmp_path)
    assert loaded.config.table.operator_pin == "2468"
    assert page.show()["settings"][page.cursor].value == "••••"


def test_what_needs_a_keyboard_is_shown_and_not_opened(page: SettingsPage) -> None:
    go_to(page, "state.folder")
    assert page.buttons().confirm is None
    press(page, Button.CONFIRM)
    assert not page.editing


def test_a_disk_that_takes_nothing_is_said(tmp_path: Path) -> None:
    def full(key: str, value: object) -> None:
        raise OSError("no space left on the card")

    page = SettingsPage(Config(), full)
    go_to(page, "camera.fps")
    press(page, Button.CONFIRM, Button.RIGHT, Button.CONFIRM)
    shown = page.show()
    assert "no space left" in shown["notice"].text
    assert shown["settings"][page.cursor].value == "15"


def test_a_line_is_opened_by_touching_it(page: SettingsPage) -> None:
    assert page.point("option", "3")
    page.press(Button.CONFIRM)
    assert page.editing
    assert page.buttons().left is not None
    assert page.buttons().left.action is Action.LESS
