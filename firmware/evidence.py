"""The picture of each confirmed throw, kept within a quota, the oldest out first.

A picture is `pictures/000012/000034-7f3a9c.jpg` in the state folder (game 12, its 34th picture, and
chance, so that a name is never given twice), and beside it a `.json` says what was read in it and
what it was corrected to. Writing happens in the
background; when it fails, play goes on and the record has a note of it. Pictures of a game in
dispute are never removed.
"""

from __future__ import annotations

import contextlib
import json
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from firmware.clock import Clock
from firmware.record import Kind
from firmware.statedir import DiskFullError, plain_os_error, write_durably
from vision.reading import Image, Reading

FOLDER_NAME = "pictures"
JPEG_QUALITY = 85
QUEUE = 4
"""So many pictures may wait for a slow card; more are not kept, for memory must not grow."""


class Record(Protocol):
    """What is needed of the journal."""

    def append(self, kind: Kind, body: dict[str, Any], game_id: int | None = None) -> Future[int]:
        """Append an event."""
        ...

    def disputed(self) -> Collection[int]:
        """Games whose pictures must stay."""
        ...


@dataclass(frozen=True, slots=True)
class Kept:
    """One picture on disk, with what belongs to it."""

    name: str
    picture: Path
    size: int
    """Bytes of the picture and its description."""

    @property
    def game_id(self) -> int:
        """The game it belongs to."""
        return int(self.picture.parent.name)


class Evidence:
    """Keeps pictures. Close it, or use it with `with`."""

    def __init__(
        self,
        folder: Path,
        quota: int,
        clock: Clock,
        *,
        protected: Callable[[], Collection[int]] = frozenset,
        note: Callable[[str, int], object] = lambda text, game_id: None,
    ) -> None:
        """Make ready; touches no disk yet.

        Args:
            folder: where the pictures go; made when it is needed.
            quota: bytes that all pictures together may take; 0 keeps none.
            clock: for the time in the description.
            protected: the games whose pictures must stay.
            note: told when a picture could not be kept, with the game's number; on any thread.
        """
        self.folder = folder
        self.quota = quota
        self._clock = clock
        self._protected = protected
        self._note = note
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="evidence")
        self._waiting: list[Future[None]] = []
        self._numbers: dict[int, int] = {}
        self._used: int | None = None
        """Bytes on disk; None until they were counted."""

    @classmethod
    def open(cls, state: Path, record: Record, quota_mib: int, clock: Clock) -> Evidence:
        """The pictures of a state folder, its record told of failures."""

        def note(text: str, game_id: int) -> None:
            record.append(Kind.EVIDENCE, {"text": text, "kept": False}, game_id)

        return cls(
            state / FOLDER_NAME,
            quota_mib * 1024 * 1024,
            clock,
            protected=record.disputed,
            note=note,
        )

    def keep(
        self,
        game_id: int,
        image: Image,
        reading: Reading,
        corrected: tuple[int, ...] | None = None,
        about: Mapping[str, Any] | None = None,
    ) -> str | None:
        """Keep the picture of a throw; returns its name at once and never raises.

        Args:
            game_id: the game it belongs to.
            image: the picture; it must not be changed afterwards.
            reading: what the reader says of it.
            corrected: the values that a person gave instead.

        Returns:
            The name to be put beside the act, such as `000012/000034-7f3a9c`; None when the card
            is too slow for one more, or no pictures are wanted.
        """
        if self.quota <= 0:
            return None
        self._waiting = [one for one in self._waiting if not one.done()]
        if len(self._waiting) >= QUEUE:
            self._note("a picture was not kept: the disk is too slow", game_id)
            return None
        number = self._next_number(game_id)
        name = f"{game_id:06}/{number:06}-{secrets.token_hex(3)}"
        told = {
            "at": int(self._clock.wall() * 1000),
            "read": as_json(reading),
            "corrected": list(corrected) if corrected is not None else None,
            "camera": dict(about or {}),
        }
        self._waiting.append(self._worker.submit(self._save, game_id, name, image, told))
        return name

    def flush(self) -> None:
        """Wait until everything given so far is on disk, or noted as failed."""
        for one in self._waiting:
            one.result()

    def close(self) -> None:
        """Finish what waits; may be called twice."""
        self._worker.shutdown(wait=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def path(self, name: str) -> Path:
        """The file of a picture by its name, whether it is still there or not."""
        return self.folder / f"{name}.jpg"

    def kept(self) -> Iterator[Kept]:
        """The pictures on disk, the oldest first."""
        for picture in sorted(self.folder.glob("[0-9]*/[0-9]*.jpg")):
            size = 0
            for file in (picture, picture.with_suffix(".json")):
                if file.exists():
                    size += file.stat().st_size
            yield Kept(f"{picture.parent.name}/{picture.stem}", picture, size)

    def _next_number(self, game_id: int) -> int:
        if game_id not in self._numbers:
            there = [int(one.stem[:6]) for one in self.folder.glob(f"{game_id:06}/[0-9]*.jpg")]
            self._numbers = {game_id: max(there, default=0)}
        self._numbers[game_id] += 1
        return self._numbers[game_id]

    # --- in the background -------------------------------------------------------------------

    def _save(self, game_id: int, name: str, image: Image, about: dict[str, Any]) -> None:
        path = self.path(name)
        try:
            data = encoded(image)
            text = json.dumps(about, ensure_ascii=False).encode()
            self._make_room(len(data) + len(text))
            path.parent.mkdir(parents=True, exist_ok=True)
            write_durably(path.with_suffix(".json"), text)
            write_durably(path, data)
        except OSError as error:
            self._note(f"a picture was not kept: {plain_os_error(error, path, 'writing')}", game_id)
        except Exception as error:
            self._note(f"a picture was not kept: {error}", game_id)

    def _make_room(self, needed: int) -> None:
        """Count `needed` bytes in; remove the oldest pictures when the quota is passed.

        Never one of a game in dispute.

        Raises:
            DiskFullError: there is nothing left that may be removed.
        """
        if self._used is None:
            self._used = sum(one.size for one in self.kept())
        if self._used + needed > self.quota:
            # A little more than needed, so that the folder is not searched at every throw.
            self._used = self._remove_oldest(self.quota - needed - self.quota // 20)
        if self._used + needed > self.quota:
            raise DiskFullError(
                f"the quota of {self.folder} is used up by games in dispute; settle them or raise "
                "state.picture_quota_mib"
            )
        self._used += needed

    def _remove_oldest(self, target: int) -> int:
        """Remove pictures until at most `target` bytes are left, if may be; the bytes left."""
        pictures = list(self.kept())
        used = sum(one.size for one in pictures)
        protected = self._protected()
        for one in pictures:
            if used <= target:
                break
            if one.game_id not in protected:
                one.picture.unlink()
                one.picture.with_suffix(".json").unlink(missing_ok=True)
                with contextlib.suppress(OSError):  # other pictures of that game are in it
                    one.picture.parent.rmdir()
                used -= one.size
        return used


def encoded(image: Image) -> bytes:
    """The picture as JPEG; ValueError when it is none."""
    import cv2

    good, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not good:
        raise ValueError("it can not be written as JPEG")
    return bytes(data)


def as_json(reading: Reading) -> dict[str, Any]:
    """What was read, as data: enough to draw it onto the picture again."""
    return {
        "values": list(reading.values) if reading.values is not None else None,
        "problems": [str(one) for one in reading.problems],
        "dice": [
            {
                "value": die.value,
                "confidence": round(float(die.confidence), 3),
                "centre": [round(float(one), 1) for one in die.centre],
                "zone": str(die.zone),
                "problem": str(die.problem) if die.problem else None,
            }
            for die in reading.dice
        ],
        "size": list(reading.size),
        "ms": round(float(reading.ms), 1),
    }
