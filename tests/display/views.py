"""Golden views: one or more of every scene, made from real recordings and states of the judge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from display.view import (
    Action,
    Buttons,
    Check,
    DiceFigures,
    Hint,
    Level,
    Notice,
    Record,
    Scene,
    Setting,
    Source,
    Statistics,
    Step,
    View,
    Watch,
)
from firmware.buttons import Button
from firmware.house_rules import HouseRulesDialog
from firmware.look import Look, LookDialog
from firmware.rules import GAMES
from firmware.rules.acts import Act, Cover, Stake, Throw, Vari, Wager
from firmware.rules.balut import Balut
from firmware.rules.bank import Chips
from firmware.rules.barbudi import Barbudi, BarbudiRules, BarbudiState
from firmware.rules.barbut import Barbut
from firmware.rules.barbut_bg import BarbutBg
from firmware.rules.game import (
    AmountWanted,
    ChoiceWanted,
    DiceWanted,
    Event,
    Game,
    Outcome,
    Prompt,
    SideBetWanted,
)
from firmware.rules.text import rules_text
from firmware.spelling import Spelling
from vision.reading import Image, Reading
from vision.recording import load_recordings

ROOT = Path(__file__).resolve().parents[1] / "recordings" / "stills"
NAMES = ("Kari", "Ola", "Per", "Liv")
RING = (*NAMES, "Anne-Margrethe", "Bjørn", "Даниела", "Ирина", "Tor", "Eva", "Христо", "Siv")

VIEWS: dict[str, Callable[[], View]] = {}


def view(make: Callable[[], View]) -> Callable[[], View]:
    """Register a golden view by its function's name."""
    VIEWS[make.__name__] = cache(make)
    return VIEWS[make.__name__]


@cache
def still(name: str) -> tuple[Image, Reading]:
    """A recorded picture and the reading that its truth stands for."""
    from vision.reading import Die

    (recording,) = load_recordings(ROOT / f"{name}.jpg")
    image = recording.image(0)
    truth = recording.truth
    dice = tuple(
        Die(
            value=None if one.problems else one.value,
            confidence=0.98,
            centre=one.centre,
            corners=one.corners,
            zone=one.zone,
            problem=next(iter(one.problems), None),
            alternative=None,
        )
        for one in truth.dice
    )
    height, width = image.shape[:2]
    return image, Reading(dice, tuple(truth.problems), (width, height), 12.0)


def hint(action: Action, number: int | None = None) -> Hint:
    return Hint(action, number)


THROWING = Buttons(confirm=hint(Action.CONFIRM), back=hint(Action.VOID), left=hint(Action.CORRECT))
AMOUNT = Buttons(hint(Action.STAKE, 5), hint(Action.DECLINE), hint(Action.LESS), hint(Action.MORE))


def chips(**extra: int) -> Chips:
    return Chips({**dict.fromkeys(NAMES, 50), **extra}, 0)


def barbudi(**fields: object) -> BarbudiState:
    base = BarbudiState(
        seats=NAMES,
        rules=BarbudiRules(),
        phase="throw",
        chips=Chips({"Kari": 46, "Ola": 45, "Per": 38, "Liv": 59}, 10),
        thrower="Kari",
        fader="Ola",
        next_to_throw="Ola",
        stake=5,
        covers=(("Kari", 4), ("Per", 1)),
        matched=5,
        pot=10,
        throws=1,
        dice=(4, 2),
        events=(
            Event("throw", "R-BD-6", who="Kari", dice=(4, 2), row="nothing", meaning="nothing"),
            Event("dice_pass", "R-BD-6", who="Ola"),
        ),
    )
    return replace(base, **fields)


@view
def throw_read() -> View:
    image, reading = still("black_white_20007_00_good")
    state = barbudi()
    return View(
        Scene.THROW,
        THROWING,
        game="barbudi",
        seats=NAMES,
        state=state,
        prompt=Prompt("Ola", (DiceWanted("Ola", 2),)),
        events=state.events,
        preview=(
            Event("throw", "R-BD-6", who="Ola", dice=(6, 5), row="win_mixed", meaning="win"),
            Event(
                "won", "R-BD-7", who="Ola", amount=5, other="Kari", total=10, shares=(("Ola", 10),)
            ),
            Event("roles_stay", "R-BD-8", who="Kari", other="Ola"),
        ),
        watch=Watch.REST,
        reading=reading,
        picture=image,
        due=2,
    )


@view
def throw_waiting() -> View:
    return replace(
        throw_read(),
        reading=None,
        preview=(),
        watch=Watch.EMPTY,
        picture=still("marble_white_20017_empty_normal")[0],
        buttons=Buttons(back=hint(Action.TAKE_BACK), left=hint(Action.BY_HAND)),
    )


@view
def throw_problem() -> View:
    image, reading = still("grey_white_20014_05_good")
    return replace(
        throw_read(),
        reading=reading,
        preview=(),
        picture=image,
        buttons=Buttons(back=hint(Action.VOID), left=hint(Action.BY_HAND)),
    )


@view
def throw_lost() -> View:
    lost = replace(throw_waiting(), watch=Watch.LOST, picture=None, due=5)
    return replace(lost, buttons=Buttons(right=hint(Action.BY_HAND)))


@view
def throw_hand() -> View:
    image, _ = still("01004_hand")
    return replace(throw_waiting(), watch=Watch.HAND, picture=image)


@view
def barbudi_throw() -> View:
    state = barbudi()
    return View(
        Scene.GAME,
        Buttons(back=hint(Action.TAKE_BACK)),
        game="barbudi",
        seats=NAMES,
        state=state,
        prompt=Prompt("Ola", (DiceWanted("Ola", 2),)),
        events=state.events,
    )


@view
def barbudi_stake() -> View:
    state = barbudi(
        phase="stake",
        winner="Kari",
        next_to_throw=None,
        dice=(6, 5),
        pot=10,
        chips=Chips({"Kari": 54, "Ola": 45, "Per": 42, "Liv": 59}),
        rounds=3,
    )
    return View(
        Scene.GAME,
        AMOUNT,
        game="barbudi",
        seats=NAMES,
        state=state,
        prompt=Prompt("Ola", (AmountWanted("stake", "Ola", 1, 45), ChoiceWanted("decline", "Ola"))),
        events=(
            Event(
                "won", "R-BD-7", who="Kari", amount=5, total=10, shares=(("Kari", 8), ("Per", 2))
            ),
            Event("roles_stay", "R-BD-8", who="Kari", other="Ola"),
        ),
        amount=5,
    )


@view
def barbudi_cover() -> View:
    state = barbudi(
        phase="cover",
        stake=12,
        covers=(("Kari", 4),),
        matched=4,
        pot=0,
        dice=(),
        next_to_throw=None,
    )
    return View(
        Scene.GAME,
        Buttons(
            hint(Action.COVER, 8), hint(Action.COVER_NOTHING), hint(Action.LESS), hint(Action.MORE)
        ),
        game="barbudi",
        seats=NAMES,
        state=state,
        prompt=Prompt("Per", (AmountWanted("cover", "Per", 0, 8),)),
        events=(Event("cover", "R-BD-3", who="Kari", amount=4, total=8),),
        amount=8,
    )


@view
def barbudi_twelve() -> View:
    state = barbudi(
        seats=RING,
        chips=Chips({name: 3 + 40 * i for i, name in enumerate(RING)}, 30),
        thrower="Anne-Margrethe",
        fader="Bjørn",
        next_to_throw="Anne-Margrethe",
        stake=15,
        covers=(("Anne-Margrethe", 5), ("Даниела", 10)),
        matched=15,
        pot=30,
        vari=True,
        side_bets=(("Eva", "Христо", 3), ("Kari", "Siv", 40)),
    )
    return View(
        Scene.GAME,
        Buttons(confirm=hint(Action.GO_ON), right=hint(Action.VARI)),
        game="barbudi",
        seats=RING,
        state=state,
        prompt=Prompt("Anne-Margrethe", (DiceWanted("Anne-Margrethe", 2),)),
        events=(Event("vari", "R-GEN-4", who="Anne-Margrethe"),),
        notice=Notice("wrong_dice", Level.WARNING),
    )


def of_game(game: Game[Any], buttons: Buttons, **more: object) -> View:
    """The game's own screen, with what the game itself says."""
    base = View(
        Scene.GAME,
        buttons,
        game=game.key,
        seats=game.seats,
        state=game.state,
        prompt=game.prompt,
        outcome=game.outcome(),
        events=game.state.events,
    )
    return replace(base, **more)


def played(game: Game[Any], *acts: Act) -> Game[Any]:
    for act in acts:
        game.push(act)
    return game


@view
def barbut_wager() -> View:
    game = played(Barbut(NAMES, chips=20, thrower="Kari"), Wager(5), Throw("Kari", (1, 1)))
    buttons = replace(AMOUNT, confirm=hint(Action.WAGER, 3))
    return of_game(game, buttons, amount=3)


@view
def barbut_throw() -> View:
    game = played(Barbut(NAMES, chips=20, thrower="Kari"), Wager(5), Throw("Kari", (4, 3)))
    return of_game(game, Buttons(right=hint(Action.VARI), back=hint(Action.TAKE_BACK)))


@view
def barbut_vari() -> View:
    game = played(
        Barbut(RING[:7], chips=20, thrower="Kari"), Wager(12), Throw("Kari", (4, 3)), Vari("Ola")
    )
    return of_game(game, Buttons(back=hint(Action.TAKE_BACK)))


@view
def bg_choice() -> View:
    totals = {"Kari": 1250, "Ola": 4950, "Per": 0, "Liv": 2300}
    opened = {"Kari": True, "Ola": True, "Liv": True}
    game = BarbutBg(NAMES, turn="Ola", totals=totals, opened=opened)
    played(game, Throw("Ola", (6, 3, 1)), Throw("Ola", (1, 5)))
    return of_game(game, Buttons(confirm=hint(Action.RECORD, 250), right=hint(Action.THROW_AGAIN)))


@view
def bg_nine() -> View:
    seats = RING[:9]
    totals = {name: 600 * i for i, name in enumerate(seats)}
    opened = {name: i % 3 > 0 for i, name in enumerate(seats)}
    game = BarbutBg(seats, turn="Tor", totals=totals, opened=opened | {"Tor": True})
    game = played(game, Throw("Tor", (5, 5, 5)), Throw("Tor", (5, 6, 2)))
    return of_game(game, Buttons(confirm=hint(Action.RECORD, 550), right=hint(Action.THROW_AGAIN)))


@view
def bg_recovery() -> View:
    totals = {"Kari": 1250, "Ola": 4950}
    game = BarbutBg(("Kari", "Ola"), turn="Ola", totals=totals, opened={"Kari": True, "Ola": True})
    played(game, Throw("Ola", (6, 6, 6)))
    return of_game(game, Buttons(back=hint(Action.TAKE_BACK)))


@view
def begin_ring() -> View:
    game = played(Barbut(NAMES, chips=20), Throw("Kari", (5,)), Throw("Ola", (2,)))
    return of_game(game, Buttons(back=hint(Action.TAKE_BACK)))


SHEETS = {
    "Kari": {
        "fours": (16, 12, 8),
        "fives": (20, 15, 15, 20),
        "sixes": (24, 18, 24, 18),
        "straight": (20, 15),
        "house": (0, 22),
        "choice": (26,),
        "balut": (0, 40),
    },
    "Ola": {"fours": (8,), "sixes": (12, 0), "choice": (22, 25, 27, 28), "balut": (0, 0)},
    "Per": {"straight": (0, 15, 20), "house": (28, 27), "fives": (15,)},
    "Liv": {"choice": (20,)},
}


@view
def balut_choice() -> View:
    game = Balut(NAMES, order=NAMES, sheets=SHEETS)
    played(game, Throw("Kari", (6, 6, 3, 2, 1)), Throw("Kari", (6, 4, 1), keep=(6, 6)))
    buttons = Buttons(
        hint(Action.KEEP), hint(Action.SCORE), hint(Action.PREVIOUS), hint(Action.NEXT)
    )
    return of_game(game, buttons, keeping=True, kept=(True, True, True, False, False), cursor=3)


@view
def balut_enter() -> View:
    game = Balut(NAMES, order=NAMES, sheets=SHEETS)
    played(
        game,
        Throw("Kari", (6, 6, 3, 2, 1)),
        Throw("Kari", (6, 4, 1), keep=(6, 6)),
        Throw("Kari", (6, 2), keep=(6, 6, 6)),
    )
    buttons = Buttons(
        hint(Action.ENTER, 26), hint(Action.TAKE_BACK), hint(Action.PREVIOUS), hint(Action.NEXT)
    )
    return of_game(game, buttons, cursor=5)


@view
def balut_strike() -> View:
    buttons = Buttons(
        hint(Action.STRIKE_SURE), hint(Action.CANCEL), hint(Action.PREVIOUS), hint(Action.NEXT)
    )
    return replace(balut_enter(), buttons=buttons, cursor=4, armed=True)


@view
def balut_throw() -> View:
    seats = RING[:6]
    game = Balut(seats, order=seats)
    return of_game(game, Buttons(back=hint(Action.TAKE_BACK)))


PICK = Buttons(hint(Action.CHOOSE), hint(Action.BACK), hint(Action.PREVIOUS), hint(Action.NEXT))
HISTORY = (
    Record(
        "balut",
        "30.11. 21:40",
        NAMES,
        ("Kari",),
        (("Kari", 12), ("Ola", 9), ("Per", 7), ("Liv", -1)),
    ),
    Record(
        "barbudi",
        "30.11. 20:55",
        NAMES,
        ("Ola", "Liv"),
        (("Kari", 20), ("Ola", 80), ("Per", 20), ("Liv", 80)),
    ),
    Record("barbut_bg", "29.11. 23:10", ("Даниела", "Христо"), ()),
    *(Record("barbut", f"{day}.11. 19:00", NAMES, ("Per",)) for day in range(28, 18, -1)),
)


@view
def choose_game() -> View:
    return View(
        Scene.CHOOSE_GAME, PICK, options=("barbudi", "barbut", "barbut_bg", "balut"), cursor=1
    )


@view
def seats_names() -> View:
    options = (*RING, "new_name", "house_rules", "start")
    return View(Scene.SEATS, PICK, game="barbudi", seats=RING[:3], options=options, cursor=5)


@view
def seats_start() -> View:
    settings = (Setting("two_shot", "on", "off"), Setting("starting_chips", "100", "50"))
    buttons = replace(PICK, confirm=hint(Action.START))
    options = (*RING[:4], "new_name", "house_rules", "start")
    return replace(
        seats_names(), options=options, buttons=buttons, settings=settings, seats=RING[:4], cursor=6
    )


@view
def seats_letters() -> View:
    spelling = Spelling()
    spelling.cursor, spelling.typed = 9, "Bjø"
    buttons = Buttons(spelling.confirm, spelling.back, PICK.left, PICK.right)
    options = spelling.options
    return View(Scene.SEATS, buttons, game="balut", options=options, cursor=9, typed="Bjø")


@view
def seats_cyrillic() -> View:
    spelling = Spelling("ru")
    options = spelling.options
    confirm = hint(Action.LETTERS)
    buttons = replace(PICK, confirm=confirm)
    cursor = len(options) - 2
    return View(Scene.SEATS, buttons, game="balut", seats=RING[:2], options=options, cursor=cursor)


IDLE = Buttons(hint(Action.START), left=hint(Action.LOOK), right=hint(Action.MENU))


@view
def attract() -> View:
    return View(Scene.ATTRACT, IDLE, page=2, records=HISTORY)


@view
def attract_winners() -> View:
    return replace(attract(), page=4)


@view
def attract_replay() -> View:
    picture = still("black_white_20007_00_good")[0]
    return replace(attract(), page=5, entry=(6, 5), seats=("Anne-Margrethe",), picture=picture)


@view
def attract_replay_five() -> View:
    return replace(attract(), page=5, entry=(6, 6, 6, 3, 1), seats=("Kari",))


@view
def attract_first() -> View:
    return View(Scene.ATTRACT, IDLE, page=3)


def rules_view(game: str, config: dict[str, Any], *presses: Button) -> View:
    dialog = HouseRulesDialog(game, config, lambda _: None)
    for button in presses:
        dialog.press(button)
    return View(dialog.scene, dialog.buttons(), **dialog.show())


TWO_CHANGED = {"two_shot": True, "house_fee": {"mode": "percent", "rate_bp": 250}}


@view
def house_rules() -> View:
    return rules_view("barbudi", TWO_CHANGED)


@view
def house_rules_usual() -> View:
    return rules_view("balut", {})


@view
def house_rules_all() -> View:
    down = (*[Button.RIGHT] * 3, Button.CONFIRM, Button.RIGHT, Button.CONFIRM)
    config = {**TWO_CHANGED, "end": {"mode": "rounds", "rounds": 20}}
    return rules_view("barbudi", config, *down)


@view
def house_rules_pay() -> View:
    pay = {"6-6": [1, 2], "1-1": [1, 2]}
    return rules_view("barbut", {"special_pay": pay}, Button.CONFIRM)


@view
def quick_settings() -> View:
    dialog = LookDialog(Look())
    dialog.cursor = 1
    return View(dialog.scene, dialog.buttons(), **dialog.show())


@view
def menu() -> View:
    options = ("history", "rules", "health", "take_back", "end_game", "shut_down")
    return View(Scene.MENU, PICK, options=options, cursor=0)


@view
def result_one() -> View:
    outcome = Outcome(
        ("Kari",),
        (("Kari",), ("Ola",), ("Per",), ("Liv",)),
        "filled",
        "R-BL-6",
        (("Kari", 12), ("Ola", 9), ("Per", 7), ("Liv", -1)),
    )
    return View(Scene.RESULT, Buttons(confirm=hint(Action.NEW_GAME)), game="balut", outcome=outcome)


@view
def result_shared() -> View:
    scores = tuple((name, 90 if i < 2 else 30 - i) for i, name in enumerate(RING))
    ranking = (RING[:2], *((name,) for name in RING[2:]))
    outcome = Outcome(RING[:2], ranking, "rounds", "R-BD-13", scores)
    return View(
        Scene.RESULT, Buttons(confirm=hint(Action.NEW_GAME)), game="barbudi", outcome=outcome
    )


@view
def correct() -> View:
    buttons = Buttons(
        hint(Action.CORRECT), hint(Action.CANCEL), hint(Action.PREVIOUS), hint(Action.NEXT)
    )
    return replace(throw_read(), scene=Scene.CORRECT, buttons=buttons, entry=(6, 5), cursor=1)


@view
def correct_armed() -> View:
    buttons = Buttons(hint(Action.CORRECT_SURE), hint(Action.CANCEL))
    return replace(correct(), buttons=buttons, entry=(6, 3), armed=True)


@view
def entry_five() -> View:
    buttons = Buttons(hint(Action.NEXT), hint(Action.CANCEL), hint(Action.LESS), hint(Action.MORE))
    return View(Scene.ENTRY, buttons, game="balut", entry=(6, 6, 3, None, None), cursor=2)


@view
def take_back() -> View:
    return replace(
        barbudi_stake(), scene=Scene.TAKE_BACK, buttons=Buttons(hint(Action.YES), hint(Action.NO))
    )


@view
def message() -> View:
    notice = Notice("camera_lost", Level.WARNING)
    return View(Scene.MESSAGE, Buttons(hint(Action.CONFIRM)), notice=notice, progress=0.4)


CHECKS = (
    Check(
        "camera", Level.FAULT, "The camera has given no picture for 12 s. Check the ribbon cable."
    ),
    Check("disk", Level.GOOD, "12.4 GB free."),
    Check(
        "clock", Level.WARNING, "Not set since power-on. Set it in the menu or plug in a network."
    ),
    Check("voltage", Level.GOOD, ""),
    Check("buttons", Level.GOOD, "4 of 4 answer."),
)


@view
def fault() -> View:
    notice = Notice("record_failed", Level.FAULT, (), "No space left on device: /var/lib/dicetable")
    return View(
        Scene.FAULT,
        Buttons(hint(Action.RETRY), hint(Action.SHUT_DOWN)),
        notice=notice,
        checks=CHECKS,
    )


def _settings(**more: Any) -> View:
    lines = (
        Setting("camera.exposure_us", "10000"),
        Setting("camera.gain", "2.5", "2.0"),
        Setting("panel.encoder_b_pin", "0"),
        Setting("panel.lamps", "on"),
        Setting("display.rotation", "90", "0"),
        Setting("state.picture_quota_mib", "512"),
    )
    about = (
        "Exposure in microseconds (the Pi's camera only). Lamps do not flicker in multiples of "
        "10000 on 50 Hz mains, of 8333 on 60 Hz. (a whole number from 100 to 66666)"
    )
    return View(Scene.SETTINGS, PICK, settings=lines, typed=about, **more)


@view
def settings() -> View:
    return _settings(cursor=0)


@view
def settings_changed() -> View:
    return _settings(cursor=1, notice=Notice("next_start", Level.GOOD))


@view
def settings_choosing() -> View:
    return _settings(cursor=4, editing=True)


@view
def health() -> View:
    return View(Scene.HEALTH, Buttons(back=hint(Action.BACK)), checks=CHECKS)


@view
def resume() -> View:
    base = barbudi_stake()
    return replace(
        base, scene=Scene.RESUME, buttons=Buttons(hint(Action.YES), hint(Action.NO)), prompt=None
    )


@view
def history() -> View:
    return View(Scene.HISTORY, PICK, records=HISTORY, cursor=0)


SIDE = SideBetWanted((("Per", 38), ("Liv", 59)))


@view
def side_bet_names() -> View:
    base = barbudi_cover()
    assert base.prompt is not None
    prompt = replace(base.prompt, also=(SIDE,))
    return replace(base, buttons=PICK, prompt=prompt, amount=None, options=("Per", "Liv"))


@view
def side_bet_amount() -> View:
    buttons = replace(AMOUNT, confirm=hint(Action.SIDE_BET, 7), back=hint(Action.BACK))
    return replace(side_bet_names(), buttons=buttons, options=(), picks=("Per", "Liv"), amount=7)


@view
def game_menu() -> View:
    options = ("vari", "side_bet", "by_hand", "end_game", "take_back")
    return replace(barbudi_throw(), buttons=PICK, options=options, cursor=1)


@view
def stake_declined() -> View:
    buttons = Buttons(hint(Action.DECLINE), hint(Action.TAKE_BACK), None, hint(Action.MORE))
    return replace(barbudi_stake(), buttons=buttons, amount=None)


@view
def stake_two_shot() -> View:
    switch = hint(Action.TWO_SHOT)
    buttons = Buttons(hint(Action.STAKE, 5), hint(Action.BACK), switch, switch)
    return replace(barbudi_stake(), buttons=buttons, demand=True)


@view
def throw_void() -> View:
    return replace(
        throw_read(), armed=True, buttons=Buttons(hint(Action.VOID), hint(Action.CANCEL))
    )


@view
def throw_turned() -> View:
    notice = Notice("kept_turned", Level.WARNING)
    return replace(throw_read(), notice=notice, preview=())


@view
def throw_nothing() -> View:
    image, reading = still("wood_20023_04_good")
    events = (
        Event("throw", "R-BD-6", who="Ola", dice=(4, 2), row="nothing", meaning="nothing"),
        Event("dice_pass", "R-BD-6", who="Kari"),
    )
    return replace(throw_read(), picture=image, reading=reading, preview=events)


@view
def throw_five() -> View:
    image, reading = still("worn_bone_20026_04_good")
    game = played(Balut(NAMES, order=NAMES), Throw("Kari", (6, 5, 3, 3, 2)))
    events = game.state.events
    game.pop()
    return of_game(
        game,
        THROWING,
        scene=Scene.THROW,
        due=5,
        watch=Watch.REST,
        picture=image,
        reading=reading,
        preview=events,
    )


@view
def throw_rail() -> View:
    game = played(Balut(NAMES, order=NAMES), Throw("Kari", (6, 5, 3, 3, 2)))
    image = still("01007_cup")[0]
    return of_game(
        game,
        Buttons(right=hint(Action.MENU)),
        scene=Scene.THROW,
        due=3,
        watch=Watch.MOVING,
        picture=image,
        rail=(3, 3),
    )


READ = Buttons(None, hint(Action.BACK), hint(Action.PREVIOUS), hint(Action.NEXT))


def _rules_page(game: str, page: int) -> Callable[[], View]:
    return cache(lambda: View(Scene.RULES, READ, game=game, page=page))


for _game in GAMES:
    for _page in range(len(rules_text(_game))):
        VIEWS[f"rules_{_game}_{_page}"] = _rules_page(_game, _page)


WIDE = ("WWWWWWWWWWWW", "MMMMMMMMMMMM", "ЩЩЩЩЩЩЩЩЩЩЩЩ", "Александрина")


@view
def wide_barbudi() -> View:
    game = Barbudi(WIDE, thrower=WIDE[0], chips=1000)
    played(game, Stake(WIDE[1], 500), Cover(WIDE[0], 300), Cover(WIDE[2], 200))
    return of_game(played(game, Throw(WIDE[0], (6, 5))), AMOUNT, amount=500)


@view
def wide_barbut() -> View:
    game = played(Barbut(WIDE, chips=1000, thrower=WIDE[0]), Wager(1000), Throw(WIDE[0], (2, 1)))
    return of_game(game, replace(AMOUNT, confirm=hint(Action.WAGER, 1000)), amount=1000)


@view
def wide_bg() -> View:
    game = BarbutBg(WIDE, turn=WIDE[3], totals={WIDE[3]: 5000}, opened={WIDE[3]: True})
    played(game, Throw(WIDE[3], (5, 2, 2)))
    return of_game(game, Buttons(hint(Action.RECORD, 50), right=hint(Action.THROW_AGAIN)))


@view
def wide_balut() -> View:
    game = played(Balut(WIDE, order=WIDE), Throw(WIDE[0], (6, 5, 3, 3, 2)))
    return of_game(game, PICK, keeping=True, kept=(False,) * 5, cursor=5)


@view
def recall() -> View:
    shown = throw_read()
    game = Barbudi(NAMES, thrower="Kari")
    steps, pots = [], ((0, 5), (5, 10), (10, 10), (10, 0))
    for i, act in enumerate(
        (Stake("Ola", 5), Cover("Kari", 5), Throw("Kari", (4, 2)), Throw("Ola", (6, 5)))
    ):
        source = Source.CAMERA if isinstance(act, Throw) else Source.NONE
        steps.append(Step(f"21:40:{10 + i}", game.push(act).events, source, pot=pots[i]))
    steps[-1] = replace(steps[-1], source=Source.CORRECTED, read=("6-4", "6-5"))
    steps.insert(3, Step("21:40:12", steps[2].events, Source.HAND, taken_back=True, pot=(10, 10)))
    return View(
        Scene.RECALL,
        PICK,
        game="barbudi",
        steps=tuple(steps),
        cursor=4,
        picture=shown.picture,
        reading=shown.reading,
    )


@view
def recall_taken_back() -> View:
    return replace(recall(), cursor=3, picture=None, reading=None)


@view
def bg_opening() -> View:
    game = BarbutBg(NAMES[:3], turn="Per")
    return of_game(game, Buttons(right=hint(Action.MENU)))


@view
def bg_first_throw() -> View:
    game = BarbutBg(NAMES, turn="Per", opened={"Per": True}, totals={"Per": 300})
    return of_game(game, Buttons(right=hint(Action.MENU)))


@view
def resume_end() -> View:
    return replace(
        resume(), armed=True, buttons=Buttons(hint(Action.END_GAME), hint(Action.CANCEL))
    )


@view
def seats_too_few() -> View:
    notice = Notice("players", Level.WARNING, (("low", 2), ("high", 12)))
    options = (*RING[:4], "new_name")
    return replace(seats_names(), seats=RING[:1], options=options, notice=notice, cursor=0)


FIGURES = Statistics(
    ("games", "wins", "best", "mean", "baluts", "rows_met", "luck"),
    tuple(
        (str(i + 1), name, *(str(140 - i), str(57 - i), str(24 - i), f"{12.5 - i / 2:.1f}"),
         str(120 - i), str(310 - 7 * i), str(9 - i))
        for i, name in enumerate(RING[:8])
    ),
    period="month",
    page=0,
    pages=2,
)  # fmt: skip


@view
def statistics() -> View:
    return View(Scene.STATISTICS, READ, statistics=FIGURES)


@view
def statistics_wide() -> View:
    rows = tuple(("10", name, *row[2:]) for name, row in zip(WIDE, FIGURES.rows, strict=False))
    return View(Scene.STATISTICS, READ, statistics=replace(FIGURES, rows=rows, pages=1))


def _dice(**more: Any) -> View:
    figures = DiceFigures((210, 195, 214, 201, 223, 197), "Ivory", 2.77, 0.736, 10_000)
    dice = replace(figures, **more)
    return View(Scene.STATISTICS, READ, statistics=Statistics(dice=dice))


@view
def statistics_dice() -> View:
    return _dice()


@view
def statistics_rare() -> View:
    return _dice(name="", faces=(150, 195, 214, 201, 223, 257), chi_square=23.9, chance=0.0002)


@view
def statistics_unusual() -> View:
    return _dice(
        faces=(90, 101, 96, 104, 99, 1780), chi_square=6214.3, chance=0.0, level=30_000,
        unusual=True,
    )  # fmt: skip


@view
def statistics_few() -> View:
    return _dice(faces=(3, 0, 2, 4, 1, 1), few=True, name="WWWWWWWWWWWWWWWWWWWW")


HOME = Buttons(hint(Action.SAVE_SHEET), hint(Action.BACK))
TOTALS = "Balut, 30.11.2026  21:50\n1. Kari: 12 points\n2. Ola: 9 points"
WHOLE = TOTALS + "".join(f"\nFours 16 12 12 {n} = 52 (2)" for n in range(14))


@view
def take_home() -> View:
    texts = tuple((language, (TOTALS,)) for language in ("en", "nb", "bg", "ru"))
    return View(Scene.TAKE_HOME, HOME, game="balut", take_home=texts)


@view
def take_home_saved() -> View:
    """A result that is too long for a code on this screen: its totals are in it."""
    texts = tuple((language, (WHOLE * 3, TOTALS)) for language in ("en", "nb", "bg", "ru"))
    notice = Notice("sheet_saved", Level.GOOD, text="/var/lib/dicetable/sheets")
    buttons = replace(HOME, confirm=None)
    return View(Scene.TAKE_HOME, buttons, game="balut", take_home=texts, notice=notice)


@view
def take_home_saving() -> View:
    return replace(take_home(), buttons=replace(HOME, confirm=None), progress=0.5)


@view
def take_home_full() -> View:
    return replace(take_home(), notice=Notice("disk_full", Level.WARNING))
