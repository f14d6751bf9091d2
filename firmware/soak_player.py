"""Plays game after game with the robot and breaks the table now and then.

What was done is written down in an `Account`, which compares it with the table and the record.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from display.view import Action, Scene, View
from firmware import audit
from firmware.fitting import high_to_low
from firmware.lobby import Lobby, Start
from firmware.robot import Intention, Robot
from firmware.rules.acts import (
    Act,
    Bank,
    Cover,
    Decline,
    Enter,
    SideBet,
    Stake,
    Throw,
    TwoShotChoice,
    Vari,
    VoidThrow,
    Wager,
)
from firmware.rules.game import (
    AmountWanted,
    ChoiceWanted,
    DiceWanted,
    Keep,
    Prompt,
    SideBetWanted,
)
from firmware.soak_account import Account
from firmware.soak_bench import Bench, SoakError
from firmware.soak_disk import FAILURES

NAMES = ("Kari", "Ola", "Per", "Liv", "Ана", "Борис")
RECORDED_EVERY = 100
"""Each throw of that number is one of the recorded pictures, read by the reader."""

FRAMES = 45
"""So many frames a recorded throw has until it must be read: three seconds."""

PLANS = {"plain": 80, "hand": 5, "knock": 5, "misread": 5, "unreadable": 3, "count": 2}
"""What throws are like, with weights."""

FAULTS = {
    "power cut": 1,
    "power cut while writing": 1,
    "disk full": 2,
    "camera lost": 4,
    "take-back": 6,
    "knock": 6,
    "glitch": 10,
}
"""What may happen before a move, in times out of a thousand."""


class Player:
    """All the hands at the table."""

    def __init__(self, bench: Bench, chance: random.Random) -> None:
        self.bench = bench
        self.account = Account(bench)
        self.games = 0
        self._chance = chance
        self._robot = Robot(bench, bench.view, bench.tick, bench.throw, patience=3000)
        self._onlooker = Robot(bench, bench.view, bench.tick, bench.throw, patience=FRAMES)
        """Waits for the reader, which looks at every frame and may see nothing but a hand."""
        self._sure = self._settle
        """How the act that is coming gets to the disk; a fault may stand in its way."""
        self._since_recorded = 0
        self._by_hand = False

    @property
    def throws(self) -> int:
        """How many throws there were so far."""
        return self.account.throws

    def begin(self) -> None:
        """Switch the table on for the first time and seat everybody."""
        self.bench.power_on(Start("barbudi", NAMES))

    def move(self) -> None:
        """Perhaps a fault, then the next thing that the game waits for."""
        for fault, times in FAULTS.items():
            if self._chance.random() < times / 1000:
                self._break(fault)
        if isinstance(self.bench.app.mode, Lobby):
            self._next_game()
            return
        prompt = self.bench.table.game.prompt
        if prompt is None:
            self._finish()
        else:
            self._answer(prompt)

    def finish(self) -> None:
        """Bring what is on the table into agreement with the record for the last time."""
        if not isinstance(self.bench.app.mode, Lobby):
            self.account.check()

    # --- what is done ----------------------------------------------------------------------------

    def _answer(self, prompt: Prompt) -> None:
        first, throw = prompt.wants[0], prompt.want("throw")
        rows, bank = prompt.want("enter"), prompt.want("bank")
        self._aside(prompt)
        if isinstance(first, AmountWanted):
            self._do(self._amount(first, prompt))
        elif isinstance(rows, ChoiceWanted) and (throw is None or self._perhaps(0.3)):
            self._do(Enter(rows.by, self._chance.choice(rows.options)))
        elif isinstance(bank, ChoiceWanted) and (throw is None or self._perhaps(0.4)):
            self._do(Bank(bank.by))
        elif isinstance(throw, DiceWanted):
            self._throw(throw)
        elif isinstance(first, ChoiceWanted) and first.op == "two_shot_choice":
            self._do(TwoShotChoice(first.by, self._chance.choice(first.options)))
        else:
            raise SoakError(f"the player does not know what to do with {first}")

    def _aside(self, prompt: Prompt) -> None:
        """Now and then a Vari or a side bet before the throw."""
        if self._by_hand or self._robot.find(Action.MENU, Action.SIDE_BET, Action.VARI) is None:
            return
        vari, bets = prompt.want("vari"), prompt.want("side_bet")
        if isinstance(vari, ChoiceWanted) and self._perhaps(0.05):
            self._do(Vari(vari.by))
        elif isinstance(bets, SideBetWanted) and self._perhaps(0.05):
            able = [name for name, chips in bets.limits if chips]
            if len(able) >= 2:
                one, other = self._chance.sample(able, 2)
                self._do(SideBet(one, other, 1))

    def _amount(self, want: AmountWanted, prompt: Prompt) -> Intention:
        decline = prompt.want("decline")
        if isinstance(decline, ChoiceWanted) and self._perhaps(0.05):
            return Decline(decline.by)
        shown = self._robot.settled().amount
        offered = want.high if shown is None else shown
        amount = min(max(offered + self._chance.randint(-2, 2), want.low), want.high)
        match want.op:
            case "stake":
                demand = "two_shot" in want.options and self._perhaps(0.3)
                return Stake(want.by, amount, demand)
            case "cover":
                return Cover(want.by, amount)
            case _:
                return Wager(amount)

    def _do(self, act: Intention) -> None:
        self._robot.do(act)
        self.account.acted(act)

    # --- throws ----------------------------------------------------------------------------------

    def _throw(self, want: DiceWanted) -> None:
        keep = self._keep(want.keeps) if want.keeps else None
        dice = next((way.dice for way in want.keeps if way.faces == (keep or ())), want.dice)
        self._since_recorded += 1
        if self._by_hand:
            self._enter(want, keep, self.bench.eye.roll(dice))
            return
        plan = self._chance.choices(list(PLANS), list(PLANS.values()))[0]
        due = self._since_recorded >= RECORDED_EVERY and self.bench.eye.has_recordings
        if due and keep is None and dice in (2, 3, 5):
            plan, self._since_recorded = "recorded", 0
        self.bench.eye.plan = plan
        self.bench.counts[f"throws: {plan}"] += 1
        view = (self._onlooker if plan == "recorded" else self._robot).throw()
        while self.bench.eye.busy:
            self.bench.tick()
        match plan:
            case "recorded":
                self._recorded(want, dice, view)
            case "misread":
                self._correct(want, keep)
            case "unreadable":
                self._unreadable(want, keep)
            case "count":
                self._too_many(want, view)
            case _:
                self._confirm(Throw(want.by, self.bench.eye.faces, keep))

    def _keep(self, ways: Sequence[Keep]) -> tuple[int, ...] | None:
        faces = self._chance.choice(ways).faces
        # First let go of what a throw before marked: all five can not be kept, even for a moment.
        self._robot.keep(())
        self._robot.keep(faces)
        return high_to_low(faces) or None

    def _confirm(self, act: Throw) -> None:
        self._sure(act)

    def _settle(self, act: Throw) -> None:
        self._robot.confirm()
        self.account.acted(act)

    def _not_offered(self, view: View) -> None:
        if view.buttons.confirm is not None:
            raise SoakError(f"a throw of {view.reading} could be confirmed")

    def _enter(self, want: DiceWanted, keep: tuple[int, ...] | None, faces: Sequence[int]) -> None:
        self.bench.counts["entered by hand"] += 1
        self._robot.enter(faces)
        self.account.acted(Throw(want.by, high_to_low(faces), keep))

    def _correct(self, want: DiceWanted, keep: tuple[int, ...] | None) -> None:
        """The reading is wrong: two presses, the likeliest other reading first."""
        self.bench.counts["corrections"] += 1
        truth = self.bench.eye.faces
        self._robot.use(Action.CORRECT)
        view = self._robot.settled()
        while high_to_low(face or 0 for face in view.entry) != truth:
            self._robot.use(Action.NEXT)
            view = self._robot.settled()
        self._robot.use(Action.CORRECT_SURE)
        self._robot.settled()
        self.account.acted(Throw(want.by, truth, keep))

    def _unreadable(self, want: DiceWanted, keep: tuple[int, ...] | None) -> None:
        self._not_offered(self._robot.settled())
        if self._perhaps(0.5):
            self._enter(want, keep, self.bench.eye.faces)
        else:
            self._throw_again()

    def _too_many(self, want: DiceWanted, view: View) -> None:
        """A die more than is due: called void, or taken out and thrown again."""
        self._not_offered(view)
        if self._perhaps(0.5):
            self._robot.use(Action.VOID)
            self._robot.settled()
            self.account.acted(VoidThrow(want.by, "unreadable"))
        else:
            self._throw_again()

    def _throw_again(self) -> None:
        self.bench.counts["throws again"] += 1
        self.bench.eye.clear()
        self.bench.tick()

    def _recorded(self, want: DiceWanted, dice: int, view: View) -> None:
        """What the reader made of a recorded picture; people see the dice and know better."""
        truth, reading = self.bench.eye.truth, view.reading
        if truth is not None and len(truth) != dice:
            truth = None
        if reading is None or view.buttons.confirm is None:
            self.bench.counts["recorded throws not read"] += 1
            self.bench.eye.clear()
            self._enter(want, None, truth or self.bench.eye.roll(dice))
        elif reading.values == truth:
            self._confirm(Throw(want.by, truth or (), None))
        else:
            self.bench.counts["recorded throws read wrongly"] += 1
            self.bench.eye.clear()
            self._enter(want, None, truth or self.bench.eye.roll(dice))
        self.bench.eye.clear()

    # --- from game to game -----------------------------------------------------------------------

    def _finish(self) -> None:
        """The result is seen; the next game is chosen in the lobby."""
        self.account.check()
        table = self.bench.table
        game_id = table.ledger.game_id
        self.bench.journal.flush()
        flaws = list(audit.game(game_id, self.bench.journal.events(game_id)))
        if flaws:
            raise SoakError(f"the audit of a finished game says: {flaws[0]}")
        self.games += 1
        self._robot.use(Action.NEW_GAME)
        self._robot.wait(lambda view: view.scene is Scene.ATTRACT, "the lobby")

    def _next_game(self) -> None:
        key = self._chance.choice(("barbudi", "barbut", "barbut_bg", "balut"))
        seats = self._chance.sample(NAMES, self._chance.randint(2, 4))
        self._robot.seat(key, seats)
        self.account.begin()
        table = self.bench.table
        if (table.game.key, table.game.seats) != (key, tuple(seats)):
            raise SoakError(f"{key} of {seats} was chosen, {table.game.start_json} was begun")

    # --- faults ----------------------------------------------------------------------------------

    def _break(self, fault: str) -> None:
        in_game = not isinstance(self.bench.app.mode, Lobby)
        match fault:
            case "power cut" if in_game:
                self._cut_and_resume(None)
            case "power cut while writing":
                self._sure = self._cut_while_writing
            case "disk full":
                self._sure = self._write_on_full_disk
            case "camera lost":
                self._lose_camera()
            case "take-back" if in_game:
                self._take_back()
            case "knock":
                self.bench.counts["knocks"] += 1
                self.bench.eye.knock()
                self._nothing_happens(self.bench.tick)
            case "glitch":
                self._nothing_happens(self.bench.glitch)

    def _nothing_happens(self, what: Callable[[], None]) -> None:
        before = self._robot.settled()
        for _ in range(4):
            what()
        after = self._robot.settled()
        same = (before.state, before.amount, before.cursor, before.options)
        if (after.state, after.amount, after.cursor, after.options) != same:
            raise SoakError("something happened though nobody did anything")

    def _cut_and_resume(self, uncertain: Act | None) -> None:
        """The plug is pulled, the table is switched on and goes on with the open game."""
        self.bench.power_cut()
        self.bench.eye.clear()
        self.bench.power_on()
        self._go_on(uncertain)

    def _go_on(self, uncertain: Act | None) -> None:
        """The open game is offered and goes on; `uncertain` may have ended it."""
        self.bench.eye.clear()
        self.bench.tick()
        if self.bench.view().scene is not Scene.RESUME:
            # The last act ended the game and its end was written too.
            self.account.check_ended(uncertain)
            return
        self._robot.use(Action.GO_ON)
        self.bench.tick()
        self.account.check(uncertain)

    def _cut_while_writing(self, act: Throw) -> None:
        self._sure = self._settle
        self.bench.counts["power cuts while writing"] += 1
        button = self._robot.find(Action.CONFIRM)
        if button is None:
            raise SoakError("nothing to confirm")
        self.bench.press(button)
        self.bench.tick()
        if self._perhaps(0.5):
            self.bench.release(button)
            self.bench.tick()
        self._cut_and_resume(act)

    def _write_on_full_disk(self, act: Throw) -> None:
        self._sure = self._settle
        self.bench.counts["disk full"] += 1
        place = self._chance.choice(FAILURES)
        self.bench.disk.fill(place)
        self._robot.use(Action.CONFIRM)
        self._robot.wait(lambda view: view.scene is Scene.FAULT, "the fault")
        if len(self.bench.table.game.acts) != len(self.account.acts):
            raise SoakError("an act that could not be written was shown")
        for _ in range(self._chance.randint(0, 2)):
            self._robot.use(Action.RETRY)
            if self._robot.settled().scene is not Scene.FAULT:
                raise SoakError("play went on although nothing could be written")
        self.bench.disk.free()
        if self._perhaps(0.3):
            self.bench.counts["power cuts on a full disk"] += 1
            self.bench.power_cut()
            self.bench.eye.clear()
            self.bench.power_on()
        else:
            self._robot.use(Action.RETRY)
        self._clear_fault()
        self._go_on(act)

    def _clear_fault(self) -> None:
        """The table is locked until the operator has typed his PIN, which is 0000."""
        self._robot.wait(lambda view: view.scene is Scene.FAULT and bool(view.typed), "the lock")
        for _ in range(4):
            self._robot.use(Action.CHOOSE)
        if self.bench.journal.open_faults():
            raise SoakError("the operator cleared a fault, and it still stands")

    def _lose_camera(self) -> None:
        self.bench.counts["camera lost"] += 1
        self.bench.eye.problem = "the camera does not answer"
        self.bench.tick()
        self._by_hand = True
        for _ in range(self._chance.randint(1, 4)):
            if isinstance(self.bench.app.mode, Lobby) or self.bench.table.game.prompt is None:
                break
            prompt = self.bench.table.game.prompt
            throw = prompt.want("throw")
            if isinstance(throw, DiceWanted) and not prompt.want("enter"):
                self._throw(throw)
        self._by_hand = False
        self.bench.eye.problem = None
        self.bench.eye.clear()
        self.bench.tick()

    def _take_back(self) -> None:
        button = self._robot.find(Action.TAKE_BACK)
        if button is None or not self.account.acts:
            return
        self.bench.counts["take-backs"] += 1
        self.bench.press(button)
        self.bench.tick()
        self.bench.release(button)
        self.bench.tick()
        self._robot.use(Action.TAKE_BACK)
        self._robot.settled()
        self.account.taken_back()
        self.bench.eye.clear()
        self.bench.tick()
        self.account.check()

    def _perhaps(self, probability: float) -> bool:
        return self._chance.random() < probability
