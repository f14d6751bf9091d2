"""Writes down the signatures of the real picamera2, so that our fake can be compared everywhere.

    python tests/vision/picamera2_facts.py 0.3.31 0.3.38

picamera2 can be imported only beside libcamera, but its source can be read anywhere: each version
is fetched from PyPI (`pip download --no-deps`), parsed and not run. The result is
`tests/vision/picamera2_facts.json`: for each version and method the parameters in their order,
each with its kind and whether it has a default.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

FACTS = Path(__file__).with_suffix(".json")
METHODS = (
    "__init__",
    "global_camera_info",
    "create_video_configuration",
    "configure",
    "start",
    "stop",
    "close",
    "captured_request",
    "cancel_all_and_flush",
)
"""What `vision/cameras/picamera2.py` calls."""

Parameter = tuple[str, str, bool]


def parameters(function: ast.FunctionDef) -> list[Parameter]:
    """Name, kind (as `inspect.Parameter.kind.name`) and default of each, without `self`."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    plain = len(positional) - len(given.defaults)
    found = [
        (
            one.arg,
            "POSITIONAL_ONLY" if i < len(given.posonlyargs) else "POSITIONAL_OR_KEYWORD",
            i >= plain,
        )
        for i, one in enumerate(positional)
    ]
    if given.vararg:
        found.append((given.vararg.arg, "VAR_POSITIONAL", False))
    for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        found.append((one.arg, "KEYWORD_ONLY", default is not None))
    if given.kwarg:
        found.append((given.kwarg.arg, "VAR_KEYWORD", False))
    return [one for one in found if one[0] != "self"]


def signatures(source: str) -> dict[str, list[Parameter]]:
    """Of the class Picamera2 in the text of `picamera2/picamera2.py`."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and node.name == "Picamera2":
            return {
                one.name: parameters(one)
                for one in node.body
                if isinstance(one, ast.FunctionDef) and one.name in METHODS
            }
    raise SystemExit("there is no class Picamera2 in this source")


def fetch(version: str) -> str:
    """The source of one version."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        wanted = ["--only-binary=:all:", "-d", folder, f"picamera2=={version}"]
        subprocess.run([*command, *wanted], check=True)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as files:
            return files.read("picamera2/picamera2.py").decode("utf-8")


if __name__ == "__main__":
    facts = {version: signatures(fetch(version)) for version in sys.argv[1:]}
    rows = json.dumps(facts, indent=1)
    FACTS.write_text(rows + "\n", encoding="utf-8")
    print(f"{FACTS}: {', '.join(facts)}")
