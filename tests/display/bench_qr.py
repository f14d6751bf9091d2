"""How well a QR code is read from the screen, by simulated photographs of an 800x480 LCD.

    python tests/display/bench_qr.py

One line a code: length, level, modules, pixels a module, and for each sharpness (camera pixels
per screen pixel) how many of 8 photographs OpenCV and, if `zxing-cpp` is installed, ZXing read.
"""

from __future__ import annotations

import sys
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import segno

SIDE = 365
"""Pixels that the scene has for the code at 800x480."""
SHOTS = 8
SHARPNESS = (1.2, 1.6, 2.4)
WORDS = "Барбуди Кари 73 Ola 61 Liv 45 +11 -6 4-1 5-5 " * 20

Picture = npt.NDArray[np.uint8]


def screen(text: str, level: str) -> tuple[Picture, int, int]:
    """The part of the screen with the code, pixels a module, and modules a side."""
    code = segno.make(text, error=level, mode="byte", encoding="utf-8", micro=False)
    dark = np.array([[bool(one) for one in row] for row in code.matrix])
    one = SIDE // (len(dark) + 8)
    light = np.kron(np.pad(~dark, 4, constant_values=True), np.ones((one, one), bool))
    picture = np.full((395, 400, 3), 30, np.uint8)
    at = 15 + (SIDE - len(light)) // 2
    picture[at : at + len(light), at : at + len(light)] = 255 * light[:, :, None]
    return picture, one, len(dark)


def photograph(picture: Picture, sharp: float, seed: int) -> Picture:
    """The LCD with its stripes, seen by a camera that is held a little aslant."""
    rng = np.random.default_rng(seed)
    high, wide = picture.shape[:2]
    stripes = np.zeros((3, 3, 3), np.float32)
    for column in range(3):
        stripes[:, column, 2 - column] = 1
    stripes[2] *= 0.5
    lit = np.repeat(np.repeat(picture, 3, 0), 3, 1) * np.tile(stripes, (high, wide, 1))
    size = np.array([wide * sharp, high * sharp])
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    seen = (corners + rng.uniform(-0.05, 0.05, (4, 2)) + 0.1) * size
    source = (corners * [3 * wide, 3 * high]).astype(np.float32)
    slant = cv2.getPerspectiveTransform(source, seen.astype(np.float32))
    turn = np.vstack([cv2.getRotationMatrix2D(tuple(size * 0.6), rng.uniform(-7, 7), 1), [0, 0, 1]])
    soft = cv2.GaussianBlur(lit.astype(np.float32), (0, 0), max(0.3, 1.35 / sharp))
    out = cv2.warpPerspective(soft, turn @ slant, tuple((size * 1.2).astype(int).tolist()))
    out = cv2.GaussianBlur(out, (0, 0), 0.7) * 2.4 + 20 + rng.normal(0, 8, out.shape)
    return np.clip(out, 0, 255).astype(np.uint8)


def main() -> int:
    try:
        import zxingcpp
    except ImportError:
        zxingcpp = None
    reader: Any = cv2.QRCodeDetector()
    for length in (150, 300, 450, 600, 750):
        text = WORDS.encode()[:length].decode(errors="ignore")
        for level in "LMQ":
            picture, one, modules = screen(text, level)
            told = []
            for sharp in SHARPNESS:
                shots = [photograph(picture, sharp, seed) for seed in range(SHOTS)]
                read = sum(reader.detectAndDecode(shot)[0] == text for shot in shots)
                told.append(f"{sharp}: {read}")
                if zxingcpp is not None:
                    found = (zxingcpp.read_barcodes(shot) for shot in shots)
                    told[-1] += f" / {sum(any(x.text == text for x in one) for one in found)}"
            print(f"{length} {level}: {modules} modules of {one} pixels;", ", ".join(told))
    return 0


if __name__ == "__main__":
    sys.exit(main())
