"""Pictures without dice, and with things that are no dice: coins, rings, bottle caps, chips, lint.

Made from empty trays by turning, dimming and tinting them and drawing things on them. Run as a
script it reads a thousand of them and says in how many the reader saw a die::

    python tests/vision/clutter.py FOLDER_WITH_EMPTY_TRAYS [COUNT] [FOLDER_FOR_WHAT_WENT_WRONG]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.reading import Image

Rng = np.random.Generator
Point = tuple[int, int]


def clutter(empties: Sequence[Image], count: int, seed: int = 0) -> Iterator[Image]:
    """`count` pictures, the same for the same seed; every fifth one has nothing drawn on it."""
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        image = _varied(empties[number % len(empties)], rng)
        if number % 5:
            for _ in range(int(rng.integers(1, 7))):
                _THINGS[int(rng.integers(len(_THINGS)))](image, rng)
        yield cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.4, 1.2))).astype(np.uint8)


def _varied(image: Image, rng: Rng) -> Image:
    if rng.random() < 0.5:
        image = image[::-1]
    if rng.random() < 0.5:
        image = image[:, ::-1]
    gain = rng.uniform(0.5, 1.5) * rng.uniform(0.85, 1.15, 3)
    noise = rng.normal(0, rng.uniform(0, 8), image.shape)
    return np.clip(image * gain + noise, 0, 255).astype(np.uint8)


def _place(image: Image, rng: Rng) -> tuple[Point, int]:
    """Somewhere in the picture, and the size of a thing from 8 to 30 mm in it."""
    height, width = image.shape[:2]
    at = (int(rng.integers(0, width)), int(rng.integers(0, height)))
    return at, int(width / 390 * rng.uniform(8, 30) / 2)


def _colour(rng: Rng) -> tuple[int, int, int]:
    a, b, c = (int(v) for v in rng.integers(10, 250, 3))
    return a, b, c


def _shadow(image: Image, at: Point, radius: int) -> None:
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.circle(mask, (at[0] + radius // 4, at[1] + radius // 4), radius, 120, -1)
    shade = 1 - cv2.GaussianBlur(mask, (0, 0), max(1.0, radius / 6))[..., None] / 255
    image[:] = (image * shade).astype(np.uint8)


def _coin(image: Image, rng: Rng) -> None:
    at, radius = _place(image, rng)
    _shadow(image, at, radius)
    metal = np.array([[60, 120, 170], [150, 160, 165], [70, 150, 200]])[int(rng.integers(3))]
    low, high = (tuple(int(v) for v in metal * k) for k in (0.7, 1.25))
    cv2.circle(image, at, radius, tuple(int(v) for v in metal), -1, cv2.LINE_AA)
    cv2.circle(image, at, radius - max(1, radius // 8), high, 1, cv2.LINE_AA)
    digit = str(int(rng.choice([1, 2, 5, 10, 20, 50])))
    scale = radius / 22
    cv2.putText(image, digit, (at[0] - radius // 2, at[1] + radius // 3), 0, scale, low, 2, 16)
    for _ in range(4):
        dx, dy = rng.integers(-radius // 2, radius // 2 + 1, 2)
        cv2.circle(image, (at[0] + int(dx), at[1] + int(dy)), max(1, radius // 8), low, -1, 16)


def _ring(image: Image, rng: Rng) -> None:
    at, radius = _place(image, rng)
    cv2.circle(image, at, radius, _colour(rng), max(2, radius // 5), cv2.LINE_AA)
    cv2.ellipse(image, at, (radius, radius), 30, 0, 50, (250, 250, 250), 1, cv2.LINE_AA)


def _cap(image: Image, rng: Rng) -> None:
    at, radius = _place(image, rng)
    _shadow(image, at, radius)
    colour = _colour(rng)
    angles = np.linspace(0, 2 * np.pi, 85)
    reach = radius * (1 + 0.06 * np.sign(np.sin(21 * angles)))
    rim = np.stack([at[0] + reach * np.cos(angles), at[1] + reach * np.sin(angles)], axis=1)
    cv2.fillPoly(image, [rim.astype(np.int32)], colour, cv2.LINE_AA)
    light = tuple(min(255, v + 50) for v in colour)
    cv2.circle(image, at, radius * 2 // 3, light, -1, cv2.LINE_AA)
    cv2.circle(image, at, radius // 4, _colour(rng), -1, cv2.LINE_AA)


def _chip(image: Image, rng: Rng) -> None:
    at, radius = _place(image, rng)
    radius = int(radius * 1.4)
    _shadow(image, at, radius)
    colour, other = _colour(rng), _colour(rng)
    cv2.circle(image, at, radius, colour, -1, cv2.LINE_AA)
    for k in range(6):
        cv2.ellipse(image, at, (radius - 1, radius - 1), 60 * k, 0, 22, other, -1, cv2.LINE_AA)
    cv2.circle(image, at, radius * 2 // 3, colour, -1, cv2.LINE_AA)
    cv2.circle(image, at, radius * 2 // 3, other, 1, cv2.LINE_AA)


def _lint(image: Image, rng: Rng) -> None:
    at, radius = _place(image, rng)
    steps = np.cumsum(rng.normal(0, radius / 6, (14, 2)), axis=0) + at
    cv2.polylines(image, [steps.astype(np.int32)], False, _colour(rng), 1, cv2.LINE_AA)


def _crumbs(image: Image, rng: Rng) -> None:
    at, radius = _place(image, rng)
    colour = _colour(rng)
    for dx, dy in rng.normal(0, radius / 2, (int(rng.integers(1, 9)), 2)):
        spot = (at[0] + int(dx), at[1] + int(dy))
        cv2.circle(image, spot, int(rng.integers(1, 4)), colour, -1, cv2.LINE_AA)


def _paper(image: Image, rng: Rng) -> None:
    at, radius = _place(image, rng)
    box = cv2.boxPoints((at, (radius * 2.4, radius * 1.6), float(rng.uniform(0, 90))))
    cv2.fillConvexPoly(image, box.astype(np.int32), _colour(rng), cv2.LINE_AA)


_THINGS = (_coin, _ring, _cap, _chip, _lint, _crumbs, _paper)


def main() -> None:
    """Count the pictures in which the reader sees a die."""
    from vision.bench import load_cases
    from vision.picture import load_picture
    from vision.reader import Reader

    cv2.setNumThreads(1)
    empties = [load_picture(c.path) for c in load_cases(sys.argv[1]) if c.values == ()]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    reader, seen, answered = Reader(), 0, 0
    for number, image in enumerate(clutter(empties, count)):
        reading = reader.read(image)
        seen += bool(reading.dice)
        answered += reading.ok
        if reading.dice and len(sys.argv) > 3:
            from vision.annotate import annotate

            Path(sys.argv[3]).mkdir(parents=True, exist_ok=True)
            cv2.imwrite(f"{sys.argv[3]}/{number:04}.png", annotate(image, reading))
    print(f"{count} pictures without dice: a die seen in {seen}, values read in {answered}")


if __name__ == "__main__":
    main()
