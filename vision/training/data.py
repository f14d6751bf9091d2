"""The pictures of both makers in one form, and changes of light and camera on top of them."""

from __future__ import annotations

import glob
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

F = np.float32
Rng = np.random.Generator


@dataclass
class Truth:
    """One die of a picture."""

    corners: np.ndarray
    """(4, 2) of the top face, clockwise, pixels with the origin at the picture's corner."""
    value: int
    """Face up; 0 for a blank cube."""
    valid: bool
    stacked: bool
    visible: float
    tilt: float

    @property
    def edge(self) -> float:
        """Geometric mean of the top face's sides."""
        u, v = axes(self.corners)
        return float(2 * np.sqrt(abs(u) * abs(v)))


@dataclass
class Picture:
    """A picture and what is known of it."""

    code: np.ndarray
    """JPEG, or pixels (h, w, 3)."""
    dice: list[Truth]
    hand: bool
    mask: np.ndarray | None
    """Encoded mask of the hand; None with `hand` means that its place is not known."""


def axes(corners: np.ndarray) -> tuple[complex, complex]:
    """The half axes of the face as complex numbers."""
    c = corners @ np.array([1, 1j])
    return complex(c[1] - c[0] + c[2] - c[3]) / 4, complex(c[3] - c[0] + c[2] - c[1]) / 4


def _clockwise(corners: np.ndarray) -> np.ndarray:
    x, y = corners[:, 0], corners[:, 1]
    area = np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))
    return corners if area > 0 else corners[::-1].copy()


def read_scenes(folder: str, limit: int | None = None) -> list[Picture]:
    """What `vision.training.scenes` wrote; nothing for an empty name."""
    out = []
    for path in sorted(glob.glob(os.path.join(folder, "*.jsonl"))) if folder else ():
        for line in Path(path).read_text().splitlines():
            try:
                row = json.loads(line)
            except ValueError:
                continue  # the last line of a file that is still being written
            name = os.path.join(folder, row["image"])
            dice = [
                Truth(
                    np.array(d["corners"], F),
                    d["value"],
                    d["valid"],
                    bool(d.get("stacked", False)),
                    d["visible"],
                    d["tilt"],
                )
                for d in row["dice"]
            ]
            mask = np.fromfile(name.replace(".jpg", "_hand.png"), np.uint8) if row["hand"] else None
            out.append(Picture(np.fromfile(name, np.uint8), dice, row["hand"], mask))
            if limit and len(out) >= limit:
                return out
    return out


def read_renders(folders: list[str], half: bool = False) -> list[Picture]:
    """What the path tracer's `corpus.py` and `make_samples.py` wrote; `half`: at half the size."""
    rows: list[tuple[str, Any]] = []
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
            data = json.loads(Path(path).read_text())
            rows += [(folder, r) for r in (data if isinstance(data, list) else data["images"])]
    out = []
    for folder, row in rows:
        dice = [
            Truth(
                _clockwise(np.array(d["top_corners_px"], F)), d["top"], bool(d["valid"]),
                bool(d["stacked"]), float(d["top_visible"]), float(d["tilt_deg"]),
            )
            for d in row["dice"]
        ]  # fmt: skip
        code = np.fromfile(os.path.join(folder, row["image"]), np.uint8)
        if half:
            code = cv2.imdecode(code, cv2.IMREAD_COLOR)
            code = cv2.resize(code, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            for die in dice:
                die.corners = die.corners / 2
        out.append(Picture(code, dice, row["category"] in ("hand", "cup"), None))
    return out


def decode(picture: Picture) -> np.ndarray:
    """uint8 (h, w, 3), BGR."""
    code = picture.code
    return code if code.ndim == 3 else cv2.imdecode(code, cv2.IMREAD_COLOR)


def _burnt_out(rng: Rng, x: np.ndarray) -> np.ndarray:
    """Far too much light, as it falls through a lens that spreads it a little."""
    light = cv2.pow(np.clip(x, 0, 255) / 255, 2.2) * F(np.exp(rng.uniform(0.4, 2.2)))
    light = cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.4, 1.5)))
    return 255 * cv2.pow(np.minimum(light, 1), 1 / 2.2)


def recolour(rng: Rng, image: np.ndarray) -> np.ndarray:
    """Another light, another camera: float32 in 0..255, in place where it can."""
    x = image.astype(F)
    if rng.random() < 0.25:
        x = x[..., rng.permutation(3)]
    if rng.random() < 0.7:
        x *= rng.normal(1, 0.08, 3).astype(F)
    far = rng.random()
    if far < 0.08:
        x = _burnt_out(rng, x)
    else:
        x *= F(np.exp(rng.uniform(-2.6, -0.8) if far > 0.92 else rng.normal(-0.15, 0.3)))
    if rng.random() < 0.5:
        x = 255 * cv2.pow(np.clip(x, 0, 255) / 255, float(np.exp(rng.normal(0, 0.25))))
    grey = rng.random()
    if grey < 0.12:
        x = np.repeat(x.mean(2, keepdims=True), 3, 2)
    elif grey < 0.35:  # colours stored more coarsely than lightness
        light = x.mean(2, keepdims=True)
        x = light + cv2.GaussianBlur(x - light, (0, 0), float(rng.uniform(0.6, 1.8)))
    if rng.random() < 0.06:
        x = 255 - np.clip(x, 0, 255)
    if rng.random() < 0.3:
        x = cv2.GaussianBlur(x, (0, 0), float(rng.uniform(0.3, 1.1)))
    if rng.random() < 0.4 or far > 0.96:
        x = x + rng.standard_normal(x.shape, F) * F(np.exp(rng.uniform(0, 2.6)))
    return np.clip(x, 0, 255)
