"""What a person is choosing with the four buttons at this moment.

A dialog belongs to one thing that the game waits for. Each button has one meaning in it, which
`buttons` tells the screen and the lamps; `press` answers with what follows. Confirm does, back
leaves or takes back, left and right choose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any, ClassVar

from display.view import Action, Buttons, Hint, Scene
from firmware.buttons import Button
from firmware.rules import acts
from firmware.rules.acts import Act
from firmware.rules.balut import BalutState
from firmware.rules.balut_sheet import ROWS, field_value
from firmware.rules.game import FACES, AmountWanted, ChoiceWanted, Keep, SideBetWanted, Want
from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class Do:
    """Push this act; `source` says where its dice come from (camera, corrected, hand)."""

    act: Act
    source: str = "button"


@dataclass(frozen=True, slots=True)
class Open:
    """Put another dialog on top; it is made when it is opened."""

    make: Callable[[], Dialog]


class Command(StrEnum):
    """What else a press may ask of the table."""

    CLOSE = "close"
    """Leave this dialog."""
    ASK_TAKE_BACK = "ask_take_back"
    TAKE_BACK = "take_back"
    BY_HAND = "by_hand"
    """Enter the dice by hand."""


Intent = Do | Open | Command | None


class Dialog:
    """The common part: a cursor, and back takes the last act back."""

    scene: ClassVar[Scene] = Scene.GAME

    def buttons(self) -> Buttons:
        """What each button does now."""
        raise NotImplementedError

    def press(self, button: Button, held: int = 0) -> Intent:
        """What a press brings; `held` is the size of a step while left or right is held."""
        raise NotImplementedError

    def show(self) -> dict[str, Any]:
        """Its part of the `View`."""
        return {}

    def point(self, kind: str, name: str) -> bool:
        """A finger on the screen, on an `option`, a `die` or a `row`: go there.

        True when that is as good as going there and pressing confirm.
        """
        return False


BACK = Hint(Action.BACK)
TAKE_BACK = Hint(Action.TAKE_BACK)


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


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a menu: a key of `Action` or a name, and what it brings."""

    key: str
    intent: Intent


class MenuDialog(Dialog):
    """One of several things. Without a way back (`root`), back takes the last act back."""

    def __init__(self, items: Sequence[Item], *, root: bool = False) -> None:
        self.items = tuple(items)
        self.root = root
        self.cursor = 0

    def buttons(self) -> Buttons:
        """Left and right choose, confirm does."""
        several = len(self.items) > 1
        return Buttons(
            confirm=Hint(Action.CHOOSE),
            back=TAKE_BACK if self.root else BACK,
            left=Hint(Action.PREVIOUS) if several else None,
            right=Hint(Action.NEXT) if several else None,
        )

    def press(self, button: Button, held: int = 0) -> Intent:
        """See `buttons`."""
        match button:
            case Button.LEFT:
                self.cursor = (self.cursor - 1) % len(self.items)
            case Button.RIGHT:
                self.cursor = (self.cursor + 1) % len(self.items)
            case Button.BACK:
                return Command.ASK_TAKE_BACK if self.root else Command.CLOSE
            case Button.CONFIRM:
                return self.items[self.cursor].intent
        return None

    def point(self, kind: str, name: str) -> bool:
        """A line is chosen by touching it."""
        if kind != "option" or int(name) >= len(self.items):
            return False
        self.cursor = int(name)
        return True

    def show(self) -> dict[str, Any]:
        """The lines and the chosen one."""
        return {"options": tuple(item.key for item in self.items), "cursor": self.cursor}


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


class TakeBackDialog(Dialog):
    """Shall the last act be taken back?"""

    scene = Scene.TAKE_BACK

    def buttons(self) -> Buttons:
        """Yes and no."""
        return Buttons(confirm=TAKE_BACK, back=Hint(Action.CANCEL))

    def press(self, button: Button, held: int = 0) -> Intent:
        """See `buttons`."""
        if button is Button.CONFIRM:
            return Command.TAKE_BACK
        return Command.CLOSE if button is Button.BACK else None


class CorrectDialog(Dialog):
    """The reading is wrong: the likeliest other readings, one after the other.

    Opening it is the first press, confirm the second. Behind the last proposal the dice can be
    entered one by one.
    """

    scene = Scene.CORRECT

    def __init__(self, reading: Reading, make: ThrowMaker) -> None:
        self.make = make
        self.proposals = proposals(reading)
        self.index = 0

    def buttons(self) -> Buttons:
        """Left and right go through the proposals, confirm takes one."""
        return Buttons(
            confirm=Hint(Action.CORRECT_SURE),
            back=Hint(Action.CANCEL),
            left=Hint(Action.BY_HAND) if self.index == 0 else Hint(Action.PREVIOUS),
            right=Hint(Action.NEXT),
        )

    def press(self, button: Button, held: int = 0) -> Intent:
        """See `buttons`."""
        match button:
            case Button.LEFT if self.index == 0:
                return Command.BY_HAND
            case Button.LEFT:
                self.index -= 1
            case Button.RIGHT:
                self.index = (self.index + 1) % len(self.proposals)
            case Button.BACK:
                return Command.CLOSE
            case Button.CONFIRM:
                return Do(self.make(self.proposals[self.index][1]), source="corrected")
        return None

    def show(self) -> dict[str, Any]:
        """The proposed faces, the cursor on the die that changes."""
        die, faces = self.proposals[self.index]
        return {"entry": faces, "cursor": die, "armed": True}


class EntryDialog(Dialog):
    """The dice are entered by hand, one after the other; the last confirm takes two presses."""

    scene = Scene.ENTRY

    def __init__(self, dice: int, make: ThrowMaker) -> None:
        self.make = make
        self.faces: list[int | None] = [None] * dice
        self.cursor = 0
        self.armed = False

    def buttons(self) -> Buttons:
        """Left and right choose the face, confirm goes to the next die."""
        done = None not in self.faces
        confirm = None
        if self.armed:
            confirm = Hint(Action.CORRECT_SURE)
        elif done or self.faces[self.cursor] is not None:
            confirm = Hint(Action.CONFIRM if self._last else Action.NEXT)
        return Buttons(confirm, BACK, Hint(Action.LESS), Hint(Action.MORE))

    @property
    def _last(self) -> bool:
        return self.cursor == len(self.faces) - 1

    def press(self, button: Button, held: int = 0) -> Intent:
        """See `buttons`."""
        match button:
            case Button.LEFT | Button.RIGHT:
                self._turn(1 if button is Button.RIGHT else -1)
            case Button.BACK:
                if self.armed:
                    self.armed = False
                elif self.cursor == 0:
                    return Command.CLOSE
                else:
                    self.cursor -= 1
            case Button.CONFIRM:
                return self._confirm()
        return None

    def _turn(self, way: int) -> None:
        self.armed = False
        face = self.faces[self.cursor]
        if face is None:
            self.faces[self.cursor] = FACES[0] if way > 0 else FACES[-1]
        else:
            self.faces[self.cursor] = (face - 1 + way) % len(FACES) + 1

    def _confirm(self) -> Intent:
        if self.faces[self.cursor] is None:
            return None
        if not self._last:
            self.cursor += 1
        elif not self.armed:
            self.armed = True
        else:
            faces = tuple(face for face in self.faces if face is not None)
            return Do(self.make(faces), source="hand")
        return None

    def show(self) -> dict[str, Any]:
        """The faces so far."""
        return {"entry": tuple(self.faces), "cursor": self.cursor, "armed": self.armed}


class ThrowMaker:
    """Makes the `Throw` act of whoever is due from the faces in the tray."""

    def __init__(self, by: str, keep: tuple[int, ...] | None) -> None:
        self.by = by
        self.keep = keep

    def __call__(self, faces: Sequence[int]) -> acts.Throw:
        """The act; `faces` are those of the dice thrown now."""
        return acts.Throw(self.by, tuple(sorted(faces, reverse=True)), self.keep)


def proposals(reading: Reading) -> list[tuple[int, tuple[int, ...]]]:
    """Other readings of the same dice, the likeliest first: (die that changes, all faces).

    A die that was not read takes its alternative, or a one, in the proposals of the others.
    """
    base = [die.value or die.alternative or 1 for die in reading.dice]
    doubtful_first = sorted(range(len(base)), key=lambda i: reading.dice[i].confidence)
    out: list[tuple[int, tuple[int, ...]]] = []
    if any(die.value is None for die in reading.dice):
        out.append((doubtful_first[0], tuple(base)))
    by_rank: list[list[tuple[int, tuple[int, ...]]]] = [[], []]
    for die in doubtful_first:
        likely = reading.dice[die].alternative
        for face in sorted(FACES, key=lambda face: face != likely):
            if face == base[die]:
                continue
            faces = tuple(face if i == die else other for i, other in enumerate(base))
            by_rank[face != likely].append((die, faces))
    return out + by_rank[0] + by_rank[1]
