"""One sitting: prompt, throw, reading, confirm, act.

The table holds a game and drives it: it says what each button does, takes what the camera saw,
and turns a confirmed reading into an act. An act is written to the record first; only when it is
on disk is it pushed onto the game, and so shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from display.view import Action, Buttons, Hint, Level, Notice, Scene, View, Watch
from firmware import offers
from firmware.buttons import Button
from firmware.clock import Clock
from firmware.correct_dialogs import CorrectDialog, EntryDialog, ThrowMaker
from firmware.dialogs import TAKE_BACK, Command, Dialog, Do, Intent, Item, Open, TakeBackDialog
from firmware.fitting import Throwing, high_to_low, set_aside
from firmware.keep_dialogs import BalutDialog, KeepDialog
from firmware.ledger import Ledger, Record, Settled
from firmware.rules import acts
from firmware.rules.acts import Act
from firmware.rules.game import (
    DiceWanted,
    Event,
    Game,
    Refused,
)
from vision.reading import Image, Reading
from vision.watch import Sight, State

FIRST_STAKE = 5
"""What the first stake of an evening is offered at; later ones begin at the last stake."""


class Evidence(Protocol):
    """What the table needs of `firmware.evidence`: keep the picture of a confirmed throw."""

    def keep(self, game_id: int, image: Image, reading: Reading) -> str | None:
        """Keep a picture; its name, or None when it could not be kept."""


class Table:
    """A game with people round it."""

    def __init__(
        self,
        game: Game[Any],
        game_id: int,
        record: Record,
        clock: Clock,
        *,
        evidence: Evidence | None = None,
        rail: bool = False,
        played: float = 0.0,
        resumed: bool = False,
        pages: Sequence[Item] = (),
    ) -> None:
        """Sit down at a game that stands in the record under `game_id`.

        `rail`: kept dice lie in the keep rail and are read. `played`: seconds played before, in
        a game that is `resumed` after the power went. `pages`: lines of the menu that lead to
        pages to look at.
        """
        self.ledger = Ledger(game, game_id, record)
        self.rail = rail
        self.resumed = resumed
        self.done = False
        """The result was seen; the lobby may come back."""
        self._clock = clock
        self._evidence = evidence
        self._pages = tuple(pages)
        self._begun = clock.monotonic() - played
        self._last_amount: dict[str, int] = {"stake": FIRST_STAKE, "wager": FIRST_STAKE}
        self._notice: Notice | None = None
        self._reading: Reading | None = None
        self._used: Reading | None = None
        """What was last confirmed, while those dice still lie there."""
        self._picture: Image | None = None
        self._picture_number = 0
        self._state = State.EMPTY
        self._lies_read = False
        """What lies there has been read since it last moved or was hidden."""
        self._camera = True
        self._void_armed = False
        self._throw_taken_back = False
        self._asked: Dialog | None = None
        """The dialog of what the game waits for; None when it is only a throw."""
        self._dialogs: list[Dialog] = []
        """Those opened above it."""
        self._ask()

    # --- what comes in ---------------------------------------------------------------------------

    def press(self, button: Button, held: int = 0) -> None:
        """A button was pressed; what it means now is in `view().buttons`."""
        if self.ledger.saving:
            return
        if self.ledger.fault is not None:
            if button is Button.CONFIRM:
                self._retry()
            return
        self._notice = None
        if self.game.outcome() is not None and not self._dialogs:
            self._press_result(button)
        elif (dialog := self._dialog) is not None:
            self._follow(dialog.press(button, held))
        else:
            self._press_throw(button)

    def point(self, kind: str, name: str) -> None:
        """A finger on something that the screen shows."""
        if (dialog := self._dialog) is not None and dialog.point(kind, name):
            self.press(Button.CONFIRM)

    def menu(self) -> None:
        """The grip for the menu was held: everything that is allowed now, from any state."""
        if not self.ledger.saving and self.ledger.fault is None:
            self._dialogs.append(offers.menu(self.game, self._pages))

    def see(self, sight: Sight, image: Image | None = None, number: int = 0) -> None:
        """The camera process saw this."""
        self._camera = True
        self._state = sight.state
        if image is not None:
            self._picture, self._picture_number = image, number
        self._lies_read = sight.state is State.AT_REST and (
            self._lies_read or sight.reading is not None
        )
        if sight.new and sight.reading is not None:
            # Dice that were thrown before they were due do not count.
            self._reading = sight.reading if self._dice_want is not None else None
            self._used = None
            self._void_armed = False
        elif sight.state is State.EMPTY:
            self._reading = self._used = None
        elif sight.reading is not None:
            self._forget_unless_same(sight.reading)

    def _forget_unless_same(self, lying: Reading) -> None:
        """Other dice lie there than were read as a throw: what was read must not be confirmed.

        The watcher does not call them new, so they are no throw either.
        """
        if self._reading is not None and not same_faces(self._reading, lying):
            self._reading = None
        if self._used is not None and not same_faces(self._used, lying):
            self._used = None

    def camera_lost(self) -> None:
        """There is no picture: nothing that was read stands any more, dice go in by hand."""
        self._camera = False
        self._reading = None

    def throw(self) -> tuple[int, tuple[int, ...]] | None:
        """Number of dice to throw now and the faces kept; None when no throw is due."""
        throwing = self._throwing
        return (throwing.dice, self.kept) if throwing is not None else None

    def tick(self) -> None:
        """Let time pass: finish what the disk has finished, end the agreed minutes."""
        settled = self.ledger.settle()
        if settled is not None:
            self._settled(settled)
        idle = not self.ledger.saving and self.ledger.fault is None
        if idle and self._time_is_up():
            self._do(acts.Stop("time"))

    @property
    def game(self) -> Game[Any]:
        """The game, as far as it is on disk."""
        return self.ledger.game

    @property
    def due(self) -> int:
        """How many dice the reader should see; 0 when no throw is due."""
        throwing = self._throwing
        if throwing is None:
            return 0
        if self.rail:
            aside = set_aside(throwing.want, throwing.state)
            return throwing.want.dice + (0 if throwing.want.keeps else len(aside))
        return throwing.dice

    @property
    def kept(self) -> tuple[int, ...]:
        """Faces that are not to be thrown now, high to low."""
        want = self._dice_want
        aside = set_aside(want, self.game.state) if want is not None else ()
        return high_to_low(self._marked or aside)

    # --- what is due -----------------------------------------------------------------------------

    @property
    def _dice_want(self) -> DiceWanted | None:
        prompt = self.game.prompt
        want = prompt.want("throw") if prompt is not None else None
        return want if isinstance(want, DiceWanted) else None

    @property
    def _marked(self) -> tuple[int, ...]:
        """Faces marked on the screen to be kept."""
        if isinstance(self._asked, BalutDialog | KeepDialog):
            return self._asked.keep
        return ()

    @property
    def _throwing(self) -> Throwing | None:
        """The throw that is due and what lies there; None when no throw is due."""
        want = self._dice_want
        if want is None:
            return None
        return Throwing(want, self.game.state, self._reading, self._marked)

    @property
    def _fits(self) -> bool:
        """What lies there is the throw that is due."""
        throwing = self._throwing
        return throwing is not None and throwing.faces is not None

    # --- the throw -------------------------------------------------------------------------------

    @property
    def _reading_lies(self) -> bool:
        """A throw that was not used yet lies still in sight."""
        return self._dice_want is not None and self._reading is not None and self._lies_read

    @property
    def _dialog(self) -> Dialog | None:
        """The dialog that the buttons belong to; None when they belong to the throw."""
        if self._dialogs:
            return self._dialogs[-1]
        return None if self._reading_lies else self._asked

    def _throw_buttons(self) -> Buttons:
        if self._reading_lies:
            return self._reading_buttons()
        extras = offers.extras(self.game)
        return Buttons(
            left=extras[0][0] if extras else None,
            right=Hint(Action.MENU if self._camera else Action.BY_HAND),
            back=TAKE_BACK if self._can_take_back else None,
        )

    def _reading_buttons(self) -> Buttons:
        assert self._reading is not None
        void = Hint(Action.VOID) if self._reading.ok else None
        if not self._fits:
            throwing = self._throwing
            can_correct = throwing is not None and throwing.correctable is not None
            return Buttons(
                left=Hint(Action.CORRECT) if can_correct else None,
                right=Hint(Action.BY_HAND),
                back=void,
            )
        if self._void_armed:
            return Buttons(confirm=Hint(Action.VOID), back=Hint(Action.CANCEL))
        return Buttons(confirm=Hint(Action.CONFIRM), back=void, left=Hint(Action.CORRECT))

    def _press_throw(self, button: Button) -> None:
        hint = getattr(self._throw_buttons(), button.value)
        if hint is None:
            return
        match hint.action:
            case Action.CONFIRM:
                self._confirm_reading()
            case Action.CORRECT:
                self._open_correction()
            case Action.BY_HAND:
                self._follow(Command.BY_HAND)
            case Action.CANCEL:
                self._void_armed = False
            case Action.VOID if self._void_armed or not self._fits:
                self._void()
            case Action.VOID:
                self._void_armed = True
            case Action.MENU:
                self._dialogs.append(offers.menu(self.game, self._pages))
            case Action.TAKE_BACK:
                self._follow(Command.ASK_TAKE_BACK)
            case _:
                self._follow(offers.extras(self.game)[0][1])

    def _confirm_reading(self) -> None:
        throwing = self._throwing
        assert throwing is not None
        assert throwing.faces is not None
        act = acts.Throw(throwing.want.by, throwing.faces, throwing.keep)
        self._do(act, source="camera", reading=throwing.reading)

    def _void(self) -> None:
        want = self._dice_want
        assert want is not None
        self._do(acts.VoidThrow(want.by, "unreadable"), source="button", reading=self._reading)

    def _maker(self, throwing: Throwing) -> ThrowMaker:
        return ThrowMaker(throwing.want.by, throwing.keep)

    def _open_correction(self) -> None:
        throwing = self._throwing
        if throwing is not None and (reading := throwing.correctable) is not None:
            self._dialogs.append(CorrectDialog(reading, self._maker(throwing)))

    def _ask(self) -> None:
        """Begin with what the game waits for now."""
        self._dialogs = []
        self._asked = offers.dialog_for(self.game, self._last_amount)

    # --- following up ----------------------------------------------------------------------------

    def _follow(self, intent: Intent) -> None:
        match intent:
            case Do(act, source):
                self._do(act, source=source, reading=self._reading)
            case Open(make):
                self._dialogs.append(make())
            case Command.CLOSE:
                self._dialogs.pop()
            case Command.ASK_TAKE_BACK:
                if self._can_take_back:
                    self._dialogs.append(TakeBackDialog())
            case Command.TAKE_BACK:
                self._dialogs.pop()
                self.ledger.send_take_back()
            case Command.BY_HAND:
                if (throwing := self._throwing) is not None:
                    maker = self._maker(throwing)
                    self._dialogs.append(EntryDialog(throwing.dice, maker))

    @property
    def _can_take_back(self) -> bool:
        """There is a last act, and it is no throw before the last one (R-GEN-6)."""
        played = self.game.acts
        return bool(played) and not (self._throw_taken_back and isinstance(played[-1], acts.Throw))

    def _do(self, act: Act, source: str = "button", reading: Reading | None = None) -> None:
        """Send an act on its way to the disk, or say why the rules refuse it."""
        thrown = self._state is State.MOVING or self._reading_lies
        if isinstance(act, acts.Vari | acts.SideBet) and thrown:
            self._notice = Notice("too_late", Level.WARNING)
            return
        extra: dict[str, Any] = {"source": source, "played": round(self._played)}
        correction = None
        if isinstance(act, acts.Throw | acts.VoidThrow) and reading is not None:
            extra |= self._evidence_of(reading)
        if isinstance(act, acts.Throw) and source == "corrected":
            correction = {"read": extra.get("read"), "corrected": list(act.dice)}
        try:
            self.ledger.send(act, extra, correction)
        except Refused as refused:
            self._notice = Notice(refused.code, Level.WARNING, plain_details(refused))

    def _evidence_of(self, reading: Reading) -> dict[str, Any]:
        """What the camera read, and the name of the picture that shows it."""
        name = None
        if self._evidence is not None and self._picture is not None:
            name = self._evidence.keep(self.ledger.game_id, self._picture, reading)
        return {"read": [die.value for die in reading.dice], "picture": name}

    def _settled(self, settled: Settled) -> None:
        """An act, or a take-back, is on disk and in the game."""
        # The same dice can not count twice: they must move or leave first. Taken back, they lie
        # there as if they had not been confirmed.
        if not settled.taken_back:
            self._used, self._reading = self._reading or self._used, None
            self._throw_taken_back = False
        elif isinstance(settled.act, acts.Throw):
            self._reading = self._used
            self._throw_taken_back = True
        if isinstance(settled.act, acts.Stake | acts.Wager):
            self._last_amount[settled.act.op] = settled.act.amount
        self._void_armed = False
        self._ask()

    def _retry(self) -> None:
        self.ledger.retry()
        self._reading = self._used = None
        self._ask()

    def _press_result(self, button: Button) -> None:
        if button is Button.CONFIRM:
            self.done = True
        elif button is Button.BACK:
            self._follow(Command.ASK_TAKE_BACK)

    @property
    def _played(self) -> float:
        """Seconds that this game has been played, over all sittings."""
        return self._clock.monotonic() - self._begun

    def _time_is_up(self) -> bool:
        """The agreed minutes are over and nobody has stopped the game yet (R-BD-13)."""
        end = getattr(self.game.state.rules, "end", None)
        prompt = self.game.prompt
        if end is None or end.mode != "minutes" or prompt is None:
            return False
        return prompt.want("stop") is not None and self._played >= 60 * end.limit

    # --- what is shown ---------------------------------------------------------------------------

    def view(self) -> View:
        """Everything that the screen shows now."""
        state = self.game.state
        view = View(
            scene=Scene.GAME,
            game=self.game.key,
            seats=self.game.seats,
            state=state,
            prompt=self.game.prompt,
            outcome=self.game.outcome(),
            events=state.events,
            due=self.due,
            watch=self._watch(),
            picture=self._picture,
            picture_number=self._picture_number,
            rail=self.kept if self.rail else (),
            notice=self._notice,
            progress=0.0 if self.ledger.saving else None,
        )
        if self.ledger.fault is not None:
            fault = Notice("storage", Level.FAULT, text=str(self.ledger.fault))
            return replace(
                view, scene=Scene.FAULT, notice=fault, buttons=Buttons(confirm=Hint(Action.RETRY))
            )
        if self.game.outcome() is not None and not self._dialogs:
            buttons = Buttons(confirm=Hint(Action.NEW_GAME), back=TAKE_BACK)
            return replace(view, scene=Scene.RESULT, buttons=buttons)
        if (dialog := self._dialog) is not None:
            buttons = dialog.buttons()
            if buttons.back == TAKE_BACK and not self._can_take_back:
                buttons = replace(buttons, back=None)
            return replace(view, scene=dialog.scene, buttons=buttons, **dialog.show())
        return self._throw_view(view)

    def _throw_view(self, view: View) -> View:
        """The throw: the live tray once somebody has reached for the dice, else the game."""
        busy = self._state in (State.HAND, State.MOVING)
        buttons = self._throw_buttons()
        if not busy and not self._reading_lies and self._camera:
            return replace(view, buttons=buttons)
        reading = self._reading if self._reading_lies else None
        throwing = self._throwing if reading is not None else None
        misfit = throwing.misfit if throwing is not None else None
        return replace(
            view,
            scene=Scene.THROW,
            buttons=buttons,
            reading=reading,
            preview=self._preview(),
            notice=self._notice or misfit,
            armed=self._void_armed,
            kept=tuple(getattr(self._asked, "kept", ())),
        )

    def _preview(self) -> tuple[Event, ...]:
        """What confirm would bring about."""
        throwing = self._throwing
        if throwing is None or throwing.faces is None or not self._reading_lies:
            return ()
        act = acts.Throw(throwing.want.by, throwing.faces, throwing.keep)
        try:
            events = self.game.push(act).events
        except Refused:
            return ()
        self.game.pop()
        return tuple(events)

    def _watch(self) -> Watch:
        if not self._camera:
            return Watch.LOST
        if self._dice_want is None:
            return Watch.OFF
        if self._state is State.AT_REST:
            return Watch.REST if self._reading is not None else Watch.SAME
        return {
            State.EMPTY: Watch.EMPTY,
            State.HAND: Watch.HAND,
            State.MOVING: Watch.MOVING,
        }[self._state]


def same_faces(one: Reading, other: Reading) -> bool:
    """Whether two readings show the same faces in the same zones, unread dice included."""
    return sorted((die.zone, die.value or 0) for die in one.dice) == sorted(
        (die.zone, die.value or 0) for die in other.dice
    )


def plain_details(refused: Refused) -> tuple[tuple[str, str | int], ...]:
    """Those details of a refusal that fit into a sentence."""
    return tuple(
        (key, value) for key, value in refused.details.items() if isinstance(value, str | int)
    )
