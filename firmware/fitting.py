"""Is what lies in the tray the throw that is due?

The reader knows no game and the judge no tray; here they meet. Kept dice lie in the keep rail
where there is one, else they are marked on the screen and held aside.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from display.view import Level, Notice
from firmware.rules.barbut_bg import BarbutBgState
from firmware.rules.bg_turn import DICE as THREE_DICE
from firmware.rules.game import DiceWanted
from vision.reading import Problem, Reading, Zone

Faces = tuple[int, ...]


def high_to_low(faces: Iterable[int]) -> Faces:
    """Faces in the order in which they are written everywhere."""
    return tuple(sorted(faces, reverse=True))


def set_aside(want: DiceWanted, state: Any) -> Faces:
    """Three dice: faces that stay aside because only the others are thrown (R-BG-4)."""
    if not isinstance(state, BarbutBgState) or want.dice == THREE_DICE:
        return ()
    return state.aside


@dataclass(frozen=True, slots=True)
class Throwing:
    """A throw that is due, and what lies there."""

    want: DiceWanted
    state: Any
    reading: Reading | None
    marked: Faces = ()
    """Faces marked on the screen to be kept."""

    @property
    def in_rail(self) -> Faces:
        """Faces read in the keep rail, high to low."""
        rail = self.reading.in_zone(Zone.RAIL) if self.reading is not None else None
        return rail or ()

    @property
    def keep(self) -> Faces | None:
        """Faces kept with this throw: the rail says so, else the marks; None: nothing is kept."""
        if not self.want.keeps:
            return None
        return high_to_low(self.in_rail or self.marked) or None

    @property
    def dice(self) -> int:
        """How many dice are to be thrown, by what is kept."""
        keep = self.keep or ()
        return next((one.dice for one in self.want.keeps if one.faces == keep), self.want.dice)

    @property
    def faces(self) -> Faces | None:
        """Faces thrown, high to low; None when what lies there is not the throw that is due."""
        if self.reading is None or not self.reading.ok or self.turned:
            return None
        tray = self.reading.in_zone(Zone.TRAY)
        return tray if tray is not None and len(tray) == self.dice else None

    @property
    def turned(self) -> bool:
        """Whether the dice in the rail are no part of what lay there before, face for face."""
        if not self.in_rail:
            return False
        if self.want.keeps:
            return all(one.faces != self.in_rail for one in self.want.keeps)
        return self.in_rail != high_to_low(set_aside(self.want, self.state))

    @property
    def misfit(self) -> Notice | None:
        """Why a reading that is fine in itself is not the throw that is due."""
        if self.reading is None or not self.reading.ok or self.faces is not None:
            return None
        if self.turned:
            return Notice("kept_turned", Level.WARNING)
        found = len(self.reading.in_zone(Zone.TRAY) or ())
        details = (("due", self.dice), ("found", found))
        return Notice(Problem.WRONG_COUNT.value, Level.WARNING, details)

    @property
    def correctable(self) -> Reading | None:
        """The reading of the thrown dice alone; None when their number is not the due one."""
        if self.reading is None:
            return None
        thrown = tuple(die for die in self.reading.dice if die.zone is Zone.TRAY)
        if len(thrown) != self.dice:
            return None
        return Reading(thrown, self.reading.problems, self.reading.size, self.reading.ms)
