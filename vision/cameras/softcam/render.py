"""Dice drawn over the picture of the empty tray.

Each die is a rounded cube, found by marching the rays of its own small window of the picture; its
soft shadow is a blurred polygon. Nothing else of the picture is computed anew, which makes this
fast enough for a live picture.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.cameras.softcam.dice import ACROSS, PAD, TILE, UP, DiceSet, picture_of_faces
from vision.cameras.softcam.lens import Array, Lens
from vision.cameras.softcam.light import Lamp, Light
from vision.cameras.softcam.space import EDGE
from vision.reading import Image

Floats = npt.NDArray[np.float32]
Box = tuple[int, int, int, int]
"""x0, y0, x1, y1 in pixels; the last two lie outside."""

_CORNERS: Array = np.array(
    [[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], float
) * (EDGE / 2)


@dataclass(frozen=True, slots=True)
class Body:
    """One die as it is in one frame."""

    place: Array
    """Centre, in centimetres."""
    turn: Array
    """Rotation matrix, die to tray."""
    blur: tuple[float, float] = (0.0, 0.0)
    """How far it moves in the picture while the shutter is open, in pixels."""


class Renderer:
    """Draws dice of one set under one light over one tray."""

    def __init__(self, lens: Lens, plate: Floats, light: Light, dice: DiceSet) -> None:
        self.lens, self.light, self.dice = lens, light, dice
        self.plate = plate
        self.colour, self.slope = picture_of_faces(dice)
        self.developed = develop(plate)
        self.full = light.ambient + sum(lamp.power for lamp in light.lamps)

    def settled(self, bodies: Sequence[Body]) -> Renderer:
        """A renderer for which dice that lie still are a part of the tray."""
        other = copy.copy(self)
        other.plate, other.developed = self.plate.copy(), self.developed.copy()
        for x0, y0, x1, y1 in self.draw_onto(other.plate, bodies):
            other.developed[y0:y1, x0:x1] = develop(other.plate[y0:y1, x0:x1])
        return other

    def draw(self, bodies: Sequence[Body]) -> Image:
        """The picture, without noise."""
        if not bodies:
            return self.developed.copy()
        scene, image = self.plate.copy(), self.developed.copy()
        for x0, y0, x1, y1 in self.draw_onto(scene, bodies):
            image[y0:y1, x0:x1] = develop(scene[y0:y1, x0:x1])
        return image

    def draw_onto(self, scene: Floats, bodies: Sequence[Body]) -> list[Box]:
        """Draw into a picture of light, farthest first; gives the windows that changed."""
        boxes = [self.shadow(scene, body) for body in bodies]
        order = sorted(bodies, key=lambda b: -float(np.linalg.norm(self.lens.place - b.place)))
        boxes += [self.die(scene, body) for body in order]
        return [box for box in boxes if box is not None]

    # --------------------------------------------------------------------------------------- shadow

    def shadow(self, scene: Floats, body: Body) -> Box | None:
        """Darken the floor round one die."""
        corners = _CORNERS * 0.93 @ body.turn.T + body.place
        corners[:, 2] = np.maximum(corners[:, 2], 0.0)
        height = float(body.place[2])
        px_per_cm = self.lens.focal / self.lens.place[2]
        casts = []
        for lamp in self.light.lamps:
            place = np.array(lamp.place)
            if place[2] < height + 2 * EDGE:
                continue
            far = place[2] / (place[2] - corners[:, 2])
            hull = self.lens.project((place + (corners - place) * far[:, None]) * [1, 1, 0])
            soft = lamp.radius * (height + EDGE / 2) / (place[2] - height) * px_per_cm
            share = lamp.power * float(lamp.fade(body.place)) / self.full
            casts.append((hull, min(share, 0.95), max(0.7, soft)))
        lift = max(0.0, float(corners[:, 2].min()))
        foot = self.lens.project(corners * [1, 1, 0])
        casts.append((foot, 0.85 * self.light.ambient / self.full / (1 + lift), 5.0 + 3 * lift))
        box = self.window(np.concatenate([hull for hull, _, _ in casts]), 26)
        if box is None:
            return None
        x0, y0, x1, y1 = box
        left = np.ones((y1 - y0, x1 - x0), np.float32)
        for hull, share, soft in casts:
            left -= _soft_polygon(hull - [x0, y0], left.shape, min(soft, 20.0)) * np.float32(
                share / 255
            )
        scene[y0:y1, x0:x1] *= np.maximum(left, 0.03)[..., None]
        return box

    # ------------------------------------------------------------------------------------------ die

    def die(self, scene: Floats, body: Body) -> Box | None:
        """Draw one die."""
        blur = float(np.hypot(*body.blur))
        corners = self.lens.project(_CORNERS @ body.turn.T + body.place)
        box = self.window(corners, 3 + int(blur / 2))
        if box is None:
            return None
        x0, y0, x1, y1 = box
        # Motion blur hides the stairs along the edges that finer rays would smooth.
        fine = 1 if blur > 3 or (self.lens.size[0] > 800 and blur > 0) else 2
        rays = self.lens.rays(box, fine)
        tile = np.zeros((*rays.shape[:2], 4), np.float32)
        seen, light = self.shade(rays.reshape(-1, 3), body)
        tile.reshape(-1, 4)[seen, :3] = light
        tile.reshape(-1, 4)[seen, 3] = 1
        if fine > 1:
            shape = (x1 - x0, y1 - y0)
            tile = np.asarray(cv2.resize(tile, shape, interpolation=cv2.INTER_AREA), np.float32)
        tile = np.asarray(cv2.GaussianBlur(tile, (0, 0), self.lens.blur), np.float32)
        if blur > 1:
            tile = np.asarray(cv2.filter2D(tile, -1, _streak(body.blur)), np.float32)
        region = scene[y0:y1, x0:x1]
        region *= 1 - tile[..., 3:]
        region += tile[..., :3]
        return box

    def shade(self, rays: Floats, body: Body) -> tuple[npt.NDArray[np.intp], Floats]:
        """Which of the rays hit the die, and the light that comes back along these."""
        turn = body.turn.astype(np.float32)
        eye = ((self.lens.place - body.place) @ body.turn).astype(np.float32)
        seen, point, normal = _hit(rays @ turn, eye, np.float32(self.dice.rounding))
        if len(seen) == 0:
            return seen, np.zeros((0, 3), np.float32)
        colour, normal = self.surface(point, normal)
        normal = normal @ turn.T
        point = point @ turn.T + body.place.astype(np.float32)
        return seen, self.lit(point, normal, -rays[seen], colour)

    def surface(self, point: Floats, normal: Floats) -> tuple[Floats, Floats]:
        """Colour and dented normal at points of the die's skin, in the die's own axes."""
        face = np.abs(point).argmax(axis=1)
        face = np.where(point[np.arange(len(point)), face] > 0, face, face + 3)
        across, up = ACROSS.astype(np.float32)[face], UP.astype(np.float32)[face]
        scale = np.float32((1 - 2 * PAD) * TILE / EDGE)
        middle = TILE / 2 - 0.5
        x = (np.einsum("ij,ij->i", point, across) * scale + (face % 3) * TILE + middle)[None]
        y = (np.einsum("ij,ij->i", point, up) * scale + (face // 3) * TILE + middle)[None]
        x, y = x.astype(np.float32), y.astype(np.float32)
        colour = cv2.remap(self.colour, x, y, cv2.INTER_LINEAR)[0]
        slope = cv2.remap(self.slope, x, y, cv2.INTER_LINEAR)[0]
        normal = normal - slope[:, :1] * across - slope[:, 1:] * up
        normal /= np.sqrt(np.einsum("ij,ij->i", normal, normal))[:, None]
        return np.asarray(colour, np.float32), np.asarray(normal, np.float32)

    def lit(self, point: Floats, normal: Floats, back: Floats, colour: Floats) -> Floats:
        """Light from all lamps: matt colour and gloss."""
        sky = 0.5 + 0.5 * normal[:, 2]
        matt = np.repeat((self.light.ambient * (0.25 + 0.75 * sky))[:, None], 3, axis=1)
        gloss = np.zeros_like(matt)
        for lamp in self.light.lamps:
            way = np.array(lamp.place, np.float32) - point
            way /= np.sqrt(np.einsum("ij,ij->i", way, way))[:, None]
            facing = np.maximum(np.einsum("ij,ij->i", normal, way), 0)
            facing *= np.float32(lamp.fade(point.mean(axis=0)))
            matt += facing[:, None] * lamp.colour
            gloss += (facing * self.gloss(normal, way + back, lamp))[:, None] * lamp.colour
        edge_on = np.maximum(np.einsum("ij,ij->i", normal, back), 0.02)
        mirror = (0.04 + 0.6 * (1 - edge_on) ** 5) * self.light.ambient * sky
        return np.asarray(colour * matt + gloss + mirror[:, None], np.float32)

    def gloss(self, normal: Floats, half: Floats, lamp: Lamp) -> Floats:
        """The highlight of one lamp, wide when the lamp or the roughness is."""
        half /= np.sqrt(np.einsum("ij,ij->i", half, half))[:, None]
        along = np.maximum(np.einsum("ij,ij->i", normal, half), 0)
        wide = max(self.dice.rough**4, (lamp.radius / float(np.linalg.norm(lamp.place))) ** 2)
        return np.asarray(0.01 * wide / (along**2 * (wide - 1) + 1) ** 2, np.float32)

    def window(self, points: Array, margin: int) -> Box | None:
        """The part of the picture round these pixels; None when there is none."""
        x0, y0 = np.maximum(np.floor(points.min(axis=0)).astype(int) - margin, 0).tolist()
        x1, y1 = np.minimum(
            np.ceil(points.max(axis=0)).astype(int) + margin, self.lens.size
        ).tolist()
        return None if x1 - x0 < 2 or y1 - y0 < 2 else (x0, y0, x1, y1)


def _hit(
    rays: Floats, eye: Floats, rounding: np.float32
) -> tuple[npt.NDArray[np.intp], Floats, Floats]:
    """Rays that meet a rounded cube in its own axes: their numbers, the points, the normals."""
    half = np.float32(EDGE / 2)
    safe = np.where(np.abs(rays) < 1e-6, np.float32(1e-6), rays)
    first, second = (-half - eye) / safe, (half - eye) / safe
    enter = np.minimum(first, second).max(axis=1)
    leave = np.maximum(first, second).min(axis=1)
    seen = np.nonzero(enter < leave)[0]
    ray = rays[seen]
    point = eye + ray * enter[seen, None]
    core = half - rounding
    for _ in range(4):  # Newton's steps; the body is convex, so they only come nearer
        out = point - np.clip(point, -core, core)
        length = np.sqrt(np.einsum("ij,ij->i", out, out))
        approach = -np.einsum("ij,ij->i", out, ray) / np.maximum(length, 1e-6)
        point = point + ray * ((length - rounding) / np.maximum(approach, 0.12))[:, None]
    out = point - np.clip(point, -core, core)
    length = np.sqrt(np.einsum("ij,ij->i", out, out))
    hit = np.abs(length - rounding) < 0.02
    normal = out[hit] / np.maximum(length[hit], 1e-6)[:, None]
    return seen[hit], np.asarray(point[hit], np.float32), np.asarray(normal, np.float32)


def _soft_polygon(points: Array, shape: tuple[int, ...], soft: float) -> Image:
    """The hull of some points, from 0 to 255, with an edge that is so many pixels soft."""
    # Where the edge is soft, a quarter of the pixels each way show it as well.
    coarse = 4 if soft > 5 else 1
    mask = np.zeros((-(-shape[0] // coarse), -(-shape[1] // coarse)), np.uint8)
    polygon = cv2.convexHull((points * (16 / coarse) - 8).astype(np.int32))
    cv2.fillConvexPoly(mask, polygon, 255, cv2.LINE_AA, 4)
    blurred = cv2.GaussianBlur(mask, (0, 0), soft / coarse)
    if coarse > 1:
        blurred = cv2.resize(blurred, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(blurred, np.uint8)


def _streak(blur: tuple[float, float]) -> Floats:
    """The kernel of a straight motion of so many pixels."""
    size = int(np.hypot(*blur)) | 1
    kernel = np.zeros((size, size), np.float32)
    middle, half = size // 2, np.array(blur) / 2
    ends = [tuple(np.rint(middle + sign * half).astype(int).tolist()) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _tone_table() -> Image:
    light = np.linspace(0, 2, 4096)
    bent = np.where(
        light <= 0.0031308, light * 12.92, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055
    )
    # Highlights roll off softly, as they do in a camera.
    soft = 0.82 + 0.18 * (1 - np.exp(-(bent - 0.82) / 0.18))
    return np.asarray(np.clip(np.where(bent > 0.82, soft, bent), 0, 1) * 255 + 0.5).astype(np.uint8)


_TONE = _tone_table()


def develop(light: Floats) -> Image:
    """Amounts of light to the grey levels of a picture."""
    return np.asarray(_TONE[np.clip(light * 2047.5, 0, 4095).astype(np.int32)], np.uint8)
