"""`dicetable demo`: an evening in under a minute, from recorded throws."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

HELP = "an evening in under a minute, from recorded throws"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `dicetable demo`."""
    parser.add_argument(
        "--out", type=Path, default=Path("out"), metavar="DIR", help="where screenshots go"
    )
    parser.add_argument(
        "--recordings",
        type=Path,
        default=Path(__file__).parents[2] / "tests" / "recordings",
        metavar="DIR",
        help="the recorded throws",
    )
    parser.add_argument("--headless", action="store_true", help="open no window")


def run(args: argparse.Namespace) -> int:
    """Play the evening; exit status 0 when every act was judged as the story has it."""
    begun = time.monotonic()
    print("An evening at the dice table, from recorded throws.", flush=True)
    from firmware.demo import DemoError, play_evening
    from firmware.robot import RobotError
    from firmware.statedir import StateError
    from vision.cameras import CameraError

    try:
        with tempfile.TemporaryDirectory(prefix="dicetable-demo-") as state:
            summary = play_evening(
                recordings=args.recordings,
                state=Path(state),
                out=args.out,
                headless=args.headless,
            )
    except (DemoError, RobotError, CameraError, StateError, OSError) as error:
        print(f"dicetable demo: {error}", file=sys.stderr)
        return 2
    print(summary)
    print(f"All in {time.monotonic() - begun:.0f} seconds.")
    return 0
