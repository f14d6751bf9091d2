"""The Raspberry Pi's own camera, through picamera2.

picamera2 comes with the Pi's system packages and is imported only when this camera is opened. Calls
and their traps, as of picamera2 0.3.25 to 0.3.38:

* one configuration for life: switching modes fragments the little memory that cameras have;
* exposure, gain, white balance and focus are locked, so that two pictures can be compared;
* never wait without a time limit: a camera whose cable fell out raises nothing, it is silent;
* after a time-out the request stays queued and would keep its buffer for ever, hence
  `cancel_all_and_flush`;
* `stop` has no time limit and may block: run this camera in a process that can be killed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.cameras import CameraError, Clock, Closing, Frame, SystemClock


@dataclass(frozen=True, slots=True)
class PiSettings:
    """What is locked; `dicetable calibrate` finds the values for a table."""

    exposure_us: int = 10_000
    """Exposure in microseconds. A multiple of 10,000 sees no flicker of lamps on 50 Hz mains."""
    gain: float = 2.0
    """Analogue gain."""
    colour_gains: tuple[float, float] = (2.1, 1.7)
    """White balance: gains of red and of blue."""
    focus: float | None = 1 / 0.5
    """Lens position in dioptres (1 / metres); None: leave it. Fixed lenses have none anyway."""
    upside_down: bool = False
    """Turn the picture by 180 degrees."""


class PiCamera(Closing):
    """A camera on the Pi's ribbon cable."""

    SIZE = (1280, 960)

    def __init__(
        self,
        number: int = 0,
        *,
        size: tuple[int, int] = SIZE,
        fps: float = 15.0,
        settings: PiSettings | None = None,
        clock: Clock | None = None,
    ) -> None:
        try:
            import libcamera
            from picamera2 import Picamera2
        except ImportError as error:
            raise CameraError(
                f"the Pi's camera needs picamera2 ({error}): sudo apt install python3-picamera2, "
                "and make the virtual environment with --system-site-packages",
                permanent=True,
            ) from error
        self.size = size
        self._clock = clock or SystemClock()
        self._number = 0
        self._name = f"camera {number}"
        self._camera: Any = None
        known = Picamera2.global_camera_info()
        if number >= len(known):
            raise CameraError(
                f"{self._name} is not connected ({len(known)} found): switch the Pi off and check "
                "both ends of the ribbon cable"
            )
        self.model = str(known[number].get("Model", ""))
        """Name of the sensor, such as imx708."""
        try:
            # Older releases raise IndexError where newer ones raise RuntimeError.
            self._camera = Picamera2(number)
        except (RuntimeError, IndexError) as error:
            why = error.__cause__ or error
            raise CameraError(
                f"{self._name} can not be opened ({why}): is another program using it?"
            ) from error
        try:
            self._start(libcamera, settings or PiSettings(), fps)
        except (RuntimeError, ValueError) as error:
            self.close()
            raise CameraError(
                f"{self._name} does not accept its settings: {error}", permanent=True
            ) from error

    @property
    def controls(self) -> Mapping[str, Any]:
        """What was asked of the camera when it was started."""
        return self._wanted

    def read(self, timeout: float) -> Frame:
        """A frame taken after this call, with its own metadata; CameraError after `timeout` s."""
        if self._camera is None:
            raise CameraError(f"{self._name} is closed", permanent=True)
        try:
            with self._camera.captured_request(wait=timeout) as request:
                image = np.asarray(request.make_array("main"), np.uint8)
                metadata = request.get_metadata()
        except TimeoutError as error:
            self._camera.cancel_all_and_flush()
            raise CameraError(
                f"{self._name} is silent for {timeout:g} s: check its ribbon cable"
            ) from error
        except RuntimeError as error:
            raise CameraError(f"{self._name} gives no picture: {error}") from error
        number, self._number = self._number, self._number + 1
        return Frame(image, number, self._clock.monotonic(), metadata)

    def close(self) -> None:
        """Let the camera go; may be called twice. May block when the camera is broken."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.stop()
            camera.close()

    def _start(self, libcamera: Any, settings: PiSettings, fps: float) -> None:
        camera = self._camera
        self._wanted = {
            name: value
            for name, value in _controls(libcamera.controls, settings, fps).items()
            if name in camera.camera_controls  # asking for one it has not is a RuntimeError
        }
        turned = settings.upside_down
        configuration = camera.create_video_configuration(
            # This name of libcamera's means blue, green, red in memory, as OpenCV wants it.
            main={"size": self.size, "format": "RGB888"},
            raw=None,
            sensor=_whole_sensor(camera.sensor_modes, self.size),
            colour_space=libcamera.ColorSpace.Sycc(),  # the whole range 0 to 255
            transform=libcamera.Transform(hflip=turned, vflip=turned),
            buffer_count=3,
            queue=False,  # a frame taken after it was asked for, not before
            display=None,
            encode=None,
            controls=self._wanted,
        )
        camera.configure(configuration)
        camera.start()


def _controls(controls: Any, settings: PiSettings, fps: float) -> dict[str, Any]:
    microseconds = round(1e6 / fps)
    wanted = {
        "AeEnable": False,
        "ExposureTime": settings.exposure_us,
        "AnalogueGain": settings.gain,
        "AwbEnable": False,
        "ColourGains": settings.colour_gains,
        "NoiseReductionMode": controls.draft.NoiseReductionModeEnum.Fast,
        "Sharpness": 1.0,
        "Contrast": 1.0,
        "FrameDurationLimits": (microseconds, microseconds),
    }
    if settings.focus is not None:
        wanted |= {"AfMode": controls.AfModeEnum.Manual, "LensPosition": settings.focus}
    return wanted


def _whole_sensor(modes: list[dict[str, Any]], size: tuple[int, int]) -> dict[str, Any]:
    """The smallest sensor mode that sees the whole field of view and has enough pixels.

    Left to itself the camera may take a mode that is cropped to the middle of the sensor.
    """
    widest = max(mode["crop_limits"][2] * mode["crop_limits"][3] for mode in modes)
    whole = [m for m in modes if m["crop_limits"][2] * m["crop_limits"][3] >= 0.98 * widest]
    enough = [m for m in whole if m["size"][0] >= size[0] and m["size"][1] >= size[1]]
    best = min(enough or whole, key=lambda mode: int(mode["size"][0] * mode["size"][1]))
    return {"output_size": best["size"], "bit_depth": best["bit_depth"]}
