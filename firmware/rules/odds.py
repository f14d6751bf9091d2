"""The exact chances of every game as tables, computed by the judge from its own rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from firmware.rules import odds_balut, odds_bg, odds_chips
from firmware.rules.barbut_bg import BarbutBgRules
from firmware.rules.bg_turn import DICE
from firmware.rules.textparts import Section, Table

TARGET = BarbutBgRules().target
Number = Fraction | float | int


def odds_text(game: str) -> tuple[Section, ...]:
    """The chances of a game (Balut takes a few seconds: it plays all sheets backwards)."""
    return _GAMES[game]()


def show(number: Number) -> tuple[str, str]:
    """A number exactly, where it is not endless, and as a decimal."""
    if isinstance(number, int):
        return str(number), ""
    exact = str(number) if isinstance(number, Fraction) and len(str(number)) < 26 else ""
    return exact, f"{float(number):.6f}"


def _section(title: str, rows: Mapping[str, Number], rule: str) -> Section:
    cells = tuple((name, *show(number)) for name, number in rows.items())
    return Section(title, (Table(("", "exact", "decimal"), cells),), rule)


WHO = {(False, False): "nobody", (True, False): "the thrower", (False, True): "the fader"}
WITHIN = (1, 2, 3, 5, 8, 10, 15, 22)


def _throws() -> Section:
    counts = odds_chips.throws()
    rows: dict[str, Number] = {}
    for kind, what in (("ordered", "of 36 throws"), ("unordered", "of 21 pairs")):
        for meaning in ("win", "lose", "nothing"):
            rows[f"{what}: {meaning}"] = counts[kind][meaning]
    return _section("Throws", rows, "O-BD-1")


def _within() -> Section:
    within = odds_chips.within(WITHIN)
    rows = {str(count): number for count, number in within.items()}
    return _section("Decided within so many throws", rows, "O-BD-3")


def _first_player() -> Section:
    rows = {f"{n} players": odds_chips.unique_highest(n) for n in (2, 3, 4, 6, 12)}
    return _section("One throw of each finds the first player", rows, "O-BD-9")


def _barbudi() -> tuple[Section, ...]:
    patterns = odds_chips.thrower_wins_with_vari()
    return (
        _throws(),
        _section("A round", odds_chips.plain_round(), "O-BD-2 to O-BD-5"),
        _section(
            "Thrower wins when Vari is always called by",
            {WHO.get(calls, "both"): number for calls, number in patterns.items()},
            "O-BD-2",
        ),
        _within(),
        _section("Two shot, stake S", odds_chips.two_shot(), "O-BD-6, O-BD-7"),
        _section(
            "What fees cost, in stakes",
            {
                "2.5 % of the pot, each side a round": odds_chips.fee_cost(),
                "6-6 pays half, backing what wins, a decided throw": odds_chips.one_sided_pay(),
            },
            "O-BD-8",
        ),
        _first_player(),
    )


def _barbut() -> tuple[Section, ...]:
    calls: dict[str, Number] = {}
    for who in ("nobody", "first", "second", "both"):
        found = odds_chips.wager(lambda by, who=who: who in (by, "both"))  # type: ignore[misc]
        calls[who] = found["who throws first wins"]
    special = {"mean of who throws first": odds_chips.special_pay_mean()}
    return (
        _throws(),
        _section("A wager", odds_chips.wager(), "O-BD-2 to O-BD-4"),
        _section("Who throws first wins when Vari is always called by", calls, "O-BD-2"),
        _within(),
        _section("6-6 and 1-1 pay half, in stakes", special, "O-BD-8"),
        _first_player(),
    )


def _barbut_bg() -> tuple[Section, ...]:
    sections = [
        _section(f"Throwing {dice} dice", odds_bg.by_dice(dice), "section 10")
        for dice in range(DICE, 0, -1)
    ]
    points = odds_bg.ways_by_points(DICE)
    sections.append(
        _section(
            "Of 216 throws of three dice, by points",
            {str(value): points[value] for value in sorted(points)},
            "O-BG-1",
        )
    )
    readings: dict[str, Number] = {}
    for reading in ("both", "either", "only", "scoring"):
        chance, worth = odds_bg.opening(reading)
        readings[f"{reading}: chance of an attempt"] = chance
        readings[f"{reading}: mean attempts"] = 1 / chance
        readings[f"{reading}: mean points of the opening throw"] = worth
    sections.append(_section("Opening", readings, "O-BG-2"))
    turn: dict[str, Number] = {
        f"{dice} dice due: throw with at most": limit
        for dice, limit in sorted(odds_bg.throw_limits().items(), reverse=True)
    }
    turn["mean of a turn"] = float(odds_bg.mean_turn())
    for reading in ("both", "either"):
        turns = odds_bg.mean_turns_to(TARGET, reading)
        turn[f"mean turns to {TARGET}, opening {reading}"] = turns
    sections.append(_section("Best stopping for the mean of a turn", turn, "O-BG-3, O-BG-4"))
    return tuple(sections)


def _balut() -> tuple[Section, ...]:
    means = odds_balut.field_means()
    sheets = odds_balut.sheets()
    top = max(sheets)
    extremes: dict[str, Number] = {
        "highest dice sum": max(number.bit_length() - 1 for number in sheets.values()),
        "lowest dice sum of a full sheet": min(min(odds_balut.bits(n)) for n in sheets.values()),
        "all row points": top,
        "lowest dice sum with all row points": min(odds_balut.bits(sheets[top])),
    }
    alike: dict[str, Number] = {
        f"at least {count} of one given face": odds_balut.alike(count) for count in range(1, 6)
    }
    best: dict[str, Number] = {
        "28 fields": odds_balut.best_mean_sum("standard"),
        "seven fields (Singapore)": odds_balut.best_mean_sum("singapore"),
    }
    return (
        _section("Of 7776 throws of five dice", odds_balut.one_throw(), "O-BL-2"),
        _section("Three throws, best play for it", odds_balut.chances(3) | alike, "O-BL-3, O-BL-5"),
        _section("Two throws, best play for it", odds_balut.chances(2), "O-BL-4"),
        _section("Mean value of a field, best play for it", means, "O-BL-6"),
        _section(
            "A row played for itself alone: chance to meet it (balut: mean points)",
            odds_balut.pure_rows(),
            "O-BL-7",
        ),
        _section("Full sheets", extremes, "O-BL-1"),
        _section("Best mean of the dice sum, played for it alone", best, "O-BL-8"),
    )


_GAMES: dict[str, Callable[[], tuple[Section, ...]]] = {
    "barbudi": _barbudi,
    "barbut": _barbut,
    "barbut_bg": _barbut_bg,
    "balut": _balut,
}
