"""The Pi's camera against a fake picamera2, and the fake against the real one where it is."""

import inspect
import json
import sys
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest

from tests.vision.picamera2_facts import METHODS
from vision.cameras import CameraError, open_camera
from vision.cameras.picamera2 import PiCamera, PiSettings

MODES = [
    {"size": (1536, 864), "bit_depth": 10, "crop_limits": (768, 432, 3072, 1728)},
    {"size": (2304, 1296), "bit_depth": 10, "crop_limits": (0, 0, 4608, 2592)},
    {"size": (4608, 2592), "bit_depth": 10, "crop_limits": (0, 0, 4608, 2592)},
]
CONTROLS = [
    "AeEnable",
    "ExposureTime",
    "AnalogueGain",
    "AwbEnable",
    "ColourGains",
    "NoiseReductionMode",
    "Sharpness",
    "Contrast",
    "FrameDurationLimits",
    "AfMode",
    "LensPosition",
]


class FakeRequest:
    def make_array(self, name):
        assert name == "main"
        return np.full((960, 1280, 3), (10, 20, 30), np.uint8)

    def get_metadata(self):
        return {"ExposureTime": 10000, "AnalogueGain": 2.0, "LensPosition": 2.86}


class FakePicamera2:
    """Only what is used, with the names and the order of the real parameters."""

    connected: ClassVar = [{"Model": "imx708", "Num": 0}]
    fault: Exception | None = None
    lacks: tuple[str, ...] = ()
    made: "FakePicamera2"

    @staticmethod
    def global_camera_info():
        return FakePicamera2.connected

    def __init__(self, camera_num=0):
        if FakePicamera2.fault:
            raise FakePicamera2.fault
        FakePicamera2.made = self
        self.camera_controls = dict.fromkeys(set(CONTROLS) - set(self.lacks))
        self.sensor_modes = MODES
        self.log: list[str] = []
        self.silent = self.broken = False
        self.queued = 0

    def create_video_configuration(
        self,
        main={},  # noqa: B006
        raw={},  # noqa: B006
        transform=None,
        colour_space=None,
        buffer_count=6,
        controls={},  # noqa: B006
        display="main",
        encode="main",
        queue=True,
        sensor={},  # noqa: B006
    ):
        unknown = set(controls) - set(self.camera_controls)
        if unknown:
            raise RuntimeError(f"Control {unknown} is not advertised by libcamera")
        if main["format"] != "RGB888":
            raise ValueError("bad format")
        return locals()

    def configure(self, camera_config=None):
        self.configuration = camera_config
        self.log.append("configure")

    def start(self):
        self.log.append("start")

    def stop(self):
        self.log.append("stop")

    def close(self):
        self.log.append("close")

    @contextmanager
    def captured_request(self, wait=None, flush=None):
        assert wait is not None, "without a limit a lost camera blocks for ever"
        if self.broken:
            raise RuntimeError("camera frontend is gone")
        if self.silent:
            self.queued += 1
            raise TimeoutError
        yield FakeRequest()
        self.log.append("released")

    def cancel_all_and_flush(self):
        self.queued = 0


@pytest.fixture(autouse=True)
def library(monkeypatch):
    picamera2, libcamera = ModuleType("picamera2"), ModuleType("libcamera")
    picamera2.Picamera2 = FakePicamera2
    libcamera.ColorSpace = SimpleNamespace(Sycc=lambda: "sycc")
    libcamera.Transform = lambda hflip, vflip: (hflip, vflip)
    libcamera.controls = SimpleNamespace(
        AfModeEnum=SimpleNamespace(Manual="manual"),
        draft=SimpleNamespace(NoiseReductionModeEnum=SimpleNamespace(Fast="fast")),
    )
    monkeypatch.setitem(sys.modules, "picamera2", picamera2)
    monkeypatch.setitem(sys.modules, "libcamera", libcamera)
    monkeypatch.setattr(FakePicamera2, "fault", None)
    monkeypatch.setattr(FakePicamera2, "connected", [{"Model": "imx708", "Num": 0}])
    monkeypatch.setattr(FakePicamera2, "lacks", ())


def test_a_frame_comes_with_its_own_metadata():
    with PiCamera() as camera:
        frame = camera.read(timeout=2)
        assert frame.image.shape == (960, 1280, 3)
        assert frame.image[0, 0].tolist() == [10, 20, 30]
        assert frame.metadata["ExposureTime"] == 10000
        assert camera.read(timeout=2).number == 1
    assert FakePicamera2.made.log == ["configure", "start", "released", "released", "stop", "close"]


def test_everything_that_would_change_by_itself_is_locked():
    settings = PiSettings(exposure_us=20000, gain=3.0, colour_gains=(1.5, 1.6), focus=2.5)
    with PiCamera(settings=settings, fps=10) as camera:
        configuration = FakePicamera2.made.configuration
        controls = configuration["controls"]
        assert controls == camera.controls
        assert controls["AeEnable"] is controls["AwbEnable"] is False
        assert (controls["ExposureTime"], controls["AnalogueGain"]) == (20000, 3.0)
        assert controls["ColourGains"] == (1.5, 1.6)
        assert (controls["AfMode"], controls["LensPosition"]) == ("manual", 2.5)
        assert controls["FrameDurationLimits"] == (100000, 100000)
        assert configuration["queue"] is False
        assert configuration["colour_space"] == "sycc"
        assert configuration["sensor"] == {"output_size": (2304, 1296), "bit_depth": 10}
        assert configuration["transform"] == (False, False)


def test_a_camera_without_autofocus_is_not_asked_for_it(monkeypatch):
    monkeypatch.setattr(FakePicamera2, "lacks", ("AfMode", "LensPosition"))
    with PiCamera() as camera:
        assert "LensPosition" not in camera.controls
        assert camera.controls["AeEnable"] is False


def test_upside_down_is_turned_by_the_camera():
    with PiCamera(settings=PiSettings(upside_down=True, focus=None)):
        assert FakePicamera2.made.configuration["transform"] == (True, True)
        assert "AfMode" not in FakePicamera2.made.configuration["controls"]


def test_a_silent_camera_is_an_error_that_may_pass_and_leaves_no_request_behind():
    camera = PiCamera()
    FakePicamera2.made.silent = True
    with pytest.raises(CameraError, match=r"silent for 0\.5 s: check its ribbon cable") as caught:
        camera.read(timeout=0.5)
    assert not caught.value.permanent
    assert FakePicamera2.made.queued == 0
    FakePicamera2.made.silent = False
    assert camera.read(timeout=0.5).number == 0


def test_a_camera_that_fails_while_running_may_come_back():
    camera = PiCamera()
    FakePicamera2.made.broken = True
    with pytest.raises(CameraError, match="gives no picture: camera frontend is gone") as caught:
        camera.read(timeout=0.5)
    assert not caught.value.permanent


def test_a_closed_camera_gives_no_pictures():
    camera = PiCamera()
    camera.close()
    camera.close()
    assert FakePicamera2.made.log.count("stop") == 1
    with pytest.raises(CameraError, match="closed"):
        camera.read(timeout=1)


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (RuntimeError("Camera __init__ sequence did not complete."), "is another program using"),
        (IndexError("list index out of range"), "can not be opened"),
    ],
)
def test_a_camera_that_does_not_open_may_open_later(monkeypatch, fault, says):
    monkeypatch.setattr(FakePicamera2, "fault", fault)
    with pytest.raises(CameraError, match=says) as caught:
        PiCamera()
    assert not caught.value.permanent


def test_no_camera_at_all(monkeypatch):
    monkeypatch.setattr(FakePicamera2, "connected", [])
    with pytest.raises(CameraError, match=r"camera 0 is not connected \(0 found\)") as caught:
        open_camera("picamera2")
    assert not caught.value.permanent


def test_settings_that_the_camera_refuses_are_for_good(monkeypatch):
    def refuse(self, camera_config=None):
        raise ValueError("Bad key")

    monkeypatch.setattr(FakePicamera2, "configure", refuse)
    with pytest.raises(CameraError, match="does not accept its settings: Bad key") as caught:
        PiCamera()
    assert caught.value.permanent
    assert FakePicamera2.made.log == ["stop", "close"]


def test_without_the_library_the_sentence_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="sudo apt install python3-picamera2") as caught:
        open_camera("picamera2:1")
    assert caught.value.permanent
    assert "\n" not in str(caught.value)


FACTS = json.loads((Path(__file__).parent / "picamera2_facts.json").read_text(encoding="utf-8"))
"""Signatures of the real library, see `picamera2_facts.py`."""


@pytest.mark.parametrize("version", FACTS)
@pytest.mark.parametrize("name", METHODS)
def test_the_fake_has_the_signatures_of_the_real_one(version, name):
    real = FACTS[version][name]
    given = inspect.signature(getattr(FakePicamera2, name)).parameters.values()
    fake = [(one.name, one.kind.name) for one in given if one.name != "self"]
    # Only what is used stands in the fake, but that in the order and of the kind of the real one.
    assert [(n, kind) for n, kind, _ in real if n in dict(fake)] == fake
    assert all(default for n, _, default in real if n not in dict(fake)), "it can not be left out"


def test_the_fake_has_nothing_that_the_real_one_lacks():
    methods = {n for n, f in vars(FakePicamera2).items() if callable(f) or n in METHODS}
    assert {n for n in methods if not n.startswith("__")} | {"__init__"} == set(METHODS)


def test_the_signatures_that_were_written_down_are_those_of_the_library_here():
    for name in ("picamera2", "libcamera"):
        sys.modules.pop(name, None)
    real = pytest.importorskip("picamera2", reason="picamera2 needs libcamera, a Pi's own package")
    for name in METHODS:
        given = inspect.signature(getattr(real.Picamera2, name)).parameters.values()
        found = [one.name for one in given if one.name != "self"]
        assert found in [[n for n, *_ in facts[name]] for facts in FACTS.values()]
