"""Barbudi: the ring of seats, who throws against whom, what is at stake, what each pair means."""

from __future__ import annotations

from display import pairtable, ring, table
from display import widgets as w
from display.canvas import Canvas, Rect
from display.theme import LARGE
from display.view import View
from display.words import Words
from firmware.rules.barbudi import BarbudiState


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw the round."""
    state = view.state
    assert isinstance(state, BarbudiState)
    gap = c.px(18)
    left, right = w.split(room, 0.56 if c.portrait else 0.66, across=not c.portrait, gap=gap)
    middle = ring.draw(c, left.inflate(-c.px(8), -c.px(20)), _seats(c, view, words, state))
    _middle(c, view, words, state, middle)
    _side(c, view, words, state, right)


def _seats(c: Canvas, view: View, words: Words, state: BarbudiState) -> list[ring.Seat]:
    laid = dict(state.covers)
    if state.phase in ("stake", "over"):
        laid = {}
    elif state.fader and state.phase == "cover":
        laid[state.fader] = state.stake
    elif state.fader:
        laid[state.fader] = state.matched
    by = view.prompt.by if view.prompt else None
    seats = []
    for name in state.seats:
        stack = state.chips.stacks[name]
        role, colour = "", c.theme.info
        if name == state.thrower:
            role, colour = words.say("thrower"), c.theme.accent
        elif name == state.fader:
            role = words.say("fader")
        seats.append(
            ring.Seat(
                name,
                str(stack),
                chips=stack,
                role=role,
                colour=colour,
                sign="dice" if name == state.thrower else "chips",
                active=name == by,
                won=state.phase in ("stake", "over") and name == state.winner,
                out=stack == 0 and not laid.get(name),
                bet=laid.get(name, 0),
            )
        )
    return seats


def _middle(c: Canvas, view: View, words: Words, state: BarbudiState, rect: Rect) -> None:
    """The pot and the dice; while an amount is chosen, the amount."""
    if table.chosen_amount(c, view, words, rect):
        return
    pot = state.pot if state.phase in ("throw", "choice") else 0
    if pot:
        table.pot_and_dice(c, words, rect, pot, state.dice)
    elif state.dice:
        w.dice(c, rect, state.dice, size=c.px(84))
    else:
        c.text(words.game("barbudi"), rect, LARGE, w.on_felt(c), bold=True, align="centre")


def _side(c: Canvas, view: View, words: Words, state: BarbudiState, rect: Rect) -> None:
    """Stake and covers, what each pair means, side bets."""
    betting = state.phase in ("cover", "throw", "choice")
    upper, facts = w.take_top(rect, pairtable.height(c, rect), c.px(12))
    who = state.next_to_throw or state.thrower or ""
    pairtable.draw(c, upper, words, who, vari=state.vari, last=state.dice if betting else ())
    lines = []
    if betting:
        lines.append((words.say("The stake"), words.chips(state.stake)))
        lines.append(
            (words.say("Covered"), words.chips(state.matched or sum(n for _, n in state.covers)))
        )
        if state.two_shot:
            half = state.half_winner
            lines.append((words.say("Two shot"), half or words.say("demanded")))
        lines.extend(
            (words.say("{one} against {other}", one=one, other=other), words.chips(amount))
            for one, other, amount in state.side_bets
        )
    else:
        lines.append((words.say("Rounds played"), str(state.rounds)))
        if state.rules.fixed_stake:
            lines.append((words.say("Fixed stake"), words.chips(state.rules.fixed_stake)))
        if state.chips.house:
            lines.append((words.say("The bank has"), words.chips(state.chips.house)))
    w.ledger(c, facts, lines, words.left_out)
