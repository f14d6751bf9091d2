"""The commented configuration file, written from the table of options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from firmware.options import OPTIONS, SECTION_HELP, SECTIONS, Option, toml

FORMAT = 1
"""Counted up when an option is renamed; a file without it is of format 1."""


def render(values: Mapping[str, Any] | None = None) -> str:
    """The commented file: every option with its help, what it may be, and its value.

    Options not in `values` stand there as comments with their defaults, so that they follow the
    defaults of a later version.
    """
    values = values or {}
    out = [
        "# The configuration of the dice table. A line that begins with # is a comment; remove the",
        "# # in front of an option to set it. `dicetable doctor` tells what is wrong with it.",
        f"format = {FORMAT}",
    ]
    for section in SECTIONS:
        out += ["", f"# {SECTION_HELP[section]}", f"[{section}]"]
        for option in OPTIONS.values():
            if option.section == section:
                out += _rendered(option, values)
    return "\n".join([*out, *_rendered_rules()]) + "\n"


def _rendered(option: Option, values: Mapping[str, Any]) -> list[str]:
    value = values.get(option.key, option.default)
    lead = "" if option.key in values else "# "
    return [
        f"# {option.limits.help} ({option.wanted()})",
        f"{lead}{option.name} = {toml(value)}",
    ]


def _rendered_rules() -> list[str]:
    from firmware.rules import RULES
    from firmware.rules.options import options_of

    out = ["", "# House rules: section 6 of RULES.md and `dicetable rules GAME` explain them."]
    for game, kind in RULES.items():
        out += ["", f"[rules.{game}]"]
        for name, (option, default) in options_of(kind).items():
            try:
                option.read(object())
                wanted = ""
            except ValueError as error:
                wanted = f"  # {error}"
            out.append(f"# {name} = {toml(option.write(default))}{wanted}")
    return out
