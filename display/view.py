"""What the table hands over for every picture: plain data, nothing to decide.

A `View` says everything that is on the screen. Two equal views give the same picture, so that
nothing is drawn again while nothing changes (`display.stage.Stage`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from firmware.rules.game import Event, Outcome, Prompt, State
from vision.reading import Image, Reading


class Scene(StrEnum):
    """The screens; one file each in `display/scenes/`."""

    ATTRACT = "attract"
    """Nobody plays: the games go by."""
    CHOOSE_GAME = "choose_game"
    """`options` are the keys of the games, `cursor` the chosen one."""
    SEATS = "seats"
    """`seats` so far; `options` are saved names, `cursor` the chosen one, `typed` a new one."""
    HOUSE_RULES = "house_rules"
    """`settings` of the chosen game, those that differ first, then perhaps `options` (a line that
    leads to all of them); `cursor` the chosen line, `editing` while its value is being chosen."""
    RULES = "rules"
    """A page of the rules of `game`; `page` counts from 0."""
    RESUME = "resume"
    """A game was open when the power went: `game`, `seats`, `state`; go on?"""
    THROW = "throw"
    """The live tray: `picture`, `reading`, `watch`, `due`, `preview`; `armed` when the throw is
    about to be declared void."""
    GAME = "game"
    """The game itself: stakes, roles, sheets; which screen follows from `game` and `state`."""
    CORRECT = "correct"
    """A reading is set right: `entry` faces, `cursor` the die, `armed` after the first press."""
    ENTRY = "entry"
    """Dice are entered by hand: `entry` faces so far (None: not yet), `cursor` the die."""
    TAKE_BACK = "take_back"
    """The last act is about to be taken back: `events` tell which."""
    RESULT = "result"
    """`outcome`: who won, the ranking."""
    MESSAGE = "message"
    """`notice` in the middle of the screen."""
    FAULT = "fault"
    """`notice`: play stops until somebody acts; `checks` may tell more."""
    HEALTH = "health"
    """`checks`: camera, disk, clock, voltage, buttons."""
    MENU = "menu"
    """`options` are keys of actions or plain texts, `cursor` the chosen one."""
    HISTORY = "history"
    """`records` of the last games, `cursor` the chosen one."""
    STATISTICS = "statistics"
    """`statistics`: the players in a table, and how often each face came."""
    RECALL = "recall"
    """One game step by step: `steps`, `cursor`; `picture` and `reading` of the chosen throw."""
    QUICK_SETTINGS = "quick_settings"
    """`settings` that any player may change at once (language, sounds, theme), `cursor`."""
    SETTINGS = "settings"
    """Every option of the table for the operator: `settings`, `cursor`, `editing`; `typed` says
    what the chosen one means and may be, in the words of the configuration file."""

    TAKE_HOME = "take_home"
    """The result of `game` in a QR code: `take_home`."""


PLAY = (Scene.GAME, Scene.THROW)
"""Scenes of the game itself: the story of the last act stands above the buttons, and choices are
laid over them."""


class Action(StrEnum):
    """What a button does now; `display.words` has its label in every language."""

    CONFIRM = "confirm"
    BACK = "back"
    CANCEL = "cancel"
    CHOOSE = "choose"
    NEXT = "next"
    PREVIOUS = "previous"
    LESS = "less"
    MORE = "more"
    STAKE = "stake"
    COVER = "cover"
    COVER_NOTHING = "cover_nothing"
    DECLINE = "decline"
    WAGER = "wager"
    SIDE_BET = "side_bet"
    TWO_SHOT = "two_shot"
    STOP = "stop"
    GO_ON = "go_on"
    VARI = "vari"
    RECORD = "record"
    THROW = "throw"
    THROW_AGAIN = "throw_again"
    VOID = "void"
    KEEP = "keep"
    LET_GO = "let_go"
    SCORE = "score"
    ENTER = "enter"
    STRIKE = "strike"
    STRIKE_SURE = "strike_sure"
    CORRECT = "correct"
    CORRECT_SURE = "correct_sure"
    TAKE_BACK = "take_back"
    BY_HAND = "by_hand"
    START = "start"
    NEW_GAME = "new_game"
    END_GAME = "end_game"
    NEW_NAME = "new_name"
    ADD = "add"
    REMOVE = "remove"
    LETTER = "letter"
    DELETE = "delete"
    RULES = "rules"
    HISTORY = "history"
    STATISTICS = "statistics"
    OPERATOR = "operator"
    DISPUTE = "dispute"
    SETTLE = "settle"
    REPORT = "report"
    HEALTH = "health"
    MENU = "menu"
    YES = "yes"
    NO = "no"
    RETRY = "retry"
    SHUT_DOWN = "shut_down"
    LOOK = "look"
    SETTINGS = "settings"
    HOUSE_RULES = "house_rules"
    ALL_RULES = "all_rules"
    CHANGE = "change"
    LETTERS = "letters"
    GIVE_UP = "give_up"
    TAKE_HOME = "take_home"
    SAVE_SHEET = "save_sheet"
    DICE_SETS = "dice_sets"


@dataclass(frozen=True, slots=True)
class Hint:
    """What one button does now, perhaps with a number: "Stake 5"."""

    action: Action
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Buttons:
    """The four buttons; None: it does nothing now and is dark."""

    confirm: Hint | None = None
    back: Hint | None = None
    left: Hint | None = None
    right: Hint | None = None


class Watch(StrEnum):
    """What goes on in the tray."""

    OFF = "off"
    """The tray is not watched."""
    EMPTY = "empty"
    HAND = "hand"
    MOVING = "moving"
    REST = "rest"
    """The dice lie still; `View.reading` says what was read."""
    SAME = "same"
    """The dice still lie as they were counted; they must move before they count again."""
    LOST = "lost"
    """The camera gives no picture."""
    MOVED = "moved"
    """The camera, or the tray, is not where it was calibrated."""
    COVERED = "covered"
    """The camera sees nothing of the tray."""


class Level(StrEnum):
    """How grave a notice or the result of a check is."""

    GOOD = "good"
    INFO = "info"
    WARNING = "warning"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that people must know.

    `code` is a refusal code of `firmware.rules`, a `vision.reading.Problem`, or one of
    `display.vocabulary.NOTICES`; `details` fills the placeholders of its sentence. `text` is shown
    as it is and only used where no code fits (the message of an exception).
    """

    code: str = ""
    level: Level = Level.INFO
    details: tuple[tuple[str, str | int], ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the health screen."""

    name: str
    """Key of the part: camera, disk, clock, voltage, buttons, screen, record."""
    level: Level
    text: str = ""
    """What was found and what to do, as the check words it."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One house rule, or one quick setting, on the screen."""

    key: str
    value: str
    usual: str = ""
    """What it usually is, where it differs."""


@dataclass(frozen=True, slots=True)
class Record:
    """One finished or open game of the history."""

    game: str
    when: str
    """Date and time as they are shown."""
    seats: tuple[str, ...]
    winners: tuple[str, ...]
    scores: tuple[tuple[str, int], ...] = ()


class Source(StrEnum):
    """Where the dice of a step come from."""

    NONE = ""
    CAMERA = "camera"
    CORRECTED = "corrected"
    HAND = "hand"


@dataclass(frozen=True, slots=True)
class Step:
    """One act of a recorded game."""

    when: str
    """Time of day as it is shown."""
    events: tuple[Event, ...]
    source: Source = Source.NONE
    taken_back: bool = False
    pot: tuple[int, int] | None = None
    """Chips in the pot before and after; None in games without one."""
    read: tuple[str, str] | None = None
    """What the camera had read, and what it was corrected to."""


@dataclass(frozen=True, slots=True)
class DiceFigures:
    """How often each face of a dice set came, and whether that is more than luck."""

    faces: tuple[int, ...]
    """From one to six."""
    name: str = ""
    """Of the set; empty: the dice have no name."""
    chi_square: float = 0.0
    chance: float = 1.0
    """How likely fair dice look at least as uneven, in one look."""
    level: int = 1
    """Below 1 in so many they are called unusual."""
    few: bool = False
    """Too few to say anything."""
    unusual: bool = False


@dataclass(frozen=True, slots=True)
class Statistics:
    """Figures that people like: of the players, or of one dice set."""

    columns: tuple[str, ...] = ()
    """Keys of `display.vocabulary.COLUMNS`: games, wins, best, mean, baluts, rows_met, luck."""
    rows: tuple[tuple[str, ...], ...] = ()
    """For each player the place, the name and, as they are shown, the figures of the columns."""
    period: str = ""
    """A key of `display.vocabulary.PERIODS`: the time they are taken over; empty: not said."""
    dice: DiceFigures | None = None
    """A dice set; then there are no players."""
    page: int = 0
    pages: int = 1
    """Which page of how many."""


@dataclass(frozen=True, slots=True)
class View:
    """Everything that one picture shows."""

    scene: Scene
    buttons: Buttons = Buttons()
    language: str = "en"
    theme: str = "dark"
    """A key of `display.theme.THEMES`."""

    game: str = ""
    """Key of the game: barbudi, barbut, barbut_bg, balut."""
    seats: tuple[str, ...] = ()
    state: State | None = None
    prompt: Prompt | None = None
    outcome: Outcome | None = None
    events: tuple[Event, ...] = ()
    """What the last act brought about: the story under the game."""
    preview: tuple[Event, ...] = ()
    """What a press of confirm would bring about for the throw that lies there."""

    watch: Watch = Watch.OFF
    reading: Reading | None = None
    picture: Image | None = field(default=None, compare=False, repr=False)
    picture_number: int = 0
    """Stands for `picture` when views are compared: another number is another picture."""
    due: int = 0
    """How many dice are to be thrown."""
    rail: tuple[int, ...] = ()
    """Faces that must lie in the keep rail (Balut, three dice), high to low."""

    cursor: int = 0
    """Which option, row, die or letter the left and right buttons have reached."""
    amount: int | None = None
    """Chips being chosen for a stake, a cover, a wager or a side bet."""
    demand: bool = False
    """Two shot is demanded with the stake."""
    keeping: bool = False
    """Balut: the dice to keep are being chosen (else: the row to enter)."""
    kept: tuple[bool, ...] = ()
    """Balut: for each die on the table, in the state's order, whether it is kept."""
    entry: tuple[int | None, ...] = ()
    """Faces being entered or corrected."""
    editing: bool = False
    """The value of the setting at the cursor is being chosen."""
    armed: bool = False
    """The first of two presses was made; the next one does it."""
    picks: tuple[str, ...] = ()
    """Side bet: the two players chosen so far, the thrower's backer first."""

    options: tuple[str, ...] = ()
    """Things to choose from: games, names, keys of actions."""
    settings: tuple[Setting, ...] = ()
    typed: str = ""
    page: int = 0

    notice: Notice | None = None
    checks: tuple[Check, ...] = ()
    records: tuple[Record, ...] = ()
    steps: tuple[Step, ...] = ()
    statistics: Statistics | None = None
    take_home: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """For each language (its code) the result as plain text, the fullest first."""
    progress: float | None = None
    """From 0 to 1: how far a wait has come; None: nothing waits."""
