"""The rules of the two games for chips, Barbudi and Barbut, as text."""

from __future__ import annotations

from firmware.rules import barbudi, barbut, pairs
from firmware.rules.options import End, FixedFee, PercentFee
from firmware.rules.textparts import (
    Section,
    Table,
    beginning,
    counted,
    dice_text,
    listed,
    void_throws,
)


def _end(end: End, what: str) -> str:
    ends = {
        "rounds": f"The session ends after {counted(end.limit, what)}.",
        "minutes": (
            f"The session ends after {counted(end.limit, 'minute')}; "
            f"a {what} that runs is finished."
        ),
        "manual": f"The session ends when somebody stops it; a {what} that runs is finished.",
    }
    return (
        f"{ends[end.mode]} It is over at once when fewer than two have chips. Most chips wins; "
        "equal chips share."
    )


def _pairs_table() -> Table:
    meanings = {"win": "wins", "lose": "loses", "nothing": "nothing; the dice go to the other"}
    rows = [
        (
            ", ".join(dice_text(pair) for pair in row.pairs)
            if row.meaning != "nothing"
            else f"the other {len(row.pairs)} pairs",
            meanings[row.meaning],
        )
        for row in pairs.TABLE
    ]
    return Table(("throw", "the one who threw it"), tuple(rows))


def _mixed(meaning: str) -> str:
    found = [
        pair for row in pairs.TABLE if row.mixed and row.meaning == meaning for pair in row.pairs
    ]
    return listed((dice_text(pair) for pair in found), "or")


def _fee(fee: PercentFee | FixedFee | None) -> str:
    match fee:
        case PercentFee(rate_bp):
            return f"The house takes {rate_bp / 100:g} % of each winner's payout, rounded down."
        case FixedFee(amount):
            return (
                f"The house takes {counted(amount, 'chip')} of each decided round from the winning "
                "side, never more than it won, shared in proportion."
            )
    return "The house takes nothing."


# --- Barbudi -------------------------------------------------------------------------------------


def barbudi_text(rules: barbudi.BarbudiRules) -> tuple[Section, ...]:
    """The rules of Barbudi."""
    low, high = barbudi.SEATS
    stake = (
        "at least 1 chip and at most what he has"
        if rules.fixed_stake is None
        else f"exactly {counted(rules.fixed_stake, 'chip')}"
    )
    pass_two = (
        "with two players they swap" if rules.two_player_pass == "swap" else "two players stay"
    )
    sections = [
        Section(
            "Players",
            (
                f"{low} to {high} players, {pairs.DICE} dice, {rules.starting_chips} chips each at "
                "the start. The order is counter-clockwise.",
                beginning(rules.start, 1) + " The player to the right of the thrower is the fader.",
            ),
            "R-BD-1",
        ),
        Section(
            "The stake",
            (
                f"The fader stakes {stake}, or declines. The thrower covers all or a part, perhaps "
                "nothing; then the others in turn, beginning to the right of the fader, cover what "
                "is left. What nobody covers goes back to the fader. The pot is twice what was "
                "covered.",
                "If the fader declines or nobody covers, the round is void and the dice go to the "
                f"next two players ({pass_two}).",
            ),
            "R-BD-2 to R-BD-4",
        ),
        Section(
            "The throws",
            (
                "The thrower begins, then they throw alternately until a throw decides.",
                _pairs_table(),
                "The fader's side wins: he takes the pot. The thrower's side wins: everyone who "
                "covered takes twice his cover.",
            ),
            "R-BD-6, R-BD-7",
        ),
        Section(
            "The roles",
            (
                f"The roles stay if the thrower won, or if {_mixed('win')} or {_mixed('lose')} "
                "decided. Otherwise they move on by one: the fader becomes thrower, the player to "
                "his right becomes fader.",
                *(
                    ["A player without chips holds no role; it goes to the next with chips."]
                    if rules.skip_broke
                    else []
                ),
            ),
            "R-BD-8, R-BD-12",
        ),
    ]
    if rules.side_bets:
        sections.append(
            Section(
                "Side bets",
                (
                    "Two players who are neither thrower nor fader may bet equal amounts, one on "
                    "each, until the first throw of the round; settled like the main bet.",
                ),
                "R-BD-5",
            )
        )
    if rules.two_shot:
        after = (
            "After a round for which two shot was demanded the dice always go to the next two."
            if rules.two_shot_rotation == "always"
            else "After a second decision the dice go to the next two players."
        )
        sections.append(
            Section(
                "Two shot",
                (
                    "The fader may demand it with his stake. A double then still decides the whole "
                    f"pot, but {_mixed('win')} and {_mixed('lose')} only half of every cover, "
                    "rounded down. Thrower or fader may stop there. Else they throw for the other "
                    "half, the winner of the first one first: who wins both takes the pot, and if "
                    "each wins one everybody takes his own back.",
                    after,
                ),
                "R-BD-10",
            )
        )
    if rules.vari:
        sections.append(_vari("R-BT-6"))
    sections.append(Section("The house", (_fee(rules.house_fee),), "R-BD-11"))
    sections += [void_throws(), Section("The end", (_end(rules.end, "round"),), "R-BD-13")]
    return tuple(sections)


def _vari(rule: str) -> Section:
    return Section(
        "Vari",
        (
            "Before his own throw a player may call Vari: for that one throw what wins loses and "
            "what loses wins. A void throw does not use the call up.",
        ),
        rule,
    )


# --- Barbut --------------------------------------------------------------------------------------


def barbut_text(rules: barbut.BarbutRules) -> tuple[Section, ...]:
    """The rules of Barbut."""
    low, high = barbut.SEATS
    waiting = {
        "seat": "the next player round the table after the one who last came in",
        "queue": "the first in the queue; who lost goes to the back of it",
    }[rules.next_opponent]
    sections = [
        Section(
            "Players",
            (
                f"{low} to {high} players, {pairs.DICE} dice, {rules.starting_chips} chips each at "
                f"the start. The order is {rules.direction}. Two play at a time.",
                beginning(rules.start, 1),
            ),
            "R-BT-1",
        ),
        Section(
            "The wager",
            (
                "Thrower and opponent agree a stake, at least 1 chip and at most the smaller "
                "stack, and each puts it up. If the one asked declines or can not pay, the next is "
                "asked.",
            ),
            "R-BT-2",
        ),
        Section(
            "The throws",
            (
                "The thrower begins, then they throw alternately until a throw decides.",
                _pairs_table(),
                "The winner takes both stakes and the dice, whoever threw, and meets the next: "
                f"{waiting}.",
            ),
            "R-BT-3 to R-BT-5",
        ),
    ]
    if rules.vari:
        sections.append(_vari("R-BT-6"))
    if rules.special_pay:
        parts = [
            f"{throw} pays {part.numerator}/{part.denominator}" for throw, part in rules.special_pay
        ]
        sections.append(
            Section(
                "Special pay",
                (f"{listed(parts)} of the stake, rounded down; the rest goes back.",),
                "R-BT-7",
            )
        )
    sections += [void_throws(), Section("The end", (_end(rules.end, "wager"),), "R-BT-8")]
    return tuple(sections)
