"""`dicetable calibrate`: what it finds, says, writes; and what the table makes of it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware import calibrated, cli, health_parts
from firmware.commands import calibrate
from firmware.config import Config
from firmware.eye import InlineEye
from firmware.health import Level
from tests.vision.card_drawn import lay_card
from vision.anchors import Trouble
from vision.calibration import CalibrationError, turned
from vision.cameras import open_camera
from vision.cameras.simulated import SimulatedCamera
from vision.cameras.softcam.space import BUILT
from vision.cameras.turned import TurnedCamera
from vision.reading import Image

SIZE = (960, 720)


@pytest.fixture(scope="module")
def camera() -> SimulatedCamera:
    return SimulatedCamera(seed=1, size=SIZE, paced=False, stand=BUILT, felt="navy")


@pytest.fixture(scope="module")
def empty(camera: SimulatedCamera) -> Image:
    return camera.read(1).image


def write(path: Path, image: Image) -> str:
    cv2.imwrite(str(path), image)
    return str(path)


def run(folder: Path, *pictures: Image, more: tuple[str, ...] = ()) -> int:
    files = [write(folder / f"{n}.png", picture) for n, picture in enumerate(pictures)]
    images = [word for file in files for word in ("--image", file)]
    return cli.main(
        ["calibrate", "--camera", "webcam", "--state", str(folder / "state"), *images, *more]
    )


def test_it_finds_writes_and_draws(
    tmp_path: Path,
    camera: SimulatedCamera,
    empty: Image,
    capsys: pytest.CaptureFixture[str],
) -> None:
    card = lay_card(camera, empty)
    assert run(tmp_path, empty, card, more=("--annotate", str(tmp_path / "a" / "out.png"))) == 0
    told = capsys.readouterr().out
    assert "found by its markers" in told
    assert "red is red and blue is blue" in told
    assert "CHANGE" not in told
    drawn = cv2.imread(str(tmp_path / "a" / "out.png"))
    assert drawn is not None
    assert drawn.shape == empty.shape
    known = calibrated.load(tmp_path / "state")
    assert known is not None
    assert known.camera == "webcam"
    assert known.tray.lens is not None
    assert not list((tmp_path / "state").glob("*.part"))


def spot(image: Image) -> Image:
    bright = image.copy()
    cv2.circle(bright, (300, 225), 11, (255, 255, 255), -1)
    return bright


def tinted(image: Image) -> Image:
    return np.clip(image * np.array([0.6, 0.95, 1.1]), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda image: cv2.GaussianBlur(image, (0, 0), 1.4), "not sharp enough"),
        (lambda image: (image * 0.35).astype(np.uint8), "too dark"),
        (lambda image: np.clip(image * 1.6, 0, 255).astype(np.uint8), "too bright"),
        (spot, "on the felt, far left"),
        (tinted, "multiply camera.red_gain by"),
    ],
)
def test_it_says_what_to_change(
    tmp_path: Path,
    empty: Image,
    spoil: object,
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(tmp_path, spoil(empty)) == 1  # type: ignore[operator]
    told = [
        line for line in capsys.readouterr().out.splitlines() if "CHANGE" in line or "->" in line
    ]
    assert any(words in line for line in told), told
    changes = [n for n, line in enumerate(told) if "CHANGE" in line]
    assert all("->" in told[n + 1] for n in changes), "each says what to do"


def test_swapped_colours_are_found_out_with_a_coloured_card_only(
    tmp_path: Path, camera: SimulatedCamera, empty: Image, capsys: pytest.CaptureFixture[str]
) -> None:
    def swapped(image: Image) -> Image:
        return np.ascontiguousarray(image[..., ::-1])

    assert run(tmp_path, swapped(empty), swapped(lay_card(camera, empty))) == 1
    assert "red and blue are swapped" in capsys.readouterr().out
    assert run(tmp_path, swapped(empty), swapped(lay_card(camera, empty, coloured=False))) == 0
    assert "can not be told" in capsys.readouterr().out


def test_flickering_light_is_found_out(
    tmp_path: Path, empty: Image, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = np.arange(SIZE[1])[:, None, None]
    pictures = [
        np.clip(empty * (1 + 0.08 * np.sin(rows / 60 + n)), 0, 255).astype(np.uint8)
        for n in range(5)
    ]
    run(tmp_path, *pictures)
    assert "lamps flicker" in capsys.readouterr().out
    run(tmp_path, *[empty] * 5)
    assert "lamps flicker" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--image", "nothing.png"), "nothing.png is no picture"),
        (("--angle", "500", "--image", "x"), "give 20 to 150 degrees"),
    ],
)
def test_bad_arguments_get_one_sentence(
    tmp_path: Path, more: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["calibrate", "--state", str(tmp_path), *more]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1


def test_pictures_that_do_not_do(
    tmp_path: Path, camera: SimulatedCamera, empty: Image, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, lay_card(camera, empty)) == 2
    assert "empty tray is wanted as well" in capsys.readouterr().err
    assert run(tmp_path, empty, empty[:480, :640]) == 2
    assert "not all of one size" in capsys.readouterr().err
    assert run(tmp_path, np.full((480, 640, 3), 70, np.uint8)) == 2
    assert "printed markers" in capsys.readouterr().err
    assert calibrated.load(tmp_path / "state") is None


def test_the_card_is_asked_for_and_must_be_taken_out(
    camera: SimulatedCamera, empty: Image, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The way with a camera, whose pictures are those of a person who does as asked, or not."""
    card = lay_card(camera, empty)
    asked: list[str] = []
    shown = {"image": empty}

    def ask(question: str) -> str:
        asked.append(question)
        shown["image"] = card if "Lay" in question else empty
        return ""

    def image(self: SimulatedCamera, time: float) -> Image:
        return shown["image"]

    monkeypatch.setattr(SimulatedCamera, "_draw", image)
    args = argparse_of("--camera", "simulated", "--card", "--state", str(tmp_path))
    assert calibrate.run(args, ask) == 0
    assert len(asked) == 2
    assert calibrate.run(args, lambda question: "") == 2  # nothing is laid, nothing taken out
    shown["image"] = card
    without = argparse_of("--camera", "simulated", "--state", str(tmp_path))
    assert calibrate.run(without) == 2


def argparse_of(*words: str) -> object:
    import argparse

    parser = argparse.ArgumentParser()
    calibrate.add_arguments(parser)
    return parser.parse_args(words)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "x"}', "\x00\xff"])
def test_a_broken_file_is_told_and_the_table_goes_on(tmp_path: Path, text: str) -> None:
    (tmp_path / calibrated.FILE_NAME).write_bytes(text.encode("latin-1"))
    with pytest.raises(CalibrationError, match="calibrate again"):
        calibrated.load(tmp_path)
    known, problem = calibrated.for_camera(tmp_path, "webcam")
    assert known is None
    assert problem is not None
    assert str(tmp_path) in problem


def test_a_calibration_is_for_its_camera_only(tmp_path: Path, empty: Image) -> None:
    assert calibrated.for_camera(tmp_path, "simulated") == (None, None)
    assert "not calibrated" in str(calibrated.for_camera(tmp_path, "picamera2")[1])
    run(tmp_path, empty)
    state = tmp_path / "state"
    assert calibrated.for_camera(state, "webcam")[0] is not None
    assert calibrated.for_camera(state, "simulated") == (None, None)
    known, problem = calibrated.for_camera(state, "picamera2")
    assert known is None
    assert "for webcam, not for picamera2" in str(problem)


def test_a_camera_upside_down_plays_upright(
    tmp_path: Path, camera: SimulatedCamera, empty: Image
) -> None:
    run(tmp_path, turned(empty, 180))
    known = calibrated.load(tmp_path / "state")
    assert known is not None
    assert known.turn == 180
    hung = TurnedCamera(camera, 180)  # turned once by its mounting, once by the calibration
    upright = calibrated.upright(hung, known)
    eye = InlineEye(upright, calibrated.make_watcher(upright, 16.0, known))
    seen = [eye.poll()[0] for _ in range(6)]
    assert seen[-1].sight.trouble is None
    assert abs(seen[-1].image.astype(int) - cv2.resize(empty, (640, 480))).mean() < 6
    camera.push(right=20)
    seen = [eye.poll()[0] for _ in range(6)]
    camera.push()
    assert seen[-1].sight.trouble is Trouble.MOVED


def test_turned_cameras_throw_and_close() -> None:
    camera = TurnedCamera(open_camera("simulated:1", paced=False), 90)
    assert camera.size == (480, 640)
    camera.throw(2)
    assert camera.read(1).image.shape == (640, 480, 3)
    camera.close()
    camera.close()


def test_the_doctor_sees_a_moved_camera(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty: Image
) -> None:
    config = Config()

    def found() -> dict[str, Level]:
        findings = health_parts.camera(config, "simulated", tmp_path)
        return {one.part: one.level for one in findings}

    assert "tray" not in found()
    picture = {"image": cv2.resize(empty, (640, 480), interpolation=cv2.INTER_AREA)}
    monkeypatch.setattr(SimulatedCamera, "_draw", lambda self, time: picture["image"])
    assert cli.main(["calibrate", "--camera", "simulated", "--state", str(tmp_path)]) < 2
    assert found()["tray"] is Level.OK
    picture["image"] = np.roll(picture["image"], 8, axis=1)
    assert found()["tray"] is Level.FAULT
    picture["image"] = np.full_like(picture["image"], 20)
    assert found()["tray"] is Level.FAULT
    data = json.loads((tmp_path / calibrated.FILE_NAME).read_text())
    (tmp_path / calibrated.FILE_NAME).write_text(json.dumps({**data, "version": 99}))
    assert found()["tray"] is Level.WARNING
