"""Contacts that bounce, stick, glitch and lose edges: one press is one press."""

from collections.abc import Iterable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware.buttons import (
    BASELINE,
    HOLD,
    LOCKOUT,
    MENU_HOLD,
    SETTLE,
    STUCK,
    Button,
    Buttons,
    Event,
    EventKind,
)

MS = 0.001
TICK = 33 * MS
UP = dict.fromkeys(Button, False)

Edge = tuple[Button, bool, float]


def started(levels: dict[Button, bool] | None = None) -> Buttons:
    """Buttons whose baseline is taken at time 0."""
    buttons = Buttons()
    buttons.poll((), levels or UP, -BASELINE)
    buttons.poll((), levels or UP, 0.0)
    return buttons


def play(
    buttons: Buttons, edges: Iterable[Edge], until: float, tick: float = TICK, begin: float = 0.0
) -> list[Event]:
    """Poll every tick until a time, handing in edges and levels as they come."""
    waiting = sorted(edges, key=lambda edge: edge[2])
    levels = dict(UP)
    events: list[Event] = []
    steps = round((until - begin) / tick)
    for step in range(1, steps + 1):
        now = begin + step * tick
        due = [edge for edge in waiting if edge[2] <= now]
        waiting = waiting[len(due) :]
        for button, level, _ in due:
            levels[button] = level
        events += buttons.poll(due, dict(levels), now)
    return events


def kinds(events: list[Event], button: Button | None = Button.CONFIRM) -> list[str]:
    return [str(event.kind) for event in events if event.button is button]


def toggles(start: float, level: bool, gaps_ms: list[float]) -> list[Edge]:
    """Edges that begin by going to `level` and end there, whatever the number of gaps."""
    time, edges = start, [(Button.CONFIRM, level, start)]
    for gap in gaps_ms if len(gaps_ms) % 2 == 0 else gaps_ms[:-1]:
        time += gap * MS
        level = not level
        edges.append((Button.CONFIRM, level, time))
    return edges


bounce = st.lists(st.floats(0.1, 4.0), max_size=10).filter(lambda gaps: sum(gaps) <= 20)


@given(bounce, bounce, st.floats(60, 800), st.floats(0, 33), st.sampled_from([1, 7, 33, 250]))
@example([1.6] * 5, [1.6] * 5, 60, 0, 33)
def test_any_bounce_gives_one_press_and_one_release(
    down: list[float], up: list[float], lasts_ms: float, phase_ms: float, tick_ms: int
) -> None:
    press = 0.2 + phase_ms * MS
    release = press + lasts_ms * MS
    buttons = started()
    edges = toggles(press, True, down) + toggles(release, False, up)
    events = play(buttons, edges, 2.0, tick_ms * MS)
    assert kinds(events) == ["pressed", "released"]
    assert events[0].time == press
    assert events[1].time == release
    assert buttons.status()[Button.CONFIRM].presses == 1
    assert buttons.status()[Button.CONFIRM].glitches == 0


wide = st.lists(st.floats(0.1, 15.0), max_size=6).filter(lambda gaps: sum(gaps) <= 20)


@given(wide, wide, st.floats(80, 800), st.sampled_from([1, 7, 33, 250]))
@example([6.0, 6.0, 6.0, 1.0], [6.0, 6.0, 6.0, 1.0], 80, 1)
def test_bouncing_slower_than_the_settling_time_is_one_press_too(
    down: list[float], up: list[float], lasts_ms: float, tick_ms: int
) -> None:
    press, release = 0.2, 0.2 + lasts_ms * MS
    edges = toggles(press, True, down) + toggles(release, False, up)
    events = play(started(), edges, 2.0, tick_ms * MS)
    assert kinds(events) == ["pressed", "released"]
    assert press <= events[0].time <= press + 20 * MS
    assert release <= events[1].time <= release + 20 * MS


@given(st.floats(0.05, 4.95), st.integers(1, 8), st.sampled_from([1, 33, 250]))
def test_glitches_under_five_ms_are_rejected_and_counted(
    width_ms: float, count: int, tick_ms: int
) -> None:
    buttons = started()
    edges = [
        (Button.CONFIRM, level, 0.1 + number * 0.05 + (0 if level else width_ms * MS))
        for number in range(count)
        for level in (True, False)
    ]
    assert play(buttons, edges, 1.0, tick_ms * MS) == []
    assert buttons.status()[Button.CONFIRM].glitches == count


@pytest.mark.parametrize("width_ms", [5.5, 6, 10, 40])
def test_a_short_press_is_a_press(width_ms: float) -> None:
    edges = [(Button.CONFIRM, True, 0.1), (Button.CONFIRM, False, 0.1 + width_ms * MS)]
    assert kinds(play(started(), edges, 1.0)) == ["pressed", "released"]


def test_a_press_is_seen_within_settle_and_one_tick() -> None:
    buttons = started()
    buttons.poll([(Button.LEFT, True, 0.1)], UP | {Button.LEFT: True}, 0.1)
    assert buttons.poll((), UP | {Button.LEFT: True}, 0.1 + SETTLE - MS) == []
    (event,) = buttons.poll((), UP | {Button.LEFT: True}, 0.1 + SETTLE + 0.1 * MS)
    assert event == Event(EventKind.PRESSED, Button.LEFT, 0.1)


@given(
    st.lists(st.booleans(), min_size=4, max_size=4),
    st.floats(0.1, 0.3),
    st.floats(0.2, 0.5),
)
def test_lost_edges_are_healed_by_the_level(keep: list[bool], press: float, lasts: float) -> None:
    # Any of the four edges (press, release, press, release) may get lost; the level tells.
    times = [press, press + lasts, press + 2 * lasts, press + 3 * lasts]
    edges = [(Button.RIGHT, number % 2 == 0, when) for number, when in enumerate(times)]
    buttons, events = started(), []
    for step in range(1, 80):
        now = step * TICK
        down = sum(when <= now for when in times) % 2 == 1
        noticed = [
            edge
            for edge, kept in zip(edges, keep, strict=True)
            if kept and now - TICK < edge[2] <= now
        ]
        events += buttons.poll(noticed, UP | {Button.RIGHT: down}, now)
    assert kinds(events, Button.RIGHT) == ["pressed", "released"] * 2


def test_held_at_boot_is_reported_and_its_lone_release_passed_over() -> None:
    buttons = started(UP | {Button.CONFIRM: True})
    events = buttons.poll((), UP | {Button.CONFIRM: True}, 0.1)
    assert events == []
    events = play(buttons, [(Button.CONFIRM, False, 5.0)], 6.0, begin=4.0)
    assert events == []
    again = [(Button.CONFIRM, True, 7.0), (Button.CONFIRM, False, 7.2)]
    assert kinds(play(buttons, again, 8.0, begin=6.0)) == ["pressed", "released"]


def test_held_at_boot_event_and_then_stuck() -> None:
    levels = UP | {Button.BACK: True}
    buttons = Buttons()
    assert buttons.poll((), levels, 0.0) == []
    (event,) = buttons.poll((), levels, BASELINE)
    assert event == Event(EventKind.HELD_AT_BOOT, Button.BACK, BASELINE)
    events = [
        event
        for second in range(1, 120)
        for event in buttons.poll((), levels, BASELINE + float(second))
    ]
    assert [event.kind for event in events] == [EventKind.STUCK]
    assert buttons.status()[Button.BACK].stuck
    buttons.poll((), UP, 200.0)
    buttons.poll((), UP, 200.1)
    assert not buttons.status()[Button.BACK].stuck


def test_levels_that_settle_late_after_power_on_are_no_presses() -> None:
    buttons = Buttons()
    down = dict.fromkeys(Button, True)
    assert buttons.poll((), down, 0.0) == []
    # 300 ms late the pull-ups work: a burst of edges, and the levels rise.
    edges = [(button, level, 0.3) for button in Button for level in (False, True, False)]
    assert buttons.poll(edges, UP, 0.33) == []
    assert play(buttons, [], 3.0, begin=0.33) == []


def test_stuck_is_said_once_and_the_other_buttons_go_on() -> None:
    edges = [
        (Button.LEFT, True, 1.0),
        (Button.RIGHT, True, 70.0),
        (Button.RIGHT, False, 70.2),
    ]
    events = play(started(), edges, 300.0, tick=0.1)
    assert kinds(events, Button.LEFT) == ["pressed", "held", "stuck"]
    assert kinds(events, Button.RIGHT) == ["pressed", "released"]
    stuck = next(event for event in events if event.kind is EventKind.STUCK)
    assert stuck.time == pytest.approx(1.0 + STUCK, abs=0.11)


def test_held_comes_once_and_only_after_its_time() -> None:
    edges = [(Button.LEFT, True, 1.0), (Button.LEFT, False, 4.0)]
    events = play(started(), edges, 5.0)
    assert kinds(events, Button.LEFT) == ["pressed", "held", "released"]
    assert events[1].time == pytest.approx(1.0 + HOLD, abs=TICK)


def test_a_main_loop_that_stalls_makes_no_hold_of_a_tap() -> None:
    buttons = started()
    edges = [(Button.LEFT, True, 1.0), (Button.LEFT, False, 1.2)]
    events = buttons.poll(edges, UP, 9.0)
    assert kinds(events, Button.LEFT) == ["pressed", "released"]


@given(st.floats(0.03, 2.0), st.floats(3.2, 10.0), st.sampled_from([True, False]))
def test_the_menu_grip_opens_the_menu_and_presses_only_the_first(
    between: float, lasts: float, confirm_first: bool
) -> None:
    first, second = (
        (Button.CONFIRM, Button.BACK) if confirm_first else (Button.BACK, Button.CONFIRM)
    )
    start = 0.5
    grip = start + between
    edges = [
        (first, True, start),
        (second, True, grip),
        (second, False, grip + lasts),
        (first, False, grip + lasts + 0.1),
    ]
    events = play(started(), edges, grip + lasts + 1.0)
    menus = [event for event in events if event.kind is EventKind.MENU]
    assert len(menus) == 1
    assert menus[0].time == pytest.approx(grip + MENU_HOLD, abs=TICK + SETTLE)
    assert kinds(events, second) == []
    held = ["held"] if between >= HOLD + TICK else []
    if abs(between - HOLD) > TICK:
        assert kinds(events, first) == ["pressed", *held, "released"]


def test_a_grip_let_go_too_early_opens_nothing() -> None:
    edges = [
        (Button.BACK, True, 0.5),
        (Button.CONFIRM, True, 0.6),
        (Button.CONFIRM, False, 3.5),
        (Button.BACK, False, 8.0),
    ]
    events = play(started(), edges, 9.0)
    assert [event for event in events if event.kind is EventKind.MENU] == []
    assert kinds(events, Button.CONFIRM) == []


def test_a_stuck_back_button_does_not_swallow_confirm() -> None:
    edges = [
        (Button.BACK, True, 0.5),
        (Button.CONFIRM, True, 90.0),
        (Button.CONFIRM, False, 90.2),
    ]
    events = play(started(), edges, 100.0)
    assert kinds(events, Button.CONFIRM) == ["pressed", "released"]


@pytest.mark.parametrize("early", [0.001, 0.004, 0.0049])
def test_a_button_let_go_just_before_its_hold_is_not_held(early: float) -> None:
    """While its release is being settled it is not known to be down any more."""
    edges = [(Button.CONFIRM, True, 0.5), (Button.CONFIRM, False, 0.5 + HOLD - early)]
    events = play(started(), edges, 3.0, 1 * MS)
    assert kinds(events, Button.CONFIRM) == ["pressed", "released"]
    grip = [
        (Button.BACK, True, 0.5),
        (Button.CONFIRM, True, 0.6),
        (Button.CONFIRM, False, 0.6 + MENU_HOLD - early),
        (Button.BACK, False, 4.0),
    ]
    assert EventKind.MENU not in [event.kind for event in play(started(), grip, 5.0, 1 * MS)]


@given(
    st.lists(st.tuples(st.sampled_from(Button), st.booleans(), st.floats(0.0, 5.0)), max_size=60),
    st.sampled_from([1 * MS, 33 * MS, 0.5]),
)
def test_whatever_the_wires_do_events_make_sense(edges: list[Edge], tick: float) -> None:
    """Presses and releases alternate, nothing is counted twice, times never go back."""
    buttons = started()
    events = play(buttons, edges, 6.0, tick)
    for button in Button:
        names = [name for name in kinds(events, button) if name in ("pressed", "released")]
        assert names == (["pressed", "released"] * len(names))[: len(names)]
        times = [event.time for event in events if event.button is button]
        assert times == sorted(times)
    assert LOCKOUT > SETTLE
