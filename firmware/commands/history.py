"""`dicetable history`: list, show and export the games played.

    dicetable history                       the last ten games
    dicetable history 12                    game 12, act by act, also what was taken back
    dicetable history 12 --export csv       the same as a table (json, csv or transcript)
    dicetable history 12 --pdf FILE         the result as a sheet to take home (--png: a picture)

A transcript can be judged again with `dicetable judge`. Exit status: 0, or 2 when there is no
record or no such game.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from display.catalogue import LANGUAGES
from firmware.config import load
from firmware.console import speak_utf8
from firmware.journal import JournalReader
from firmware.recall import Moment, moments
from firmware.record import Event, Json, Kind, RecordedGame
from firmware.replay import ReplayError
from firmware.statedir import StateError

HELP = "list, show and export the games played"

COLUMNS = (
    "game", "seq", "time", "kind", "op", "by", "dice", "amount", "source", "read", "corrected",
    "picture", "pot_before", "pot_after", "refused", "act", "state",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("game", metavar="GAME", nargs="?", type=int, help="number of a game")
    parser.add_argument("--all", action="store_true", help="list all games, not the last ten")
    parser.add_argument("--export", choices=("json", "csv", "transcript"), help="for programs")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write there, not to screen")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="the result as a sheet to print")
    parser.add_argument("--png", type=Path, metavar="FILE", help="the same as a picture")
    parser.add_argument("--language", default="en", choices=tuple(LANGUAGES))
    parser.add_argument("--state", type=Path, metavar="DIR", help="folder of the record")
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration file")


def run(args: argparse.Namespace) -> int:
    """List, show or export; returns the exit status."""
    speak_utf8()
    loaded = load(args.config, args.state)
    try:
        with JournalReader(loaded.state) as reader:
            if args.pdf is not None or args.png is not None:
                return _sheets(args, reader, loaded.config.table.place)
            text = _text(args, reader)
        if args.output is None:
            sys.stdout.write(text)
        else:
            args.output.write_text(text, encoding="utf-8")
    except (StateError, ReplayError, _NoSuchGameError) as error:
        print(f"history: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"history: {args.output} can not be written ({error.strerror})", file=sys.stderr)
        return 2
    return 0


def _sheets(args: argparse.Namespace, reader: JournalReader, place: str) -> int:
    """Write the sheet of a finished game; returns the exit status."""
    from display.words import Words
    from firmware.prints_games import sheet
    from firmware.results import result_of

    if args.game is None:
        raise _NoSuchGameError("--pdf and --png need the number of a game")
    result = result_of(_game(args.game, reader))
    if result is None:
        raise _NoSuchGameError(f"game {args.game} was not played to its end: there is no result")
    paper = sheet(result, Words(args.language), place)
    for target in filter(None, (args.pdf, args.png)):
        for path, data in paper.files(target, pdf=target is args.pdf).items():
            try:
                path.write_bytes(data)
            except OSError as error:
                print(f"history: {path} can not be written ({error.strerror})", file=sys.stderr)
                return 2
    return 0


def _game(number: int, reader: JournalReader) -> RecordedGame:
    game = reader.game(number)
    if game is None:
        raise _NoSuchGameError(f"there is no game {number}; dicetable history --all lists them")
    return game


class _NoSuchGameError(Exception):
    """There is no game of that number, or nothing to show of it."""


def _text(args: argparse.Namespace, reader: JournalReader) -> str:
    if args.game is None:
        numbers = reader.game_ids() if args.all else reader.game_ids()[:10]
        games = (game for one in numbers if (game := reader.game(one)) is not None)
        if args.export is None:
            return listed(games)
        return _exported(args.export, [(one, reader.events(one.id)) for one in games][::-1])
    game = _game(args.game, reader)
    events = reader.events(args.game)
    if args.export is not None:
        return _exported(args.export, [(game, events)])
    return shown(game, events, args.language)


# --- for people ------------------------------------------------------------------------------


def listed(games: Iterable[RecordedGame]) -> str:
    """A line for each game."""
    lines = []
    for game in games:
        players = ", ".join(game.start.get("players", ()))
        marks = " (in dispute)" if game.disputed else ""
        end = _end(game)
        lines.append(
            f"{game.id:>5}  {when(game.opened_at)}  {game.game:<9}  {players}: {end}{marks}"
        )
    return "\n".join(lines or ["No games have been played yet."]) + "\n"


def _end(game: RecordedGame) -> str:
    if not game.closed:
        return f"open, {len(game.acts)} acts"
    outcome = game.outcome or {}
    if outcome.get("reason") == "abandoned":
        return f"abandoned after {len(game.acts)} acts"
    winners = " and ".join(outcome.get("winners", ())) or "nobody"
    return f"won by {winners}"


def shown(game: RecordedGame, events: Sequence[Event], language: str = "en") -> str:
    """A game, act by act."""
    from display.words import Words

    words = Words(language)
    lines = [listed([game]).rstrip()]
    for moment in moments(events):
        event = moment.event
        told = words.story(moment.story) if moment.story and moment.act is not None else ""
        pot = moment.pot
        moved = f"  (pot {pot[0]} -> {pot[1]})" if pot is not None and pot[0] != pot[1] else ""
        lines.append(f"{event.seq:>6}  {when(event.at)[11:]}  {told or _said(moment)}{moved}")
        if event.kind == Kind.CORRECTION and told:
            lines.append(f"{'':18}{_said(moment)}")
        if reading := _reading_said(event.body):
            lines.append(f"{'':18}{reading}")
        if moment.refused is not None:
            lines.append(f"{'':18}THE JUDGE REFUSES IT: {moment.refused}")
    return "\n".join(lines) + "\n"


def _said(moment: Moment) -> str:
    """What an event is, in a few words."""
    body = moment.event.body
    match moment.event.kind:
        case Kind.ACT:
            return _act_said(body["act"])
        case Kind.TAKE_BACK:
            what = _act_said(moment.act) if moment.act else "nothing"
            return f"taken back: {what}"
        case Kind.CORRECTION:
            by = f" by {body['by']}" if "by" in body else ""
            read, right = _plain(body.get("read")), _plain(body.get("corrected"))
            return f"corrected{by}: read {read}, is {right}"
        case Kind.GAME_CLOSED:
            return "end of the game"
        case Kind.GAME_OPEN:
            return "beginning of the game"
        case Kind.FAULT:
            return f"FAULT: {body.get('detail', body.get('code'))}"
    return f"{moment.event.kind}: {body.get('text', '')}".rstrip(": ")


def _act_said(act: Json) -> str:
    rest = {key: value for key, value in act.items() if key not in ("op", "by")}
    details = ", ".join(f"{key} {_plain(value)}" for key, value in rest.items())
    return " ".join(part for part in (act.get("by", ""), act["op"], details) if part)


def _reading_said(body: Json) -> str:
    said = [f"{key} {_plain(body[key])}" for key in ("source", "read", "picture") if body.get(key)]
    return ", ".join(said) if len(said) > 1 or "picture" in body else ""


def _plain(value: object) -> str:
    if isinstance(value, list):
        return "-".join("?" if one is None else str(one) for one in value) or "none"
    return str(value)


def when(milliseconds: int) -> str:
    """A wall clock's time as date and time of this place."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(milliseconds / 1000))


# --- for programs ----------------------------------------------------------------------------


def _exported(form: str, games: Sequence[tuple[RecordedGame, Sequence[Event]]]) -> str:
    if form == "csv":
        return as_csv(games)
    make = as_json if form == "json" else _transcript
    made = [make(game, events) for game, events in games]
    return json.dumps(made[0] if len(made) == 1 else made, ensure_ascii=False, indent=1) + "\n"


def _transcript(game: RecordedGame, _events: Sequence[Event]) -> Json:
    return {"id": f"game-{game.id}", **game.transcript()}


def as_json(game: RecordedGame, events: Sequence[Event]) -> Json:
    """Everything that the record has of a game."""
    return {
        "id": game.id,
        "game": game.game,
        "start": game.start,
        "code": game.code,
        "opened_at": game.opened_at,
        "closed_at": game.closed_at,
        "outcome": game.outcome,
        "disputed": game.disputed,
        "acts": [one.act for one in game.acts],
        "events": [event.as_json() for event in events],
    }


def as_csv(games: Sequence[tuple[RecordedGame, Sequence[Event]]]) -> str:
    """One row for each event of the games, with the pot before and after it."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for game, events in games:
        for moment in moments(events):
            writer.writerow(_row(game.id, moment))
    return out.getvalue()


def _row(game_id: int, moment: Moment) -> Json:
    event, act = moment.event, moment.act or {}
    pot = moment.pot or ("", "")
    row = {
        "game": game_id,
        "seq": event.seq,
        "time": when(event.at),
        "kind": event.kind,
        "pot_before": pot[0],
        "pot_after": pot[1],
        "refused": moment.refused or "",
        "act": json.dumps(act, ensure_ascii=False) if act else "",
        "state": json.dumps(moment.after, ensure_ascii=False),
    }
    row |= {key: act[key] for key in ("op", "by", "amount") if key in act}
    row |= {key: event.body[key] for key in ("source", "picture") if event.body.get(key)}
    lists = {"dice": act.get("dice")} | {k: event.body.get(k) for k in ("read", "corrected")}
    return row | {key: _plain(value) for key, value in lists.items() if value is not None}
