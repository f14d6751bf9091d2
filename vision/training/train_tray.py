"""Learn what tells the foot of a tray's walls: the weights of `vision.foot`.

python -m vision.training.train_tray FOLDER=TRUTH.json... [--without FOLDER...] [--out tray.json]

A truth file is {scene: [[x, y], ...]}: the floor's corners, far left first and clockwise, in all
pictures of the folder that have the scene's number in their name. Up to three pictures of each
scene are learned from, the empty tray first. --without: folders of pictures in which no tray is,
such as `vision.training.scenes` invents. Half of the scenes can be left out (--hold-out) for
measuring. Photographs are for measuring only: learn from recordings and from pictures made by us.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision import foot
from vision.picture import load_picture
from vision.reading import Image
from vision.upright import Array, upright

Example = tuple[Array, npt.NDArray[np.bool_]]
"""What is measured of some rectangles of a picture, and which of them are right."""

_RIGHT, _WRONG = 1.2, 2.2
"""Errors in 280ths of the floor's width: a rectangle below is right, one above is wrong."""
_FEW = 900
"""So many wrong rectangles of a picture are learned from."""
_OF_A_SCENE = 3
"""So many pictures of a scene are learned from."""


def scene_of(name: str) -> str:
    """The number of the scene in a picture's name: pictures of one scene share their tray."""
    found = re.search(r"(\d{5,})", name)
    return found[1] if found else name


def read_truth(text: str) -> list[tuple[Path, Array]]:
    """The pictures and corners (4, 2) of a FOLDER=TRUTH.json."""
    folder, _, truth = text.partition("=")
    corners = json.loads(Path(truth).read_text(encoding="utf-8"))
    pictures = sorted(Path(folder).glob("*.jpg"))
    return [
        (path, np.array(corners[scene], np.float64))
        for path in pictures
        if (scene := scene_of(path.name)) in corners
    ]


def cut(image: Image, corners: Array, side: int, share: float) -> Image:
    """The picture without the foot of one wall: left, right, far or near."""
    x, y = corners.T
    inset = share * (x.max() - x.min())
    left, right = max(x[0], x[3]) + inset, min(x[1], x[2]) - inset
    far, near = max(y[0], y[1]) + inset, min(y[2], y[3]) - inset
    part = (
        image[:, int(left) :],
        image[:, : int(right)],
        image[int(far) :],
        image[: int(near)],
    )[side]
    return np.ascontiguousarray(part)


def example(image: Image, corners: Array | None, rng: np.random.Generator) -> Example | None:
    """What is measured of a picture's rectangles, and which are right; None to learn nothing."""
    view = upright(image)
    found = foot.lines(view)
    rects, guessed = foot.candidates(view, found, 1.0)
    if not len(rects):
        return None
    error = np.full(len(rects), np.inf)
    if corners is not None:
        quad = cv2.perspectiveTransform(corners[None], view.way)[0]
        true = np.array([quad[[0, 3], 0], quad[[1, 2], 0], quad[:2, 1], quad[2:, 1]]).mean(axis=1)
        error = 280 * np.abs(rects - true).max(axis=1) / (true[1] - true[0])
    right = error < max(_RIGHT, min(float(error.min()) + 0.2, _WRONG))
    if corners is not None and not right.any():
        return None
    keep = right | ((error > _WRONG) & (rng.random(len(error)) < _FEW / len(error)))
    return foot.describe(view, found, rects[keep], guessed[keep], 1.0), right[keep]


def examples(truth: str, half: int | None, rng: np.random.Generator) -> list[Example]:
    """An example of each picture, and for each scene one without a tray: a wall is cut off."""
    known: list[Example | None] = []
    scenes: Counter[str] = Counter()
    pictures = read_truth(truth)
    pictures.sort(key=lambda one: ("empty" not in one[0].name, one[0].name))
    for path, corners in pictures:
        scene = scene_of(path.name)
        if scenes[scene] == _OF_A_SCENE or (half is not None and int(scene) % 2 == half):
            continue
        scenes[scene] += 1
        image = load_picture(path)
        known.append(example(image, corners, rng))
        if scenes[scene] == 1:
            part = cut(image, corners, len(scenes) % 4, rng.uniform(0.02, 0.12))
            known.append(example(part, None, rng))
    return [one for one in known if one is not None]


def examples_without(folder: Path, rng: np.random.Generator) -> list[Example]:
    """An example of each picture of a folder in which no tray is."""
    known = [example(load_picture(path), None, rng) for path in sorted(folder.glob("*.jpg"))]
    return [one for one in known if one is not None]


def learn(known: Sequence[Example], steps: int = 250, decay: float = 0.005) -> Array:
    """(names + 1, 3): mean, spread and weight of each measure, so that the right ones stand out.

    The last row's weight is what is to be surpassed for there to be a tray at all.
    """
    trays = [one for one in known if one[1].any()]
    everything = np.concatenate([described for described, _ in trays]).astype(np.float64)
    mean, spread = everything.mean(axis=0), everything.std(axis=0) + 1e-6
    flat = np.clip((everything - mean) / spread, -5, 5)
    right = np.concatenate([right for _, right in trays])
    counts = [len(right) for _, right in trays]
    starts = np.cumsum([0, *counts[:-1]])
    weight, slope, square = np.zeros(flat.shape[1]), 0.0, 0.0
    for step in range(1, steps + 1):  # Adam's way down
        sums = flat @ weight
        odds = np.exp(sums - np.repeat(np.maximum.reduceat(sums, starts), counts))
        share = odds / np.repeat(np.add.reduceat(odds, starts), counts)
        good = odds * right
        wanted = good / np.repeat(np.add.reduceat(good, starts) + 1e-12, counts)
        change = flat.T @ (share - wanted) / len(trays) + 2 * decay * weight
        slope = 0.9 * slope + 0.1 * change
        square = 0.999 * square + 0.001 * change**2
        way = (slope / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        weight -= 0.03 * way
    limit = _limit(
        [np.clip((described - mean) / spread, -5, 5) @ weight for described, _ in known],
        np.array([bool(right.any()) for _, right in known]),
    )
    return np.stack([np.append(mean, 0), np.append(spread, 1), np.append(weight, limit)], axis=1)


def _limit(sums: list[Array], tray: npt.NDArray[np.bool_]) -> float:
    """The weight of there being none that makes the examples with and without a tray likeliest."""
    total = np.array([np.log(np.exp(s - s.max()).sum()) + s.max() for s in sums])
    signs = np.where(tray, 1, -1)
    limits = np.arange(0, 25, 0.25)
    loss = [np.log1p(np.exp(-signs * (total - limit))).sum() for limit in limits]
    return float(limits[int(np.argmin(loss))])


def main() -> None:
    """Learn, and write the weights."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("truth", nargs="+", metavar="FOLDER=TRUTH.json")
    parser.add_argument("--without", type=Path, nargs="+", default=[], metavar="FOLDER")
    parser.add_argument("--out", type=Path, default=foot.WEIGHTS)
    parser.add_argument("--hold-out", type=int, choices=(0, 1), help="leave out even or odd scenes")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    rng = np.random.default_rng(0)
    known = [one for truth in args.truth for one in examples(truth, args.hold_out, rng)]
    known += [one for folder in args.without for one in examples_without(folder, rng)]
    view = upright(np.zeros((480, 640, 3), np.uint8))
    table = learn(known)
    data = {
        name: [round(float(v), 4) for v in row]
        for name, row in zip([*foot.names(view, foot.lines(view)), "none"], table, strict=True)
    }
    args.out.write_text(json.dumps(data, indent=0) + "\n", encoding="utf-8")
    trays = sum(bool(right.any()) for _, right in known)
    print(f"{trays} pictures with a tray, {len(known) - trays} without, {args.out}")


if __name__ == "__main__":
    main()
