"""`kill -9` at random moments: what was acknowledged is there, in order, and the game goes on.

Eight kills in the ordinary suite; the environment variable DICETABLE_KILLS asks for more.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware.clock import SystemClock
from firmware.journal import Journal

KILLS = int(os.environ.get("DICETABLE_KILLS", "8"))

PLAYER = """
import sys
from pathlib import Path
from firmware.clock import SystemClock
from firmware.journal import Journal

journal = Journal(Path(sys.argv[1]), SystemClock())
game = journal.open_game()
number = game.id if game else journal.start_game("barbut", {"players": ["a", "b"]}, {})
done = len(journal.open_game().acts)
print("ready", flush=True)
while True:
    journal.act(number, {"op": "throw", "by": "a", "dice": [1, 1], "n": done}).result()
    done += 1
    print(number, done, flush=True)  # shown
    if done % 25 == 0:
        journal.close_game(number, {"winners": ["a"]}).result()
        number = journal.start_game("barbut", {"players": ["a", "b"]}, {})
        done = 0
        print(number, done, flush=True)
"""


def test_kill_9_loses_nothing_that_was_shown(
    tmp_path: Path, record_property: Callable[[str, Any], None]
) -> None:
    folder = tmp_path / "state"
    chance = random.Random(5)
    shown_in_all = 0
    for _ in range(KILLS):
        with subprocess.Popen(
            [sys.executable, "-c", PLAYER, folder], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(chance.uniform(0.0, 0.15))  # a moment of chance, not a wait for something
            process.send_signal(signal.SIGKILL)
            lines = process.stdout.read().split("\n")[:-1]  # the last one may be torn
        shown = [tuple(map(int, line.split())) for line in lines]
        shown_in_all += len(shown)
        with Journal(folder, SystemClock()) as journal:
            assert journal.recovery is None
            assert journal.verify() is None
            games = {game.id: game for game in journal.games(limit=None)}
            for number, done in shown:
                assert len(games[number].acts) >= done
            for game in games.values():
                assert [one.act["n"] for one in game.acts] == list(range(len(game.acts)))
            last = shown[-1] if shown else None
            if last is not None:
                # At most the one act that was under way, or the next game's opening, is beyond.
                assert len(games[last[0]].acts) <= last[1] + 1
                assert max(games) <= last[0] + 1
    record_property("kills", {"kills": KILLS, "acts shown": shown_in_all, "lost": 0})
    print({"kills": KILLS, "acts shown": shown_in_all, "lost": 0})
    assert shown_in_all > 0
