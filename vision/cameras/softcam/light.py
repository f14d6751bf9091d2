"""Lamps over the simulated tray."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Lamp:
    """One lamp."""

    place: tuple[float, float, float]
    """Centimetres."""
    power: float
    """Light that it would give a white surface facing it in the middle of the tray; 1 is white."""
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Red, green, blue."""
    radius: float = 5.0
    """Half its width in centimetres: the larger, the softer the shadows."""

    @property
    def colour(self) -> Floats:
        """Power in blue, green, red."""
        return np.array(self.tint[::-1], np.float32) * np.float32(self.power)

    def fade(self, points: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
        """How much less (or more) light reaches points (…, 3) than the middle of the tray."""
        place = np.array(self.place, points.dtype)
        far = ((place - points) ** 2).sum(axis=-1)
        fade: npt.NDArray[np.floating] = (place @ place) / far
        return fade


@dataclass(frozen=True, slots=True)
class Light:
    """All the light there is."""

    lamps: tuple[Lamp, ...]
    ambient: float
    """Light from everywhere."""


_WARM, _DAY = (1.0, 0.93, 0.84), (0.95, 0.98, 1.0)

# No lamp stands where a die in the tray would mirror it into the camera: that is how one lights a
# tray. `SimulatedCamera.glare` is for the other case.
LIGHTS = {
    "bars": Light(
        (
            Lamp((-27, 0, 26), 0.46, _DAY, 6),
            Lamp((27, 0, 26), 0.46, _DAY, 6),
            Lamp((100, 70, 170), 0.16, _WARM, 14),
        ),
        0.24,
    ),
    "ceiling": Light((Lamp((90, 115, 180), 0.70, _WARM, 16), Lamp((-95, -60, 180), 0.22)), 0.28),
    "window": Light((Lamp((-150, 60, 110), 0.80, _DAY, 45),), 0.30),
}
