"""The measures in hardware/parameters.scad against what the reader needs."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.recording import load_recordings

ROOT = Path(__file__).resolve().parents[2]
HARDWARE = ROOT / "hardware"

FUNCTIONS = {
    "tan": lambda degrees: math.tan(math.radians(degrees)),
    "atan": lambda x: math.degrees(math.atan(x)),
    "sqrt": math.sqrt,
}


@pytest.fixture(scope="module")
def p() -> dict[str, float]:
    """Every measure and what is derived from it, by name; needs no OpenSCAD."""
    values: dict[str, float] = {}
    for line in (HARDWARE / "parameters.scad").read_text(encoding="utf-8").splitlines():
        code = line.split("//")[0].strip()
        if code:
            match = re.fullmatch(r"\$?(\w+)\s*=\s*([\w\s.+*/()-]+);", code)
            assert match, f"parameters.scad: not a plain assignment: {line!r}"
            names = {"__builtins__": {}} | FUNCTIONS | values
            values[match[1]] = float(eval(match[2], names))
    return values


@pytest.mark.skipif(shutil.which("openscad") is None, reason="OpenSCAD is not installed")
def test_openscad_derives_the_same(p: dict[str, float], tmp_path: Path) -> None:
    names = [name for name in p if name != "fn"]
    lines = [f"include <{HARDWARE / 'parameters.scad'}>"]
    lines += [f'echo("{name}", {name});' for name in names]
    (tmp_path / "echo.scad").write_text("\n".join(lines), encoding="utf-8")
    out = tmp_path / "out.echo"
    subprocess.run(["openscad", "-o", out, tmp_path / "echo.scad"], check=True, capture_output=True)
    theirs = dict(re.findall(r'"(\w+)", ([-\d.e]+)', out.read_text(encoding="utf-8")))
    assert {name: float(theirs[name]) for name in names} == pytest.approx(
        {name: p[name] for name in names}, rel=1e-4
    )


def test_the_reader_was_measured_on_dice_so_small(p: dict[str, float]) -> None:
    """The smallest die is no smaller in this table's picture than in the recordings."""
    edges = []
    for recording in load_recordings(ROOT / "tests" / "recordings" / "stills"):
        for die in recording.truth.dice:
            corners = np.array(die.corners)
            edges.append(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    assert len(edges) > 100
    assert p["die_px"] >= min(edges)
    assert 16 * p["px_per_mm"] >= np.percentile(edges, 25)
    assert p["pip_px"] >= 5


def test_field_of_view_is_that_of_a_4_3_picture(p: dict[str, float]) -> None:
    """The data sheet's 66 degrees belong to the sensor's whole 16:9 width, 4608 x 2592."""
    width_4_3 = 2592 * 4 / 3
    assert p["px_w"] / p["px_h"] == pytest.approx(4 / 3)
    full = math.tan(math.radians(66 / 2))
    assert 2 * math.degrees(math.atan(full * width_4_3 / 4608)) == pytest.approx(p["hfov"], abs=0.1)


def test_tray_rim_and_markers_are_in_the_picture(p: dict[str, float]) -> None:
    assert p["rim_margin_w"] > 10
    assert p["rim_margin_d"] > 10, "the camera hangs too low"
    assert p["tilt_max"] > 1.2, "a camera is not mounted straighter than that by hand"
    assert p["marker"] + 2 * p["marker"] / 6 <= p["wall_t"] + 1e-9
    assert p["marker_cell_px"] > 4


@pytest.mark.parametrize("marker", range(4))
def test_a_marker_is_found_at_the_size_it_has_in_the_picture(
    p: dict[str, float], marker: int
) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    side = round(6 * p["marker_cell_px"])
    picture = np.full((240, 240), 200, np.uint8)
    picture[90 : 90 + side, 90 : 90 + side] = cv2.resize(
        cv2.aruco.generateImageMarker(dictionary, marker, 120),
        (side, side),
        interpolation=cv2.INTER_AREA,
    )
    blurred = cv2.GaussianBlur(picture, (0, 0), 1.2)
    _, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(blurred)
    assert ids is not None
    assert ids.ravel().tolist() == [marker]


def test_nothing_hides_a_die(p: dict[str, float]) -> None:
    assert p["ridge_hides"] < 0.5, "the ridge of the rail hides the top of a small die"
    assert p["slant_max"] < 25, "in the corners one sees more of a die's side than of its top"


def test_light_makes_no_glare_and_is_not_seen(p: dict[str, float]) -> None:
    """A die's top is a flat mirror: where it would show a lamp to the lens, no die may lie."""
    assert p["light_out_of_view"] > 20
    for height in (0.0, p["die_min"], p["die_max"]):
        lens, lamp = p["lens_h"] - height, p["light_h"] - height
        near = (p["light_x"] - p["profile_w"] / 2) * lens / (lens + lamp)
        screen = p["screen_y"] * lens / (lens + p["screen_h"] - height)
        assert min(near, screen) > p["tray_w"] / 2 + 5
    assert p["glare_margin"] > 10
    assert p["screen_glare_margin"] > 10


def test_light_is_even(p: dict[str, float]) -> None:
    """Two Lambertian bars: README says that the darkest place has two thirds of the brightest."""
    half = p["tray_w"] / 2 - p["die_min"] / 2
    grid = np.linspace(-half, half, 15)
    x, y = np.meshgrid(grid, grid)
    light = np.zeros_like(x)
    for side in (1, -1):
        aim = np.array([side * (p["light_aim_x"] - p["light_x"]), 0, -p["light_h"]])
        aim /= np.linalg.norm(aim)
        for along in np.linspace(-p["light_l"] / 2, p["light_l"] / 2, 31):
            ray = np.stack(
                [x - side * p["light_x"], y - along, np.full_like(x, -p["light_h"])], axis=-1
            )
            distance = np.linalg.norm(ray, axis=-1)
            unit = ray / distance[..., None]
            light += np.clip(unit @ aim, 0, None) * -unit[..., 2] / distance**2
    assert light.min() / light.max() == pytest.approx(2 / 3, abs=0.04)
    # A Lambertian bar of 300 lm, in 31 pieces: I = flux / (31 pi); square millimetres to metres.
    lux = light * 300 / (31 * math.pi) * 1e6
    assert 1000 <= lux.min() <= lux.max() <= 1500
    # What the camera wants, by the light meter's formula E = 250 N^2 / (t S): f/1.8, 10 ms, gain 2.
    wanted = 250 * 1.8**2 / (0.010 * 2 * 100)
    assert lux.min() > 2 * wanted


def test_the_frame_fits_together(p: dict[str, float]) -> None:
    assert p["cable_needed"] <= p["cable"], "the camera's cable is too short"
    assert 2 * p["post_x"] + 64 <= p["base_w"], "a post's foot hangs over the base board"
    assert p["outer_d"] + p["console_d"] + 14 <= p["base_d"]
    assert p["outer_w"] / 2 <= p["bed"]
    assert p["post_x"] - 32 > p["outer_w"] / 2, "the foot stands in the tray's wall"
    assert 3 * p["button_gap"] + p["button_d"] < p["outer_w"] - 20


def test_the_guide_s_figures_are_these(p: dict[str, float]) -> None:
    guide = (HARDWARE / "README.md").read_text(encoding="utf-8")
    diagonal = math.hypot(p["tray_w"], p["tray_d"])
    for words in (
        f"| seen on the felt | {p['view_w']:.0f} x {p['view_d']:.0f} mm |",
        f"| beyond the rim, near and far | {p['rim_margin_d']:.1f} mm on each side |",
        f"lean at most | {p['tilt_max']:.1f} degrees |",
        f"at 1280 x 960 | {p['px_per_mm']:.2f} |",
        f"a 16 mm die | {16 * p['px_per_mm']:.0f} pixels, its pips "
        f"{16 * p['px_per_mm'] * p['pip_share']:.0f} |",
        f"a 12 mm die | {p['die_px']:.1f} pixels, its pips {p['pip_px']:.0f} |",
        f"rim marker | {p['marker_cell_px']:.1f} pixels |",
        f"51.9 x {2 * math.degrees(math.atan(p['tan_v'])):.1f} degrees",
        f"{p['glare_x']:.0f} mm from\n  the middle, {p['glare_margin']:.0f} mm beyond",
        f"The bars are {p['light_out_of_view']:.0f} mm outside",
        f"({p['cable_needed']:.0f} mm)",
        f"floor: {diagonal:.0f} mm",
        f"Base board {p['base_w']:.0f} x {p['base_d']:.0f} mm".replace("B", "b"),
        f"must be **{p['lens_h']:.0f} mm** above the felt",
        f"at most {p['ridge_hides']:.1f} mm of the top of a 12 mm die",
        f"{p['light_x']:.0f} mm from the middle and {p['light_h']:.0f} mm above",
        f"two of {p['post_l']:.0f} mm and one crossbar of {p['bar_l']:.0f} mm",
        f"{p['post_x']:.0f} mm left and right of the middle",
    ):
        assert words in guide, words
