"""The well-known reader that ours is measured against: dark blobs, clustered into dice.

This is what most tutorials do (OpenCV's SimpleBlobDetector with a filter on inertia, then DBSCAN;
one cluster is one die, its size the value). It is no part of the product; `dicetable bench
--baseline` runs it on the same pictures in the same run, so that the ratio is fair.
"""

from __future__ import annotations

import time

import cv2
import numpy as np

from vision.reading import Image


def read(image: Image) -> tuple[tuple[int, ...], float]:
    """Values from high to low, and the time in milliseconds."""
    start = time.perf_counter()
    parameters = cv2.SimpleBlobDetector.Params()
    parameters.filterByInertia = True
    parameters.minInertiaRatio = 0.6
    detector = cv2.SimpleBlobDetector.create(parameters)
    points = detector.detect(cv2.medianBlur(image, 7))
    sizes = _clusters(np.array([p.pt for p in points], np.float32).reshape(-1, 2), reach=40.0)
    ms = (time.perf_counter() - start) * 1e3
    return tuple(sorted(sizes, reverse=True)), ms


def _clusters(points: np.ndarray[tuple[int, int], np.dtype[np.float32]], reach: float) -> list[int]:
    """Sizes of the groups of points that hang together by steps of at most `reach` pixels."""
    left = set(range(len(points)))
    sizes = []
    while left:
        front, size = [left.pop()], 0
        while front:
            at = front.pop()
            size += 1
            near = [i for i in left if np.linalg.norm(points[i] - points[at]) <= reach]
            left.difference_update(near)
            front += near
        sizes.append(size)
    return sizes
