"""`dicetable judge`: play a transcript and judge every step.

A transcript is one vector object in the format of the test vectors with an added `"game"`, or a
list of them: start data of the game (`players`, `config`, `chips` …), `steps` and `expect`. A step
is an act, perhaps with the `error` that the judge must give, or `{"op": "check", "expect": …}`.

Exit status: 0 when every step went as the transcript declares, 1 when not, 2 for a file that can
not be read, with line and reason on stderr.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from firmware.rules import GAMES, Game, Refused
from firmware.rules.transcript import Step, Transcript, Unreadable, load

HELP = "play a transcript and judge every step"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="transcript (JSON); - reads standard input")
    parser.add_argument("--json", action="store_true", help="one JSON object a step")


def run(args: argparse.Namespace) -> int:
    """Play the file; returns the exit status."""
    try:
        text = _read(args.file)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        return _unusable(f"{args.file}: {reason or error}")
    try:
        transcripts = load(text)
    except Unreadable as error:
        return _unusable(f"{args.file}: {error}")
    show = _JsonShow() if args.json else _Story()
    right = True
    for transcript in transcripts:
        for warning in transcript.warnings:
            print(f"judge: warning: {transcript.id or args.file}: {warning}", file=sys.stderr)
        for message in play(transcript, show):
            right = False
            sys.stdout.flush()
            print(f"judge: {message}", file=sys.stderr)
    return 0 if right else 1


def _read(name: str) -> str:
    return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig")


def _unusable(message: str) -> int:
    print(f"judge: {message}", file=sys.stderr)
    return 2


# --- playing -------------------------------------------------------------------------------------


def play(transcript: Transcript, show: _Show) -> Iterator[str]:
    """Play one transcript; yields a sentence for everything that went otherwise than declared."""
    name = transcript.id or transcript.title or "transcript"
    show.begin(transcript)
    try:
        game: Game[Any] = GAMES[transcript.start["game"]].from_start(transcript.start)
    except Refused as refused:
        show.step(transcript, 0, "start", refused, None)
        if refused.code != transcript.error:
            yield f"{name}: the start is refused: {refused}"
        return
    if transcript.error is not None:
        yield f"{name}: the start should be refused with {transcript.error}, but it is allowed"
    for number, step in enumerate(transcript.steps, 1):
        refused_ = _do(game, step)
        show.step(transcript, number, step.op, refused_, game)
        where = f"{name}, step {number} ({step.op})"
        code = refused_.code if refused_ else None
        if code != step.error:
            yield f"{where}: {refused_ or 'allowed'}, expected {step.error or 'no refusal'}"
        for difference in _differences(step.expect or {}, game.as_json()):
            yield f"{where}: {difference}"
    for difference in _differences(transcript.expect, game.as_json()):
        yield f"{name}, at the end: {difference}"


def _do(game: Game[Any], step: Step) -> Refused | None:
    """Push the act of a step; the refusal, if there is one."""
    if step.act is None:
        return None
    try:
        game.push(step.act)
    except Refused as refused:
        return refused
    return None


def _differences(expect: Mapping[str, Any], state: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for everything in the state that is not as expected."""
    for key, wanted in expect.items():
        if key not in state:
            yield f'there is no "{key}" in the state'
        elif state[key] != wanted:
            is_, should = json.dumps(state[key]), json.dumps(wanted)
            yield f"{key} is {is_}, expected {should}"


# --- showing -------------------------------------------------------------------------------------


class _Show:
    """Shows what is played."""

    def begin(self, transcript: Transcript) -> None:
        """A transcript begins."""

    def step(
        self,
        transcript: Transcript,
        number: int,
        op: str,
        refused: Refused | None,
        game: Game[Any] | None,
    ) -> None:
        """A step has been played; `game` is None when the start was refused."""
        raise NotImplementedError


class _JsonShow(_Show):
    """One JSON object on a line of its own for every step."""

    def step(
        self,
        transcript: Transcript,
        number: int,
        op: str,
        refused: Refused | None,
        game: Game[Any] | None,
    ) -> None:
        line = {
            "id": transcript.id,
            "step": number,
            "op": op,
            "refused": refused.code if refused else None,
            "state": game.as_json() if game else {},
        }
        print(json.dumps(line, ensure_ascii=False))


class _Story(_Show):
    """Plain sentences, those of the screen."""

    def __init__(self) -> None:
        from display.words import Words  # only the story needs them

        self._words = Words()

    def begin(self, transcript: Transcript) -> None:
        title = ": ".join(filter(None, (transcript.id, transcript.title)))
        names = ", ".join(transcript.start["players"])
        print(f"\n{title or self._words.game(transcript.start['game'])}\n  {names}")

    def step(
        self,
        transcript: Transcript,
        number: int,
        op: str,
        refused: Refused | None,
        game: Game[Any] | None,
    ) -> None:
        if refused is not None:
            print(f"{number:4}  {op} refused ({refused.code}): {self._words.refusal(refused.code)}")
        elif op == "check":
            print(f"{number:4}  check")
        elif game is not None:
            print(f"{number:4}  {self._words.story(game.state.events)}")
