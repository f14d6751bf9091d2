"""Sentences for what happened: one for each kind of event of the judge (`firmware.rules.events`).

Present tense throughout: it is told while it happens, and in no language does it say more about a
player than the name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from display.vocabulary import N_
from firmware.rules.game import Event

if TYPE_CHECKING:
    from display.words import Words


PLAIN: Final = {
    "first_throw": N_("{who} throws {dice}."),
    "first_tied": N_("Equal: {names} throw again."),
    "first_found": N_("{who} begins."),
    "throw": N_("{who} throws {dice}."),
    "void_throw": N_("{who}: the throw does not count, the same dice again."),
    "declined": N_("{who} declines."),
    "side_bet": N_("Side bet of {amount}: {who} on the thrower, {other} on the fader."),
    "side_bet_back": N_("Side bet: {who} and {other} take {amount} each back."),
    "vari": N_("{who} calls Vari: the next throw counts the other way round."),
    "dice_pass": N_("The dice go to {who}."),
    "half_won": N_("{who} wins the first half: {amount} of {total}."),
    "two_shot_stop": N_("{who} stops after the first half."),
    "two_shot_on": N_("{who} goes on."),
    "second_shot": N_("The second half is thrown for; {who} throws first."),
    "split": N_("One half each: {who} and {other} take their own back."),
    "fee": N_("The bank takes {amount}."),
    "roles_stay": N_("The roles stay: {who} throws, {other} is fader."),
    "roles_move_on": N_("The roles move on: {who} throws, {other} is fader."),
    "roles_pass": N_("On to the next two: {who} throws, {other} is fader."),
    "skipped": N_("{who} has no chips and is passed over."),
    "wager": N_("{who} and {other} put up {amount} each."),
    "next_opponent": N_("{who} has the dice and meets {other}."),
    "paused": N_("Nobody takes the wager; {who} keeps the dice."),
    "opened": N_("{who} throws {dice} and is in the game."),
    "not_opened": N_("{who} throws {dice}: no 1 and 5, not yet in the game."),
    "scored": N_("{who} throws {dice}: {amount} points, {total} at risk."),
    "set_aside": N_("{who} sets {dice} aside: {amount} points, {total} at risk."),
    "banked": N_("{who} records {amount} and has {total}."),
    "bust": N_("{who} throws {dice}: nothing, {amount} points are lost."),
    "wiped": N_("{who} throws 6-6-6: all {amount} points are lost, unless 6-6-6 comes again."),
    "restored": N_("6-6-6 again: {who} has everything back."),
    "not_restored": N_("No second 6-6-6: the points of {who} stay lost."),
    "finished": N_("{who} reaches {total} and takes place {amount}."),
    "last_place": N_("{who} is last."),
    "turn": N_("{who} is next."),
    "kept": N_("{who} keeps {dice}."),
    "five_alike": N_("Balut! {who} has five alike."),
    "entered": N_("{who} enters {amount} in {row}."),
    "struck": N_("{who} strikes a field of {row}."),
    "row_filled": N_("The row is full: {total}."),
    "round_begins": N_("Round {amount} begins; {who} throws first."),
    "counted": N_("{who}: {amount} points, dice sum {total}."),
    "game_begins": N_("Game {amount} of the match begins."),
}
"""Kinds whose sentence is always the same."""

PAIRS: Final = {
    ("win", False): N_("{who} throws {dice} and wins."),
    ("lose", False): N_("{who} throws {dice} and loses."),
    ("nothing", False): N_("{who} throws {dice}: nothing."),
    ("win", True): N_("{who} throws {dice}: under Vari that wins."),
    ("lose", True): N_("{who} throws {dice}: under Vari that loses."),
    ("nothing", True): N_("{who} throws {dice}: nothing, under Vari too."),
}
"""A throw of Barbudi or Barbut by its meaning, under Vari or not."""


def dice_text(dice: Iterable[int]) -> str:
    """A throw as people say it: "6-5"."""
    return "-".join(str(face) for face in dice)


def sentence(words: Words, event: Event) -> str:
    """The sentence of an event."""
    if event.kind == "game_over":
        return words.reason(event.row or "")
    special = _SPECIAL.get(event.kind)
    text = special(event) if special else PLAIN.get(event.kind, "")
    return words.say(
        text,
        who=event.who,
        other=event.other,
        dice=dice_text(event.dice),
        amount=event.amount,
        total=event.total,
        names=words.names(name for name, _ in event.shares),
        row=words.row(event.row) if event.row else "",
        shares=", ".join(f"{name} {amount}" for name, amount in event.shares),
    )


def _throw(event: Event) -> str:
    return PAIRS.get((event.meaning or "", event.vari), PLAIN["throw"])


def _stake(event: Event) -> str:
    if event.row == "two_shot":
        return N_("{who} stakes {amount} and demands two shot.")
    return N_("{who} stakes {amount}.")


def _cover(event: Event) -> str:
    if not event.amount:
        return N_("{who} covers nothing.")
    if not event.total:
        return N_("{who} covers {amount}: all is covered.")
    return N_("{who} covers {amount}, {total} is left.")


def _betting_closed(event: Event) -> str:
    if event.amount:
        return N_("{total} in the pot; {amount} goes back to {who}.")
    return N_("{total} in the pot.")


def _side_bet_settled(event: Event) -> str:
    if event.amount:
        return N_("Side bet: {who} wins {amount} from {other}.")
    return N_("Side bet: {who} and {other} take their own back.")


def _won(event: Event) -> str:
    if len(event.shares) > 1:
        return N_("The pot of {total} is paid out: {shares}.")
    return N_("{who} takes the pot of {total}.")


def _void_round(event: Event) -> str:
    if event.amount:
        return N_("No bet: {amount} goes back to {who}.")
    return N_("No bet.")


def _wager_won(event: Event) -> str:
    if event.row == "special_pay":
        return N_("{who} wins {amount} from {other}, by the special pay.")
    return N_("{who} wins {amount} from {other}.")


def _stop_called(event: Event) -> str:
    if event.row == "time":
        return N_("The time is up: no new round.")
    return N_("Stop was called: no new round.")


_SPECIAL: Final = {
    "throw": _throw,
    "stake": _stake,
    "cover": _cover,
    "betting_closed": _betting_closed,
    "side_bet_settled": _side_bet_settled,
    "won": _won,
    "void_round": _void_round,
    "wager_won": _wager_won,
    "stop_called": _stop_called,
}
"""Kinds with more than one sentence."""
