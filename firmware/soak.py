"""Plays for days in minutes, breaks everything that can break, and looks whether anything is lost.

    python -m firmware.soak --throws 50000 --seed 1 --out tests/firmware/SOAK.md

Real record on a real disk, mock pins that bounce, a screen in memory, a false clock; most throws
are told, every hundredth is a recorded picture that the reader reads. Exit status: 0 when nothing
was lost, doubled or shown wrongly; 1 with a sentence and the seed when something was.
"""

from __future__ import annotations

import argparse
import platform
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from firmware import audit
from firmware.calibrated import make_watcher
from firmware.clock import FakeClock
from firmware.eye import InlineEye
from firmware.journal import JournalReader
from firmware.options import DiceOptions
from firmware.robot import RobotError
from firmware.soak_bench import DRAWN, Bench, SoakError
from firmware.soak_player import Player
from vision.cameras.recording import RecordingCamera
from vision.recording import load_recordings

MIB = 1024 * 1024
SAMPLED = 1000
"""Throws between two looks at the memory."""
WARM = 5000
"""Throws until caches have filled; memory must be flat from here on."""
MOST_MIB = 250
"""Memory that all of the table together may take."""


@dataclass
class Result:
    """What came of a soak."""

    throws: int = 0
    games: int = 0
    events: int = 0
    seconds: float = 0.0
    counts: dict[str, int] = field(default_factory=dict)
    memory: dict[int, float] = field(default_factory=dict)
    """Throws so far -> resident memory in MiB."""
    peak: float = 0.0
    """Most resident memory at any moment, in MiB."""

    @property
    def growth(self) -> float:
        """MiB in 10,000 throws after the warm-up (a straight line through the samples); 0 if few.

        >>> round(Result(memory={5000: 100.0, 10000: 101.0, 15000: 102.0}).growth, 3)
        2.0
        """
        warm = {throws: mib for throws, mib in self.memory.items() if throws >= WARM}
        if len(warm) < 3:
            return 0.0
        x0, y0 = sum(warm) / len(warm), sum(warm.values()) / len(warm)
        slope = sum((x - x0) * (y - y0) for x, y in warm.items())
        return 10_000 * slope / sum((x - x0) ** 2 for x in warm)


def soak(throws: int, seed: int, folder: Path, eye: InlineEye | None, told: bool = False) -> Result:
    """Play so many throws in `folder`.

    Raises:
        SoakError: something was lost, doubled or shown wrongly.
        RobotError: the table did not offer what it should have.
    """
    chance = random.Random(seed)
    bench = Bench(folder, chance, eye)
    player = Player(bench, chance)
    result = Result()
    begun = time.monotonic()
    player.begin()
    while player.throws < throws:
        player.move()
        mark = player.throws // SAMPLED * SAMPLED
        if mark and mark not in result.memory:
            result.memory[mark] = resident()
            if told:
                print(f"{mark:>7} throws, {result.memory[mark]:.0f} MiB", flush=True)
    player.finish()
    result.throws, result.games = player.throws, player.games
    result.counts = dict(bench.counts)
    result.counts["pictures drawn"] = bench.counts["turns of the main loop"] // DRAWN
    bench.close()
    result.events = audited(bench.folder)
    result.seconds = time.monotonic() - begun
    result.peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return result


def audited(folder: Path) -> int:
    """Verify the chain of the whole record and the arithmetic of every game; how many events.

    Raises:
        SoakError: the audit finds a flaw.
    """
    with JournalReader(folder) as reader:
        flaws = audit.chain(reader, folder)
        for game_id in reader.game_ids():
            flaws += audit.game(game_id, reader.events(game_id))
        if flaws:
            raise SoakError(f"the audit says: {flaws[0]}")
        return reader.last_seq()


def resident() -> float:
    """Memory of this process in MiB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / MIB


@contextmanager
def reading_eye(recordings: Path) -> Iterator[InlineEye]:
    """The real reader before a camera that shows recorded throws."""
    import cv2

    cv2.setNumThreads(1)
    clock = FakeClock()
    found = [one for one in load_recordings(recordings) if one.truth.values is not None]
    with RecordingCamera(found, hold=True, loop=True, clock=clock, paced=False) as camera:
        yield InlineEye(camera, make_watcher(camera, DiceOptions().edge_mm))


# --- the report ----------------------------------------------------------------------------------


def report(result: Result, command: str) -> str:
    """What came of it, as Markdown."""
    day = time.strftime("%Y-%m-%d", time.gmtime())
    lines = [
        "# Soak",
        "",
        f"`{command}`, {day}, commit {commit()}, {platform.machine()}, "
        f"Python {platform.python_version()}, {result.seconds / 60:.1f} minutes.",
        "",
        "The table plays headless, with everything real but hands and time: mock pins, main loop, "
        "judge, record on disk, kept pictures, screen in memory. Most throws are told by a "
        "stand-in; every hundredth is a recorded picture that the reader reads. Faults come at "
        "random. After every act the table must have exactly what was done; after every fault and "
        "every game so must the record, and the game must equal the replay of its record. At the "
        "end the whole chain and the arithmetic of every game are audited.",
        "",
        f"**Lost: 0. Doubled: 0.** {result.throws:,} throws, {result.games:,} games, "
        f"{result.events:,} events in one unbroken chain.",
        "",
        "| what | how often |",
        "|---|---:|",
        *(f"| {what} | {count:,} |" for what, count in sorted(result.counts.items())),
        "",
        "| throws | memory, MiB |",
        "|---:|---:|",
        *(f"| {throws:,} | {mib:.1f} |" for throws, mib in chosen(result.memory).items()),
        "",
        f"Most at any moment: {result.peak:.0f} MiB, table and reader in one process. "
        + (
            f"After the first {WARM:,} throws it grows by {result.growth:+.2f} MiB in 10,000."
            if max(result.memory, default=0) >= 3 * WARM
            else "It was too short to tell whether memory grows."
        ),
        "",
    ]
    return "\n".join(lines)


def chosen(memory: Mapping[int, float]) -> dict[int, float]:
    """At most a dozen samples, the first and the last among them."""
    marks = sorted(memory)
    step = max(1, -(-len(marks) // 11))
    return {mark: memory[mark] for mark in sorted({*marks[::step], *marks[-1:]})}


def commit() -> str:
    """The commit that is checked out, or "unknown"."""
    if shutil.which("git") is None:
        return "unknown"
    asked = ["git", "describe", "--always", "--exclude=*"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def main(argv: list[str] | None = None) -> int:
    """Run a soak from the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m firmware.soak", description=__doc__)
    parser.add_argument("--throws", type=int, default=50_000, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the results there")
    parser.add_argument("--state", type=Path, metavar="DIR", help="an empty folder; else /tmp")
    parser.add_argument("--recordings", type=Path, default=Path("tests/recordings"), metavar="DIR")
    args = parser.parse_args(argv)
    command = f"python -m firmware.soak --throws {args.throws} --seed {args.seed}"
    with tempfile.TemporaryDirectory(dir=args.state, ignore_cleanup_errors=True) as folder:
        try:
            with reading_eye(args.recordings) as eye:
                result = soak(args.throws, args.seed, Path(folder), eye, told=True)
        except (SoakError, RobotError) as error:
            print(f"soak: {error} (seed {args.seed})", file=sys.stderr)
            return 1
    text = report(result, command)
    print(text)
    if args.out is not None:
        args.out.write_text(text, encoding="utf-8")
    if result.peak > MOST_MIB:
        print(f"soak: {result.peak:.0f} MiB are more than {MOST_MIB}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
