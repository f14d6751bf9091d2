"""The health of the table on the screen: camera and buttons live, and everything that was checked.

The checks ask the disk and other programs and may take seconds, so they run beside the main loop.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from display.view import Check, Level, Scene
from firmware import health
from firmware.health import Finding
from firmware.page import Page

LEVELS = {
    health.Level.OK: Level.GOOD,
    health.Level.NOTE: Level.INFO,
    health.Level.WARNING: Level.WARNING,
    health.Level.FAULT: Level.FAULT,
}
LINES = 5
"""On one page."""


class HealthPage(Page):
    """What is wrong with the machine and what to do; the worst comes first, after what is live."""

    scene: ClassVar[Scene] = Scene.HEALTH

    def __init__(
        self,
        examine: Callable[[], Sequence[Finding]],
        live: Callable[[], Sequence[Finding]] = lambda: (),
    ) -> None:
        """`examine` is asked once, on a thread of its own; `live` at every picture."""
        super().__init__()
        self._live = live
        self._found: Sequence[Finding] | None = None
        self._thread = threading.Thread(target=self._look, args=(examine,), daemon=True)
        self._thread.start()

    def _look(self, examine: Callable[[], Sequence[Finding]]) -> None:
        order = list(health.Level)
        found = health.run([("table", examine)])
        self._found = sorted(found, key=lambda one: -order.index(one.level))

    def wait(self) -> None:
        """Until everything is examined; for tests."""
        self._thread.join()

    @property
    def places(self) -> int:
        """See `Page`."""
        lines = len(self._found or ()) + len(self._live())
        return -(-lines // LINES)

    def show(self) -> dict[str, Any]:
        """The lines of this page; `progress` while the checks still run."""
        findings = [*self._live(), *(self._found or ())]
        first = min(self.cursor, max(0, self.places - 1)) * LINES
        return {
            "checks": tuple(as_shown(one) for one in findings[first : first + LINES]),
            "progress": 0.0 if self._found is None else None,
        }


def as_shown(finding: Finding) -> Check:
    """A finding as a line of the screen."""
    text = " ".join(filter(None, (_sentence(finding.text), _sentence(finding.remedy))))
    return Check(finding.part, LEVELS[finding.level], text)


def _sentence(text: str) -> str:
    end = "" if text.endswith((".", "?", "!")) else "."
    return text[:1].upper() + text[1:] + end if text else ""
