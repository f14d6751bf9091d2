"""What the service manager is told (the sd_notify protocol), and the one thing it is asked for.

Outside a unit, where `NOTIFY_SOCKET` is not set, nothing happens. `watchdog` is to be called from
the main loop and from nowhere else: a call from a side thread would hide that the table hangs.
"""

from __future__ import annotations

import os
import socket
from pathlib import Path


def ready() -> bool:
    """The first picture is on the screen: the start is over."""
    return _send("READY=1")


def managed() -> bool:
    """Whether a service manager started this process and wants to hear of it."""
    return bool(os.environ.get("NOTIFY_SOCKET"))


def watchdog() -> bool:
    """The main loop has gone round; due at least twice in each `watchdog_period`."""
    return _send("WATCHDOG=1")


def stopping() -> bool:
    """The end has begun."""
    return _send("STOPPING=1")


def status(text: str) -> bool:
    """Tell in one line what goes on, for `systemctl status`."""
    return _send("STATUS=" + " ".join(text.split()))


def watchdog_period() -> float | None:
    """Seconds of silence after which the service manager kills this process; None for never."""
    mine = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    return int(microseconds) / 1e6 if mine and microseconds.isdecimal() else None


def request_power_off() -> bool:
    """Leave the note that `dicetable-poweroff.path` waits for; False outside the unit.

    The table has no right to switch the machine off. systemd then stops the table with SIGTERM
    like any other service.
    """
    directory = os.environ.get("RUNTIME_DIRECTORY", "")
    if not directory:
        return False
    Path(directory, "poweroff").touch()
    return True


def _send(message: str) -> bool:
    """One datagram to the service manager; False when there is none, or it does not listen."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    if address.startswith("@"):  # an abstract socket
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
            sender.setblocking(False)  # the main loop must never wait for it
            sender.connect(address)
            sender.send(message.encode())
    except OSError:
        return False
    return True
