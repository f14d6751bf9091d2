"""`dicetable audit`: verify the record of every game ever played.

The hash chain shows whether an event was changed, removed or put in between; the replay through
the judge shows whether every game adds up. The first bad link is named, and every bad game.

Exit status: 0 when all is right, 1 when something is not, 2 when there is no record to be read.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from firmware import audit
from firmware.config import load
from firmware.console import speak_utf8
from firmware.journal import JournalReader
from firmware.statedir import StateError

HELP = "verify the record of every game ever played"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("--state", type=Path, metavar="DIR", help="folder of the record")
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration file")


def run(args: argparse.Namespace) -> int:
    """Verify; returns the exit status."""
    speak_utf8()
    folder = load(args.config, args.state).state
    try:
        with JournalReader(folder) as reader:
            return _run(reader, folder)
    except StateError as error:
        print(f"audit: {error}", file=sys.stderr)
        return 2


def _run(reader: JournalReader, folder: Path) -> int:
    flaws = audit.chain(reader, folder)
    for flaw in flaws:
        print(f"BAD  {flaw}")
    games = reader.game_ids()
    bad = 0
    for number in reversed(games):
        found = list(audit.game(number, reader.events(number)))
        bad += bool(found)
        for flaw in found:
            print(f"BAD  {flaw}")
    link = "the chain holds" if not flaws else "the chain or its copies do NOT hold"
    sums = "all add up" if not bad else f"{bad} do NOT add up"
    print(f"{reader.last_seq()} events, {link}; {len(games)} games, {sums}")
    return 1 if flaws or bad else 0
