"""Who is paid what after a Barbudi round, what the house takes, and whose the roles are next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from firmware.rules.options import FixedFee, PercentFee

Share = tuple[str, int]
"""A player and a number of chips."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """How the escrow of a round is paid out; `payouts`, fees and side bets empty it exactly."""

    payouts: tuple[Share, ...]
    """Main bet, before fees: what each gets, own chips that come back included."""
    won: tuple[Share, ...]
    """The part of it that was won from the other side."""
    fees: tuple[Share, ...]
    """What the house takes of it."""


def main_bet(
    fader: str,
    covers: Sequence[Share],
    fader_won: bool | None,
    halved: bool,
    house_fee: PercentFee | FixedFee | None,
) -> Settlement:
    """Settle the main bet (R-BD-7, R-BD-10).

    `fader_won` None: the two halves were split, everything goes back. `halved`: only half of every
    cover, rounded down, is decided and the rest goes back to its owner.
    """
    matched = sum(chips for _, chips in covers)
    if fader_won is None:
        return Settlement(((fader, matched), *covers), (), ())
    decided = [(who, chips // 2 if halved else chips) for who, chips in covers]
    at_stake = sum(chips for _, chips in decided)
    if fader_won:
        left = [
            (who, chips - lost) for (who, chips), (_, lost) in zip(covers, decided, strict=True)
        ]
        payouts = ((fader, matched + at_stake), *left)
        won = [(fader, at_stake)]
    else:
        paid = [(who, chips + won) for (who, chips), (_, won) in zip(covers, decided, strict=True)]
        payouts = ((fader, matched - at_stake), *paid)
        won = decided
    won = [(who, chips) for who, chips in won if chips]
    return Settlement(
        tuple((who, chips) for who, chips in payouts if chips), tuple(won), fees(house_fee, won)
    )


def fees(house_fee: PercentFee | FixedFee | None, won: Sequence[Share]) -> tuple[Share, ...]:
    """What the house takes of the winnings (R-BD-11).

    A winner of w chips has a gross payout of 2 w: his own stake and the other's.
    """
    match house_fee:
        case PercentFee(rate_bp):
            taken = [(who, 2 * chips * rate_bp // 10_000) for who, chips in won]
        case FixedFee(amount):
            taken = _in_proportion(min(amount, sum(chips for _, chips in won)), won)
        case None:
            taken = []
    return tuple((who, chips) for who, chips in taken if chips)


def _in_proportion(total: int, weights: Sequence[Share]) -> list[Share]:
    """Split `total` by weights with the largest remainders; equal remainders: first come first."""
    whole = sum(weight for _, weight in weights)
    if whole == 0:
        return []
    shares = [total * weight // whole for _, weight in weights]
    remainders = [total * weight % whole for _, weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda index: -remainders[index])
    for index in by_remainder[: total - sum(shares)]:
        shares[index] += 1
    return [(who, share) for (who, _), share in zip(weights, shares, strict=True)]


def side_bet(
    bet: tuple[str, str, int], fader_won: bool | None, halved: bool
) -> tuple[Share, Share, int]:
    """Settle a side bet exactly like the main bet (R-BD-5): winner, loser, what changed hands.

    Of a split bet `winner` is the one who bet on the thrower and nothing changes hands.
    """
    for_thrower, for_fader, amount = bet
    moved = 0 if fader_won is None else amount // 2 if halved else amount
    winner, loser = (for_fader, for_thrower) if fader_won else (for_thrower, for_fader)
    return (winner, amount + moved), (loser, amount - moved), moved


# --- roles ---------------------------------------------------------------------------------------


def right_of(seats: Sequence[str], who: str) -> str:
    """The neighbour to the right: the next seat counter-clockwise."""
    return seats[(seats.index(who) + 1) % len(seats)]


def move_on(seats: Sequence[str], fader: str) -> tuple[str, str]:
    """Roles move on by one (R-BD-8): the fader throws, the one to his right is fader."""
    return fader, right_of(seats, fader)


def skip_broke(
    seats: Sequence[str], thrower: str, fader: str, stacks: Mapping[str, int]
) -> tuple[str, str]:
    """The roles go to the next players with chips (R-BD-12); two such players must exist."""
    while not stacks[thrower]:
        thrower = right_of(seats, thrower)
    while not stacks[fader] or fader == thrower:
        fader = right_of(seats, fader)
    return thrower, fader


def next_two(seats: Sequence[str], fader: str) -> tuple[str, str]:
    """To the next two players (R-BD-9), before the rule for two players."""
    thrower = right_of(seats, fader)
    return thrower, right_of(seats, thrower)
