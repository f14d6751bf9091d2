"""Choose the recordings of this folder from a larger set and write them in the product's format.

    python tests/recordings/choose.py SOURCE [DESTINATION]

SOURCE has `stills/` (pictures and `truth.json`) and `sequences/NAME/` (frames and `truth.json`).
The choice is the same every time: first the throws that tests and the demo tell stories with, then
one by one the picture that adds most of what is not there yet (kind of dice, light, floor, camera,
arrangement) for its size, until the budget is used up. Pictures are copied byte for byte.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from vision.reading import Problem
from vision.recording import DieTruth, Truth
from vision.recording_writer import SequenceWriter, write_stills
from vision.watch import State

STILLS_BUDGET = 13_300_000  # bytes; with the sequences the folder stays well under 25 MiB

SEQUENCES = ("s3001", "s3002", "s3003")  # two, five and three dice

STORIES = """
  two dice that win in Barbudi (3-3, 5-5, 6-5) or lose (1-1, 2-2, 4-4, 2-1)
    asian_white_20020_02_good  yellow_black_20010_03_good  grey_white_20014_01_poor
    black_white_20007_00_good  grey_white_20014_04_good    asian_blue_20021_04_good
    01012_plain  green_trans_20005_05_good  black_white_20007_05_poor
    black_white_20007_03_good  marble_white_20017_05_good
  two dice that mean nothing there
    01034_plain  asian_white_20020_00_normal  asian_white_20020_04_good
    yellow_black_20010_00_good  yellow_black_20010_02_good  blue_trans_20004_00_good
    wood_20023_04_good  purple_white_20012_04_good  marble_blue_20015_01_good
    blue_trans_20004_03_good
  three dice: ones and fives, pairs, threes of a kind, duds
    01102_plain  01021_plain  01033_plain  asian_black4_20022_03_good
    asian_black4_20022_02_good  asian_black4_20022_04_normal  asian_black4_20022_00_good
    blue_white_20008_00_normal  blue_white_20008_02_good  blue_white_20008_04_good
    ivory_black_20001_00_good  ivory_black_20001_03_good  orange_black_20011_05_good
    orange_black_20011_04_good  pearl_red_20018_00_good  pearl_red_20018_05_normal
    white_black_20000_00_good  white_black_20000_02_normal  worn_white_20024_00_good
    worn_white_20024_04_good
  five dice
    01022_plain  01036_plain  green_white_20009_02_normal  marble_green_20016_00_good
    marble_green_20016_04_normal  pink_white_20013_03_good  red_trans_20003_01_good
    red_white_20002_02_good  red_white_20002_04_good  speckled_20019_03_good
    worn_bone_20026_04_good  worn_bone_20026_02_good  worn_red_20025_03_good
"""
QUOTA = {"hand": 3, "cup": 3, "prop": 3, "empty": 4, "cocked": 6, "stacked": 6, "lean": 6}

PROBLEMS = {
    "cocked": Problem.COCKED,
    "stacked": Problem.STACKED,
    "covered": Problem.STACKED,
    "cut_off": Problem.OUTSIDE,
}
STATES = {
    "empty": State.EMPTY,
    "rolling": State.MOVING,
    "settled": State.AT_REST,
    "hand": State.HAND,
}
ORIGIN = (
    "Path-traced picture of physically settled dice, developed by a model of a small camera; "
    "the truth is taken from the physics."
)

Entry = Mapping[str, Any]


def problems_of(why: list[str], category: str) -> tuple[Problem, ...]:
    """The source's reasons in the reader's words; what hides a die depends on the arrangement."""
    hidden = Problem.HAND if category in ("hand", "cup") else Problem.STACKED
    return tuple(dict.fromkeys(PROBLEMS.get(word, hidden) for word in why))


def still_truth(entry: Entry) -> Truth:
    dice = [die_truth(die, entry["category"]) for die in entry["dice"]]
    problems = tuple(dict.fromkeys(p for die in dice for p in die.problems))
    values = entry["values"]
    return Truth(
        None if values is None else tuple(values),
        tuple(dice),
        problems,
        bool(entry.get("may_refuse", False)),
    )


def die_truth(die: Entry, category: str) -> DieTruth:
    a, b, c, d = ((float(x), float(y)) for x, y in die.get("corners") or die["top_corners_px"])
    x, y = die.get("centre") or die["top_centre_px"]
    problems = problems_of(die["why"], category)
    return DieTruth(die["value"], (float(x), float(y)), (a, b, c, d), problems=problems)


def features(entry: Entry) -> Iterator[object]:
    """What a picture adds to the choice."""
    category, look = entry["category"], entry["look"]
    yield from (category, look, entry["light"], entry["floor"], entry["model"], entry["quality"])
    yield from ((look, entry["quality"]), (category, entry["n"]), (category, entry["light"]))
    yield from ((category, why) for why in entry["why"])
    yield (category, look) if entry["values"] is None or category in ("snug", "touching") else look


def choose_stills(truth: Mapping[str, Entry], sizes: Mapping[str, int]) -> list[str]:
    """Names of the chosen pictures, sorted."""
    chosen = [name for name in sorted(truth) if Path(name).stem in STORIES.split()]
    seen = {feature for name in chosen for feature in features(truth[name])}
    budget = STILLS_BUDGET - sum(sizes[name] for name in chosen)
    left = set(truth) - set(chosen)
    while left:
        counts = Counter(truth[name]["category"] for name in chosen)
        short = {
            n for n in left if counts[truth[n]["category"]] < QUOTA.get(truth[n]["category"], 0)
        }
        gain = {n: len(set(features(truth[n])) - seen) / sizes[n] for n in left}
        best = max(sorted(short or left), key=gain.__getitem__)
        left.remove(best)
        if sizes[best] <= budget and (gain[best] or best in short):
            budget -= sizes[best]
            chosen.append(best)
            seen.update(features(truth[best]))
    return sorted(chosen)


def write_album(source: Path, folder: Path) -> None:
    truth = json.loads((source / "truth.json").read_text())
    sizes = {name: (source / name).stat().st_size for name in truth}
    keys = ("category", "look", "model", "edge_mm", "light", "floor", "quality")
    stills = (
        (
            Path(name).stem,
            (source / name).read_bytes(),
            still_truth(truth[name]),
            {key: str(truth[name][key]) for key in keys},
        )
        for name in choose_stills(truth, sizes)
    )
    write_stills(folder, stills, origin=ORIGIN)


def write_sequence(source: Path, folder: Path) -> None:
    truth = json.loads((source / "truth.json").read_text())
    writer = SequenceWriter(folder, fps=truth["fps"])
    for frame in truth["frames"]:
        picture = (source / frame["frame"]).read_bytes()
        writer.add(picture, time=frame["t"], state=STATES[frame["state"]])
    dice = tuple(die_truth(die, "plain") for die in truth["final"])
    values = truth["values"]
    writer.finish(
        Truth(None if values is None else tuple(sorted(values, reverse=True)), dice),
        scene={
            "category": "plain",
            "look": truth["looks"],
            "model": truth["model"],
            "light": truth["light"],
            "quality": truth["camera"]["quality"],
        },
        origin=ORIGIN,
    )


def main() -> int:
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    source = Path(sys.argv[1])
    destination = Path(sys.argv[2]) if len(sys.argv) == 3 else Path(__file__).parent
    write_album(source / "stills", destination / "stills")
    for name in SEQUENCES:
        write_sequence(source / "sequences" / name, destination / name)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
