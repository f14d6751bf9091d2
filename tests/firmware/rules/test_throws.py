"""All 36, 216 and 7,776 throws, judged by the games, against a count made in another way."""

from collections import Counter
from itertools import product

import pytest

from firmware.rules import (
    Balut,
    Barbudi,
    BarbudiRules,
    Barbut,
    BarbutBg,
    BarbutBgRules,
    Cover,
    Enter,
    Stake,
    Throw,
    Vari,
    Wager,
)

FACES = range(1, 7)


def means(a: int, b: int) -> str:
    """R-BD-6 in the words of BD-23: 6-5 wins and 1-2 loses, doubles 3 5 6 win and 1 2 4 lose."""
    if a == b:
        return "win" if a in (3, 5, 6) else "lose"
    return {11: "win", 3: "lose"}.get(a + b, "nothing")


@pytest.mark.rule("R-BD-6", "R-BD-8", "BD-23", "BD-52", "A-BT-5")
@pytest.mark.parametrize("vari", [False, True])
@pytest.mark.parametrize("by", ["Kari", "Ola"])
def test_all_36_in_barbudi(by: str, vari: bool) -> None:
    game = Barbudi(["Kari", "Ola", "Per"], BarbudiRules(vari=True), chips=10, thrower="Kari")
    for act in (Stake("Ola", 4), Cover("Kari", 4)):
        game.push(act)
    if by == "Ola":
        game.push(Throw("Kari", (6, 4)))
    if vari:
        game.push(Vari(by))
    seen: Counter[str] = Counter()
    for a, b in product(FACES, FACES):
        meaning = means(a, b)
        if vari:
            meaning = {"win": "lose", "lose": "win"}.get(meaning, meaning)
        seen[meaning] += 1
        state = game.push(Throw(by, (a, b)))
        other = "Ola" if by == "Kari" else "Kari"
        if meaning == "nothing":
            assert (state.phase, state.next_to_throw) == ("throw", other)
        else:
            winner = by if meaning == "win" else other
            assert (state.phase, state.winner) == ("stake", winner)
            assert state.chips.stacks[winner] == 14
            stays = winner == "Kari" or a != b
            roles = ("Kari", "Ola") if stays else ("Ola", "Per")
            assert (state.thrower, state.fader) == roles
        game.pop()
    assert seen == {"win": 5, "lose": 5, "nothing": 26}


@pytest.mark.rule("R-BT-3", "R-BT-5", "R-BT-6", "BT-6", "BT-7", "BT-14")
@pytest.mark.parametrize("vari", [False, True])
def test_all_36_in_barbut(vari: bool) -> None:
    game = Barbut(["A", "B", "C"], chips=10, thrower="A")
    game.push(Wager(4))
    if vari:
        game.push(Vari("A"))
    for a, b in product(FACES, FACES):
        meaning = means(a, b)
        state = game.push(Throw("A", (a, b)))
        if meaning == "nothing":
            assert (state.next_to_throw, state.stake, state.winner) == ("B", 4, None)
        else:
            winner = "A" if (meaning == "win") != vari else "B"
            assert (state.winner, state.thrower, state.opponent) == (winner, winner, "C")
            assert state.chips.stacks[winner] == 14
        game.pop()


def worth(dice: tuple[int, ...]) -> int:
    """R-BG-2 by subtraction: start from the singles, then let combinations replace them."""
    single = 100 * dice.count(1) + 50 * dice.count(5)
    if len(dice) < 3:
        return single
    low, middle, high = sorted(dice)
    if low == high:
        return {1: 1000, 6: 0}.get(low, 100 * low)
    steps = (middle - low, high - middle)
    if steps == (1, 1) or steps == (2, 2):
        return 200
    return single


@pytest.mark.rule("R-BG-2", "R-BG-5", "R-BG-7")
@pytest.mark.parametrize("dice", [1, 2, 3])
def test_all_throws_of_three_dice(dice: int) -> None:
    game = BarbutBg(["Ana", "Boris"], turn="Ana", opened={"Ana": True}, totals={"Ana": 700})
    first = {3: None, 2: (1, 2, 2), 1: (1, 1, 2)}[dice]
    if first:
        game.push(Throw("Ana", first))
    points = game.state.turn_points
    total = 0
    for throw in product(FACES, repeat=dice):
        value = worth(throw)
        total += value
        state = game.push(Throw("Ana", throw))
        if throw == (6, 6, 6):
            assert (state.event, state.totals["Ana"], state.turn_points) == ("wiped", 0, 0)
        elif value:
            assert (state.event, state.turn_points, state.turn) == ("scored", points + value, "Ana")
        else:
            assert (state.event, state.totals["Ana"], state.turn) == ("bust", 700, "Boris")
        game.pop()
    # 3875/36 x 216, 50 x 36 and 25 x 6 of section 10
    assert total == {3: 23250, 2: 1800, 1: 150}[dice]


@pytest.mark.rule("R-BG-3", "A-BG-1")
@pytest.mark.parametrize(
    ("opening", "ways"), [("both", 30), ("either", 152), ("only", 6), ("scoring", 167)]
)
def test_all_216_opening_throws(opening: str, ways: int) -> None:
    game = BarbutBg(["Ana", "Boris"], BarbutBgRules(opening=opening), turn="Ana")
    opened = 0
    for throw in product(FACES, repeat=3):
        state = game.push(Throw("Ana", throw))
        assert state.opened["Ana"] == (state.event == "opened")
        assert state.turn_points == (worth(throw) if state.opened["Ana"] else 0)
        opened += state.opened["Ana"]
        game.pop()
    assert opened == ways


def field(row: str, dice: tuple[int, ...]) -> int:
    """R-BL-3, told by the sorted faces and not by counting them."""
    a, b, c, d, e = sorted(dice)
    total = a + b + c + d + e
    faces = {"fours": 4, "fives": 5, "sixes": 6}
    if row in faces:
        return sum(face for face in dice if face == faces[row])
    if row == "choice":
        return total
    if row == "straight":
        return total if e - a == 4 and len(set(dice)) == 5 else 0
    if row == "house":
        return total if a == b and d == e and a != e and c in (b, d) else 0
    return 20 + total if a == e else 0


ROWS = ("fours", "fives", "sixes", "straight", "house", "choice", "balut")


@pytest.mark.rule("R-BL-3", "BL-25")
def test_all_7776_throws_of_balut_in_every_row() -> None:
    game = Balut(["Eva"])
    kinds: Counter[str] = Counter()
    for dice in product(FACES, repeat=5):
        game.push(Throw("Eva", dice))
        for row in ROWS:
            value = field(row, dice)
            assert game.push(Enter("Eva", row)).last_entry == value
            kinds[row] += value > 0
            game.pop()
        game.pop()
    assert (kinds["balut"], kinds["house"], kinds["straight"]) == (6, 300, 240)
    assert kinds["choice"] == 7776
