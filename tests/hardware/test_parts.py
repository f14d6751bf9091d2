"""The printed parts as committed: of these sources, watertight, fit for a small printer."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.markers import dictionary

HARDWARE = Path(__file__).resolve().parents[2] / "hardware"
MAKEFILE = (HARDWARE / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
PARTS = tuple(next(line for line in MAKEFILE.splitlines() if line.startswith("PARTS")).split()[2:])
GUIDE = (HARDWARE / "README.md").read_text(encoding="utf-8")


def triangles(part: str) -> np.ndarray:
    """The corners of a binary STL, shape (n, 3 corners, 3), in millimetres."""
    data = (HARDWARE / "stl" / f"{part}.stl").read_bytes()
    kind = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("flags", "<u2")])
    count = int.from_bytes(data[80:84], "little")
    assert len(data) == 84 + count * kind.itemsize, "not a binary STL"
    return np.frombuffer(data, kind, count, 84)["corners"]


def test_parts_are_made_from_these_sources() -> None:
    lines = (HARDWARE / "stl" / "sources.sha256").read_text(encoding="utf-8").splitlines()
    recorded = {name: digest for digest, name in (line.split() for line in lines)}
    now = {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in HARDWARE.glob("*.scad")}
    assert recorded == now, "run `make hardware`"


def test_there_is_no_part_too_many_or_too_few() -> None:
    assert len(PARTS) == 11
    assert {path.stem for path in (HARDWARE / "stl").glob("*.stl")} == set(PARTS)
    offered = re.findall(r'part == "(\w+)"', (HARDWARE / "table.scad").read_text(encoding="utf-8"))
    assert set(offered) == {*PARTS, "table"}


@pytest.mark.parametrize("part", PARTS)
def test_part_is_watertight_and_fits_the_bed(part: str) -> None:
    corners = triangles(part)
    size = corners.reshape(-1, 3).max(axis=0) - corners.reshape(-1, 3).min(axis=0)
    assert (size <= 200).all(), size
    assert (size >= 2).all(), size
    # Every edge is used once in each direction by two triangles.
    _, points = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    faces = points.reshape(-1, 3)
    edges = np.concatenate([faces[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))])
    forth = {tuple(edge) for edge in edges.tolist()}
    assert len(forth) == len(edges)
    assert forth == {(b, a) for a, b in forth}
    # And the surface looks outwards: its signed volume is positive.
    a, b, c = (corners[:, k].astype(float) for k in range(3))
    assert np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6 > 1000


def test_the_drawn_markers_are_those_the_reader_knows() -> None:
    drawn = re.findall(r'"([01]{4})"', (HARDWARE / "table.scad").read_text(encoding="utf-8"))
    cells = [cv2.aruco.generateImageMarker(dictionary(), n, 6)[1:5, 1:5] // 255 for n in range(4)]
    assert drawn == ["".join(map(str, row)) for marker in cells for row in marker]


def test_every_part_and_step_has_its_picture_in_the_guide() -> None:
    shown = set(re.findall(r"\((pictures/\w+\.png|wiring\.svg)\)", GUIDE))
    made = {f"pictures/{path.name}" for path in (HARDWARE / "pictures").iterdir()} | {"wiring.svg"}
    assert shown == made
    assert all((HARDWARE / name).exists() for name in shown)
