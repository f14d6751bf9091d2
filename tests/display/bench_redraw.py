"""How long a picture takes, on one core, into memory (SDL's dummy driver).

    python tests/display/bench_redraw.py

Every golden view is drawn 20 times after a first time that fills the caches; the median and the
worst of the views are given, the first drawing, and what a call costs when nothing has changed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import pygame

from display.stage import Stage, draw
from display.view import PLAY, View
from tests.display.views import VIEWS

SIZES = ((1024, 600), (1920, 1080))


def timed(surface: pygame.Surface, view: View) -> float:
    start = perf_counter()
    draw(surface, view, 0.0)
    return 1000 * (perf_counter() - start)


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
                medians[name] = median(timed(surface, view) for _ in range(20))
            worst = max(medians, key=lambda name: medians[name])
            print(
                f"{size[0]}x{size[1]:<6} {group:<7} {len(names):>5}  {max(firsts):8.1f}"
                f"  {median(medians.values()):9.2f}  {medians[worst]:8.2f}  ({worst})"
            )
    stage = Stage(pygame.Surface(SIZES[0]))
    view = VIEWS["barbudi_throw"]()
    stage.draw(view, 0.0)
    start = perf_counter()
    for _ in range(1000):
        stage.draw(view, 0.0)
    print(f"nothing changed: {1000 * (perf_counter() - start):.1f} µs a call")
    return 0


if __name__ == "__main__":
    sys.exit(main())
