"""Invent dice: colours, pips of every size and paint, marble, wear, logos, clear bodies."""

from __future__ import annotations

import cv2
import numpy as np

from vision.training.softdice import TILE, F, Look

Rng = np.random.Generator

# Bodies that people own, sRGB; half of all invented dice start from one of these.
_BODIES = (
    (0.93, 0.92, 0.90), (0.91, 0.86, 0.72), (0.72, 0.03, 0.05), (0.04, 0.04, 0.045),
    (0.05, 0.16, 0.60), (0.03, 0.42, 0.18), (0.95, 0.78, 0.10), (0.93, 0.42, 0.06),
    (0.33, 0.10, 0.50), (0.93, 0.50, 0.62), (0.45, 0.46, 0.48), (0.62, 0.82, 0.92),
    (0.80, 0.62, 0.38), (0.10, 0.50, 0.55), (0.45, 0.05, 0.12),
)  # fmt: skip
_RED = (0.72, 0.03, 0.04)


def linear(srgb: np.ndarray | tuple[float, ...]) -> np.ndarray:
    """The sRGB curve undone."""
    c = np.asarray(srgb, F)
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4).astype(F)


def noise(rng: Rng, h: int, w: int, cells: float, octaves: int = 3) -> np.ndarray:
    """Smooth noise of mean 0 and spread about 1; `cells` waves along the width."""
    out = np.zeros((h, w), F)
    for k in range(octaves):
        n = max(2, int(cells * 2**k))
        if n > 2 * w:
            break
        grid = rng.standard_normal((max(2, int(n * h / w)), n), F)
        out += cv2.resize(grid, (w, h), interpolation=cv2.INTER_CUBIC) * F(0.6**k)
    return out / max(1e-3, float(out.std()))


def _layout(value: int, s: float, turned: bool) -> list[tuple[float, float]]:
    a = (s, -s) if turned else (s, s)
    b = (-a[0], -a[1])
    four = [(s, s), (s, -s), (-s, s), (-s, -s)]
    sides = [(0.0, s), (0.0, -s)] if turned else [(s, 0.0), (-s, 0.0)]
    return {
        0: [], 1: [(0, 0)], 2: [a, b], 3: [a, b, (0, 0)],
        4: four, 5: [*four, (0, 0)], 6: four + sides,
    }[value]  # fmt: skip


def _luma(c: np.ndarray) -> float:
    return float(c @ np.array([0.3, 0.59, 0.11], F))


def _colours(rng: Rng, deep: float) -> tuple[np.ndarray, np.ndarray]:
    """Body and pips in sRGB, far enough apart to be told by eye.

    `deep`: how often deep pips on a deep body, told apart by their colour alone.
    """
    while True:
        if rng.random() < 0.6:
            body = np.array(_BODIES[rng.integers(len(_BODIES))], F)
            body = np.clip(body + rng.normal(0, 0.04, 3), 0.01, 0.97)
        else:
            body = rng.uniform(0.02, 0.97, 3)
        kind = rng.random()
        if kind < 0.43:
            pip = np.full(3, rng.uniform(0.01, 0.12))
        elif kind < 0.83:
            pip = np.full(3, rng.uniform(0.85, 0.97)) - rng.uniform(0, 0.12, 3)
        elif kind < 0.94:
            pip = np.array([(0.9, 0.75, 0.3), _RED, (0.05, 0.1, 0.5)][rng.integers(3)])
        else:
            pip = rng.uniform(0.02, 0.97, 3)
        if rng.random() < deep:
            body = body * min(1.0, 0.2 / max(0.01, _luma(body)))
            pip = np.clip(rng.normal((0.6, 0.06, 0.06), 0.06), 0, 1)[rng.permutation(3)]
            pip = pip if rng.random() < 0.4 else np.sort(pip)[::-1]
            if np.abs(body - pip).max() > 0.3:
                return body.astype(F), pip.astype(F)
        if abs(_luma(body) - _luma(pip)) > 0.22 or np.abs(body - pip).max() > 0.55:
            return body.astype(F), pip.astype(F)


def _paint_body(rng: Rng, body: np.ndarray) -> np.ndarray:
    """(TILE, TILE, 3), linear."""
    base = linear(body) * (1 + 0.04 * noise(rng, TILE, TILE, 2)[..., None])
    kind = rng.random()
    if kind < 0.16:
        other = linear(np.clip(body + rng.normal(0, 0.35, 3), 0.02, 0.97))
        vein = np.clip(0.5 + noise(rng, TILE, TILE, rng.uniform(1.5, 4), 4), 0, 1)
        base = base + (other - base) * (vein * rng.uniform(0.3, 1))[..., None]
    elif kind < 0.2:
        other = linear(rng.uniform(0, 1, 3))
        grain = np.clip((noise(rng, TILE, TILE, 26, 2) - rng.uniform(0.6, 1.4)) * 3, 0, 1)
        base = base + (other - base) * grain[..., None]
    elif kind < 0.24:  # two colours stirred together
        other = linear(_BODIES[rng.integers(len(_BODIES))]) * F(rng.uniform(0.2, 1))
        split = np.clip(noise(rng, TILE, TILE, rng.uniform(1, 2.5), 3) * 4 + 0.5, 0, 1)
        base = base + (other - base) * split[..., None]
    elif kind < 0.27:  # wood
        rings = 0.5 + 0.5 * np.sin(noise(rng, TILE, TILE, 1.5, 2) * 2 + np.linspace(0, 25, TILE))
        base = base * (1 - 0.35 * rings[..., None])
    return np.clip(base, 0.002, 1).astype(F)


def _wear(rng: Rng, colour: np.ndarray, wear: float) -> np.ndarray:
    t = np.abs(np.linspace(-1, 1, TILE))
    rim = np.maximum(t[:, None], t[None])
    grime = np.clip(noise(rng, TILE, TILE, 6, 3) * 0.5, 0, 1)
    grime = grime * (0.2 + np.clip((rim - 0.55) * 2.5, 0, 1))
    colour = colour + (linear((0.25, 0.2, 0.13)) - colour) * (0.5 * wear * grime)[..., None]
    scratches = np.zeros((TILE, TILE), F)
    for _ in range(int(14 * wear)):
        x, y = rng.integers(0, TILE, 2)
        a, n = rng.uniform(0, np.pi), rng.uniform(4, 40)
        end = (int(x + n * np.cos(a)), int(y + n * np.sin(a)))
        cv2.line(scratches, (int(x), int(y)), end, float(rng.uniform(-0.3, 0.25)), 1, cv2.LINE_AA)
    return np.clip(colour + scratches[..., None], 0, 1)


def logo_mask(rng: Rng, value: int, side: int) -> np.ndarray:
    """A maker's sign as casino dice bear it (side, side), 0 to 1: where pips leave room for it.

    Around a one in a ring, between the pips of the others, or somewhere at the rim.
    """
    k = side / 96
    mask = np.zeros((side, side), np.uint8)
    font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX]))
    letters = list("ABCDEGKMRS83$&*#@QO")
    thick = max(1, round(k * rng.choice([1, 2, 3])))
    if value == 1:
        radius = side * rng.uniform(0.24, 0.36)
        for a in np.arange(rng.uniform(0, 6), 6.6, rng.uniform(0.32, 0.6)):
            at = side / 2 + radius * np.array([np.cos(a), np.sin(a)])
            letter = np.zeros_like(mask)
            place = (int(at[0] - 6 * k), int(at[1] + 6 * k))
            cv2.putText(letter, str(rng.choice(letters)), place, font, 0.5 * k, 255, thick)
            turn = cv2.getRotationMatrix2D(tuple(at), -np.degrees(a) - 90, 1.0)
            mask |= cv2.warpAffine(letter, turn, (side, side))
    else:
        text = "".join(rng.choice(letters, rng.integers(1, 3 if value in (2, 4) else 5)))
        size = k * rng.uniform(0.6, 1.4) / (1 if value in (2, 4) else 1.6)
        (w, h), _ = cv2.getTextSize(text, font, size, thick)
        middle = np.array([0.5, 0.5]) if value in (2, 4, 6) else rng.uniform(0.25, 0.75, 2)
        x, y = middle * side + (-w / 2, h / 2)
        cv2.putText(mask, text, (int(x), int(y)), font, size, 255, thick, cv2.LINE_AA)
        turn = cv2.getRotationMatrix2D((side / 2, side / 2), float(rng.uniform(0, 360)), 1.0)
        mask = cv2.warpAffine(mask, turn, (side, side), flags=cv2.INTER_LINEAR)
    return mask.astype(F) * F(rng.uniform(0.3, 1.0) / 255)


def invent(rng: Rng, blank: bool = False, clear: float = 0.2, deep: float = 0.06) -> Look:
    """One random kind of die; `blank` gives a cube without pips (an eraser, a sugar lump).

    `clear`: how often it has a clear body, `deep`: see `_colours`.
    """
    body, ink = _colours(rng, deep)
    values = [1, 2, 3, 6, 5, 4] if rng.random() < 0.7 else [1, 2, 4, 6, 5, 3]
    asian = rng.random() < 0.14
    if asian and _luma(body) < 0.6:
        asian = False
    spacing = float(rng.uniform(0.4, 0.6))
    size = float(min(rng.uniform(0.14, 0.26), spacing * 0.47))
    drilled = rng.random() < 0.7
    depth = float(rng.uniform(0.25, 0.7)) if drilled else 0.0
    wear = float(rng.uniform(0.2, 1.2)) if rng.random() < 0.2 else 0.0
    ring = rng.random() < 0.05
    faded = rng.uniform(0.5, 0.9) if rng.random() < 0.08 else 1.0
    clear = float(rng.uniform(0.6, 0.95)) if rng.random() < clear and not asian else 0.0
    signed = rng.choice([0.0, 0.7]) if clear else rng.choice([0.0, 0.5], p=(0.92, 0.08))
    metal = ink if rng.random() < 0.5 else np.clip(body + rng.uniform(0.2, 0.5), 0, 1)
    colour = np.zeros((6, TILE, TILE, 3), F)
    slope = np.zeros((6, TILE, TILE, 2), F)
    paint = np.zeros((6, TILE, TILE), F)
    t = (np.arange(TILE) + 0.5) / TILE * 2 - 1
    uu, vv = np.meshgrid(t, t)
    for face in range(6):
        value = 0 if blank else values[face]
        tile = _paint_body(rng, body)
        if wear:
            tile = _wear(rng, tile, wear)
        radius, tint = size, ink
        if asian and value == 1:
            radius, tint = float(rng.uniform(0.27, 0.42)), np.array(_RED, F)
        if asian and value == 4 and rng.random() < 0.8:
            tint = np.array(_RED, F)
        for pu, pv in _layout(value, spacing, bool(rng.random() < 0.5)):
            cu, cv_ = uu - pu - rng.normal(0, 0.008), vv - pv - rng.normal(0, 0.008)
            d = np.hypot(cu, cv_)
            edge = np.clip((radius - d) * TILE / 2 / 1.3 + 0.5, 0, 1)
            if ring:
                edge = edge * (1 - np.clip(1 - np.abs(d - 0.6 * radius) / (0.12 * radius), 0, 1))
            if wear:
                keep = (noise(rng, TILE, TILE, 9, 2) + 1.6 - wear * rng.uniform(0.4, 1.2)) * 2
                edge = edge * np.clip(keep, 0.15, 1)
            edge = edge * faded
            if drilled:
                inside = d < radius
                deep = depth * radius
                ball = (radius**2 + deep**2) / (2 * deep)
                z = np.sqrt(np.maximum(ball**2 - d**2, 1e-4))
                slope[face, ..., 0] = np.where(inside, -cu / z, slope[face, ..., 0])
                slope[face, ..., 1] = np.where(inside, -cv_ / z, slope[face, ..., 1])
            shade = 1 - 0.25 * rng.random() * np.clip(d / radius, 0, 1) ** 2
            tile = tile + (linear(tint) * shade[..., None] - tile) * edge[..., None]
            paint[face] = np.maximum(paint[face], edge)
        if rng.random() < signed:
            sign = logo_mask(rng, value, TILE) * (1 - paint[face])
            tile = tile + (linear(metal) - tile) * sign[..., None]
            paint[face] = np.maximum(paint[face], sign)
        colour[face] = tile
        slope[face] = cv2.GaussianBlur(slope[face], (0, 0), 0.7)
    form = rng.random()
    sphere = float(rng.uniform(1.32, 1.46)) if form < 0.28 else 0.0
    radius = 0.08 if sphere else float(rng.uniform(0.03, 0.4) if form < 0.85 else 0.03)
    return Look(
        values=[0] * 6 if blank else values,
        radius=radius,
        sphere=sphere,
        colour=colour,
        slope=slope,
        pip=paint,
        rough=float(np.clip(rng.normal(0.35, 0.15), 0.1, 0.7)),
        clear=clear,
        bow=float(rng.normal(0, 0.1)) if rng.random() < 0.5 else 0.0,
    )
