"""Draw dice cheaply: rounded boxes ray-marched by NumPy, one small window for each die.

World units are centimetres, z is up, the floor is z = 0. Colours are linear RGB in 0..1. Pixel
coordinates have their origin at the picture's corner: the first pixel's centre is (0.5, 0.5).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

F = np.float32
TILE = 96
"""Side of one face in the atlas, in texels."""

# (normal, u, v) of the six faces; u x v = normal. Opposite faces are three apart.
AXES = np.array(
    [
        [(1, 0, 0), (0, 1, 0), (0, 0, 1)],
        [(0, 1, 0), (0, 0, 1), (1, 0, 0)],
        [(0, 0, 1), (1, 0, 0), (0, 1, 0)],
        [(-1, 0, 0), (0, 0, 1), (0, 1, 0)],
        [(0, -1, 0), (1, 0, 0), (0, 0, 1)],
        [(0, 0, -1), (0, 1, 0), (1, 0, 0)],
    ],
    F,
)


@dataclass
class Look:
    """Form and colour of one kind of die, with its six faces painted into an atlas."""

    values: list[int]
    """Value on each face of `AXES`; 0 on a blank cube."""
    radius: float
    """Radius of the rounded edges, as a share of half the edge."""
    sphere: float
    """Radius of the ball that cuts the corners, as a share of half the edge; 0 without."""
    colour: np.ndarray
    """(6, TILE, TILE, 3)"""
    slope: np.ndarray
    """(6, TILE, TILE, 2): how the normal leans inside a drilled pip."""
    pip: np.ndarray
    """(6, TILE, TILE): 1 where paint covers the body."""
    rough: float
    clear: float = 0.0
    """How much light passes through the body: 0 for opaque dice."""
    bow: float = 0.0
    """How far the normal leans outwards at a face's rim; below 0 the faces are hollow."""


@dataclass
class Camera:
    """A pinhole camera."""

    centre: np.ndarray
    rotation: np.ndarray
    """Columns are the camera's x (right), y (up) and z (backwards) axes in the world."""
    focal: float
    size: tuple[int, int]

    def project(self, points: np.ndarray) -> np.ndarray:
        """World points (n, 3) to pixels (n, 2)."""
        q = (np.atleast_2d(points) - self.centre) @ self.rotation
        w, h = self.size
        return np.stack(
            [self.focal * q[:, 0] / -q[:, 2] + w / 2, -self.focal * q[:, 1] / -q[:, 2] + h / 2], -1
        )

    def rays(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Unit directions (n, 3) of the rays through pixels."""
        w, h = self.size
        d = np.stack([(x - w / 2) / self.focal, -(y - h / 2) / self.focal, -np.ones_like(x)], -1)
        d = d @ self.rotation.T
        return (d / np.linalg.norm(d, axis=-1, keepdims=True)).astype(F)

    def floor(self, x: float, y: float) -> np.ndarray:
        """The point of the floor under a pixel."""
        d = self.rays(np.array([x]), np.array([y]))[0]
        return self.centre + d * (-self.centre[2] / min(d[2], -1e-3))


@dataclass
class Lamp:
    """A lamp: where it hangs, how strong, of what colour and size."""

    position: np.ndarray
    power: float
    colour: np.ndarray
    radius: float


@dataclass
class Strip:
    """A bright strip that glossy faces mirror: a tube, the rim of a shade, a window frame."""

    across: np.ndarray
    """Unit vector across the strip."""
    offset: float
    """Where it lies across: cosine of the angle to `across`."""
    width: float
    power: float


@dataclass
class Body:
    """One die in the scene."""

    look: Look
    edge: float
    position: np.ndarray
    rotation: np.ndarray
    flat: bool = True

    def top(self) -> tuple[int, float]:
        """Index of the face that points up most, and its tilt in degrees."""
        z = AXES[:, 0] @ self.rotation[2]
        i = int(z.argmax())
        return i, float(np.degrees(np.arccos(min(1.0, z[i]))))

    def top_corners(self, spread: float = 1.0) -> np.ndarray:
        """Corners (4, 3) of the top face."""
        n, u, v = AXES[self.top()[0]] @ self.rotation.T
        h = self.edge / 2
        signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        return np.array([self.position + h * (n + spread * (a * u + b * v)) for a, b in signs])

    def cube(self) -> np.ndarray:
        """All eight corners (8, 3)."""
        s = np.array([(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], F)
        return s @ self.rotation.T * (self.edge / 2) + self.position


@dataclass
class Stage:
    """The picture being drawn: light, and which die each pixel shows."""

    camera: Camera
    image: np.ndarray
    lamps: list[Lamp]
    ambient: float
    strips: list[Strip] = field(default_factory=list)
    ids: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.ids = np.zeros(self.image.shape[:2], np.uint8)


def _window(stage: Stage, pixels: np.ndarray, margin: int) -> tuple[int, int, int, int]:
    w, h = stage.camera.size
    x0, y0 = np.floor(pixels.min(0)).astype(int) - margin
    x1, y1 = np.ceil(pixels.max(0)).astype(int) + margin
    return max(x0, 0), max(y0, 0), min(x1, w), min(y1, h)


def cast_shadow(stage: Stage, body: Body) -> None:
    """Darken the floor where the die keeps the light off."""
    points = (body.cube() - body.position) * 0.94 + body.position
    total = stage.ambient + sum(lamp.power for lamp in stage.lamps)
    scale = stage.camera.focal / np.linalg.norm(stage.camera.centre)
    shapes = []
    for lamp in stage.lamps:
        t = lamp.position[2] / np.maximum(lamp.position[2] - points[:, 2], 0.1)
        ground = lamp.position + (points - lamp.position) * t[:, None]
        ground[:, 2] = 0
        height = body.position[2] + body.edge / 2
        blur = lamp.radius * height / (lamp.position[2] - body.position[2]) * scale
        shapes.append((stage.camera.project(ground), 0.95 * lamp.power / total, blur))
    foot = points.copy()
    foot[:, 2] = 0
    lift = max(0.0, float(points[:, 2].min()))
    soft = body.edge * scale * (0.12 + 0.3 * lift)
    shapes.append((stage.camera.project(foot), 0.8 * stage.ambient / total / (1 + lift), soft))
    for pixels, weight, blur in shapes:
        x0, y0, x1, y1 = _window(stage, pixels, int(3 * blur) + 3)
        if x1 - x0 < 2 or y1 - y0 < 2:
            continue
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        hull = cv2.convexHull(((pixels - (x0, y0)) * 16 - 8).astype(np.int32))
        cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA, 4)
        mask = cv2.GaussianBlur(mask, (0, 0), max(0.6, float(blur)))
        stage.image[y0:y1, x0:x1] *= 1 - (mask.astype(F) * F(weight / 255))[..., None]


def _sample(table: np.ndarray, face: np.ndarray, u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Bilinear look-up of (6, TILE, TILE, c) at face coordinates u, v in -1..1."""
    flat = table.reshape(6 * TILE, TILE, -1)
    mx = np.clip((u + 1) / 2 * TILE - 0.5, 0, TILE - 1)
    my = np.clip((v + 1) / 2 * TILE - 0.5, 0, TILE - 1) + face * TILE
    n = len(mx)
    pad = -n % 1024  # cv2.remap wants fewer than 32768 columns
    shape = (-1, 1024)
    mx, my = (np.pad(m, (0, pad)).astype(F).reshape(shape) for m in (mx, my))
    out = cv2.remap(flat, mx, my, cv2.INTER_LINEAR)
    return out.reshape(mx.size, -1)[:n]


def _hit(body: Body, origin: np.ndarray, d: np.ndarray) -> tuple[np.ndarray, ...]:
    """Where rays meet the rounded, perhaps ball-cut box: index, point, normal (die's own frame)."""
    h = F(body.edge / 2)
    r = F(max(0.03, body.look.radius) * h)
    a = h - r
    inv = 1 / np.where(np.abs(d) < 1e-6, F(1e-6), d)
    ta, tb = (-h - origin) * inv, (h - origin) * inv
    near, far = np.minimum(ta, tb).max(1), np.maximum(ta, tb).min(1)
    index = np.nonzero(near < far)[0]
    d, p = d[index], origin + d[index] * near[index, None]
    for _ in range(4):  # Newton steps onto a convex surface
        e = p - np.clip(p, -a, a)
        length = np.sqrt(np.einsum("ij,ij->i", e, e))
        gap = length - r
        slope = -np.einsum("ij,ij->i", e, d) / np.maximum(length, 1e-6)
        p = p + d * (gap / np.maximum(slope, 0.12))[:, None]
    ok = gap < 0.02 * h
    ball = np.zeros(len(p), bool)
    if body.look.sphere:
        big = F(body.look.sphere * h)
        outside = np.einsum("ij,ij->i", p, p) > big * big
        b = np.einsum("ij,ij->i", p, d)
        disc = b * b - (np.einsum("ij,ij->i", p, p) - big * big)
        ball = outside & (disc > 0)
        p = np.where(ball[:, None], p + d * (-b - np.sqrt(np.maximum(disc, 0)))[:, None], p)
        e = np.maximum(np.abs(p) - a, 0)
        ok &= ~outside | (ball & (np.sqrt(np.einsum("ij,ij->i", e, e)) - r < 0.02 * h))
    index, p, d, ball = index[ok], p[ok], d[ok], ball[ok]
    n = np.where(ball[:, None], p, p - np.clip(p, -a, a))
    n = n / np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-6)
    return index, p, n, d


def _faces(p: np.ndarray) -> np.ndarray:
    axis = np.abs(p).argmax(1)
    return np.where(p[np.arange(len(p)), axis] > 0, axis, axis + 3)


def _through(body: Body, p: np.ndarray, n: np.ndarray, d: np.ndarray) -> np.ndarray:
    """What is seen through a clear body: the far side's pips, tinted by the way through it."""
    cos = -np.einsum("ij,ij->i", n, d)
    eta = F(1 / 1.49)
    bent = eta * d + (eta * cos - np.sqrt(np.maximum(0, 1 - eta**2 * (1 - cos**2))))[:, None] * n
    h = body.edge / 2
    inv = 1 / np.where(np.abs(bent) < 1e-6, F(1e-6), bent)
    way = np.maximum((-h - p) * inv, (h - p) * inv).min(1)
    exit_ = p + bent * way[:, None]
    f = _faces(exit_)
    u = np.einsum("ij,ij->i", exit_, AXES[f, 1]) / h
    v = np.einsum("ij,ij->i", exit_, AXES[f, 2]) / h
    pip = _sample(body.look.pip[..., None], f, u, v)
    glow = 0.25 + 0.75 * np.clip((exit_ @ body.rotation[2]) / body.edge + 0.5, 0, 1)
    tint = body.look.colour[:, 2, 2].mean(0) ** (way / body.edge)[:, None]
    return tint * (0.35 * glow[:, None] * (1 - pip) + 0.6 * pip)


def draw(stage: Stage, body: Body, number: int) -> None:
    """Draw one die over the picture; `number` marks its pixels in `stage.ids`."""
    camera = stage.camera
    x0, y0, x1, y1 = _window(stage, camera.project(body.cube()), 2)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    fine = 2 if x1 - x0 < 110 else 1
    xs, ys = np.meshgrid(
        x0 + (np.arange((x1 - x0) * fine) + 0.5) / fine,
        y0 + (np.arange((y1 - y0) * fine) + 0.5) / fine,
    )
    origin = ((camera.centre - body.position) @ body.rotation).astype(F)
    rays = camera.rays(xs.ravel(), ys.ravel()) @ body.rotation
    index, p, n, d = _hit(body, origin, rays.astype(F))
    if not len(index):
        return
    colour = _shade(stage, body, p, n, d)
    tile = np.zeros((xs.size, 4), F)
    tile[index, :3] = colour
    tile[index, 3] = 1
    tile = tile.reshape(*xs.shape, 4)
    if fine > 1:
        tile = cv2.resize(tile, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
    area = stage.image[y0:y1, x0:x1]
    area *= 1 - tile[..., 3:]
    area += tile[..., :3]
    stage.ids[y0:y1, x0:x1][tile[..., 3] > 0.5] = number


def _shade(stage: Stage, body: Body, p: np.ndarray, n: np.ndarray, d: np.ndarray) -> np.ndarray:
    look, h = body.look, F(body.edge / 2)
    f = _faces(p)
    u = np.einsum("ij,ij->i", p, AXES[f, 1]) / h
    v = np.einsum("ij,ij->i", p, AXES[f, 2]) / h
    albedo = _sample(look.colour, f, u, v)
    lean = _sample(look.slope, f, u, v)
    lean = lean + F(look.bow) * np.stack([u, v], 1)
    bumped = n + lean[:, :1] * AXES[f, 1] + lean[:, 1:] * AXES[f, 2]
    bumped /= np.linalg.norm(bumped, axis=1, keepdims=True)
    wp, wn, wd = p @ body.rotation.T + body.position, bumped @ body.rotation.T, d @ body.rotation.T
    diffuse = np.zeros((len(p), 3), F)
    shine = np.zeros((len(p), 3), F)
    for lamp in stage.lamps:
        to = lamp.position - wp
        to /= np.linalg.norm(to, axis=1, keepdims=True)
        nl = np.maximum(np.einsum("ij,ij->i", wn, to), 0)
        diffuse += (nl * F(lamp.power))[:, None] * lamp.colour
        half = to - wd
        half /= np.linalg.norm(half, axis=1, keepdims=True)
        nh = np.maximum(np.einsum("ij,ij->i", wn, half), 0)
        # GGX, widened by the lamp's apparent size
        a2 = max(look.rough**4, (lamp.radius / np.linalg.norm(lamp.position)) ** 2 / 3)
        peak = nl * F(lamp.power) * 0.01 * a2 / ((nh * nh * (a2 - 1) + 1) ** 2)
        shine += peak[:, None] * lamp.colour
    mirrored = wd - 2 * np.einsum("ij,ij->i", wn, wd)[:, None] * wn
    for strip in stage.strips:
        off = np.abs(mirrored @ strip.across - strip.offset)
        soft = 0.01 + 0.2 * look.rough**2
        seen = np.clip((strip.width - off) / soft + 0.5, 0, 1) * (mirrored[:, 2] > 0)
        shine += (seen * F(strip.power * max(0.0, 1 - look.rough / 0.6)))[:, None]
    sky = 0.5 + 0.5 * wn[:, 2]
    diffuse += (stage.ambient * (0.3 + 0.7 * sky))[:, None]
    facing = np.maximum(-np.einsum("ij,ij->i", wn, wd), 0.02)
    fresnel = 0.04 + 0.6 * (1 - facing) ** 5
    out = albedo * diffuse
    if look.clear:
        pip = _sample(look.pip[..., None], f, u, v)
        light = stage.ambient + sum(lamp.power for lamp in stage.lamps)
        inside = _through(body, p, n, d) * light
        out = out * (1 - look.clear * (1 - pip)) + inside * look.clear * (1 - pip)
    return (out + shine + (fresnel * stage.ambient * sky)[:, None]).astype(F)
