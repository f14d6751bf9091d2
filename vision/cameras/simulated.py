"""A camera over a tray that does not exist: dice to throw on any computer, with the truth known."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from vision.cameras import CameraError, Clock, Closing, Frame, Pacer, SystemClock
from vision.cameras.softcam.dice import DICE_SETS
from vision.cameras.softcam.effects import Dim, Effect, Flicker, Glare, Knock
from vision.cameras.softcam.hand import HandPainter
from vision.cameras.softcam.lens import Lens
from vision.cameras.softcam.light import LIGHTS
from vision.cameras.softcam.motion import LEANING, LYING, choose_from
from vision.cameras.softcam.plate import FELTS, draw_plate
from vision.cameras.softcam.render import Body, Renderer
from vision.cameras.softcam.scenes import Act, Now, Reach, Roll, Table, TableDie, lay, renumber
from vision.cameras.softcam.space import HALF, PLAIN, RAIL_SHARE, Stand
from vision.reading import Image, Zone
from vision.recording import Truth
from vision.tray import Tray
from vision.watch import State

MOST_DICE = 5


class SimulatedCamera(Closing):
    """Real dice motion under a simulated lens.

    Everything random comes from `seed`: the same calls at the same times give the same frames. With
    `hands`, dice are taken away by a hand; without, they vanish, which is quicker. One throw in
    `1 / cocked_share` has a die that leans on something and can not be read.

    `dice_set`, `felt` and `light` are keys of DICE_SETS, FELTS and LIGHTS.
    """

    SIZE = (640, 480)

    def __init__(
        self,
        *,
        seed: int | None = None,
        size: tuple[int, int] = SIZE,
        fps: float = 15.0,
        clock: Clock | None = None,
        paced: bool = True,
        dice_set: str = "white",
        felt: str = "green",
        light: str = "bars",
        hands: bool = True,
        cocked_share: float = 0.02,
        noise: float = 2.5,
        stand: Stand = PLAIN,
    ) -> None:
        """`noise` is in grey levels. CameraError when a name is unknown or the size no 4:3."""
        for word, known in ((dice_set, DICE_SETS), (felt, FELTS), (light, LIGHTS)):
            if word not in known:
                names = ", ".join(known)
                raise CameraError(f"simulated: {word!r} is none of {names}", permanent=True)
        if size[0] * 3 != size[1] * 4 or size[0] < 320:
            raise CameraError(
                f"simulated: {size[0]}x{size[1]} must be 4:3 and at least 320x240", permanent=True
            )
        self.size, self.seed = size, seed
        self._interval = 1 / fps
        self._pacer = Pacer(clock or SystemClock(), paced=paced)
        self._rng = np.random.default_rng(seed)
        self._hands, self._cocked_share = hands, cocked_share
        self._lens = Lens(size, stand)
        lamps = LIGHTS[light]
        plate = draw_plate(size, lamps, felt, stand)
        self._empty = Renderer(self._lens, plate, lamps, DICE_SETS[dice_set])
        self._lying: list[TableDie] = []
        self._with_lying = self._empty
        self._painter = HandPainter(self._lens)
        self._rng_noise = np.random.default_rng([3, seed or 0])
        self._noise = self._make_noise(noise)
        self._pushed: npt.NDArray[np.float64] | None = None
        self._covered = 0.0
        self._table = Table()
        self._acts: deque[Act] = deque()
        self._act_began = 0.0
        self._effects: list[tuple[float, Effect]] = []
        self._waiting: list[Effect] = []
        self._time: float | None = None
        self._number = 0
        self._closed = False

    # ---------------------------------------------------------------------------------- the players

    def throw(
        self,
        dice: int,
        kept: Sequence[int] = (),
        *,
        values: Sequence[int] | None = None,
        cocked: bool | None = None,
        spin: bool = False,
    ) -> None:
        """Throw so many dice (1 to 5); dice with the faces `kept` lie in the keep rail.

        What lies in the tray is taken away first. `values` decides the throw, `cocked` whether a
        die leans (None: now and then), and with `spin` one die spins on its corner for a while.
        ValueError when the numbers make no sense.
        """
        if not 1 <= dice <= MOST_DICE or len(kept) > MOST_DICE:
            raise ValueError(f"1 to {MOST_DICE} dice can be thrown, not {dice}")
        if values is not None and len(values) != dice:
            raise ValueError(f"{dice} dice are thrown, but {len(values)} values are given")
        if not set(kept) | set(values or ()) <= set(range(1, 7)):
            raise ValueError("values of dice are 1 to 6")
        if cocked is None:
            cocked = bool(self._rng.random() < self._cocked_share) and values is None
        self._take_away(kept)
        choice = choose_from(dice, LEANING if cocked else LYING)
        motion = choice[self._rng.integers(len(choice))]
        if self._rng.random() < 0.5:
            motion = motion.mirrored()
        wanted = list(values) if values is not None else [None] * dice
        self._play(Roll(motion, renumber(motion, wanted, self._rng), spin=spin))

    def clear(self) -> None:
        """Take all dice away."""
        self._take_away(())

    def take_one(self) -> None:
        """A hand takes one die out of the tray."""
        self._play(Now(self._plan_taking_one))

    def wave(self, seconds: float = 1.0) -> None:
        """A hand hovers over the tray and takes nothing."""
        x, y = self._rng.uniform(-6, 6), self._rng.uniform(-2, 8)
        self._play(Reach([(x, y, lambda table: None)], dwell=seconds, fist=False))

    # -------------------------------------------------------------------------------- disturbances

    def knock(self, strength: float = 1.0) -> None:
        """Bump the table; 1 shakes the picture by about a third of a die."""
        self._waiting.append(Knock(strength))

    def flicker(self, seconds: float = 2.0, depth: float = 0.12) -> None:
        """Bands of light wander over the picture."""
        self._waiting.append(Flicker(depth, seconds))

    def glare(self, seconds: float = 2.0) -> None:
        """A lamp is mirrored on one of the dice, or on the floor when there is none."""
        lying = self.truth.dice
        place = lying[self._rng.integers(len(lying))].centre if lying else (200.0, 200.0)
        self._waiting.append(Glare(place, 0.035 * self.size[0], seconds))

    def dim(self, gain: float = 0.6, seconds: float = 1.0) -> None:
        """The lamps lose power for a while."""
        self._waiting.append(Dim(gain, seconds))

    def push(self, right: float = 0.0, down: float = 0.0, turn: float = 0.0) -> None:
        """Push the camera: the picture moves so many pixels and turns so many degrees.

        It stays so until it is pushed back, by `push()`. The truth does not follow.
        """
        middle = (self.size[0] / 2, self.size[1] / 2)
        matrix = np.asarray(cv2.getRotationMatrix2D(middle, turn, 1.0), np.float64)
        matrix[:, 2] += np.array([right, down])
        self._pushed = matrix if right or down or turn else None

    def cover(self, share: float = 1.0) -> None:
        """Hang a cloth before the lens that hides so much of the picture; 0 takes it away."""
        self._covered = share

    # -------------------------------------------------------------------------------------- truth

    @property
    def tray(self) -> Tray:
        """Where the tray and its keep rail are, as a perfect calibration would find."""
        corners = np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]]) * HALF
        a, b, c, d = ((float(x), float(y)) for x, y in self._lens.project(corners))
        return Tray((a, b, c, d), (20 * HALF, 20 * HALF), RAIL_SHARE, self._lens.glass)

    @property
    def state(self) -> State:
        """What the last frame shows."""
        if any(effect.moves for _, effect in self._effects) and not self._table.hand:
            return State.MOVING
        return self._table.state

    @property
    def truth(self) -> Truth:
        """The dice of the last frame."""
        return self._table.truth(self._lens)

    @property
    def busy(self) -> bool:
        """Whether something asked for is still going on."""
        return bool(self._acts or self._effects or self._waiting)

    # --------------------------------------------------------------------------------------- camera

    def read(self, timeout: float) -> Frame:
        """The next frame; its `metadata` has the state."""
        if self._closed:
            raise CameraError("the camera is closed", permanent=True)
        time = self._pacer.next(self._interval, timeout)
        self._go_on(time)
        image = self._draw(time)
        number, self._number = self._number, self._number + 1
        return Frame(image, number, time, {"state": self.state.value})

    def close(self) -> None:
        """Stop; may be called twice."""
        self._closed = True

    # ------------------------------------------------------------------------------------- inside

    def _play(self, act: Act) -> None:
        if not self._acts and self._time is not None:
            self._act_began = self._time
        self._acts.append(act)

    def _go_on(self, time: float) -> None:
        """Bring the table to this time."""
        if self._time is None:
            self._act_began = time
        self._time = time
        while self._acts:
            act = self._acts[0]
            ended = time - self._act_began >= act.seconds
            act.show(self._table, act.seconds if ended else time - self._act_began)
            if not ended:
                break
            self._acts.popleft()
            self._act_began += act.seconds
        self._effects += [(time, effect) for effect in self._waiting]
        self._waiting = []
        self._effects = [(at, e) for at, e in self._effects if time - at < e.seconds]

    def _draw(self, time: float) -> Image:
        lying = [die for die in self._table.dice if not die.moves]
        if lying != self._lying:
            self._lying = lying
            self._with_lying = self._empty.settled([Body(d.place, d.turn) for d in lying])
        image = self._with_lying.draw([self._body(d) for d in self._table.dice if d.moves])
        if self._table.hand:
            image = self._painter.paint(image, self._table.hand)
        for began, effect in self._effects:
            image = effect.apply(image, time - began)
        if self._pushed is not None:
            border = cv2.BORDER_REPLICATE
            image = np.asarray(
                cv2.warpAffine(image, self._pushed, self.size, borderMode=border), np.uint8
            )
        if self._covered:
            image[: round(self._covered * self.size[1])] = 30
        dy, dx = self._rng_noise.integers(0, 64, 2)
        noise = self._noise[dy : dy + self.size[1], dx : dx + self.size[0]]
        return np.asarray(cv2.add(image, noise, dtype=cv2.CV_8U), np.uint8)

    def _body(self, die: TableDie) -> Body:
        if die.before is None:
            return Body(die.place, die.turn)
        now, before = self._lens.project(np.stack([die.place, die.before]))
        return Body(die.place, die.turn, (float(now[0] - before[0]), float(now[1] - before[1])))

    def _make_noise(self, sigma: float) -> npt.NDArray[np.int16]:
        width, height = self.size
        grain = self._rng_noise.standard_normal((height + 64, width + 64, 3), np.float32)
        # Sensor noise after demosaicing has no sharp grain.
        noise = np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.6), np.float32)
        return np.asarray(np.rint(noise * (sigma / float(noise.std()))), np.int16)

    # ------------------------------------------------------------------------------- taking, laying

    def _take_away(self, kept: Sequence[int]) -> None:
        """Plan: clear the tray and make the rail hold `kept`, when the acts before are over."""
        self._play(Now(partial(self._plan_taking, tuple(kept))))

    def _plan_taking(self, kept: tuple[int, ...], table: Table) -> None:
        stay, lack = [], Counter(kept)
        for die in table.dice:
            if die.zone is Zone.RAIL and lack[die.value] > 0:
                lack[die.value] -= 1
                stay.append(die)
        go = [die for die in table.dice if die not in stay]
        free = [s for s in range(MOST_DICE) if s not in [round(d.place[0] / 2.6) + 2 for d in stay]]
        come = [
            lay(value, slot, self._rng)
            for value, slot in zip(sorted(lack.elements()), free, strict=False)
        ]
        if not go and not come:
            return
        if not self._hands:
            table.dice = stay + come
            return
        visits: list[tuple[float, float, Callable[[Table], None]]] = [
            (die.place[0], die.place[1], partial(_remove, die)) for die in _in_turn(go)
        ]
        visits += [(die.place[0], die.place[1], partial(_put, die)) for die in come]
        self._insert(Reach(visits))

    def _plan_taking_one(self, table: Table) -> None:
        lying = [die for die in table.dice if die.zone is Zone.TRAY]
        if lying:
            die = lying[self._rng.integers(len(lying))]
            self._insert(Reach([(die.place[0], die.place[1], partial(_remove, die))]))

    def _insert(self, act: Act) -> None:
        """Play this right after the act that is going on."""
        self._acts.insert(1, act)


def _remove(die: TableDie, table: Table) -> None:
    table.dice = [other for other in table.dice if other is not die]


def _put(die: TableDie, table: Table) -> None:
    table.dice = [*table.dice, die]


def _in_turn(dice: Sequence[TableDie]) -> list[TableDie]:
    """Dice in the order in which a hand would take them: the farthest first, then the nearest."""
    left = sorted(dice, key=lambda die: -float(die.place[1]))
    order = left[:1]
    left = left[1:]
    while left:
        here = order[-1].place
        nearest = min(left, key=lambda die: float(np.linalg.norm(die.place - here)))
        order.append(nearest)
        left = [die for die in left if die is not nearest]
    return order
