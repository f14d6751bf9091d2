"""What the acts of a Barbudi round do: pure functions from state and act to state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from firmware.rules import acts, barbudi_pay, checks, first, pairs, session
from firmware.rules.acts import Act
from firmware.rules.frozen import replace
from firmware.rules.game import Event, Refused

if TYPE_CHECKING:
    from firmware.rules.barbudi import BarbudiState

TWO_SHOT = ("stop", "continue")
"""The answers in the two-shot decision."""

# --- acts ----------------------------------------------------------------------------------------


def _throw(s: BarbudiState, act: acts.Throw) -> BarbudiState:
    if s.phase == "first":
        return _first_throw(s, act)
    checks.turn(act.by, s.next_to_throw)
    checks.no_keep(act.keep)
    checks.dice(act.dice, pairs.DICE)
    assert s.thrower is not None
    assert s.fader is not None
    row = pairs.classify(act.dice)
    meaning = pairs.meaning(row, s.vari)
    other = s.fader if act.by == s.thrower else s.thrower
    shown = checks.high_to_low(act.dice)
    thrown = Event(
        "throw", "R-BD-6", who=act.by, dice=shown, row=row.key, meaning=meaning, vari=s.vari
    )
    if meaning == "nothing":
        return replace(
            s,
            next_to_throw=other,
            throws=s.throws + 1,
            dice=shown,
            vari=False,
            events=(thrown, Event("dice_pass", "R-BD-6", who=other)),
        )
    s = replace(s, throws=s.throws + 1, dice=shown, vari=False, next_to_throw=None)
    winner = act.by if meaning == "win" else other
    if not s.two_shot or (s.half_winner is None and not row.mixed):
        moves = winner == s.fader and not row.mixed
        return _settle(s, winner, "decided", "move_on" if moves else "stay", [thrown])
    if s.half_winner is None:
        half = sum(chips // 2 for _, chips in s.covers)
        won = Event("half_won", "R-BD-10", who=winner, amount=half, total=s.pot)
        return replace(s, phase="choice", half_winner=winner, events=(thrown, won))
    if s.half_winner == winner:
        return _settle(s, winner, "both_halves", "pass", [thrown])
    return _settle(s, None, "split", "pass", [thrown])


def _first_throw(s: BarbudiState, act: acts.Throw) -> BarbudiState:
    contest, beginner, events = first.throw(s.contest, s.rules.start, act, 1)
    if beginner is None:
        return replace(s, contest=contest, events=events)
    return begin(s, beginner, events)


def _host_names(s: BarbudiState, act: acts.Begin) -> BarbudiState:
    return begin(s, act.who, first.named(s.contest, s.rules.start, s.seats, act))


def begin(s: BarbudiState, thrower: str, events: Iterable[Event]) -> BarbudiState:
    """The first round: the fader is the player to the thrower's right (R-BD-1)."""
    fader = barbudi_pay.right_of(s.seats, thrower)
    thrower, fader, skipped = _with_chips(s, thrower, fader)
    return _round_start(replace(s, contest=None), thrower, fader, [*events, *skipped])


def _void_throw(s: BarbudiState, act: acts.VoidThrow) -> BarbudiState:
    checks.turn(act.by, first.due(s.contest, s.rules.start) or s.next_to_throw)
    return replace(s, events=(Event("void_throw", "R-GEN-1", who=act.by, row=act.reason),))


def _vari(s: BarbudiState, act: acts.Vari) -> BarbudiState:
    if not s.rules.vari:
        raise Refused("vari_off")
    checks.turn(act.by, s.next_to_throw)
    if s.vari:
        raise Refused("too_late", by=act.by)
    return replace(s, vari=True, events=(Event("vari", "R-GEN-4", who=act.by),))


def _stake(s: BarbudiState, act: acts.Stake) -> BarbudiState:
    checks.turn(act.by, s.fader if s.phase == "stake" else None)
    checks.amount(act.amount, 1)
    if act.two_shot and not s.rules.two_shot:
        raise Refused("two_shot_off")
    if s.rules.fixed_stake is not None and act.amount != s.rules.fixed_stake:
        raise Refused("fixed_stake", amount=act.amount, due=s.rules.fixed_stake)
    has = s.chips.stacks[act.by]
    if act.amount > has:
        raise Refused("not_enough_chips", by=act.by, amount=act.amount, high=has)
    demand = "two_shot" if act.two_shot else None
    staked = Event("stake", "R-BD-2", who=act.by, amount=act.amount, row=demand)
    at = s.seats.index(act.by)
    ring = (*s.seats[at + 1 :], *s.seats[:at])
    assert s.thrower is not None
    asked = (s.thrower, *(who for who in ring if who != s.thrower))
    fresh = _fresh_figures(s, phase="cover", stake=act.amount, two_shot=act.two_shot)
    fresh = replace(fresh, chips=s.chips.put_up((act.by, act.amount)), to_cover=asked)
    return _ask_next(fresh, [staked])


def _decline(s: BarbudiState, act: acts.Decline) -> BarbudiState:
    checks.turn(act.by, s.fader if s.phase == "stake" else None)
    declined = Event("declined", "R-BD-2", who=act.by)
    return _void_round(_fresh_figures(s, phase="stake"), "declined", [declined])


def _cover(s: BarbudiState, act: acts.Cover) -> BarbudiState:
    checks.turn(act.by, s.to_cover[0] if s.phase == "cover" else None)
    checks.amount(act.amount, 0)
    left = s.stake - s.matched
    has = s.chips.stacks[act.by]
    if act.amount > left:
        raise Refused("over_cover", by=act.by, amount=act.amount, high=left)
    if act.amount > has:
        raise Refused("not_enough_chips", by=act.by, amount=act.amount, high=has)
    covers = (*s.covers, (act.by, act.amount)) if act.amount else s.covers
    covered = Event("cover", "R-BD-3", who=act.by, amount=act.amount, total=left - act.amount)
    after = replace(
        s,
        chips=s.chips.put_up((act.by, act.amount)) if act.amount else s.chips,
        covers=covers,
        matched=s.matched + act.amount,
        to_cover=s.to_cover[1:],
    )
    return _ask_next(after, [covered])


def _side_bet(s: BarbudiState, act: acts.SideBet) -> BarbudiState:
    if not s.rules.side_bets:
        raise Refused("side_bets_off")
    if s.phase == "first":
        raise Refused("out_of_turn", by=act.for_thrower, due=None)
    if s.phase == "choice" or (s.phase == "throw" and s.throws > 0):
        raise Refused("too_late", by=act.for_thrower)
    both = (act.for_thrower, act.for_fader)
    for who in both:
        if who not in s.seats or who in (s.thrower, s.fader):
            raise Refused("not_passive", by=who)
    if act.for_thrower == act.for_fader:
        raise Refused("bad_side_bet", by=act.for_thrower)
    checks.amount(act.amount, 1)
    for who in both:
        if act.amount > s.chips.stacks[who]:
            high = s.chips.stacks[who]
            raise Refused("not_enough_chips", by=who, amount=act.amount, high=high)
    return replace(
        s,
        chips=s.chips.put_up(*((who, act.amount) for who in both)),
        side_bets=(*s.side_bets, (*both, act.amount)),
        events=(Event("side_bet", "R-BD-5", who=both[0], other=both[1], amount=act.amount),),
    )


def _two_shot_choice(s: BarbudiState, act: acts.TwoShotChoice) -> BarbudiState:
    active = (s.thrower, s.fader) if s.phase == "choice" else ()
    if act.by not in active or act.by in s.going_on:
        raise Refused("out_of_turn", by=act.by, due=None)
    if act.choice not in TWO_SHOT:
        raise Refused("bad_choice", choice=act.choice, options=TWO_SHOT)
    if act.choice == "stop":
        stopped = Event("two_shot_stop", "R-BD-10", who=act.by)
        roles = "move_on" if s.half_winner == s.fader else "stay"
        return _settle(s, s.half_winner, "half", roles, [stopped])
    going_on = (*s.going_on, act.by)
    events = (Event("two_shot_on", "R-BD-10", who=act.by),)
    if len(going_on) < 2:
        return replace(s, going_on=going_on, events=events)
    again = Event("second_shot", "R-BD-10", who=s.half_winner)
    return replace(
        s,
        phase="throw",
        going_on=going_on,
        next_to_throw=s.half_winner,
        events=(*events, again),
    )


def _stop(s: BarbudiState, act: acts.Stop) -> BarbudiState:
    session.check_stop(act, s.stopping, s.rules.end)
    events = [Event("stop_called", "R-BD-13", row=act.reason)]
    s = replace(s, stopping=act.reason)
    if s.phase not in ("first", "stake"):
        return replace(s, events=tuple(events))
    return _over(_side_bets_back(s, events), events)


# --- what follows from them ----------------------------------------------------------------------


def _fresh_figures(
    s: BarbudiState, phase: str, stake: int = 0, two_shot: bool = False
) -> BarbudiState:
    """The figures of the round before make room for those of this one."""
    return replace(
        s,
        phase=phase,
        stake=stake,
        two_shot=two_shot,
        covers=(),
        matched=0,
        pot=0,
        returned=0,
        throws=0,
        dice=(),
        half_winner=None,
        going_on=(),
        winner=None,
        result=None,
    )


def _ask_next(s: BarbudiState, events: list[Event]) -> BarbudiState:
    """The next one to cover, or the end of the betting (R-BD-3)."""
    asked = s.to_cover
    if s.rules.skip_broke:
        # Whoever has nothing left to cover with is not asked (R-BD-12).
        asked = tuple(who for who in asked if s.chips.stacks[who])
    left = s.stake - s.matched
    if left and asked:
        return replace(s, to_cover=asked, events=tuple(events))
    chips = s.chips
    if left:
        assert s.fader is not None
        chips = chips.pay_out([(s.fader, left)])
    s = replace(s, chips=chips, to_cover=(), returned=left, pot=2 * s.matched)
    if not s.matched:
        return _void_round(s, "uncovered", events)
    closed = Event("betting_closed", "R-BD-3", who=s.fader, amount=left, total=s.pot)
    return replace(s, phase="throw", next_to_throw=s.thrower, events=(*events, closed))


def _void_round(s: BarbudiState, why: str, events: list[Event]) -> BarbudiState:
    """No bet: everything goes back, the dice go to the next two players (R-BD-4)."""
    events.append(Event("void_round", "R-BD-4", who=s.fader, row=why, amount=s.returned))
    s = replace(_side_bets_back(s, events), result="void")
    return _next_round(s, "pass", events)


def _side_bets_back(s: BarbudiState, events: list[Event]) -> BarbudiState:
    payments = []
    for one, other, amount in s.side_bets:
        events.append(Event("side_bet_back", "R-BD-4", who=one, other=other, amount=amount))
        payments += [(one, amount), (other, amount)]
    return replace(s, chips=s.chips.pay_out(payments), side_bets=())


def _settle(
    s: BarbudiState, winner: str | None, result: str, roles: str, events: list[Event]
) -> BarbudiState:
    """Pay the round out (R-BD-7, R-BD-10, R-BD-11), then the roles."""
    assert s.fader is not None
    fader_won = None if winner is None else winner == s.fader
    halved = result == "half"
    rule = "R-BD-10" if s.two_shot and result != "decided" else "R-BD-7"
    paid = barbudi_pay.main_bet(s.fader, s.covers, fader_won, halved, s.rules.house_fee)
    fee = sum(chips for _, chips in paid.fees)
    loser = s.thrower if winner == s.fader else s.fader
    if winner is None:
        events.append(Event("split", rule, who=s.thrower, other=s.fader, total=s.pot))
    else:
        won = sum(chips for _, chips in paid.won)
        events.append(
            Event(
                "won", rule, who=winner, other=loser, amount=won, total=s.pot, shares=paid.payouts
            )
        )
    if fee:
        events.append(Event("fee", "R-BD-11", amount=fee, shares=paid.fees))
    payments = [*paid.payouts, *((who, -chips) for who, chips in paid.fees)]
    for bet in s.side_bets:
        up, down, moved = barbudi_pay.side_bet(bet, fader_won, halved)
        payments += [up, down]
        events.append(Event("side_bet_settled", "R-BD-5", who=up[0], other=down[0], amount=moved))
    s = replace(
        s,
        chips=s.chips.pay_out(payments, fee),
        side_bets=(),
        winner=winner,
        result=result,
        rounds=s.rounds + 1,
    )
    if s.two_shot and s.rules.two_shot_rotation == "always":
        roles = "pass"
    return _next_round(s, roles, events)


def _next_round(s: BarbudiState, roles: str, events: list[Event]) -> BarbudiState:
    """The roles of the next round (R-BD-8, R-BD-9, R-BD-12), or the end (R-BD-13)."""
    assert s.thrower is not None
    assert s.fader is not None
    thrower, fader = s.thrower, s.fader
    if roles == "move_on":
        thrower, fader = barbudi_pay.move_on(s.seats, s.fader)
    elif roles == "pass":
        thrower, fader = barbudi_pay.next_two(s.seats, s.fader)
    thrower, fader, skipped = _with_chips(s, thrower, fader)
    unchanged = (thrower, fader) == (s.thrower, s.fader)
    if roles == "pass" and unchanged and s.rules.two_player_pass == "swap":
        # Skipping two seats of two gives the same pair in the same roles (A-BD-6).
        thrower, fader = fader, thrower
    rule = "R-BD-9" if roles == "pass" else "R-BD-8"
    moved = Event(f"roles_{roles}", rule, who=thrower, other=fader)
    return _round_start(s, thrower, fader, [*events, *skipped, moved])


def _with_chips(s: BarbudiState, thrower: str, fader: str) -> tuple[str, str, list[Event]]:
    """The same roles, or those of the next players with chips (R-BD-12)."""
    if not s.rules.skip_broke or len(s.chips.solvent()) < 2:
        return thrower, fader, []
    skipped = [
        Event("skipped", "R-BD-12", who=who) for who in (thrower, fader) if not s.chips.stacks[who]
    ]
    return *barbudi_pay.skip_broke(s.seats, thrower, fader, s.chips.stacks), skipped


def _round_start(s: BarbudiState, thrower: str, fader: str, events: list[Event]) -> BarbudiState:
    """Wait for the stake, unless the session is over."""
    stopping = session.reason_to_stop(s.chips, s.rounds, s.rules.end, s.stopping)
    s = replace(
        s,
        phase="stake",
        thrower=thrower,
        fader=fader,
        next_to_throw=None,
        half_winner=None,
        going_on=(),
        vari=False,
        stopping=stopping,
        events=tuple(events),
    )
    return _over(s, events) if stopping else s


def _over(s: BarbudiState, events: list[Event]) -> BarbudiState:
    rule = "R-BD-12" if s.stopping == "broke" else "R-BD-13"
    over = Event("game_over", rule, row=s.stopping)
    return replace(s, phase="over", contest=None, next_to_throw=None, events=(*events, over))


HANDLERS: dict[type[Act], Any] = {
    acts.Throw: _throw,
    acts.VoidThrow: _void_throw,
    acts.Begin: _host_names,
    acts.Stop: _stop,
    acts.Stake: _stake,
    acts.Decline: _decline,
    acts.Cover: _cover,
    acts.SideBet: _side_bet,
    acts.Vari: _vari,
    acts.TwoShotChoice: _two_shot_choice,
}
"""Act -> what applies it: (state, act) -> state, or Refused."""
