"""Who may import whom (README, "The house"): read from the source, nothing is run."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("firmware", "vision", "display")

ALLOWED = {
    "firmware.rules": ("firmware.rules",),
    "vision": ("vision",),
    "display": ("display", "firmware.rules", "vision.reading"),
    "firmware": PACKAGES,
}
"""The longest name that fits a module decides."""


def modules() -> list[Path]:
    return sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py"))


def dotted(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(source: str, module: str, is_package: bool) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = module.split(".")
                keep = len(parents) - node.level + is_package
                base = ".".join([*parents[:keep], *filter(None, [node.module])])
            # `from firmware import rules` imports firmware.rules
            names.update(f"{base}.{alias.name}" for alias in node.names)
    return {name for name in names if name.split(".")[0] in PACKAGES}


def within(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(prefix + ".")


def allowed_for(module: str) -> tuple[str, ...]:
    return ALLOWED[max((key for key in ALLOWED if within(module, key)), key=len)]


def violations(module: str, source: str, is_package: bool = False) -> list[str]:
    allowed = allowed_for(module)
    return sorted(
        name
        for name in imported(source, module, is_package)
        if not any(within(name, prefix) for prefix in allowed)
    )


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_imports_keep_the_rule(path: Path) -> None:
    found = violations(dotted(path), path.read_text("utf-8"), path.name == "__init__.py")
    assert not found, f"{dotted(path)} may not import {', '.join(found)}"


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("vision.reader", "import firmware.rules.game"),
        ("vision.cameras", "from firmware import config"),
        ("display.scenes.balut", "from vision import dice"),
        ("display.window", "import firmware.table"),
        ("firmware.rules.balut", "from .. import journal"),
        ("firmware.rules.balut", "import vision.reading"),
    ],
)
def test_a_breach_is_seen(module: str, source: str) -> None:
    assert violations(module, source)
