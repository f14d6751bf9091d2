"""The plug is pulled at every single write of an evening, and nothing that was shown is lost.

The journal's real code runs on a simulated disk, an SQLite VFS in Python. What was written but
not yet synced may, at a power cut, be there, be absent, or be torn at a boundary of 512 bytes; a
file that was made or removed without its folder synced may come undone. The evening is played
once while every operation is recorded; then the disk is rebuilt as it may look after a cut at
each operation, and the journal is opened on it and must go on.
"""

import os
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from firmware.clock import FakeClock
from firmware.journal import Journal
from firmware.record import Event, Kind, RecordedGame
from firmware.recovery import HEAD_NAME
from firmware.rules import GAMES, Game
from firmware.rules.acts import Act, Throw, from_json, to_json
from firmware.store import Store

apsw = pytest.importorskip("apsw")

SECTOR = 512
ACTS = int(os.environ.get("DICETABLE_CUT_ACTS", "18"))
"""Acts in each of the two games; more of them make a longer evening and more cuts."""


@dataclass(frozen=True)
class Op:
    """One operation on the disk: write, truncate, sync, make or remove."""

    kind: str
    name: str
    offset: int = 0
    data: bytes = b""


@dataclass
class File:
    """One file: what would survive a cut, and what is on its way."""

    durable: bytearray | None = None
    pending: list[Op] = field(default_factory=list)


class Disk:
    """Files by name; `apply` takes operations in order, `after_cut` pulls the plug."""

    def __init__(self) -> None:
        self.files: dict[str, File] = {}

    def apply(self, op: Op) -> None:
        file = self.files.setdefault(op.name, File())
        if op.kind == "sync":
            file.durable = content(file.durable, file.pending)
            file.pending = []
        elif op.kind == "remove_synced":
            file.durable, file.pending = None, []
        else:
            file.pending.append(op)

    def after_cut(self, survives: "Survival") -> dict[str, bytearray]:
        """What is found when the power is back."""
        found = {}
        for name, file in self.files.items():
            left = content(file.durable, [part for op in file.pending for part in survives(op)])
            if left is not None:
                found[name] = left
        return found


class Survival:
    """Which of the writes on their way arrive: none, all, or whatever chance wants."""

    def __init__(self, seed: int | str) -> None:
        self.seed = seed
        self.chance = random.Random(seed)

    def __call__(self, op: Op) -> Iterator[Op]:
        fate = self.seed if isinstance(self.seed, str) else self.chance.choice(("none", "all", ""))
        if fate == "all":
            yield op
        elif fate == "" and op.kind == "write":
            for start in range(0, len(op.data), SECTOR):
                if self.chance.random() < 0.5:
                    part = op.data[start : start + SECTOR]
                    yield Op("write", op.name, op.offset + start, part)


def content(before: bytearray | None, ops: list[Op]) -> bytearray | None:
    """A file's bytes after operations; None when it does not exist."""
    data = None if before is None else bytearray(before)
    for op in ops:
        if op.kind == "remove":
            data = None
            continue
        data = bytearray() if data is None else data
        if op.kind == "write":
            data.extend(bytes(max(0, op.offset - len(data))))
            data[op.offset : op.offset + len(op.data)] = op.data
        elif op.kind == "truncate":
            del data[op.offset :]
    return data


class SimulatedDisk(apsw.VFS):  # type: ignore[misc]
    """An SQLite VFS over files in memory that records every operation."""

    def __init__(self, files: dict[str, bytearray], log: list[Op] | None) -> None:
        self.name = f"cut{id(self):x}"
        self.files = files
        self.log = log
        super().__init__(self.name, "", 1)

    def note(self, op: Op) -> None:
        after = content(self.files.get(op.name), [op])
        if op.kind in ("remove", "remove_synced"):
            self.files.pop(op.name, None)
        elif after is not None:
            self.files[op.name] = after
        if self.log is not None:
            self.log.append(op)

    def xOpen(self, name: Any, flags: list[int]) -> "SimulatedFile":  # noqa: N802
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        key = os.path.basename(path) if path else f"temp{id(flags)}"
        if key not in self.files:
            self.note(Op("make", key))
        flags[1] = flags[0]
        return SimulatedFile(self, key)

    def xDelete(self, path: str, sync_folder: bool) -> None:  # noqa: N802
        if os.path.basename(path) not in self.files:
            raise apsw.IOError("no such file")
        self.note(Op("remove_synced" if sync_folder else "remove", os.path.basename(path)))

    def xAccess(self, path: str, _flags: int) -> bool:  # noqa: N802
        return os.path.basename(path) in self.files

    def xFullPathname(self, path: str) -> str:  # noqa: N802
        return path


class SimulatedFile:
    """One open file of the simulated disk."""

    def __init__(self, disk: SimulatedDisk, name: str) -> None:
        self.disk = disk
        self.name = name
        self.excl = 0

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        return bytes(self.disk.files[self.name][offset : offset + amount])

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self.disk.note(Op("write", self.name, offset, bytes(data)))

    def xTruncate(self, size: int) -> None:  # noqa: N802
        self.disk.note(Op("truncate", self.name, size))

    def xSync(self, _flags: int) -> None:  # noqa: N802
        self.disk.note(Op("sync", self.name))

    def xFileSize(self) -> int:  # noqa: N802
        return len(self.disk.files[self.name])

    def xSectorSize(self) -> int:  # noqa: N802
        return SECTOR

    def xDeviceCharacteristics(self) -> int:  # noqa: N802
        return 0  # promise nothing

    def xLock(self, _level: int) -> None: ...  # noqa: N802

    def xUnlock(self, _level: int) -> None: ...  # noqa: N802

    def xCheckReservedLock(self) -> bool:  # noqa: N802
        return False

    def xFileControl(self, _op: int, _pointer: int) -> bool:  # noqa: N802
        return False

    def xClose(self) -> None: ...  # noqa: N802


class Bench:
    """Opens journals on simulated disks; the clock stands still."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put_head(self, head: bytes) -> None:
        """The newest head that can have survived: the hardest case for the check at start."""
        path = self.folder / HEAD_NAME
        path.write_bytes(head) if head else path.unlink(missing_ok=True)

    def open(self, files: dict[str, bytearray], log: list[Op] | None) -> Journal:
        self.disk = SimulatedDisk(files, log)  # SQLite needs it alive

        return Journal(self.folder, FakeClock(), boot="b", connect=self.connect, copies=False)

    def connect(self, path: Path) -> Any:
        connection = apsw.Connection(str(path), vfs=self.disk.name)
        # A VFS in Python has no shared memory; WAL then needs this.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        return connection


@dataclass(frozen=True)
class Shown:
    """What people had been shown when operation number `ops` began."""

    ops: int
    events: tuple[Event, ...]
    """On disk for certain."""
    head: bytes
    """What the file beside the database remembers."""


STARTS = {
    "barbudi": {"players": ["Kari", "Ola", "Per"], "chips": 9, "thrower": "Kari"},
    "balut": {"players": ["Лиза", "Åse"], "order": ["Лиза", "Åse"]},
}


def rebuilt(recorded: RecordedGame) -> Game[Any]:
    """The game as the judge has it: every act that stands is legal again."""
    game = GAMES[recorded.game].from_start(recorded.start)
    for one in recorded.acts:
        game.push(from_json(one.act))
    return game


def likely_act(game: Game[Any], chance: random.Random) -> Act | None:
    """A legal act; throws before choices, and never the end of the session."""
    acts = [act for act in game.legal() if act.op not in ("stop", "void_throw", "decline")]
    throws = [act for act in acts if isinstance(act, Throw)]
    return chance.choice(throws or acts) if acts else None


class Evening:
    """Two games with take-backs, corrections, a fault and a restart, recorded write by write."""

    def __init__(self, bench: Bench, acts: int) -> None:
        self.bench = bench
        self.chance = random.Random(1)
        self.log: list[Op] = []
        self.shown = [Shown(0, (), b"")]
        self.files: dict[str, bytearray] = {}
        self.journal = self.restart()
        for key in STARTS:
            self.play(key, acts)
        self.journal.close()

    def restart(self) -> Journal:
        journal = self.bench.open(self.files, self.log)
        self.note(journal)
        return journal

    def note(self, journal: Journal) -> None:
        """Everything so far is on disk and may be shown."""
        head = (self.bench.folder / HEAD_NAME).read_bytes()
        self.shown.append(Shown(len(self.log), journal.events(), head))

    def play(self, key: str, acts: int) -> None:
        game = GAMES[key].from_start({"game": key, **STARTS[key]})
        number = self.journal.start_game(key, game.start_json, {"version": "1"})
        self.note(self.journal)
        for turn in range(acts):
            act = likely_act(game, self.chance)
            if act is None:
                break
            game.push(act)
            body = {"act": to_json(act), "by": "panel", "picture": f"{number:06}/{turn:06}.jpg"}
            together = [(Kind.ACT, body)]
            if turn % 7 == 3:
                together.insert(0, (Kind.CORRECTION, {"read": [1, 2], "corrected": [1, 3]}))
            self.journal.append_all(together, number).result()
            self.note(self.journal)
            if turn % 9 == 5:
                game.pop()
                self.journal.take_back(number).result()
                self.note(self.journal)
            if turn == acts // 2:
                fault = self.journal.fault("chips", "do not add up", number).result()
                self.note(self.journal)
                self.journal.close()
                self.journal = self.restart()
                self.journal.clear_fault(fault, "operator").result()
                self.note(self.journal)
        self.journal.close_game(number, {"winners": ["Kari"]}).result()
        self.journal.flush()
        self.note(self.journal)


SEEDS: tuple[int | str, ...] = ("none", "all", 1, 2)
"""Everything on its way is lost; all of it arrives; and chance, twice."""


@pytest.fixture
def memory_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder for the lock and the probe, which need not reach a real disk here."""
    shm = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(dir=shm)) if os.access(shm, os.W_OK) else tmp_path
    yield folder
    shutil.rmtree(folder)


def test_no_cut_at_any_write_of_an_evening_loses_what_was_shown(
    memory_folder: Path, record_property: Callable[[str, Any], None]
) -> None:
    bench = Bench(memory_folder)
    evening = Evening(bench, acts=ACTS)
    disk, stage, cuts, tried = Disk(), 0, 0, set()
    for number, op in enumerate(evening.log):
        disk.apply(op)
        while stage + 1 < len(evening.shown) and evening.shown[stage + 1].ops <= number:
            stage += 1
        before, after = evening.shown[stage], evening.shown[min(stage + 1, len(evening.shown) - 1)]
        for seed in SEEDS:
            cuts += 1
            survival = Survival(seed if isinstance(seed, str) else seed * 1_000_003 + number)
            files = disk.after_cut(survival)
            image = (stage, *sorted((name, bytes(data)) for name, data in files.items()))
            if image not in tried:  # the same disk in the same moment shows nothing new
                tried.add(image)
                go_on(bench, files, before, after, f"operation {number}: {op}")
    numbers = {"cuts": cuts, "different disks": len(tried), "operations": len(evening.log)}
    record_property("power cuts", numbers)
    print(numbers)
    assert len(tried) > 500


def go_on(
    bench: Bench, files: dict[str, bytearray], before: Shown, after: Shown, where: str
) -> None:
    """Start on what the cut left, check that all is there, and play one more act."""
    bench.put_head(before.head)
    with bench.open(files, None) as journal:
        assert journal.recovery is None, where
        found = journal.events()
        assert journal.verify() is None, where
        assert found[-1].kind == Kind.POWER_ON, where
        # What was shown, or with it the one transaction that was under way; never a part of it.
        assert found[:-1] in (before.events, after.events), where
        recorded = journal.open_game()
        assert found[-1].body["open_game"] == (recorded.id if recorded else None), where
        if recorded is not None:
            act = likely_act(rebuilt(recorded), random.Random(0))
            if act is not None:
                journal.act(recorded.id, to_json(act)).result()
                again = journal.open_game()
                assert again is not None, where
                assert [one.act for one in again.acts] == [
                    *(one.act for one in recorded.acts),
                    to_json(act),
                ], where


class CarelessBench(Bench):
    """The same, with a connection that does not wait for the disk after each commit."""

    def connect(self, path: Path) -> Any:
        connection = super().connect(path)

        class Careless:
            def execute(self, sql: str, bindings: Any = ()) -> Any:
                return connection.execute(sql.replace("= EXTRA", "= NORMAL"), bindings)

            def close(self) -> None:
                connection.close()

        return Careless()


def test_the_same_cuts_do_lose_events_when_commits_are_not_synced(memory_folder: Path) -> None:
    """The simulated disk is as unkind as it claims: `synchronous = NORMAL` loses events on it."""
    bench = CarelessBench(memory_folder)
    evening = Evening(bench, acts=4)
    disk, stage, lost = Disk(), 0, 0
    for number, op in enumerate(evening.log):
        disk.apply(op)
        while stage + 1 < len(evening.shown) and evening.shown[stage + 1].ops <= number:
            stage += 1
        bench.disk = SimulatedDisk(disk.after_cut(Survival("none")), None)
        store = Store(Path("/journal.db"), bench.connect(Path("/journal.db")))
        store.prepare()
        found = tuple(store.events())
        lost += found[: len(evening.shown[stage].events)] != evening.shown[stage].events
        store.close()
    assert lost > 10
