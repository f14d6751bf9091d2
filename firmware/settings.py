"""The operator's settings page: every option of the one table, changed with four buttons.

What is changed is checked like the file, saved in `settings.toml` in the state folder, and counts
from the next start of the table, which the page says. Options that need a keyboard (a folder)
are shown and can be set in `dicetable.toml` only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from display.view import Action, Buttons, Hint, Level, Notice, Scene, Setting
from firmware.buttons import Button
from firmware.dialogs import BACK, Command, Dialog, Intent
from firmware.options import OPTIONS, Config, Option, clashes, toml

Value = bool | int | float | str

OFFERED = {
    "camera.source": ("picamera2", "picamera2:1", "webcam", "webcam:1", "simulated"),
}
"""What is offered for options that could be many things."""
FINE = {"camera.gain": 0.1, "camera.red_gain": 0.05, "camera.blue_gain": 0.05, "camera.focus": 0.05}
"""Steps of numbers that are not whole."""
COARSE = {"camera.width": 32, "camera.height": 24, "camera.exposure_us": 100}
"""Steps of whole numbers that go up by more than one."""
PIN_DIGITS = 4


class SettingsPage(Dialog):
    """Left and right choose an option, confirm opens it; then they change it and confirm saves."""

    scene: ClassVar[Scene] = Scene.SETTINGS

    def __init__(self, config: Config, save: Callable[[str, Value], None]) -> None:
        """`config` is what the table was started with; `save` keeps an option for good.

        `save` raises ValueError (no such value) or OSError (it can not be written).
        """
        self.cursor = 0
        self.editing = False
        self._config = config
        self._save = save
        self._value: Value = ""
        self._digits = ""
        self._notice: Notice | None = None
        self._changed: set[str] = set()

    @property
    def _option(self) -> Option:
        return list(OPTIONS.values())[self.cursor]

    # --- buttons ---------------------------------------------------------------------------------

    def buttons(self) -> Buttons:
        """See the class."""
        if not self.editing:
            changes = Hint(Action.CHANGE) if choices(self._option) is not None else None
            return Buttons(changes, BACK, Hint(Action.PREVIOUS), Hint(Action.NEXT))
        taking = self._option.limits.secret and len(self._digits) + 1 < PIN_DIGITS
        return Buttons(
            Hint(Action.NEXT if taking else Action.CONFIRM),
            Hint(Action.CANCEL),
            Hint(Action.LESS),
            Hint(Action.MORE),
        )

    def press(self, button: Button, held: int = 0) -> Intent:
        """See the class; `held` makes numbers go faster."""
        way = {Button.LEFT: -1, Button.RIGHT: 1}.get(button, 0)
        self._notice = None
        if self.editing:
            self._edit(button, way * max(1, held))
        elif way:
            self.cursor = (self.cursor + way) % len(OPTIONS)
        elif button is Button.BACK:
            return Command.CLOSE
        elif choices(self._option) is not None:
            self.editing = True
            self._digits = ""
            self._value = (
                "0" if self._option.limits.secret else value_of(self._config, self._option)
            )
        return None

    def point(self, kind: str, name: str) -> bool:
        """An option is opened by touching it."""
        if kind != "option" or self.editing or int(name) >= len(OPTIONS):
            return False
        self.cursor = int(name)
        return True

    def _edit(self, button: Button, steps: int) -> None:
        option = self._option
        if button is Button.BACK:
            self.editing = False
        elif steps:
            self._value = moved(option, self._value, steps)
        elif option.limits.secret:
            self._digits += str(self._value)
            if len(self._digits) == PIN_DIGITS:
                self._keep(self._digits)
        else:
            self._keep(self._value)

    def _keep(self, value: Value) -> None:
        """Save a value, or say why that can not be."""
        option = self._option
        self.editing = False
        changed = with_value(self._config, option, value)
        clash = [text for key, text in clashes(changed.panel) if option.section == "panel"]
        try:
            if clash:
                raise ValueError(clash[0])
            self._save(option.key, value)
        except ValueError as error:
            self._notice = Notice(level=Level.WARNING, text=f"{option.key}: {error}")
        except OSError as error:
            self._notice = Notice("storage", Level.WARNING, text=str(error))
        else:
            self._config = changed
            self._changed.add(option.key)
            self._notice = Notice("next_start", Level.GOOD)

    # --- what is shown ---------------------------------------------------------------------------

    def show(self) -> dict[str, Any]:
        """Every option with its value, and what the chosen one means and may be."""
        option = self._option
        lines = []
        for at, one in enumerate(OPTIONS.values()):
            value = value_of(self._config, one)
            if at == self.cursor and self.editing:
                value = self._value
            usual = shown(one, one.default) if value != one.default else ""
            lines.append(Setting(one.key, self._shown(one, value), usual))
        about = f"{option.limits.help} ({option.wanted()})"
        return {
            "settings": tuple(lines),
            "cursor": self.cursor,
            "editing": self.editing,
            "typed": about,
            "notice": self._notice,
        }

    def _shown(self, option: Option, value: Value) -> str:
        if not option.limits.secret:
            return shown(option, value)
        if self.editing and option is self._option:
            return ("•" * len(self._digits) + str(value)).ljust(PIN_DIGITS, "_")
        return "•" * PIN_DIGITS


def choices(option: Option) -> Sequence[Value] | None:
    """What left and right go through; empty: steps of a number; None: not with buttons."""
    if option.key in OFFERED:
        return OFFERED[option.key]
    if option.limits.choices:
        return option.limits.choices
    if option.kind is bool:
        return (False, True)
    if option.limits.secret:
        return tuple("0123456789")
    return () if option.kind in (int, float) else None


def moved(option: Option, value: Value, steps: int) -> Value:
    """The value so many steps further; never one that the option may not have."""
    through = choices(option)
    if through:
        # What stands in a file need not be one of those offered.
        at = list(through).index(value) if value in through else -1 if steps > 0 else 0
        return through[(at + steps) % len(through)]
    assert isinstance(value, int | float)
    step = FINE.get(option.key, COARSE.get(option.key, 1))
    low = option.limits.low if option.limits.low is not None else float("-inf")
    high = option.limits.high if option.limits.high is not None else float("inf")
    further = min(max(value + steps * step, low), high)
    return int(further) if option.kind is int else round(float(further), 3)


def value_of(config: Config, option: Option) -> Value:
    """The value of an option."""
    value: Value = getattr(getattr(config, option.section), option.name)
    return value


def with_value(config: Config, option: Option, value: Value) -> Config:
    """The configuration with another value."""
    section = replace(getattr(config, option.section), **{option.name: value})
    return replace(config, **{option.section: section})


def shown(option: Option, value: Value) -> str:
    """A value for the screen; on and off are translated there."""
    if option.kind is bool:
        return "on" if value else "off"
    return str(value) if option.kind is str else toml(value)
