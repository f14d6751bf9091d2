"""Measures the start of the table: from the command to the first picture, and until ready.

    python tests/firmware/bench_start.py [--times 5] [-- further options of `dicetable play`]

Each start is a process of its own on a new state folder, with the simulated camera and a screen in
memory unless other options are given. On a Pi: `-- --camera picamera2 --panel gpio`.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile

from firmware.milestones import NAMES

USUAL = ["--camera", "simulated", "--panel", "keyboard", "--windowed"]


def start(options: list[str]) -> dict[str, float]:
    """One start; seconds to each milestone."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "firmware", "play", "--until-ready", "--state", folder]
        env = {"SDL_VIDEODRIVER": "dummy", **os.environ}
        done = subprocess.run(
            [*command, *options], capture_output=True, text=True, env=env, timeout=120, check=False
        )
    found = dict(re.findall(r"(first picture|ready) after ([\d.]+) s", done.stdout))
    if set(found) != set(NAMES):
        raise SystemExit(f"the table did not become ready:\n{done.stdout}{done.stderr}")
    return {name: float(took) for name, took in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("options", nargs="*", default=USUAL)
    args = parser.parse_args()
    starts = [start(args.options) for _ in range(args.times)]
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    for name in NAMES:
        took = sorted(one[name] for one in starts)
        middle = statistics.median(took)
        print(f"{name:<14} {middle:6.2f} s (from {took[0]:.2f} to {took[-1]:.2f})")


if __name__ == "__main__":
    main()
