"""From what a game waits for to what the buttons offer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from display.view import Action, Hint
from firmware.dialogs import (
    Command,
    Dialog,
    Do,
    GiveUpDialog,
    Intent,
    Item,
    MenuDialog,
    Open,
)
from firmware.keep_dialogs import BalutDialog, KeepDialog
from firmware.rules import acts
from firmware.rules.balut import BalutState
from firmware.rules.game import AmountWanted, ChoiceWanted, DiceWanted, Game, SideBetWanted
from firmware.stake_dialogs import AmountDialog, SideBetDialog


def dialog_for(game: Game[Any], amounts: Mapping[str, int]) -> Dialog | None:
    """The dialog of what the game waits for now; None when it is only a throw, or over.

    `amounts` are what a stake or a wager is offered at; a cover is offered in full.
    """
    prompt = game.prompt
    if prompt is None:
        return None
    first, rows, throw = prompt.wants[0], prompt.want("enter"), prompt.want("throw")
    if isinstance(rows, ChoiceWanted) and isinstance(game.state, BalutState):
        return BalutDialog(game.state, rows, may_throw=throw is not None)
    if isinstance(throw, DiceWanted) and throw.keeps:
        return KeepDialog(throw.keeps, prompt.want("bank"))
    if isinstance(first, AmountWanted):
        decline = prompt.want("decline")
        assert decline is None or isinstance(decline, ChoiceWanted)
        return AmountDialog(first, decline, amounts.get(first.op, first.high))
    if isinstance(first, ChoiceWanted) and throw is None:
        return MenuDialog(_choices(first), root=True)
    return None


def _choices(want: ChoiceWanted) -> list[Item]:
    match want.op:
        case "two_shot_choice":
            keys = {"stop": Action.STOP.value, "continue": Action.GO_ON.value}
            return [Item(keys[one], Do(acts.TwoShotChoice(want.by, one))) for one in want.options]
        case "begin":
            return [Item(name, Do(acts.Begin(name))) for name in want.options]
        case "stop":
            return [Item(Action.END_GAME.value, Do(acts.Stop("hand")))]
        case _:
            return [Item(Action.DECLINE.value, Do(acts.Decline(want.by)))]


def extras(game: Game[Any]) -> list[tuple[Hint, Intent]]:
    """What may be done instead of throwing, or before it; the first has a button of its own."""
    prompt = game.prompt
    found: list[tuple[Hint, Intent]] = []
    if prompt is None:
        return found
    for want in (*prompt.wants, *prompt.also):
        match want:
            case ChoiceWanted("bank", by):
                points = getattr(game.state, "turn_points", None)
                found.append((Hint(Action.RECORD, points), Do(acts.Bank(by))))
            case ChoiceWanted("vari", by):
                found.append((Hint(Action.VARI), Do(acts.Vari(by))))
            case SideBetWanted():
                found.append((Hint(Action.SIDE_BET), Open(partial(SideBetDialog, want))))
    return found


def menu(game: Game[Any], pages: Iterable[Item] = ()) -> MenuDialog:
    """Everything that is allowed now and has no button of its own, and the pages."""
    items = [Item(hint.action.value, intent) for hint, intent in extras(game)]
    prompt = game.prompt
    if prompt is not None and prompt.want("throw") is not None:
        items.append(Item(Action.BY_HAND.value, Command.BY_HAND))
    if game.acts:
        items.append(Item(Action.TAKE_BACK.value, Command.ASK_TAKE_BACK))
    items.extend(pages)
    # What ends the game is far from where the cursor stands at first.
    if prompt is not None and prompt.want("stop") is not None:
        sure = [Item(Action.END_GAME.value, Do(acts.Stop("hand")))]
        items.append(Item(Action.END_GAME.value, Open(partial(MenuDialog, sure))))
    elif prompt is not None:
        items.append(Item(Action.GIVE_UP.value, Open(GiveUpDialog)))
    return MenuDialog(items)
