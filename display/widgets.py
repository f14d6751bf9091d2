"""The parts that scenes are put together from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import cos
from typing import Final, Literal

import pygame

from display import sprites
from display.canvas import Canvas, Rect
from display.sprites import Icon, mix
from display.theme import BODY, LARGE, SMALL, Colour
from vision.reading import Image

DieLook = Literal["plain", "kept", "dim", "good", "bad", "wanted"]


# -- dividing space


def split(rect: Rect, share: float, *, across: bool, gap: int = 0) -> tuple[Rect, Rect]:
    """Two parts of a box: side by side when `across`, else one above the other.

    `share` is the first part's, from 0 to 1; `gap` pixels stay free between them.
    """
    if across:
        first = Rect(rect.left, rect.top, round((rect.width - gap) * share), rect.height)
        rest = Rect(first.right + gap, rect.top, rect.right - first.right - gap, rect.height)
    else:
        first = Rect(rect.left, rect.top, rect.width, round((rect.height - gap) * share))
        rest = Rect(rect.left, first.bottom + gap, rect.width, rect.bottom - first.bottom - gap)
    return first, rest


def rows(rect: Rect, count: int, gap: int = 0) -> list[Rect]:
    """`count` equal boxes one above the other."""
    edges = [rect.top + round(i * (rect.height + gap) / count) for i in range(count + 1)]
    return [
        Rect(rect.left, edges[i], rect.width, edges[i + 1] - edges[i] - gap) for i in range(count)
    ]


def columns(rect: Rect, count: int, gap: int = 0) -> list[Rect]:
    """`count` equal boxes side by side."""
    edges = [rect.left + round(i * (rect.width + gap) / count) for i in range(count + 1)]
    return [
        Rect(edges[i], rect.top, edges[i + 1] - edges[i] - gap, rect.height) for i in range(count)
    ]


def take_top(rect: Rect, height: int, gap: int = 0) -> tuple[Rect, Rect]:
    """A strip of a given height from the top, and the rest."""
    rest = Rect(rect.left, rect.top + height + gap, rect.width, rect.height - height - gap)
    return Rect(rect.left, rect.top, rect.width, height), rest


def take_bottom(rect: Rect, height: int, gap: int = 0) -> tuple[Rect, Rect]:
    """The rest, and a strip of a given height from the bottom."""
    rest = Rect(rect.left, rect.top, rect.width, rect.height - height - gap)
    return rest, Rect(rect.left, rect.bottom - height, rect.width, height)


# -- panels and signs


def panel(c: Canvas, rect: Rect, *, lit: Colour | None = None) -> Rect:
    """A quiet box to put things in; `lit` draws a coloured rim. Returns the inside."""
    c.box(rect, c.theme.panel, radius=12, border=lit or c.theme.line, width=3 if lit else 1.5)
    pad = c.px(12)
    return rect.inflate(-2 * pad, -2 * pad)


def icon(c: Canvas, name: Icon, centre: tuple[float, float], size: float, colour: Colour) -> None:
    """A sign, `size` pixels wide."""
    wide = max(4, round(size))
    c.surface.blit(
        sprites.icon(name, wide, colour),
        (round(centre[0]) - wide // 2, round(centre[1]) - wide // 2),
    )


def progress(c: Canvas, rect: Rect, share: float) -> None:
    """How far a wait has come; something runs to and fro when that is not known (0)."""
    c.surface.fill(c.theme.raised, rect)
    done = Rect(rect.left, rect.top, round(rect.width * min(1.0, max(0.0, share))), rect.height)
    if not share:
        c.moving = c.motion is not None
        done.width = rect.width // 5
        done.left += round((rect.width - done.width) * (0.5 - 0.5 * cos(c.now * 2.2)))
    c.surface.fill(c.theme.accent, done)


# -- dice and chips


def die(
    c: Canvas, centre: tuple[float, float], size: float, value: int | None, look: DieLook = "plain"
) -> Rect:
    """A die face, `size` pixels wide; returns its box.

    Looks: kept, good and bad have a rim, dim is faded, wanted is an empty place.
    """
    wide = max(8, round(size))
    rect = Rect(0, 0, wide, wide)
    rect.center = (round(centre[0]), round(centre[1]))
    theme = c.theme
    if look == "wanted":
        c.box(rect, theme.felt_dark, radius=wide * 0.19 / c.unit, border=theme.line, width=2)
        return rect
    face, edge, pip = theme.die, theme.die_edge, theme.pip
    if look == "dim":
        face, edge, pip = (mix(colour, theme.panel, 0.55) for colour in (face, edge, pip))
    rim = {"kept": theme.accent, "good": theme.good, "bad": theme.bad}.get(look)
    if rim is not None:
        grown = rect.inflate(2 * c.px(5), 2 * c.px(5))
        c.box(grown, rim, radius=grown.width * 0.2 / c.unit)
    c.surface.blit(sprites.die(wide, value, face, edge, pip), rect)
    return rect


def dice(
    c: Canvas,
    rect: Rect,
    values: Sequence[int | None],
    *,
    size: float | None = None,
    looks: Sequence[DieLook] = (),
    gap: float = 0.24,
) -> list[Rect]:
    """Dice side by side in the middle of a box, as large as fits or `size` pixels at most."""
    count = len(values)
    if not count:
        return []
    wide = min(rect.height, rect.width / (count + gap * (count - 1)))
    if size is not None:
        wide = min(wide, size)
    step = wide * (1 + gap)
    first = rect.centerx - step * (count - 1) / 2
    return [
        die(c, (first + i * step, rect.centery), wide, value, looks[i] if looks else "plain")
        for i, value in enumerate(values)
    ]


def dice_block(c: Canvas, rect: Rect, values: Sequence[int | None], *, size: float) -> None:
    """Dice in one or two lines, whichever lets them be larger."""
    half = -(-len(values) // 2)

    def width(count: int, lines: int) -> float:
        return min(rect.width / (count * 1.24 - 0.24), rect.height / (lines * 1.24 - 0.24), size)

    if len(values) < 4 or width(len(values), 1) >= width(half, 2):
        dice(c, rect, values, size=size)
        return
    wide = width(half, 2)
    middle = Rect(rect.left, 0, rect.width, round(wide * 2.24))
    middle.centery = rect.centery
    for line, part in zip(
        rows(middle, 2, round(wide * 0.24)), (values[:half], values[half:]), strict=True
    ):
        dice(c, line, part, size=wide)


_CHIP_COLOURS: Final[tuple[Colour, ...]] = (
    (196, 52, 52),
    (38, 105, 176),
    (46, 132, 78),
    (52, 46, 48),
)


def chips(c: Canvas, foot: tuple[float, float], count: int, width: float, *, high: int = 8) -> None:
    """Chips in a pile standing on `foot` (middle of its lower edge), `width` pixels wide.

    The pile grows with the count, up to `high` chips; the number beside it says how many. Red
    chips stand for one, blue for five, green for twenty-five, black for a hundred.
    """
    wide = max(6, round(width))
    step = wide * 0.165
    pile: list[Colour] = []
    rest = count
    for worth, colour in zip((100, 25, 5, 1), reversed(_CHIP_COLOURS), strict=True):
        number, rest = divmod(rest, worth)
        pile.extend([colour] * number)
    for i, colour in enumerate(pile[-high:] if len(pile) > high else pile):
        sprite = sprites.chip(wide, colour, (240, 230, 210))
        top = foot[1] - sprite.get_height() - i * step
        c.surface.blit(sprite, (round(foot[0] - wide / 2), round(top)))


def chip_count(
    c: Canvas, rect: Rect, count: int, colour: Colour | None = None, size: float = LARGE
) -> None:
    """A small pile of chips and how many they are, in the middle of a box."""
    number = str(count)
    wide = min(rect.height * 0.85, rect.width * 0.42, c.px(46))
    text = min(c.width(number, size, bold=True), max(1, round(rect.width - wide * 1.25)))
    left = rect.centerx - (wide * 1.25 + text) / 2
    chips(c, (left + wide / 2, rect.bottom - rect.height * 0.12), count, wide, high=4)
    place = Rect(round(left + wide * 1.25), rect.top, text + 2, rect.height)
    c.text(number, place, size, colour, bold=True)


# -- pictures


def fitted(size: tuple[int, int], rect: Rect) -> Rect:
    """The largest box of the proportions of `size` inside `rect`, in its middle."""
    scale = min(rect.width / size[0], rect.height / size[1])
    place = Rect(0, 0, max(1, round(size[0] * scale)), max(1, round(size[1] * scale)))
    place.center = rect.center
    return place


def picture(c: Canvas, rect: Rect, image: Image) -> Rect:
    """A camera picture as large as fits. Returns where it is."""
    height, width = image.shape[:2]
    place = fitted((width, height), rect)
    raw = pygame.image.frombuffer(image.tobytes(), (width, height), "BGR")
    c.surface.blit(pygame.transform.smoothscale(raw, place.size), place)
    return place


@lru_cache(maxsize=4)
def backdrop(size: tuple[int, int], ground: Colour) -> pygame.Surface:
    """The dark room behind everything: a faint warm light from above."""
    small = pygame.Surface((64, 36))
    for y in range(36):
        for x in range(64):
            distance = ((x - 32) / 46) ** 2 + ((y - 4) / 34) ** 2
            small.set_at((x, y), mix(mix(ground, (92, 62, 38), 0.2), ground, min(1.0, distance)))
    return pygame.transform.smoothscale(small, size)


# -- groups that several scenes show


def on_felt(c: Canvas) -> Colour:
    """The colour of a word woven into the felt."""
    return mix(c.theme.felt, c.theme.ink, 0.3)


def pot(c: Canvas, rect: Rect, count: int, label: str) -> None:
    """The pot: a large pile, a large number and a small word."""
    number = str(count)
    tall = min(rect.height, c.px(96))
    size = tall / c.unit * 0.62
    text = c.width(number, size, bold=True)
    words = c.width(label, SMALL)
    pile = min(round(tall * 0.92), rect.width - c.px(14) - max(text, words))
    wide = min(rect.width, pile + c.px(14) + max(text, words))
    left = rect.centerx - wide // 2
    middle = Rect(left, rect.centery - tall // 2, wide, tall)
    chips(c, (left + pile / 2, middle.bottom - tall * 0.1), count, pile * 0.95, high=4)
    side = Rect(left + pile + c.px(14), middle.top, wide - pile - c.px(14), tall)
    above, below = split(side, 0.66, across=False)
    c.text(number, above, size, c.theme.accent, bold=True, valign="bottom")
    c.text(label, below, SMALL, c.theme.ink, valign="top")


def amount(c: Canvas, rect: Rect, value: int, low: int, high: int, note: str = "") -> None:
    """An amount being chosen: pile and number between the left and the right arrow.

    Under it stands `note`, or the bounds.
    """
    tall = min(rect.height, c.px(130))
    middle = Rect(rect.left, rect.centery - tall // 2, rect.width, tall)
    size = tall * 0.3
    edge = c.px(6)
    left = (middle.left + edge + size / 2, middle.centery)
    right = (middle.right - edge - size / 2, middle.centery)
    dark = mix(c.theme.felt, c.theme.ink, 0.2)
    icon(c, "left", left, size, c.theme.button_left if value > low else dark)
    icon(c, "right", right, size, c.theme.button_right if value < high else dark)
    inside = middle.inflate(-2 * round(size + 2 * edge), 0)
    above, below = split(inside, 0.74, across=False)
    chip_count(c, above, value, c.theme.accent, above.height / c.unit * 0.7)
    c.text(note or f"{low} – {high}", below, SMALL, c.theme.ink, align="centre")


def ledger(
    c: Canvas, rect: Rect, lines: Sequence[tuple[str, str]], more: Callable[[int], str]
) -> None:
    """A panel with a label and a value on each line; as high as its lines.

    Where not all fit, the last one says how many are left out, in the words of `more`.
    """
    if not lines:
        return
    pad = c.px(12)
    least = c.height(SMALL)
    room = max(1, (rect.height - 2 * pad) // least)
    shown = list(lines[:room])
    if len(lines) > room:
        shown[-1] = (more(len(lines) - room + 1), "")
    whole = rect.width - 2 * pad - c.px(10)
    tight = any(
        c.width(label, SMALL) > whole - min(c.width(value, BODY, bold=True) + 2, whole // 2)
        for label, value in shown
    )
    most = max(c.px(44), 2 * least) if tight else c.px(44)
    high = max(least, min(most, (rect.height - 2 * pad) // len(shown)))
    inside = panel(c, Rect(rect.left, rect.top, rect.width, high * len(shown) + 2 * pad))
    for i, (label, value) in enumerate(shown):
        line = Rect(inside.left, inside.top + i * high, inside.width, high)
        width = min(c.width(value, BODY, bold=True) + 2, round(line.width * 0.5))
        place = Rect(line.right - width, line.top, width, high)
        c.text(value, place, BODY, bold=True, align="right", name=True)
        place = Rect(line.left, line.top, line.width - width - c.px(10), high)
        if c.width(label, SMALL) > place.width and c.fits(label, place):
            c.paragraph(label, place, SMALL, c.theme.soft, valign="middle")
        else:
            c.text(label, place, SMALL, c.theme.soft, name=True)


def menu(
    c: Canvas,
    rect: Rect,
    lines: Sequence[tuple[str, str]],
    cursor: int,
    *,
    high: float = 56,
    marks: Sequence[bool] = (),
    arrows: bool = False,
) -> None:
    """Lines to choose from, each a text and perhaps a value; scrolls so that the cursor shows.

    `marks`: lines with the sign of what was changed. `arrows`: the value of the chosen line is
    being chosen itself, with left and right.
    """
    gap = c.px(6)
    step = c.px(high)
    room = max(1, (rect.height + gap) // (step + gap))
    first = min(max(0, cursor - room // 2), max(0, len(lines) - room))
    for i, text in enumerate(lines[first : first + room], first):
        line = Rect(rect.left, rect.top + (i - first) * (step + gap), rect.width, step)
        mark = i < len(marks) and marks[i]
        _menu_line(c, line, text, chosen=i == cursor, mark=mark, arrows=arrows and i == cursor)
        c.target(line, f"option:{i}")
    more = c.theme.soft
    if first > 0:
        icon_at = (rect.right + c.px(8), rect.top + c.px(10))
        c.polygon(_tip(c, icon_at, -1), more)
    if first + room < len(lines):
        c.polygon(_tip(c, (rect.right + c.px(8), rect.bottom - c.px(10)), 1), more)


def _menu_line(
    c: Canvas, line: Rect, text: tuple[str, str], *, chosen: bool, mark: bool, arrows: bool
) -> None:
    label, value = text
    fill = mix(c.theme.raised, c.theme.accent, 0.16) if chosen else c.theme.panel
    c.box(
        line,
        fill,
        radius=10,
        border=c.theme.accent if chosen else c.theme.line,
        width=3 if chosen else 1.5,
    )
    inside = line.inflate(-c.px(32), 0)
    if mark:
        icon(c, "changed", (inside.left + c.px(8), inside.centery), c.px(20), c.theme.accent)
        inside = Rect(inside.left + c.px(28), line.top, inside.width - c.px(28), line.height)
    if arrows:
        size = c.px(26)
        spot = (inside.right - size / 2, inside.centery)
        icon(c, "right", spot, size, c.theme.button_right)
        inside.width -= size + c.px(10)
    wide = min(c.width(value, BODY, bold=True) + 2, inside.width // 2) if value else 0
    if value:
        place = Rect(inside.right - wide, line.top, wide, line.height)
        colour = c.theme.accent if chosen or mark else c.theme.soft
        c.text(value, place, BODY, colour, bold=chosen or mark, align="right", name=True)
    if arrows:
        spot = (inside.right - wide - c.px(10) - size / 2, inside.centery)
        icon(c, "left", spot, size, c.theme.button_left)
        wide += size + c.px(10)
    width = inside.width - wide - (c.px(12) if value else 0)
    place = Rect(inside.left, line.top, width, line.height)
    c.text(label, place, BODY, c.theme.ink, bold=chosen, name=True)


def _tip(c: Canvas, at: tuple[float, float], down: int) -> list[tuple[float, float]]:
    """A small triangle that says that there is more above (-1) or below (1)."""
    size = c.px(6)
    return [
        (at[0] - size, at[1] - down * size / 2),
        (at[0] + size, at[1] - down * size / 2),
        (at[0], at[1] + down * size),
    ]


def statement(c: Canvas, rect: Rect, sign: Icon, colour: Colour, text: str, more: str = "") -> None:
    """A large sign, a sentence, and perhaps a smaller text under it."""
    inside = panel(c, rect, lit=colour)
    size = min(c.px(110), inside.height * 0.3)
    head, rest = take_top(inside, round(size + c.px(16)), c.px(8))
    icon(c, sign, head.center, size, colour)
    first, second = split(rest, 0.5, across=False) if more else (rest, rest)
    narrow = first.inflate(-c.px(24), 0)
    c.paragraph(text, narrow, LARGE, bold=True, align="centre", valign="middle")
    if more:
        place = second.inflate(-c.px(24), 0)
        c.paragraph(more, place, BODY, c.theme.soft, align="centre", valign="middle")
