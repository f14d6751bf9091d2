"""Every sentence that people see, on the screen and in the terminal, in every language.

English stands in the code, as msgid; `display/locale/*.po` has the other languages. A text to
translate is the first argument of `say` or `plural`, or stands in `N_()`: so pybabel finds it (see
`display/locale/README.md`).

Names are put in as they are and never bent, and nothing is said about a player's sex.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from display import catalogue, story
from display.view import Action, Hint, Notice, Scene, View, Watch
from display.vocabulary import (
    COLUMNS,
    GAMES,
    LABELS,
    LEVELS,
    LOOK,
    LOOK_VALUES,
    NOTICES,
    PARTS,
    PERIODS,
    PROBLEMS,
    REASONS,
    REFUSALS,
    ROWS,
    RULES,
    SOURCES,
    TITLES,
    VALUES,
    WATCH,
)
from firmware.rules.game import AmountWanted, ChoiceWanted, DiceWanted, Event, Prompt
from vision.reading import Problem

_ACTIONS = frozenset(action.value for action in Action)


class Words:
    """The words of one language."""

    def __init__(self, language: str = "en") -> None:
        """Unknown languages speak English."""
        self.language = language
        self._translations = catalogue.load(language)

    def say(self, text: str, /, **values: Any) -> str:
        """A text in this language, its placeholders filled."""
        return (self._translations.gettext(text) if text else "").format(**values)

    def plural(self, one: str, many: str, n: int, /, **values: Any) -> str:
        """A text in the form that goes with the number `n`, which fills `{n}`."""
        return self._translations.ngettext(one, many, n).format(n=n, **values)

    # -- single words

    def game(self, key: str) -> str:
        """Name of a game."""
        return self.say(GAMES.get(key, key))

    def row(self, key: str) -> str:
        """Name of a row of the Balut sheet."""
        return self.say(ROWS.get(key, key))

    def label(self, hint: Hint) -> str:
        """What a button does now."""
        label = self.say(LABELS[hint.action])
        return label if hint.number is None else f"{label} {hint.number}"

    def option(self, key: str) -> str:
        """A line of a menu: the label of an action, or a text that is shown as it is."""
        return self.say(LABELS[Action(key)]) if key in _ACTIONS else key

    def rule(self, key: str) -> str:
        """Name of a house rule."""
        return self.say(RULES.get(key, key))

    def value(self, value: str) -> str:
        """Value of a house rule; "rounds 20", "minutes 60", "percent 2.5" and "fixed 1" too."""
        kind, _, number = value.partition(" ")
        if kind == "rounds" and number.isdigit():
            return self.plural("{n} round", "{n} rounds", int(number))
        if kind == "minutes" and number.isdigit():
            return self.plural("{n} minute", "{n} minutes", int(number))
        if kind == "percent":
            return f"{number} %"
        if kind == "fixed" and number.isdigit():
            return self.say("{chips} a round", chips=self.chips(int(number)))
        return self.say(VALUES[value]) if value in VALUES else value

    def look(self, key: str) -> str:
        """Name of a quick setting."""
        return self.say(LOOK[key])

    def look_value(self, value: str) -> str:
        """Value of a quick setting; a language stands under its own name."""
        return self.say(LOOK_VALUES[value]) if value in LOOK_VALUES else value

    def part(self, key: str) -> str:
        """Name of a part of the table, for the health screen."""
        return self.say(PARTS.get(key, key))

    def column(self, key: str) -> str:
        """Head of a column of the statistics."""
        return self.say(COLUMNS.get(key, key))

    def period(self, key: str) -> str:
        """The time that statistics are taken over."""
        return self.say(PERIODS[key])

    def source(self, source: str) -> str:
        """Where the dice of a recorded step come from."""
        return self.say(SOURCES[source])

    def level(self, level: str) -> str:
        """How a part is."""
        return self.say(LEVELS[level])

    def names(self, names: Iterable[str]) -> str:
        """Names as a list: "Kari, Ola and Per"."""
        found = list(names)
        if len(found) < 2:
            return "".join(found)
        return self.say("{most} and {last}", most=", ".join(found[:-1]), last=found[-1])

    @staticmethod
    def number(n: int) -> str:
        """A number with a real minus sign."""
        return str(n).replace("-", "−")

    def decimal(self, value: float, places: int) -> str:
        """A number with so many decimals: "3.7", in the other languages "3,7"."""
        return self.figure(f"{value:.{places}f}")

    def figure(self, text: str) -> str:
        """A number that was written with a decimal point, in the manner of the language."""
        whole, _, part = text.partition(".")
        return self.say("{whole}.{part}", whole=whole, part=part) if part else text

    @staticmethod
    def thousands(n: int) -> str:
        """A large number in groups of three, with narrow spaces between them."""
        return f"{n:,}".replace(",", "\u202f") if n >= 10_000 else str(n)

    def chips(self, n: int) -> str:
        """An amount of chips."""
        return self.plural("{n} chip", "{n} chips", n)

    def points(self, n: int) -> str:
        """An amount of points."""
        return self.plural("{n} point", "{n} points", n).replace("-", "−")

    def players(self, n: int) -> str:
        """A number of players."""
        return self.plural("{n} player", "{n} players", n)

    def left_out(self, n: int) -> str:
        """How many lines had no room."""
        return self.plural("and {n} more", "and {n} more", n)

    # -- sentences

    def problem(self, problem: Problem, found: int | None = None, due: int | None = None) -> str:
        """Why there is no reading."""
        if problem is Problem.WRONG_COUNT and found is not None and due:
            return self.plural(
                "{due} due, {n} die seen.", "{due} due, {n} dice seen.", found, due=due
            )
        return self.say(PROBLEMS[problem])

    def watch(self, watch: Watch) -> str:
        """What goes on in the tray."""
        return self.say(WATCH[watch])

    def notice(self, notice: Notice) -> str:
        """The sentence of a notice."""
        details = dict(notice.details)
        if notice.code == Problem.WRONG_COUNT and {"due", "found"} <= details.keys():
            return self.problem(Problem.WRONG_COUNT, int(details["found"]), int(details["due"]))
        if notice.code == "players" and {"low", "high"} <= details.keys():
            return self.say("This game is for {low} to {high} players.", **details)
        text = NOTICES.get(notice.code) or REFUSALS.get(notice.code) or PROBLEMS.get(notice.code)
        if text is None:
            return notice.text or notice.code
        return self.say(text, **details)

    def refusal(self, code: str) -> str:
        """Why the judge refused."""
        return self.say(REFUSALS.get(code, code))

    def reason(self, reason: str) -> str:
        """Why a game ended."""
        return self.say(REASONS.get(reason, reason))

    def event(self, event: Event) -> str:
        """One thing that happened, as a sentence; empty for what needs no words."""
        return story.sentence(self, event)

    def story(self, events: Iterable[Event]) -> str:
        """All that the last act brought about, in a row of sentences."""
        return " ".join(text for event in events if (text := self.event(event)))

    # -- headlines

    def headline(self, view: View) -> tuple[str, str]:
        """The first line of the screen: a player's name, if it is about one, and the text."""
        if view.scene not in (Scene.GAME, Scene.THROW):
            return "", self.say(TITLES[view.scene])
        if view.prompt is None:
            return "", self.say(TITLES[Scene.RESULT if view.outcome else view.scene])
        text = self.wanted(view.prompt, getattr(view.state, "phase", ""))
        if getattr(view.state, "vari", False):
            text += " – " + self.say("Vari!")
        return view.prompt.by, text

    def wanted(self, prompt: Prompt, phase: str = "") -> str:
        """What the table waits for from `prompt.by`; goes on after his name."""
        first = prompt.wants[0]
        ops = {want.op for want in prompt.wants}
        match first:
            case _ if phase == "first" and isinstance(first, DiceWanted):
                return self.plural(
                    "throws {n} die to see who begins",
                    "throws {n} dice to see who begins",
                    first.dice,
                )
            case _ if {"bank", "throw"} <= ops:
                return self.say("records or throws again")
            case _ if {"enter", "throw"} <= ops:
                return self.say("keeps some and throws the others, or enters")
            case DiceWanted(dice=dice):
                return self.plural("throws {n} die", "throws {n} dice", dice)
            case AmountWanted(op="stake"):
                return self.say("stakes")
            case AmountWanted(op="cover", high=high):
                return self.plural("may cover {n} chip", "may cover up to {n} chips", high)
            case AmountWanted(op="wager"):
                return self.say("agrees the stake")
            case ChoiceWanted(op="two_shot_choice"):
                return self.say("stops or goes on?")
            case ChoiceWanted(op="enter"):
                return self.say("enters the dice")
            case ChoiceWanted(op="begin"):
                return self.say("names who begins")
        return ""
