"""`dicetable odds GAME`: the exact chances of a game, computed from the judge's own rules."""

from __future__ import annotations

import argparse

from firmware.rules import GAMES
from firmware.rules.odds import odds_text
from firmware.rules.text import plain

HELP = "print the exact chances of a game"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("game", metavar="GAME", choices=list(GAMES), help=", ".join(GAMES))


def run(args: argparse.Namespace) -> int:
    """Compute and print the tables; returns the exit status."""
    print(plain(odds_text(args.game)))
    return 0
