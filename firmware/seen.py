"""What crosses from the camera process to the table; plain data."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vision.reading import Image
from vision.watch import Sight

RATE_OVER = 5.0
"""Seconds over which the pictures are counted."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the eye has to say of one picture."""

    sight: Sight
    image: Image | None
    """At most `eye.PREVIEW_WIDTH` wide; the reading's coordinates are those of the full picture.
    None: it looks like the one before."""
    number: int
    about: Mapping[str, Any] = field(default_factory=dict)
    """What the camera says of the picture: exposure, gain, focus … (`plain`)."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The camera has been opened."""

    name: str
    """Its model, or what it was opened as."""
    size: tuple[int, int]
    wanted: Mapping[str, Any] = field(default_factory=dict)
    """What was asked of it: exposure, gain, focus …"""


@dataclass(frozen=True, slots=True)
class Trouble:
    """The camera gives no picture."""

    text: str
    """One sentence for people."""
    permanent: bool = False
    """Trying again can not help: something must be put right first."""


class Seeing:
    """The camera at work, for the health page."""

    def __init__(self) -> None:
        self.opened = Opened("", (0, 0))
        """The name is empty before it has begun."""
        self.about: Mapping[str, Any] = {}
        """What it says of the newest picture."""
        self._times: deque[float] = deque()

    def came(self, seen: Seen, now: float) -> None:
        """A picture came; `now` in seconds of the table's monotonic clock."""
        self.about = seen.about
        self._times.append(now)
        while self._times and self._times[0] < now - RATE_OVER:
            self._times.popleft()

    @property
    def rate(self) -> float:
        """Pictures a second, over the last seconds."""
        if len(self._times) < 2:
            return 0.0
        return (len(self._times) - 1) / max(self._times[-1] - self._times[0], 1e-6)


def plain(metadata: Mapping[str, object]) -> dict[str, Any]:
    """Of what a camera says, that which is a number or a few numbers.

    >>> plain({"ExposureTime": 10000, "ColourGains": (2.1, 1.7), "ScalerCrops": [object()]})
    {'ExposureTime': 10000, 'ColourGains': [2.1, 1.7]}
    """
    kept: dict[str, Any] = {}
    for name, value in metadata.items():
        if isinstance(value, bool | int | float):
            kept[name] = value
        elif isinstance(value, tuple | list) and len(value) <= 4:
            numbers = [one for one in value if isinstance(one, int | float)]
            if len(numbers) == len(value):
                kept[name] = numbers
    return kept
