"""The chances of Barbudi and Barbut, computed by letting the judge decide all 36 throws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from firmware.rules import chains, pairs
from firmware.rules.acts import Act, Cover, Stake, Throw, TwoShotChoice, Vari, Wager
from firmware.rules.barbudi import Barbudi, BarbudiRules, BarbudiState
from firmware.rules.barbut import Barbut, BarbutRules
from firmware.rules.game import FACES
from firmware.rules.options import PercentFee

THROWS = tuple(product(FACES, repeat=pairs.DICE))
"""All 36 ordered throws."""
EACH = Fraction(1, len(THROWS))
SEATS = ("thrower", "fader", "next", "last")
STAKE = 40


@dataclass(frozen=True, slots=True)
class End:
    """How a Barbudi round ended."""

    result: str
    winner: str | None
    net: int
    """What the thrower has won (lost, if below zero)."""
    net_fader: int
    roles: str
    """`stay`, `move_on` or `pass`."""
    decided_by: str
    """Who threw the deciding throw."""


def round_chain(
    rules: BarbudiRules,
    two_shot: bool = False,
    choice: str = "stop",
    vari: Callable[[str], bool] = lambda who: False,
) -> tuple[chains.Chain, Hashable]:
    """One Barbudi round as a chain whose steps are throws, and its start.

    `choice` is what both answer in the two-shot decision, `vari` says who always calls it.
    """
    game = Barbudi(SEATS, rules, chips=STAKE, thrower=SEATS[0])
    game.push(Stake("fader", STAKE, two_shot))
    game.push(Cover("thrower", STAKE))
    chain: dict[Hashable, dict[Hashable, Fraction]] = {}
    start = _node(game.state)
    todo = [(start, game.acts)]
    while todo:
        node, acts = todo.pop()
        if node in chain:
            continue
        nexts: dict[Hashable, Fraction] = {}
        for dice in THROWS:
            branch = game.replay(acts)
            by = branch.state.next_to_throw
            assert by is not None
            before: list[Act] = [Vari(by)] if vari(by) else []
            for act in (*before, Throw(by, dice)):
                branch.push(act)
            after = _after(branch, by, choice)
            nexts[after] = nexts.get(after, Fraction(0)) + EACH
            if not isinstance(after, End):
                todo.append((after, branch.acts))
        chain[node] = nexts
    return chain, start


def _node(state: BarbudiState) -> Hashable:
    """What of a state the rest of the round depends on."""
    return state.next_to_throw, state.half_winner


def _after(game: Barbudi, by: str, choice: str) -> Hashable:
    """The next node, or the end of the round."""
    while game.state.phase == "choice":
        prompt = game.prompt
        assert prompt is not None
        game.push(TwoShotChoice(prompt.by, choice))
    state = game.state
    if state.phase == "throw":
        return _node(state)
    roles = next(event.kind for event in state.events if event.kind.startswith("roles_"))
    stacks = state.chips.stacks
    return End(
        state.result or "",
        state.winner,
        stacks["thrower"] - STAKE,
        stacks["fader"] - STAKE,
        roles.removeprefix("roles_"),
        by,
    )


def chance(ends: dict[Hashable, Fraction], fits: Callable[[End], bool]) -> Fraction:
    """The chance of all ends that fit."""
    return sum(
        (part for end, part in ends.items() if isinstance(end, End) and fits(end)), Fraction(0)
    )


def mean(ends: dict[Hashable, Fraction], of: Callable[[End], Fraction]) -> Fraction:
    """The mean of a number over the ends."""
    return sum((part * of(end) for end, part in ends.items() if isinstance(end, End)), Fraction(0))


def throws() -> dict[str, dict[str, int]]:
    """How many of the 36 ordered throws and of the 21 pairs win, lose and mean nothing."""
    ordered = Counter(pairs.classify(dice).meaning for dice in THROWS)
    unordered = Counter(row.meaning for row in pairs.TABLE for _ in row.pairs)
    return {"ordered": dict(ordered), "unordered": dict(unordered)}


def plain_round() -> dict[str, Fraction]:
    """O-BD-2 to O-BD-5: who wins, after how many throws, what becomes of the roles."""
    chain, start = round_chain(BarbudiRules())
    ends = chains.endings(chain, start)
    average, variance = chains.steps(chain, start)
    return {
        "thrower wins": chance(ends, lambda end: end.winner == "thrower"),
        "a throw decides": chains.ended_within(chain, start, 1)[1],
        "mean throws": average,
        "variance of throws": variance,
        "decided by the thrower's throw": chance(ends, lambda end: end.decided_by == "thrower"),
        "decided by the fader's throw": chance(ends, lambda end: end.decided_by == "fader"),
        "roles stay": chance(ends, lambda end: end.roles == "stay"),
        "roles move on": chance(ends, lambda end: end.roles == "move_on"),
        "thrower wins, roles stay": chance(
            ends, lambda end: end.winner == "thrower" and end.roles == "stay"
        ),
        "fader wins, roles stay": chance(
            ends, lambda end: end.winner == "fader" and end.roles == "stay"
        ),
        "fader wins, roles move on": chance(
            ends, lambda end: end.winner == "fader" and end.roles == "move_on"
        ),
        "mean rounds with the same pair": 1 / chance(ends, lambda end: end.roles != "stay"),
        "variance of the net result (stakes squared)": _net_variance(ends),
    }


def _net_variance(ends: dict[Hashable, Fraction]) -> Fraction:
    average = mean(ends, lambda end: Fraction(end.net, STAKE))
    return mean(ends, lambda end: Fraction(end.net, STAKE) ** 2) - average**2


def within(counts: tuple[int, ...]) -> dict[int, Fraction]:
    """The chance that a round is decided within so many throws."""
    chain, start = round_chain(BarbudiRules())
    ended = chains.ended_within(chain, start, max(counts))
    return {count: ended[count] for count in counts}


def thrower_wins_with_vari() -> dict[tuple[bool, bool], Fraction]:
    """P(thrower wins) when the thrower and the fader always or never call Vari (O-BD-2)."""
    found = {}
    patterns = ((False, False), (False, True), (True, False), (True, True))
    for calls in patterns:
        who = dict(zip(("thrower", "fader"), calls, strict=True))
        chain, start = round_chain(BarbudiRules(vari=True), vari=lambda by, w=who: w[by])  # type: ignore[misc]
        found[calls] = chance(chains.endings(chain, start), lambda end: end.winner == "thrower")
    return found


def two_shot() -> dict[str, Fraction]:
    """O-BD-6, O-BD-7: always stopping, and always going on, after the first half."""
    rules = BarbudiRules(two_shot=True)
    out: dict[str, Fraction] = {}
    for choice, name in (("stop", "always stop"), ("continue", "always go on")):
        chain, start = round_chain(rules, two_shot=True, choice=choice)
        ends = chains.endings(chain, start)
        if choice == "stop":
            half = chance(ends, lambda end: end.result == "half")
            out["first decision is whole"], out["first decision is half"] = 1 - half, half
        for net in sorted({end.net for end in ends if isinstance(end, End)}, reverse=True):
            stakes = Fraction(net, STAKE)
            out[f"{name}: thrower {_signed(stakes)} S"] = chance(
                ends,
                lambda end, net=net: end.net == net,  # type: ignore[misc]
            )
        out[f"{name}: variance"] = _net_variance(ends)
        out[f"{name}: mean throws"] = chains.steps(chain, start)[0]
    return out


def _signed(value: Fraction) -> str:
    return f"{'+' if value > 0 else ''}{value}"


def fee_cost(rate_bp: int = 250) -> Fraction:
    """O-BD-8: what a percentage of the pot costs each side, in stakes a round."""
    chain, start = round_chain(BarbudiRules(house_fee=PercentFee(rate_bp)))
    return mean(chains.endings(chain, start), lambda end: Fraction(end.net, STAKE))


def one_sided_pay(throw: tuple[int, int] = (6, 6), part: Fraction = Fraction(1, 2)) -> Fraction:
    """O-BD-8: mean of backing the winning throws, one of which pays only a part, when decided."""
    wins = [dice for dice in THROWS if pairs.classify(dice).meaning == "win"]
    losses = [dice for dice in THROWS if pairs.classify(dice).meaning == "lose"]
    won = sum(
        (part if tuple(sorted(dice)) == tuple(sorted(throw)) else Fraction(1)) for dice in wins
    )
    return Fraction(won - len(losses), len(wins) + len(losses))


@dataclass(frozen=True, slots=True)
class Settled:
    """How a Barbut wager ended."""

    winner: str
    net: int
    """What the one who threw first has won (lost, if below zero)."""
    decided_by: str


def wager_chain(
    rules: BarbutRules, vari: Callable[[str], bool] = lambda who: False
) -> tuple[chains.Chain, Hashable]:
    """One Barbut wager as a chain whose steps are throws, and its start."""
    first, second = "first", "second"
    chain: dict[Hashable, dict[Hashable, Fraction]] = {}
    for by in (first, second):
        nexts: dict[Hashable, Fraction] = {}
        for dice in THROWS:
            game = Barbut((first, second), rules, chips=STAKE, thrower=first)
            game.push(Wager(STAKE // 2))
            if by == second:
                game.push(Throw(first, pairs.NOTHING.pairs[0]))
            if vari(by):
                game.push(Vari(by))
            state = game.push(Throw(by, dice))
            after: Hashable = state.next_to_throw
            if state.winner is not None:
                after = Settled(state.winner, state.chips.stacks[first] - STAKE, by)
            nexts[after] = nexts.get(after, Fraction(0)) + EACH
        chain[by] = nexts
    return chain, first


def wager(vari: Callable[[str], bool] = lambda who: False) -> dict[str, Fraction]:
    """A Barbut wager: who wins, after how many throws, on whose throw (R-BT-3)."""
    chain, start = wager_chain(BarbutRules(), vari)
    ends = chains.endings(chain, start)
    average, variance = chains.steps(chain, start)

    def chance_of(fits: Callable[[Settled], bool]) -> Fraction:
        fitting = (part for end, part in ends.items() if isinstance(end, Settled) and fits(end))
        return sum(fitting, Fraction(0))

    return {
        "who throws first wins": chance_of(lambda end: end.winner == "first"),
        "a throw decides": chains.ended_within(chain, start, 1)[1],
        "mean throws": average,
        "variance of throws": variance,
        "decided by a throw of the first": chance_of(lambda end: end.decided_by == "first"),
        "decided by a throw of the other": chance_of(lambda end: end.decided_by == "second"),
    }


def special_pay_mean(part: Fraction = Fraction(1, 2)) -> Fraction:
    """Mean result of the first thrower in Barbut when 6-6 and 1-1 pay a part, in stakes."""
    chain, start = wager_chain(BarbutRules(special_pay=(("6-6", part), ("1-1", part))))
    ends = chains.endings(chain, start).items()
    nets = (chance * end.net for end, chance in ends if isinstance(end, Settled))
    return sum(nets, Fraction(0)) / (STAKE // 2)


def unique_highest(players: int) -> Fraction:
    """O-BD-9: the chance that one throw of one die each finds the first player."""
    one = Fraction(1, len(FACES))
    return sum((players * one * ((face - 1) * one) ** (players - 1) for face in FACES), Fraction(0))
