"""The game with three dice: totals on the road to the target, and what this turn puts at risk."""

from __future__ import annotations

from display import widgets as w
from display.canvas import Canvas, Rect
from display.sprites import mix
from display.theme import BODY, LARGE, SMALL, Colour
from display.view import View
from display.words import Words
from firmware.rules.barbut_bg import BarbutBgState
from firmware.rules.bg_values import SINGLES


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw the road and the turn."""
    state = view.state
    assert isinstance(state, BarbutBgState)
    count = len(state.seats)
    share = min(0.6, 0.2 + 0.05 * count) if c.portrait else 0.56
    left, right = w.split(room, share, across=not c.portrait, gap=c.px(18))
    _road(c, words, state, left)
    _turn(c, words, state, right)


def _road(c: Canvas, words: Words, state: BarbutBgState, rect: Rect) -> None:
    """A lane for every player; the lanes end at the target."""
    head, rest = w.take_top(rect, c.height(SMALL), c.px(2))
    target = words.say("to {n}", n=state.rules.target)
    c.text(target, head, SMALL, c.theme.soft, align="right")
    lanes = w.rows(rest, len(state.seats), c.px(6))
    tallest = c.px(124)
    for i, (name, lane) in enumerate(zip(state.seats, lanes, strict=True)):
        if lane.height > tallest:
            lane = Rect(lane.left, rest.top + i * (tallest + c.px(6)), lane.width, tallest)
        _lane(c, words, state, name, lane)


def _lane(c: Canvas, words: Words, state: BarbutBgState, name: str, lane: Rect) -> None:
    theme = c.theme
    mine = name == state.turn
    total = state.totals[name]
    risk = state.turn_points if mine else 0
    fill = mix(theme.raised, theme.accent, 0.12) if mine else theme.panel
    c.box(
        lane, fill, radius=10, border=theme.accent if mine else theme.line, width=2.5 if mine else 1
    )
    inside = lane.inflate(-c.px(20), -c.px(6))
    bar_height = min(c.px(14), round(inside.height * 0.27))
    text, bar = w.take_bottom(inside, bar_height, c.px(2))
    bar.height -= c.px(2)
    tall = lane.height > c.px(50)
    left = text.left
    if name in state.ranking:
        place = words.say("place {n}", n=state.ranking.index(name) + 1)
        note, colour = place, theme.good
    elif not state.opened[name]:
        note, colour = words.say("not in the game yet"), theme.soft
    elif risk:
        note, colour = f"+{risk}", theme.accent
    else:
        note, colour = "", theme.soft
    number = Rect(text.right - c.px(110), text.top, c.px(110), text.height)
    size = LARGE if tall else BODY
    c.text(str(total), number, size, theme.ink, bold=True, align="right")
    room = number.left - left - c.px(10)
    wide = min(c.width(name, BODY, bold=True) + 2, round(room * (0.55 if note else 1)))
    place_ = Rect(left, text.top, wide, text.height)
    c.text(name, place_, BODY, theme.accent if mine else theme.ink, bold=True, name=True)
    if note:
        _note(
            c,
            note,
            Rect(place_.right, text.top, number.left - place_.right, text.height),
            colour,
            bool(risk),
        )
    (grown, more), _ = c.tween(f"points:{name}", (total, risk))
    _bar(c, bar, grown, more, state.rules.target, done=name in state.ranking)


def _note(c: Canvas, note: str, rect: Rect, colour: Colour, risk: bool) -> None:
    """What is to be said beside a name; a lock alone where there is no room for words."""
    spot = rect.inflate(-c.px(20), 0)
    if risk:
        c.text(note, spot, BODY, colour, bold=True, align="right")
    elif c.width(note, SMALL) <= spot.width:
        c.text(note, spot, SMALL, colour)
    else:
        size = min(spot.height, c.px(24))
        w.icon(c, "lock", (spot.left + size / 2, spot.centery), size, colour)


def _bar(c: Canvas, bar: Rect, total: float, risk: float, target: int, *, done: bool) -> None:
    c.box(bar, c.theme.ground, radius=5)
    reach = min(1.0, total / target)
    wide = round(bar.width * reach)
    more = round(bar.width * min(1.0, (total + risk) / target)) - wide
    if more > 0:
        ahead = Rect(bar.left, bar.top, wide + more, bar.height)
        c.box(ahead, c.theme.accent, radius=5)
    if wide >= c.px(6):
        c.box(Rect(bar.left, bar.top, wide, bar.height), c.theme.good, radius=5)
    if done:
        w.icon(c, "crown", (bar.right - bar.height, bar.centery), bar.height * 1.6, c.theme.accent)


def _turn(c: Canvas, words: Words, state: BarbutBgState, rect: Rect) -> None:
    """The points at risk, the last throw, the dice set aside, the dice due."""
    if state.recovery:
        _recovery(c, words, state, rect)
        return
    inside = w.panel(c, rect, lit=c.theme.accent if state.turn_points else None)
    head, rest = w.split(inside, 0.34, across=False, gap=c.px(4))
    label, number = w.take_top(head, c.height(SMALL))
    c.text(words.say("at risk this turn"), label, SMALL, c.theme.soft, align="centre")
    colour = c.theme.accent if state.turn_points else c.theme.soft
    size = number.height / c.unit * 0.86
    c.text(str(state.turn_points), number, size, colour, bold=True, align="centre")
    last, next_ = w.split(rest, 0.56, across=False, gap=c.px(8))
    note, dice = w.take_top(last, c.height(SMALL), c.px(4))
    if state.throws and state.dice:
        text = words.say("last throw: {points}", points=words.points(state.last_value))
        c.text(text, note, SMALL, c.theme.soft, align="centre")
        rest_ = list(state.scoring)
        looks: list[w.DieLook] = []
        for face in state.dice:
            looks.append("kept" if face in rest_ else "dim")
            if face in rest_:
                rest_.remove(face)
        w.dice(c, dice.inflate(-c.px(12), -c.px(10)), state.dice, looks=looks, size=c.px(84))
    elif state.turn is not None:
        _hint(c, words, state, state.turn, last)
    due = state.dice_next or 0
    if state.aside:
        left, next_ = w.split(next_, 0.5, across=True, gap=c.px(12))
        _small(c, words.say("set aside"), left, state.aside, "kept")
    _small(c, words.say("to throw"), next_, [None] * due, "wanted")


def _hint(c: Canvas, words: Words, state: BarbutBgState, who: str, rect: Rect) -> None:
    """Before the first throw of a turn: what gets him into the game, or what single dice count."""
    note, place = w.take_top(rect, c.height(SMALL), c.px(4))
    if not state.opened[who]:
        c.text(words.rule("opening"), note, SMALL, c.theme.soft, align="centre")
        if state.rules.opening in ("both", "only"):
            w.dice(c, place.inflate(-c.px(12), -c.px(16)), (1, 5), size=c.px(72))
        else:
            text = words.value(state.rules.opening)
            c.text(text, place, LARGE, c.theme.ink, bold=True, align="centre")
        return
    for (face, points), box in zip(
        SINGLES.items(), w.columns(place, len(SINGLES), c.px(10)), strict=True
    ):
        half, number = w.split(box, 0.5, across=True, gap=c.px(10))
        w.die(c, (half.right - c.px(30), half.centery), c.px(60), face)
        c.text(str(points), number, LARGE, c.theme.ink, bold=True)


def _small(
    c: Canvas, title: str, rect: Rect, dice: list[None] | tuple[int, ...], look: w.DieLook
) -> None:
    label, place = w.take_top(rect, c.height(SMALL), c.px(6))
    c.text(title, label, SMALL, c.theme.soft, align="centre")
    if dice:
        w.dice(c, place.inflate(-c.px(8), -c.px(8)), dice, looks=[look] * len(dice), size=c.px(50))


def _recovery(c: Canvas, words: Words, state: BarbutBgState, rect: Rect) -> None:
    """6-6-6: everything is lost, one throw may bring it back (R-BG-7)."""
    inside = w.panel(c, rect, lit=c.theme.bad)
    dice, text = w.split(inside, 0.3, across=False, gap=c.px(8))
    w.dice(c, dice.inflate(-c.px(12), -c.px(12)), (6, 6, 6), looks=["bad"] * 3, size=c.px(92))
    total, points = state.lost.get(state.turn or "", (0, 0))
    head, more = w.split(text, 0.42, across=False)
    c.text(words.number(-total - points), head, 76, c.theme.bad, bold=True, align="centre")
    lines = words.say(
        "All points are lost. One throw with three dice: 6-6-6 again brings everything back."
    )
    c.paragraph(lines, more, BODY, c.theme.ink, align="centre")
