"""The live picture of the tray with the reading drawn on the dice."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import hypot

import pygame

from display import widgets as w
from display.canvas import Canvas, Rect
from display.theme import SMALL
from display.view import Scene, View, Watch
from display.words import Words
from vision.reading import Die, Point, Reading


def picture(c: Canvas, view: View, words: Words, rect: Rect) -> Rect:
    """Draw the tray as large as fits; returns where it is."""
    if view.picture is None:
        place = w.fitted((4, 3), rect)
        c.box(place, c.theme.felt_dark, radius=10, border=c.theme.line)
        text = words.watch(Watch.LOST if view.watch is Watch.LOST else Watch.OFF)
        inside = place.inflate(-c.px(40), -c.px(40))
        c.paragraph(text, inside, SMALL, c.theme.soft, align="centre", valign="middle")
        return place
    lies = view.watch in (Watch.REST, Watch.SAME) or view.scene is Scene.RECALL
    reading = view.reading if lies else None
    high, wide = view.picture.shape[:2]
    part = focus(reading, (wide, high)) if reading is not None else Rect(0, 0, wide, high)
    shown = view.picture[part.top : part.bottom, part.left : part.right]
    place = w.picture(c, rect, shown)
    if reading is not None:
        c.surface.set_clip(place)
        for index, die in enumerate(reading.dice):
            chosen = view.scene is Scene.CORRECT and index == view.cursor
            if chosen and index < len(view.entry):
                die = replace(die, value=view.entry[index], problem=None)
            _mark(c, die, wide / reading.size[0], part, place, chosen=chosen)
        c.surface.set_clip(None)
    rim = c.theme.line
    if view.watch is Watch.REST and view.reading is not None:
        rim = c.theme.good if view.reading.ok else c.theme.bad
    pygame.draw.rect(c.surface, rim, place.inflate(c.px(4), c.px(4)), c.px(4), c.px(8))
    return place


def focus(reading: Reading, size: tuple[int, int]) -> Rect:
    """The part of the picture worth showing: around the dice when they are read, else all of it.

    At least half as wide and high as the picture, and of its proportions.
    """
    whole = Rect(0, 0, *size)
    if not reading.ok or not reading.dice:
        return whole
    scale = size[0] / reading.size[0]
    xs = [x * scale for die in reading.dice for x, _ in die.corners]
    ys = [y * scale for die in reading.dice for _, y in die.corners]
    margin = 0.12
    share = max(
        0.5,
        (max(xs) - min(xs)) / size[0] + 2 * margin,
        (max(ys) - min(ys)) / size[1] + 2 * margin,
    )
    if share >= 0.95:
        return whole
    part = Rect(0, 0, round(size[0] * share), round(size[1] * share))
    part.center = (round((max(xs) + min(xs)) / 2), round((max(ys) + min(ys)) / 2))
    return part.clamp(whole)


def _mark(c: Canvas, die: Die, scale: float, part: Rect, place: Rect, *, chosen: bool) -> None:
    """The outline of a top face and, beside it, what was read on it.

    `scale` is pixels of the picture for one of the reading; `part` of the picture fills `place`.
    """
    zoom = place.width / part.width

    def at(point: Point) -> Point:
        x, y = point[0] * scale - part.left, point[1] * scale - part.top
        return place.left + x * zoom, place.top + y * zoom

    read = die.value is not None and die.problem is None
    colour = c.theme.accent if chosen else c.theme.good if read else c.theme.bad
    corners = [at(point) for point in die.corners]
    for start, end in pairwise([*corners, corners[0]]):
        c.line(start, end, colour, 6 if chosen else 4)
    for corner in corners:
        c.disc(corner, c.px(3 if chosen else 2), colour)
    centre = at(die.centre)
    reach = max(hypot(x - centre[0], y - centre[1]) for x, y in corners)
    size = c.px(19)
    above = centre[1] - reach - size * 0.7
    spot = (centre[0], above if above - size > place.top else centre[1] + reach + size * 0.7)
    spot = (min(max(spot[0], place.left + size), place.right - size), spot[1])
    c.disc(spot, size, colour)
    if read:
        box = Rect(0, 0, 2 * size, 2 * size)
        box.center = (round(spot[0]), round(spot[1]))
        c.text(str(die.value), box, 25, c.theme.on_light, bold=True, align="centre")
    else:
        w.icon(c, "alert", spot, size * 1.15, c.theme.on_light)
