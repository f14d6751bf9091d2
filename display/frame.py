"""What is on every screen: the headline, the story of the last act, and the four buttons."""

from __future__ import annotations

from typing import Final

from display import overlay
from display import widgets as w
from display.canvas import Canvas, Rect
from display.sprites import Icon, mix
from display.theme import BODY, LARGE, SMALL, TITLE, Colour
from display.view import PLAY, Action, Hint, Scene, View, Watch
from display.words import Words

ORDER: Final = ("back", "left", "right", "confirm")
"""The buttons under the screen from the left; `hardware/` places them so."""

_ICONS: Final[dict[str, Icon]] = {
    "back": "back",
    "left": "left",
    "right": "right",
    "confirm": "confirm",
}


GRIP: Final = (*PLAY, Scene.RESULT)
"""Scenes in which back opens the menu when it is held."""

TELLS_ITSELF: Final = (Scene.MESSAGE, Scene.FAULT, Scene.ENTRY, Scene.TAKE_HOME)
"""Scenes that show the notice themselves."""


def draw(c: Canvas, view: View, words: Words) -> Rect:
    """Draw the frame; returns the room left for the scene."""
    c.surface.blit(w.backdrop(c.rect.size, c.theme.ground), (0, 0))
    foot = c.px(104 if c.portrait else 66)
    room, bar = w.take_bottom(c.rect, foot)
    _buttons(c, bar, view, words)
    margin = c.px(16)
    room = room.inflate(-2 * margin, 0)
    if view.scene is Scene.ATTRACT:
        return Rect(room.left, margin, room.width, room.bottom - 2 * margin)
    head, room = w.take_top(room, c.px(66), c.px(4))
    _headline(c, head, view, words)
    if view.progress is not None:
        w.progress(c, Rect(bar.left, bar.top, bar.width, c.px(6)), view.progress)
    if view.scene in PLAY or (view.notice is not None and view.scene not in TELLS_ITSELF):
        room, strip = w.take_bottom(room, c.px(72 if c.portrait else 44), c.px(4))
        _story(c, strip, view, words)
    else:
        room = Rect(room.left, room.top, room.width, room.height - c.px(10))
    return room


def _headline(c: Canvas, head: Rect, view: View, words: Words) -> None:
    who, text = words.headline(view)
    game = words.game(view.game) if view.game else ""
    grip = has_grip(view)
    side = max(c.width(game, SMALL), _grip_width(c, words) if grip else 0) + c.px(16) if game else 0
    if c.portrait and game:
        side = min(side, round(head.width * 0.26))
    if game and grip:
        place = Rect(head.right - side, head.top, side, head.height)
        above, below = w.split(place, 0.5, across=False)
        c.text(game, above, SMALL, c.theme.soft, align="right", valign="bottom", name=True)
        _grip(c, words, below)
        c.target(place, "menu")
    elif game:
        place = Rect(head.right - side, head.top, side, head.height)
        c.paragraph(game, place, SMALL, c.theme.soft, align="right", valign="middle")
    left = head.left
    if who:
        width = min(c.width(who, TITLE, bold=True), round(head.width * 0.42))
        place = Rect(left, head.top, width + 1, head.height)
        c.text(who, place, TITLE, c.theme.accent, bold=True, name=True)
        left += width + c.px(14)
    place = Rect(left, head.top, head.right - side - left, head.height)
    size = LARGE if who else TITLE
    if c.width(text, SMALL, bold=not who) > place.width:
        c.paragraph(text, place, SMALL, c.theme.ink, bold=not who, valign="middle")
    else:
        c.text(text, place, size, c.theme.ink, bold=not who)


def has_grip(view: View) -> bool:
    """Whether the screen says that holding back opens the menu, for no button of its own does."""
    hints: list[Hint | None] = [getattr(view.buttons, button) for button in ORDER]
    own = any(hint is not None and hint.action is Action.MENU for hint in hints)
    return view.scene in GRIP and not own and not overlay.wanted(view)


def _grip_width(c: Canvas, words: Words) -> int:
    return c.width(words.say("hold"), SMALL) + c.width(words.say("Menu"), SMALL) + c.px(36)


def _grip(c: Canvas, words: Words, rect: Rect) -> None:
    """How the menu is opened: "hold", the sign of the back button, "Menu"."""
    size = c.px(18)
    menu = c.width(words.say("Menu"), SMALL) + 2
    place = Rect(rect.right - menu, rect.top, menu, rect.height)
    c.text(words.say("Menu"), place, SMALL, c.theme.soft, align="right", name=True)
    x = place.left - c.px(8) - size / 2
    w.icon(c, "back", (x, rect.centery), size, c.theme.button_back)
    hold = Rect(rect.left, rect.top, round(x - size / 2) - c.px(6) - rect.left, rect.height)
    c.text(words.say("hold"), hold, SMALL, c.theme.soft, align="right", name=True)


def _story(c: Canvas, strip: Rect, view: View, words: Words) -> None:
    """The notice when there is one, else what the last act brought about."""
    if view.notice is not None and not _said_large(view):
        colour = c.theme.bad if view.notice.level in ("warning", "fault") else c.theme.info
        w.icon(c, "alert", (strip.left + c.px(14), strip.centery), c.px(26), colour)
        place = Rect(strip.left + c.px(36), strip.top, strip.width - c.px(36), strip.height)
        c.paragraph(words.notice(view.notice), place, BODY, colour, valign="middle")
        return
    told = [text for event in view.events if (text := words.event(event))]
    # The first sentences matter most: the last ones say what the headline says as well.
    while len(told) > 1 and not c.fits(" ".join(told), strip):
        told.pop()
    if told:
        c.paragraph(" ".join(told), strip, BODY, c.theme.soft, valign="middle")


def _said_large(view: View) -> bool:
    """The throw's scene itself says why a throw that was read does not fit."""
    read = view.reading is not None and view.reading.ok
    return view.scene is Scene.THROW and view.watch is Watch.REST and read and not view.armed


def colour_of(c: Canvas, button: str) -> Colour:
    """The colour of a button's lamp."""
    colour: Colour = getattr(c.theme, f"button_{button}")
    return colour


def _buttons(c: Canvas, bar: Rect, view: View, words: Words) -> None:
    c.surface.fill(mix(c.theme.ground, (0, 0, 0), 0.45), bar)
    for button, cell in zip(ORDER, w.columns(bar, len(ORDER)), strict=True):
        hint: Hint | None = getattr(view.buttons, button)
        strip = Rect(cell.left + c.px(10), cell.bottom - c.px(9), cell.width - c.px(20), c.px(9))
        if hint is None:
            c.box(strip, c.theme.button_dark, radius=3)
            continue
        colour = colour_of(c, button)
        c.box(strip, colour, radius=3)
        c.target(cell, f"button:{button}")
        label = words.label(hint)
        size = c.px(30)
        inside = Rect(cell.left + c.px(8), cell.top, cell.width - c.px(16), strip.top - cell.top)
        if c.portrait:
            w.icon(c, _ICONS[button], (cell.centerx, cell.top + c.px(24)), size, colour)
            place = Rect(
                inside.left, cell.top + c.px(40), inside.width, strip.top - cell.top - c.px(42)
            )
            c.paragraph(label, place, SMALL, colour, bold=True, align="centre", valign="middle")
            continue
        gap = c.px(10)
        room = inside.width - size - gap
        text = min(room, c.width(label, BODY, bold=True))
        left = inside.centerx - (size + gap + text) // 2
        w.icon(c, _ICONS[button], (left + size / 2, inside.centery), size, colour)
        place = Rect(left + size + gap, inside.top, inside.right - left - size - gap, inside.height)
        if c.width(label, SMALL, bold=True) > place.width:
            c.paragraph(label, place, SMALL, colour, bold=True, valign="middle")
        else:
            c.text(label, place, BODY, colour, bold=True)
