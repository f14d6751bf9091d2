"""The same throws under lamps from warm to cold and from dim to bright (field report 15).

The camera's white balance and exposure are locked, so another light is another colour and
brightness of the whole picture. In each cell nothing may be read wrongly, and enough be read.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from firmware.clock import FakeClock
from vision.cameras.simulated import SimulatedCamera
from vision.reader import Reader
from vision.reading import Image

THROWS = ((6, 1), (5, 2), (4, 3))
KELVIN = {
    2700: (1.00, 0.66, 0.34),
    4000: (1.00, 0.81, 0.65),
    5000: (1.00, 0.89, 0.81),
    6500: (1.00, 0.98, 0.99),
}
"""Red, green and blue of a black body's light."""
LOCKED_AT = 4000
BRIGHTNESS = (0.35, 0.6, 1.0, 1.6)
"""Of the light at the calibration: lamps that went dim, and a sunny window."""


@cache
def reader() -> Reader:
    return Reader()


@cache
def pictures() -> tuple[tuple[tuple[int, ...], Image], ...]:
    """Throws that lie still, with their values."""
    found = []
    camera = SimulatedCamera(
        seed=5, clock=FakeClock(), paced=False, hands=False, cocked_share=0.0, light="bars"
    )
    with camera:
        for values in THROWS:
            camera.throw(len(values), values=values, cocked=False)
            for _ in range(60):
                frame = camera.read(1.0)
            found.append((tuple(sorted(values)), frame.image))
    return tuple(found)


def under(image: Image, kelvin: int, brightness: float) -> Image:
    """The picture in another light, as a camera with everything locked sees it."""
    # Pictures hold roughly the square root of the light.
    light = np.array(KELVIN[kelvin]) / np.array(KELVIN[LOCKED_AT])
    light = light / light.mean() * brightness
    return (image * np.sqrt(light[::-1])).clip(0, 255).astype(np.uint8)


@pytest.mark.parametrize("kelvin", KELVIN)
@pytest.mark.parametrize("brightness", BRIGHTNESS)
def test_every_cell_of_the_sweep(kelvin: int, brightness: float) -> None:
    read = 0
    for values, image in pictures():
        reading = reader().read(under(image, kelvin, brightness))
        if reading.values is not None:
            assert tuple(sorted(reading.values)) == values, (kelvin, brightness, values)
            read += 1
    assert read >= 2, f"{read} of {len(THROWS)} read at {kelvin} K, {brightness} times the light"
