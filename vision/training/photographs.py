"""Gather photographs without dice, for floors and as things that are no dice.

    python -m vision.training.photographs OUT FOLDERS...

FOLDERS hold pictures of any kind, searched to the bottom. Those with a transparent ground are laid
on the others, many on one sheet: real coins, fruit, tools, letters where dice may lie.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np

from vision.training.looks import Rng

SIDE = 700
"""Pixels to which the shorter side is reduced."""
_NO_PHOTOGRAPHS = ("_nm", "norm", "gloss", "_bump", "html", "icon", "gui", "glow", "alpha")
"""In a path: maps of slopes, drawings, skins of figures."""


def read(folders: Iterable[str]) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Whole pictures (BGR), and cut-outs (BGRA)."""
    whole: dict[bytes, np.ndarray] = {}
    cut = []
    for folder in folders:
        for path in sorted(Path(folder).rglob("*")):
            if any(word in str(path).lower() for word in _NO_PHOTOGRAPHS):
                continue
            if path.suffix.lower() not in (".jpg", ".jpeg", ".png", ".tga", ".webp"):
                continue
            image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
            if image is None or image.ndim != 3 or image.dtype != np.uint8:
                continue
            if image.shape[2] == 4 and (image[..., 3] < 20).mean() > 0.1:
                cut.append(image)
                continue
            image = image[..., :3]
            if min(image.shape[:2]) < 200 or image.std() < 12 or _is_slopes(image):
                continue
            shrink = min(1.0, SIDE / min(image.shape[:2]))
            image = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
            whole.setdefault(cv2.resize(image, (16, 16)).tobytes(), image)
    return list(whole.values()), cut


def _is_slopes(image: np.ndarray) -> bool:
    blue, green, red = image.reshape(-1, 3).mean(0)
    return blue > 200 and 90 < green < 150 and 90 < red < 150


def sheet(rng: Rng, ground: np.ndarray, cut: list[np.ndarray]) -> np.ndarray:
    """Many cut-outs on one ground, each with a shadow."""
    out = cv2.resize(ground, (SIDE, SIDE))
    for _ in range(int(rng.integers(8, 40))):
        one = cut[rng.integers(len(cut))]
        reach = float(np.exp(rng.uniform(np.log(16), np.log(150))))
        scale = reach / max(one.shape[:2])
        side = int(1.5 * reach) + 8
        x, y = rng.integers(0, SIDE - side, 2)
        turn = cv2.getRotationMatrix2D((0, 0), float(rng.uniform(0, 360)), scale)
        turn[:, 2] = side / 2 - turn[:, :2] @ np.array(one.shape[1::-1]) / 2
        soft = cv2.blur(one, (max(1, int(1 / scale)),) * 2)
        laid = cv2.warpAffine(soft, turn, (side, side)).astype(np.float32)
        alpha = laid[..., 3:] / 255
        shadow = cv2.GaussianBlur(alpha, (0, 0), 3)[..., None] * np.float32(rng.uniform(0, 0.5))
        window = out[y : y + side, x : x + side]
        dim = window * (1 - np.roll(shadow, rng.integers(-4, 5, 2), (0, 1)))
        window[:] = dim * (1 - alpha) + laid[..., :3] * alpha
    return out


def main(out: str, *folders: str) -> None:
    """Write the photographs, and a third as many sheets."""
    os.makedirs(out, exist_ok=True)
    rng = np.random.default_rng(0)
    whole, cut = read(folders)
    grounds = rng.integers(len(whole), size=len(whole) // 3) if cut else ()
    for i, image in enumerate([*whole, *(sheet(rng, whole[k], cut) for k in grounds)]):
        cv2.imwrite(os.path.join(out, f"{i:05d}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 92])
    print(len(whole), "photographs", len(cut), "cut-outs")


if __name__ == "__main__":
    main(*sys.argv[1:])
