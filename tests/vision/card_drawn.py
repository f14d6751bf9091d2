"""The calibration card, drawn on the felt of the simulated tray."""

from __future__ import annotations

import cv2
import numpy as np

from vision import markers
from vision.cameras.simulated import SimulatedCamera
from vision.reading import Image

SCALE = 6  # pixels a millimetre of the drawn card
PATCHES = {"grey": (0, 46, 119, 187, 255), "colour": ((40, 40, 200), (200, 90, 30))}


def card_picture(coloured: bool = True) -> Image:
    """The printed card with its white edge, the greys and the two colours."""
    width, height = (round(n * markers.SQUARE_MM) * SCALE for n in markers.BOARD)
    squares = markers.board().generateImage((width, height), marginSize=0)
    card = cv2.cvtColor(
        cv2.copyMakeBorder(squares, 60, 110, 54, 54, cv2.BORDER_CONSTANT, value=255),
        cv2.COLOR_GRAY2BGR,
    )
    patches = [(grey,) * 3 for grey in PATCHES["grey"]] + list(PATCHES["colour"])
    for (x, y, w, h), colour in zip(markers.patches(), patches, strict=True):
        if not coloured:
            colour = (round(float(np.mean(colour))),) * 3
        left, top = round(x * SCALE) + 54, round(y * SCALE) + 60
        cv2.rectangle(
            card, (left, top), (left + round(w * SCALE), top + round(h * SCALE)), colour, -1
        )
    return np.asarray(card, np.uint8)


def lay_card(
    camera: SimulatedCamera,
    image: Image,
    *,
    middle: tuple[float, float] = (5.0, 15.0),
    angle: float = 3.0,
    coloured: bool = True,
) -> Image:
    """A picture of the camera's with the card on the felt; `middle` in mm from the tray's."""
    lens, (width, height) = camera._lens, camera.size
    rays = lens.rays((0, 0, width, height), 2 if width < 800 else 1).astype(float)
    floor = lens.place + rays * (-lens.place[2] / rays[..., 2])[..., None]
    x, y = floor[..., 0] * 10 - middle[0], -floor[..., 1] * 10 - middle[1]
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    card = card_picture(coloured)
    across = (x * c + y * s) * SCALE + card.shape[1] / 2
    down = (y * c - x * s) * SCALE + card.shape[0] / 2
    seen = cv2.remap(card, across.astype(np.float32), down.astype(np.float32), cv2.INTER_LINEAR)
    there = (across > 0) & (across < card.shape[1]) & (down > 0) & (down < card.shape[0])
    cover = cv2.resize(there.astype(np.float32), camera.size, interpolation=cv2.INTER_AREA)
    light = cv2.resize(
        seen.astype(np.float32) * there[..., None], camera.size, interpolation=cv2.INTER_AREA
    )
    mixed = image * (1 - cover[..., None]) + 25 * cover[..., None] + 0.78 * light
    blurred = cv2.GaussianBlur(mixed, (0, 0), lens.blur)
    return np.where(cover[..., None] > 0, np.clip(blurred, 0, 255), image).astype(np.uint8)
