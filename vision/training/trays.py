"""Trays full of trouble, traced: twelve dice each, piled, leaning, snug and loose, of four kinds.

    python -m vision.training.trays OUT FIRST COUNT THROWS

makes COUNT trays with seeds FIRST on, each with THROWS throws. To be run in the folder of the path
tracer, whose modules (`scene`, `throw`, `mi_scene`, `make_samples`, ...) it uses and whose truth it
writes: one JSON for each tray beside the pictures, as `read_renders` reads it. A throw of twelve
dice of four looks takes little longer than one of three dice of one look, and teaches more.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import camera_model
import mi_scene
import numpy as np
import pybullet
from dicegeo import face_values, hull_points
from make_samples import face_up_quat, mulq, px_truth, yaw_quat
from make_sequence import Film
from scene import LOOKS, pick_look, pick_model, sample_scene
from throw import World, kind

from vision.training.looks import Rng, logo_mask

CAMERAS = ("good", "normal", "poor")
SIZE = (704, 528)
RAYS = 8
GROUPS = ("pile", "pile", "lean", "lean", "wall", "snug", "loose", "bridge", "loose", "lean")
"""What three dice of one kind do; those named twice are twice as likely."""
Pose = tuple[list[float], tuple[float, float, float, float]]

_plain_atlas = mi_scene.build_atlas


def signed_atlas(model: dict[str, Any], look: dict[str, Any], side: int = 256) -> np.ndarray:
    """The die's faces as the tracer paints them, with a maker's sign where the look asks for it."""
    sign = look.pop("sign", None)
    atlas = _plain_atlas(model, look, side)
    if sign is None:
        return atlas
    rng = np.random.default_rng(sign)
    body, pips = np.array(look["body"]), np.array(look["pip"])
    ink = pips if rng.random() < 0.6 else np.clip(body + rng.uniform(0.2, 0.5), 0, 1)
    for face, value in enumerate(face_values(model.get("handed", "ccw"))):
        if rng.random() < 0.3:
            continue
        row, column = 1 - face // 3, face % 3
        tile = atlas[row * side : (row + 1) * side, column * side : (column + 1) * side]
        mask = logo_mask(rng, value, side) * (1 - tile[..., 3] / 255)
        tile[..., :3] = tile[..., :3] * (1 - mask[..., None]) + 255 * ink * mask[..., None]
        tile[..., 3] = np.maximum(tile[..., 3], 255 * mask)
    return atlas


class MixedWorld(World):
    """The tracer's physics with dice of several shapes in one tray."""

    def __init__(self, models: list[dict[str, Any]], tray: dict[str, Any]) -> None:
        super().__init__(
            models[0], 0, half=tray["half"], wall_h=tray["wall_h"], wall_t=tray["wall_t"]
        )
        self.n, self.models = len(models), models
        client = self.cid
        for i, model in enumerate(models):
            edge = model["edge"]
            mass = 1.2e-3 * edge**3
            shape = pybullet.createCollisionShape(
                pybullet.GEOM_MESH, vertices=hull_points(model).tolist(), physicsClientId=client
            )
            body = pybullet.createMultiBody(
                mass, shape, -1, [0, 0, 20 + 3 * i], physicsClientId=client
            )
            pybullet.changeDynamics(
                body, -1, lateralFriction=0.9, restitution=0.3, spinningFriction=0.006,
                rollingFriction=0.001 if model.get("sphere") else 0.004, linearDamping=0.01,
                angularDamping=0.04, localInertiaDiagonal=[mass * edge * edge / 6] * 3,
                physicsClientId=client,
            )  # fmt: skip
            self.dice.append(body)

    def truth(self) -> list[dict[str, Any]]:
        """As the tracer's own, with each die's own size and handedness."""
        rows = []
        for i, model in enumerate(self.models):
            self.model, self.edge = model, model["edge"]
            rows.append(super().truth()[i])
        return rows


def _upright(rng: Rng, yaw: float | None = None) -> tuple[float, ...]:
    return mulq(yaw_quat(rng.uniform(0, 2 * np.pi) if yaw is None else yaw), face_up_quat(rng))


def _tilted(rng: Rng, yaw: float) -> tuple[float, ...]:
    t = rng.uniform(0.25, 0.8)
    return mulq(yaw_quat(yaw), mulq((np.sin(t / 2), 0, 0, np.cos(t / 2)), face_up_quat(rng)))


def group(rng: Rng, name: str, half: float, quarter: np.ndarray, e: float) -> list[Pose]:
    """Start poses of three dice of edge `e` (cm) in one quarter (signs of x and y) of the tray."""
    c = quarter * half * rng.uniform(0.25, 0.68, 2)
    a = rng.uniform(0, 2 * np.pi)
    d, side = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
    low = e / 2 + 0.005

    def loose(away: list[np.ndarray]) -> Pose:
        for _ in range(60):
            p = quarter * rng.uniform(0.1, 0.9, 2) * half
            if all(np.linalg.norm(p - other) > 1.6 * e for other in away):
                break
        away.append(p)
        return [*p, low], _upright(rng)

    if name == "pile":
        top = [*(c + rng.uniform(-0.48, 0.48, 2) * e), 1.5 * e + 0.02]
        case = rng.random()
        if case < 0.4:
            third = [*(c + d * e * rng.uniform(1.0, 1.45)), low + 0.05], _upright(rng)
        elif case < 0.5:
            third = [*(c + rng.uniform(-0.5, 0.5, 2) * e), 2.5 * e + 0.05], _upright(rng)
        else:
            third = loose([c])
        return [([*c, low], _upright(rng)), (top, _upright(rng)), third]
    if name == "bridge":
        gap = d * e * rng.uniform(1.01, 1.3) / 2
        top = [*(c + rng.uniform(-0.2, 0.2, 2) * e), 1.5 * e + 0.02]
        feet = [([*(c + s * gap), low], _upright(rng, a)) for s in (-1, 1)]
        return [*feet, (top, _upright(rng))]
    if name == "lean":
        return [
            ([*c, low], _upright(rng, a + rng.normal(0, 0.1))),
            ([*(c + d * e * rng.uniform(1.7, 2.1)), low], _upright(rng, a)),
            (
                [*(c + d * e * rng.uniform(0.95, 1.1)), e * rng.uniform(1.05, 1.25)],
                _tilted(rng, a + np.pi / 2),
            ),
        ]
    if name == "wall":
        along, at = rng.uniform(0.15, 0.7) * half, half - 0.62 * e
        upright = rng.random() < 0.5
        d = quarter * ((1, 0) if upright else (0, 1))
        p = quarter * ((at, along) if upright else (along, at))
        yaw = float(np.arctan2(d[1], d[0]))
        foot = p - d * e * 1.12
        return [
            ([*p, 0.72 * e], _tilted(rng, yaw + np.pi / 2)),
            ([*foot, low], _upright(rng, yaw)),
            loose([p, foot]),
        ]
    if name == "snug":
        cells = [(0, 0), (1, 0), (0, 1)] if rng.random() < 0.5 else [(0, 0), (1, 0), (2, 0)]
        out: list[Pose] = []
        for x, y in cells:
            gap = e * rng.choice([1.004, 1.02, 1.05, 1.12])
            p = c + (x - 0.7) * gap * d + (y - 0.3) * gap * side
            if cells[2][1] == 0:
                p = p + rng.uniform(-0.2, 0.2) * e * side
            out.append(([*p, low], _upright(rng, a + rng.normal(0, 0.03))))
        return out
    away: list[np.ndarray] = []
    return [loose(away) for _ in range(3)]


def arrange(rng: Rng, tray: dict[str, Any], models: list[dict[str, Any]]) -> list[Any] | None:
    """Four groups settled by the physics; None where a dozen tries came to nothing."""
    world = MixedWorld(models, tray)
    try:
        for _ in range(12):
            poses: list[Pose] = []
            for i, quarter in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
                edge, name = models[3 * i]["edge"], str(rng.choice(GROUPS))
                poses += group(rng, name, tray["half"], np.array(quarter), edge)
            world.start_poses(poses)
            settled, *_ = world.settle(max_s=3.0)
            truth = world.truth() if settled else []
            if settled and kind(truth) not in ("out", "unsteady"):
                return truth
    finally:
        world.close()
    return None


def make(out: str, seed: int, throws: int) -> None:
    """One tray: pictures and truth. Every fourth has clear dice, which take twice as long."""
    rng = np.random.default_rng([seed, 477])
    clear = [name for name, look in LOOKS.items() if look.get("trans")]
    opaque = [name for name in LOOKS if name not in clear]
    looks = [pick_look(rng, str(rng.choice(opaque))) for _ in range(4)]
    if seed % 4 == 0:
        looks[0] = pick_look(rng, str(rng.choice(clear)))
    for look in looks:
        if rng.random() < (0.7 if look.get("trans") else 0.1):
            look["sign"] = int(rng.integers(1 << 30))
    scene = sample_scene(seed, n=12, look=looks[0]["name"])
    models = [pick_model(rng, look) for look in looks]
    for model in models[1:]:
        if rng.random() < 0.8:
            model["edge"] = models[0]["edge"]
    scene.update(look=looks[0], model=models[0])
    own = [{"look": looks[i // 3], "model": models[i // 3]} for i in range(12)]
    scene["dice"] = [
        {"pos": [0, 0, -50 - 5 * i], "quat": [0, 0, 0, 1], **kind_} for i, kind_ in enumerate(own)
    ]
    film, window = Film(scene, SIZE, RAYS), (0, 0, *SIZE)
    film.window(window)
    rows = []
    for k in range(throws):
        truth = arrange(rng, scene["tray"], [kind_["model"] for kind_ in own])
        if truth is None:
            continue
        scene["dice"] = [
            {"pos": t["pos"], "quat": t["quat"], **kind_}
            for t, kind_ in zip(truth, own, strict=True)
        ]
        shot = film.shoot([[(t["pos"], t["quat"]) for t in truth]], window, seed * 100 + k)
        ids = mi_scene.id_mask(film.B, film.sc, scene["dice"], SIZE)
        ids = camera_model.warp(ids, scene["cam"], SIZE, True)
        linear = camera_model.warp(shot, scene["cam"], SIZE)
        dice = px_truth(scene, truth, ids, SIZE)
        for v in range(seed + k, seed + k + 2 - k % 2):
            quality = CAMERAS[v % 3]
            camera = camera_model.sample_camera(scene["camera_seed"] + 97 * k + v % 3, quality)
            light = [float(x) for x in film.B.illum]
            camera.update(illum=light, white_E=1 + scene["world"]["frac"])
            name = f"{seed:06d}_{k:02d}_{quality}.jpg"
            picture = camera_model.develop(linear, camera)
            code = camera_model.jpeg(picture, min(camera["jpeg"], 90))
            with open(os.path.join(out, name), "wb") as file:
                file.write(code.tobytes())
            rows.append({"image": name, "category": "dense", "dice": dice, "quality": quality})
    with open(os.path.join(out, f"{seed:06d}.json"), "w") as file:
        json.dump({"seed": seed, "light": scene["light"], "images": rows}, file)


if __name__ == "__main__":
    mi_scene.build_atlas = signed_atlas
    mi_scene.start()
    os.makedirs(sys.argv[1], exist_ok=True)
    for number in range(int(sys.argv[2]), int(sys.argv[2]) + int(sys.argv[3])):
        make(sys.argv[1], number, int(sys.argv[4]))
