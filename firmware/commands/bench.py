"""`dicetable bench`: measure the reader on folders of pictures with known values."""

from __future__ import annotations

import argparse
import datetime
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import cv2

from vision import baseline
from vision.annotate import contact_sheet, verdict
from vision.bench import (
    TAGS,
    BenchError,
    Case,
    Result,
    Tally,
    Verdict,
    failures,
    group,
    load_cases,
    measure,
    timing,
)
from vision.picture import PictureError, load_picture
from vision.reader import Opinions, Reader
from vision.reading import Reading

HELP = "measure the reader on folders of pictures with known values"

_HEAD = (
    "pictures",
    "valid",
    "exact",
    "not read",
    "silently wrong",
    "no valid reading",
    "refused",
    "right reason",
    "empty",
    "clean",
)
_WORST = 20
"""How many failures are listed by name."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `dicetable bench`."""
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="folder with truth")
    parser.add_argument(
        "--told", action="store_true", help="tell the reader how many dice are due, as a game does"
    )
    parser.add_argument(
        "--opinions",
        type=Opinions,
        choices=list(Opinions),
        default=Opinions.BOTH,
        help="leave one of the two opinions out, to see what it gains",
    )
    parser.add_argument("--sheet", type=Path, metavar="DIR", help="write each failure as a picture")
    parser.add_argument(
        "--markdown", type=Path, metavar="FILE", help="write the tables for the tree"
    )
    parser.add_argument(
        "--baseline", action="store_true", help="time the blob-and-cluster reader beside ours"
    )


def run(args: argparse.Namespace) -> int:
    """Measure; the exit status is 0, or 2 when a folder can not be used."""
    cv2.setNumThreads(1)
    try:
        cases = [case for folder in args.folders for case in load_cases(folder)]
        reader = Reader(opinions=args.opinions)
        reader.warm_up()
        results = _results(cases, reader, args.told)
        told = [] if args.told else _results(cases, reader, True)
        report = "\n".join(_report(results, told, args.baseline))
        print(report)
        if args.markdown is not None:
            args.markdown.write_text(f"{_preamble()}\n{report}\n", encoding="utf-8")
        if args.sheet is not None:
            _write_sheets(args.sheet, failures(results))
    except (BenchError, PictureError) as error:
        print(f"dicetable bench: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"dicetable bench: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


def _results(cases: Sequence[Case], reader: Reader, told: bool) -> list[Result]:
    results: list[Result] = []
    for result in measure(cases, lambda image, dice: reader.read(image, dice), told=told):
        results.append(result)
        if sys.stderr.isatty():
            print(f"\r{len(results)} of {len(cases)}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return results


def _report(results: Sequence[Result], told: Sequence[Result], baseline: bool) -> Iterable[str]:
    """The whole report, in Markdown that reads well in a terminal.

    `told` are the results for a reader that is told how many dice are due; empty to leave them out.
    """
    median, worst = timing(results)
    yield f"{len(results)} pictures, {median:.1f} ms median, {worst:.1f} ms worst"
    if baseline:
        yield _against_baseline(results)
    yield ""
    overall = {"all": list(results)}
    if told:
        overall["all, told how many"] = list(told)
    yield from _table("", overall)
    if told:
        yield from _table("folder, told how many", group(told, "folder"))
    above = [r for r in results if r.case.tags.get("subset") == "above"]
    if above:
        yield from _table("subset", {"above": above})
    for tag in TAGS:
        groups = group(results, tag)
        if groups:
            yield from _table(tag, groups)
    bad = failures(results)
    if bad:
        yield f"Worst pictures ({min(len(bad), _WORST)} of {len(bad)} failures):"
        yield ""
        for result in bad[:_WORST]:
            yield f"- {_line(result)}"
        yield ""


def _table(title: str, groups: dict[str, list[Result]]) -> Iterable[str]:
    yield f"| {title} | " + " | ".join(_HEAD) + " |"
    yield "|---|" + "---:|" * len(_HEAD)
    for name, results in groups.items():
        t = Tally.of(results)
        cells = [
            str(len(results)),
            str(t.valid or ""),
            _share(t.exact, t.valid),
            _share(t.not_read, t.valid),
            _share(t.wrong, t.valid),
            str(t.invalid or ""),
            _share(t.refused, t.invalid),
            _share(t.named, t.refused),
            str(t.empty or ""),
            _share(t.clean, t.empty),
        ]
        yield f"| {name} | " + " | ".join(cells) + " |"
    yield ""


def _share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.1f} %)" if whole else ""


def _line(result: Result) -> str:
    case = result.case
    if case.values is None:
        truth = "no valid reading: " + ", ".join(sorted(case.problems))
    else:
        truth = " ".join(map(str, case.values)) or "empty"
    kind = result.verdict if result.verdict is not Verdict.EXACT else "reason not named"
    return f"{kind}: {case.name} shows {truth}; {verdict(result.reading)}"


def _against_baseline(results: Sequence[Result]) -> str:
    """Time and right answers of the well-known blob-and-cluster reader on the same pictures."""
    valid = [result for result in results if result.case.values]
    times, right = [], 0
    for result in valid:
        values, ms = baseline.read(load_picture(result.case.path))
        times.append(ms)
        right += values == result.case.values
    ours, theirs = timing(valid)[0], sorted(times)[len(times) // 2]
    exact = Tally.of(valid).exact
    return (
        f"Blob-and-cluster baseline on the {len(valid)} valid ones: {right} exact "
        f"({100 * right / len(valid):.1f} %) in {theirs:.1f} ms median; ours {exact} "
        f"({100 * exact / len(valid):.1f} %) in {ours:.1f} ms: {theirs / ours:.2f} times its speed"
    )


def _preamble() -> str:
    """What was measured when: date, commit and command."""
    try:
        commit = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        commit = "unknown"
    command = " ".join(["dicetable", *sys.argv[1:]])
    today = datetime.date.today().isoformat()
    return (
        "# What the reader reaches\n\n"
        f"{today}, commit {commit}, OpenCV {cv2.__version__}, one thread:\n\n    {command}\n\n"
        "A picture marked as one that may be refused (almost all glare, a hand beside the dice)\n"
        "counts as exact when it is refused. *Clean*: an empty picture in which no die was seen.\n"
        "\nThe limits of the reader and its two regressions (vision/pips.py, vision/looks.py)\n"
        "were chosen on the recorded stills and on a third of the photographs: for these the\n"
        "table shows what was tuned for, not what other pictures will show.\n"
    )


def _write_sheets(folder: Path, bad: Sequence[Result]) -> None:
    """All failures, annotated, a dozen on a sheet."""
    folder.mkdir(parents=True, exist_ok=True)
    per_sheet = 12
    for number, start in enumerate(range(0, len(bad), per_sheet), 1):
        part = bad[start : start + per_sheet]
        shown: list[tuple[str, Path, Reading]] = [(_line(r), r.case.path, r.reading) for r in part]
        sheet = contact_sheet(
            [(text, load_picture(path), reading) for text, path, reading in shown]
        )
        done, data = cv2.imencode(".png", sheet)
        if not done:
            raise BenchError(f"{folder}: a sheet can not be encoded")
        (folder / f"failures-{number:02}.png").write_bytes(data.tobytes())
