"""How long a start took is told once, from the start of the process on."""

from __future__ import annotations

import time

from firmware.clock import FakeClock
from firmware.milestones import Milestones, process_began


def test_each_milestone_is_reached_once_and_then_something_is_done() -> None:
    clock = FakeClock(100.0)
    done: list[str] = []
    milestones = Milestones(clock, since=98.5)
    milestones.then(lambda: done.append("all"))
    assert milestones.reached("first picture")
    clock.advance(2)
    assert not milestones.reached("first picture")
    assert not done
    assert milestones.reached("ready")
    assert done == ["all"]
    assert str(milestones) == "first picture after 1.50 s, ready after 3.50 s"


def test_the_process_began_before_now_and_not_long_ago() -> None:
    age = time.monotonic() - process_began()
    assert 0 < age < 24 * 3600
