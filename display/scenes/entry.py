"""Dice entered by hand, while the camera can not read."""

from __future__ import annotations

from display import widgets as w
from display.canvas import Canvas, Rect
from display.theme import BODY
from display.view import View
from display.words import Words


def draw(c: Canvas, view: View, words: Words, now: float, room: Rect) -> None:
    """Draw the faces large, with the arrows that change one."""
    above, below = w.split(room, 0.68, across=False, gap=c.px(12))
    faces(c, view, above)
    inside = w.panel(c, below, lit=c.theme.accent if view.armed else None)
    text = words.say("Show the dice to everybody, then enter them as they lie.")
    if view.armed:
        text = words.say("Press again and it counts so. It is marked as entered by hand.")
    elif view.notice is not None:
        text = words.notice(view.notice)
    c.paragraph(text, inside, BODY, align="centre", valign="middle")


def faces(c: Canvas, view: View, rect: Rect) -> None:
    """The faces being entered; arrows beside the one that the left and right buttons change."""
    place = rect.inflate(-c.px(40), -c.px(40))
    looks: list[w.DieLook] = []
    for i, value in enumerate(view.entry):
        looks.append("kept" if i == view.cursor else "plain" if value else "wanted")
    boxes = w.dice(c, place, view.entry, looks=looks, size=c.px(150), gap=0.42)
    for i, box in enumerate(boxes):
        c.target(box, f"die:{i}")
        if i == view.cursor:
            size = max(c.px(14), box.width * 0.2)
            reach = box.width / 2 + box.width * 0.13
            w.icon(c, "left", (box.centerx - reach, box.centery), size, c.theme.button_left)
            w.icon(c, "right", (box.centerx + reach, box.centery), size, c.theme.button_right)
