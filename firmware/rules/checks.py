"""Checks that all games share: turn, amounts, dice."""

from __future__ import annotations

from collections.abc import Sequence

from firmware.rules.game import FACES, Refused


def turn(by: str, due: str | None) -> None:
    """Refuse an act of anybody but the player due (R-GEN-3)."""
    if due is None or by != due:
        raise Refused("out_of_turn", by=by, due=due)


def amount(value: object, low: int) -> None:
    """Refuse an amount that is no whole number of chips or is below `low`."""
    if type(value) is not int or value < low:
        raise Refused("bad_amount", amount=value, low=low)


def dice(faces: Sequence[int], due: int) -> None:
    """Refuse another number of dice than is due (R-GEN-2), and faces that no die has."""
    if len(faces) != due:
        raise Refused("wrong_dice", count=len(faces), due=due)
    for face in faces:
        if type(face) is not int or face not in FACES:
            raise Refused("bad_dice", face=face)


def high_to_low(faces: Sequence[int]) -> tuple[int, ...]:
    """Dice are an unordered set; they are shown from high to low."""
    return tuple(sorted(faces, reverse=True))


def no_keep(keep: Sequence[int] | None) -> None:
    """Refuse dice kept in a game, or at a moment, where nothing can be kept."""
    if keep:
        raise Refused("keep_not_on_table", keep=tuple(keep))
