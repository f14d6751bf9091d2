"""Random play of every game under random house rules, watched after every act.

After every act: chips are conserved, the state is the fold of the acts, `pop` undoes `push`
exactly, every legal act is accepted, any other act is refused without a trace, and at the end the
game can be brought to its end.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from firmware.rules import (
    GAMES,
    RULES,
    Act,
    AmountWanted,
    Bank,
    Begin,
    ChoiceWanted,
    Cover,
    Decline,
    DiceWanted,
    Enter,
    Game,
    Refused,
    SideBet,
    Stake,
    Stop,
    Throw,
    TwoShotChoice,
    Vari,
    VoidThrow,
    Wager,
    acts,
    options,
)
from firmware.rules.events import EVENTS
from firmware.rules.game import CODES, FACES, acts_of

MORE = int(os.environ.get("DICETABLE_MORE_EXAMPLES", "1"))
"""How many times more games than in the ordinary test; then they are others each time."""

NAMES = ("Ana", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ina", "Jo", "Kai", "Lea", "Mo")
STRANGER = "Nobody"
LIMITS = {"barbudi": (2, 12), "barbut": (2, 12), "barbut_bg": (2, 9), "balut": (1, 6)}


def values_of(key: str, option: options.Option) -> st.SearchStrategy[Any]:
    """JSON values that a house rule can have."""
    match option:
        case options.Switch():
            return st.booleans()
        case options.Choice(values, _):
            return st.sampled_from(values)
        case options.FeeOption():
            percent = st.builds(lambda n: {"mode": "percent", "rate_bp": n}, st.integers(0, 10_000))
            fixed = st.builds(lambda n: {"mode": "fixed", "amount": n}, st.integers(0, 9))
            return st.none() | percent | fixed
        case options.EndOption():
            return (
                st.just("manual")
                | st.builds(lambda n: {"mode": "rounds", "rounds": n}, st.integers(1, 5))
                | st.just({"mode": "minutes", "minutes": 30})
            )
        case options.PayOption():
            part = st.sampled_from(([1, 2], "1/3", [0, 1], [1, 1]))
            return st.none() | st.dictionaries(st.sampled_from(("6-6", "1-1")), part)
        case options.Whole(low, none):
            if key == "target":
                # What 50 can not reach exactly would never end under `finish = exact`.
                return st.integers(1, 20).map(lambda n: 50 * n)
            whole = st.integers(low, low + 4)
            return st.none() | whole if none else whole
    raise AssertionError(f"no values for {option}")


def configs(game: str) -> st.SearchStrategy[dict[str, Any]]:
    known = options.options_of(RULES[game])
    return st.fixed_dictionaries(
        {}, optional={key: values_of(key, option) for key, (option, _) in known.items()}
    )


@st.composite
def starts(draw: st.DrawFn, game: str) -> dict[str, Any]:
    low, high = LIMITS[game]
    seats = list(NAMES[: draw(st.integers(low, min(high, low + draw(st.sampled_from((1, 10))))))])
    start: dict[str, Any] = {"game": game, "players": seats, "config": draw(configs(game))}
    first = draw(st.none() | st.sampled_from(seats))
    if game in ("barbudi", "barbut"):
        chips = draw(st.lists(st.integers(0, 9), min_size=len(seats), max_size=len(seats)))
        chips[0] += 1
        chips[-1] += 1
        start |= {"chips": dict(zip(seats, chips, strict=True)), "thrower": first}
    elif game == "barbut_bg":
        start |= {
            "turn": first,
            "opened": draw(st.dictionaries(st.sampled_from(seats), st.booleans())),
        }
    elif first is not None:
        at = seats.index(first)
        start["order"] = seats[at:] + seats[:at]
    return start


def narrowed(draw: Any, want: Any) -> Any:
    """A throw with a choice of dice to keep, narrowed to one choice: fewer acts to list."""
    if isinstance(want, DiceWanted) and want.keeps:
        keep = draw(st.sampled_from(want.keeps))
        return DiceWanted(want.by, keep.dice, (keep,))
    return want


def any_act(seats: tuple[str, ...]) -> st.SearchStrategy[Act]:
    """Any act, sensible or not."""
    who = st.sampled_from((*seats, STRANGER))
    amount = st.integers(-1, 12) | st.just(2.5)
    face = st.sampled_from((*FACES, *FACES, *FACES, 0, 7))
    dice = st.lists(face, max_size=6).map(tuple)
    row = st.sampled_from(("fours", "fives", "sixes", "straight", "house", "choice", "balut", "x"))
    return st.one_of(
        st.builds(Throw, who, dice, st.none() | dice),
        st.builds(Throw, who, st.lists(st.sampled_from(FACES), min_size=2, max_size=2).map(tuple)),
        st.builds(Throw, who, st.lists(st.sampled_from(FACES), min_size=3, max_size=3).map(tuple)),
        st.builds(VoidThrow, who, st.sampled_from(("cocked", "a cat"))),
        st.builds(Begin, who),
        st.builds(Stop, st.sampled_from(("hand", "time", "rain"))),
        st.builds(Stake, who, amount, st.booleans()),
        st.builds(Decline, who),
        st.builds(Cover, who, amount),
        st.builds(SideBet, who, who, amount),
        st.builds(Vari, who),
        st.builds(TwoShotChoice, who, st.sampled_from(("stop", "continue", "perhaps"))),
        st.builds(Wager, amount, st.none() | who),
        st.builds(Bank, who),
        st.builds(Enter, who, row),
    )


def is_legal(game: Game[Any], act: Act) -> bool:
    """Is the act, however it is written, one of `legal()`?"""
    prompt = game.prompt
    if prompt is None:
        return False
    wants = (*prompt.wants, *prompt.also)
    if isinstance(act, VoidThrow):
        return any(isinstance(one, DiceWanted) and one.by == act.by for one in wants)
    if isinstance(act, Wager):
        if game.key != "barbut" or act.by not in (None, game.state.thrower, game.state.opponent):
            return False
        act = Wager(act.amount)
    if not isinstance(act, Throw):
        return any(act == one for want in wants for one in acts_of(want))
    for want in wants:
        if not isinstance(want, DiceWanted) or want.by != act.by:
            continue
        ways = {keep.faces: keep.dice for keep in want.keeps}
        kept = None if act.keep is None else tuple(sorted(act.keep, reverse=True))
        if game.key == "barbut_bg" and game.state.phase == "choice":
            # Without a choice what scored is set aside, and may be named all the same.
            ways |= {None: want.dice, game.state.scoring: want.dice}
        elif not ways:
            ways = {None: want.dice, (): want.dice}
        else:
            ways[None] = want.dice
        if kept in ways and len(act.dice) == ways[kept] and set(act.dice) <= set(FACES):
            return True
    return False


class Machine(RuleBasedStateMachine):
    """One game; the sub-classes say which."""

    key = ""
    game: Game[Any]

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        start = data.draw(starts(self.key), label="start")
        self.game = GAMES[self.key].from_start(start)
        self.chips = self.game.state.chips.total if hasattr(self.game.state, "chips") else None

    @property
    def going(self) -> bool:
        return hasattr(self, "game") and self.game.prompt is not None

    def push(self, act: Act) -> None:
        """Push, and look at what `pop` and the codec do."""
        before = self.game.state
        assert acts.from_json(acts.to_json(act)) == act
        after = self.game.push(act)
        assert self.game.pop() is act
        assert self.game.state is before
        assert self.game.push(act) == after
        assert {event.kind for event in after.events} <= set(EVENTS)
        assert all(event.rule.startswith("R-") for event in after.events)

    @precondition(lambda self: self.going)
    @rule(data=st.data())
    def legal_act(self, data: st.DataObject) -> None:
        prompt = self.game.prompt
        assert prompt is not None
        main = data.draw(st.sampled_from((True,) * 9 + (False,)))
        want = narrowed(
            data.draw,
            data.draw(st.sampled_from(prompt.wants if main else (*prompt.wants, *prompt.also))),
        )
        choices = list(acts_of(want))
        assert choices or isinstance(want, AmountWanted)
        self.push(data.draw(st.sampled_from(choices), label="act"))

    @precondition(lambda self: self.going and self.key != "balut")
    @rule()
    def every_legal_act_is_accepted(self) -> None:
        for act in self.game.legal():
            self.game._apply(self.game.state, act)

    @precondition(lambda self: hasattr(self, "game"))
    @rule(data=st.data())
    def any_other_act_is_refused(self, data: st.DataObject) -> None:
        act = data.draw(any_act(self.game.seats), label="any act")
        before, acts_before = self.game.state, self.game.acts
        if is_legal(self.game, act):
            self.push(act)
            return
        with pytest.raises(Refused) as refused:
            self.game.push(act)
        assert refused.value.code in CODES
        assert self.game.state is before
        assert self.game.acts == acts_before

    @precondition(lambda self: hasattr(self, "game") and self.game.acts)
    @rule(data=st.data())
    def take_back(self, data: st.DataObject) -> None:
        for _ in range(data.draw(st.integers(1, len(self.game.acts)))):
            self.game.pop()

    @invariant()
    def state_is_the_fold_of_the_acts(self) -> None:
        if hasattr(self, "game"):
            again = self.game.replay()
            assert again.state == self.game.state
            assert again.prompt == self.game.prompt
            assert again.as_json() == self.game.as_json()
            assert again.transcript() == self.game.transcript()

    @invariant()
    def chips_are_conserved(self) -> None:
        if hasattr(self, "game") and self.chips is not None:
            chips = self.game.state.chips
            assert chips.total == self.chips
            assert min(*chips.stacks.values(), chips.escrow, chips.house) >= 0
            if self.game.outcome() is not None:
                assert chips.escrow == 0

    @invariant()
    def prompt_and_outcome_agree(self) -> None:
        if hasattr(self, "game"):
            outcome = self.game.outcome()
            assert (outcome is None) == (self.game.prompt is not None)
            assert (outcome is None) == (self.game.state.phase != "over")
            if outcome is not None:
                placed = [who for place in outcome.ranking for who in place]
                assert sorted(placed) == sorted(self.game.seats)
                assert outcome.winners == outcome.ranking[0]

    def teardown(self) -> None:
        if not hasattr(self, "game"):
            return
        for _ in range(5000):
            prompt = self.game.prompt
            if prompt is None:
                return
            self.game.push(towards_the_end(self.game))
        raise AssertionError("the game does not end")


def towards_the_end(game: Game[Any]) -> Act:
    """An act that brings the game nearer to its end."""
    prompt = game.prompt
    assert prompt is not None
    stop = prompt.want("stop")
    if isinstance(stop, ChoiceWanted):
        return Stop(stop.options[0])
    if prompt.want("bank") is not None:
        return Bank(prompt.by)
    if isinstance(enter := prompt.want("enter"), ChoiceWanted):
        return Enter(prompt.by, enter.options[0])
    state = game.state
    throw = prompt.want("throw")
    if isinstance(throw, DiceWanted) and state.phase == "first":
        # The first to throw is the highest, the others are not.
        first = not state.contest.thrown
        return Throw(throw.by, ((6,) if first else (1,)) * throw.dice)
    if isinstance(throw, DiceWanted) and game.key == "barbut_bg":
        opened = state.opened[throw.by]
        return Throw(throw.by, (5, 3, 2) if opened else (5, 5, 1))
    if isinstance(throw, DiceWanted):
        return Throw(throw.by, (6,) * throw.dice)
    return next(iter(acts_of(prompt.wants[-1])))


@pytest.mark.parametrize("key", GAMES)
def test_random_play(key: str) -> None:
    machine = type(f"{key}_machine", (Machine,), {"key": key})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=EXAMPLES[key] * MORE,
            stateful_step_count=40,
            deadline=None,
            derandomize=MORE == 1,
            suppress_health_check=list(HealthCheck),
        ),
    )


EXAMPLES: Mapping[str, int] = {"barbudi": 25, "barbut": 15, "barbut_bg": 15, "balut": 8}
