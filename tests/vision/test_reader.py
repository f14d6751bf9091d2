"""The composition: agreement of the opinions, the problems, and the recorded stills."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.bench import Result, Tally, Verdict, load_cases, measure
from vision.faces import FaceNet
from vision.reader import GRAVITY, Limits, Opinions, Reader
from vision.reading import Problem, Reading, Zone
from vision.tray import Tray

RECORDINGS = Path(__file__).parents[1] / "recordings"

_SPEC = importlib.util.spec_from_file_location(
    "faces_drawn", Path(__file__).with_name("faces_drawn.py")
)
assert _SPEC is not None
assert _SPEC.loader is not None
drawn = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(drawn)

Quad = npt.NDArray[np.float32]


@dataclass
class Seen:
    corners: Quad
    score: float = 1.0
    cocked: float = 0.0
    stacked: float = 0.0


class GivenFinder:
    """A finder that sees what it is told."""

    def __init__(self, seen: Sequence[Seen], hand: float = 0.0) -> None:
        self.seen, self.hand = seen, hand
        self.asked: list[float | None] = []

    def find(self, image: object, edge_px: float | None = None) -> Sequence[Seen]:
        self.asked.append(edge_px)
        return self.seen


class GivenFaces:
    """A trained opinion that says what it is told: one face and how likely, for each die."""

    def __init__(self, says: Sequence[tuple[int, float]]) -> None:
        self.says = says

    def crop(self, image: npt.NDArray[np.uint8], corners: Quad) -> npt.NDArray[np.uint8]:
        return FaceNet.crop(image, corners)

    def classify(self, patches: Sequence[npt.NDArray[np.uint8]]) -> npt.NDArray[np.float32]:
        rows = np.zeros((len(patches), 8), np.float32)
        for row, (face, sure) in zip(rows, self.says, strict=True):
            row[:] = (1 - sure) / 7
            row[face] = sure
        return rows


def scene(values: Sequence[int], edge: float = 46) -> tuple[npt.NDArray[np.uint8], list[Quad]]:
    """Drawn dice in a row, well apart."""
    image = drawn.blank(1152, 160)
    quads = []
    for i, value in enumerate(values):
        quad = drawn.square((70 + 100 * i, 80), edge, 13 * i)
        drawn.draw_die(image, quad, value)
        quads.append(quad)
    return image, quads


def read(
    values: Sequence[int],
    says: Sequence[tuple[int, float]],
    seen: Sequence[Seen] | None = None,
    hand: float = 0.0,
    dice: int | None = None,
):
    image, quads = scene(values)
    seen = seen if seen is not None else [Seen(quad) for quad in quads]
    return Reader(GivenFinder(seen, hand), GivenFaces(says)).read(image, dice)


def test_both_agree() -> None:
    reading = read([6, 2, 5], [(6, 0.99), (2, 0.99), (5, 0.99)])
    assert reading.values == (6, 5, 2)
    assert reading.problems == ()
    assert all(die.confidence > 0.9 for die in reading.dice)
    assert reading.size == (1152, 160)
    assert reading.ms > 0


@pytest.mark.parametrize("sure", [0.6, 0.9, 0.999])
def test_disagreement_is_no_reading(sure: float) -> None:
    """However sure the trained opinion is: pips that are plain to see contradict it."""
    reading = read([6, 4], [(5, sure), (4, 0.99)])
    assert reading.values is None
    assert reading.problems == (Problem.UNCLEAR,)
    wrong, right = reading.dice
    assert wrong.value is None
    assert wrong.problem is Problem.UNCLEAR
    assert wrong.alternative == 5, "the likeliest face is offered first for the correction"
    assert right.value == 4


@pytest.mark.parametrize(("sure", "value"), [(0.999, 3), (0.8, None)])
def test_where_the_pips_say_nothing_the_other_must_be_surer(sure: float, value: int | None) -> None:
    image = drawn.blank()
    quad = drawn.square((80, 80), 46, 10)
    cv2.fillConvexPoly(image, quad.astype(np.int32), (250, 250, 250))  # all glare
    die = Reader(GivenFinder([Seen(quad)]), GivenFaces([(3, sure)])).read(image).dice[0]
    assert die.value == value


def test_the_trained_opinion_does_not_decide_alone_what_a_highlight_may_hide() -> None:
    """A red two whose middle is glare may be a three."""
    image = drawn.blank()
    quad = drawn.square((80, 80), 60, 0)
    cv2.fillConvexPoly(image, quad.astype(np.int32), (30, 20, 150))
    cv2.circle(image, (80, 80), 14, (255, 255, 255), -1)
    reader = Reader(GivenFinder([Seen(quad)]), GivenFaces([(2, 0.999)]))
    assert reader.read(image).dice[0].problem is Problem.UNCLEAR


def test_either_opinion_alone() -> None:
    image, quads = scene([6, 2])
    seen = GivenFinder([Seen(quad) for quad in quads])
    lies = GivenFaces([(1, 0.999), (1, 0.999)])
    assert Reader(seen, lies, opinions=Opinions.PIPS).read(image).values == (6, 2)
    assert Reader(seen, lies, opinions=Opinions.FACES).read(image).values == (1, 1)


@pytest.mark.parametrize(
    ("cues", "problem"),
    [
        ({"cocked": 0.97}, Problem.COCKED),
        ({"stacked": 0.9}, Problem.STACKED),
        ({"cocked": 0.6, "stacked": 0.9}, Problem.STACKED),
        ({"cocked": 0.97, "stacked": 0.6}, Problem.COCKED),
    ],
)
def test_a_leaning_or_stacked_die_is_refused_by_name(
    cues: dict[str, float], problem: Problem
) -> None:
    _, quads = scene([6, 4])
    reading = read([6, 4], [(6, 0.99), (4, 0.99)], [Seen(quads[0], **cues), Seen(quads[1])])
    assert reading.problems == (problem,)
    assert reading.values is None
    assert [die.problem for die in reading.dice] == [problem, None]
    assert reading.dice[0].alternative == 6


def test_the_face_net_alone_stops_a_reading() -> None:
    assert read([6, 4], [(7, 0.9), (4, 0.99)]).problems == (Problem.UNCLEAR,)


def test_a_die_apart_is_no_pile_where_all_that_are_due_are_seen() -> None:
    """Nothing can be hidden under it then; leaning on a wall it may be all the same."""
    _, quads = scene([6, 4])
    says = [(6, 0.99), (4, 0.99)]
    piled = [Seen(quads[0], stacked=0.9), Seen(quads[1])]
    assert read([6, 4], says, piled).problems == (Problem.STACKED,)
    assert read([6, 4], says, piled, dice=2).values == (6, 4)
    assert Problem.STACKED in read([6, 4], says, piled, dice=3).problems
    either = [Seen(quads[0], cocked=0.3, stacked=0.6), Seen(quads[1])]
    assert read([6, 4], says, either, dice=2).problems == (Problem.COCKED,)


def test_a_die_beside_another_may_be_a_pile_although_all_are_seen() -> None:
    image = drawn.blank(1152, 160)
    quads = [drawn.square((x, 80), 46, 0) for x in (70, 120)]
    for quad in quads:
        drawn.draw_die(image, quad, 6)
    seen = [Seen(quads[0], stacked=0.9), Seen(quads[1])]
    reading = Reader(GivenFinder(seen), GivenFaces([(6, 0.99), (6, 0.99)])).read(image, 2)
    assert reading.problems == (Problem.STACKED,)


def test_how_a_die_rests_is_not_judged_from_nearer_than_a_table_s_camera() -> None:
    """From near a die shows more of its sides: only its own view was taught."""
    image, quads = scene([6, 4], edge=46)
    seen = [Seen(quads[0], cocked=0.97), Seen(quads[1])]
    reader = Reader(GivenFinder(seen), GivenFaces([(6, 0.99), (4, 0.99)]))
    assert reader.read(image).problems == (Problem.COCKED,)
    near = np.ascontiguousarray(image[:, :240])
    assert reader.read(near).values == (6, 4)
    tray = Tray(((0, 0), (240, 0), (240, 160), (0, 160)))
    assert reader.read(near, tray=tray).problems == (Problem.COCKED,)


def test_what_is_refused_anyhow_is_named_as_what_it_probably_is() -> None:
    _, quads = scene([6, 4])
    perhaps = [Seen(quads[0], cocked=0.4), Seen(quads[1])]
    assert read([6, 4], [(6, 0.99), (4, 0.99)], perhaps).values == (6, 4)
    assert read([6, 4], [(5, 0.99), (4, 0.99)], perhaps).problems == (Problem.COCKED,)
    pile = [Seen(quads[0], stacked=0.4), Seen(quads[1])]
    short = read([6, 4], [(6, 0.99), (4, 0.99)], pile, dice=3)
    assert short.problems == (Problem.STACKED, Problem.WRONG_COUNT)


def test_the_side_of_a_die_seen_aslant_is_no_die() -> None:
    """From so near that it is no table's camera; there what lies so near is a pile."""
    image = drawn.blank(400, 160)
    top, side = drawn.square((80, 60), 46, 0), drawn.square((80, 94), 40, 0)
    drawn.draw_die(image, top, 6)
    seen = GivenFinder([Seen(top), Seen(side, score=0.8)])
    assert Reader(seen, GivenFaces([(6, 0.99), (0, 0.9)])).read(image).values == (6,)
    wide = cv2.copyMakeBorder(image, 0, 700, 0, 700, cv2.BORDER_REPLICATE)
    assert Problem.STACKED in Reader(seen, GivenFaces([(6, 0.99), (0, 0.5)])).read(wide).problems


def test_a_side_is_told_by_how_foreshortened_it_is_though_it_shows_a_face() -> None:
    image = drawn.blank(400, 160)
    top = drawn.square((80, 60), 46, 0)
    side = np.array([(57, 83), (103, 83), (103, 109), (57, 109)], np.float32)
    drawn.draw_die(image, top, 6)
    drawn.draw_die(image, side, 4)

    seen = GivenFinder([Seen(top), Seen(side)])
    reader = Reader(seen, GivenFaces([(6, 0.99), (4, 0.99)]))
    assert reader.read(image).values == (6,)
    wide = cv2.copyMakeBorder(image, 0, 700, 0, 700, cv2.BORDER_REPLICATE)
    assert reader.read(wide).values == (6,)
    tray = Tray(((5, 5), (155, 5), (155, 155), (5, 155)), size_mm=(50, 50))
    leaning = reader.read(image, tray=tray)
    assert Problem.COCKED in leaning.problems, "in a known tray it is a die that leans"


def test_overlapping_faces_are_stacked() -> None:
    image, quads = scene([6, 4])
    low = Seen(quads[0] + np.float32(20))
    reader = Reader(GivenFinder([Seen(quads[0]), low]), GivenFaces([(6, 0.99), (6, 0.99)]))
    assert Problem.STACKED in reader.read(image).problems


def test_what_leans_on_a_die_is_named_as_leaning() -> None:
    image, quads = scene([6, 4])
    leaning = Seen(quads[0] + np.float32(20), cocked=0.9)
    reader = Reader(GivenFinder([Seen(quads[0]), leaning]), GivenFaces([(6, 0.99), (6, 0.99)]))
    assert Problem.COCKED in reader.read(image).problems
    assert Problem.STACKED not in reader.read(image).problems


def test_dice_side_by_side_are_not_stacked() -> None:
    image = drawn.blank(240, 160)
    quads = [drawn.square((80, 80), 46), drawn.square((126, 80), 46)]
    for quad, value in zip(quads, (6, 3), strict=True):
        drawn.draw_die(image, quad, value)
    reader = Reader(GivenFinder([Seen(q) for q in quads]), GivenFaces([(6, 0.99), (3, 0.99)]))
    assert reader.read(image).values == (6, 3)


@pytest.mark.parametrize("dice", [1, 3, 40])
def test_another_number_is_a_problem(dice: int) -> None:
    reading = read([6, 4], [(6, 0.99), (4, 0.99)], dice=dice)
    assert reading.problems == (Problem.WRONG_COUNT,)
    assert [die.value for die in reading.dice] == [6, 4], "what was seen is still said"


def test_the_right_number_is_none() -> None:
    assert read([6, 4], [(6, 0.99), (4, 0.99)], dice=2).values == (6, 4)


def test_no_dice() -> None:
    reading = Reader(GivenFinder([]), GivenFaces([])).read(drawn.blank())
    assert reading.problems == (Problem.NO_DICE,)
    assert reading.dice == ()


def test_a_hand() -> None:
    assert read([6], [(6, 0.99)], hand=0.9).problems == (Problem.HAND,)
    assert read([6], [(6, 0.99)], hand=0.1).ok
    nothing = Reader(GivenFinder([], hand=0.9), GivenFaces([])).read(drawn.blank())
    assert nothing.problems == (Problem.HAND,)


def test_a_hand_counts_from_its_limit() -> None:
    limit = Limits().hand
    assert read([6], [(6, 0.99)], hand=limit).problems == (Problem.HAND,)
    assert read([6], [(6, 0.99)], hand=limit - 0.01).ok


def test_both_opinions_together_must_be_sure_enough() -> None:
    image, quads = scene([6])

    def read_at(together: float) -> Reading:
        limits = Limits(together=together)
        reader = Reader(GivenFinder([Seen(quads[0])]), GivenFaces([(6, 0.7)]), limits=limits)
        return reader.read(image)

    sure = read_at(0.0).dice[0].confidence
    assert 0.7 < sure < 1
    assert read_at(sure).values == (6,)
    assert read_at(sure + 1e-6).problems == (Problem.UNCLEAR,)


def test_cut_off_by_the_border() -> None:
    image = drawn.blank()
    quad = drawn.square((150, 80), 46, 0)
    drawn.draw_die(image, quad, 4)
    reading = Reader(GivenFinder([Seen(quad)]), GivenFaces([(4, 0.99)])).read(image)
    assert reading.problems == (Problem.OUTSIDE,)


def test_the_tray_gives_zones_size_and_outside() -> None:
    image, quads = scene([6, 4, 2])
    tray = Tray(((10, 10), (240, 10), (240, 150), (10, 150)), size_mm=(230, 140))
    finder = GivenFinder([Seen(quad) for quad in quads])
    faces = GivenFaces([(6, 0.99), (4, 0.99), (2, 0.99)])
    reading = Reader(finder, faces).read(image, tray=tray)
    assert [die.problem for die in reading.dice] == [None, None, Problem.OUTSIDE]
    assert finder.asked == [pytest.approx(16.0)]
    railed = Tray(tray.corners, tray.size_mm, rail=0.6)
    reading = Reader(finder, faces).read(image[:, :240], tray=railed)
    assert [die.zone for die in reading.dice][:2] == [Zone.RAIL, Zone.RAIL]


def test_a_weak_find_counts_by_what_it_shows() -> None:
    image, quads = scene([6, 4])
    bare = drawn.square((70, 80), 46)
    cv2.fillConvexPoly(image, bare.astype(np.int32), (230, 235, 235))  # a bare square
    weak = [Seen(bare, score=0.8), Seen(quads[1])]
    nothing = Reader(GivenFinder(weak), GivenFaces([(0, 0.9), (4, 0.99)])).read(image)
    assert nothing.values == (4,)
    image, quads = scene([6, 4])
    weak = [Seen(quads[0], score=0.8), Seen(quads[1])]
    face = Reader(GivenFinder(weak), GivenFaces([(6, 0.99), (4, 0.99)])).read(image)
    assert face.values == (6, 4)
    doubt = Reader(GivenFinder(weak), GivenFaces([(0, 0.9), (4, 0.99)])).read(image)
    assert doubt.problems == (Problem.UNCLEAR,), "pips but no face: better no reading"


def test_what_looks_a_little_like_a_die_is_none_where_all_due_are_seen() -> None:
    image, quads = scene([6, 4])
    faces = [(0, 0.9), (4, 0.99)]

    def values(sure: float, dice: int | None) -> tuple[int, ...] | None:
        finder = GivenFinder([Seen(quads[0], 0.6), Seen(quads[1], sure)])
        return Reader(finder, GivenFaces(faces)).read(image, dice).values

    assert values(1.0, 1) == (4,)
    assert values(1.0, 2) is None, "it may be the second one"
    assert values(1.0, None) is None, "it may be one more"
    assert values(0.7, 1) is None, "it may be the one that is due"


def test_pips_that_lie_on_nothing_are_no_face() -> None:
    """Lint on a dark tray: five round spots and no end of the face on any side."""
    rng = np.random.default_rng(4)
    image = rng.normal(30, 3, (160, 400, 3)).clip(0, 255).astype(np.uint8)
    quad = drawn.square((80, 80), 46)
    for x, y in ((0, 0), (-1, -1), (1, 1), (-1, 1), (1, -1)):
        cv2.circle(image, (80 + 12 * x, 80 + 12 * y), 4, (190, 220, 200), -1, cv2.LINE_AA)
    reader = Reader(GivenFinder([Seen(quad)]), GivenFaces([(5, 0.999)]))
    assert reader.read(image).problems == (Problem.UNCLEAR,)
    doubted = Reader(GivenFinder([Seen(quad, 0.7)]), GivenFaces([(5, 0.999)]))
    assert doubted.read(image).problems == (Problem.NO_DICE,)
    cv2.line(image, (57, 57), (103, 57), (60, 60, 60), 8)  # one side is told from the tray
    assert reader.read(image).values == (5,)


def test_what_is_much_larger_or_smaller_is_no_die() -> None:
    image, quads = scene([6, 4, 2])
    seen = [*(Seen(quad) for quad in quads), Seen(drawn.square((170, 80), 150), 0.6)]
    faces = GivenFaces([(6, 0.99), (4, 0.99), (2, 0.99), (1, 0.9)])
    assert Reader(GivenFinder(seen), faces).read(image).values == (6, 4, 2)


def test_every_problem_has_its_place_in_the_order() -> None:
    assert set(GRAVITY) == set(Problem)


# ------------------------------------------------------------------------- with the trained weights


@pytest.fixture(scope="module")
def recorded() -> list[Result]:
    cv2.setNumThreads(1)
    reader = Reader()
    return list(measure(load_cases(RECORDINGS), reader.read, told=True))


def test_recorded_throws(recorded: list[Result]) -> None:
    """What `dicetable bench --told tests/recordings` reaches may not get worse."""
    wrong = [r.case.name for r in recorded if r.verdict is Verdict.WRONG and r.case.values]
    assert wrong == []
    tally = Tally.of(recorded)
    assert tally.exact >= 55
    assert tally.refused >= 16
    assert tally.named >= 7
    assert tally.clean == tally.empty


def test_recorded_dice_are_where_they_are(recorded: list[Result]) -> None:
    """Corners are those of the truth, up to the choice of the first one and the direction."""
    from vision.recording import load_recordings

    truth = {r.name: r.truth for r in load_recordings(RECORDINGS / "stills")}
    errors = []
    for result in recorded:
        shown = truth.get(Path(result.case.name).name)
        if shown is None or not result.reading.ok:
            continue
        for die in result.reading.dice:
            near = min(shown.dice, key=lambda t: np.hypot(*np.subtract(t.centre, die.centre)))
            ring = np.array(near.corners)
            turns = [np.roll(way, k, axis=0) for way in (ring, ring[::-1]) for k in range(4)]
            edge = float(np.linalg.norm(ring[0] - ring[1]))
            errors.append(
                min(float(np.linalg.norm(t - die.corners, axis=1).max()) / edge for t in turns)
            )
    assert len(errors) > 100
    assert np.quantile(errors, 0.9) < 0.12  # shares of the edge


def test_the_same_picture_twice_is_the_same_reading() -> None:
    case = load_cases(RECORDINGS / "stills")[3]
    reader = Reader()
    first, second = (next(measure([case], reader.read)).reading for _ in range(2))
    assert first.dice == second.dice
    assert first.problems == second.problems


@pytest.mark.parametrize("shape", [(1, 1), (1, 700), (700, 1), (5, 7), (64, 64), (3000, 4000)])
@pytest.mark.parametrize("grey", [0, 128, 255])
def test_pictures_of_one_colour_of_any_size(shape: tuple[int, int], grey: int) -> None:
    reading = Reader().read(np.full((*shape, 3), grey, np.uint8))
    assert reading.problems == (Problem.NO_DICE,)
    assert reading.dice == ()


def leaning_scene(values: Sequence[int], leaning: int) -> tuple[npt.NDArray[np.uint8], list[Quad]]:
    """Drawn dice of which one is foreshortened by a fifth, as a die that leans by 37 degrees."""
    image = drawn.blank(1152, 160)
    quads = []
    for i, value in enumerate(values):
        quad = drawn.square((70 + 100 * i, 80), 46, 10)
        if i == leaning:
            quad[:, 1] = 80 + (quad[:, 1] - 80) * 0.8
        drawn.draw_die(image, quad, value)
        quads.append(drawn.square((70 + 100 * i, 80), 46, 10))  # what the finder takes it for
    return image, quads


def test_foreshortened_pips_show_a_leaning_die() -> None:
    image, quads = leaning_scene([4, 5, 5], leaning=1)
    reader = Reader(GivenFinder([Seen(q) for q in quads]), GivenFaces([(4, 1), (5, 1), (5, 1)]))
    reading = reader.read(image)
    assert [die.problem for die in reading.dice] == [None, Problem.COCKED, None]


def test_an_oblique_camera_foreshortens_all_alike() -> None:
    image = drawn.blank(340, 160)
    quads = []
    for i, value in enumerate([4, 5, 4]):
        quad = drawn.square((70 + 100 * i, 80), 46, 20)
        quad[:, 1] = 80 + (quad[:, 1] - 80) * 0.85
        drawn.draw_die(image, quad, value)
        quads.append(quad)
    reader = Reader(GivenFinder([Seen(q) for q in quads]), GivenFaces([(4, 1), (5, 1), (4, 1)]))
    assert reader.read(image).values == (5, 4, 4)
    tray = Tray(((5, 5), (335, 5), (335, 155), (5, 155)), size_mm=(330, 150))
    assert reader.read(image, tray=tray).problems == (Problem.COCKED,), (
        "the tray is seen from above"
    )


def test_what_fills_the_picture_must_show_a_face() -> None:
    image = drawn.blank(480, 480)
    quad = drawn.square((240, 240), 360)
    tray = Reader(GivenFinder([Seen(quad)]), GivenFaces([(3, 0.6)])).read(image)
    assert tray.problems == (Problem.NO_DICE,)
    drawn.draw_die(image, quad, 3)
    assert Reader(GivenFinder([Seen(quad)]), GivenFaces([(3, 0.99)])).read(image).values == (3,)


@pytest.mark.parametrize("value", [1, 2])
def test_one_or_two_things_in_a_tray_do_not_make_it_a_die(value: int) -> None:
    image = drawn.blank(480, 480)
    quad = drawn.square((240, 240), 360)
    drawn.draw_die(image, quad, value)
    reading = Reader(GivenFinder([Seen(quad)]), GivenFaces([(value, 0.99)])).read(image)
    assert reading.problems == (Problem.NO_DICE,)


def test_what_may_be_no_face_is_not_read_however_plain_its_marks_are() -> None:
    """Crumbs lie like pips, on a ground as even as a face."""
    image, quads = scene([2])

    class Doubtful(GivenFaces):
        def classify(self, patches: Sequence[npt.NDArray[np.uint8]]) -> npt.NDArray[np.float32]:
            return np.array([[0.5, 0, 0.5, 0, 0, 0, 0, 0]], np.float32)

    reading = Reader(GivenFinder([Seen(quads[0])]), Doubtful([])).read(image)
    assert reading.problems == (Problem.UNCLEAR,)


def test_a_die_cut_out_of_a_picture_fills_it() -> None:
    """As other people's collections of single dice have them, with glare over the pips."""
    image = drawn.blank(160, 160)
    quad = drawn.square((80, 80), 120)
    cv2.fillConvexPoly(image, quad.astype(np.int32), (250, 250, 250))
    assert Reader(GivenFinder([Seen(quad)]), GivenFaces([(3, 0.999)])).read(image).values == (3,)


def test_whoever_cuts_a_die_out_has_found_it() -> None:
    """A maker's sign hides the pips' layout, and the finder is unsure of what fills its view."""
    quad = drawn.square((40, 40), 50, 8)
    seen, sure = GivenFinder([Seen(quad, score=0.2)]), GivenFaces([(2, 0.99)])
    small = drawn.blank(80, 80)
    cv2.fillConvexPoly(small, quad.astype(np.int32), (30, 30, 160))
    assert Reader(seen, sure).read(small).values == (2,)
    assert Reader(seen, GivenFaces([(2, 0.9)])).read(small).values is None
    large = cv2.copyMakeBorder(small, 0, 320, 0, 320, cv2.BORDER_REPLICATE)
    assert Reader(seen, sure).read(large).values is None


def test_what_lies_on_a_surely_read_die_is_a_part_of_it() -> None:
    """Four pips, or a glint in one, pass for a small die."""
    image, quads = scene([6], edge=60)
    part = drawn.square(tuple(quads[0].mean(axis=0) + 12), 24)
    seen = [Seen(quads[0]), Seen(part, score=0.9)]
    reading = Reader(GivenFinder(seen), GivenFaces([(6, 0.99), (4, 0.7)])).read(image)
    assert reading.values == (6,)
