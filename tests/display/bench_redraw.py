"""How long a picture takes, on one core, into memory (SDL's dummy driver).

    python tests/display/bench_redraw.py

Time is processor time of this process, so that a busy machine does not matter much. Every golden
view is drawn 7 times after a first time that fills the caches; the median and the
worst of the views are given, the first drawing, and what a call costs when nothing has changed.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import pygame

from display.stage import Stage, draw
from display.view import PLAY, View
from tests.display.views import VIEWS

SIZES = ((1024, 600), (1920, 1080))
REPEATS = 7


def timed(surface: pygame.Surface, view: View) -> float:
    start = process_time()
    draw(surface, view, 0.0)
    return 1000 * (process_time() - start)


def main() -> int:
    print("size        group   views  first ms  median ms  worst ms  (which)")
    for size in SIZES:
        surface = pygame.Surface(size)
        for group, wanted in (("play", True), ("others", False)):
            names = [name for name, make in VIEWS.items() if (make().scene in PLAY) is wanted]
            firsts, medians = [], {}
            for name in names:
                view = VIEWS[name]()
                firsts.append(timed(surface, view))
                medians[name] = median(timed(surface, view) for _ in range(REPEATS))
            worst = max(medians, key=lambda name: medians[name])
            print(
                f"{size[0]}x{size[1]:<6} {group:<7} {len(names):>5}  {max(firsts):8.1f}"
                f"  {median(medians.values()):9.2f}  {medians[worst]:8.2f}  ({worst})"
            )
    stage = Stage(pygame.Surface(SIZES[0]))
    view = VIEWS["barbudi_throw"]()
    for now in (0.0, 9.0):  # the chips have arrived
        stage.draw(view, now)
    start = process_time()
    for _ in range(1000):
        stage.draw(replace(view), 9.0)
    print(f"nothing changed: {1000 * (process_time() - start):.1f} µs a call")
    return 0


if __name__ == "__main__":
    sys.exit(main())
