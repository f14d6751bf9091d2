"""The front door: every command is there, described, and refuses nonsense with status 2."""

import subprocess
import sys
from pathlib import Path

import pytest

from firmware import cli

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_is_there(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    module = cli.load(name)
    assert module.HELP
    with pytest.raises(SystemExit) as end:
        cli.main([name, "--help"])
    assert end.value.code == 0
    assert f"dicetable {name}" in capsys.readouterr().out


def test_the_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    text = capsys.readouterr().out
    assert all(name in text for name in cli.COMMANDS)


def test_every_file_in_commands_is_a_command() -> None:
    files = {path.stem for path in (ROOT / "firmware" / "commands").glob("*.py")} - {"__init__"}
    assert files == set(cli.COMMANDS)


@pytest.mark.parametrize("arguments", [[], ["raed"], ["read"], ["play", "--panel", "mouse"]])
def test_nonsense_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(arguments)
    assert end.value.code == 2
    assert "usage:" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["judge", "rules"])
def test_a_command_imports_only_what_it_needs(name: str) -> None:
    script = (
        f"import sys; from firmware import cli; cli.load({name!r});"
        "print([m for m in ('cv2', 'pygame', 'gpiozero', 'numpy') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    assert out.stdout.strip() == "[]", out.stderr
