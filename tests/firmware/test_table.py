"""One sitting: what each button does, what counts, what does not."""

import pytest

from display.view import Action, Scene, Watch
from firmware.buttons import Button
from firmware.record import Kind
from firmware.rules import Balut, Barbudi, Barbut, BarbutBg
from firmware.rules.acts import (
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
from firmware.rules.barbudi import BarbudiRules
from firmware.rules.options import End
from firmware.statedir import StateError
from firmware.two_presses import ARMED_FOR
from tests.firmware.sitting import Sitting, reading
from vision.anchors import Trouble
from vision.reading import Problem
from vision.watch import Sight, State


def barbudi(**rules: object) -> Sitting:
    return Sitting(
        Barbudi(("Kari", "Ola", "Per", "Liv"), BarbudiRules(**rules), chips=20, thrower="Kari")
    )


def staked(**rules: object) -> Sitting:
    sitting = barbudi(**rules)
    sitting.robot.do(Stake("Ola", 5))
    sitting.robot.do(Cover("Kari", 5))
    return sitting


def test_the_example_of_the_source_text() -> None:
    sitting = staked()
    sitting.throw(4, 2)
    sitting.throw(3, 1)
    sitting.throw(4, 4)
    state = sitting.table.game.state
    assert dict(state.chips.stacks) == {"Kari": 15, "Ola": 25, "Per": 20, "Liv": 20}
    assert (state.thrower, state.fader) == ("Ola", "Per")


def test_confirm_is_dark_until_there_is_something_to_confirm() -> None:
    sitting = staked()
    assert sitting.action(Button.CONFIRM) is None
    sitting.see(State.HAND)
    assert sitting.action(Button.CONFIRM) is None
    sitting.see(State.MOVING)
    assert sitting.action(Button.CONFIRM) is None
    view = sitting.see(State.AT_REST, reading(6, 4))
    assert view.scene is Scene.THROW
    assert sitting.action(Button.CONFIRM) is Action.CONFIRM
    assert view.preview[0].dice == (6, 4)


def test_the_same_dice_never_count_twice() -> None:
    sitting = staked()
    sitting.throw(6, 4)
    assert sitting.see(State.AT_REST).watch is Watch.SAME
    sitting.table.press(Button.CONFIRM)
    sitting.table.tick()
    assert sitting.table.game.state.throws == 1


def test_dice_thrown_before_they_are_due_do_not_count() -> None:
    sitting = barbudi()
    sitting.lie(reading(6, 6))
    sitting.robot.do(Stake("Ola", 5))
    sitting.robot.do(Cover("Kari", 5))
    assert sitting.action(Button.CONFIRM) is None


def test_other_dice_that_lie_there_unnoticed_can_not_be_confirmed_as_the_old_ones() -> None:
    sitting = staked()
    sitting.lie(reading(6, 6))
    sitting.see(State.MOVING)
    sitting.see(State.AT_REST)
    assert sitting.action(Button.CONFIRM) is None
    # The watcher gives what lies there, but not as a new throw.
    sitting.table.see(Sight(State.AT_REST, reading(1, 1), False))
    assert sitting.action(Button.CONFIRM) is None
    sitting.table.press(Button.CONFIRM)
    sitting.table.tick()
    assert not sitting.table.game.state.throws


def test_a_knock_does_not_lose_a_reading_that_still_holds() -> None:
    sitting = staked()
    sitting.lie(reading(6, 6))
    sitting.see(State.HAND)
    assert sitting.action(Button.CONFIRM) is None
    sitting.see(State.AT_REST)
    assert sitting.action(Button.CONFIRM) is None
    sitting.table.see(Sight(State.AT_REST, reading(6, 6), False))
    assert sitting.action(Button.CONFIRM) is Action.CONFIRM


def test_other_dice_are_not_brought_back_by_taking_back() -> None:
    sitting = staked()
    sitting.throw(6, 6)
    sitting.see(State.MOVING)
    sitting.table.see(Sight(State.AT_REST, reading(1, 1), False))
    sitting.table.press(Button.BACK)
    sitting.table.press(Button.CONFIRM)
    sitting.table.tick()
    assert sitting.action(Button.CONFIRM) is None


def test_a_reading_that_was_taken_away_can_not_be_confirmed() -> None:
    sitting = staked()
    sitting.lie(reading(6, 6))
    sitting.see(State.EMPTY)
    sitting.table.press(Button.CONFIRM)
    sitting.table.tick()
    assert not sitting.table.game.state.throws


@pytest.mark.parametrize("problem", [p for p in Problem if p is not Problem.NO_DICE])
def test_a_throw_that_can_not_be_read_is_never_confirmed(problem: Problem) -> None:
    sitting = staked()
    view = sitting.lie(reading(6, 6, problem=problem))
    assert view.scene is Scene.THROW
    assert view.reading is not None
    assert view.reading.problems == (problem,)
    assert sitting.action(Button.CONFIRM) is None
    assert sitting.action(Button.RIGHT) is Action.BY_HAND


def test_a_wrong_number_of_dice_is_named() -> None:
    sitting = staked()
    view = sitting.lie(reading(6, 6, 1))
    assert sitting.action(Button.CONFIRM) is None
    assert view.notice is not None
    assert view.notice.code == "wrong_count"
    assert dict(view.notice.details) == {"due": 2, "found": 3}


def test_a_wrong_reading_is_set_right_with_two_presses() -> None:
    sitting = staked()
    sitting.lie(reading(6, 5))
    sitting.table.press(Button.LEFT)
    view = sitting.table.view()
    assert view.scene is Scene.CORRECT
    # The second die is the doubtful one; its likeliest other face is offered first.
    assert view.entry == (6, 6)
    assert view.cursor == 1
    sitting.table.press(Button.CONFIRM)
    sitting.table.tick()
    assert sitting.table.game.state.winner == "Kari"
    assert sitting.record.bodies(Kind.CORRECTION) == [{"read": [6, 5], "corrected": [6, 6]}]
    assert sitting.record.bodies(Kind.ACT)[-1]["source"] == "corrected"


def test_every_other_reading_of_the_dice_is_offered_once() -> None:
    sitting = staked()
    sitting.lie(reading(6, 5))
    sitting.table.press(Button.LEFT)
    seen = []
    for _ in range(10):
        seen.append(sitting.table.view().entry)
        sitting.table.press(Button.RIGHT)
    assert len(set(seen)) == 10
    assert (6, 5) not in seen
    assert sitting.table.view().entry == seen[0]


def test_dice_go_in_by_hand_when_the_camera_is_lost() -> None:
    sitting = staked()
    sitting.table.camera_lost()
    view = sitting.table.view()
    assert view.watch is Watch.LOST
    sitting.robot.use(Action.BY_HAND)
    assert sitting.table.view().scene is Scene.ENTRY
    for button in (Button.LEFT, Button.CONFIRM, Button.LEFT):
        sitting.table.press(button)
    assert sitting.table.view().entry == (6, 6)
    sitting.table.press(Button.CONFIRM)
    assert sitting.table.view().armed
    assert not sitting.table.game.state.throws
    sitting.table.press(Button.CONFIRM)
    sitting.table.tick()
    assert sitting.table.game.state.winner == "Kari"
    assert sitting.record.bodies(Kind.ACT)[-1]["source"] == "hand"


def test_the_second_press_must_come_in_time() -> None:
    sitting = staked()
    sitting.table.camera_lost()
    sitting.robot.use(Action.BY_HAND)
    for use in (Action.NEXT, Action.CONFIRM):
        sitting.robot.use(Action.MORE)
        sitting.robot.use(use)
    for seconds, left in ((ARMED_FOR - 1, Action.CORRECT_SURE), (2, Action.CONFIRM)):
        sitting.clock.advance(seconds)
        sitting.table.tick()
        assert sitting.action(Button.CONFIRM) is left
    sitting.robot.use(Action.CONFIRM)
    sitting.robot.use(Action.CORRECT_SURE)
    assert sitting.table.game.acts[-1] == Throw("Kari", (1, 1))


def test_a_throw_is_not_voided_by_a_second_press_minutes_later() -> None:
    sitting = staked()
    sitting.lie(reading(6, 6))
    sitting.table.press(Button.BACK)
    sitting.table.tick()
    sitting.clock.advance(ARMED_FOR + 1)
    sitting.table.tick()
    assert sitting.action(Button.CONFIRM) is Action.CONFIRM


def test_balut_dice_go_in_by_hand_too() -> None:
    sitting = balut()
    sitting.throw(6, 6, 3, 2, 1)
    sitting.robot.keep((6, 6))
    sitting.table.camera_lost()
    while sitting.action(Button.CONFIRM) is not Action.BY_HAND:
        sitting.robot.use(Action.NEXT)
    sitting.robot.use(Action.BY_HAND)
    assert sitting.table.view().entry == (None, None, None)


def test_nothing_is_shown_before_it_is_on_disk() -> None:
    sitting = staked()
    sitting.lie(reading(6, 6))
    sitting.record.hold = True
    sitting.table.press(Button.CONFIRM)
    sitting.table.tick()
    assert sitting.table.view().progress is not None
    assert sitting.table.game.state.winner is None
    sitting.table.press(Button.CONFIRM)
    sitting.record.let_go()
    sitting.table.tick()
    assert sitting.table.game.state.winner == "Kari"
    assert len(sitting.table.game.acts) == 3


def test_a_record_that_can_not_be_written_stops_play_and_loses_nothing() -> None:
    sitting = staked()
    sitting.lie(reading(6, 6))
    sitting.record.error = StateError("the disk is full: make room and press confirm")
    sitting.table.press(Button.CONFIRM)
    sitting.table.tick()
    view = sitting.table.view()
    assert view.scene is Scene.FAULT
    assert view.notice is not None
    assert "disk is full" in view.notice.text
    sitting.table.press(Button.CONFIRM)
    assert sitting.table.view().scene is Scene.FAULT
    sitting.record.error = None
    sitting.table.press(Button.CONFIRM)
    sitting.table.tick()
    assert len(sitting.table.game.acts) == 2
    assert sitting.table.done, "the operator has to clear it before play goes on"
    assert [body["code"] for body in sitting.record.bodies(Kind.FAULT)] == ["storage"]


def test_the_last_throw_is_taken_back_over_the_end_of_a_round() -> None:
    sitting = staked()
    sitting.throw(6, 6)
    assert sitting.table.game.state.winner == "Kari"
    sitting.table.press(Button.BACK)
    assert sitting.table.view().scene is Scene.TAKE_BACK
    sitting.table.press(Button.CONFIRM)
    sitting.table.tick()
    state = sitting.table.game.state
    assert state.pot == 10
    assert state.winner is None
    # The dice lie there as they did: they can be confirmed again or set right.
    assert sitting.action(Button.CONFIRM) is Action.CONFIRM
    assert sitting.action(Button.LEFT) is Action.CORRECT


def test_no_throw_before_the_last_one_is_taken_back() -> None:
    sitting = staked()
    sitting.throw(6, 4)
    sitting.throw(6, 3)
    for _ in range(2):
        sitting.see(State.EMPTY)
        sitting.table.press(Button.BACK)
        sitting.table.press(Button.CONFIRM)
        sitting.table.tick()
    assert sitting.table.game.state.throws == 1
    assert sitting.action(Button.BACK) is None


def test_nothing_is_taken_back_where_nothing_was_done() -> None:
    sitting = barbudi()
    assert sitting.action(Button.BACK) is None
    sitting.table.press(Button.BACK)
    assert sitting.table.view().scene is Scene.GAME


def test_a_good_throw_is_voided_only_with_two_presses() -> None:
    sitting = staked()
    sitting.lie(reading(1, 1))
    sitting.table.press(Button.BACK)
    assert sitting.table.view().armed
    assert not sitting.record.bodies(Kind.ACT)[2:]
    sitting.table.press(Button.CONFIRM)
    sitting.table.tick()
    assert isinstance(sitting.table.game.acts[-1], VoidThrow)
    assert sitting.table.game.state.throws == 0


def test_vari_is_too_late_once_the_dice_roll() -> None:
    sitting = Sitting(Barbut(("A", "B"), chips=20, thrower="A"))
    sitting.robot.do(Wager(5))
    assert sitting.action(Button.LEFT) is Action.VARI
    sitting.see(State.MOVING)
    sitting.table.press(Button.LEFT)
    sitting.table.tick()
    assert not any(isinstance(act, Vari) for act in sitting.table.game.acts)
    notice = sitting.table.view().notice
    assert notice is not None
    assert notice.code == "too_late"


def test_barbut_with_vari() -> None:
    sitting = Sitting(Barbut(("A", "B"), chips=20, thrower="A"))
    sitting.robot.do(Wager(6))
    sitting.robot.do(Vari("A"))
    sitting.throw(2, 1)
    assert dict(sitting.table.game.state.chips.stacks) == {"A": 26, "B": 14}


def test_declining_is_one_step_below_the_lowest_stake() -> None:
    sitting = barbudi()
    sitting.robot.do(Decline("Ola"))
    assert sitting.table.game.state.thrower == "Per"


def test_two_shot_is_demanded_with_the_stake_and_stopped() -> None:
    sitting = barbudi(two_shot=True)
    sitting.robot.do(Stake("Ola", 6, two_shot=True))
    sitting.robot.do(Cover("Kari", 6))
    sitting.throw(6, 5)
    sitting.robot.do(TwoShotChoice("Kari", "continue"))
    sitting.robot.do(TwoShotChoice("Ola", "stop"))
    assert dict(sitting.table.game.state.chips.stacks)["Kari"] == 23


def test_side_bets_are_made_from_the_menu() -> None:
    sitting = staked()
    sitting.robot.do(SideBet("Per", "Liv", 4))
    sitting.throw(6, 6)
    assert dict(sitting.table.game.state.chips.stacks)["Per"] == 24


def test_three_dice_a_turn_recorded() -> None:
    sitting = Sitting(BarbutBg(("Ana", "Boris"), turn="Ana"))
    assert sitting.table.due == 3
    sitting.throw(5, 1, 6)
    assert sitting.table.due == 1
    sitting.robot.do(Bank("Ana"))
    assert sitting.table.game.state.totals["Ana"] == 150
    assert sitting.table.due == 3


def test_three_dice_set_aside_lie_in_the_rail() -> None:
    sitting = Sitting(BarbutBg(("Ana", "Boris"), turn="Ana"), rail=True)
    sitting.throw(5, 1, 6)
    assert sitting.table.due == 3
    view = sitting.lie(reading(5, rail=(1, 1)))
    assert view.notice is not None
    assert view.notice.code == "kept_turned"
    sitting.throw(5, rail=(5, 1))
    assert sitting.table.game.state.turn_points == 200


def balut(*, rail: bool = False) -> Sitting:
    return Sitting(Balut(("Eva",), order=("Eva",)), rail=rail)


def test_balut_with_dice_held_aside() -> None:
    sitting = balut()
    sitting.throw(6, 6, 3, 2, 1)
    sitting.robot.keep((6, 6))
    assert sitting.table.due == 3
    sitting.throw(6, 4, 1)
    sitting.robot.keep((6, 6, 6))
    sitting.throw(6, 2)
    sitting.robot.do(Enter("Eva", "sixes"))
    assert sitting.table.game.state.last_entry == 24


def test_balut_with_dice_in_the_rail() -> None:
    sitting = balut(rail=True)
    sitting.throw(6, 6, 3, 2, 1)
    assert sitting.table.due == 5
    sitting.throw(6, 4, 1, rail=(6, 6))
    last = sitting.table.game.acts[-1]
    assert isinstance(last, Throw)
    assert last.keep == (6, 6)
    assert last.dice == (6, 4, 1)


def test_a_kept_die_that_was_turned_is_refused_and_named() -> None:
    sitting = balut(rail=True)
    sitting.throw(6, 6, 3, 2, 1)
    view = sitting.lie(reading(6, 4, 1, rail=(6, 5)))
    assert view.notice is not None
    assert view.notice.code == "kept_turned"
    assert sitting.action(Button.CONFIRM) is None


def test_striking_a_field_takes_two_presses() -> None:
    sitting = balut()
    sitting.throw(1, 1, 2, 3, 6)
    while sitting.action(Button.CONFIRM) is not Action.SCORE:
        sitting.robot.use(Action.NEXT)
    sitting.robot.use(Action.SCORE)
    while sitting.table.view().cursor != 6:
        sitting.robot.use(Action.NEXT)
    sitting.robot.use(Action.STRIKE)
    assert sitting.table.game.state.last_entry is None
    sitting.robot.use(Action.STRIKE_SURE)
    sitting.table.tick()
    assert sitting.table.game.state.last_entry == 0


def test_the_agreed_minutes_end_the_game() -> None:
    sitting = barbudi(end=End("minutes", 1))
    sitting.clock.advance(61)
    sitting.table.tick()
    sitting.table.tick()
    assert sitting.table.view().scene is Scene.RESULT
    assert sitting.record.bodies(Kind.GAME_CLOSED)


def test_the_end_of_a_game_is_taken_back() -> None:
    sitting = barbudi(end=End("rounds", 1))
    sitting.robot.do(Stake("Ola", 5))
    sitting.robot.do(Cover("Kari", 5))
    sitting.throw(6, 6)
    assert sitting.table.view().scene is Scene.RESULT
    sitting.table.press(Button.BACK)
    sitting.table.press(Button.CONFIRM)
    sitting.table.tick()
    assert sitting.table.game.outcome() is None
    assert sitting.table.game.state.pot == 10
    game = sitting.record.game(1)
    assert game is not None
    assert not game.closed


def test_the_result_gives_way_to_the_lobby_on_confirm() -> None:
    sitting = barbudi(end=End("rounds", 1))
    sitting.robot.do(Stake("Ola", 5))
    sitting.robot.do(Cover("Kari", 5))
    sitting.throw(6, 6)
    assert not sitting.table.done
    sitting.table.press(Button.CONFIRM)
    assert sitting.table.done


def test_dice_and_rows_are_touched() -> None:
    sitting = balut()
    sitting.throw(6, 6, 3, 2, 1)
    sitting.table.point("die", "0")
    sitting.table.point("die", "1")
    assert sitting.table.kept == (6, 6)
    sitting.table.point("die", "1")
    assert sitting.table.kept == (6,)
    sitting.table.point("row", "sixes")
    assert sitting.table.game.state.last_entry is None
    sitting.table.press(Button.CONFIRM)
    sitting.table.tick()
    assert sitting.table.game.state.last_entry == 12


def test_menu_lines_are_touched() -> None:
    sitting = staked()
    sitting.table.menu()
    sitting.table.point("option", str(sitting.table.view().options.index("by_hand")))
    assert sitting.table.view().scene is Scene.ENTRY


@pytest.mark.parametrize(
    ("trouble", "watch"), [(Trouble.MOVED, Watch.MOVED), (Trouble.COVERED, Watch.COVERED)]
)
def test_a_moved_camera_is_said_and_nothing_read_counts(trouble: Trouble, watch: Watch) -> None:
    sitting = staked()
    sitting.lie(reading(6, 5))
    sitting.table.see(Sight(State.MOVING, trouble=trouble))
    view = sitting.table.view()
    assert view.watch is watch
    assert view.scene is Scene.THROW
    assert view.reading is None
    assert sitting.action(Button.RIGHT) is Action.BY_HAND
    assert sitting.action(Button.CONFIRM) is not Action.CONFIRM
    sitting.table.see(Sight(State.EMPTY))
    assert sitting.table.view().watch is Watch.EMPTY
