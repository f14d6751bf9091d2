"""A screen of the program, `pictures/screen.png`, and the finished table with it, `table.png`.

    python hardware/hero.py      (what `make hardware` calls; needs OpenSCAD)

OpenSCAD can not paint a picture on a face. So the table is rendered, and where its screen's face
shows, the program's own screen is laid over it in the perspective of the same camera.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import cv2  # noqa: E402
import numpy as np  # noqa: E402
import pygame  # noqa: E402

from display.stage import draw  # noqa: E402
from tests.display.views import VIEWS  # noqa: E402

SIZE = (2400, 1900)
"""Rendered three times as large as shown, for smooth edges."""
LOOKS_AT, TURNED, AWAY = (-5.0, -20.0, 214.0), (64.0, 0.0, 16.0), 1880.0
FIELD = 22.5
"""OpenSCAD's field of view from bottom to top, in degrees."""
FACE = np.array([[-112, 154], [112, 154], [112, 20], [-112, 20]], float)
"""Corners of the screen's face in `screen()` of table.scad, clockwise from its top left."""
FACE_Y, LEANS, STANDS = -0.5, -12.0, (0.0, 215.0, -4.0)


def turn(axis: int, degrees: float) -> np.ndarray:
    """The matrix of a turn round axis 0 (x) or 2 (z)."""
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    if axis == 0:
        return np.array([[1, 0, 0], [0, cosine, -sine], [0, sine, cosine]])
    return np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]])


def seen() -> np.ndarray:
    """Where the corners of the screen's face are in the render, in pixels, shape (4, 2)."""
    points = np.stack([FACE[:, 0], np.full(4, FACE_Y), FACE[:, 1]], axis=1)
    points = points @ turn(0, LEANS).T + STANDS - LOOKS_AT
    points = points @ turn(2, -TURNED[2]).T @ turn(0, -TURNED[0]).T
    scale = SIZE[1] / 2 / math.tan(math.radians(FIELD / 2)) / (AWAY - points[:, 2])
    across, down = SIZE[0] / 2 + points[:, 0] * scale, SIZE[1] / 2 - points[:, 1] * scale
    return np.stack([across, down], axis=1)


def render() -> np.ndarray:
    """The table as OpenSCAD draws it."""
    camera = ",".join(map(str, (*LOOKS_AT, *TURNED, AWAY)))
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "table.png"
        command = ["openscad", "-q", "-o", str(out), f"--imgsize={SIZE[0]},{SIZE[1]}"]
        command += ["--colorscheme=Tomorrow", f"--camera={camera}", "-D", "step=7"]
        if "DISPLAY" not in os.environ:
            command = ["xvfb-run", "-a", *command]
        subprocess.run([*command, str(HERE / "table.scad")], check=True)
        picture = cv2.imread(str(out))
    assert picture is not None
    return picture


def main() -> None:
    """Make the picture."""
    pygame.font.init()
    surface = pygame.Surface((1024, 600))
    draw(surface, VIEWS["throw_read"](), 0.0)
    pygame.image.save(surface, str(HERE / "pictures" / "screen.png"))
    surface = pygame.Surface((1280, 766))  # as wide to high as the face
    draw(surface, VIEWS["throw_read"](), 0.0)
    shown = cv2.cvtColor(
        np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1)), cv2.COLOR_RGB2BGR
    )
    table = render()
    height, width = shown.shape[:2]
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    laid = cv2.warpPerspective(
        shown, cv2.getPerspectiveTransform(flat, seen().astype(np.float32)), SIZE
    )
    # Only where the face itself is seen: a lamp or a post may stand before it.
    inside = cv2.fillConvexPoly(np.zeros(SIZE[::-1], np.uint8), seen().round().astype(int), 1)
    colour = np.median(table[inside == 1], axis=0)
    face = (abs(table.astype(int) - colour).max(axis=2) < 12) & (inside == 1)
    table[face] = laid[face]
    small = cv2.resize(table, (SIZE[0] // 3, SIZE[1] // 3), interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(HERE / "pictures" / "table.png"), small)


if __name__ == "__main__":
    main()
