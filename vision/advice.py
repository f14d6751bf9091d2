"""What is to be changed about camera and light, in words: one sentence, and what to do.

Looked at are pictures of the empty tray and, where there is one, the printed card on its felt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision import markers
from vision.calibration import Found, FoundBy
from vision.edges import SURE
from vision.reading import Image
from vision.tray import Tray

Array = npt.NDArray[np.float64]

BLUR_MM = 0.55
"""Sigma of the blur from which pips of small dice run together."""
DARK, LIGHT = 110.0, 252.0
"""White paper darker or brighter than that, in grey levels, is exposed wrongly."""
GLARE = 250
GLARE_MM = 4.0
"""A white spot on the felt as wide as a pip or more hides one."""
BANDS = 1.5
"""Grey levels by which the rows of two pictures of a still tray may differ."""
CAST = 1.35
"""White paper may be so many times as red as it is blue, or the other way round."""


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing that was looked at."""

    about: str
    """One word: focus, exposure, glare, colour, light, lens, tray."""
    good: bool
    text: str
    do: str = ""
    """What to do; empty when nothing is to be done."""


def advise(found: Found, frames: Sequence[Image]) -> list[Advice]:
    """Everything that can be said of the pictures; `frames` are several of the empty tray."""
    tray = found.calibration.tray
    lit = [_exposure(found), _glare(found.image, tray)]
    return [_tray(found), _lens(found), _focus(found), *lit, *_colour(found), *_flicker(frames)]


def _tray(found: Found) -> Advice:
    known = found.calibration
    text = f"found by its {known.found_by}, {known.tray.scale:.2f} pixels a millimetre"
    if known.turn:
        text += f"; the camera hangs turned, its picture is turned by {known.turn} degrees"
    if known.found_by is FoundBy.EDGES:
        if found.sure >= SURE:
            text += (
                "; the player must sit at the picture's bottom, which edges do not tell (--turn)"
            )
            return Advice("tray", True, text)
        text += f", but that is only {found.sure:.0%} sure"
        what = (
            "even light and no hard shadows; or glue the printed markers on the rim (dicetable "
            "sheets); or look at the picture of --annotate: its lines must lie on the foot of the "
            "walls, and the player at its bottom"
        )
        return Advice("tray", False, text, what)
    missing = [n for n in range(len(markers.CORNERS)) if n not in found.seen.rim]
    if missing:
        where = " and ".join(markers.CORNERS[n] for n in missing)
        return Advice("tray", False, f"{text}; no marker {where}", "wipe it, or print it anew")
    if len(known.anchors.anchors) < 3:
        return Advice(
            "tray",
            False,
            f"{text}; too near to the picture's edge to notice a push",
            "hang the camera higher",
        )
    return Advice("tray", True, text)


def _lens(found: Found) -> Advice:
    pose = found.pose
    if found.card_seen is None:
        return Advice(
            "lens",
            True,
            "its distortion is not known",
            "for the last millimetre lay the printed card in the tray and use --card",
        )
    if pose is None or len(found.card_seen.card) < 12:
        return Advice(
            "lens",
            False,
            "the card is not seen well enough",
            "lay it flat, whole in the picture, in even light",
        )
    size, lens = found.calibration.size, pose.lens
    corner = np.array([[0.0, 0.0]])
    bend = float(np.linalg.norm(lens.bend(corner) - corner))
    text = f"bends the picture's corners by {bend:.1f} pixels, which is corrected"
    if found.calibration.found_by is FoundBy.MARKERS:
        angle = 2 * np.degrees(np.arctan(size[0] / 2 / lens.focal))
        text += f"; it sees {angle:.0f} degrees and hangs {pose.height_mm:.0f} mm above the felt"
    if pose.error_px > 0.003 * size[0]:
        return Advice(
            "lens", False, f"{text}; points are {pose.error_px:.1f} pixels off", "lay the card flat"
        )
    return Advice("lens", True, text)


# ------------------------------------------------------------------------------------------- focus


def _focus(found: Found) -> Advice:
    """The blur of the sharpest edges: of card and markers, else of all that is in the picture."""
    card = found.card is not None and found.card_seen is not None and found.card_seen.card
    if card:
        assert found.card is not None
        assert found.card_seen is not None
        spots = [_spot(found.card, place, 10) for place in found.card_seen.card.values()]
        where, high = "on the felt", 0.0
    elif found.seen.rim:
        reach = round(0.6 * markers.RIM_MM * found.calibration.tray.scale)
        spots = [_spot(found.image, quad.mean(axis=0), reach) for quad in found.seen.rim.values()]
        where, high = "on the rim", 1.0
    else:
        spots = [np.asarray(cv2.cvtColor(found.image, cv2.COLOR_BGR2GRAY), np.float64)]
        where, high = "at the sharpest edges", 0.0
    sigma = float(np.median([blur(spot) for spot in spots])) / found.calibration.tray.scale
    text = f"{where} the blur is {sigma:.2f} mm"
    if sigma <= BLUR_MM:
        return Advice("focus", True, text)
    rim = "; the rim lies nearer to the lens than the felt: aim for the felt" if high else ""
    return Advice(
        "focus",
        False,
        f"{text}: not sharp enough for pips{rim}",
        "focus on the felt: change camera.focus in the settings, or turn the lens",
    )


def _spot(image: Image, place: Array, reach: int) -> Array:
    x, y = (round(float(v)) for v in place)
    part = image[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
    return np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.float64)


def blur(grey: Array) -> float:
    """How blurred the sharpest edge of a grey picture is: the sigma in pixels.

    A blurred step of the height h rises by h / (sigma √(2π)) a pixel where it is steepest.
    """
    slope_x = np.abs(np.diff(grey, axis=1))
    slope_y = np.abs(np.diff(grey, axis=0))
    size = 9
    high = cv2.dilate(grey, np.ones((size, size), np.uint8))
    low = cv2.erode(grey, np.ones((size, size), np.uint8))
    step = np.maximum(high - low, 1.0)
    ratio = np.maximum(slope_x[:-1] / step[:-1, :-1], slope_y[:, :-1] / step[:-1, :-1])
    strong = ratio[step[:-1, :-1] > 0.6 * step.max()]
    steepest = float(np.percentile(strong, 90)) if strong.size else 1e-3
    return float(1 / (max(steepest, 1e-3) * np.sqrt(2 * np.pi)))


# --------------------------------------------------------------------------- exposure, glare, bands


def _paper(found: Found) -> Array | None:
    """The colour of white paper (blue, green, red), the card's or the markers'; None without."""
    if found.card is not None and found.card_seen is not None and found.card_seen.card:
        card = _flat_card(found.card, found.card_seen)
        if card is not None:
            return _patch(card, 4)
    if not found.seen.rim:
        return None
    whites = []
    for quad in found.seen.rim.values():
        middle = quad.mean(axis=0)
        # The white edge of the paper, half a cell outside of the black one.
        for corner in quad:
            x, y = (corner + (corner - middle) / 6).round().astype(int)
            if 0 <= x < found.image.shape[1] and 0 <= y < found.image.shape[0]:
                whites.append(found.image[y, x])
    return np.asarray(np.median(np.array(whites, np.float64), axis=0)) if whites else None


def _exposure(found: Found) -> Advice:
    paper = _paper(found)
    floor = _floor_of(found.image, found.calibration.tray)
    if paper is None:
        level = float(np.percentile(found.image, 98))
        if level < 70:
            return Advice("exposure", False, f"the brightest is {level:.0f} of 255: too dark", MORE)
        clipped = float((floor >= GLARE).mean())
        if clipped > 0.02:
            text = f"{clipped:.0%} of the felt is white: too bright"
            return Advice("exposure", False, text, LESS)
        return Advice("exposure", True, f"the brightest is {level:.0f} of 255")
    white = float(paper.max())
    text = f"white paper is {white:.0f} of 255"
    if white < DARK:
        return Advice("exposure", False, f"{text}: too dark", MORE)
    if white > LIGHT:
        return Advice("exposure", False, f"{text}: too bright, pips drown in it", LESS)
    return Advice("exposure", True, text)


MORE = "more light, else raise camera.gain in the settings"
LESS = "lower camera.gain in the settings, or dim the light bars"


def _floor_of(image: Image, tray: Tray) -> npt.NDArray[np.uint8]:
    """The brightness of the felt from above, two pixels a millimetre."""
    width, depth = tray.size_mm
    wide, high = round(2 * width), round(2 * depth)
    target = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    way = cv2.getPerspectiveTransform(np.array(tray.corners, np.float32), target)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.warpPerspective(grey, way, (wide, high)), np.uint8)


def _glare(image: Image, tray: Tray) -> Advice:
    """White spots on the felt: where a lamp is mirrored."""
    floor = _floor_of(image, tray)
    white = cv2.morphologyEx(
        (floor >= GLARE).astype(np.uint8), cv2.MORPH_OPEN, np.ones((int(GLARE_MM), int(GLARE_MM)))
    )
    count, _, stats, middles = cv2.connectedComponentsWithStats(white)
    if count < 2:
        return Advice("glare", True, "no lamp is mirrored on the felt")
    best = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    x, y = middles[best] / (floor.shape[1], floor.shape[0])
    where = ("far ", "", "near ")[min(2, int(3 * y))] + ("left", "middle", "right")[
        min(2, int(3 * x))
    ]
    size = float(np.sqrt(stats[best, cv2.CC_STAT_AREA])) / 2
    return Advice(
        "glare",
        False,
        f"a white spot of about {size:.0f} mm on the felt, {where}",
        "move the lamp that is mirrored there, or shade it",
    )


def _flicker(frames: Sequence[Image]) -> list[Advice]:
    """Bands that wander: rows that change their brightness from picture to picture."""
    if len(frames) < 4:
        return []
    rows = np.array([frame.mean(axis=(1, 2), dtype=np.float64) for frame in frames])
    rows /= np.maximum(rows.mean(axis=0), 1.0) / 100
    change = float(np.median(np.ptp(rows, axis=0)))
    text = f"rows of the picture change by {change:.1f} % from picture to picture"
    if change > BANDS:
        do = "set camera.exposure_us to 10000 (8333 where the mains have 60 Hz); no dimmers"
        return [Advice("light", False, f"{text}: lamps flicker", do)]
    return [Advice("light", True, text)]


# ------------------------------------------------------------------------------------------ colour


def _flat_card(image: Image, seen: markers.Seen) -> Image | None:
    """The card's fields from above, ten pixels a millimetre along the fields' row."""
    numbers = sorted(seen.card)
    if len(numbers) < 12:
        return None
    places = markers.card_places()[numbers].astype(np.float32)
    pixels = np.array([seen.card[n] for n in numbers], np.float32)
    left, top, wide, high = markers.patches()[0]
    way = np.asarray(cv2.findHomography(pixels, (places - (left, top)) * 4)[0])
    if way.shape != (3, 3):
        return None
    size = (round(4 * wide * len(markers.PATCHES)), round(4 * high))
    return np.asarray(cv2.warpPerspective(image, way, size), np.uint8)


def _patch(card: Image, number: int) -> Array:
    """The colour of one field: the median of its middle."""
    side = card.shape[1] // len(markers.PATCHES)
    part = card[side // 4 : -side // 4, number * side + side // 4 : (number + 1) * side - side // 4]
    return np.asarray(np.median(part.reshape(-1, 3).astype(np.float64), axis=0))


def _colour(found: Found) -> list[Advice]:
    """White balance by white paper; the order of the colours by the card's red and blue."""
    advice = []
    paper = _paper(found)
    if paper is not None:
        blue, green, red = np.maximum(paper, 1.0)
        cast = max(red / blue, blue / red)
        text = f"white paper is {red:.0f} red, {green:.0f} green, {blue:.0f} blue"
        do = (
            f"multiply camera.red_gain by {green / red:.2f} and camera.blue_gain by "
            f"{green / blue:.2f} in the settings"
        )
        advice.append(Advice("colour", cast <= CAST, text, "" if cast <= CAST else do))
    card = None
    if found.card is not None and found.card_seen is not None:
        card = _flat_card(found.card, found.card_seen)
    if card is None:
        text = "whether red and blue are swapped can only be told with the card"
        return [*advice, Advice("colour", True, text)]
    reds = [float(np.log((c[2] + 1) / (c[0] + 1))) for c in (_patch(card, n) for n in (5, 6))]
    if abs(reds[0] - reds[1]) < 0.4:
        text = (
            "whether red and blue are swapped can not be told: the card is printed without colour"
        )
        return [*advice, Advice("colour", True, text)]
    if reds[0] < reds[1]:
        text = "red and blue are swapped"
        do = "tell us the camera's name; until then red dice are read as blue ones"
        return [*advice, Advice("colour", False, text, do)]
    return [*advice, Advice("colour", True, "red is red and blue is blue")]
