"""`dicetable stats`: who won what, and whether the dice are fair.

    dicetable stats                     all that was ever played here
    dicetable stats --week              the last seven days (--month: the last thirty)
    dicetable stats --csv FILE          the same as a table for programs
    dicetable stats --png FILE          the same as a picture

A game counts for its players when it was played to its end. Exit status: 0, or 2 when there is no
record or a file can not be written.
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path

from display.window import WindowError
from firmware.clock import SystemClock
from firmware.config import load
from firmware.journal import JournalReader
from firmware.statedir import StateError
from firmware.statistics import COLUMNS, Figures, Period, Statistician, verdict

HELP = "who won what, and whether the dice are fair"

HEADS = ("games", "won", "best", "mean", "baluts", "rows met", "luck")
SIZE = (1024, 600)


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
    parser.add_argument("--png", type=Path, metavar="FILE", help="write a picture")
    parser.add_argument("--language", default="en", choices=("en", "nb", "bg", "ru"))
    parser.add_argument("--state", type=Path, metavar="DIR", help="folder of the record")
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration file")


def run(args: argparse.Namespace) -> int:
    """Print, and write what was asked for; returns the exit status."""
    folder = load(args.config, args.state).state
    try:
        with JournalReader(folder) as reader:
            figures = Statistician(reader).figures(args.period, SystemClock().wall())
    except StateError as error:
        print(f"stats: {error}", file=sys.stderr)
        return 2
    print(as_text(figures, args.period))
    for target, write in ((args.csv, write_csv), (args.png, write_png)):
        if target is None:
            continue
        try:
            write(figures, target, args)
        except (OSError, WindowError) as error:
            print(f"stats: {target} can not be written ({error})", file=sys.stderr)
            return 2
    return 0


def as_text(figures: Figures, period: Period) -> str:
    """The figures for a terminal."""
    league = figures.league()
    lines = []
    if not league:
        when = "" if period is Period.EVER else f" in the last {period}"
        lines.append(f"No game was finished{when}.")
    else:
        wide = max(len("player"), *(len(name) for name, _ in league))
        lines.append(f"{'player':<{wide}}" + "".join(f"{head:>10}" for head in HEADS))
        for name, player in league:
            lines.append(f"{name:<{wide}}" + "".join(f"{cell:>10}" for cell in player.cells()))
        lines.append("best, mean: points of a Balut sheet; luck: most rounds won in a row")
    lines.append("")
    lines.append("   ".join(f"{face}: {n}" for face, n in enumerate(figures.counts, 1)))
    lines.append(verdict(figures.counts))
    if figures.unreadable:
        lines.append(f"Left out: {figures.unreadable} games that can not be replayed (audit them).")
    return "\n".join(lines)


def write_csv(figures: Figures, target: Path, args: argparse.Namespace) -> None:
    """One line a player, then one line for each face."""
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("player", *COLUMNS))
        for name, player in figures.league():
            writer.writerow((name, *(cell.replace("–", "") for cell in player.cells())))
        for face, count in enumerate(figures.counts, 1):
            writer.writerow((f"face {face}", count))


def write_png(figures: Figures, target: Path, args: argparse.Namespace) -> None:
    """The table's own screens of statistics, one above the other."""
    import pygame

    from display.stage import draw
    from display.view import Scene, View
    from display.window import save
    from firmware.pages import shown_faces, shown_players

    pygame.font.init()
    width, height = SIZE
    both = pygame.Surface((width, 2 * height))
    for i, shown in enumerate((shown_players(figures, args.period), shown_faces(figures))):
        part = both.subsurface((0, i * height, width, height))
        draw(part, View(Scene.STATISTICS, language=args.language, statistics=shown), 0.0)
    save(both, target)
