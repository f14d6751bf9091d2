"""The rules as text, every number taken from the tables that the judge itself uses.

A text is a tuple of sections of paragraphs and tables, so that a screen can lay it out; `plain`
makes lines for a terminal of it. It describes the game under the house rules that are given, in
the language of the `Tongue` that says it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from textwrap import wrap
from typing import Any

from firmware.rules import RULES
from firmware.rules.text_chips import barbudi_text, barbut_text
from firmware.rules.text_points import balut_text, barbut_bg_text
from firmware.rules.textparts import ENGLISH, Section, Table, Tongue

__all__ = ["Section", "Table", "plain", "rules_text"]

TEXTS: dict[str, Callable[[Any, Tongue], tuple[Section, ...]]] = {
    "barbudi": barbudi_text,
    "barbut": barbut_text,
    "barbut_bg": barbut_bg_text,
    "balut": balut_text,
}


def rules_text(game: str, rules: Any = None, words: Tongue = ENGLISH) -> tuple[Section, ...]:
    """The rules of a game under house rules (None: the defaults)."""
    return TEXTS[game](RULES[game]() if rules is None else rules, words)


def plain(sections: Iterable[Section], width: int = 78) -> str:
    """The text for a terminal."""
    lines: list[str] = []
    for section in sections:
        lines += [section.title, "-" * len(section.title)]
        for part in section.body:
            lines += wrap(part, width) if isinstance(part, str) else _table_lines(part)
            lines.append("")
    return "\n".join(lines).rstrip()


def _table_lines(table: Table) -> list[str]:
    rows = (table.head, *table.rows)
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.head))]
    lines = [
        "  " + "   ".join(cell.ljust(wide) for cell, wide in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return [lines[0], "  " + "   ".join("-" * wide for wide in widths), *lines[1:]]
