"""The `dicetable` command: finds the sub-command and runs it.

A sub-command is a module in `firmware.commands`; it is imported only when it is asked for, so
that `dicetable read` does not wait for pygame and `dicetable judge` not for OpenCV.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from importlib import metadata
from types import ModuleType

from firmware.console import speak_utf8

COMMANDS: dict[str, str] = {
    "demo": "an evening in under a minute, from recorded throws",
    "play": "the table itself, with a camera or a simulated tray",
    "read": "read the dice in pictures",
    "judge": "play a transcript and judge every step",
    "rules": "print the rules of a game",
    "odds": "print the exact chances of a game",
    "bench": "measure the reader on folders of pictures with known values",
    "calibrate": "find tray and keep rail, check focus and light",
    "record": "record throws with their values",
    "history": "list, show and export the games played",
    "audit": "verify the record of every game ever played",
    "stats": "who won what, and whether the dice are fair",
    "doctor": "check camera, buttons, disk and clock",
    "report": "write a support bundle",
    "sheets": "make the printed sheets as PDF",
}
"""Name of each sub-command and what it does, in the order of `dicetable --help`."""


def load(name: str) -> ModuleType:
    """Import the module of one sub-command."""
    return importlib.import_module(f"firmware.commands.{name}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run `dicetable ARGV`; the exit status is returned, 2 for unusable arguments."""
    speak_utf8()
    arguments = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(
        prog="dicetable",
        description="An electronic dice table: reads real dice, judges the throw, keeps the score.",
    )
    parser.add_argument("--version", action="version", version=metadata.version("dicetable"))
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    asked = next((word for word in arguments if not word.startswith("-")), None)
    for name, help_text in COMMANDS.items():
        sub = subparsers.add_parser(name, help=help_text, description=help_text)
        if name == asked:
            load(name).add_arguments(sub)
    args = parser.parse_args(arguments)
    try:
        return int(load(args.command).run(args))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output has gone (`dicetable read … | head`); silence the flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


if __name__ == "__main__":
    raise SystemExit(main())
