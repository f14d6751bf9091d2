"""Every word and sentence that is the same whatever happens, by its key.

A text in `N_()` is a msgid: pybabel finds it, and `Words` translates it where it is used.
"""

from __future__ import annotations

from typing import Final

from display.view import Action, Scene, Watch
from vision.reading import Problem


def N_(text: str) -> str:  # noqa: N802 - gettext's name for a text that is translated later
    """Mark a text for the catalogues; it is translated where it is used."""
    return text


GAMES: Final = {
    "barbudi": N_("Barbudi"),
    "barbut": N_("Barbut"),
    "barbut_bg": N_("Barbut, three dice"),
    "balut": N_("Balut"),
}

ROWS: Final = {
    "fours": N_("Fours"),
    "fives": N_("Fives"),
    "sixes": N_("Sixes"),
    "straight": N_("Straight"),
    "house": N_("House"),
    "choice": N_("Choice"),
    "balut": N_("Balut"),
}

LABELS: Final[dict[Action, str]] = {
    Action.CONFIRM: N_("Confirm"),
    Action.BACK: N_("Back"),
    Action.CANCEL: N_("Cancel"),
    Action.CHOOSE: N_("Choose"),
    Action.NEXT: N_("Next"),
    Action.PREVIOUS: N_("Previous"),
    Action.LESS: N_("Less"),
    Action.MORE: N_("More"),
    Action.STAKE: N_("Stake"),
    Action.COVER: N_("Cover"),
    Action.COVER_NOTHING: N_("Cover nothing"),
    Action.DECLINE: N_("Decline"),
    Action.WAGER: N_("Agreed"),
    Action.SIDE_BET: N_("Side bet"),
    Action.TWO_SHOT: N_("Two shot"),
    Action.STOP: N_("Stop"),
    Action.GO_ON: N_("Go on"),
    Action.VARI: N_("Vari!"),
    Action.RECORD: N_("Record"),
    Action.THROW: N_("Throw"),
    Action.THROW_AGAIN: N_("Throw again"),
    Action.VOID: N_("Does not count"),
    Action.KEEP: N_("Keep"),
    Action.LET_GO: N_("Let go"),
    Action.SCORE: N_("To the sheet"),
    Action.ENTER: N_("Enter"),
    Action.STRIKE: N_("Strike"),
    Action.STRIKE_SURE: N_("Strike: sure?"),
    Action.CORRECT: N_("Correct"),
    Action.CORRECT_SURE: N_("Correct: sure?"),
    Action.TAKE_BACK: N_("Take back"),
    Action.BY_HAND: N_("By hand"),
    Action.START: N_("Start"),
    Action.NEW_GAME: N_("New game"),
    Action.END_GAME: N_("End the game"),
    Action.NEW_NAME: N_("New name"),
    Action.ADD: N_("Add"),
    Action.REMOVE: N_("Remove"),
    Action.LETTER: N_("Take letter"),
    Action.DELETE: N_("Delete"),
    Action.RULES: N_("Rules"),
    Action.HISTORY: N_("Last games"),
    Action.STATISTICS: N_("Statistics"),
    Action.HEALTH: N_("Health"),
    Action.MENU: N_("Menu"),
    Action.YES: N_("Yes"),
    Action.NO: N_("No"),
    Action.RETRY: N_("Try again"),
    Action.SHUT_DOWN: N_("Switch off"),
    Action.OPERATOR: N_("Operator"),
    Action.DISPUTE: N_("Dispute"),
    Action.SETTLE: N_("Dispute settled"),
    Action.REPORT: N_("Save a report"),
    Action.LOOK: N_("Language, sound"),
    Action.SETTINGS: N_("All settings"),
    Action.HOUSE_RULES: N_("House rules"),
    Action.ALL_RULES: N_("All house rules"),
    Action.CHANGE: N_("Change"),
    Action.LETTERS: N_("Other letters"),
    Action.GIVE_UP: N_("Give up game"),
    Action.TAKE_HOME: N_("Take home"),
    Action.SAVE_SHEET: N_("Save sheet"),
    Action.DICE_SETS: N_("Dice in play"),
}

TITLES: Final[dict[Scene, str]] = {
    Scene.ATTRACT: N_("Dice table"),
    Scene.CHOOSE_GAME: N_("Which game?"),
    Scene.SEATS: N_("Who plays?"),
    Scene.HOUSE_RULES: N_("House rules"),
    Scene.RULES: N_("Rules"),
    Scene.RESUME: N_("A game was open"),
    Scene.CORRECT: N_("Set the reading right"),
    Scene.ENTRY: N_("Enter the dice by hand"),
    Scene.TAKE_BACK: N_("Take this back?"),
    Scene.RESULT: N_("The game is over"),
    Scene.MESSAGE: N_("Please note"),
    Scene.FAULT: N_("Play has stopped"),
    Scene.HEALTH: N_("Health of the table"),
    Scene.HISTORY: N_("The last games"),
    Scene.RECALL: N_("Step by step"),
    Scene.STATISTICS: N_("Statistics"),
    Scene.TAKE_HOME: N_("To take home"),
    Scene.MENU: N_("Menu"),
    Scene.THROW: N_("The tray"),
    Scene.GAME: N_("The game"),
    Scene.QUICK_SETTINGS: N_("Language and sound"),
    Scene.SETTINGS: N_("All settings"),
}

PROBLEMS: Final[dict[str, str]] = {
    Problem.NO_DICE: N_("There are no dice in the tray."),
    Problem.WRONG_COUNT: N_("The number of dice is wrong."),
    Problem.COCKED: N_("A die leans."),
    Problem.STACKED: N_("A die lies on another die."),
    Problem.HAND: N_("Something is in the way."),
    Problem.MOVING: N_("The dice still move."),
    Problem.OUTSIDE: N_("A die lies outside the tray."),
    Problem.UNCLEAR: N_("A die can not be read with certainty."),
}

WATCH: Final[dict[Watch, str]] = {
    Watch.OFF: N_("The tray is not watched."),
    Watch.EMPTY: N_("Throw into the tray."),
    Watch.HAND: N_("Hand in the tray."),
    Watch.MOVING: N_("The dice roll …"),
    Watch.REST: N_("The dice lie still."),
    Watch.SAME: N_("Counted. Pick up the dice."),
    Watch.LOST: N_("The camera gives no picture."),
    Watch.MOVED: N_("The camera or tray was moved: put it back."),
    Watch.COVERED: N_("The tray can not be seen: is the lens covered?"),
}

REFUSALS: Final = {
    "out_of_turn": N_("It is somebody else's turn."),
    "bad_amount": N_("That amount is not allowed."),
    "not_enough_chips": N_("Not enough chips for that."),
    "over_cover": N_("More than what is left to cover."),
    "fixed_stake": N_("The stake is fixed."),
    "two_shot_off": N_("Two shot is not played at this table."),
    "side_bets_off": N_("Side bets are not played at this table."),
    "not_passive": N_("Thrower and fader make no side bets."),
    "bad_side_bet": N_("A side bet needs two different players."),
    "too_late": N_("Too late for that."),
    "vari_off": N_("Vari is not played at this table."),
    "bad_dice": N_("These are no dice of this game."),
    "wrong_dice": N_("The number of dice is not the number due."),
    "nothing_to_bank": N_("There are no points to record."),
    "no_throws_left": N_("No throws are left."),
    "keep_not_on_table": N_("The kept dice are not those that were thrown."),
    "not_thrown": N_("The dice must be thrown first."),
    "row_full": N_("This row is full."),
    "bad_category": N_("There is no such row."),
    "players": N_("Wrong number of players, or a name twice."),
    "game_over": N_("The game is over."),
    "bad_chips": N_("The chips at the start are not right."),
    "bad_start": N_("The game can not begin like this."),
    "bad_choice": N_("That can not be chosen now."),
    "not_in_game": N_("That belongs to another game."),
}

NOTICES: Final = {
    "scene_failed": N_("This screen could not be drawn. The game itself is safe."),
    "camera_lost": N_(
        "The camera gives no picture. The table tries again; enter dice by hand meanwhile."
    ),
    "camera_back": N_("The camera is back."),
    "record_failed": N_("The record can not be written. Play stops until it can."),
    "record_damaged": N_("The record was damaged. What could be saved was kept."),
    "disk_full": N_("The disk is full."),
    "clock_not_set": N_("The clock is not set: the time in the record may be wrong."),
    "button_stuck": N_("A button is stuck."),
    "no_screen": N_("There is no screen."),
    "same_dice": N_("The dice have not been thrown again."),
    "kept_turned": N_("A kept die was turned on its way to the rail."),
    "storage": N_("The record can not be written. Play stops until it can."),
    "void_throw": N_("The throw does not count. The same dice again."),
    "saved": N_("Saved."),
    "dice_set": N_("These dice are counted from now on."),
    "sheet_saved": N_("The sheet is saved as PDF and PNG."),
    "sheet_not_saved": N_("The sheet could not be saved there."),
    "sheet_quota": N_("The sheet is larger than the room that sheets may take."),
    "taken_back": N_("The last step was taken back."),
    "corrected": N_("The reading was corrected by hand."),
    "nothing_to_take_back": N_("There is nothing to take back."),
    "shutting_down": N_("The table switches itself off."),
    "game_resumed": N_("The game goes on where it stood."),
    "locked": N_("Play is locked until the operator clears this."),
    "code_changed": N_("The rules of this program are not those the open game was begun with."),
    "chips": N_("The chips do not add up. Play is locked."),
    "operator_pin": N_("Only for the operator."),
    "next_start": N_("Saved. It counts from the next start of the table."),
    "config_broken": N_(
        "The settings file is not right. The table goes on without what is wrong in it."
    ),
    "in_dispute": N_("The last game is in dispute: its pictures are kept."),
    "dispute_settled": N_("The dispute about the last game is settled."),
    "no_power_off": N_("The table can not switch this machine off. Do it by hand."),
    "give_up": N_("Give the whole game up? It ends here and counts for nobody."),
    "not_kept": N_("Changed, but only until the table is switched off: it can not be saved."),
    "failed_starts": N_("The table failed to start several times. It now only says what is wrong."),
}
"""Notices of the table itself, by code."""

COLUMNS: Final = {
    "games": N_("Games"),
    "wins": N_("Games won"),
    "best": N_("Best"),
    "mean": N_("Mean"),
    "baluts": N_("Baluts"),
    "rows_met": N_("Rows met"),
    "luck": N_("Longest luck"),
}
"""Columns of the statistics."""

PERIODS: Final = {
    "": "",
    "week": N_("Last 7 days"),
    "month": N_("Last 30 days"),
    "ever": N_("All games"),
}
"""The time that statistics are taken over."""

SOURCES: Final = {
    "": "",
    "camera": N_("read by the table"),
    "corrected": N_("corrected by hand"),
    "hand": N_("entered by hand"),
}
"""Where the dice of a recorded step come from."""

PARTS: Final = {
    "camera": N_("Camera"),
    "disk": N_("Disk"),
    "clock": N_("Clock"),
    "voltage": N_("Voltage"),
    "buttons": N_("Buttons"),
    "screen": N_("Screen"),
    "record": N_("Game record"),
    "machine": N_("Computer"),
    "software": N_("Software"),
    "config": N_("Settings"),
    "start": N_("Starts"),
    "power": N_("Power supply"),
    "memory": N_("Memory"),
    "access": N_("Permissions"),
    "table": N_("Table"),
}

LEVELS: Final = {
    "good": N_("in order"),
    "info": N_("for your information"),
    "warning": N_("needs attention"),
    "fault": N_("out of order"),
}

LOOK: Final = {
    "language": N_("Language"),
    "sounds": N_("Sound"),
    "theme": N_("Colours"),
}
"""What any player may change on the screen."""

LOOK_VALUES: Final = {
    "on": N_("on"),
    "off": N_("off"),
    "dark": N_("for the evening"),
    "contrast": N_("high contrast"),
}

REASONS: Final = {
    "rounds": N_("The agreed number of rounds is played."),
    "time": N_("The agreed time is up."),
    "hand": N_("The game was stopped."),
    "broke": N_("Only one player has chips left."),
    "finished": N_("Everybody has finished."),
    "filled": N_("All sheets are full."),
}

RULES: Final = {
    "start": N_("Who begins"),
    "starting_chips": N_("Chips at the start"),
    "fixed_stake": N_("Fixed stake"),
    "side_bets": N_("Side bets"),
    "two_shot": N_("Two shot"),
    "two_shot_rotation": N_("Two shot: on to the next two"),
    "two_player_pass": N_("Two players: the dice pass"),
    "house_fee": N_("Fee of the bank"),
    "skip_broke": N_("Pass over who has no chips"),
    "end": N_("End of the game"),
    "vari": N_("Vari"),
    "special_pay": N_("Special pay for 6-6 and 1-1"),
    "next_opponent": N_("Next opponent"),
    "direction": N_("Direction"),
    "opening": N_("To get into the game"),
    "opening_scores": N_("The opening throw scores"),
    "restore": N_("Second 6-6-6 restores"),
    "target": N_("Points to reach"),
    "finish": N_("How to finish"),
    "auto_bank": N_("Record by itself at the target"),
    "max_throws": N_("Most throws in a turn"),
    "set_aside": N_("Dice set aside"),
    "tiebreak": N_("Equal points"),
    "games": N_("Games in the match"),
    "variant": N_("Version"),
}
"""House rules (RULES.md, section 6)."""

VALUES: Final = {
    "on": N_("on"),
    "off": N_("off"),
    "none": N_("none"),
    "highest_die": N_("highest die"),
    "host": N_("the host names"),
    "swap": N_("they swap"),
    "stay": N_("roles stay"),
    "after_second_shot": N_("after the second"),
    "always": N_("always"),
    "manual": N_("when stopped"),
    "seat": N_("by seat"),
    "queue": N_("by queue"),
    "clockwise": N_("clockwise"),
    "counter-clockwise": N_("counter-clockwise"),
    "both": N_("1 and 5"),
    "either": N_("1 or 5"),
    "only": N_("only 1 and 5"),
    "scoring": N_("any points"),
    "immediate": N_("at once"),
    "later": N_("also later"),
    "at_least": N_("reach or pass"),
    "exact": N_("exactly"),
    "all": N_("all that score"),
    "choose": N_("at least one"),
    "dice_sum": N_("dice sum decides"),
    "standard": N_("standard, 28 fields"),
    "singapore": N_("Singapore, 7 fields"),
}
"""Values of house rules."""
