"""Who begins: everybody's throw for the first place (R-GEN-5)."""

from __future__ import annotations

from typing import Any

from display import ring
from display.canvas import Canvas, Rect
from display.theme import TITLE
from display.view import View
from display.words import Words


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw the ring with what each has thrown."""
    state: Any = view.state
    thrown = dict(state.contest.thrown) if state.contest else {}
    waiting = state.contest.waiting if state.contest else ()
    best = max(thrown.values(), default=0)
    by = view.prompt.by if view.prompt else None
    one_die = view.game != "balut"
    seats = []
    for name in state.seats:
        score = thrown.get(name)
        seats.append(
            ring.Seat(
                name,
                "" if score is None else str(score),
                active=name == by,
                won=score is not None and score == best,
                out=score is None and name not in waiting,
                dice=(score,) if score is not None and one_die else (),
            )
        )
    clockwise = view.game in ("barbut_bg", "balut")
    if getattr(state.rules, "direction", "") in ("clockwise", "counter-clockwise"):
        clockwise = state.rules.direction == "clockwise"
    middle = ring.draw(c, room.inflate(-c.px(16), -c.px(16)), seats, clockwise=clockwise)
    text = words.say("The highest throw begins")
    c.paragraph(text, middle, TITLE, c.theme.ink, bold=True, align="centre", valign="middle")
