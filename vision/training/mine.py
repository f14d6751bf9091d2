"""Collect what the finder takes for dice and is none: the hard cases for `FrameNet`.

    python -m vision.training.mine OUT.npz PHOTOS SCENES RENDERS...

looks at the training pictures, and at photographs without dice (a glob, or nothing), with the
exported finder and framer, at every scale, and keeps what they agree on wrongly. (Before the
framer was taught this, it let everything pass.)
"""

from __future__ import annotations

import glob
import sys

import cv2
import numpy as np

from vision.dice import Finder, _distinct
from vision.pyramid import Pyramid
from vision.training.clutter import strew
from vision.training.data import Picture, decode, read_renders, read_scenes
from vision.training.patches import SQUARE, wide_patch


def main(out: str, photos: str, scenes: str, *renders: str) -> None:
    """Write arrays `pixels` (n, WIDE, WIDE, 3) and `toward` (n, 2)."""
    cv2.setNumThreads(1)
    finder = Finder(threshold=0.2)
    rng = np.random.default_rng(1)
    found, ways = [], []
    empty = [Picture(np.fromfile(path, np.uint8), [], False, None) for path in glob.glob(photos)]
    for picture in [*empty, *read_scenes(scenes), *read_renders(list(renders))]:
        image = decode(picture)
        edges = [d.edge for d in picture.dice]
        edge = float(np.median(edges)) if edges else rng.uniform(12, 60)
        image = image.copy()
        taken = [(d.corners.mean(0), d.edge) for d in picture.dice]
        strew(rng, image, edge, taken, int(rng.integers(0, 7)))
        scale = 16 / edge * float(np.exp(rng.normal(0, 0.3)))
        if rng.random() < 0.6:  # groups of dice in a coarse look, pips in a fine one
            scale *= rng.choice([0.2, 0.33, 2.5, 4])
        scale = min(scale, 1000 / max(image.shape[:2]))
        levels = Pyramid(image)
        finds = _distinct(finder._rough(levels, min(2.0, scale)))[:12]
        for one in finder._framed(levels, finds):
            gaps = [
                np.hypot(*(one.centre - d.corners.mean(0))) / d.edge
                for d in picture.dice
                if 0.6 < d.edge / one.edge < 1.7
            ]
            if min(gaps, default=9.0) > 0.45:
                middle = np.array(image.shape[1::-1]) / 2
                found.append(wide_patch(image, one.centre + SQUARE * one.edge))
                ways.append((middle - one.centre) / one.edge)
    np.savez_compressed(out, pixels=np.stack(found), toward=np.stack(ways))
    print(len(found), "false finds")


if __name__ == "__main__":
    main(*sys.argv[1:])
