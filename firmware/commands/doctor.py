"""`dicetable doctor`: look at everything the table needs and say what is wrong and what to do.

Exit status: 0 when play is possible, 1 when there is a fault, 2 for unusable arguments.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import partial
from pathlib import Path

from firmware import health
from firmware.buttons import Button, EventKind
from firmware.clock import Clock, SystemClock
from firmware.config import Loaded, PanelOptions, load
from firmware.console import speak_utf8
from firmware.health import Finding, Level, Machine
from firmware.panel import Lamp, Panel, PanelError, open_panel

HELP = "check camera, buttons, disk and clock"

MARKS = {Level.OK: "ok", Level.NOTE: "note", Level.WARNING: "WARNING", Level.FAULT: "FAULT"}
TICK = 0.02


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("--state", type=Path, metavar="DIR", help="folder of the record")
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration file")
    parser.add_argument("--camera", metavar="CAMERA", help="another camera than the configured")
    parser.add_argument("--panel", choices=("gpio", "keyboard"), help="another panel")
    parser.add_argument("--json", action="store_true", help="one JSON object a finding")
    parser.add_argument(
        "--buttons", action="store_true", help="show every press and light its lamp; Ctrl-C ends"
    )


def run(args: argparse.Namespace) -> int:
    """Check, or show the buttons live; returns the exit status."""
    speak_utf8()
    loaded = load(args.config, args.state)
    options = loaded.config.panel
    if args.panel:
        options = PanelOptions(**{**asdict(options), "kind": args.panel})
    if args.buttons:
        return watch(options, SystemClock())
    findings = examine(loaded, options, args.camera, Machine(), SystemClock())
    if args.json:
        for one in findings:
            print(json.dumps(asdict(one), ensure_ascii=False))
    else:
        show(findings)
    return 1 if health.worst(findings) is Level.FAULT else 0


def examine(
    loaded: Loaded,
    panel: PanelOptions,
    camera: str | None,
    machine: Machine,
    clock: Clock,
    *,
    own: bool = False,
) -> list[Finding]:
    """Every finding, in the order in which they are shown.

    Camera and buttons of a table that is running are in its hands and are left alone. `own`: it
    is that table that asks; its health page shows them live (`firmware.live`).
    """
    from firmware import health_parts as parts
    from firmware import startup

    folder = loaded.state
    on_a_pi = machine.text("proc/device-tree/model") is not None
    checks: list[tuple[str, Callable[[], Iterable[Finding]]]] = [
        ("machine", partial(health.model, machine)),
        ("software", partial(parts.software, on_a_pi)),
        ("config", partial(parts.configuration, loaded)),
        ("disk", partial(health.disk, machine, folder)),
        ("record", partial(health.record, folder)),
        ("start", partial(startup.findings, folder)),
        ("clock", partial(health.clock, machine, clock)),
        ("power", partial(health.power, machine)),
        ("memory", partial(health.memory, machine)),
        ("access", partial(health.access, machine)),
    ]
    if own:
        return health.run(checks)
    pid = health.running(folder)
    if pid is not None:
        who = f"process {pid}" if pid > 0 else "another process"
        text = f"a table is running ({who}) and has camera and buttons; stop it to check them"
        checks.append(("table", lambda: [Finding("table", Level.NOTE, text)]))
    else:
        checks += [
            ("camera", partial(parts.camera, loaded.config, camera, folder)),
            ("buttons", partial(parts.buttons, panel, clock)),
        ]
    return health.run(checks)


def show(findings: Iterable[Finding]) -> None:
    """Print findings for people."""
    for one in findings:
        print(f"{MARKS[one.level]:>7}  {one.part:<9} {one.text}")
        if one.remedy:
            print(f"{'':7}  {'':9} -> {one.remedy}")


def watch(
    options: PanelOptions,
    clock: Clock,
    open_it: Callable[[str, PanelOptions, Clock], Panel] = open_panel,
    seconds: float = float("inf"),
) -> int:
    """Show every press as it happens and light its lamp, until Ctrl-C."""
    if options.kind == "keyboard":
        print("doctor: the keyboard needs no test; use --panel gpio", file=sys.stderr)
        return 2
    try:
        with open_it(options.kind, options, clock) as panel:
            for button in Button:
                pin = getattr(options, f"{button}_pin")
                lamp = getattr(options, f"{button}_lamp_pin") or "none"
                print(f"{button:<8} GPIO{pin:<3} lamp GPIO{lamp}")
            print("Press the buttons; Ctrl-C ends.", flush=True)
            _watch(panel, clock, clock.monotonic() + seconds)
    except PanelError as error:
        print(f"doctor: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


def _watch(panel: Panel, clock: Clock, until: float) -> None:
    while clock.monotonic() < until:
        for event in panel.poll():
            who = event.button or "confirm and back together"
            print(f"{event.time:10.3f} s  {who:<8} {event.kind.replace('_', ' ')}", flush=True)
            if event.kind in (EventKind.STUCK, EventKind.HELD_AT_BOOT):
                print("              look for a short circuit or a jammed button", flush=True)
        status = panel.status()
        panel.light({one: Lamp.ON for one, state in status.items() if state.pressed})
        clock.sleep(TICK)
    for button, state in panel.status().items():
        print(f"{button:<8} {state.presses} presses, {state.glitches} glitches rejected")
