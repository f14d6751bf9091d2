"""The house rules of a game, chosen with four buttons before it begins (RULES.md, section 6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, ClassVar, Final

from display.view import Action, Buttons, Hint, Scene, Setting
from firmware.buttons import Button
from firmware.dialogs import BACK, Command, Dialog, Intent
from firmware.rules import RULES
from firmware.rules.options import (
    Choice,
    End,
    EndOption,
    FeeOption,
    FixedFee,
    Option,
    PayOption,
    PercentFee,
    Switch,
    Whole,
    from_json,
    options_of,
)

ENDS: Final = (
    End(),
    *(End("rounds", n) for n in (5, 10, 15, 20, 30, 50)),
    *(End("minutes", n) for n in (15, 30, 45, 60, 90, 120)),
)
FEES: Final = (
    None,
    *(PercentFee(rate) for rate in (100, 200, 250, 300, 500, 1000)),
    *(FixedFee(amount) for amount in (1, 2, 3, 5)),
)
PAYS: Final = (
    (),
    *(tuple((one, Fraction(1, n)) for one in ("6-6", "1-1")) for n in (4, 3, 2, 1)),
    *(((one, Fraction(1, 2)),) for one in ("6-6", "1-1")),
)
"""What left and right offer where a rule can be much; a configuration file may say more."""
MOST: Final = 9999


def offered(kind: Option) -> tuple[Any, ...]:
    """The values that left and right go through; empty for a number, which counts."""
    match kind:
        case Switch():
            return (True, False)
        case Choice(values):
            return values
        case EndOption():
            return ENDS
        case FeeOption():
            return FEES
        case PayOption():
            return PAYS
    return ()


def stepped(kind: Option, value: Any, steps: int) -> Any:
    """The value that is `steps` further to the right."""
    if not isinstance(kind, Whole):
        values = offered(kind)
        # A value from the configuration file that is not offered is left for good.
        at = values.index(value) + steps if value in values else 0
        return values[at % len(values)]
    for _ in range(abs(steps)):
        value = _counted(kind, value, 1 if steps > 0 else -1)
    return value


def _counted(kind: Whole, value: int | None, way: int) -> int | None:
    """One step of a number; below the lowest is "none", where that is allowed."""
    if value is None:
        return kind.low if way > 0 else None
    size = 1 if value + min(way, 0) < 20 else 5 if value + min(way, 0) < 200 else 50
    if value + way * size < kind.low:
        return None if kind.none else kind.low
    return min(value + way * size, MOST)


def shown(value: Any) -> str:
    """A value as `display.words.Words.value` takes it."""
    match value:
        case True:
            return "on"
        case False:
            return "off"
        case None | ():
            return "none"
        case End(mode="manual"):
            return "manual"
        case End(mode, limit):
            return f"{mode} {limit}"
        case PercentFee(rate):
            return f"percent {rate / 100:g}"
        case FixedFee(amount):
            return f"fixed {amount}"
        case tuple():
            return ", ".join(f"{throw} {part}" for throw, part in value)
    return str(value)


def settings(game: str, config: Mapping[str, Any]) -> dict[str, Setting]:
    """Every house rule of a game by its key, for the screen."""
    rules = from_json(RULES[game], config)
    found = {}
    for key, (_, default) in options_of(RULES[game]).items():
        value = getattr(rules, key)
        found[key] = Setting(key, _of(key, value), "" if value == default else _of(key, default))
    return found


def _of(key: str, value: Any) -> str:
    """No limit is written as 0 (RULES.md, section 6)."""
    return "none" if key == "max_throws" and value == 0 else shown(value)


class HouseRulesDialog(Dialog):
    """What differs from the usual first, then a line that leads to all the others."""

    scene: ClassVar[Scene] = Scene.HOUSE_RULES

    def __init__(
        self, game: str, config: Mapping[str, Any], take: Callable[[dict[str, Any]], None]
    ) -> None:
        """`take` is told the new `config` object whenever a rule has been changed."""
        self.game = game
        self.config = dict(config)
        self.editing = False
        self.cursor = 0
        self._take = take
        self._options = options_of(RULES[game])
        # The order stands while people look at it, whatever they change.
        self._keys = [key for key, one in settings(game, config).items() if one.usual]
        self._draft: Any = None
        """The value while it is being chosen."""

    @property
    def _all(self) -> bool:
        return len(self._keys) == len(self._options)

    @property
    def _places(self) -> int:
        return len(self._keys) + (not self._all)

    @property
    def _key(self) -> str | None:
        """The rule at the cursor; None on the line that leads to all."""
        return self._keys[self.cursor] if self.cursor < len(self._keys) else None

    def buttons(self) -> Buttons:
        """Choose a rule, then its value: one meaning a button at each moment."""
        previous, following = Hint(Action.PREVIOUS), Hint(Action.NEXT)
        if self.editing and self._key is not None:
            if isinstance(self._options[self._key][0], Whole):
                previous, following = Hint(Action.LESS), Hint(Action.MORE)
            return Buttons(Hint(Action.CONFIRM), Hint(Action.CANCEL), previous, following)
        several = self._places > 1
        confirm = Hint(Action.CHANGE if self._key is not None else Action.ALL_RULES)
        return Buttons(confirm, BACK, previous if several else None, following if several else None)

    def press(self, button: Button, held: int = 0) -> Intent:
        """See `buttons`."""
        if self.editing and self._key is not None:
            self._press_value(button, self._key, held)
            return None
        match button:
            case Button.LEFT | Button.RIGHT:
                way = 1 if button is Button.RIGHT else -1
                self.cursor = (self.cursor + way) % self._places
            case Button.BACK:
                return Command.CLOSE
            case Button.CONFIRM if self._key is None:
                self._keys += [key for key in self._options if key not in self._keys]
            case Button.CONFIRM:
                self._draft = getattr(from_json(RULES[self.game], self.config), self._key)
                self.editing = True
        return None

    def _press_value(self, button: Button, key: str, held: int) -> None:
        kind, default = self._options[key]
        match button:
            case Button.LEFT | Button.RIGHT:
                way = 1 if button is Button.RIGHT else -1
                self._draft = stepped(kind, self._draft, way * (held or 1))
            case Button.BACK:
                self.editing = False
            case Button.CONFIRM:
                self.editing = False
                self.config.pop(key, None)
                if self._draft != default:
                    self.config[key] = kind.write(self._draft)
                self._take(dict(self.config))

    def point(self, kind: str, name: str) -> bool:
        """A line is opened by touching it, and its value taken by touching it again."""
        if kind != "option" or int(name) >= self._places:
            return False
        if self.editing:
            return int(name) == self.cursor
        self.cursor = int(name)
        return True

    def show(self) -> dict[str, Any]:
        """The rules as they are now, the one being chosen with its draft."""
        config = dict(self.config)
        if self.editing and self._key is not None:
            config[self._key] = self._options[self._key][0].write(self._draft)
        now = settings(self.game, config)
        return {
            "game": self.game,
            "settings": tuple(now[key] for key in self._keys),
            "options": () if self._all else (Action.ALL_RULES.value,),
            "cursor": self.cursor,
            "editing": self.editing,
        }
