"""The ring of seats round a felt table, seen from above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from display import widgets as w
from display.canvas import Canvas, Rect
from display.sprites import Icon, mix
from display.theme import SMALL, Colour

Side = Literal["bottom", "right", "top", "left"]

SIDES: Final[dict[int, tuple[int, int, int, int]]] = {
    1: (1, 0, 0, 0),
    2: (1, 0, 1, 0),
    3: (1, 1, 0, 1),
    4: (1, 1, 1, 1),
    5: (1, 1, 2, 1),
    6: (2, 1, 2, 1),
    7: (2, 1, 3, 1),
    8: (3, 1, 3, 1),
    9: (2, 2, 3, 2),
    10: (3, 2, 3, 2),
    11: (3, 2, 4, 2),
    12: (4, 2, 4, 2),
}
"""How many sit at the bottom, right, top and left edge of the table."""

BET: Final = 44
"""Height of what lies in front of a seat, in units."""
BESIDE: Final = 72
"""Its width where it lies beside the plate."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One player at the table."""

    name: str
    figure: str
    """The number under the name: chips, points, a throw; empty for none."""
    chips: int | None = None
    """Draw a pile of so many chips beside the figure."""
    role: str = ""
    """A word on a badge: thrower, fader."""
    colour: Colour = (0, 0, 0)
    """Colour of the badge."""
    sign: Icon = "dice"
    """Its sign."""
    active: bool = False
    """The table waits for this one."""
    won: bool = False
    out: bool = False
    """Takes no part now."""
    bet: int = 0
    """Chips laid in front."""
    dice: tuple[int, ...] = ()
    """Dice laid in front (the throw for the first player)."""


def places(
    rect: Rect, count: int, plate: tuple[int, int], clockwise: bool
) -> list[tuple[Rect, Side]]:
    """Where each seat's plate is, in playing order, beginning at the bottom edge."""
    wide, high = plate
    bottom, right, top, left = SIDES[count]
    found: list[tuple[Rect, Side]] = []

    def row(number: int, y: int, side: Side, backwards: bool) -> None:
        centres = [rect.left + rect.width * (2 * i + 1) / (2 * number) for i in range(number)]
        for x in reversed(centres) if backwards else centres:
            place = Rect(0, 0, wide, high)
            place.center = (round(x), y)
            found.append((place, side))

    def column(number: int, x: int, side: Side, backwards: bool) -> None:
        inner = rect.inflate(0, -2 * high)
        centres = [inner.top + inner.height * (2 * i + 1) / (2 * number) for i in range(number)]
        for y in reversed(centres) if backwards else centres:
            place = Rect(0, 0, wide, high)
            place.center = (x, round(y))
            found.append((place, side))

    row(bottom, rect.bottom - high // 2, "bottom", backwards=False)
    column(right, rect.right - wide // 2, "right", backwards=True)
    row(top, rect.top + high // 2, "top", backwards=True)
    column(left, rect.left + wide // 2, "left", backwards=False)
    if clockwise:
        other: dict[Side, Side] = {"left": "right", "right": "left"}
        for place, _ in found:
            place.centerx = rect.left + rect.right - place.centerx
        return [(place, other.get(side, side)) for place, side in found]
    return found


def draw(c: Canvas, rect: Rect, seats: Sequence[Seat], *, clockwise: bool = False) -> Rect:
    """Draw table and seats; returns the free felt in the middle."""
    most = max(SIDES[len(seats)][0], SIDES[len(seats)][2], 1)
    wide = min(c.px(150), (rect.width - c.px(8) * most) // most, round(rect.width * 0.3))
    high = c.px(66)
    felt = rect.inflate(-wide if SIDES[len(seats)][1] else -c.px(24), -high)
    c.box(felt.inflate(c.px(24), c.px(24)), mix(c.theme.wood, (0, 0, 0), 0.35), radius=92)
    c.box(felt.inflate(c.px(18), c.px(18)), c.theme.wood, radius=90)
    c.box(felt.inflate(c.px(4), c.px(4)), mix(c.theme.brass, c.theme.wood, 0.35), radius=82)
    c.box(felt, c.theme.felt, radius=80)
    spots = places(rect, len(seats), (wide, high), clockwise)
    for seat, (place, side) in zip(seats, spots, strict=True):
        beside = SIDES[len(seats)][1] == 2 or (bool(seat.dice) and not c.portrait)
        box = _front(c, seat, place, side, felt.centerx, short=most == 4, beside=beside)
        _bet(c, seat, box, place)
    for seat, (place, _) in zip(seats, spots, strict=True):
        _plate(c, seat, place)
    for seat, (place, side) in zip(seats, spots, strict=True):
        if seat.role:
            _role(c, seat, place, side, most == 4)
        if seat.won:
            _crown(c, seat, place, side, felt.center)
    sides = SIDES[len(seats)]
    across = felt.width - (wide + c.px(28) if sides[1] or sides[3] else c.px(60))
    laid = any(seat.dice for seat in seats) and not c.portrait
    if laid or (sides[1] == 2 and any(seat.bet for seat in seats)):
        across -= 2 * c.px(BESIDE - 8)
    middle = Rect(0, 0, across, felt.height - high - 2 * c.px(BET + 4))
    middle.center = felt.center
    return middle


def _plate(c: Canvas, seat: Seat, place: Rect) -> None:
    theme = c.theme
    rim = theme.good if seat.won else theme.accent if seat.active else theme.line
    fill = mix(theme.raised, theme.accent, 0.12) if seat.active else theme.panel
    c.box(place, fill, radius=12, border=rim, width=3 if seat.active or seat.won else 1.5)
    inside = place.inflate(-c.px(14), -c.px(8))
    top, below = w.split(inside, 0.46, across=False)
    if seat.chips is None and not seat.figure:
        top = inside
    ink = mix(theme.soft, theme.panel, 0.45) if seat.out else theme.ink
    c.text(seat.name, top, SMALL, ink, bold=True, align="centre", name=True)
    if seat.chips is not None:
        w.chip_count(c, below, seat.chips, theme.soft if seat.out else theme.accent, 27)
    elif seat.figure:
        c.text(seat.figure, below, 27, theme.accent, bold=True, align="centre")


def _crown(c: Canvas, seat: Seat, place: Rect, side: Side, middle: tuple[int, int]) -> None:
    """A crown comes from the middle to the one who won, and on the way the chips."""
    edge = place.top + c.px(4) if side == "top" else place.bottom - c.px(4)
    corner = (place.right - c.px(6), edge)
    (x, y), moving = c.tween(f"crown:{seat.name}", corner, middle)
    if moving and seat.chips is not None:
        w.chips(c, (x, y + c.px(30)), 12, c.px(70), high=4)
    c.disc((x, y), c.px(17), c.theme.ground)
    w.icon(c, "crown", (x, y), c.px(25), c.theme.good)


def _role(c: Canvas, seat: Seat, place: Rect, side: Side, short: bool) -> None:
    """The badge of a role on the plate's edge; `short` has room for the sign alone."""
    edge = place.bottom + c.px(13) if side == "top" else place.top - c.px(13)
    name = f"role:{seat.sign}"
    if short:
        spot, _ = c.tween(name, (place.left + c.px(22), edge))
        c.disc(spot, c.px(18), seat.colour)
        w.icon(c, seat.sign, spot, c.px(22), c.theme.on_light)
        return
    size = c.px(20)
    width = c.width(seat.role, SMALL, bold=True) + size + c.px(30)
    rect = Rect(0, 0, width, c.height(SMALL, bold=True) + c.px(4))
    rect.center = (place.centerx, edge)
    if side in ("top", "bottom") and seat.bet:
        # To the left of the middle: what is laid in front is to the right of it.
        rect.right = min(rect.right, place.centerx + c.px(10))
    rect.clamp_ip(c.rect)
    (x, y), _ = c.tween(name, rect.center)
    rect.center = (round(x), round(y))
    c.box(rect, seat.colour, radius=rect.height / 2 / c.unit)
    w.icon(c, seat.sign, (rect.left + c.px(10) + size / 2, rect.centery), size, c.theme.on_light)
    left = rect.left + c.px(16) + size
    text = Rect(left, rect.top, rect.right - c.px(6) - left, rect.height)
    c.text(seat.role, text, SMALL, c.theme.on_light, bold=True)


def _bet(c: Canvas, seat: Seat, box: Rect, origin: Rect) -> None:
    """What a player laid on the table in front of him; it comes from his seat."""
    if seat.dice:
        w.dice(c, box, seat.dice)
    elif seat.bet:
        (x, y), _ = c.tween(f"bet:{seat.name}", box.center, origin.center)
        box.center = (round(x), round(y))
        w.chip_count(c, box, seat.bet, c.theme.ink, 26)


def _front(
    c: Canvas, seat: Seat, place: Rect, side: Side, middle: int, *, short: bool, beside: bool
) -> Rect:
    """Where on the felt a player's bet lies: clear of badges and of the middle."""
    box = Rect(0, 0, c.px(100), c.px(BET))
    if side in ("top", "bottom"):
        drop = place.height // 2 + c.px(3) + box.height // 2
        box.center = (place.centerx, place.centery + (drop if side == "top" else -drop))
        if short:
            box.centerx += round((middle - place.centerx) * 0.5)
        elif seat.role:
            box.left = place.centerx + c.px(8)
    elif beside:
        box.width = c.px(BESIDE)
        reach = place.width // 2 + box.width // 2 + c.px(3)
        box.center = (place.centerx + (reach if side == "left" else -reach), place.centery)
    else:
        # Under the plate, on the felt's side of it: the badge is above.
        box.top = place.bottom + c.px(2)
        inward = c.px(50 if seat.dice else 24)
        box.centerx = place.centerx + (inward if side == "left" else -inward)
    return box
