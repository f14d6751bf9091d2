"""Which dice stay before the next throw, or which field they are entered in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from display.view import Action, Buttons, Hint
from firmware.buttons import Button
from firmware.dialogs import BACK, TAKE_BACK, Command, Dialog, Do, Intent, Item, MenuDialog
from firmware.rules import acts
from firmware.rules.balut import BalutState
from firmware.rules.balut_sheet import ROWS, field_value
from firmware.rules.game import ChoiceWanted, Keep, Want


class BalutDialog(Dialog):
    """Keep dice and throw again, or enter the dice in a row (R-BL-2, R-BL-3).

    The cursor runs over the five dice and, behind them, "score" and "by hand"; scoring runs over
    the free rows.
    """

    def __init__(self, state: BalutState, rows: ChoiceWanted, *, may_throw: bool) -> None:
        self.state = state
        self.rows = rows
        self.may_throw = may_throw
        self.kept = [False] * len(state.table)
        self.cursor = 0
        self.row = 0
        self.keeping = may_throw
        self.armed = False

    @property
    def keep(self) -> tuple[int, ...]:
        """Faces marked to be kept, in the state's order."""
        return tuple(face for face, kept in zip(self.state.table, self.kept, strict=True) if kept)

    @property
    def at_score(self) -> bool:
        """The cursor stands behind the last die."""
        return self.keeping and self.cursor == len(self.kept)

    def buttons(self) -> Buttons:
        """Over the dice: keep, let go, score. Over the rows: enter or strike."""
        left, right = Hint(Action.PREVIOUS), Hint(Action.NEXT)
        if not self.keeping:
            category = self.rows.options[self.row]
            value = field_value(category, self.state.table, self.state.rules.variant)
            if value:
                confirm = Hint(Action.ENTER, value)
            else:
                confirm = Hint(Action.STRIKE_SURE if self.armed else Action.STRIKE)
            return Buttons(confirm, BACK if self.may_throw else TAKE_BACK, left, right)
        if self.at_score:
            confirm = Hint(Action.SCORE)
        elif self.cursor > len(self.kept):
            confirm = Hint(Action.BY_HAND)
        else:
            confirm = Hint(Action.LET_GO if self.kept[self.cursor] else Action.KEEP)
        return Buttons(confirm, TAKE_BACK, left, right)

    def press(self, button: Button, held: int = 0) -> Intent:
        """See `buttons`."""
        if not self.keeping:
            return self._press_row(button)
        places = len(self.kept) + 2
        match button:
            case Button.LEFT:
                self.cursor = (self.cursor - 1) % places
            case Button.RIGHT:
                self.cursor = (self.cursor + 1) % places
            case Button.BACK:
                return Command.ASK_TAKE_BACK
            case Button.CONFIRM if self.at_score:
                self.keeping = False
            case Button.CONFIRM if self.cursor > len(self.kept):
                return Command.BY_HAND
            case Button.CONFIRM:
                self._toggle()
        return None

    def _toggle(self) -> None:
        """Keep or let go; not all five, for then there is nothing to throw."""
        self.kept[self.cursor] = not self.kept[self.cursor]
        if all(self.kept):
            self.kept[self.cursor] = False

    def _press_row(self, button: Button) -> Intent:
        rows = self.rows.options
        match button:
            case Button.LEFT | Button.RIGHT:
                self.row = (self.row + (1 if button is Button.RIGHT else -1)) % len(rows)
                self.armed = False
            case Button.BACK:
                self.armed = False
                if not self.may_throw:
                    return Command.ASK_TAKE_BACK
                self.keeping = True
            case Button.CONFIRM:
                category = rows[self.row]
                value = field_value(category, self.state.table, self.state.rules.variant)
                if value == 0 and not self.armed:
                    self.armed = True
                    return None
                return Do(acts.Enter(self.rows.by, category))
        return None

    def point(self, kind: str, name: str) -> bool:
        """A die is kept or let go by touching it; a row is reached, but entered with confirm."""
        if kind == "row" and name in self.rows.options:
            self.keeping, self.armed = False, False
            self.row = self.rows.options.index(name)
        elif kind == "die" and self.keeping and int(name) < len(self.kept):
            self.cursor = int(name)
            return True
        return False

    def show(self) -> dict[str, Any]:
        """The kept dice, or the row that is reached."""
        if self.keeping:
            return {"keeping": True, "kept": tuple(self.kept), "cursor": self.cursor}
        return {
            "kept": tuple(self.kept),
            "cursor": list(ROWS).index(self.rows.options[self.row]),
            "armed": self.armed,
        }


class KeepDialog(MenuDialog):
    """Three dice, `set_aside = choose`: which scoring dice stay; then throw, or record."""

    def __init__(self, keeps: Sequence[Keep], bank: Want | None) -> None:
        self.keeps = tuple(keeps)
        done = Do(acts.Bank(bank.by)) if isinstance(bank, ChoiceWanted) else None
        super().__init__(
            [Item("-".join(map(str, keep.faces)), done) for keep in self.keeps], root=True
        )

    @property
    def keep(self) -> tuple[int, ...]:
        """Faces that stay."""
        return self.keeps[self.cursor].faces

    def buttons(self) -> Buttons:
        """Left and right choose what stays; confirm records instead of throwing."""
        can_record = self.items[self.cursor].intent is not None
        return replace(super().buttons(), confirm=Hint(Action.RECORD) if can_record else None)
