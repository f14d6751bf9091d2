"""`dicetable report`: write a support bundle, one zip file to be sent to whoever helps.

It holds what the doctor finds, the configuration without secrets, the log, the last ten games and
the last pictures. Exit status: 0, or 2 when the file can not be written.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from firmware import bundle
from firmware.clock import SystemClock
from firmware.commands.doctor import examine
from firmware.config import load
from firmware.console import speak_utf8
from firmware.health import Machine

HELP = "write a support bundle"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("--output", type=Path, metavar="FILE", help="the zip file to be written")
    parser.add_argument("--record", action="store_true", help="put the whole record in as well")
    parser.add_argument("--camera", metavar="CAMERA", help="another camera than the configured")
    parser.add_argument("--state", type=Path, metavar="DIR", help="folder of the record")
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration file")


def run(args: argparse.Namespace) -> int:
    """Write the bundle; returns the exit status."""
    speak_utf8()
    loaded, machine, clock = load(args.config, args.state), Machine(), SystemClock()
    day = time.strftime("%Y%m%d-%H%M%S", time.localtime(clock.wall()))
    target = args.output or Path(f"dicetable-report-{day}.zip")
    findings = examine(loaded, loaded.config.panel, args.camera, machine, clock)
    try:
        names = bundle.write(target, loaded, findings, machine, clock, whole_record=args.record)
    except OSError as error:
        print(
            f"report: {target} can not be written ({error.strerror}); give another place with "
            "--output",
            file=sys.stderr,
        )
        return 2
    size = target.stat().st_size
    print(f"{target}: {len(names)} files, {size / 1024:.0f} KiB. Names of players are in it.")
    return 0
