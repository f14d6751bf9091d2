"""Frames over time: empty, hand, moving, at rest; and one settled reading for each throw.

A cheap comparison of small grey pictures tells whether anything moves. Only when nothing does is
the reader asked, and only when several frames in a row give the same dice at the same places is its
answer taken. Everything is told by the frames' own times; there is no clock in here.

A throw is reported once. What lies in the tray is remembered, and the next reading is new only when
all the remembered dice were seen to be gone in between, or when none of its dice lies where one of
them lay. So a hand that hovers, a knock, a lamp that goes dim, dice taken out one by one or a
single die turned over make no new throw. Dice that lie in the tray when the watch begins were
thrown before, and are not reported either. Dice in the keep rail count for nothing here.

A calibrated table hands in the picture of its empty tray: what looks as it did then is no die,
whatever the reader says. And it hands in a check of the camera: as long as that finds something
wrong, nothing is read.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

import cv2
import numpy as np
import numpy.typing as npt

from vision.anchors import Trouble
from vision.reading import Die, Image, Problem, Reading, Zone

if TYPE_CHECKING:
    from vision.cameras import Frame

Array = npt.NDArray[np.floating]


class State(StrEnum):
    """What the tray shows at one moment."""

    EMPTY = "empty"
    """Nothing lies in the tray and nothing moves."""
    HAND = "hand"
    """A hand, a cup or a sleeve is over the tray."""
    MOVING = "moving"
    """Dice roll or spin, the table was knocked, or the light changes."""
    AT_REST = "at_rest"
    """Something lies in the tray and nothing moves."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What the watcher says of one frame."""

    state: State
    reading: Reading | None = None
    """The settled reading of what lies there; None while nothing is settled or nothing lies."""
    new: bool = False
    """True for the one frame at which a throw's reading is settled."""
    trouble: Trouble | None = None
    """Why nothing is read: the camera was pushed or covered."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How sure the watcher wants to be."""

    agreeing: int = 3
    """So many readings in a row must be the same."""
    unreadable: float = 0.6
    """Seconds at rest before dice that can not be read are reported as such."""
    wrong_count: float = 1.2
    """The same for a wrong number of dice: the last one may still be on its way."""
    hand: float = 2.5
    """So long something large that lies still is taken for a hand, whatever the reader says."""


CHECK_EVERY = 1.0
"""Seconds of rest after which the camera is checked again; the first time is at once."""

Read = Callable[[Image, int | None], Reading]
"""The reader: a picture and the number of dice due (None: any) to a reading."""
Check = Callable[[Image], Trouble | None]
"""Whether the camera is where it was calibrated."""


class Watcher:
    """Watches one camera's frames.

    `read` is the reader, `check` looks after the camera, `empty` is the small picture
    (`Motion.small`) of the empty tray as it was calibrated. Frames come in the order of their
    times and are all of one size.
    """

    def __init__(
        self,
        read: Read,
        patience: Patience | None = None,
        *,
        check: Check | None = None,
        empty: Image | None = None,
    ) -> None:
        self._read = read
        self._check = check
        self._checked: float | None = None
        """When the camera was checked last in this rest."""
        self._trouble: Trouble | None = None
        self._patience = patience or Patience()
        self._motion = Motion()
        self._answers: deque[Reading] = deque(maxlen=self._patience.agreeing)
        self._still_since = 0.0
        self._verdict: Sight | None = None
        self._lying: _Lying | None = None
        self._start: Image | None = None
        """The first picture at rest, until the first verdict."""
        self._bare = empty
        """The tray as it was calibrated, without dice in its rail."""
        self._empty = empty
        """The tray as it was seen empty last; kept dice may lie in the rail."""
        self._emptied = False
        """The tray was seen empty since the last verdict on dice."""
        self._gone_for = 0
        """In so many frames since then, while something moved, the dice were not where they lay."""

    def update(self, frame: Frame, dice_due: int | None = None) -> Sight:
        """Look at the next frame. `dice_due` counts all dice in view, kept ones included."""
        change = self._motion.update(frame.image)
        if change is not Change.NONE:
            self._stir(frame.time)
            self._look_for_the_lying()
            state = State.HAND if change is Change.LARGE else State.MOVING
            return Sight(state, trouble=self._trouble)
        seconds = frame.time - self._still_since
        if self._verdict is None and self._motion.covered and seconds < self._patience.hand:
            return Sight(State.HAND, trouble=self._trouble)
        if self._camera_trouble(frame) is not None:
            self._answers.clear()
            self._verdict = None
            return Sight(State.MOVING, trouble=self._trouble)
        if self._verdict is not None:
            return self._verdict
        reading = self._believed(self._read(frame.image, dice_due), dice_due)
        if Problem.HAND in reading.problems:
            self._answers.clear()
            return Sight(State.HAND)
        self._answers.append(reading)
        if self._start is None and len(self._answers) >= self._patience.agreeing:
            self._start = self._motion.picture
        return self._judge(reading, seconds)

    def _stir(self, time: float) -> None:
        """Something moves: what was seen at rest counts no more."""
        self._answers.clear()
        self._verdict = self._checked = None
        self._still_since = time

    def _camera_trouble(self, frame: Frame) -> Trouble | None:
        """What is wrong with the camera; looked at once in a while only."""
        due = self._checked is None or frame.time - self._checked >= CHECK_EVERY
        if self._check is not None and due:
            self._checked = frame.time
            was, self._trouble = self._trouble, self._check(frame.image)
            if was is not None and self._trouble is None:
                self._still_since = frame.time  # the rest begins now
        return self._trouble

    def _believed(self, reading: Reading, due: int | None) -> Reading:
        """The reading without what was there when the tray was known to be empty."""
        now = self._motion.picture

        def there(die: Die) -> bool:
            empty = self._empty if die.zone is Zone.TRAY else self._bare
            if empty is None or empty.shape != now.shape:
                return True
            return _Pair(now, empty, reading.size[0]).changed(die)

        dice = tuple(filter(there, reading.dice))
        if len(dice) == len(reading.dice):
            return reading
        problems = {die.problem for die in dice if die.problem is not None}
        problems |= {Problem.HAND} & set(reading.problems)
        if not dice and not problems:
            problems.add(Problem.NO_DICE)
        elif dice and due is not None and len(dice) != due:
            problems.add(Problem.WRONG_COUNT)
        left = [problem for problem in reading.problems if problem in problems]
        left += sorted(problems - set(left))
        return replace(reading, dice=dice, problems=tuple(left))

    def _look_for_the_lying(self) -> None:
        """While things move and no hand hides them: are the dice that lay here still here?"""
        if self._lying is not None and self._gone_for < 2:
            self._gone_for += not self._motion.covered and self._is_gone(self._lying)

    def _is_gone(self, lying: _Lying) -> bool:
        return lying.gone(self._motion.picture, self._empty)

    def _judge(self, reading: Reading, seconds: float) -> Sight:
        """What lies still for so long, and the verdict on it as soon as there is one."""
        enough = len(self._answers) == self._patience.agreeing
        if not _in_tray(reading):
            if enough and not any(map(_in_tray, self._answers)):
                return self._nothing_lies()
            return Sight(State.EMPTY)
        if reading.ok:
            settled = enough and all(_agree(other, reading) for other in self._answers)
        else:
            few = Problem.WRONG_COUNT in reading.problems
            wait = self._patience.wrong_count if few else self._patience.unreadable
            settled = seconds >= wait
        return self._dice_lie(reading) if settled else Sight(State.AT_REST)

    def _nothing_lies(self) -> Sight:
        if self._lying is not None and not self._emptied and not self._is_gone(self._lying):
            # No dice to be seen where the picture is as it was: the reader is blind, not right.
            return Sight(State.AT_REST)
        self._emptied, self._empty = True, self._motion.picture
        return self._settle(Sight(State.EMPTY))

    def _dice_lie(self, reading: Reading) -> Sight:
        lying = _Lying(reading, self._motion.picture)
        if self._emptied:
            new = True
        elif self._lying is None:
            new = self._start is not None and lying.gone(self._start, None)
        elif self._gone_for >= 2:
            # A knock shakes all dice out of their places too, but they come back as they were.
            new = not self._lying.some_stayed(reading, unturned=True)
        else:
            new = not self._lying.some_stayed(reading)
        self._lying = lying
        self._emptied, self._gone_for = False, 0
        return replace(self._settle(Sight(State.AT_REST, reading)), new=new)

    def _settle(self, verdict: Sight) -> Sight:
        self._verdict = verdict
        self._motion.settle()
        return verdict


# ------------------------------------------------------------------------------------------ motion


class Change(StrEnum):
    """How much a frame differs from the ones before."""

    NONE = "none"
    SMALL = "small"
    """Dice, or the light."""
    LARGE = "large"
    """A hand or the like."""


class Motion:
    """Compares frames as small grey pictures; under 1 ms a frame of 640x480."""

    WIDTH = 160
    FEW = 3
    """So many of the small picture's pixels may change by chance."""
    HAND, WHOLE_HAND, LIGHT = 0.02, 0.09, 0.6
    """Shares of the picture: of a hand that reaches in from outside, of one whose sleeve can not be
    told from the table, and what only lamps change."""

    def __init__(self) -> None:
        self.picture: Image = np.zeros((1, 1), np.uint8)
        """The last frame, small and grey."""
        self.covered = False
        """Whether something large is in the last frame that was not in the last settled one."""
        self._first = self.picture
        self._settled: Image | None = None
        self._noise = 0.5

    @classmethod
    def small(cls, image: Image) -> Image:
        """The small grey picture of a frame."""
        height, width = image.shape[:2]
        size = (cls.WIDTH, max(1, round(cls.WIDTH * height / width)))
        small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
        # A die is some pixels wide, noise is one: without it much fainter motion can be seen.
        return np.asarray(cv2.blur(grey, (3, 3)), np.uint8)

    def update(self, image: Image) -> Change:
        """Compare the next frame with the one before and with the first of this rest."""
        before = self.picture
        self.picture = self.small(image)
        if before.shape != self.picture.shape:  # the first frame
            self._begin()
            return Change.SMALL
        self._learn_noise(np.asarray(cv2.subtract(self.picture, before, dtype=cv2.CV_32F)))
        self.covered = self._hand_in_view()
        # Slow motion shows only against the beginning of the rest.
        if max(self._moved(before), self._moved(self._first)) <= self.FEW:
            return Change.NONE
        self._begin()
        return Change.LARGE if self.covered else Change.SMALL

    def settle(self) -> None:
        """This picture is at rest for sure: later ones are compared with it."""
        self._settled = self.picture

    def _begin(self) -> None:
        self._first = self.picture

    def _learn_noise(self, step: Array) -> None:
        # Noise is what differs from pixel to pixel; dice are few pixels, lamps flicker smoothly.
        grain = np.abs(step - cv2.blur(step, (3, 3)))
        self._noise += 0.2 * (float(np.minimum(grain, 8).mean()) - self._noise)

    def _moved(self, other: Image) -> int:
        """How many pixels differ from those of another small picture by more than noise."""
        return int(np.count_nonzero(self._different(other)))

    def _different(self, other: Image) -> npt.NDArray[np.bool_]:
        limit = max(4.0, 10 * self._noise + 2)
        return np.asarray(cv2.absdiff(self.picture, other) > limit, np.bool_)

    def _hand_in_view(self) -> bool:
        """Whether something large, as a rule reaching in from outside, was not there before."""
        if self._settled is None:
            return False
        different = self._different(self._settled).astype(np.uint8)
        least, most = self.HAND * different.size, self.LIGHT * different.size
        if not least < np.count_nonzero(different) < most:
            return False
        count, _, stats, _ = cv2.connectedComponentsWithStats(different, connectivity=4)
        height, width = different.shape
        for left, top, wide, high, area in stats[1:count]:
            outside = left == 0 or top == 0 or left + wide == width or top + high == height
            if area > (least if outside else self.WHOLE_HAND * different.size):
                return True
        return False


# ------------------------------------------------------------------------------------------- dice


class _Lying:
    """The dice that were seen at rest last, and the small picture of them."""

    STAYED = 0.35
    """A die this near to its old place, in edges of a die, has not been thrown."""
    DARK = 0.65
    """A picture with less of the light than before tells nothing about what is gone."""
    ELSEWHERE = 15.0
    """Grey levels: when most of the picture has changed by more, it shows another place."""

    def __init__(self, reading: Reading, picture: Image) -> None:
        self.dice = _tray_dice(reading)
        self.picture = picture
        self.scale = picture.shape[1] / reading.size[0]

    def some_stayed(self, reading: Reading, *, unturned: bool = False) -> bool:
        """Whether any die lies where one lay before, and (`unturned`) shows the same face."""
        pairs = [(die, self._find(die)) for die in _tray_dice(reading)]
        return any(
            was is not None and (die.value == was.value or not unturned) for die, was in pairs
        )

    def gone(self, picture: Image, empty: Image | None) -> bool:
        """Whether the floor is to be seen at the place of every die.

        `empty` is a picture of the empty tray; without one the floor round a die tells.
        """
        light = _brightness(picture, self.picture)
        if not self.DARK < light < 1 / self.DARK:
            return False
        now = picture / light
        change = np.abs(now - self.picture)
        if np.median(change) > self.ELSEWHERE:
            return True
        for die in self.dice:
            here, around = (_window(self.picture, self.scale, die, k) for k in (0.5, 1.2))
            floor = np.full_like(now[here], np.median(self.picture[around]))
            if empty is not None:
                floor = np.asarray(empty[here] * _brightness(self.picture, empty), np.float64)
            if np.abs(now[here] - floor).mean() > 0.6 * change[here].mean():
                return False
        return True

    def _find(self, die: Die) -> Die | None:
        """The remembered die nearest to this one, if it is near enough to be it."""
        near = min(self.dice, key=lambda other: _distance(other, die), default=None)
        if near is None or _distance(near, die) > self.STAYED * _edge(near):
            return None
        return near


class _Pair:
    """The small picture of now beside that of the empty tray."""

    FAINT, SPOT = 2.5, 8.0
    """Grey levels: no die changes its place by less, on average and at its most."""

    def __init__(self, now: Image, empty: Image, width: int) -> None:
        self.now, self.empty = now, empty
        self.scale = now.shape[1] / width

    def changed(self, die: Die) -> bool:
        """Whether anything is at a die's place that was not there when the tray was empty."""
        here, around = (_window(self.now, self.scale, die, k) for k in (0.5, 1.5))
        # Lamps may have changed since: what is around tells how much.
        light = float(np.median(self.now[around] / np.maximum(self.empty[around], 1.0)))
        change = np.abs(self.now[here] - self.empty[here] * light)
        return bool(change.mean() > self.FAINT or change.max() > self.SPOT)


def _window(picture: Image, scale: float, die: Die, edges: float) -> tuple[slice, slice]:
    """The part of a picture, reduced by `scale`, within so many edges of a die's centre.

    Of a die outside the picture it is the nearest part of the border.
    """
    height, width = picture.shape[:2]
    x, y = (round(v * scale) for v in die.centre)
    x, y = min(max(x, 0), width - 1), min(max(y, 0), height - 1)
    half = max(1, round(_edge(die) * scale * edges))
    return slice(max(0, y - half), y + half + 1), slice(max(0, x - half), x + half + 1)


def _brightness(a: Image, b: Image) -> float:
    """How many times as bright as b picture a is."""
    return float(a.mean()) / max(1.0, float(b.mean()))


def _tray_dice(reading: Reading) -> list[Die]:
    """The dice on the tray's floor: what lies elsewhere neither stays nor goes."""
    return [d for d in reading.dice if d.zone is Zone.TRAY and d.problem is not Problem.OUTSIDE]


def _in_tray(reading: Reading) -> bool:
    return any(die.zone is Zone.TRAY for die in reading.dice)


def _agree(a: Reading, b: Reading) -> bool:
    """Whether two readings show the same dice at the same places."""
    if not (a.ok and b.ok) or len(a.dice) != len(b.dice):
        return False
    left = list(b.dice)
    for die in a.dice:
        near = min(left, key=lambda other: _distance(other, die))
        left.remove(near)
        if near.value != die.value or _distance(near, die) > 0.2 * _edge(die):
            return False
    return True


def _distance(a: Die, b: Die) -> float:
    return float(np.hypot(a.centre[0] - b.centre[0], a.centre[1] - b.centre[1]))


def _edge(die: Die) -> float:
    """Length of the top face's edges in pixels."""
    corners = np.array(die.corners)
    return float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())


# --------------------------------------------------------------------------------------- kept dice


@dataclass(frozen=True, slots=True)
class Kept:
    """Whether kept dice are what was thrown before."""

    remaining: tuple[int, ...]
    """Faces of the throw that were not kept, high to low: these dice are to be thrown."""
    strangers: tuple[int, ...]
    """Faces in the rail that the throw did not show, high to low: these dice were turned."""

    @property
    def ok(self) -> bool:
        """True when every kept die is a part of the throw."""
        return not self.strangers


def match_kept(thrown: Sequence[int], rail: Sequence[int]) -> Kept:
    """Compare the dice in the keep rail with the faces thrown before, face for face.

    >>> match_kept((6, 6, 5, 2, 1), (6, 5))
    Kept(remaining=(6, 2, 1), strangers=())
    >>> match_kept((6, 6, 5, 2, 1), (6, 4)).ok
    False
    """
    before, kept = Counter(thrown), Counter(rail)
    return Kept(_faces(before - kept), _faces(kept - before))


def _faces(count: Counter[int]) -> tuple[int, ...]:
    return tuple(sorted(count.elements(), reverse=True))
