"""What a replay of a recording consists of: shots before, at, and after rest.

A recorded sequence brings its own frames. A still has only the dice at rest, so the rest is made
from it: the dice are painted out for the empty tray, roll in blurred, lie under fresh noise and
slide away. No frame that is made up shows a die sharp enough to be read.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Image
from vision.recording import DieTruth, Kind, Recording
from vision.watch import State

NOISE = 2.0  # grey levels, of a small camera in good light
_EMPTY, _ROLLING, _RESTING, _LEAVING = 6, 9, 15, 5  # frames of a still's replay


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame to come."""

    state: State
    interval: float
    """Seconds since the frame before."""
    take: Callable[[], Image]


@dataclass(frozen=True, slots=True)
class Reel:
    """One recording, cut where the dice come to rest and where they leave."""

    recording: Recording
    arrive: tuple[Shot, ...]
    rest: tuple[Shot, ...]
    leave: tuple[Shot, ...]


def reel(recording: Recording, size: tuple[int, int], fps: float, seed: int = 0) -> Reel:
    """Cut a recording for replay in pictures of `size`; `fps` counts for stills only."""
    if recording.kind is Kind.STILL:
        return _Still(recording, size, seed).reel(1 / fps)
    return _sequence(recording, size)


def _sequence(recording: Recording, size: tuple[int, int]) -> Reel:
    times = [frame.time for frame in recording.frames]
    usual = 1 / (recording.fps or 15.0)
    shots = [
        Shot(
            frame.state,
            times[i] - times[i - 1] if i else usual,
            partial(_picture, recording, i, size),
        )
        for i, frame in enumerate(recording.frames)
    ]
    resting = [i for i, shot in enumerate(shots) if shot.state is State.AT_REST]
    if not resting:
        return Reel(recording, tuple(shots), (), ())
    # Only the first stretch at rest is the throw: later ones are what a hand has left behind.
    first = last = resting[0]
    while last + 1 in resting:
        last += 1
    return Reel(
        recording,
        tuple(shots[:first]),
        tuple(shots[first : last + 1]),
        tuple(shots[last + 1 :]),
    )


def _picture(recording: Recording, index: int, size: tuple[int, int]) -> Image:
    image = recording.image(index)
    if (image.shape[1], image.shape[0]) == size:
        return image
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


class _Still:
    """A picture of dice at rest, and the frames around it that are made from it."""

    def __init__(self, recording: Recording, size: tuple[int, int], seed: int) -> None:
        self.recording, self.size = recording, size
        self.dice = recording.truth.dice
        self.scale = size[0] / recording.size[0]
        self.rng = np.random.default_rng([seed, len(recording.name)])

    def reel(self, interval: float) -> Reel:
        empty = [Shot(State.EMPTY, interval, partial(self.show, "empty")) for _ in range(_EMPTY)]
        if not self.dice:
            state = self.recording.frames[0].state
            lying = Shot(state, interval, partial(self.show, "still"))
            if state is State.EMPTY:
                return Reel(self.recording, (lying,) * _EMPTY, (), ())
            return Reel(self.recording, (), (lying,) * _RESTING, ())
        flights = [_Flight.random(self.rng, self.size) for _ in self.dice]
        arrive = empty + [
            Shot(State.MOVING, interval, partial(self.roll, flights, 1 - (i + 0.5) / _ROLLING))
            for i in range(_ROLLING)
        ]
        rest = [Shot(State.AT_REST, interval, partial(self.show, "still"))] * _RESTING
        away = [_Flight.random(self.rng, self.size) for _ in self.dice]
        leave = [
            Shot(State.MOVING, interval, partial(self.roll, away, (i + 1) / _LEAVING))
            for i in range(_LEAVING)
        ]
        return Reel(self.recording, tuple(arrive), tuple(rest), (*leave, *empty))

    @cached_property
    def still(self) -> Image:
        return _picture(self.recording, 0, self.size)

    @cached_property
    def empty(self) -> Image:
        """The tray with the dice painted out."""
        image = self.still.copy()
        dice = np.zeros(image.shape[:2], np.uint8)
        for centre, radius in map(self.place, self.dice):
            cv2.circle(dice, _whole(centre), round(radius), 255, -1)
        for centre, radius in map(self.place, self.dice):
            _clone_floor(image, self.still, dice, centre, radius)
        return image

    def place(self, die: DieTruth) -> tuple[npt.NDArray[np.float64], float]:
        """Centre of a die in this picture, and a radius with room for its sides and shadow."""
        corners = np.array(die.corners) * self.scale
        edge = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).max()
        return corners.mean(axis=0), float(edge) * 1.3

    def show(self, what: str) -> Image:
        return self.noisy(self.still if what == "still" else self.empty)

    def roll(self, flights: list[_Flight], far: float) -> Image:
        """The dice on their way; `far` is 1 where they come into the picture and 0 at rest."""
        image = self.empty.copy()
        for die, flight in zip(self.dice, flights, strict=True):
            centre, radius = self.place(die)
            _paste(image, self.still, centre, radius, flight, far)
        return self.noisy(image)

    def noisy(self, image: Image) -> Image:
        height, width = image.shape[:2]
        dy, dx = self.rng.integers(0, 64, 2)
        noise = self.noise[dy : dy + height, dx : dx + width]
        return np.asarray(cv2.add(image, noise, dtype=cv2.CV_8U), np.uint8)

    @cached_property
    def noise(self) -> npt.NDArray[np.int16]:
        width, height = self.size
        noise = self.rng.normal(0, NOISE, (height + 64, width + 64, 3))
        return np.rint(noise).astype(np.int16)


@dataclass(frozen=True, slots=True)
class _Flight:
    """How one die comes or goes: from which side, how far, how much it turns."""

    direction: float
    distance: float
    turn: float

    @classmethod
    def random(cls, rng: np.random.Generator, size: tuple[int, int]) -> _Flight:
        direction, turn = rng.uniform(0, 2 * math.pi), rng.uniform(150, 400)
        return cls(direction, size[0] * rng.uniform(0.5, 0.9), turn * rng.choice((-1, 1)))

    def at(self, far: float) -> npt.NDArray[np.float64]:
        """Offset in pixels; slows down towards rest."""
        along = self.distance * far * far
        return np.array([math.cos(self.direction), math.sin(self.direction)]) * along


def _paste(
    image: Image,
    still: Image,
    centre: npt.NDArray[np.float64],
    radius: float,
    flight: _Flight,
    far: float,
) -> None:
    """Draw one die, turned, blurred along its way and moved, into `image`."""
    step = float(np.linalg.norm(flight.at(far) - flight.at(max(0.0, far - 1 / _ROLLING))))
    length = int(min(2.5 * radius, max(step * 0.6, radius * 0.35))) | 1
    half = int(radius + length / 2) + 2
    turn = cv2.getRotationMatrix2D((0.0, 0.0), flight.turn * far, 1.0)
    turn[:, 2] = centre - turn[:, :2] @ (half, half)
    window = (2 * half, 2 * half)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    die = cv2.warpAffine(still, turn, window, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    disc = np.zeros(window, np.float32)
    cv2.circle(disc, (half, half), int(radius * 0.62), 1.0, -1)
    soft = cv2.GaussianBlur(disc, (0, 0), radius * 0.08)
    kernel = np.zeros((length, length), np.float32)
    middle = np.full(2, length // 2)
    along = np.array([math.cos(flight.direction), math.sin(flight.direction)]) * middle
    cv2.line(kernel, _whole(middle - along), _whole(middle + along), 1.0)
    kernel /= float(kernel.sum())
    patch = cv2.filter2D(die * soft[..., None], -1, kernel)
    mask = cv2.filter2D(soft, -1, kernel)
    x, y = _whole(centre + flight.at(far) - half)
    x0, y0 = max(0, x), max(0, y)
    x1, y1 = min(image.shape[1], x + 2 * half), min(image.shape[0], y + 2 * half)
    if x1 <= x0 or y1 <= y0:
        return
    cut = np.s_[y0 - y : y1 - y, x0 - x : x1 - x]
    under = image[y0:y1, x0:x1] * (1 - mask[cut][..., None])
    image[y0:y1, x0:x1] = np.clip(under + patch[cut] + 0.5, 0, 255).astype(np.uint8)


def _whole(point: npt.NDArray[np.float64]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


def _clone_floor(
    image: Image, still: Image, dice: Image, centre: npt.NDArray[np.float64], radius: float
) -> None:
    """Cover one die with the piece of tray whose rim fits best: along a wall, more wall."""
    half = math.ceil(radius * 1.3)
    disc = np.zeros((2 * half, 2 * half), np.uint8)
    cv2.circle(disc, (half, half), round(radius), 255, -1)
    here = cv2.getRectSubPix(still, disc.shape, _whole(centre)).astype(np.int16)
    rim = (disc == 0) & (cv2.getRectSubPix(dice, disc.shape, _whole(centre)) == 0)
    best, floor = math.inf, None
    for distance in (2.2, 3.0, 4.0, 6.0):
        for direction in np.arange(24) * (math.pi / 12):
            step = np.array([math.cos(direction), math.sin(direction)]) * (distance * radius)
            x, y = _whole(centre + step)
            window = np.s_[y - half : y + half, x - half : x + half]
            there = still[window]
            if min(x, y) < half or there.shape != here.shape or dice[window][disc > 0].any():
                continue
            misfit = float(np.abs(there - here)[rim].mean()) if rim.any() else distance
            if misfit < best:
                best, floor = misfit, there
    if floor is None:
        return
    soft = cv2.GaussianBlur(disc, (0, 0), radius * 0.12)[..., None] / 255
    x, y = _whole(centre - half)
    x0, y0 = max(0, x), max(0, y)
    x1, y1 = min(image.shape[1], x + 2 * half), min(image.shape[0], y + 2 * half)
    cut = np.s_[y0 - y : y1 - y, x0 - x : x1 - x]
    mixed = image[y0:y1, x0:x1] * (1 - soft[cut]) + floor[cut] * soft[cut]
    image[y0:y1, x0:x1] = (mixed + 0.5).astype(np.uint8)
