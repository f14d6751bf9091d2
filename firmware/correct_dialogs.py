"""A reading is set right, or the dice are entered by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from display.view import Action, Buttons, Hint, Scene
from firmware.buttons import Button
from firmware.dialogs import BACK, Command, Dialog, Do, Intent
from firmware.rules import acts
from firmware.rules.game import FACES
from vision.reading import Reading


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
