"""How the table looks and sounds: language, colours, sound, rotation; changed at once, and kept."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, ClassVar, Final

from display.catalogue import LANGUAGES
from display.view import Action, Buttons, Hint, Level, Notice, Scene, Setting
from firmware.buttons import Button
from firmware.dialogs import BACK, Command, Dialog, Intent
from firmware.options import DisplayOptions

log = logging.getLogger(__name__)

CYCLES: Final[dict[str, tuple[Any, ...]]] = {
    "language": tuple(LANGUAGES),
    "sounds": (True, False),
    "theme": ("dark", "contrast"),
}
"""What any player may change, and the values a press goes through."""


class Look:
    """What the screen is drawn in now. Whoever draws asks it every time."""

    def __init__(
        self,
        display: DisplayOptions | None = None,
        keep: Callable[[str, object], None] = lambda key, value: None,
    ) -> None:
        """`keep` saves an option by its full name (`display.language`) for the next start."""
        display = display or DisplayOptions()
        self.language = display.language
        self.theme = display.theme
        self.sounds = display.sounds
        self.rotation = display.rotation
        self._keep = keep

    def set(self, name: str, value: Any) -> bool:
        """Change one of the attributes at once; whether it will still be so after the next start.

        Raises:
            ValueError: it can not have that value.
        """
        setattr(self, name, value)
        try:
            self._keep(f"display.{name}", value)
        except OSError as error:
            log.warning("display.%s could not be saved: %s", name, error)
            return False
        return True

    def keeping(self, keep: Callable[[str, object], None]) -> Callable[[str, object], None]:
        """The same `keep` for the settings page: what belongs to the look is seen at once."""

        def kept(key: str, value: object) -> None:
            keep(key, value)
            section, _, name = key.partition(".")
            if section == "display" and name in vars(self):
                setattr(self, name, value)

        return kept


class LookDialog(Dialog):
    """Language, sound and colours, for whoever stands at the table."""

    scene: ClassVar[Scene] = Scene.QUICK_SETTINGS

    def __init__(self, look: Look) -> None:
        self.look = look
        self.cursor = 0
        self._kept = True

    def buttons(self) -> Buttons:
        """Left and right choose, confirm changes, back leaves."""
        return Buttons(Hint(Action.CHANGE), BACK, Hint(Action.PREVIOUS), Hint(Action.NEXT))

    def press(self, button: Button, held: int = 0) -> Intent:
        """See `buttons`."""
        match button:
            case Button.LEFT | Button.RIGHT:
                way = 1 if button is Button.RIGHT else -1
                self.cursor = (self.cursor + way) % len(CYCLES)
            case Button.BACK:
                return Command.CLOSE
            case Button.CONFIRM:
                name, values = list(CYCLES.items())[self.cursor]
                at = values.index(getattr(self.look, name))
                self._kept = self.look.set(name, values[(at + 1) % len(values)])
        return None

    def point(self, kind: str, name: str) -> bool:
        """A line is changed by touching it."""
        if kind != "option" or int(name) >= len(CYCLES):
            return False
        self.cursor = int(name)
        return True

    def show(self) -> dict[str, Any]:
        """The settings with their values now."""
        look = self.look
        values = (LANGUAGES[look.language], "on" if look.sounds else "off", look.theme)
        settings = tuple(Setting(name, value) for name, value in zip(CYCLES, values, strict=True))
        notice = None if self._kept else Notice("not_kept", Level.WARNING)
        return {"settings": settings, "cursor": self.cursor, "notice": notice}
