"""How well the tray is found by its edges: how many within 2 mm, how many sure, how many wrong.

python tests/vision/measure_edges.py FOLDER=TRUTH.json... [--half 0|1] [--worst FOLDER]

For truth files see `vision.training.train_tray`; that of the shared recordings is `tray_truth.json`
beside this script. `--half` measures even or odd scenes only: those that were held out in learning.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision import foot
from vision.edges import SURE, find_floor
from vision.picture import load_picture
from vision.training.train_tray import read_truth, scene_of

DEPTH_MM = 280.0
"""What the floors are taken for: their true size differs by up to 3 %."""


@dataclass(frozen=True, slots=True)
class Result:
    """One picture: the worst corner's error, how sure, and the time it took."""

    path: Path
    error_mm: float
    sure: float
    ms: float


def measure(path: Path, truth: np.ndarray) -> tuple[Result, np.ndarray | None]:
    """What is found in a picture, and the corners."""
    image = load_picture(path)
    began = time.process_time()
    found = find_floor(image, 1.0)
    ms = 1000 * (time.process_time() - began)
    if found is None:
        return Result(path, np.inf, 0.0, ms), None
    scale = np.sqrt(cv2.contourArea(truth.astype(np.float32))) / DEPTH_MM
    error = float(np.linalg.norm(found.corners - truth, axis=1).max() / scale)
    return Result(path, error, found.sure, ms), found.corners


def row(name: str, results: list[Result]) -> str:
    """A row of the table."""
    error = np.array([r.error_mm for r in results])
    sure = np.array([r.sure >= SURE for r in results])
    good = error < 2
    return (
        f"| {name} | {len(results)} | {good.sum()} | {sure.sum()} | {(sure & ~good).sum()} | "
        f"{np.median(error):.2f} mm | {np.median([r.ms for r in results]):.0f} ms |"
    )


def main() -> None:
    """Print the table, and those that are sure and wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("truth", nargs="+", metavar="FOLDER=TRUTH.json")
    parser.add_argument("--half", type=int, choices=(0, 1))
    parser.add_argument("--weights", type=Path, default=foot.WEIGHTS)
    parser.add_argument("--worst", type=Path, help="write the wrong ones there, annotated")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    foot.WEIGHTS = args.weights
    results = []
    for path, truth in (one for text in args.truth for one in read_truth(text)):
        if args.half is not None and int(scene_of(path.name)) % 2 != args.half:
            continue
        result, corners = measure(path, truth)
        results.append(result)
        if args.worst and result.error_mm >= 2:
            image = load_picture(path)
            for quad, colour in ((truth, (255, 0, 255)), (corners, (0, 255, 255))):
                if quad is not None:
                    cv2.polylines(image, [np.rint(quad).astype(np.int32)], True, colour, 1)
            args.worst.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(args.worst / f"{result.sure:.2f}_{path.stem}.png"), image)
    print("| pictures | number | within 2 mm | sure | sure and wrong | median error | time |")
    print("|---|---|---|---|---|---|---|")
    print(row("all", results))
    print(row("the empty tray", [r for r in results if "empty" in r.path.name]))
    for r in sorted(results, key=lambda r: -r.sure):
        if r.error_mm >= 2 and r.sure >= SURE:
            print(f"sure and wrong: {r.path.name}, {r.error_mm:.1f} mm, sure {r.sure:.3f}")


if __name__ == "__main__":
    main()
