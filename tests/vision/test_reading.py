"""The vocabulary: what a reading says when it is read and when it is not."""

from __future__ import annotations

from vision.reading import Die, Problem, Reading, Zone

SQUARE = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))


def die(value: int | None, zone: Zone = Zone.TRAY, problem: Problem | None = None) -> Die:
    return Die(value, 0.9, (4.5, 4.5), SQUARE, zone, problem)


def test_values_go_from_high_to_low() -> None:
    reading = Reading((die(2), die(6), die(2), die(5)), (), (640, 480))
    assert reading.ok
    assert reading.values == (6, 5, 2, 2)


def test_zones() -> None:
    reading = Reading((die(2), die(6, Zone.RAIL), die(4)), (), (640, 480))
    assert reading.in_zone(Zone.RAIL) == (6,)
    assert reading.in_zone(Zone.TRAY) == (4, 2)
    assert reading.in_zone(None) == reading.values == (6, 4, 2)


def test_a_problem_means_no_values_at_all() -> None:
    unread = die(None, problem=Problem.COCKED)
    reading = Reading((die(2), unread), (Problem.COCKED,), (640, 480))
    assert not reading.ok
    assert reading.values is None
    assert reading.in_zone(Zone.TRAY) is None
    assert reading.in_zone(Zone.RAIL) is None


def test_problems_are_words_of_the_contract() -> None:
    assert [problem.value for problem in Problem] == [
        "no_dice",
        "wrong_count",
        "cocked",
        "stacked",
        "hand",
        "moving",
        "outside",
        "unclear",
    ]
