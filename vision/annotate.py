"""Draw on a picture what the reader saw."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.looks import Look
from vision.pips import mark_maps, rectify
from vision.reading import Die, Image, Problem, Reading

_READ = (80, 220, 60)
_REFUSED = (40, 60, 240)
_PAPER = (24, 24, 24)
_INK = (235, 235, 235)
_CELL_W, _CELL_H, _TEXT_H, _LINE = 640, 280, 40, 96
_FONT = cv2.FONT_HERSHEY_SIMPLEX

WORDS: dict[Problem, str] = {
    Problem.NO_DICE: "no dice seen",
    Problem.WRONG_COUNT: "wrong number of dice",
    Problem.COCKED: "a die leans",
    Problem.STACKED: "a die lies on another",
    Problem.HAND: "a hand or a cup is in the way",
    Problem.MOVING: "something moves",
    Problem.OUTSIDE: "a die lies outside",
    Problem.UNCLEAR: "a face is unclear",
}
"""Each problem in plain English, for pictures and the terminal."""


def annotate(image: Image, reading: Reading) -> Image:
    """A copy of the picture with each top face outlined, its value beside it, and the verdict.

    Read faces are green and carry the value; faces that are not read are red and carry the
    problem. The sizes of lines and letters follow the size of the picture.
    """
    canvas = image.copy()
    height, width = canvas.shape[:2]
    scale = max(0.3, min(height, width) / 900)
    for die in reading.dice:
        _outline(canvas, die, scale)
    for die in reading.dice:
        _label(canvas, die, scale)
    _verdict(canvas, reading, scale)
    return canvas


def verdict(reading: Reading) -> str:
    """The reading in one line of plain English."""
    if reading.values is not None:
        return "read: " + " ".join(str(value) for value in reading.values)
    return "not read: " + ", ".join(WORDS[problem] for problem in reading.problems)


def _outline(canvas: Image, die: Die, scale: float) -> None:
    colour = _READ if die.value is not None else _REFUSED
    corners = np.rint((np.array(die.corners) - 0.5) * 16).astype(np.int32)  # 4 fractional bits
    thick = max(1, round(2 * scale))
    cv2.polylines(canvas, [corners.reshape(-1, 1, 2)], True, _PAPER, thick + 2, cv2.LINE_AA, 4)
    cv2.polylines(canvas, [corners.reshape(-1, 1, 2)], True, colour, thick, cv2.LINE_AA, 4)


def _label(canvas: Image, die: Die, scale: float) -> None:
    corners = np.array(die.corners)
    text = str(die.value) if die.value is not None else str(die.problem or "?")
    colour = _READ if die.value is not None else _REFUSED
    x, y = corners[:, 0].max(), corners[:, 1].min()
    _text(canvas, text, (float(x) + 4 * scale, float(y)), 0.8 * scale, colour)


def _verdict(canvas: Image, reading: Reading, scale: float) -> None:
    colour = _READ if reading.ok else _REFUSED
    _text(canvas, verdict(reading), (10 * scale, 30 * scale), 0.8 * scale, colour)


def _text(
    canvas: Image, text: str, at: tuple[float, float], size: float, colour: tuple[int, int, int]
) -> None:
    """Letters on a dark ground, moved so that all of them are inside the picture."""
    thick = max(1, round(2 * size))
    (w, h), low = cv2.getTextSize(text, _FONT, size, thick)
    height, width = canvas.shape[:2]
    x = int(np.clip(at[0], 0, max(0, width - w - 2)))
    y = int(np.clip(at[1], h + 2, max(h + 2, height - low - 1)))
    cv2.rectangle(canvas, (x - 2, y - h - 2), (x + w + 2, y + low), _PAPER, -1)
    cv2.putText(canvas, text, (x, y), _FONT, size, colour, thick, cv2.LINE_AA)


def contact_sheet(pictures: Sequence[tuple[str, Image, Reading]], columns: int = 3) -> Image:
    """Annotated pictures on one sheet, each with a line of text under it.

    The text is cut where it does not fit. Each picture is shown whole; where all its dice lie in
    a small part of it, that part is shown larger beside it.
    """
    cells = [_cell(text, image, reading) for text, image, reading in pictures]
    blank = np.zeros((_CELL_H, _CELL_W, 3), np.uint8)
    cells += [blank] * (-len(cells) % columns)
    rows = [np.hstack(cells[i : i + columns]) for i in range(0, len(cells), columns)]
    return np.asarray(np.vstack(rows) if rows else blank, np.uint8)


def _cell(text: str, image: Image, reading: Reading) -> Image:
    cell = np.full((_CELL_H, _CELL_W, 3), 12, np.uint8)
    room = _CELL_H - _TEXT_H
    marked = annotate(image, reading)
    _fit(cell[:room, : _CELL_W // 2], marked)
    _fit(cell[:room, _CELL_W // 2 :], _close_up(image, reading))
    for i in range(2):
        part = text[i * _LINE : (i + 1) * _LINE]
        at = (4, room + 16 + 17 * i)
        cv2.putText(cell, part, at, _FONT, 0.4, _INK, 1, cv2.LINE_AA)
    return cell


def _close_up(image: Image, reading: Reading) -> Image:
    """The part of the picture with the dice, without any drawing."""
    if not reading.dice:
        return image
    points = np.array([corner for die in reading.dice for corner in die.corners])
    middle, reach = (points.max(0) + points.min(0)) / 2, float(np.ptp(points, axis=0).max()) * 0.7
    low = np.clip(middle - reach, 0, None).astype(int)
    high = np.ceil(middle + reach).astype(int)
    part = image[low[1] : high[1], low[0] : high[0]]
    return part if part.size else image


def _fit(cell: Image, image: Image) -> None:
    """Lay a picture into a cell, as large as it fits."""
    room_h, room_w = cell.shape[:2]
    scale = min(room_w / image.shape[1], room_h / image.shape[0])
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    small = cv2.resize(image, size, interpolation=way)
    cell[: small.shape[0], : small.shape[1]] = small


def explain(image: Image, looks: Sequence[Look], reading: Reading) -> Image:
    """The stages of a reading as one picture, for finding out why a die is not read.

    On top the picture with the verdict; below it a row for each candidate: its rectified face, the
    dark and the light round marks on it, and what each opinion says.
    """
    width = 960
    top = np.zeros((round(width * image.shape[0] / image.shape[1]), width, 3), np.uint8)
    _fit(top, annotate(image, reading))
    rows = [top]
    if looks:
        patches = rectify(image, np.stack([look.corners for look in looks]))
        maps = mark_maps(patches)
        rows += [
            _stage_row(patch, maps[:, i], look, width)
            for i, (patch, look) in enumerate(zip(patches, looks, strict=True))
        ]
    return np.asarray(np.vstack(rows), np.uint8)


def _stage_row(patch: Image, maps: npt.NDArray[np.float32], look: Look, width: int) -> Image:
    side = 120
    row = np.full((side, width, 3), 12, np.uint8)
    grey = [np.clip(m * 2, 0, 255).astype(np.uint8) for m in maps[:2]]
    pictures = [patch, *(cv2.cvtColor(g, cv2.COLOR_GRAY2BGR) for g in grey)]
    for i, picture in enumerate(pictures):
        big = cv2.resize(picture, (side - 4, side - 4), interpolation=cv2.INTER_NEAREST)
        row[2 : side - 2, i * side + 2 : (i + 1) * side - 2] = big
    pips = look.pips
    lines = [
        f"die {look.score:.2f}, leaning {look.cocked:.2f}, stacked {look.stacked:.2f}",
        f"pips: {pips.value} ({pips.confidence:.3f}), else {pips.alternative}; "
        f"fit {pips.quality:.2f}, lead {pips.margin:.2f}, contrast {pips.contrast:.0f}",
    ]
    if look.faces is not None:
        names = ("none", "1", "2", "3", "4", "5", "6", "spoilt")
        order = np.argsort(-look.faces)[:3]
        lines.append("net: " + ", ".join(f"{names[k]} ({look.faces[k]:.3f})" for k in order))
    for i, line in enumerate(lines):
        at = (3 * side + 8, 24 + 22 * i)
        cv2.putText(row, line, at, _FONT, 0.45, _INK, 1, cv2.LINE_AA)
    return row
