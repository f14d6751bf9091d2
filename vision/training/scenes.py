"""Invent pictures of dice with exact truth.

    python -m vision.training.scenes OUT FIRST COUNT [PHOTOS [above | cut]]

writes pictures FIRST .. FIRST + COUNT - 1 (the number is the seed), and `FIRST.jsonl` with one line
for each. PHOTOS globs photographs without dice that serve as floors (optional). `above` gives the
table's own camera and many dice that lean or lie on others; `cut` gives single dice, many of them
clear or with deep pips, cut out of larger pictures.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import cv2
import numpy as np

from vision.training import floors, looks
from vision.training.looks import Rng, linear, noise
from vision.training.softdice import (
    AXES,
    Body,
    Camera,
    F,
    Lamp,
    Look,
    Stage,
    Strip,
    cast_shadow,
    draw,
)

HAND = 255
"""Mark in the picture of ids: a hand, sleeve or cup lies over it."""


def _turn(axis: np.ndarray, angle: float) -> np.ndarray:
    return cv2.Rodrigues(np.asarray(axis, np.float64) * angle)[0].astype(F)


def sample_camera(rng: Rng, size: tuple[int, int], edge: float, above: bool) -> Camera:
    """A camera that shows a die of 1.6 cm about `edge` pixels wide; `above`: the table's own."""
    far = float(np.exp(rng.uniform(np.log(14), np.log(70))))
    if above:
        far = float(rng.uniform(38, 45))
    kind = rng.random()
    tilt = abs(rng.normal(0, 0.05)) if kind < 0.5 else rng.uniform(0, 0.4 if kind < 0.88 else 0.8)
    tilt = min(tilt, 0.04) if above else tilt
    r = _turn((0, 0, 1), rng.uniform(0, 2 * np.pi)) @ _turn((1, 0, 0), tilt)
    r = r @ _turn((0, 0, 1), rng.uniform(0, 2 * np.pi))
    return Camera(centre=(r[:, 2] * far).astype(F), rotation=r, focal=edge * far / 1.6, size=size)


def _upright(rng: Rng, yaw: float) -> np.ndarray:
    """A rotation that lays the die flat on one of its faces."""
    n = AXES[rng.integers(6)]
    up = np.stack([n[1], n[2], n[0]])  # rows: the die's u, v, n axes become x, y, z
    return _turn((0, 0, 1), yaw) @ up


def _overlap(a: Body, b: Body) -> bool:
    quads = []
    for body in (a, b):
        c = body.cube()[:, :2]
        quads.append(cv2.convexHull(c.astype(F)))
    return cv2.intersectConvexConvex(quads[0], quads[1])[0] > 1e-3


def _flat(rng: Rng, look: Look, edge: float, at: np.ndarray, yaw: float) -> Body:
    place = np.array([at[0], at[1], edge / 2], F)
    return Body(look, edge, place, _upright(rng, yaw))


def _beside(rng: Rng, body: Body, look: Look, edge: float, snug: bool) -> Body:
    """A die that touches another one: face to face, or as it comes."""
    n = AXES[:, 0] @ body.rotation.T
    side = n[np.abs(n[:, 2]) < 0.3][rng.integers(4)] if body.flat else np.array([1, 0, 0], F)
    yaw = float(np.arctan2(side[1], side[0]))
    way = side[:2] / np.linalg.norm(side[:2])
    if not snug:
        a = rng.uniform(0, 2 * np.pi)
        way, yaw = np.array([np.cos(a), np.sin(a)], F), float(rng.uniform(0, 2 * np.pi))
    slide = rng.uniform(-0.5, 0.5) * edge if rng.random() < 0.6 else 0.0
    base = body.position[:2] + np.array([-way[1], way[0]]) * slide
    new = _flat(rng, look, edge, base, yaw)
    for step in np.arange(0.4, 2.0, 0.02):
        new.position[:2] = base + way * step * (edge + body.edge) / 2
        if not _overlap(new, body):
            break
    new.position[:2] += way * rng.choice([0, 0.01, 0.03])
    return new


def _lean(rng: Rng, body: Body) -> None:
    """Tilt a die so that it stands on an edge or corner."""
    a = rng.uniform(0, 2 * np.pi)
    angle = np.radians(rng.uniform(5, 16) if rng.random() < 0.45 else rng.uniform(16, 50))
    body.rotation = _turn((np.cos(a), np.sin(a), 0), angle) @ body.rotation
    body.position[2] = 0
    body.position[2] = -body.cube()[:, 2].min()
    body.flat = False


def _pile(rng: Rng, dice: list[Body], i: int) -> None:
    """Lay die i + 1 on die i, if it lies flat and there is room."""
    low, old = dice[i], dice[i + 1]
    up = _flat(rng, old.look, low.edge, low.position[:2], rng.uniform(0, 6.3))
    up.position += np.array([*(rng.uniform(-0.5, 0.5, 2) * low.edge), low.edge], F)
    up.flat = False
    others = [b for b in dice if b is not low and b is not old]
    if low.flat and low.position[2] < low.edge and not any(_overlap(up, b) for b in others):
        dice[i + 1] = up


def sample_dice(
    rng: Rng, camera: Camera, pool: list[Look], edge_px: float, faults: float
) -> list[Body]:
    """Some dice in view: apart, touching, side by side, leaning or on top of each other.

    `faults` is the share of leaning dice, and of pictures with one die on another.
    """
    w, h = camera.size
    room = w * h / edge_px**2
    count = int(
        min(
            rng.choice(
                [0, 1, 2, 3, 5, 6, 8, 11], p=[0.07, 0.12, 0.17, 0.17, 0.22, 0.12, 0.08, 0.05]
            ),
            max(1, room / 5),
        )
    )
    family = [pool[i] for i in rng.integers(0, len(pool), rng.choice([1, 1, 2, 5]))]
    cling = rng.choice([0.1, 0.4, 0.9])
    mixed = rng.random() < 0.2
    dice: list[Body] = []
    rim = 0.4 if room < 8 else -0.02
    for _ in range(count):
        look = family[rng.integers(len(family))]
        edge = 1.6 * (float(rng.uniform(0.7, 1.3)) if mixed else 1.0)
        for _ in range(12):
            near = [b for b in dice if b.flat and b.position[2] < b.edge]
            if near and rng.random() < cling:
                body = _beside(rng, near[rng.integers(len(near))], look, edge, rng.random() < 0.5)
            else:
                at = camera.floor(rng.uniform(rim, 1 - rim) * w, rng.uniform(rim, 1 - rim) * h)
                body = _flat(rng, look, edge, at, rng.uniform(0, 2 * np.pi))
            if rng.random() < faults:
                _lean(rng, body)
            if not any(_overlap(body, b) for b in dice):
                dice.append(body)
                break
    for i in range(0, len(dice) - 1, 2):
        if rng.random() < faults * (1.8 if i == 0 else 1.2) - 0.1:
            _pile(rng, dice, i)
    return dice


def sample_lamps(rng: Rng) -> tuple[list[Lamp], float]:
    """One to four lamps, and the light that comes from everywhere."""
    hard = rng.random() < 0.3
    lamps = []
    for _ in range(1 if hard else rng.integers(1, 5)):
        a, high = rng.uniform(0, 2 * np.pi), rng.uniform(0.35, 1.5)
        far = rng.uniform(30, 250)
        place = far * np.array([np.cos(a) * np.cos(high), np.sin(a) * np.cos(high), np.sin(high)])
        tone = linear(np.clip(rng.normal(0.95, 0.06, 3), 0.6, 1))
        size = far * (rng.uniform(0.005, 0.03) if hard else rng.uniform(0.02, 0.3))
        lamps.append(Lamp(place.astype(F), float(rng.uniform(0.2, 1)), tone, float(size)))
    total = sum(lamp.power for lamp in lamps)
    ambient = float(rng.uniform(0.05, 0.35) if hard else rng.uniform(0.15, 0.7))
    for lamp in lamps:
        lamp.power *= (1 - ambient) / total
    return lamps, ambient


def sample_strips(rng: Rng) -> list[Strip]:
    """None, or what glossy dice mirror."""
    strips = []
    for _ in range(rng.choice([0, 1, 2, 3], p=(0.5, 0.25, 0.15, 0.1))):
        a, up = rng.uniform(0, 2 * np.pi), rng.uniform(-0.5, 0.5)
        across = np.array([np.cos(a), np.sin(a), up]) / np.hypot(1, up)
        width = float(np.exp(rng.uniform(np.log(0.01), np.log(0.12))))
        strips.append(
            Strip(across.astype(F), rng.uniform(-0.6, 0.6), width, rng.uniform(0.15, 1.2))
        )
    return strips


def _lay_floor(rng: Rng, camera: Camera, photos: str) -> np.ndarray:
    w, h = camera.size
    texture = floors.floor(rng, photos)
    span = rng.uniform(0.7, 2.5) * camera.centre[2] * max(w, h) / camera.focal
    corners = [camera.floor(x, y)[:2] for x, y in ((0, 0), (w, 0), (w, h), (0, h))]
    a = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    to = (np.array(corners) @ turn / span + 0.5) * floors.SIDE
    source = np.array([(0, 0), (w, 0), (w, h), (0, h)], F)
    m = cv2.getPerspectiveTransform(source, to.astype(F))
    flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
    image = cv2.warpPerspective(texture, m, (w, h), flags=flags, borderMode=cv2.BORDER_REFLECT_101)
    return np.ascontiguousarray(image, F)


def _light_field(rng: Rng, w: int, h: int) -> np.ndarray:
    """Uneven light: a slope, and sometimes the sharp edge of a shadow or a spot of sun."""
    y, x = np.mgrid[0:h, 0:w].astype(F)
    a = rng.uniform(0, 2 * np.pi)
    slope = ((x / w - 0.5) * np.cos(a) + (y / h - 0.5) * np.sin(a)) * rng.uniform(0, 0.9)
    field = np.exp(slope)
    if rng.random() < 0.15:
        points = (rng.uniform(-0.2, 1.2, (rng.integers(3, 6), 2)) * (w, h)).astype(np.int32)
        mask = np.zeros((h, w), F)
        cv2.fillConvexPoly(mask, cv2.convexHull(points), 1.0, cv2.LINE_AA)
        mask = cv2.GaussianBlur(mask, (0, 0), float(np.exp(rng.uniform(0, 3))))
        field *= 1 + mask * rng.choice([rng.uniform(0.5, 2.5), rng.uniform(-0.75, -0.3)])
    return field.astype(F)


def _cover(rng: Rng, stage: Stage, edge: float) -> None:
    """A hand, a sleeve or a cup over the picture."""
    w, h = stage.camera.size
    mask = np.zeros((h, w), np.uint8)
    border = rng.integers(4)
    t = rng.uniform(0.1, 0.9)
    start = np.array([(t * w, -5), (w + 5, t * h), (t * w, h + 5), (-5, t * h)][border])
    aim = np.array([w, h]) * rng.uniform(0.2, 0.8, 2)
    way = (aim - start) / np.linalg.norm(aim - start)
    reach = start + way * rng.uniform(0.15, 0.7) * np.linalg.norm(aim - start) * 1.5
    side = np.array([-way[1], way[0]])
    unit = edge * rng.uniform(0.9, 1.5)
    cup = rng.random() < 0.25
    if cup:
        axes = (int(unit * rng.uniform(2, 3)), int(unit * rng.uniform(1.8, 3)))
        centre = tuple(int(v) for v in reach)
        cv2.ellipse(mask, centre, axes, float(rng.uniform(0, 180)), 0, 360, 255, -1, cv2.LINE_AA)
    else:
        arm = int(unit * rng.uniform(1.5, 3.2))
        cv2.line(mask, tuple(start.astype(int)), tuple(reach.astype(int)), 255, arm, cv2.LINE_AA)
        for k in range(rng.integers(1, 6)):
            root = reach + side * unit * (k - 2) * 0.55
            bend = way * rng.uniform(1, 4) + side * rng.normal(0, 0.5)
            tip = root + bend * unit
            knee = (root + tip) / 2 + side * rng.normal(0, 0.3) * unit
            line = np.array([root, knee, tip]).astype(np.int32)
            cv2.polylines(
                mask, [line], False, 255, max(2, int(unit * rng.uniform(0.5, 0.8))), cv2.LINE_AA
            )
    deep = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    round_ = np.clip(deep / (unit * 0.5), 0, 1) ** 0.5
    tone = linear([(0.86, 0.66, 0.56), (0.70, 0.48, 0.38), (0.45, 0.29, 0.2)][rng.integers(3)])
    if cup or rng.random() < 0.25:
        tone = linear(rng.uniform(0.02, 0.9, 3))
    shade = (0.45 + 0.55 * round_) * (1 + 0.06 * noise(rng, h, w, 20, 3))
    if cup:
        shade = shade * (1 - 0.7 * (deep > unit * rng.uniform(0.15, 0.5)))
    alpha = (mask.astype(F) / 255)[..., None]
    soft = cv2.GaussianBlur(mask, (0, 0), unit * 0.4).astype(F) / 255
    stage.image *= (1 - 0.5 * np.roll(soft, int(unit * 0.3), 1))[..., None]
    stage.image *= 1 - alpha
    stage.image += alpha * tone * shade[..., None]
    stage.ids[mask > 127] = HAND


def develop(rng: Rng, image: np.ndarray) -> np.ndarray:
    """Linear RGB to what a cheap camera or a telephone makes of it (uint8 BGR)."""
    h, w = image.shape[:2]
    level = float(np.percentile(image.mean(2), 90))
    image = image * F(np.exp(rng.normal(-0.55, 0.45)) / max(level, 0.08))
    image = image * np.exp(rng.normal(0, 0.12, 3)).astype(F)
    if rng.random() < 0.5:
        y, x = np.mgrid[0:h, 0:w].astype(F)
        r = ((x - w / 2) ** 2 + (y - h / 2) ** 2) / (w * w / 4)
        image = image / (1 + rng.uniform(0, 0.7) * r)[..., None]
    if rng.random() < 0.75:
        image = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.3, 1.5)))
    if rng.random() < 0.06:
        n = int(rng.integers(3, 8))
        kernel = np.zeros((n, n), F)
        cv2.line(kernel, (0, int(rng.integers(n))), (n - 1, int(rng.integers(n))), 1.0)
        image = cv2.filter2D(image, -1, kernel / kernel.sum())
    grain = np.exp(rng.uniform(np.log(0.001), np.log(0.03)))
    fuzz = rng.standard_normal(image.shape, F)
    fuzz = fuzz.mean(2, keepdims=True) * 1.2 + fuzz * 0.5 if rng.random() < 0.6 else fuzz
    image = image + fuzz * (grain * np.sqrt(np.clip(image, 0.02, 1)))
    image = np.clip(image, 0, 4)
    image = np.where(image <= 0.0031308, image * 12.92, 1.055 * cv2.pow(image, 1 / 2.4) - 0.055)
    image = np.where(image > 0.82, 0.82 + 0.18 * (1 - np.exp(-(image - 0.82) / 0.18)), image)
    grey = image.mean(2, keepdims=True)
    image = grey + (image - grey) * F(0.0 if rng.random() < 0.05 else rng.uniform(0.6, 1.35))
    if rng.random() < 0.6:
        image = image + (image - cv2.GaussianBlur(image, (0, 0), 1.2)) * F(rng.uniform(0.2, 1.4))
    return (np.clip(image, 0, 1) * 255 + 0.5).astype(np.uint8)[..., ::-1]


def _truth(stage: Stage, body: Body, number: int) -> dict[str, Any]:
    """Corners, value and whether the top face may be read."""
    camera = stage.camera
    face, tilt = body.top()
    corners = camera.project(body.top_corners())
    x, y = corners[:, 0], corners[:, 1]
    if float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) < 0:
        corners = corners[::-1]
    n, u, v = AXES[face] @ body.rotation.T
    a = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    ring = np.concatenate(
        [0.78 * np.stack([np.cos(a), np.sin(a)], 1), 0.4 * np.stack([np.cos(a), np.sin(a)], 1)]
    )
    spots = camera.project(body.position + body.edge / 2 * (n + ring[:, :1] * u + ring[:, 1:] * v))
    w, h = camera.size
    inside = (spots >= 1).all(1) & (spots[:, 0] < w - 1) & (spots[:, 1] < h - 1)
    spots = spots.astype(int)[inside]
    seen = (stage.ids[spots[:, 1], spots[:, 0]] == number).sum() / len(ring)
    whole = bool(
        (camera.project(body.cube()) >= 1).all()
        and (camera.project(body.cube()) < (w - 1, h - 1)).all()
    )
    return {
        "corners": np.round(corners, 2).tolist(),
        "value": body.look.values[face],
        "visible": round(float(seen), 2),
        "tilt": round(tilt, 1),
        "valid": bool(body.flat and seen > 0.85 and whole),
        "stacked": bool(not body.flat and tilt < 3),
        "clear": body.look.clear,
    }


def make(
    seed: int, pool: list[Look], photos: str, kind: str = ""
) -> tuple[np.ndarray, np.ndarray | None, list[dict[str, Any]]]:
    """One picture (BGR), the mask of a hand or None, and the truth of each die.

    `kind`: `above`, `cut` (see at the top) or nothing for all kinds of cameras.
    """
    rng = np.random.default_rng([seed, 2024])
    size = [(480, 360), (360, 480), (400, 400), (512, 384), (640, 480)][rng.integers(5)]
    edge = float(np.exp(rng.uniform(np.log(11), np.log(min(size) / 4))))
    above = kind == "above"
    if above:
        size, edge = (576, 432), float(rng.uniform(19, 28))
    elif kind == "cut" or rng.random() < 0.08:  # one die, cut out of a larger picture
        size = (int(rng.integers(50 if kind else 90, 200)),) * 2
        edge = float(rng.uniform(0.4, 0.75)) * size[0]
    camera = sample_camera(rng, size, edge, above)
    lamps, ambient = sample_lamps(rng)
    image = _lay_floor(rng, camera, photos)
    if rng.random() < 0.6:
        floors.clutter(rng, image, edge)
    stage = Stage(camera, image, lamps, ambient, sample_strips(rng))
    dice = sample_dice(rng, camera, pool, edge, 0.5 if above else 0.1)
    if rng.random() < 0.05:
        dice.append(
            _flat(rng, looks.invent(rng, blank=True), 1.6, camera.floor(*(rng.random(2) * size)), 0)
        )
        if any(_overlap(dice[-1], b) for b in dice[:-1]):
            dice.pop()
    for body in dice:
        cast_shadow(stage, body)
    order = sorted(
        range(len(dice)), key=lambda i: -np.linalg.norm(camera.centre - dice[i].position)
    )
    for i in order:
        draw(stage, dice[i], i + 1)
    covered = rng.random() < 0.07
    if covered:
        _cover(rng, stage, edge)
    stage.image *= _light_field(rng, *size)[..., None]
    picture = develop(rng, stage.image)
    truth = [_truth(stage, body, i + 1) for i, body in enumerate(dice)]
    mask = (stage.ids == HAND).astype(np.uint8) if covered else None
    return picture, mask, truth


def main(out: str, first: int, count: int, photos: str = "", kind: str = "") -> None:
    """Write `count` pictures and their truth."""
    cv2.setNumThreads(1)
    os.makedirs(out, exist_ok=True)
    rng = np.random.default_rng([first, 77])
    shares = {"clear": 0.45, "deep": 0.3} if kind == "cut" else {}
    pool: list[Look] = []
    with open(os.path.join(out, f"{first:06d}.jsonl"), "w") as lines:
        for seed in range(first, first + count):
            if not pool:
                pool = [looks.invent(rng, **shares) for _ in range(24)]
            elif seed % 3 == 0:  # painting a die takes as long as a whole picture
                pool = [*pool[-59:], looks.invent(rng, **shares)]
            picture, mask, truth = make(seed, pool, photos, kind)
            quality = int(np.random.default_rng(seed).integers(45, 97))
            cv2.imwrite(
                os.path.join(out, f"{seed:06d}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, quality]
            )
            if mask is not None:
                cv2.imwrite(os.path.join(out, f"{seed:06d}_hand.png"), mask * 255)
            row = {"image": f"{seed:06d}.jpg", "hand": mask is not None, "dice": truth}
            lines.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:6])
