"""What the running table costs while nothing moves, in per cent of one core.

    python tests/display/bench_idle.py [--seconds 20]

Starts `dicetable play` as people do, on SDL's dummy screen, waits until it has settled, and reads
the processor time of the main process and of the camera process from /proc.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SETTLE = 35.0
"""Seconds until the reader is loaded, the tray was still for a while, and a camera that is off is
tried again only twice a minute."""
TICKS = os.sysconf("SC_CLK_TCK")
SEATED = ("--game", "barbut", "--players", "Kari,Ola")
CASES = (
    ("nobody plays", "simulated", ()),
    ("nobody plays", "webcam:99", ()),
    ("a throw is due", "simulated", SEATED),
    ("a throw is due", "webcam:99", SEATED),
)
"""What the screen shows, and the camera; a webcam that is not there is a camera that is off."""


def spent(pid: int) -> float:
    """Processor seconds of a process, its finished children included."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(field) for field in fields[11:15]) / TICKS


def children(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(one) for one in path.read_text().split()]


def measured(camera: str, more: tuple[str, ...], size: str, seconds: float) -> tuple[float, float]:
    """Per cent of a core: the main process, and its children (the camera)."""
    env = dict(os.environ, SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy")
    with tempfile.TemporaryDirectory() as state:
        command = [sys.executable, "-m", "firmware", "play", "--panel", "keyboard", "--windowed"]
        command += ["--camera", camera, "--state", state, "--size", size, *more]
        table = subprocess.Popen(
            command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            time.sleep(SETTLE)
            own, theirs = spent(table.pid), {pid: spent(pid) for pid in children(table.pid)}
            begun = time.monotonic()
            time.sleep(seconds)
            wall = time.monotonic() - begun
            main = spent(table.pid) - own
            other = sum(spent(pid) - theirs.get(pid, 0.0) for pid in children(table.pid))
        finally:
            table.terminate()
            table.wait(20)
    return 100 * main / wall, 100 * other / wall


def main() -> int:
    parser = argparse.ArgumentParser(description="The cost of a table at which nothing moves.")
    parser.add_argument("--seconds", type=float, default=20.0)
    args = parser.parse_args()
    print("| screen | size | camera | main % | camera process % |")
    print("|---|---|---|---:|---:|")
    for what, camera, more in CASES:
        for size in ("1024x600", "1920x1080"):
            main_share, other = measured(camera, more, size, args.seconds)
            name = "off" if camera.startswith("webcam") else "still"
            print(f"| {what} | {size} | {name} | {main_share:.1f} | {other:.1f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
