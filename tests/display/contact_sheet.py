"""Render every golden view for the eye.

    python tests/display/contact_sheet.py --size 1024x600 --language en [--only NAME]

writes one PNG a view and one sheet with all of them.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np
import pygame

from display.stage import draw
from display.window import save
from tests.display.views import VIEWS

SIZES = ((800, 480), (1024, 600), (1280, 720), (1920, 1080), (600, 1024))


# Machado, Oliveira and Fernandes (2009), full severity; linear in sRGB is near enough to look at.
EYES = {
    "protanopes": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopes": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopes": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
    "a grey screen": ((0.3, 0.59, 0.11),) * 3,
}
"""How others see the colours: no meaning may be lost."""


def seen(surface: pygame.Surface, eyes: tuple[tuple[float, float, float], ...]) -> None:
    """Change a picture into what such eyes see of it."""
    pixels = pygame.surfarray.pixels3d(surface)
    pixels[:] = np.clip(pixels @ np.float32(eyes).T, 0, 255)


def main() -> int:
    parser = argparse.ArgumentParser(description="Render every golden view for the eye.")
    parser.add_argument("--size", default="1024x600")
    parser.add_argument("--language", default="en")
    parser.add_argument("--theme", default="dark")
    parser.add_argument("--only", default="")
    parser.add_argument(
        "--seen-by", choices=("everybody", *EYES), default="everybody", help="simulated eyes"
    )
    parser.add_argument("--out", type=Path, default=Path("out/display"))
    args = parser.parse_args()
    pygame.font.init()
    width, height = (int(part) for part in args.size.split("x"))
    names = [name for name in VIEWS if args.only in name]
    pictures = []
    for name in names:
        surface = pygame.Surface((width, height))
        view = replace(VIEWS[name](), language=args.language, theme=args.theme)
        drawn = draw(surface, view, 0.0)
        if args.seen_by in EYES:
            seen(surface, EYES[args.seen_by])
        for text in drawn.account.overflows:
            print(f"{name}: does not fit: {text}")
        save(surface, args.out / args.size / f"{args.language}-{name}.png")
        pictures.append(surface)
    across = 3
    small = (width * 2 // 3, height * 2 // 3) if width < 1200 else (width // 2, height // 2)
    down = -(-len(pictures) // across)
    sheet = pygame.Surface((small[0] * across, small[1] * down))
    for i, picture in enumerate(pictures):
        spot = (i % across * small[0], i // across * small[1])
        sheet.blit(pygame.transform.smoothscale(picture, small), spot)
    save(sheet, args.out / f"sheet-{args.size}-{args.language}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
