"""Recorded motion of thrown dice: real rigid-body throws, replayed under new numbers.

A throw is an array (frames, dice, 7): place x, y, z in centimetres and turn as a quaternion
x, y, z, w, at 40 frames a second; the last frame is at rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Kind = Literal[0, 1]

LYING: Kind = 0
"""Every die lies flat on the floor."""
LEANING: Kind = 1
"""At least one die is cocked: on a wall, on the rib, on another die."""

RATE = 40.0
"""Frames a second."""
_PLACE, _TURN = 300.0, 32767.0  # units of the stored 16-bit numbers


@dataclass(frozen=True, slots=True)
class Motion:
    """How the dice of one throw move."""

    kind: Kind
    poses: Array
    """(frames, dice, 7)"""

    @property
    def seconds(self) -> float:
        """From the first frame until all dice are at rest."""
        return (len(self.poses) - 1) / RATE

    def at(self, time: float) -> Array:
        """Poses (dice, 7) so many seconds after the start; at rest after `seconds`."""
        frame = min(max(time, 0.0) * RATE, len(self.poses) - 1.0)
        first = int(frame)
        before: Array = self.poses[first]
        if frame == first:
            return before.copy()
        after = self.poses[first + 1]
        # The two quaternions of one turn: take the near one, then a straight mix is good enough.
        near = np.where((before[:, 3:] * after[:, 3:]).sum(axis=1) < 0, -1.0, 1.0)[:, None]
        after = np.hstack([after[:, :3], after[:, 3:] * near])
        mix: Array = before + (after - before) * (frame - first)
        mix[:, 3:] /= np.linalg.norm(mix[:, 3:], axis=1, keepdims=True)
        return mix

    def mirrored(self) -> Motion:
        """The same throw seen in a mirror that stands across the tray, left for right."""
        return Motion(self.kind, self.poses * [-1, 1, 1, 1, -1, -1, 1])


def pack(path: Path | str, throws: Sequence[tuple[Kind, Array]]) -> None:
    """Write throws to a file that `load` reads."""
    kinds = np.array([kind for kind, _ in throws], np.uint8)
    shapes = np.array([poses.shape[:2] for _, poses in throws], np.uint16)
    steps = []
    for _, poses in throws:
        whole = np.rint(poses * ([_PLACE] * 3 + [_TURN] * 4)).astype(np.int32)
        # Differences from frame to frame are small numbers, which pack well.
        steps.append(np.diff(whole, axis=0, prepend=0).astype(np.int16).transpose(1, 2, 0).ravel())
    np.savez_compressed(path, kinds=kinds, shapes=shapes, steps=np.concatenate(steps))


@cache
def load() -> tuple[Motion, ...]:
    """All recorded throws, in the order they were recorded."""
    with resources.files(__package__).joinpath("motion.npz").open("rb") as file:
        data = np.load(file)
        kinds, shapes, steps = data["kinds"], data["shapes"], data["steps"]
    motions, at = [], 0
    for kind, (frames, dice) in zip(kinds.tolist(), shapes.tolist(), strict=True):
        size = frames * dice * 7
        whole = steps[at : at + size].reshape(dice, 7, frames).transpose(2, 0, 1)
        at += size
        # The differences may overflow 16 bits and wrap; their sum wraps back.
        poses = np.cumsum(whole, axis=0, dtype=np.int16) / ([_PLACE] * 3 + [_TURN] * 4)
        poses[..., 3:] /= np.linalg.norm(poses[..., 3:], axis=-1, keepdims=True)
        motions.append(Motion(LEANING if kind else LYING, _until_rest(poses)))
    return tuple(motions)


def _until_rest(poses: Array) -> Array:
    """Without the last frames, in which nothing moves that one could see."""
    away = np.abs(poses - poses[-1])
    moving = (away[..., :3] > 0.04).any(axis=(1, 2)) | (away[..., 3:] > 0.015).any(axis=(1, 2))
    last = int(np.nonzero(moving)[0][-1])
    return np.concatenate([poses[: last + 1], poses[-1:]])


@cache
def choose_from(dice: int, kind: Kind) -> tuple[Motion, ...]:
    """The recorded throws with so many dice."""
    return tuple(m for m in load() if m.kind == kind and m.poses.shape[1] == dice)
