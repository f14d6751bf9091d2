"""The contract that every game keeps: acts, prompts, events, outcome, refusals.

Modelled on python-chess: a game is an object that acts are pushed onto.

    >>> from firmware.rules import Barbudi, Cover, Stake, Throw
    >>> game = Barbudi(["Kari", "Ola"], chips=20, thrower="Kari")
    >>> game.prompt.by, game.prompt.wants[0].op
    ('Ola', 'stake')
    >>> for act in (Stake("Ola", 5), Cover("Kari", 5), Throw("Kari", (6, 5))):
    ...     state = game.push(act)
    >>> state.winner, dict(state.chips.stacks)
    ('Kari', {'Kari': 25, 'Ola': 15})
    >>> game.pop()
    Throw(by='Kari', dice=(6, 5), keep=None)

The state is the fold of the acts over the start state, and every state is frozen: `pop` is exact,
also over the end of a round or of a game, and a journal of acts is the whole truth.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar

from firmware.rules import acts as acts_
from firmware.rules.acts import Act

FACES = (1, 2, 3, 4, 5, 6)

TRANSCRIPT_VERSION = 1
"""Version of the transcript format; a transcript without one is of version 1."""

CODES = (
    "out_of_turn",
    "bad_amount",
    "not_enough_chips",
    "over_cover",
    "fixed_stake",
    "two_shot_off",
    "side_bets_off",
    "not_passive",
    "bad_side_bet",
    "too_late",
    "vari_off",
    "bad_dice",
    "wrong_dice",
    "nothing_to_bank",
    "no_throws_left",
    "keep_not_on_table",
    "not_thrown",
    "row_full",
    "bad_category",
    "players",
    "game_over",
    # Beyond section 11, where none of its codes fits:
    "bad_chips",  # a constructor's stacks
    "bad_start",  # any other start datum of a constructor: beginner, totals, sheets
    "bad_choice",  # an answer that was not among the options
    "not_in_game",  # an act of another game
)
"""Every refusal code: those of section 11, and four of our own."""


class Refused(Exception):  # noqa: N818 - the contract's word; it is an answer, not an error
    """An act, or the start of a game, that the rules do not allow. Nothing has changed.

    `code` is one of `CODES`; `details` is data for the sentence that a person reads
    (for example `by`, `due`, `low`, `high`).
    """

    def __init__(self, code: str, **details: Any) -> None:
        super().__init__(code, details)
        self.code = code
        self.details = details

    def __str__(self) -> str:
        inside = ", ".join(f"{key}={value!r}" for key, value in self.details.items())
        return f"{self.code} ({inside})" if inside else self.code


# --- what the table waits for --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Keep:
    """One way to keep dice before a throw."""

    faces: tuple[int, ...]
    """Faces kept, from high to low."""
    dice: int
    """Number of dice that are then thrown."""


@dataclass(frozen=True, slots=True)
class DiceWanted:
    """A throw is due; a void throw may be reported instead (R-GEN-1)."""

    by: str
    dice: int
    """Number of dice due when nothing is chosen: all five in Balut, else R-GEN-2."""
    keeps: tuple[Keep, ...] = ()
    """The ways to keep dice from the table; empty when there is no choice."""
    optional: bool = False
    """He may throw, but need not (another want offers the alternative)."""
    op: ClassVar[str] = "throw"


@dataclass(frozen=True, slots=True)
class AmountWanted:
    """An amount of chips is due: op `stake`, `cover` or `wager`, from `low` to `high`."""

    op: str
    by: str
    low: int
    high: int
    options: tuple[str, ...] = ()
    """What may be added to it: `("two_shot",)` or nothing."""


@dataclass(frozen=True, slots=True)
class ChoiceWanted:
    """A button: op `decline`, `vari`, `bank` (no options), or one of several `options`.

    With options: `two_shot_choice` (stop, continue), `enter` (free rows), `begin` (seats),
    `stop` (hand, time).
    """

    op: str
    by: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SideBetWanted:
    """Side bets are open (R-BD-5) to these players, each up to his chips."""

    limits: tuple[tuple[str, int], ...]
    op: ClassVar[str] = "side_bet"


Want = DiceWanted | AmountWanted | ChoiceWanted | SideBetWanted


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the table waits for."""

    by: str
    """The player addressed; in the two-shot decision the first who has not answered."""
    wants: tuple[Want, ...]
    """What he (in the two-shot decision: he or the other one) may do: the buttons to light."""
    also: tuple[Want, ...] = ()
    """What is allowed besides, but not waited for: side bets, stopping."""

    def want(self, op: str) -> Want | None:
        """The want of that op, from `wants` or `also`; None when it is not allowed now."""
        return next((one for one in (*self.wants, *self.also) if one.op == op), None)


# --- what happened -------------------------------------------------------------------------------


class Event(NamedTuple):
    """One thing that the last act brought about, with its reason, as data.

    A screen or a story makes a sentence of it by `kind` (listed in `firmware.rules.events`).
    """

    kind: str
    rule: str
    """Number of the rule in RULES.md, such as `R-BD-6`."""
    who: str | None = None
    other: str | None = None
    """A second player: loser, new fader, next in turn (see the kind)."""
    dice: tuple[int, ...] = ()
    """From high to low."""
    row: str | None = None
    """Key of the table row or field that applies, such as `lose_double` or `fours`."""
    meaning: str | None = None
    """What the row means now: `win`, `lose`, `nothing` …"""
    amount: int | None = None
    total: int | None = None
    """A second number: the pot, the total after it, the round (see the kind)."""
    shares: tuple[tuple[str, int], ...] = ()
    """Amounts by player, where several are concerned."""
    vari: bool = False
    """The meaning was reversed by a call of Vari."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    winners: tuple[str, ...]
    """One name, or several who share."""
    ranking: tuple[tuple[str, ...], ...]
    """All players, best first; those who share a place stand together."""
    reason: str
    """`rounds`, `time`, `hand`, `broke`, `finished` or `filled`."""
    rule: str
    scores: tuple[tuple[str, int], ...]
    """Chips or points of every player, in the order of the seats."""


class State(Protocol):
    """What the states of all games share; each is a frozen dataclass with much more."""

    @property
    def phase(self) -> str:
        """What the game is in; `over` at the end."""

    @property
    def seats(self) -> tuple[str, ...]:
        """The players, in playing order round the table."""

    @property
    def events(self) -> tuple[Event, ...]:
        """What the last act brought about; empty in a start state."""


S = TypeVar("S", bound=State)


class Game(ABC, Generic[S]):
    """A game in progress: a start state and the acts pushed onto it."""

    key: ClassVar[str]
    """`barbudi`, `barbut`, `barbut_bg` or `balut`."""
    handlers: ClassVar[Mapping[type[Act], Callable[..., Any]]]
    """What applies each act: pure functions (state, act) -> state that may raise `Refused`."""

    def __init__(self, start: S, start_json: Mapping[str, Any]) -> None:
        """`start_json` is the start in the transcript format, without `steps`."""
        self._states: list[S] = [start]
        self._acts: list[Act] = []
        self._start_json = dict(start_json)

    @classmethod
    @abstractmethod
    def from_start(cls, start: Mapping[str, Any]) -> Self:
        """The game that a start in the transcript format describes (`start_json` gives it back).

        Raises:
            Refused: seats, chips or other start data that the rules do not allow.
            ConfigError: an unknown house rule or value.
        """

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """The state with the key names of the transcripts' `expect` objects."""

    @staticmethod
    @abstractmethod
    def _prompt(state: S) -> Prompt | None:
        """What the game waits for in that state."""

    @staticmethod
    @abstractmethod
    def _outcome(state: S) -> Outcome | None:
        """How the game ended; None while it runs."""

    @classmethod
    def _apply(cls, state: S, act: Act) -> S:
        """The state after the act; pure.

        Raises:
            Refused: the rules do not allow the act.
        """
        handler = cls.handlers.get(type(act))
        if handler is None:
            raise Refused("not_in_game", op=act.op, game=cls.key)
        if state.phase == "over":
            raise Refused("game_over")
        after: S = handler(state, act)
        return after

    def push(self, act: Act) -> S:
        """Apply an act and return the new state.

        Raises:
            Refused: the rules do not allow it; nothing has changed.
        """
        state = self._apply(self._states[-1], act)
        self._states.append(state)
        self._acts.append(act)
        return state

    def pop(self) -> Act:
        """Take the last act back and return it.

        Raises:
            IndexError: there is none.
        """
        act = self._acts.pop()
        self._states.pop()
        return act

    def correct(self, throw: acts_.Throw) -> S:
        """Replace the throw that was the last act (R-GEN-6); whoever keeps a journal logs it.

        Raises:
            Refused: `too_late` when the last act is not a throw, or as `push` for the new one.
        """
        if not self._acts or not isinstance(self._acts[-1], acts_.Throw):
            raise Refused("too_late", by=throw.by)
        state = self._apply(self._states[-2], throw)
        self._states[-1] = state
        self._acts[-1] = throw
        return state

    @property
    def state(self) -> S:
        """All that a screen needs, as frozen data."""
        return self._states[-1]

    @property
    def acts(self) -> tuple[Act, ...]:
        """The acts so far."""
        return tuple(self._acts)

    @property
    def seats(self) -> tuple[str, ...]:
        """The players, in playing order round the table."""
        return self.state.seats

    @property
    def prompt(self) -> Prompt | None:
        """What the table waits for; None when the game is over."""
        return self._prompt(self._states[-1])

    def outcome(self) -> Outcome | None:
        """How the game ended; None while it runs."""
        return self._outcome(self._states[-1])

    def legal(self) -> Iterator[Act]:
        """Every act that is allowed now, lazily; throws as multisets of faces."""
        prompt = self.prompt
        if prompt is not None:
            for want in (*prompt.wants, *prompt.also):
                yield from acts_of(want)

    @property
    def start_json(self) -> dict[str, Any]:
        """How the game began, in the transcript format without `steps`."""
        return dict(self._start_json)

    def transcript(self) -> dict[str, Any]:
        """The whole game so far in the transcript format; `dicetable judge` plays it."""
        steps = [acts_.to_json(act) for act in self._acts]
        return {"version": TRANSCRIPT_VERSION, **self._start_json, "steps": steps}

    def replay(self, acts: Iterable[Act] | None = None) -> Self:
        """A new game from the same start with `acts` pushed onto it (None: the same acts)."""
        game = type(self).from_start(self._start_json)
        for act in self._acts if acts is None else acts:
            game.push(act)
        return game


def acts_of(want: Want) -> Iterator[Act]:
    """Every act that fulfils a want: the one place that turns prompts into acts."""
    match want:
        case DiceWanted(by, dice, keeps):
            ways: Sequence[tuple[tuple[int, ...] | None, int]] = [
                (keep.faces, keep.dice) for keep in keeps
            ] or [(None, dice)]
            for keep, due in ways:
                for faces in combinations_with_replacement(FACES[::-1], due):
                    yield acts_.Throw(by, faces, keep)
            for reason in acts_.VOID_REASONS:
                yield acts_.VoidThrow(by, reason)
        case AmountWanted(op, by, low, high, options):
            for amount in range(low, high + 1):
                if op == "stake":
                    yield acts_.Stake(by, amount)
                    if "two_shot" in options:
                        yield acts_.Stake(by, amount, two_shot=True)
                elif op == "cover":
                    yield acts_.Cover(by, amount)
                else:
                    yield acts_.Wager(amount)
        case ChoiceWanted(op, by, options):
            yield from _choices(op, by, options)
        case SideBetWanted(limits):
            for (one, has), (other, has_too) in permutations(limits, 2):
                for amount in range(1, min(has, has_too) + 1):
                    yield acts_.SideBet(one, other, amount)


def _choices(op: str, by: str, options: tuple[str, ...]) -> Iterator[Act]:
    """The acts behind a `ChoiceWanted`."""
    plain = {"decline": acts_.Decline, "vari": acts_.Vari, "bank": acts_.Bank}
    if op in plain:
        yield plain[op](by)
    for option in options:
        if op == "two_shot_choice":
            yield acts_.TwoShotChoice(by, option)
        elif op == "enter":
            yield acts_.Enter(by, option)
        elif op == "begin":
            yield acts_.Begin(option)
        elif op == "stop":
            yield acts_.Stop(option)
