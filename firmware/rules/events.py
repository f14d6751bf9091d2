"""Every kind of `Event`, with the fields it fills; a story or a screen has a sentence for each."""

from __future__ import annotations

EVENTS: dict[str, str] = {
    # all games
    "first_throw": "who threw dice (sum: amount) for the first place",
    "first_tied": "shares: who are tied with amount and throw again",
    "first_found": "who begins; amount: what he threw, None: the host named him",
    "throw": "who threw dice; row and meaning of the table, vari; Balut: amount, its number",
    "void_throw": "who throws again; row: the reason",
    "stop_called": "no new round; row: hand or time",
    "game_over": "row: the reason",
    # Barbudi
    "stake": "who staked amount; row: two_shot when he demanded it",
    "declined": "who did not stake, or refused the wager",
    "cover": "who covered amount; total: what is left uncovered",
    "betting_closed": "the pot holds total; amount goes back uncovered to who, the fader",
    "side_bet": "who bets amount on the thrower, other on the fader",
    "side_bet_back": "who and other take amount each back, the round was void",
    "side_bet_settled": "who won amount from other; amount 0: both take their own back",
    "vari": "who called Vari for his next throw",
    "dice_pass": "the throw meant nothing; the dice go to who",
    "won": "who won amount from the other side, other lost; total: the pot; shares: paid to whom",
    "half_won": "two shot: who won the first half (amount) of total",
    "two_shot_stop": "who ended the round after the first half",
    "two_shot_on": "who goes on",
    "second_shot": "the second half is thrown for; who throws first",
    "split": "who and other won a half each: all take their own back; total: the pot",
    "fee": "the house took amount; shares: from whom",
    "void_round": "no bet; row: declined or uncovered; amount goes back to who, the fader",
    "roles_stay": "who throws again, other is fader",
    "roles_move_on": "who becomes thrower, other fader",
    "roles_pass": "to the next two players: who becomes thrower, other fader",
    "skipped": "who has no chips and holds no role",
    # Barbut
    "wager": "who and other put up amount each",
    "wager_won": "who won amount from other; total: the stake; row: special_pay when another sum",
    "next_opponent": "who has the dice and meets other",
    "paused": "everybody asked declined; who keeps the dice",
    # three dice
    "opened": "who opened with dice; amount: what the throw was worth",
    "not_opened": "who did not open with dice",
    "scored": "who scored amount with dice (row: combination or singles); total: turn points",
    "set_aside": "who set dice aside for amount and throws the others; total: turn points",
    "banked": "who recorded amount; total: his new total; row: auto or limit when by itself",
    "bust": "who lost the turn points amount; row: nothing or over_target",
    "wiped": "6-6-6: who lost total and turn points; amount: the total, total: the turn points",
    "restored": "6-6-6 again: who has amount back; total: his total, or turn points that stand",
    "not_restored": "the lost points of who stay lost",
    "finished": "who reached the target with total; amount: his rank",
    "last_place": "who is last (amount: rank) and throws no more",
    # three dice and Balut
    "turn": "whose turn it is: who; amount: dice due",
    # Balut
    "kept": "who kept dice and threw the rest",
    "five_alike": "who has five alike: Balut is called; amount: the face",
    "entered": "who entered amount in row with dice; total: sum of the row",
    "struck": "who struck a field of row with dice",
    "row_filled": "who filled row: total is its sum, amount its points",
    "round_begins": "round amount begins; who throws first; total: the entry that gave him that",
    "counted": "who has amount points and dice sum total; shares: rows and addition",
    "game_begins": "game amount of the match begins",
}
"""Kind -> which fields it fills and what they mean."""
