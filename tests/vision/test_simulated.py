"""The simulated camera: its dice, its truth, its disturbances."""

from collections import Counter
from itertools import groupby, pairwise

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.cameras import CameraError, Thrower, open_camera
from vision.cameras.simulated import SimulatedCamera
from vision.cameras.softcam.dice import (
    ACROSS,
    DICE_SETS,
    NORMALS,
    TILE,
    UP,
    VALUES,
    layout,
    picture_of_faces,
    top_corners,
    top_face,
)
from vision.cameras.softcam.lens import CUBE_TURNS, Lens, matrix
from vision.cameras.softcam.light import LIGHTS
from vision.cameras.softcam.motion import LEANING, LYING, choose_from, load
from vision.cameras.softcam.plate import FELTS
from vision.cameras.softcam.scenes import renumber
from vision.cameras.softcam.space import EDGE, HALF, RIB_FAR
from vision.reading import Problem, Zone
from vision.watch import State

cv2.setNumThreads(1)  # small pictures: threads only get in each other's way


@pytest.fixture(scope="module")
def small() -> SimulatedCamera:
    """One camera for the tests that leave nothing behind; drawing a tray takes a while."""
    return SimulatedCamera(seed=1, size=(320, 240), paced=False, cocked_share=0)


def until_quiet(camera: SimulatedCamera) -> list[State]:
    """Read until nothing goes on; the states without repetition."""
    states = [State(camera.read(1).metadata["state"])]
    while camera.busy:
        states.append(State(camera.read(1).metadata["state"]))
    return [state for state, _ in groupby(states)]


# ------------------------------------------------------------------------------------- dice, motion


def test_a_die_is_a_western_die():
    assert sorted(VALUES) == [1, 2, 3, 4, 5, 6]
    assert all(VALUES[f] + VALUES[f + 3] == 7 for f in range(3))
    one, two, three = (NORMALS[VALUES.index(v)] for v in (1, 2, 3))
    assert np.linalg.det([one, two, three]) == pytest.approx(1)
    assert np.allclose(np.cross(ACROSS, UP), NORMALS)


def test_a_cube_has_24_turns():
    assert len({turn.tobytes() for turn in CUBE_TURNS}) == 24
    assert Counter(VALUES[top_face(t)[0]] for t in CUBE_TURNS) == dict.fromkeys(range(1, 7), 4)


@pytest.mark.parametrize("value", range(1, 7))
def test_faces_show_as_many_pips_as_they_are_worth(value):
    dice = DICE_SETS["white"]
    colour, slope = picture_of_faces(dice)
    face = VALUES.index(value)
    row, column = divmod(face, 3)
    tile = np.s_[row * TILE : (row + 1) * TILE, column * TILE : (column + 1) * TILE]
    dark = (colour[tile].mean(axis=-1) < 0.3).sum()
    pip = np.pi * (dice.pip_radius / EDGE * TILE * 0.94) ** 2
    assert dark == pytest.approx(value * pip, rel=0.08)
    assert len(set(layout(value, 0.4))) == value
    assert np.abs(slope[tile]).max() > 0.3


def test_recorded_throws_start_outside_and_end_where_they_should():
    assert {m.poses.shape[1] for m in load()} == {1, 2, 3, 4, 5}
    for motion in load():
        first, last = motion.poses[0], motion.poses[-1]
        assert (np.abs(first[:, :2]).max(axis=1) > HALF).any() or (first[:, 2] > 5).all()
        assert (np.abs(last[:, 0]) < HALF).all()
        assert ((last[:, 1] > RIB_FAR) & (last[:, 1] < HALF)).all()
        flat = [
            top_face(matrix(pose[3:]))[1] < 0.5 and abs(pose[2] - EDGE / 2) < 0.05 for pose in last
        ]
        assert all(flat) == (motion.kind == LYING)


@given(st.sampled_from(load()), st.floats(-1, 3), st.floats(0, 0.02))
def test_motion_is_smooth_and_ends_at_rest(motion, time, step):
    a, b = motion.at(time), motion.at(time + step)
    assert np.abs(b[:, :3] - a[:, :3]).max() <= 400 * step + 0.01
    assert np.allclose(np.linalg.norm(a[:, 3:], axis=1), 1)
    assert np.array_equal(motion.at(motion.seconds + abs(time)), motion.poses[-1])


def test_a_mirrored_throw_is_a_throw():
    for motion in load()[::30]:
        mirrored = motion.mirrored()
        for pose, other in zip(motion.poses[-1], mirrored.poses[-1], strict=True):
            flip = np.diag([-1, 1, 1])
            assert np.allclose(flip @ matrix(pose[3:]) @ flip, matrix(other[3:]), atol=1e-9)
            assert np.allclose(other[:3], flip @ pose[:3])


def test_the_lens_projects_what_its_rays_hit():
    lens = Lens((320, 240))
    rays = lens.rays((100, 80, 110, 90)).astype(float)
    far = -lens.place[2] / rays[..., 2]
    floor = lens.place + rays * far[..., None]
    x, y = np.meshgrid(np.arange(100, 110) + 0.5, np.arange(80, 90) + 0.5)
    pixels = lens.project(floor.reshape(-1, 3)).reshape(10, 10, 2)
    assert np.allclose(pixels, np.stack([x, y], axis=-1), atol=1e-3)


# ------------------------------------------------------------------------------------------ throws


def test_a_throw_rolls_in_and_lies(small):
    small.clear()
    until_quiet(small)
    assert (small.state, small.truth.values) == (State.EMPTY, ())
    small.throw(3, values=(6, 1, 4))
    assert until_quiet(small) == [State.MOVING, State.AT_REST]
    assert small.truth.values == (6, 4, 1)
    assert small.truth.problems == ()
    assert isinstance(small, Thrower)


def test_the_truth_is_where_the_picture_has_dice(small):
    small.clear()
    until_quiet(small)
    empty = small.read(1).image.astype(int)
    small.throw(5)
    until_quiet(small)
    off = np.abs(small.read(1).image - empty).sum(axis=2)
    for die in small.truth.dice:
        (x0, y0), (x1, y1) = np.min(die.corners, axis=0), np.max(die.corners, axis=0)
        assert off[int(y0) : int(y1), int(x0) : int(x1)].mean() > 60
        assert small.tray.zone_of(die.centre) is Zone.TRAY
        assert small.tray.contains(die.centre)
    assert np.median(off) < 20


def test_kept_dice_lie_in_the_rail(small):
    small.throw(5, values=(6, 6, 3, 2, 1))
    until_quiet(small)
    small.throw(3, kept=(6, 6), values=(6, 5, 5))
    assert until_quiet(small) == [State.HAND, State.MOVING, State.AT_REST]
    small.throw(2, kept=(6, 6, 6), values=(4, 4))
    until_quiet(small)
    zones = {zone: [d.value for d in small.truth.dice if d.zone is zone] for zone in Zone}
    assert zones == {Zone.RAIL: [6, 6, 6], Zone.TRAY: [4, 4]}
    assert all(small.tray.zone_of(d.centre) is d.zone for d in small.truth.dice)
    places = [d.centre for d in small.truth.dice if d.zone is Zone.RAIL]
    assert all(abs(a[0] - b[0]) > 15 for a, b in pairwise(places))


def test_dice_are_fair():
    rng = np.random.default_rng(0)
    counts: Counter[int] = Counter()
    for motion in choose_from(5, LYING):
        turns = renumber(motion, [None] * 5, rng)
        for pose, turn in zip(motion.poses[-1], turns, strict=True):
            counts[VALUES[top_face(matrix(pose[3:]) @ turn)[0]]] += 1
    assert sum(counts.values()) == 5 * len(choose_from(5, LYING))
    expected = sum(counts.values()) / 6
    assert sum((n - expected) ** 2 / expected for n in counts.values()) < 15.1  # p = 0.01


def test_a_cocked_die_has_no_value(small):
    small.throw(2, cocked=True)
    until_quiet(small)
    assert small.truth.values is None
    assert small.truth.problems[0] in (Problem.COCKED, Problem.STACKED)
    assert any(die.value is None for die in small.truth.dice)
    assert choose_from(2, LEANING)


def test_one_die_spins_while_the_others_lie(small):
    small.clear()
    until_quiet(small)
    small.throw(2, values=(5, 3), spin=True)
    moving = 0
    while small.busy:
        frame = small.read(1)
        moving += frame.metadata["state"] == State.MOVING
        if frame.metadata["state"] == State.MOVING:
            assert small.truth.values is None
            assert Problem.MOVING in small.truth.problems
    assert moving / 15 > 2.2
    assert small.truth.values == (5, 3)


def test_a_hand_takes_one_die(small):
    small.throw(3)
    until_quiet(small)
    before = small.truth.values
    small.take_one()
    assert until_quiet(small) == [State.HAND, State.AT_REST]
    assert len(small.truth.dice) == 2
    assert not Counter(small.truth.values) - Counter(before)


@pytest.mark.parametrize(
    ("disturb", "seen"),
    [
        ("knock", State.MOVING),
        ("flicker", State.MOVING),
        ("wave", State.HAND),
        ("glare", State.AT_REST),
        ("dim", State.AT_REST),
    ],
)
def test_disturbances_change_the_picture_and_pass(small, disturb, seen):
    small.throw(2)
    until_quiet(small)
    still = small.read(1).image.astype(np.float32)
    values = small.truth.values

    def changed(image):
        """The share of the picture that is another, noise apart."""
        return (np.abs(cv2.blur(image - still, (7, 7))) > 6).mean()

    assert changed(small.read(1).image) < 0.0005
    getattr(small, disturb)()
    frames = [small.read(1) for _ in range(5)]
    assert {frame.metadata["state"] for frame in frames} >= {seen}
    assert max(changed(frame.image) for frame in frames) > 0.005
    until_quiet(small)
    assert changed(small.read(1).image) < 0.0005
    assert small.truth.values == values


def test_the_same_seed_gives_the_same_frames():
    def pictures(seed):
        with SimulatedCamera(seed=seed, size=(320, 240), paced=False) as camera:
            camera.throw(3)
            return [camera.read(1).image for _ in range(12)]

    first, again, other = pictures(3), pictures(3), pictures(4)
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first[-1], other[-1])


LOOKS = [(dice_set, "grey", "bars") for dice_set in DICE_SETS]
LOOKS += [("white", felt, list(LIGHTS)[i % len(LIGHTS)]) for i, felt in enumerate(FELTS)]


@pytest.mark.parametrize(("dice_set", "felt", "light"), LOOKS)
def test_every_set_of_dice_every_felt_and_every_light_can_be_drawn(dice_set, felt, light):
    looks = {"dice_set": dice_set, "felt": felt, "light": light}
    camera = SimulatedCamera(seed=1, size=(320, 240), paced=False, hands=False, **looks)
    empty = camera.read(1).image.astype(int)
    assert 8 < empty.mean() < 160
    camera.throw(2, cocked=False)
    for _ in range(25):
        picture = camera.read(1).image
    assert camera.state is State.AT_REST
    for die in camera.truth.dice:
        x, y = (int(v) for v in die.centre)
        assert np.abs(picture - empty)[y - 4 : y + 5, x - 4 : x + 5].max() > 25


def test_without_hands_dice_are_gone_at_once():
    camera = SimulatedCamera(seed=1, size=(320, 240), paced=False, hands=False)
    camera.throw(2, values=(6, 5))
    until_quiet(camera)
    camera.throw(2, kept=(6,), values=(1, 1))
    assert State.HAND not in until_quiet(camera)
    assert camera.truth.values == (6, 1, 1)


@pytest.mark.parametrize(
    "arguments",
    [
        {"dice": 0},
        {"dice": 6},
        {"dice": 2, "values": (1,)},
        {"dice": 1, "values": (7,)},
        {"dice": 1, "kept": (0,)},
        {"dice": 1, "kept": (1,) * 6},
    ],
)
def test_throws_that_make_no_sense_are_refused(small, arguments):
    with pytest.raises(ValueError, match="dice"):
        small.throw(**arguments)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"dice_set": "jade"}, "'jade' is none of white, ivory"),
        ({"felt": "pink"}, "'pink' is none of green"),
        ({"light": "sun"}, "'sun' is none of bars"),
        ({"size": (640, 640)}, "must be 4:3"),
        ({"size": (160, 120)}, "at least 320x240"),
    ],
)
def test_a_camera_that_can_not_be_simulated_is_refused(arguments, says):
    with pytest.raises(CameraError, match=says):
        SimulatedCamera(**arguments)


def test_it_is_opened_by_its_name():
    with open_camera("simulated:7", size=(320, 240), paced=False) as camera:
        assert isinstance(camera, SimulatedCamera)
        assert camera.seed == 7
        frame = camera.read(1)
        assert frame.image.shape == (240, 320, 3)
        assert frame.metadata["state"] == "empty"
    with pytest.raises(CameraError, match="closed"):
        camera.read(1)


def test_top_corners_are_on_top():
    place = np.array([1.0, 2.0, EDGE / 2])
    for turn in CUBE_TURNS:
        corners = top_corners(place, turn)
        assert np.allclose(corners[:, 2], EDGE)
        assert np.allclose(corners.mean(axis=0), [1, 2, EDGE])
