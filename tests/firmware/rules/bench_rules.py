"""How fast the judge is: acts a second for each game, and what resuming a game costs.

    python tests/firmware/rules/bench_rules.py

Processor time of one core, best of several runs; nothing is printed that was not measured.
"""

from __future__ import annotations

import random
import sys
import time
from typing import Any

from firmware.rules import (
    Act,
    AmountWanted,
    Balut,
    Barbudi,
    BarbudiRules,
    Barbut,
    BarbutBg,
    BarbutRules,
    ChoiceWanted,
    Cover,
    DiceWanted,
    End,
    Game,
    Stake,
    Throw,
    Wager,
    acts,
)
from firmware.rules.game import acts_of

RUNS = 15


def act_of(game: Game[Any], chance: random.Random) -> Act:
    """What people do: stakes and covers in full, every throw, now and then a record."""
    prompt = game.prompt
    assert prompt is not None
    want = prompt.wants[0]
    if isinstance(want, AmountWanted):
        amount = min(want.high, 5) if want.op != "cover" else want.high
        return (
            {"stake": Stake, "cover": Cover}[want.op](want.by, amount)
            if want.op != "wager"
            else Wager(amount)
        )
    if game.key in ("balut", "barbut_bg") and len(prompt.wants) > 1 and chance.random() < 0.4:
        want = prompt.wants[1]
    if isinstance(want, DiceWanted):
        keep = chance.choice(want.keeps) if want.keeps else None
        due = keep.dice if keep else want.dice
        dice = tuple(chance.randint(1, 6) for _ in range(due))
        return Throw(want.by, dice, keep.faces if keep else None)
    assert isinstance(want, ChoiceWanted)
    return chance.choice(list(acts_of(want)))


def played(game: Game[Any]) -> Game[Any]:
    chance = random.Random(2026)
    while game.prompt is not None:
        game.push(act_of(game, chance))
    return game


def best(run: Any) -> float:
    """Seconds of processor time, the best of several runs."""
    times = []
    for _ in range(RUNS):
        begin = time.process_time()
        run()
        times.append(time.process_time() - begin)
    return min(times)


def main() -> int:
    names = [f"Player {n}" for n in range(1, 7)]
    evening = End("rounds", 500)
    games: list[tuple[str, Game[Any]]] = [
        (
            "Barbudi, 500 rounds, six players",
            Barbudi(names, BarbudiRules(end=evening), 5000, names[0]),
        ),
        (
            "Barbut, 500 wagers, six players",
            Barbut(names, BarbutRules(end=evening), 5000, names[0]),
        ),
        ("three dice, to 5550, six players", BarbutBg(names)),
        ("Balut, 28 rounds, six players", Balut(names)),
    ]
    print(f"{'':34}{'acts':>6}{'resume':>11}{'from JSON':>12}{'acts a second':>15}")
    for title, game in games:
        done = played(game).acts
        state = game.state
        seconds = best(lambda game=game, done=done: game.replay(done))
        assert game.replay(done).state == state
        steps = game.transcript()["steps"]
        from_json = best(
            lambda game=game, steps=steps: game.replay(acts.from_json(step) for step in steps)
        )
        rate = len(done) / seconds
        print(
            f"{title:34}{len(done):6}{seconds * 1e3:8.1f} ms{from_json * 1e3:9.1f} ms{rate:15,.0f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
