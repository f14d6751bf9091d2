"""`firmware.notify` against sockets as systemd makes them."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware import notify


@pytest.fixture(params=["path", "abstract"])
def manager(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[socket.socket]:
    """The service manager's end of the socket."""
    name = str(tmp_path / "notify") if request.param == "path" else f"@dicetable-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(name.replace("@", "\0", 1) if name.startswith("@") else name)
        receiver.settimeout(1)
        monkeypatch.setenv("NOTIFY_SOCKET", name)
        yield receiver


def test_messages(manager: socket.socket) -> None:
    for call, expected in (
        (notify.ready, b"READY=1"),
        (notify.watchdog, b"WATCHDOG=1"),
        (notify.stopping, b"STOPPING=1"),
        (
            lambda: notify.status("Balut, runde 3: Kåre\nREADY=1"),
            b"STATUS=Balut, runde 3: K\xc3\xa5re READY=1",
        ),
    ):
        assert call() is True
        assert manager.recv(1000) == expected


def test_silent_without_a_manager(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert notify.ready() is False
    for nobody in (str(tmp_path / "gone"), "@dicetable-nobody", "x" * 200):
        monkeypatch.setenv("NOTIFY_SOCKET", nobody)
        assert notify.watchdog() is False


def test_a_full_socket_does_not_hold_the_main_loop(manager: socket.socket) -> None:
    sent = 0
    while notify.watchdog():
        sent += 1
        assert sent < 100_000
    assert sent > 0


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "15000000"}, 15.0),
        ({"WATCHDOG_USEC": "15000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "500000", "WATCHDOG_PID": str(os.getpid())}, 0.5),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_watchdog_period(
    environment: dict[str, str], expected: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("WATCHDOG_USEC", "WATCHDOG_PID"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert notify.watchdog_period() == expected


def test_power_off_is_asked_for_by_a_note(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    assert notify.request_power_off() is False
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    assert notify.request_power_off() is True
    assert (tmp_path / "poweroff").exists()
