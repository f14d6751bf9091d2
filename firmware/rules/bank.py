"""Chips: stacks, escrow and house; never created, never destroyed (RULES.md, section 0)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chips:
    """Who has how many chips. `sum(stacks) + escrow + house` never changes."""

    stacks: Mapping[str, int]
    """Chips in front of each player; a mapping that nobody changes."""
    escrow: int = 0
    """Chips staked, covered or put up, until they are settled."""
    house: int = 0
    """Chips that the house took as fees (R-BD-11)."""

    @property
    def total(self) -> int:
        """All chips of the table: constant through a game."""
        return sum(self.stacks.values()) + self.escrow + self.house

    def put_up(self, *payments: tuple[str, int]) -> Chips:
        """Players put chips into escrow; each must have them."""
        stacks = dict(self.stacks)
        escrow = self.escrow
        for who, amount in payments:
            stacks[who] -= amount
            escrow += amount
            if amount < 0 or stacks[who] < 0:
                raise ValueError(f"{who} can not put up {amount} chips")
        return Chips(stacks, escrow, self.house)

    def pay_out(self, payments: Iterable[tuple[str, int]], fee: int = 0) -> Chips:
        """Escrow pays players, and the fee to the house; it must hold that much."""
        stacks = dict(self.stacks)
        escrow = self.escrow - fee
        for who, amount in payments:
            stacks[who] += amount
            escrow -= amount
        if escrow < 0 or fee < 0:
            raise ValueError("more chips paid out than lie in escrow")
        return Chips(stacks, escrow, self.house + fee)

    def solvent(self) -> list[str]:
        """The players who have chips in front of them, in the order of the seats."""
        return [who for who, stack in self.stacks.items() if stack > 0]
