"""Camera and buttons as they are at this moment, for the health page of a running table."""

from __future__ import annotations

from firmware.eye import Eye
from firmware.health import Finding, Level
from firmware.health_parts import drifted, said_of_picture
from firmware.panel import Panel

NOISY = 50
"""So many rejected pulses at one button tell of a bad wire."""


def look(panel: Panel, eye: Eye) -> list[Finding]:
    """A line for the camera and one for the buttons, and more for what is wrong with them."""
    return [*camera(eye), *buttons(panel)]


def camera(eye: Eye) -> list[Finding]:
    """Model, size, pictures a second, and what the camera says of the newest picture."""
    if eye.problem is not None:
        remedy = "power off, then both ends of its cable; throws go in by hand meanwhile"
        return [Finding("camera", Level.FAULT, eye.problem, remedy)]
    seeing = eye.seeing
    opened = seeing.opened
    if not opened.name:
        return [Finding("camera", Level.NOTE, "the camera has not begun yet")]
    width, height = opened.size
    told = [opened.name, f"{width}x{height}", f"{seeing.rate:.0f} pictures a second now"]
    told += said_of_picture(seeing.about)
    return [Finding("camera", Level.OK, ", ".join(told)), *drifted(opened.wanted, seeing.about)]


def buttons(panel: Panel) -> list[Finding]:
    """Every button: whether it is down now, and how often it was pressed."""
    status = panel.status()
    told = ", ".join(
        f"{button} {'DOWN' if one.pressed else 'up'} ({one.presses})"
        for button, one in status.items()
    )
    findings = [Finding("buttons", Level.OK, f"{told}; press them: their lamps light")]
    for button, one in status.items():
        if one.stuck:
            text = f"the {button} button has been down for more than a minute"
            remedy = "let it go, or look for a short circuit"
            findings.append(Finding("buttons", Level.WARNING, text, remedy))
        if one.glitches >= NOISY:
            text = f"{one.glitches} pulses too short for a finger came from the {button} button"
            findings.append(Finding("buttons", Level.WARNING, text, "look at its wire and contact"))
    if not panel.alive:
        text = "the pin library has stopped: short presses may be missed"
        findings.append(Finding("buttons", Level.FAULT, text, "switch the table off and on"))
    return findings
