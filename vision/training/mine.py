"""Collect what the finder takes for dice and is none: the hard cases for `FrameNet`.

    python -m vision.training.mine OUT.npz SCENES RENDERS...

looks at the training pictures with the exported finder and keeps false finds as wide patches. With
an empty SCENES ('') only those are kept that the exported framer takes for dice as well.
"""

from __future__ import annotations

import sys

import cv2
import numpy as np

from vision.dice import Finder, _distinct, _square
from vision.training.data import decode, read_renders, read_scenes
from vision.training.patches import wide_patch


def main(out: str, scenes: str, *renders: str) -> None:
    """Write an array `pixels` (n, WIDE, WIDE, 3)."""
    cv2.setNumThreads(1)
    finder = Finder(threshold=0.0 if scenes else 0.2)
    rng = np.random.default_rng(1)
    found = []
    pictures = read_scenes(scenes) if scenes else []
    pictures += 4 * read_renders(list(renders))
    for picture in pictures:
        image = decode(picture)
        edges = [d.edge for d in picture.dice]
        edge = float(np.median(edges)) if edges else rng.uniform(12, 60)
        scale = 16 / edge * float(np.exp(rng.normal(0, 0.3)))
        finds = _distinct(finder._rough(image, min(2.0, scale)))[:12]
        for one in finds if scenes else finder._framed(image, finds):
            gaps = [
                np.hypot(*(one.centre - d.corners.mean(0))) / d.edge
                for d in picture.dice
                if 0.6 < d.edge / one.edge < 1.7
            ]
            if min(gaps, default=9.0) > 0.45:
                found.append(wide_patch(image, _square(one)))
    np.savez_compressed(out, pixels=np.stack(found))
    print(len(found), "false finds")


if __name__ == "__main__":
    main(*sys.argv[1:])
