"""Barbut: a wager between two, who meets whom next, and Vari."""

from __future__ import annotations

from display import pairtable, ring, table
from display import widgets as w
from display.canvas import Canvas, Rect
from display.sprites import Icon
from display.theme import LARGE
from display.view import View
from display.words import Words
from firmware.rules.barbut import BarbutState


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw the wager."""
    state = view.state
    assert isinstance(state, BarbutState)
    left, right = w.split(room, 0.56 if c.portrait else 0.66, across=not c.portrait, gap=c.px(18))
    clockwise = state.rules.direction == "clockwise"
    seats = _seats(c, view, words, state)
    middle = ring.draw(c, left.inflate(-c.px(8), -c.px(20)), seats, clockwise=clockwise)
    if not table.chosen_amount(c, view, words, middle):
        if state.phase == "throw":
            table.pot_and_dice(c, words, middle, 2 * state.stake, state.dice)
        elif state.dice:
            w.dice(c, middle, state.dice, size=c.px(84))
        else:
            c.text(words.game("barbut"), middle, LARGE, w.on_felt(c), bold=True, align="centre")
    _side(c, words, state, right)


def _seats(c: Canvas, view: View, words: Words, state: BarbutState) -> list[ring.Seat]:
    by = view.prompt.by if view.prompt else None
    follows = waiting(state)
    playing = state.phase == "throw"
    signs: dict[str | None, Icon] = {state.thrower: "dice", state.opponent: "chips"}
    seats = []
    for name in state.seats:
        role, colour = "", c.theme.info
        if name == state.thrower:
            role, colour = words.say("thrower"), c.theme.accent
        elif name == state.opponent:
            role = words.say("opponent")
        elif name == follows:
            role, colour = words.say("next"), c.theme.soft
        stack = state.chips.stacks[name]
        active = name in (state.thrower, state.opponent) and playing
        seats.append(
            ring.Seat(
                name,
                str(stack),
                chips=stack,
                role=role,
                colour=colour,
                sign=signs.get(name, "wait"),
                active=name == by,
                won=not playing and name == state.winner,
                out=stack == 0 and not active,
                bet=state.stake if active else 0,
            )
        )
    return seats


def waiting(state: BarbutState) -> str | None:
    """Who meets the winner, where that is sure whoever wins; else None (R-BT-5)."""
    both = (state.thrower, state.opponent)
    if state.phase != "throw":
        return None
    order = state.queue
    if state.rules.next_opponent == "seat":
        ring_ = state.seats if state.rules.direction != "clockwise" else state.seats[::-1]
        at = ring_.index(state.newcomer or ring_[0])
        order = (*ring_[at + 1 :], *ring_[:at])
    first = next((name for name in order if name in both or state.chips.stacks[name]), None)
    return None if first in both else first


def _side(c: Canvas, words: Words, state: BarbutState, rect: Rect) -> None:
    """What each pair means, the wager, who waits."""
    upper, facts = w.take_top(rect, pairtable.height(c, rect), c.px(12))
    who = state.next_to_throw or state.thrower or ""
    last = state.dice if state.phase == "throw" else ()
    pairtable.draw(c, upper, words, who, vari=state.vari, last=last)
    lines = []
    if state.phase == "throw":
        lines.append((words.say("Each has put up"), words.chips(state.stake)))
        lines.append((words.say("Throws so far"), str(state.throws)))
    else:
        lines.append((words.say("Wagers decided"), str(state.rounds)))
        if state.transferred:
            lines.append((words.say("Last won"), words.chips(state.transferred)))
    lines.extend(
        (words.say("{pair} pays", pair=pair), words.say("{share} of the stake", share=share))
        for pair, share in state.rules.special_pay
    )
    w.ledger(c, facts, lines, words.left_out)
