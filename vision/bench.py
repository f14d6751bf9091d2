"""Measure the reader on folders of pictures with known values.

Three formats are understood: the product's own recordings (`vision.recording`), and folders with a
`truth.json` that maps each picture to an object with `values` (faces from high to low, null when
there is no valid reading, [] when there is no die), or describes the frames of one throw.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from vision.picture import load_picture
from vision.reading import Image, Problem, Reading
from vision.recording import INDEX, load_recordings
from vision.watch import State

TRUTH = "truth.json"

TAGS = ("folder", "category", "look", "light", "floor", "quality")
"""What pictures are grouped by, in the order of the tables."""

_WHY = {
    "cocked": Problem.COCKED,
    "stacked": Problem.STACKED,
    "covered": Problem.STACKED,
    "cut_off": Problem.OUTSIDE,
    "outside": Problem.OUTSIDE,
}


class BenchError(Exception):
    """A folder can not be measured; the message says which, why and what to do."""


class Verdict(StrEnum):
    """What became of one picture."""

    EXACT = "exact"
    """All faces right; or nothing read where nothing can be read."""
    NOT_READ = "not read"
    """Refused, though there is a valid reading."""
    WRONG = "silently wrong"
    """Read, and not what lies there."""


@dataclass(frozen=True, slots=True)
class Case:
    """One picture and what it shows."""

    name: str
    path: Path
    values: tuple[int, ...] | None
    """From high to low; None: no valid reading; empty: no die."""
    problems: frozenset[Problem] = frozenset()
    """Where there is no valid reading: the problems of which one must be named."""
    due: int | None = None
    """How many dice lie there, if that is known."""
    may_refuse: bool = False
    """A refusal is as right as the right reading."""
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """One picture, read."""

    case: Case
    reading: Reading

    @property
    def verdict(self) -> Verdict:
        """Right, refused or wrong."""
        case, read = self.case, self.reading.values
        if read is not None:
            return Verdict.EXACT if read == case.values else Verdict.WRONG
        if case.values is None or case.may_refuse:
            return Verdict.EXACT
        if case.values == () and not self.reading.dice:
            return Verdict.EXACT
        return Verdict.NOT_READ

    @property
    def named(self) -> bool:
        """True when a throw without valid reading was refused for a right reason."""
        return bool(self.case.problems & set(self.reading.problems))


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of one group of pictures."""

    valid: int
    """Pictures with a valid reading, at least one die."""
    exact: int
    not_read: int
    wrong: int
    invalid: int
    """Pictures with dice but without valid reading."""
    refused: int
    named: int
    """Of the refused ones: with a right problem."""
    empty: int
    clean: int
    """Of the empty ones: with no die seen."""

    @classmethod
    def of(cls, results: Iterable[Result]) -> Tally:
        """Count a group."""
        results = list(results)
        valid = [r.verdict for r in results if r.case.values]
        invalid = [r for r in results if r.case.values is None]
        empty = [r for r in results if r.case.values == ()]
        refused = [r for r in invalid if r.verdict is Verdict.EXACT]
        return cls(
            valid=len(valid),
            exact=valid.count(Verdict.EXACT),
            not_read=valid.count(Verdict.NOT_READ),
            wrong=valid.count(Verdict.WRONG),
            invalid=len(invalid),
            refused=len(refused),
            named=sum(r.named for r in refused),
            empty=len(empty),
            clean=sum(not r.reading.dice for r in empty),
        )


def load_cases(folder: Path | str) -> list[Case]:
    """All pictures with known values at or below a folder, in the order of their names.

    Raises:
        BenchError: there is no truth in the folder, or it can not be understood.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise BenchError(f"{folder}: there is no such folder")
    cases: list[Case] = []
    for found in sorted([*folder.rglob(TRUTH), *folder.rglob(INDEX)]):
        if found.name == INDEX:
            cases += _recorded(found.parent)
        else:
            cases += _truth_file(found)
    if not cases:
        raise BenchError(f"{folder}: no pictures with known values ({TRUTH} or {INDEX}) in it")
    return cases


def measure(
    cases: Iterable[Case], read: Callable[[Image, int | None], Reading], *, told: bool = False
) -> Iterator[Result]:
    """Read every picture; with `told` the reader is told how many dice are due."""
    for case in cases:
        image = load_picture(case.path)
        yield Result(case, read(image, case.due if told else None))


def group(results: Iterable[Result], tag: str) -> dict[str, list[Result]]:
    """The results by one of their tags; pictures without it are left out."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        if tag in result.case.tags:
            groups.setdefault(result.case.tags[tag], []).append(result)
    return dict(sorted(groups.items()))


def timing(results: Iterable[Result]) -> tuple[float, float]:
    """Median and worst time of reading, in milliseconds."""
    times = [result.reading.ms for result in results]
    return statistics.median(times), max(times)


def failures(results: Iterable[Result]) -> list[Result]:
    """What went wrong, the worst first: silently wrong, not read, problem not named."""
    order = {Verdict.WRONG: 0, Verdict.NOT_READ: 1, Verdict.EXACT: 2}
    bad = [r for r in results if r.verdict is not Verdict.EXACT or _unnamed(r)]
    return sorted(bad, key=lambda r: (order[r.verdict], r.case.name))


def _unnamed(result: Result) -> bool:
    return result.case.values is None and bool(result.case.problems) and not result.named


def _recorded(folder: Path) -> Iterator[Case]:
    """The product's own recordings: stills, and of a sequence one frame at rest."""
    for recording in load_recordings(folder):
        frames = [f for f in recording.frames if f.state is State.AT_REST] or recording.frames
        truth = recording.truth
        yield Case(
            name=f"{folder.name}/{recording.name}",
            path=folder / frames[len(frames) // 2].file,
            values=truth.values,
            problems=frozenset(truth.problems),
            due=len(truth.dice) or (len(truth.values) if truth.values else None),
            may_refuse=truth.may_refuse,
            tags={"folder": folder.name, **recording.scene},
        )


def _truth_file(path: Path) -> Iterator[Case]:
    try:
        truth = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BenchError(f"{path}: can not be read ({error.strerror})") from error
    except ValueError as error:
        raise BenchError(f"{path}: is not JSON ({error})") from error
    if not isinstance(truth, dict):
        raise BenchError(f"{path}: must map each picture to its values")
    if isinstance(truth.get("frames"), list):
        yield from _throw(path, truth)
        return
    for name, entry in sorted(truth.items()):
        if not isinstance(entry, dict) or "values" not in entry:
            raise BenchError(f"{path}: {name}: `values` is missing (null: no valid reading)")
        yield _picture(path.parent, name, entry)


def _picture(folder: Path, name: str, entry: Mapping[str, object]) -> Case:
    values = _values(entry["values"], f"{folder / TRUTH}: {name}")
    category = str(entry.get("category", ""))
    why = entry.get("why")
    hidden = Problem.HAND if category in ("hand", "cup") else Problem.STACKED
    words = [str(word) for word in why] if isinstance(why, list) else []
    problems = frozenset(_WHY.get(word, hidden) for word in words)
    dice = entry.get("dice")
    due = len(dice) if isinstance(dice, list) and dice else len(values) if values else None
    parent = Path(name).parent.name or folder.name
    tags = {"folder": parent}
    tags |= {key: str(entry[key]) for key in TAGS if key in entry}
    if entry.get("above") is True:
        tags["subset"] = "above"
    return Case(
        name=f"{parent}/{Path(name).name}",
        path=folder / name,
        values=values,
        problems=problems if values is None else frozenset(),
        due=due,
        may_refuse=entry.get("may_refuse") is True,
        tags=tags,
    )


def _throw(path: Path, truth: Mapping[str, object]) -> Iterator[Case]:
    """A whole throw: one frame at rest, and one of the empty tray."""
    frames = truth.get("frames")
    assert isinstance(frames, list)
    name = path.parent.name
    values = _values(truth.get("values"), str(path))
    wanted = {"settled": values, "empty": ()}
    for state, shown in wanted.items():
        files = [f["frame"] for f in frames if isinstance(f, dict) and f.get("state") == state]
        if files:
            yield Case(
                name=f"{name}/{files[len(files) // 2]}",
                path=path.parent / files[len(files) // 2],
                values=shown,
                due=len(shown) if shown else None,
                tags={"folder": "sequences", "category": f"sequence, {state}"},
            )


def _values(data: object, where: str) -> tuple[int, ...] | None:
    if data is None:
        return None
    if not isinstance(data, list) or not all(isinstance(v, int) and 1 <= v <= 6 for v in data):
        raise BenchError(f"{where}: `values` must be a list of faces from 1 to 6, or null")
    return tuple(sorted(data, reverse=True))
