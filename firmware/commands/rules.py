"""`dicetable rules GAME`: the rules of a game, every number from the tables of the judge."""

from __future__ import annotations

import argparse
import json
import sys

from display.catalogue import LANGUAGES
from firmware.console import speak_utf8
from firmware.rules import GAMES, RULES, options
from firmware.rules.text import plain, rules_text
from firmware.rules.textparts import ENGLISH, Tongue

HELP = "print the rules of a game"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("game", metavar="GAME", choices=list(GAMES), help=", ".join(GAMES))
    parser.add_argument(
        "--config",
        metavar="JSON",
        default="{}",
        help="house rules that differ from the defaults, such as '{\"two_shot\": true}'",
    )
    parser.add_argument("--language", default="en", choices=tuple(LANGUAGES))


def run(args: argparse.Namespace) -> int:
    """Print the text; returns the exit status."""
    speak_utf8()
    try:
        config = json.loads(args.config)
        if not isinstance(config, dict):
            raise ValueError("it must be a JSON object")
        rules = options.from_json(RULES[args.game], config)
    except ValueError as error:
        print(f"rules: --config: {error}", file=sys.stderr)
        return 2
    print(plain(rules_text(args.game, rules, _tongue(args.language))))
    return 0


def _tongue(language: str) -> Tongue:
    if language == "en":
        return ENGLISH
    from display.words import Words  # only who needs it waits for it

    return Words(language)
