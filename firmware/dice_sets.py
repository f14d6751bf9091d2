"""Which dice are in play: sets by name, so that each is counted for itself.

The names stand in the configuration (`dice.sets`); which one is in play is chosen on the screen
and kept as a note in the record. The name stands beside every throw (`dice_set` in the act's
event); throws from before, or of dice without a name, have none.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from display.view import Action, Level, Notice
from firmware.dialogs import Dialog, Item, MenuDialog, Open
from firmware.journal import Journal
from firmware.operator_menu import Said
from firmware.record import Kind
from firmware.statedir import StateError
from firmware.statistics import DICE_SET

KEY: Final = DICE_SET
"""Of the name, in a note too."""


class DiceSets:
    """The sets of a table; `current` is the name of the one in play, empty without names."""

    def __init__(self, names: str, journal: Journal) -> None:
        """`names`: as in the configuration, separated by commas.

        Raises:
            StateError: the record can not be read.
        """
        found = (name.strip() for name in names.split(","))
        self.names = tuple(dict.fromkeys(name for name in found if name))
        self._journal = journal
        chosen = [note.body[KEY] for note in journal.notes() if KEY in note.body]
        known = [name for name in chosen if name in self.names]
        self.current = known[-1] if known else next(iter(self.names), "")

    def choose(self, name: str) -> None:
        """Play with these dice from now on; StateError when it can not be recorded."""
        self._journal.append(Kind.NOTE, {KEY: name}).result()
        self.current = name

    def item(self) -> Item | None:
        """The line of the menu that leads to the choice; None where there is none."""
        return Item(Action.DICE_SETS.value, Open(self._menu)) if len(self.names) > 1 else None

    def _menu(self) -> MenuDialog:
        menu = MenuDialog([Item(name, Open(partial(self._chosen, name))) for name in self.names])
        menu.cursor = self.names.index(self.current)
        return menu

    def _chosen(self, name: str) -> Dialog:
        try:
            self.choose(name)
        except StateError as error:
            return Said(Notice("storage", Level.FAULT, text=str(error)))
        return Said(Notice("dice_set", Level.GOOD, text=name))
