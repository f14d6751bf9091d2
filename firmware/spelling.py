"""A name, spelt letter by letter with four buttons, a finger or a keyboard."""

from __future__ import annotations

from typing import Final

from display.view import Action, Hint
from firmware.buttons import Button

LATIN: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZÆØÅ"
RUSSIAN: Final = "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ"
BULGARIAN: Final = "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЬЮЯ"
ALPHABETS: Final = {"bg": BULGARIAN, "ru": RUSSIAN}
"""The letters offered first in a language; all others begin with Latin ones."""
SIGNS: Final = "- "
"""What a name may have between its letters."""
LENGTH: Final = 12


class Spelling:
    """A new name on its way."""

    def __init__(self, language: str = "en") -> None:
        self.typed = ""
        self.cursor = 0
        self._own = ALPHABETS.get(language, RUSSIAN)
        self._letters = ALPHABETS.get(language, LATIN)

    @property
    def options(self) -> tuple[str, ...]:
        """The letters, then the other alphabet, then the end."""
        return (*self._letters, *SIGNS, Action.LETTERS.value, Action.ADD.value)

    @property
    def _option(self) -> str:
        return self.options[self.cursor]

    @property
    def confirm(self) -> Hint:
        """What the confirm button does at the cursor."""
        known = self._option in (Action.ADD, Action.LETTERS)
        return Hint(Action(self._option) if known else Action.LETTER)

    @property
    def back(self) -> Hint:
        """What the back button does."""
        return Hint(Action.DELETE if self.typed else Action.BACK)

    @property
    def name(self) -> str:
        """The name as it is taken."""
        return self.typed.strip(SIGNS)

    def press(self, button: Button) -> bool:
        """A button was pressed; whether the spelling is over (with or without a `name`)."""
        match button:
            case Button.LEFT | Button.RIGHT:
                way = 1 if button is Button.RIGHT else -1
                self.cursor = (self.cursor + way) % len(self.options)
            case Button.BACK if self.typed:
                self.typed = self.typed[:-1]
            case Button.BACK:
                return True
            case Button.CONFIRM if self._option == Action.LETTERS:
                self._letters = self._own if self._letters == LATIN else LATIN
                self.cursor = self.options.index(Action.LETTERS.value)
            case Button.CONFIRM if self._option == Action.ADD:
                return True
            case Button.CONFIRM:
                inside = self.typed != "" and self.typed[-1] not in SIGNS
                self.type(self._option.lower() if inside else self._option)
        return False

    def type(self, text: str) -> None:
        """Letters from the buttons or a keyboard; what can not be printed is left out."""
        if text.isprintable():
            self.typed = (self.typed + text)[:LENGTH]
