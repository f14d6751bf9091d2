"""The empty tray, drawn once: felt, wooden walls with their shadows, keep rail, table."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.cameras.softcam.dice import Colour, cloud, linear
from vision.cameras.softcam.lens import Lens
from vision.cameras.softcam.light import Light
from vision.cameras.softcam.space import (
    HALF,
    PLAIN,
    RIB_FAR,
    RIB_HEIGHT,
    RIB_NEAR,
    Stand,
)
from vision.markers import cells_of

Floats = npt.NDArray[np.float32]

FELTS: dict[str, Colour] = {
    "green": (0.10, 0.42, 0.22),
    "red": (0.55, 0.08, 0.10),
    "navy": (0.08, 0.13, 0.33),
    "grey": (0.36, 0.36, 0.37),
    "black": (0.13, 0.13, 0.14),
    "beige": (0.66, 0.58, 0.45),
}
WOOD: Colour = (0.52, 0.33, 0.18)
TABLE: Colour = (0.36, 0.34, 0.33)
PAPER, INK = 0.80, 0.03
TABLE_DEPTH = -0.8  # the tray's floor is so thick


@lru_cache(maxsize=2)
def draw_plate(size: tuple[int, int], light: Light, felt: str, stand: Stand = PLAIN) -> Floats:
    """The empty tray in linear light, blue, green, red; shape (height, width, 3), not writable.

    It looks the same every evening: no chance is involved but that of the felt's fibres.
    """
    lens, rng = Lens(size, stand), np.random.default_rng(1)
    width, height = size
    fine = 2 if width < 800 else 1  # rays a pixel each way, against stairs along the edges
    plate = np.zeros((height, width, 3), np.float32)
    tray = _Tray(lens, light, felt, rng, stand)
    for y in range(0, height, 60):
        box = (0, y, width, min(y + 60, height))
        strip = tray.shade(lens.rays(box, fine))
        plate[y : box[3]] = cv2.resize(strip, (width, box[3] - y), interpolation=cv2.INTER_AREA)
    # A little darker towards the corners, as through any lens.
    v, u = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    plate *= (1 - 0.10 * (u * u + v * v))[..., None]
    plate = np.asarray(cv2.GaussianBlur(plate, (0, 0), lens.blur), np.float32)
    plate.flags.writeable = False
    return plate


class _Tray:
    """Casts rays onto the tray and says what colour is there."""

    def __init__(
        self, lens: Lens, light: Light, felt: str, rng: np.random.Generator, stand: Stand
    ) -> None:
        self.light, self.stand = light, stand
        self.outer = HALF + stand.wall_thick
        self.eye = lens.place.astype(np.float32)
        self.felt, self.wood, self.table = linear(FELTS[felt]), linear(WOOD), linear(TABLE)
        # Textures in centimetres: 20 texels a centimetre for felt, streaks along the wood.
        nap = cv2.GaussianBlur(rng.standard_normal((800, 800), np.float32), (0, 0), 0.8)
        self.nap: Floats = np.float32(0.10 / np.std(nap)) * nap + cloud(rng, 800, 800, 7) * 0.04
        grain = cv2.resize(rng.standard_normal((160, 12), np.float32), (800, 160))
        self.grain: Floats = np.float32(0.09) * grain + cloud(rng, 160, 800, 30) * 0.03

    def shade(self, rays: Floats) -> Floats:
        """The colour each ray sees: (rows, columns, 3)."""
        shape = rays.shape
        rays = rays.reshape(-1, 3)
        rim = self.meet(rays, 2, self.stand.wall_height)
        across = np.abs(rim[:, :2]).max(axis=1)
        out = np.empty_like(rays)
        for mask, see in (
            (across < HALF, self.inside),
            ((across >= HALF) & (across < self.outer), self.rim),
            (across >= self.outer, self.outside),
        ):
            if mask.any():
                out[mask] = see(rays[mask])
        return np.asarray(out.reshape(shape), np.float32)

    def meet(self, rays: Floats, axis: int, at: float) -> Floats:
        """Where rays meet the plane at one x, y or z."""
        far = (np.float32(at) - self.eye[axis]) / rays[:, axis]
        return np.asarray(self.eye + rays * far[:, None], np.float32)

    # ------------------------------------------------------------------------------------ surfaces

    def inside(self, rays: Floats) -> Floats:
        point = self.meet(rays, 2, 0.0)
        colour = self.lit(point, (0, 0, 1), self.cloth(point), self.corner(point))
        over = np.abs(point[:, :2]) > HALF
        for axis in (0, 1):
            for side in (-1, 1):
                # Where a ray leaves the tray through two walls, it hits the one left behind first.
                hit = over[:, axis] & (np.sign(point[:, axis]) == side)
                if hit.any():
                    wall = self.meet(rays[hit], axis, side * HALF)
                    inner = np.abs(wall[:, 1 - axis]) <= HALF + 1e-3
                    normal = [0.0, 0.0, 0.0]
                    normal[axis] = -side
                    dark = 0.55 + 0.45 * np.clip(wall[:, 2] / self.stand.wall_height, 0, 1)
                    lit = self.lit(wall, tuple(normal), self.planks(wall, 1 - axis) * 0.8, dark)
                    colour[np.nonzero(hit)[0][inner]] = lit[inner]
        self.rib(rays, point, colour)
        return colour

    def rib(self, rays: Floats, floor: Floats, colour: Floats) -> None:
        """The low rib in front of the keep rail, over what `inside` drew."""
        top = self.meet(rays, 2, RIB_HEIGHT)
        on_top = (top[:, 1] > RIB_NEAR) & (top[:, 1] < RIB_FAR) & (np.abs(top[:, 0]) < HALF)
        for at, normal in ((RIB_FAR, (0, 1, 0)), (RIB_NEAR, (0, -1, 0))):
            face = self.meet(rays, 1, at)
            side = (face[:, 2] > 0) & (face[:, 2] < RIB_HEIGHT) & ~on_top
            side &= np.abs(face[:, 0]) < HALF
            if side.any():
                wood = self.planks(face[side], 0) * 0.8
                colour[side] = self.lit(face[side], normal, wood, np.float32(0.75))
        if on_top.any():
            wood = self.planks(top[on_top], 0)
            colour[on_top] = self.lit(top[on_top], (0, 0, 1), wood, np.float32(1.0))

    def rim(self, rays: Floats) -> Floats:
        point = self.meet(rays, 2, self.stand.wall_height)
        x, y = np.abs(point[:, 0]), np.abs(point[:, 1])
        wood = np.where((x > y)[:, None], self.planks(point, 1), self.planks(point, 0))
        # Mitred corners, and edges that are broken by sandpaper.
        joint = (np.minimum(x, y) > HALF) & (np.abs(x - y) < 0.04)
        across = np.maximum(x, y) - HALF
        edge = np.minimum(across, self.stand.wall_thick - across)
        gain = np.where(joint, 0.55, 1.0) * np.where(edge < 0.1, 1.15, 1.0)
        colour = np.asarray(wood * gain[:, None].astype(np.float32), np.float32)
        if self.stand.markers:
            self.glue_markers(point, colour)
        return self.lit(point, (0, 0, 1), colour, np.float32(1.0))

    def glue_markers(self, point: Floats, colour: Floats) -> None:
        """The printed markers on the rim's corners, upright as seen by the player."""
        cell = self.stand.wall_thick / 8
        for number, (right, far) in enumerate(((-1, 1), (1, 1), (1, -1), (-1, -1))):
            here = (right * point[:, 0] > HALF) & (far * point[:, 1] > HALF)
            left = HALF if right > 0 else -self.outer
            top = self.outer if far > 0 else -HALF
            column = np.clip((point[here, 0] - left) / cell, 0, 7).astype(int)
            row = np.clip((top - point[here, 1]) / cell, 0, 7).astype(int)
            white = cells_of(number)[row, column]
            colour[here] = np.where(white, PAPER, INK)[:, None]

    def outside(self, rays: Floats) -> Floats:
        point = self.meet(rays, 2, TABLE_DEPTH)
        far = np.maximum(np.abs(point[:, 0]), np.abs(point[:, 1])) - self.outer
        dark = 1 - 0.6 * np.exp(-np.maximum(far, 0) / 1.5)
        colour = self.table * (1 + self.texture(self.nap, point[:, 0], point[:, 1], 9))[:, None]
        return self.lit(point, (0, 0, 1), colour, dark.astype(np.float32))

    # ---------------------------------------------------------------------------------- appearance

    def cloth(self, point: Floats) -> Floats:
        nap = 1 + self.texture(self.nap, point[:, 0], point[:, 1], 20)
        rail = np.where(point[:, 1] < RIB_NEAR, np.float32(0.7), np.float32(1.0))
        return np.asarray(np.maximum(self.felt * (nap * rail)[:, None], 0.002), np.float32)

    def planks(self, point: Floats, along: int) -> Floats:
        other = point[:, 1 - along] * 3 + point[:, 2] * 7
        grain = self.texture(self.grain, point[:, along], other, 12)
        return np.asarray(self.wood * (1 + grain)[:, None], np.float32)

    @staticmethod
    def texture(image: Floats, x: Floats, y: Floats, scale: float) -> Floats:
        rows = (y * scale + image.shape[0] // 2).astype(np.int32) % image.shape[0]
        columns = (x * scale + image.shape[1] // 2).astype(np.int32) % image.shape[1]
        return np.asarray(image[rows, columns], np.float32)

    @staticmethod
    def corner(point: Floats) -> Floats:
        """Less light from all around near the foot of a wall."""
        gaps = (HALF - np.abs(point[:, 0]), HALF - point[:, 1], HALF + point[:, 1])
        dark = np.ones(len(point), np.float32)
        for gap in gaps:
            dark *= 1 - 0.4 * np.exp(-np.maximum(gap, 0) / 1.2)
        rib = np.minimum(np.abs(point[:, 1] - RIB_FAR), np.abs(point[:, 1] - RIB_NEAR))
        return np.asarray(dark * (1 - 0.25 * np.exp(-rib / 0.4)), np.float32)

    def lit(
        self,
        point: Floats,
        normal: tuple[float, ...],
        colour: Floats,
        open_sky: Floats | np.float32,
    ) -> Floats:
        """Colour under all lamps, in the shadow of the tray's walls."""
        n = np.array(normal, np.float32)
        total = np.full_like(point, self.light.ambient) * np.reshape(open_sky, (-1, 1))
        for lamp in self.light.lamps:
            way = np.array(lamp.place, np.float32) - point
            slope = np.maximum(way @ n, 0) / np.linalg.norm(way, axis=1)
            sees = np.ones(len(point), np.float32)
            for axis in (0, 1):
                # The wall between: how far along the way, and how high the light passes over it.
                toward = np.where(way[:, axis] < 0, -1, 1) * np.maximum(np.abs(way[:, axis]), 1e-3)
                share = (np.sign(toward) * HALF - point[:, axis]) / toward
                above = point[:, 2] + way[:, 2] * share - self.stand.wall_height
                soft = lamp.radius * np.abs(share) * 1.5 + 0.05
                between = (point[:, 2] < self.stand.wall_height - 1e-3) & (share < 1)
                between &= np.abs(point[:, :2]).max(axis=1) < HALF + 0.01
                sees *= np.where(between, np.clip(above / soft + 0.5, 0, 1), 1)
            total += (slope * sees * lamp.fade(point))[:, None] * lamp.colour
        return np.asarray(colour * total, np.float32)
