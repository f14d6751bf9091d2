"""The rules of the two games for chips, Barbudi and Barbut, as text."""

from __future__ import annotations

from firmware.rules import barbudi, barbut, pairs
from firmware.rules.options import End, FixedFee, PercentFee
from firmware.rules.textparts import (
    Section,
    Table,
    Tongue,
    beginning,
    decimal,
    dice_text,
    direction,
    listed_or,
    void_throws,
)


def _start_line(words: Tongue, seats: tuple[int, int], chips: int) -> str:
    low, high = seats
    return words.plural(
        "{low} to {high} players, {dice} dice, {n} chip each at the start.",
        "{low} to {high} players, {dice} dice, {n} chips each at the start.",
        chips,
        low=low,
        high=high,
        dice=pairs.DICE,
    )


def _end(words: Tongue, end: End, *, wager: bool) -> Section:
    """The end of a session (R-BD-13, R-BT-8); its unit is the round or the wager."""
    match end.mode, wager:
        case "rounds", False:
            first = words.plural(
                "The session ends after {n} round.", "The session ends after {n} rounds.", end.limit
            )
        case "rounds", True:
            first = words.plural(
                "The session ends after {n} wager.", "The session ends after {n} wagers.", end.limit
            )
        case "minutes", _:
            first = words.plural(
                "The session ends after {n} minute; what runs then is finished.",
                "The session ends after {n} minutes; what runs then is finished.",
                end.limit,
            )
        case _:
            first = words.say(
                "The session ends when somebody stops it; what runs then is finished."
            )
    last = words.say(
        "It is over at once when fewer than two have chips. Most chips wins; equal chips share."
    )
    return Section(words.say("The end"), (f"{first} {last}",), "R-BT-8" if wager else "R-BD-13")


def _pairs_table(words: Tongue) -> Table:
    meanings = {
        "win": words.say("wins"),
        "lose": words.say("loses"),
        "nothing": words.say("nothing; the dice go to the other"),
    }
    rows = [
        (
            ", ".join(dice_text(pair) for pair in row.pairs)
            if row.meaning != "nothing"
            else words.plural("the other {n} pair", "the other {n} pairs", len(row.pairs)),
            meanings[row.meaning],
        )
        for row in pairs.TABLE
    ]
    return Table((words.say("The throw"), words.say("Who threw it")), tuple(rows))


def _mixed(words: Tongue, meaning: str) -> str:
    found = [
        pair for row in pairs.TABLE if row.mixed and row.meaning == meaning for pair in row.pairs
    ]
    return listed_or(words, (dice_text(pair) for pair in found))


def _fee(words: Tongue, fee: PercentFee | FixedFee | None) -> str:
    match fee:
        case PercentFee(rate_bp):
            rate = decimal(words, rate_bp / 100)
            return words.say(
                "The house takes {rate} % of each winner's payout, rounded down.", rate=rate
            )
        case FixedFee(amount):
            return words.plural(
                "The house takes {n} chip of each decided round from the winning side, never more "
                "than it won, shared in proportion.",
                "The house takes {n} chips of each decided round from the winning side, never more "
                "than it won, shared in proportion.",
                amount,
            )
    return words.say("The house takes nothing.")


# --- Barbudi -------------------------------------------------------------------------------------


def barbudi_text(rules: barbudi.BarbudiRules, words: Tongue) -> tuple[Section, ...]:
    """The rules of Barbudi."""
    fader = words.say("The player to the right of the thrower is the fader.")
    sections = [
        Section(
            words.say("Players"),
            (
                f"{_start_line(words, barbudi.SEATS, rules.starting_chips)} "
                f"{direction(words, 'counter-clockwise')}",
                f"{beginning(words, rules.start, 1)} {fader}",
            ),
            "R-BD-1",
        ),
        _stake(rules, words),
        Section(
            words.say("The throws"),
            (
                words.say("The thrower begins, then they throw alternately until a throw decides."),
                _pairs_table(words),
                words.say(
                    "The fader's side wins: he takes the pot. The thrower's side wins: everyone "
                    "who covered takes twice his cover."
                ),
            ),
            "R-BD-6, R-BD-7",
        ),
        _roles(rules, words),
    ]
    if rules.side_bets:
        text = words.say(
            "Two players who are neither thrower nor fader may bet equal amounts, one on each, "
            "until the first throw of the round; settled like the main bet."
        )
        sections.append(Section(words.say("Side bets"), (text,), "R-BD-5"))
    if rules.two_shot:
        sections.append(_two_shot(rules, words))
    if rules.vari:
        sections.append(_vari(words))
    sections += [
        Section(words.say("The house"), (_fee(words, rules.house_fee),), "R-BD-11"),
        void_throws(words),
        _end(words, rules.end, wager=False),
    ]
    return tuple(sections)


def _stake(rules: barbudi.BarbudiRules, words: Tongue) -> Section:
    if rules.fixed_stake is None:
        stake = words.say("The fader stakes at least 1 chip and at most what he has, or declines.")
    else:
        stake = words.plural(
            "The fader stakes exactly {n} chip, or declines.",
            "The fader stakes exactly {n} chips, or declines.",
            rules.fixed_stake,
        )
    cover = words.say(
        "The thrower covers all or a part, perhaps nothing; then the others in turn, beginning to "
        "the right of the fader, cover what is left. What nobody covers goes back to the fader. "
        "The pot is twice what was covered."
    )
    if rules.two_player_pass == "swap":
        void = words.say(
            "If the fader declines or nobody covers, the round is void and the dice go to the next "
            "two players; with two players they swap."
        )
    else:
        void = words.say(
            "If the fader declines or nobody covers, the round is void and the dice go to the next "
            "two players; two players stay."
        )
    return Section(words.say("The stake"), (f"{stake} {cover}", void), "R-BD-2 to R-BD-4")


def _roles(rules: barbudi.BarbudiRules, words: Tongue) -> Section:
    body = [
        words.say(
            "The roles stay if the thrower won, or if {win} or {lose} decided. Otherwise they move "
            "on by one: the fader becomes thrower, the player to his right becomes fader.",
            win=_mixed(words, "win"),
            lose=_mixed(words, "lose"),
        )
    ]
    if rules.skip_broke:
        body.append(
            words.say("A player without chips holds no role; it goes to the next with chips.")
        )
    return Section(words.say("The roles"), tuple(body), "R-BD-8, R-BD-12")


def _two_shot(rules: barbudi.BarbudiRules, words: Tongue) -> Section:
    text = words.say(
        "The fader may demand it with his stake. A double then still decides the whole pot, but "
        "{win} and {lose} only half of every cover, rounded down. Thrower or fader may stop there. "
        "Else they throw for the other half, the winner of the first one first: who wins both "
        "takes the pot, and if each wins one everybody takes his own back.",
        win=_mixed(words, "win"),
        lose=_mixed(words, "lose"),
    )
    if rules.two_shot_rotation == "always":
        after = words.say(
            "After a round for which two shot was demanded the dice always go to the next two."
        )
    else:
        after = words.say("After a second decision the dice go to the next two players.")
    return Section(words.say("Two shot"), (text, after), "R-BD-10")


def _vari(words: Tongue) -> Section:
    text = words.say(
        "Before his own throw a player may call Vari: for that one throw what wins loses and what "
        "loses wins. A void throw does not use the call up."
    )
    return Section(words.say("Vari"), (text,), "R-BT-6")


# --- Barbut --------------------------------------------------------------------------------------


def barbut_text(rules: barbut.BarbutRules, words: Tongue) -> tuple[Section, ...]:
    """The rules of Barbut."""
    if rules.next_opponent == "seat":
        follows = words.say(
            "The winner takes both stakes and the dice, whoever threw, and meets the next player "
            "round the table after the one who last came in."
        )
    else:
        follows = words.say(
            "The winner takes both stakes and the dice, whoever threw, and meets the first in the "
            "queue; who lost goes to the back of it."
        )
    sections = [
        Section(
            words.say("Players"),
            (
                f"{_start_line(words, barbut.SEATS, rules.starting_chips)} "
                f"{direction(words, rules.direction)} {words.say('Two play at a time.')}",
                beginning(words, rules.start, 1),
            ),
            "R-BT-1",
        ),
        Section(
            words.say("The wager"),
            (
                words.say(
                    "Thrower and opponent agree a stake, at least 1 chip and at most the smaller "
                    "stack, and each puts it up. If the one asked declines or can not pay, the "
                    "next is asked."
                ),
            ),
            "R-BT-2",
        ),
        Section(
            words.say("The throws"),
            (
                words.say("The thrower begins, then they throw alternately until a throw decides."),
                _pairs_table(words),
                follows,
            ),
            "R-BT-3 to R-BT-5",
        ),
    ]
    if rules.vari:
        sections.append(_vari(words))
    if rules.special_pay:
        parts = [
            words.say(
                "{pair} pays {part} of the stake, rounded down; the rest goes back.",
                pair=pair,
                part=f"{part.numerator}/{part.denominator}",
            )
            for pair, part in rules.special_pay
        ]
        sections.append(Section(words.say("Special pay"), (" ".join(parts),), "R-BT-7"))
    sections += [void_throws(words), _end(words, rules.end, wager=True)]
    return tuple(sections)
