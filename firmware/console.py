"""What is printed, whatever the locale is."""

from __future__ import annotations

import io
import sys


def speak_utf8() -> None:
    """Print UTF-8, with a mark for what can not be printed, also under `LANG=C`.

    Names of players are in any script, and a service or a bare console often has no locale.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
