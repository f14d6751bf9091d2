"""The geometric opinion of a top face: round marks, and which of the six layouts they make.

The face is rectified to a small square patch. Blobs of one size and either polarity are marked by
the smaller curvature of the smoothed patch (a line or an edge has one curvature near zero, so
only round marks answer). A die has nine places where a pip can be; the six faces are nine
layouts of them (2, 3 and 6 lie two ways). Every layout is laid on the blob map over small errors
of the square (shift, spacing, rotation), and the one that gathers most wins::

    m(layout) = sum of the marks at its places / sqrt(number of its places)

which is the matched filter of the layout: a missing and a superfluous pip both lower it.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.pyramid import Pyramid
from vision.reading import Image, Point

FloatArray = npt.NDArray[np.float32]

EDGE = 32
"""Length of the rectified face's edge in pixels of the patch."""
MARGIN = 3
"""Pixels of the patch around the face."""
SIDE = EDGE + 2 * MARGIN
"""Side of the patch in pixels."""

# Blobs are looked for at three sizes, and one size must explain the whole face: pips (radius 0.08
# to 0.14 of the edge; half a radius keeps the pips of a six apart), pips swollen by over-exposure,
# and the large one of Asian dice (radius 0.16 to 0.22).
_SIGMAS = (0.053 * EDGE, 0.08 * EDGE, 0.115 * EDGE)
# A larger mark must be clearly stronger to be preferred: small ones answer to large filters too.
_WEIGHTS = (1.0, 0.8, 0.7)
# What lies further out than this (pixels inside the face's border) is replaced by the border:
# side faces, neighbours and bright rounded edges would else answer as marks.
_RIM = MARGIN + 2
_INNER = np.clip(np.arange(SIDE), _RIM, SIDE - 1 - _RIM)
# Distance of the outer pips from the middle, as shares of the edge.
_SPACINGS = (0.205, 0.235, 0.265, 0.295)
_SHIFTS = (-0.09, -0.045, 0.0, 0.045, 0.09)
_NEAR_TURNS = (-7.0, 0.0, 7.0)
_FAR_TURNS = tuple(float(a) for a in np.arange(-45.0, 45.0, 7.5))

# The nine places, row by row, and the layouts on them.
_PLACES = tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1))
_LAYOUTS: tuple[tuple[int, tuple[int, ...]], ...] = (
    (1, (4,)),
    (2, (0, 8)),
    (2, (2, 6)),
    (3, (0, 4, 8)),
    (3, (2, 4, 6)),
    (4, (0, 2, 6, 8)),
    (5, (0, 2, 4, 6, 8)),
    (6, (0, 2, 3, 5, 6, 8)),
    (6, (0, 1, 2, 6, 7, 8)),
)
_HAS = np.array(
    [[place in places for place in range(9)] for _, places in _LAYOUTS], np.float32
)  # (9 layouts, 9 places)
_CORNERS = _HAS[5] > 0
# The affine fit of a layout to where its pips are: (places, 3) and the inverse of it.
_SPANS = [np.c_[np.array(_PLACES), np.ones(9)][has > 0] for has in _HAS]
_FITS = [np.linalg.pinv(span) for span in _SPANS]
_REACH = 3  # pixels around a pip within which its exact centre is looked for
_AROUND = np.arange(2 * _REACH + 1)
_FILTER = (_HAS / np.sqrt(_HAS.sum(1, keepdims=True))).T.copy()
_VALUE = np.array([value for value, _ in _LAYOUTS])
_BITS = 1 << np.arange(9)
# For each layout the places, as bits, that would have to be hidden pips to make it another value.
_GAINS = [
    np.array(
        [
            int((more - has) @ _BITS)
            for more, other in zip(_HAS, _VALUE, strict=True)
            if other != value and (more >= has).all()
        ]
        or [1 << 9]
    )
    for has, value in zip(_HAS, _VALUE, strict=True)
]


def _ideal_margin(value: int) -> float:
    """Margin that a face without any noise has before its nearest rival."""
    own = int(np.flatnonzero(value == _VALUE)[0])
    matched = _HAS[own] @ _FILTER
    return float(1 - matched[value != _VALUE].max() / matched[own])


_IDEAL_MARGIN = {value: _ideal_margin(value) for value in range(1, 7)}


@dataclass(frozen=True, slots=True)
class PipReading:
    """What the marks of one top face say."""

    value: int
    """The likeliest face; only worth something with its quality and margin."""
    alternative: int
    """The next likeliest."""
    confidence: float
    """0 to 1: from the four below, fitted to recorded dice with known faces."""
    quality: float
    """0 to 1: how well the marks are explained by the layout (cosine between the two)."""
    margin: float
    """Lead over the alternative, where 1 is the lead of a perfect face."""
    contrast: float
    """Strength of the marks in grey levels of curvature; noise alone reaches about 1."""
    clutter: float
    """The best layout of marks of the other polarity, as a share of this one."""
    stray: float
    """The strongest mark of its kind beside the layout, as a share of the contrast."""
    filled: float
    """How much the free places look like those with a pip, from 0 to 1."""
    aspect: float | None
    """Short by long side of the layout as the picture shows it: 1 seen straight from above, less
    for a face that leans. None where it can not be told (no four or five, or a bad fit)."""
    light: bool
    """True for pips lighter than the face."""
    pips: tuple[Point, ...]
    """Centres of the pips in pixels of the picture."""
    glare: int = 0
    """The places of the nine that a highlight covers, as bits, row by row."""

    def may_hide(self, value: int) -> bool:
        """True when the face may be another one than `value`, with more pips, under a highlight."""
        gains = [gain for gain, own in zip(_GAINS, _VALUE, strict=True) if own == value]
        return bool((np.concatenate(gains) & ~self.glare == 0).any())


@lru_cache(maxsize=4)
def _samples(turns: tuple[float, ...]) -> tuple[npt.NDArray[np.intp], FloatArray]:
    """Where the nine places fall in the patch, for every error of the square that is tried.

    Returns flat indices into a patch, shape (tries, 9), and x, y of the same, (tries, 9, 2).
    """
    places = np.array(_PLACES, np.float32)
    tries = []
    for turn, spacing, dx, dy in itertools.product(turns, _SPACINGS, _SHIFTS, _SHIFTS):
        c, s = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
        turned = places @ np.array([[c, s], [-s, c]], np.float32)
        tries.append(turned * spacing + (dx, dy))
    xy = (np.stack(tries).astype(np.float32) + 0.5) * EDGE + MARGIN - 0.5
    cell = np.clip(np.rint(xy).astype(np.intp), 0, SIDE - 1)
    return cell[..., 1] * SIDE + cell[..., 0], xy


def rectify(picture: Image | Pyramid, quads: FloatArray) -> Image:
    """Cut top faces out of a picture, each as an upright square with a margin.

    `quads` has shape (n, 4, 2), corners clockwise in pixels, counted from the corner of the
    picture (the first pixel's centre is (0.5, 0.5)). The result has shape (n, SIDE, SIDE, 3); the
    face fills the central EDGE pixels.
    """
    pyramid = Pyramid.of(picture)
    return np.stack([pyramid.patch(quad, SIDE, EDGE) for quad in quads])


def mark_maps(patches: Image) -> FloatArray:
    """Round marks by kind (dark or light, and size): shape (kinds, n, SIDE, SIDE), in grey levels.

    The smaller of the two principal curvatures, where both have the same sign, the best of the
    three colour channels, scaled so that a disc of fitting size answers with about its contrast.
    Kinds with an odd number are light.
    """
    n = len(patches)
    inner = patches[:, _INNER][:, :, _INNER]
    # One tall picture of one channel: OpenCV's cost is in the calls, and the last axis is slow.
    tall = np.ascontiguousarray(inner.transpose(3, 0, 1, 2), np.float32).reshape(-1, SIDE)
    maps = np.empty((2 * len(_SIGMAS), n, SIDE, SIDE), np.float32)
    for i, sigma in enumerate(_SIGMAS):
        smooth = cv2.GaussianBlur(tall, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE)
        scale = sigma * sigma / 2 * _WEIGHTS[i]
        xx = cv2.Sobel(smooth, cv2.CV_32F, 2, 0, ksize=3, scale=scale)
        yy = cv2.Sobel(smooth, cv2.CV_32F, 0, 2, ksize=3, scale=scale)
        xy = cv2.Sobel(smooth, cv2.CV_32F, 1, 1, ksize=3, scale=scale)
        mean = (xx + yy) * 0.5
        spread = cv2.magnitude((xx - yy) * 0.5, xy)
        maps[2 * i] = (mean - spread).reshape(3, n, SIDE, SIDE).max(axis=0)
        maps[2 * i + 1] = (-mean - spread).reshape(3, n, SIDE, SIDE).max(axis=0)
    np.maximum(maps, 0, out=maps)
    return maps


def _dilated(maps: FloatArray) -> FloatArray:
    """The strongest mark within one pixel."""
    flat = maps.reshape(-1, SIDE)
    return cv2.dilate(flat, np.ones((3, 3), np.uint8)).reshape(maps.shape).astype(np.float32)


def _match(maps: FloatArray, turns: tuple[float, ...]) -> tuple[FloatArray, npt.NDArray[np.intp]]:
    """Matched filter of all layouts: best over the tries, shapes (kinds, n, layouts)."""
    index, _ = _samples(turns)
    flat = maps.reshape(len(maps), maps.shape[1], SIDE * SIDE)
    marks = flat[:, :, index]  # (kinds, n, tries, 9)
    matched = marks @ _FILTER  # (kinds, n, tries, layouts)
    best = matched.argmax(axis=2)
    return np.take_along_axis(matched, best[:, :, None, :], axis=2)[:, :, 0, :], best


def read_pips(
    picture: Image | Pyramid, quads: FloatArray, *, any_turn: bool = False
) -> list[PipReading]:
    """Read the top faces given by their corners, shape (n, 4, 2), clockwise, in pixels.

    With `any_turn` the layouts are tried over all rotations of the square, for dice (sphere-cut
    ones) whose corners do not tell the rotation.
    """
    if len(quads) == 0:
        return []
    return read_patches(rectify(picture, quads), quads, any_turn=any_turn)


def read_patches(patches: Image, quads: FloatArray, *, any_turn: bool = False) -> list[PipReading]:
    """As `read_pips`, for faces that are rectified already."""
    turns = _FAR_TURNS if any_turn else _NEAR_TURNS
    exact = mark_maps(patches)
    marks = _dilated(exact)
    matched, best = _match(marks, turns)
    return [
        _decide(marks[:, i], exact[:, i], matched[:, i], best[:, i], patches[i], quads[i], turns)
        for i in range(len(patches))
    ]


def _decide(
    marks: FloatArray,
    exact: FloatArray,
    matched: FloatArray,
    best: npt.NDArray[np.intp],
    patch: Image,
    quad: FloatArray,
    turns: tuple[float, ...],
) -> PipReading:
    """One face: the winning layout, its rival, and how sure that is."""
    index, xy = _samples(turns)
    kind, layout = np.unravel_index(int(matched.argmax()), matched.shape)
    value = int(_VALUE[layout])
    top = float(matched[kind, layout])
    rivals = np.where(value == _VALUE, 0.0, matched[kind])
    rival = int(rivals.argmax())
    at = int(best[kind, layout])
    found = marks[kind].reshape(-1)[index[at]]
    norm = float(np.sqrt(np.sum(found * found)))
    quality = min(1.0, float(found @ _FILTER[:, layout]) / norm) if norm > 0 else 0.0
    margin = (1 - float(rivals[rival]) / top) / _IDEAL_MARGIN[value] if top > 0 else 0.0
    margin = float(np.clip(margin, 0, 1))
    contrast = top / float(np.sqrt(_HAS[layout].sum()))
    clutter = float(matched[1 - kind % 2 :: 2].max()) / top if top > 0 else 1.0
    # Pips and swollen pips, looked for apart, should make the same face. The
    # swollen columns of a six flow together to a four; other differences are suspicious.
    small, swollen = _VALUE[matched[kind % 2 : 4 : 2].argmax(axis=1)].tolist()
    fitting = (value, 4) if value == 6 else (value,)
    sizes_agree = bool(kind >= 4) or (small == value and swollen in fitting)
    confidence = _confidence(quality, margin, contrast, clutter, sizes_agree)
    glare = _under_highlight(patch, index[at], bool(kind % 2))
    maybe = glare | int((found > 0.4 * contrast) @ _BITS)
    if (_GAINS[layout] & ~maybe == 0).any():
        confidence *= 0.3
    places, view = xy[at][_HAS[layout] > 0], _view(quad)
    stray = _stray(marks[kind], places) / max(contrast, 1.0)
    # Pips that flow together leave no gap: a four that is a six has its free places filled.
    # A large one reaches to the sides: only the corners are free then.
    free = _CORNERS if kind >= 4 and value == 1 else _HAS[layout] == 0
    filled = _filled(patch, index[at], _HAS[layout] > 0, free)
    confidence *= float(np.interp(filled, (0.5, 0.8), (1.0, 0.3)))
    # A mark as strong as the pips beside the layout: the face is another one, or badly framed.
    confidence *= float(np.interp(stray, (0.75, 1.1), (1.0, 0.3)))
    return PipReading(
        value=value,
        alternative=int(_VALUE[rival]),
        confidence=confidence,
        quality=quality,
        margin=margin,
        contrast=contrast,
        clutter=clutter,
        stray=stray,
        filled=filled,
        aspect=_aspect(exact[kind], places, int(layout), view),
        light=bool(kind % 2),
        pips=tuple((x, y) for x, y in _to_picture(places, view).tolist()),
        glare=glare,
    )


def _confidence(
    quality: float, margin: float, contrast: float, clutter: float, sizes_agree: bool
) -> float:
    """How often a face with these marks is read right: a logistic regression.

    Fitted to the 799 valid dice of the recorded stills, each with three errors of the corners.
    """
    log_contrast = math.log(max(contrast, 1.0))
    marks = 14.4 * quality + 2.8 * math.sqrt(margin) + 1.66 * log_contrast - 3.0 * clutter
    sure = 1 / (1 + math.exp(17.75 - marks))
    # A photo finish is none, however well both fit. Where the sizes differ, a third is wrong.
    return sure * min(1.0, margin / 0.2) * (1.0 if sizes_agree else 0.5)


def _filled(
    patch: Image,
    places: npt.NDArray[np.intp],
    has: npt.NDArray[np.bool_],
    free: npt.NDArray[np.bool_],
) -> float:
    """How much the free places look like those with a pip: 0 like the face, 1 like a pip."""
    at = cv2.blur(patch, (3, 3)).reshape(-1, 3)[places].astype(np.float32)
    face = patch[_RIM:-_RIM, _RIM:-_RIM].reshape(-1, 3)
    body = _ranked(face, 0.5).astype(np.float32)
    pip = at[has].mean(axis=0) - body
    return float(((at[free] - body) @ pip).max() / max(float(pip @ pip), 1.0))


def _ranked(values: Image, share: float) -> Image:
    """The value of this rank along the first axis: a tenth of the time of a percentile."""
    k = int(share * (len(values) - 1))
    return np.asarray(np.partition(values, k, axis=0)[k])


def _stray(marks: FloatArray, places: FloatArray) -> float:
    """The strongest mark in the patch further than a pip from all places of the layout."""
    away = marks.copy()
    reach = round(0.16 * EDGE)
    for x, y in np.rint(places).astype(int):
        away[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1] = 0
    return float(away.max())


def _under_highlight(patch: Image, places: npt.NDArray[np.intp], light: bool) -> int:
    """The places of the nine that a highlight may hide, as bits.

    A highlight is nearly white in all channels and brighter than a good part of the face; where
    the whole face is that white, dark pips still show and nothing is hidden. Light pips are hidden
    even by one that covers most of the face.
    """
    # numpy's minimum over a short last axis is twenty times as slow
    white = np.minimum(np.minimum(patch[..., 0], patch[..., 1]), patch[..., 2])
    body = float(_ranked(white[_RIM:-_RIM, _RIM:-_RIM].ravel(), 0.2 if light else 0.45))
    at = cv2.blur(white, (5, 5)).reshape(-1)[places].astype(np.float32)
    return int((at >= max(215.0 if light else 235.0, body + 25)) @ _BITS)


def _aspect(marks: FloatArray, places: FloatArray, layout: int, view: FloatArray) -> float | None:
    """See `PipReading.aspect`: an affine fit of the layout to the exact centres of its pips."""
    if len(places) not in (4, 5):
        return None
    corner = np.clip(np.rint(places).astype(int) - _REACH, 0, SIDE - 2 * _REACH - 1)
    x, y = (corner[:, axis, None, None] for axis in (0, 1))
    window = marks[y + _AROUND[:, None], x + _AROUND]
    weight = np.maximum(window - 0.4 * window.max(axis=(1, 2), keepdims=True), 0)
    total = weight.sum(axis=(1, 2))
    if not total.all():
        return None
    inside = np.stack([weight.sum(axis=1) @ _AROUND, weight.sum(axis=2) @ _AROUND], axis=1)
    seen = _to_picture(corner + inside / total[:, None], view)
    affine = _FITS[layout] @ seen
    error = float(np.abs(_SPANS[layout] @ affine - seen).max())
    a, b, c, d = affine[:2].ravel().tolist()
    # Singular values of a 2 x 2 matrix.
    half, turn = math.hypot(a + d, b - c) / 2, math.hypot(a - d, b + c) / 2
    long, short = half + turn, abs(half - turn)
    return short / long if error < 0.045 * long else None


def _view(quad: FloatArray) -> FloatArray:
    """(3, 3): from the patch to the picture, with pixels' centres at whole numbers in both."""
    a, b = MARGIN - 0.5, MARGIN + EDGE - 0.5
    square = np.array([[a, a], [b, a], [b, b], [a, b]], np.float32)
    view = cv2.getPerspectiveTransform(square, quad.astype(np.float32) - 0.5)
    return np.asarray(view, np.float32)


def _to_picture(places: FloatArray, view: FloatArray) -> FloatArray:
    """Points (n, 2) of the patch in pixels of the picture, counted from its corner."""
    x, y, w = view @ np.c_[places, np.ones(len(places))].T
    return np.asarray(np.stack([x / w, y / w], axis=1) + 0.5, np.float32)
