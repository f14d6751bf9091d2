"""`dicetable stats`: who won what, and whether the dice are fair.

    dicetable stats                     all that was ever played here
    dicetable stats --week              the last seven days (--month: the last thirty)
    dicetable stats --csv FILE          the same as a table for programs
    dicetable stats --png FILE          the same with bars, to hang up (--pdf FILE: to print)

A game counts for its players when it was played to its end. Every dice set is tested for itself;
`dice.sets` in the configuration names them. Exit status: 0, or 2 when there is no record or a file
can not be written.
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from pathlib import Path

from display.catalogue import LANGUAGES
from firmware.clock import SystemClock
from firmware.config import load
from firmware.console import speak_utf8
from firmware.journal import JournalReader
from firmware.statedir import StateError
from firmware.statistics import COLUMNS, Figures, Period, Statistician
from firmware.statistics_fair import judge

HELP = "who won what, and whether the dice are fair"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    period = parser.add_mutually_exclusive_group()
    for one, text in (
        (Period.WEEK, "the last seven days"),
        (Period.MONTH, "the last thirty days"),
        (Period.EVER, "all that was ever played here"),
    ):
        period.add_argument(
            f"--{one}", dest="period", action="store_const", const=one, default=Period.EVER,
            help=text,
        )  # fmt: skip
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write a table for programs")
    parser.add_argument("--png", type=Path, metavar="FILE", help="write a picture with bars")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="write the same to print")
    parser.add_argument("--language", default="en", choices=tuple(LANGUAGES))
    parser.add_argument("--state", type=Path, metavar="DIR", help="folder of the record")
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration file")


def run(args: argparse.Namespace) -> int:
    """Print, and write what was asked for; returns the exit status."""
    speak_utf8()
    loaded = load(args.config, args.state)
    now = SystemClock().wall()
    try:
        with JournalReader(loaded.state) as reader:
            figures = Statistician(reader).figures(args.period, now)
    except StateError as error:
        print(f"stats: {error}", file=sys.stderr)
        return 2
    print(as_text(figures, args.period, args.language))
    place = loaded.config.table.place
    for target in (args.csv, args.png, args.pdf):
        if target is None:
            continue
        try:
            if target is args.csv:
                target.write_text(as_csv(figures), encoding="utf-8")
            else:
                _print(figures, target, args, now, place)
        except OSError as error:
            print(f"stats: {target} can not be written ({error.strerror})", file=sys.stderr)
            return 2
    return 0


def _print(
    figures: Figures, target: Path, args: argparse.Namespace, now: float, place: str
) -> None:
    from display.words import Words
    from firmware.statistics_print import poster

    paper = poster(figures, args.period, now, Words(args.language), place)
    for path, data in paper.files(target, pdf=target is args.pdf).items():
        path.write_bytes(data)


def as_text(figures: Figures, period: Period, language: str = "en") -> str:
    """The figures for a terminal."""
    from display import fair
    from display.words import Words
    from firmware.statistics_pages import league, shown_dice

    words = Words(language)
    rows = [row for page in league(figures, period) for row in page.rows]
    lines = [words.period(period.value)]
    if not rows:
        lines.append(words.say("No figures yet."))
    else:
        heads = ["", "", *(words.column(key) for key in COLUMNS)]
        table = [heads, *rows]
        widths = [max(len(row[i]) for row in table) for i in range(len(heads))]
        for place, name, *cells in table:
            line = f"{place:>{widths[0]}}  {name:<{widths[1]}}"
            for cell, wide in zip(cells, widths[2:], strict=True):
                line += f"  {cell:>{wide}}"
            lines.append(line.rstrip())
        lines.append(words.say("Best and mean: points of a Balut sheet. Luck: most wins in a row."))
    found = figures.dice()
    for name, faces in found:
        dice = shown_dice(name, faces, len(found))
        counts = "   ".join(f"{face}: {n}" for face, n in enumerate(faces, 1))
        told = (fair.verdict(words, dice), fair.measured(words, dice), fair.level(words, dice))
        lines += ["", f"{fair.name(words, dice)}   {counts}", *filter(None, told)]
    if figures.unreadable:
        lines += [
            "",
            f"Left out: {figures.unreadable} games that can not be replayed (audit them).",
        ]
    return "\n".join(lines)


def as_csv(figures: Figures) -> str:
    """Two tables with an empty line between them: the players, and the dice sets."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("player", *COLUMNS))
    for name, player in figures.league():
        writer.writerow((name, *(cell.replace("–", "") for cell in player.cells())))
    out.write("\n")
    writer.writerow(("dice_set", *(f"face_{face}" for face in range(1, 7)), "chi_square", "chance"))
    found = figures.dice()
    for name, faces in found:
        verdict = judge(faces, len(found))
        writer.writerow((name, *faces, f"{verdict.chi_square:.3f}", f"{verdict.chance:.6f}"))
    return out.getvalue()
