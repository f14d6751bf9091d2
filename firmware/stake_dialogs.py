"""Stakes, covers, wagers and side bets, chosen with the four buttons."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

from display.view import Action, Buttons, Hint
from firmware.buttons import Button
from firmware.dialogs import BACK, TAKE_BACK, Command, Dialog, Do, Intent, Open
from firmware.rules import acts
from firmware.rules.game import AmountWanted, ChoiceWanted, SideBetWanted


class AmountDialog(Dialog):
    """A stake, a cover or a wager; one below the lowest amount is "no", where that is allowed."""

    HINTS: ClassVar[Mapping[str, Action]] = {
        "stake": Action.STAKE,
        "cover": Action.COVER,
        "wager": Action.WAGER,
    }

    def __init__(self, want: AmountWanted, decline: ChoiceWanted | None, amount: int) -> None:
        self.want = want
        self.decline = decline
        self.amount: int | None = min(max(amount, want.low), want.high)

    def buttons(self) -> Buttons:
        """Less and more; confirm stakes, covers or declines."""
        if self.amount is None:
            confirm = Hint(Action.DECLINE)
        elif self.amount == 0:
            confirm = Hint(Action.COVER_NOTHING)
        else:
            confirm = Hint(self.HINTS[self.want.op], self.amount)
        can_sink = self.amount is not None and (
            self.amount > self.want.low or self.decline is not None
        )
        can_rise = self.amount is None or self.amount < self.want.high
        return Buttons(
            confirm=confirm,
            back=TAKE_BACK,
            left=Hint(Action.LESS) if can_sink else None,
            right=Hint(Action.MORE) if can_rise else None,
        )

    def press(self, button: Button, held: int = 0) -> Intent:
        """See `buttons`."""
        match button:
            case Button.LEFT:
                self._sink(held)
            case Button.RIGHT:
                low = self.want.low
                up = held or 1
                self.amount = low if self.amount is None else min(self.amount + up, self.want.high)
            case Button.BACK:
                return Command.ASK_TAKE_BACK
            case Button.CONFIRM:
                return self._confirm()
        return None

    def _sink(self, held: int) -> None:
        """Less; "no" is reached only by a press of its own, not by holding."""
        if self.amount is None:
            return
        if self.amount > self.want.low:
            self.amount = max(self.amount - (held or 1), self.want.low)
        elif self.decline is not None and not held:
            self.amount = None

    def _confirm(self) -> Intent:
        if self.amount is None:
            assert self.decline is not None
            return Do(acts.Decline(self.decline.by))
        if "two_shot" in self.want.options:
            return Open(partial(DemandDialog, self.want.by, self.amount))
        match self.want.op:
            case "stake":
                return Do(acts.Stake(self.want.by, self.amount))
            case "cover":
                return Do(acts.Cover(self.want.by, self.amount))
            case _:
                return Do(acts.Wager(self.amount))

    def show(self) -> dict[str, Any]:
        """The amount; None stands for "no"."""
        return {"amount": self.amount}


class DemandDialog(Dialog):
    """The stake is chosen: does the fader demand two shot? (R-BD-10)"""

    def __init__(self, by: str, amount: int) -> None:
        self.by = by
        self.amount = amount
        self.demand = False

    def buttons(self) -> Buttons:
        """Left and right switch the demand."""
        switch = Hint(Action.TWO_SHOT)
        return Buttons(
            confirm=Hint(Action.STAKE, self.amount), back=BACK, left=switch, right=switch
        )

    def press(self, button: Button, held: int = 0) -> Intent:
        """See `buttons`."""
        match button:
            case Button.BACK:
                return Command.CLOSE
            case Button.CONFIRM:
                return Do(acts.Stake(self.by, self.amount, self.demand))
            case _:
                self.demand = not self.demand
        return None

    def show(self) -> dict[str, Any]:
        """The amount and the demand."""
        return {"amount": self.amount, "demand": self.demand}


class SideBetDialog(Dialog):
    """Who backs the thrower, who the fader, and how much (R-BD-5)."""

    def __init__(self, want: SideBetWanted) -> None:
        self.limits = dict(want.limits)
        self.picks: tuple[str, ...] = ()
        self.cursor = 0
        self.amount = 1

    @property
    def options(self) -> tuple[str, ...]:
        """Who may still be picked."""
        return tuple(name for name in self.limits if name not in self.picks)

    @property
    def high(self) -> int:
        """What both can pay."""
        return min(self.limits[name] for name in self.picks)

    def buttons(self) -> Buttons:
        """First two names, then the amount."""
        if len(self.picks) == 2:
            return Buttons(
                confirm=Hint(Action.SIDE_BET, self.amount),
                back=BACK,
                left=Hint(Action.LESS) if self.amount > 1 else None,
                right=Hint(Action.MORE) if self.amount < self.high else None,
            )
        return Buttons(
            confirm=Hint(Action.CHOOSE),
            back=BACK,
            left=Hint(Action.PREVIOUS),
            right=Hint(Action.NEXT),
        )

    def press(self, button: Button, held: int = 0) -> Intent:
        """See `buttons`."""
        if button is Button.BACK:
            return self._back()
        if button is Button.CONFIRM:
            if len(self.picks) == 2:
                return Do(acts.SideBet(self.picks[0], self.picks[1], self.amount))
            self.picks = (*self.picks, self.options[self.cursor])
            self.cursor = 0
        elif len(self.picks) == 2:
            way = 1 if button is Button.RIGHT else -1
            self.amount = min(max(self.amount + way * (held or 1), 1), self.high)
        else:
            way = 1 if button is Button.RIGHT else -1
            self.cursor = (self.cursor + way) % len(self.options)
        return None

    def _back(self) -> Intent:
        if not self.picks:
            return Command.CLOSE
        self.picks = self.picks[:-1]
        self.cursor = 0
        return None

    def show(self) -> dict[str, Any]:
        """The players picked, the names to choose from, the amount when both are picked."""
        if len(self.picks) == 2:
            return {"picks": self.picks, "amount": self.amount}
        return {"picks": self.picks, "options": self.options, "cursor": self.cursor}
