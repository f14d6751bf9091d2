"""From the level of a contact to what a person meant; no pins and no clock here.

Times are seconds of a monotonic clock and are handed in. A level is True while pressed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

SETTLE = 0.005
"""A level counts when it has held for so long; anything shorter is a glitch."""
LOCKOUT = 0.025
"""After an accepted change, contacts may bounce for so long."""
HOLD = 1.0
"""A button held for so long gives HELD."""
MENU_HOLD = 3.0
"""Confirm and back held together for so long open the operator's menu."""
STUCK = 60.0
"""A button down for so long is stuck."""
BASELINE = 0.5
"""Pins may take so long after power-on until their levels mean something."""


class Button(StrEnum):
    """The four buttons."""

    CONFIRM = "confirm"
    BACK = "back"
    LEFT = "left"
    RIGHT = "right"


MENU_GRIP = (Button.CONFIRM, Button.BACK)


class EventKind(StrEnum):
    """What a person did, or a fault of a button."""

    PRESSED = "pressed"
    RELEASED = "released"
    HELD = "held"
    MENU = "menu"
    """Confirm and back were held together: the operator's menu. `button` is None."""
    STUCK = "stuck"
    HELD_AT_BOOT = "held_at_boot"
    """It was down when the table started; its release will be passed over."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event of the panel."""

    kind: EventKind
    button: Button | None
    time: float
    """When the contact changed, or the time was up; seconds of the panel's monotonic clock."""


@dataclass(frozen=True, slots=True)
class Status:
    """One button, for the health page."""

    pressed: bool
    presses: int
    glitches: int
    """Pulses too short to be a finger; many of them tell of a bad wire."""
    stuck: bool


@dataclass(frozen=True, slots=True)
class Change:
    """An accepted change of a level."""

    level: bool
    time: float


class Debouncer:
    """One contact: what bounces and what is too short goes in, clean changes come out."""

    def __init__(self, settle: float = SETTLE, lockout: float = LOCKOUT) -> None:
        self._settle = settle
        self._lockout = lockout
        self._raw = False
        self._burst: float | None = None
        self._edge = 0.0
        self._locked_until = float("-inf")
        self.level = False
        """The accepted level."""
        self.glitches = 0
        """Pulses rejected, bouncing after a true change not counted."""

    def start(self, level: bool, time: float) -> None:
        """Take a level as it is, without a change."""
        self._raw = self.level = level
        self._burst = None
        self._edge = time

    def edge(self, level: bool, time: float) -> None:
        """The contact has this level from now on; call `advance(time)` before."""
        if level == self._raw:
            return
        self._raw = level
        self._edge = time
        if self._burst is None:
            self._burst = time

    def sure_until(self, time: float) -> float:
        """Up to when, at most `time`, the accepted level surely held: no edge is being settled."""
        return time if self._burst is None else min(time, self._burst)

    def advance(self, time: float) -> Change | None:
        """The change that is certain by now, if there is one."""
        if self._burst is None:
            return None
        certain = max(self._edge + self._settle, self._locked_until)
        if time < certain:
            return None
        began, self._burst = self._burst, None
        if self._raw != self.level:
            self.level = self._raw
            self._locked_until = certain + self._lockout
            return Change(self.level, began)
        if began >= self._locked_until:
            self.glitches += 1
        return None


@dataclass(slots=True)
class _Finger:
    """What is known of one button while it is down."""

    down_since: float = 0.0
    passed_over: bool = False
    """Down since the start, or second in the menu grip: gives no press, hold or release."""
    held: bool = False
    stuck: bool = False
    presses: int = 0


class Buttons:
    """All buttons together: presses, holds, the menu grip, stuck ones.

    The second button of the menu grip gives no press while the first is down, so that opening the
    menu never confirms anything.
    """

    def __init__(
        self, settle: float = SETTLE, lockout: float = LOCKOUT, baseline: float = BASELINE
    ) -> None:
        self._contacts = {button: Debouncer(settle, lockout) for button in Button}
        self._fingers = {button: _Finger() for button in Button}
        self._baseline = baseline
        self._started: float | None = None
        self._ready = False
        self._grip_since: float | None = None
        self._now = float("-inf")
        self._events: list[Event] = []

    def poll(
        self,
        edges: Iterable[tuple[Button, bool, float]],
        levels: Mapping[Button, bool],
        time: float,
    ) -> list[Event]:
        """What happened since the last call.

        Args:
            edges: changes that were noticed, with their times, in order.
            levels: the levels now; they heal edges that got lost.
            time: now.
        """
        if self._started is None:
            self._started = time
        if not self._ready:
            if time - self._started >= self._baseline:
                self._take_baseline(levels, time)
        else:
            for button, level, when in edges:
                # An edge noticed by another thread may carry a time just before the last poll.
                self._advance(max(when, self._now))
                self._contacts[button].edge(level, self._now)
            self._advance(max(time, self._now))
            for button, level in levels.items():
                self._contacts[button].edge(level, self._now)
            self._advance(self._now)
        events, self._events = self._events, []
        return events

    def status(self) -> dict[Button, Status]:
        """Every button, for the health page."""
        return {
            button: Status(
                pressed=contact.level,
                presses=self._fingers[button].presses,
                glitches=contact.glitches,
                stuck=self._fingers[button].stuck,
            )
            for button, contact in self._contacts.items()
        }

    def _take_baseline(self, levels: Mapping[Button, bool], time: float) -> None:
        self._ready = True
        self._now = time
        for button, level in levels.items():
            self._contacts[button].start(level, time)
            if level:
                self._fingers[button].down_since = time
                self._fingers[button].passed_over = True
                self._emit(EventKind.HELD_AT_BOOT, button, time)

    def _advance(self, time: float) -> None:
        self._now = time
        for button, contact in self._contacts.items():
            change = contact.advance(time)
            if change is not None and change.level:
                self._press(button, change.time)
            elif change is not None:
                self._release(button, change.time)
        for button, contact in self._contacts.items():
            if contact.level:
                self._down(button, contact.sure_until(time))
        until = min(self._contacts[button].sure_until(time) for button in MENU_GRIP)
        if self._grip_since is not None and until - self._grip_since >= MENU_HOLD:
            self._grip_since = None
            self._emit(EventKind.MENU, None, until)

    def _press(self, button: Button, time: float) -> None:
        finger = self._fingers[button]
        finger.down_since = time
        finger.held = finger.stuck = False
        finger.passed_over = False
        finger.presses += 1
        if button in MENU_GRIP:
            first = MENU_GRIP[1 - MENU_GRIP.index(button)]
            down = self._contacts[first].level and not self._fingers[first].stuck
            if down and not self._fingers[first].passed_over:
                self._fingers[first].held = True  # its hold now means the menu
                finger.passed_over = True
                self._grip_since = time
                return
        self._emit(EventKind.PRESSED, button, time)

    def _release(self, button: Button, time: float) -> None:
        finger = self._fingers[button]
        if button in MENU_GRIP:
            self._grip_since = None
        if not finger.passed_over:
            self._emit(EventKind.RELEASED, button, time)
        finger.passed_over = finger.held = finger.stuck = False

    def _down(self, button: Button, time: float) -> None:
        finger = self._fingers[button]
        lasted = time - finger.down_since
        if lasted >= HOLD and not finger.held and not finger.passed_over:
            finger.held = True
            self._emit(EventKind.HELD, button, time)
        if lasted >= STUCK and not finger.stuck:
            finger.stuck = True
            self._emit(EventKind.STUCK, button, time)

    def _emit(self, kind: EventKind, button: Button | None, time: float) -> None:
        self._events.append(Event(kind, button, time))
