"""One sitting: prompt, throw, reading, confirm, act.

The table holds a game and drives it: it says what each button does, takes what the camera saw,
and turns a confirmed reading into an act. An act is written to the record first; only when it is
on disk is it pushed onto the game, and so shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from display.view import Action, Buttons, Hint, Level, Notice, Scene, View
from firmware import offers
from firmware.buttons import Button
from firmware.clock import Clock
from firmware.correct_dialogs import EntryDialog
from firmware.dialogs import (
    TAKE_BACK,
    Command,
    Dialog,
    Do,
    Intent,
    Item,
    MenuDialog,
    Open,
    TakeBackDialog,
)
from firmware.fitting import Throwing, high_to_low, set_aside
from firmware.keep_dialogs import BalutDialog, KeepDialog
from firmware.ledger import Ledger, Record, Settled
from firmware.lying import Lying
from firmware.reading_dialog import ReadingDialog, maker
from firmware.rules import acts
from firmware.rules.acts import Act
from firmware.rules.game import (
    DiceWanted,
    Game,
    Refused,
)
from firmware.statistics import DICE_SET
from firmware.two_presses import TwoPresses
from vision.reading import Image, Reading
from vision.watch import Sight, State

FIRST_STAKE = 5
"""What the first stake of an evening is offered at; later ones begin at the last stake."""


class Evidence(Protocol):
    """What the table needs of `firmware.evidence`: keep the picture of a confirmed throw."""

    def keep(
        self,
        game_id: int,
        image: Image,
        reading: Reading,
        corrected: tuple[int, ...] | None = None,
        about: Mapping[str, Any] | None = None,
    ) -> str | None:
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
        home: Callable[[], Dialog | None] | None = None,
        dice_set: Callable[[], str] = lambda: "",
    ) -> None:
        """Sit down at a game that stands in the record under `game_id`.

        `rail`: kept dice lie in the keep rail and are read. `played`: seconds played before, in
        a game that is `resumed` after the power went. `pages`: lines of the menu that lead to
        pages to look at. `home` makes the page to take the result home from; `dice_set`: the name
        of the dice in play, empty without one.
        """
        self._home = home
        self._dice_set = dice_set
        self.ledger = Ledger(game, game_id, record)
        self.rail = rail
        self.resumed = resumed
        self.done = False
        """The result was seen and the lobby may come back, or a fault locks the table."""
        self._clock = clock
        self._evidence = evidence
        self._pages = tuple(pages)
        self._begun = clock.monotonic() - played
        self._last_amount: dict[str, int] = {"stake": FIRST_STAKE, "wager": FIRST_STAKE}
        self._notice: Notice | None = None
        self._lying = Lying()
        self._read = ReadingDialog(lambda: self.game, self._read_throw)
        """The dialog of a throw that lies there."""
        self._two_presses = TwoPresses()
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
        self._notice = None
        if self.ledger.fault is not None and not self._dialogs:
            self._press_fault(button)
        elif self.game.outcome() is not None and not self._dialogs:
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
        """The grip for the menu was held: everything that is allowed now, from any state.

        While nothing can be written that is the pages to look at, and nothing else.
        """
        if self.ledger.saving:
            return
        if self._dialogs and isinstance(self._dialogs[-1], TakeBackDialog):
            # The press that became a hold had asked for this.
            self._dialogs.pop()
        if self.ledger.fault is None:
            self._dialogs.append(offers.menu(self.game, self._pages))
        elif self._pages:
            self._dialogs.append(MenuDialog(self._pages))

    def see(
        self,
        sight: Sight,
        image: Image | None = None,
        number: int = 0,
        about: Mapping[str, Any] | None = None,
    ) -> None:
        """The camera process saw this; `about` is what the camera says of the picture."""
        if self._lying.see(sight, image, number, about or {}, due=self._dice_want is not None):
            self._read.armed = False

    def camera_lost(self) -> None:
        """There is no picture: nothing that was read stands any more, dice go in by hand."""
        self._lying.lost()

    def throw(self) -> tuple[int, tuple[int, ...]] | None:
        """Number of dice to throw now and the faces kept; None when no throw is due."""
        throwing = self._throwing
        return (throwing.dice, self.kept) if throwing is not None else None

    def tick(self) -> None:
        """Let time pass: finish what the disk has finished, end the agreed minutes."""
        settled = self.ledger.settle()
        if settled is not None:
            self._settled(settled)
        if self.ledger.locked or self.ledger.given_up:
            self.done = True
            return
        dialog = self._dialog
        armed = getattr(dialog, "armed", False)
        if self._two_presses.too_late(armed, self._clock.monotonic()):
            setattr(dialog, "armed", False)  # noqa: B010 - not every dialog has two presses
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
        return Throwing(want, self.game.state, self._lying.reading, self._marked)

    def _read_throw(self) -> Throwing:
        throwing = self._throwing
        assert throwing is not None
        return throwing

    # --- the throw -------------------------------------------------------------------------------

    @property
    def _reading_lies(self) -> bool:
        """A throw that was not used yet lies still in sight."""
        return self._dice_want is not None and self._lying.still

    @property
    def _dialog(self) -> Dialog | None:
        """The dialog that the buttons belong to; None while a throw is waited for."""
        if self._dialogs:
            return self._dialogs[-1]
        return self._read if self._reading_lies else self._asked

    def _throw_buttons(self) -> Buttons:
        """Before anything lies there."""
        extras = offers.extras(self.game)
        return Buttons(
            left=extras[0][0] if extras else None,
            right=Hint(Action.MENU if self._lying.camera else Action.BY_HAND),
            back=TAKE_BACK if self._can_take_back else None,
        )

    def _press_throw(self, button: Button) -> None:
        hint = getattr(self._throw_buttons(), button.value)
        if hint is None:
            return
        match hint.action:
            case Action.BY_HAND:
                self._follow(Command.BY_HAND)
            case Action.MENU:
                self._dialogs.append(offers.menu(self.game, self._pages))
            case Action.TAKE_BACK:
                self._follow(Command.ASK_TAKE_BACK)
            case _:
                self._follow(offers.extras(self.game)[0][1])

    def _ask(self) -> None:
        """Begin with what the game waits for now."""
        self._dialogs = []
        self._asked = offers.dialog_for(self.game, self._last_amount)

    # --- following up ----------------------------------------------------------------------------

    def _follow(self, intent: Intent) -> None:
        match intent:
            case Do(act, source):
                self._do(act, source=source, reading=self._lying.reading)
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
            case Command.GIVE_UP:
                self.ledger.give_up()
            case Command.BY_HAND:
                if (throwing := self._throwing) is not None:
                    self._dialogs.append(EntryDialog(throwing.dice, maker(throwing)))

    @property
    def _can_take_back(self) -> bool:
        """There is a last act, and it is no throw before the last one (R-GEN-6)."""
        played = self.game.acts
        return bool(played) and not (self._throw_taken_back and isinstance(played[-1], acts.Throw))

    def _do(self, act: Act, source: str = "button", reading: Reading | None = None) -> None:
        """Send an act on its way to the disk, or say why the rules refuse it."""
        thrown = self._lying.state is State.MOVING or self._reading_lies
        if isinstance(act, acts.Vari | acts.SideBet) and thrown:
            self._notice = Notice("too_late", Level.WARNING)
            return
        try:
            self.ledger.check(act)
        except Refused as refused:
            self._notice = Notice(refused.code, Level.WARNING, plain_details(refused))
            return
        extra: dict[str, Any] = {"source": source, "played": round(self._played)}
        correction = None
        if isinstance(act, acts.Throw) and (dice_set := self._dice_set()):
            extra[DICE_SET] = dice_set
        if isinstance(act, acts.Throw | acts.VoidThrow) and reading is not None:
            corrected = None
            if isinstance(act, acts.Throw) and source == "corrected":
                corrected = act.dice
            extra |= self._evidence_of(reading, corrected)
            if corrected is not None:
                correction = {"read": extra["read"], "corrected": list(corrected)}
        self.ledger.send(act, extra, correction)

    def _evidence_of(self, reading: Reading, corrected: tuple[int, ...] | None) -> dict[str, Any]:
        """What the camera read, and the name of the picture that shows it."""
        name, shot = None, self._lying.shot
        if self._evidence is not None and shot is not None:
            game, about = self.ledger.game_id, self._lying.about
            name = self._evidence.keep(game, shot, reading, corrected, about)
        return {"read": [die.value for die in reading.dice], "picture": name}

    def _settled(self, settled: Settled) -> None:
        """An act, or a take-back, is on disk and in the game."""
        # The same dice can not count twice: they must move or leave first. Taken back, they lie
        # there as if they had not been confirmed.
        if not settled.taken_back:
            self._lying.use()
            self._throw_taken_back = False
        elif isinstance(settled.act, acts.Throw):
            self._lying.bring_back()
            self._throw_taken_back = True
        if isinstance(settled.act, acts.Stake | acts.Wager):
            self._last_amount[settled.act.op] = settled.act.amount
        self._read.armed = False
        self._ask()

    def _press_fault(self, button: Button) -> None:
        if button is Button.RIGHT:
            self.menu()
        elif button is Button.CONFIRM:
            self.ledger.retry()
            self._lying.forget()
            self._ask()

    def _press_result(self, button: Button) -> None:
        if button is Button.CONFIRM:
            self.done = True
        elif button is Button.BACK:
            self._follow(Command.ASK_TAKE_BACK)
        elif button is Button.LEFT and self._home is not None:
            page = self._home()
            if page is not None:
                self._dialogs.append(page)
            else:
                self._notice = Notice("sheet_not_saved", Level.WARNING)

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
            watch=self._lying.watch(due=self._dice_want is not None),
            picture=self._lying.picture,
            picture_number=self._lying.picture_number,
            rail=self.kept if self.rail else (),
            kept=tuple(getattr(self._asked, "kept", ())),
            notice=self._notice,
            progress=0.0 if self.ledger.saving else None,
        )
        if self.ledger.fault is not None and not self._dialogs:
            fault = Notice("storage", Level.FAULT, text=str(self.ledger.fault))
            buttons = Buttons(Hint(Action.RETRY), right=Hint(Action.MENU) if self._pages else None)
            return replace(view, scene=Scene.FAULT, notice=fault, buttons=buttons)
        if self.game.outcome() is not None and not self._dialogs:
            home = Hint(Action.TAKE_HOME) if self._home is not None else None
            buttons = Buttons(confirm=Hint(Action.NEW_GAME), back=TAKE_BACK, left=home)
            return replace(view, scene=Scene.RESULT, buttons=buttons)
        if (dialog := self._dialog) is not None:
            buttons = dialog.buttons()
            if buttons.back == TAKE_BACK and not self._can_take_back:
                buttons = replace(buttons, back=None)
            shown = dialog.show()
            if self._notice is not None:
                # Why the last press was refused comes before all else.
                shown["notice"] = self._notice
            return replace(view, scene=dialog.scene, buttons=buttons, **shown)
        looking = self._lying.busy or not self._lying.camera
        scene = Scene.THROW if looking else Scene.GAME
        return replace(view, scene=scene, buttons=self._throw_buttons())


def plain_details(refused: Refused) -> tuple[tuple[str, str | int], ...]:
    """Those details of a refusal that fit into a sentence."""
    return tuple(
        (key, value) for key, value in refused.details.items() if isinstance(value, str | int)
    )
