"""Every numbered statement of the rules has a test; the table of them is COVERAGE.md.

The table is made of the marks `@pytest.mark.rule(…)` and of the sources that the cases in
`vectors.json` name. `DICETABLE_REGENERATE=1` writes it anew.
"""

import ast
import json
import os
import re
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).parent
TABLE = HERE / "COVERAGE.md"

COUNTS = {
    "R-GEN": 6,
    "R-BD": 13,
    "R-BT": 8,
    "R-BG": 8,
    "R-BL": 11,
    "A-GEN": 1,
    "A-BD": 14,
    "A-BT": 8,
    "A-BG": 13,
    "A-BL": 13,
    "O-BD": 9,
    "O-BG": 4,
    "O-BL": 8,
    "BD": 55,
    "BT": 19,
    "BG": 34,
    "BL": 49,
}
"""How many statements of each kind RULES.md numbers."""

HEADINGS = {
    "R": "Rules (sections 1 to 5)",
    "A": "Ambiguities and their defaults (section 7)",
    "O": "Oracle numbers (section 10)",
    "B": "Statements of the source texts (section 8)",
}

INFORMATION = {
    "BD-1": "who keeps the page",
    "BD-3": "how long a game lasts",
    "BD-4": "age",
    "BD-6": "other names",
    "BD-7": "what is needed",
    "BD-8": "chips at home",
    "BD-9": "a summary of BD-10 to BD-14",
    "BD-49": "neighbouring games",
    "BD-50": "names and origin",
    "BD-51": "history",
    "BD-55": "which version it is",
    "BT-1": "other names",
    "BG-3": "the aim",
    "BG-6": "a summary of BG-7 to BG-13",
    "BG-34": "furniture of the page",
    "BL-4": "columns of the paper sheet",
    "BL-15": "how often one strikes",
    "BL-46": "what is played for",
    "BL-47": "which version it is",
}
"""Statements that decide nothing."""


def statements() -> list[str]:
    return [f"{kind}-{n}" for kind, count in COUNTS.items() for n in range(1, count + 1)]


def marked() -> dict[str, list[str]]:
    """Statement -> the tests whose mark names it."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(HERE.glob("test_*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if not isinstance(node, ast.FunctionDef):
                continue
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
                    for one in mark.args:
                        assert isinstance(one, ast.Constant)
                        found[one.value].append(f"{path.stem}::{node.name}")
    return found


def sources(text: str) -> set[str]:
    """The statements that the `source` of a case names: `text BD-30..BD-33`."""
    found = set(re.findall(r"(?:A-)?B[DTGL]-\d+|A-GEN-\d+", text))
    for kind, low, high in re.findall(r"(B[DTGL])-(\d+)\.\.B[DTGL]-(\d+)", text):
        found |= {f"{kind}-{n}" for n in range(int(low), int(high) + 1)}
    return found


def vectors() -> dict[str, list[str]]:
    """Statement -> the cases that name it as their source."""
    found: dict[str, list[str]] = defaultdict(list)
    games = json.loads((HERE / "vectors.json").read_text("utf-8"))
    for game in ("barbudi", "barbut", "barbut_bg", "balut"):
        for case in games[game]["vectors"]:
            for one in sources(case["source"]):
                found[one].append(case["id"])
    return found


def table() -> str:
    """COVERAGE.md."""
    tests, cases = marked(), vectors()
    lines = [
        "# Which test covers which statement of the rules",
        "",
        "Made by `test_coverage.py`; do not edit. Cases such as BD-V01 stand in `vectors.json`;",
        "`test_vectors.py` plays them.",
    ]
    heading = ""
    for one in statements():
        if HEADINGS[one[0]] != heading:
            heading = HEADINGS[one[0]]
            lines += ["", f"## {heading}", "", "| statement | covered by |", "|---|---|"]
        covered = [f"`{name}`" for name in tests[one]] + sorted(cases[one])
        if one in INFORMATION and not covered:
            covered = [f"– ({INFORMATION[one]})"]
        lines.append(f"| {one} | {', '.join(covered)} |")
    return "\n".join(lines) + "\n"


def test_every_statement_is_covered() -> None:
    tests, cases = marked(), vectors()
    known = set(statements())
    assert set(tests) <= known, "a mark names a statement that does not exist"
    covered = set(tests) | set(cases) | set(INFORMATION)
    assert [one for one in statements() if one not in covered] == []
    assert len([one for one in known if re.match(r"B[DTGL]-", one)]) == 157


def test_the_rules_are_covered_by_more_than_the_given_cases() -> None:
    tests = marked()
    rules = [one for one in statements() if one[0] in "RO"]
    assert [one for one in rules if one not in tests] == []


def test_the_table_is_up_to_date() -> None:
    if "DICETABLE_REGENERATE" in os.environ:
        TABLE.write_text(table(), encoding="utf-8")
    assert TABLE.read_text(encoding="utf-8") == table()
