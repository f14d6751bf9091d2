"""Four lit buttons, on real pins or on a keyboard; both give the same events.

    with open_panel("gpio", config.panel, clock) as panel:
        panel.light({Button.CONFIRM: Lamp.ON})
        for event in panel.poll():              # once a tick of the main loop
            ...

Handlers that run on the pin library's thread do nothing but put an edge into a queue: one
exception there would end all buttons for good. Everything else happens in `poll`, on the main
loop, and the levels are read again at every poll, so that a lost edge heals by itself.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from firmware.buttons import Button, Buttons, Event, EventKind, Status
from firmware.clock import Clock
from firmware.config import PanelOptions

T = TypeVar("T")

BLINKS_PER_SECOND = 2.0

KEYS = {
    "return": Button.CONFIRM,
    "enter": Button.CONFIRM,
    "space": Button.CONFIRM,
    "backspace": Button.BACK,
    "escape": Button.BACK,
    "left": Button.LEFT,
    "right": Button.RIGHT,
}
"""Names of keys, as pygame.key.name() gives them, and the buttons they stand for."""


class Lamp(StrEnum):
    """What the lamp of a button does."""

    OFF = "off"
    ON = "on"
    BLINK = "blink"


class PanelError(Exception):
    """The buttons can not be used; `str()` is one sentence for people."""


class Panel(ABC):
    """What the table needs of its buttons and lamps."""

    def __init__(self, clock: Clock, buttons: Buttons) -> None:
        self._clock = clock
        self._buttons = buttons
        self._edges: queue.SimpleQueue[tuple[Button, bool, float]] = queue.SimpleQueue()
        self._steps: queue.SimpleQueue[tuple[Button, float]] = queue.SimpleQueue()
        self.wake: Callable[[], None] = lambda: None
        """Called on any thread when there is something to poll."""
        self.lamps: Mapping[Button, Lamp] = {}
        """What the lamps do now; buttons not named are dark."""

    def poll(self) -> list[Event]:
        """What happened since the last call, in order; never raises for a pin's sake."""
        edges = _drain(self._edges)
        now = self._clock.monotonic()
        events = self._buttons.poll(edges, self._levels(), now)
        for button, when in _drain(self._steps):
            events.append(Event(EventKind.PRESSED, button, when))
            events.append(Event(EventKind.RELEASED, button, when))
        self._show(now)
        return events

    def light(self, lamps: Mapping[Button, Lamp]) -> None:
        """Light the buttons that do something now; the ones not named go dark."""
        self.lamps = dict(lamps)
        self._show(self._clock.monotonic())

    def tray_light(self, on: bool) -> None:  # noqa: B027 - not every panel has one
        """Switch the light over the tray, where there is one."""

    def status(self) -> dict[Button, Status]:
        """Every button, for the health page."""
        return self._buttons.status()

    @property
    def alive(self) -> bool:
        """Whether edges can still arrive; when not, presses of less than a tick may be missed."""
        return True

    def close(self) -> None:  # noqa: B027 - not every panel has something to let go
        """Put out the lamps and let the pins go; may be called twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @abstractmethod
    def _levels(self) -> Mapping[Button, bool]:
        """The level of every button now, True while it is down."""

    def _show(self, now: float) -> None:  # noqa: B027 - a keyboard has no lamps
        """Bring the lamps up to date."""

    def _edge(self, button: Button, level: bool) -> None:
        """Note a change; called on any thread, never raises."""
        with contextlib.suppress(Exception):
            self._edges.put((button, level, self._clock.monotonic()))
            self.wake()

    def _step(self, button: Button) -> None:
        """Note one step of a rotary encoder; called on any thread, never raises."""
        with contextlib.suppress(Exception):
            self._steps.put((button, self._clock.monotonic()))
            self.wake()


class KeyboardPanel(Panel):
    """The keyboard as a panel; the window hands it the keys by name."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock, Buttons(settle=0.0, lockout=0.0, baseline=0.0))
        self._down: dict[str, Button] = {}
        self._buttons.poll((), {}, clock.monotonic())

    def key(self, name: str, down: bool) -> bool:
        """A key went down or up; whether it is one of the panel's. Repeated downs are harmless."""
        button = KEYS.get(name)
        if button is None:
            return False
        if down:
            self._down[name] = button
        else:
            self._down.pop(name, None)
        self._edge(button, button in self._down.values())
        return True

    def release_all(self) -> None:
        """The window has lost the keyboard: no key is down any more."""
        for name in tuple(self._down):
            self.key(name, False)

    def _levels(self) -> Mapping[Button, bool]:
        return {button: button in self._down.values() for button in Button}


class GpioPanel(Panel):
    """Buttons and lamps on a Raspberry Pi's pins, or on gpiozero's mock pins."""

    def __init__(self, pins: PanelOptions, clock: Clock, factory: Any = None) -> None:
        """Take the pins.

        Args:
            pins: BCM numbers; 0 for lamps, tray light and encoder that are not connected.
            clock: gives the times of edges.
            factory: a gpiozero pin factory; None for the Pi's own pins through lgpio.

        Raises:
            PanelError: a pin can not be used; the sentence names pin and remedy.
        """
        super().__init__(clock, Buttons())
        self.pins = pins
        self.factory = factory if factory is not None else _lgpio()
        self._devices: list[Any] = []
        self._contacts: dict[Button, Any] = {}
        self._leds: dict[Button, Any] = {}
        self._lit: dict[Button, bool] = {}
        self._tray: Any = None
        try:
            self._take()
        except BaseException:
            self.close()
            raise
        # The first poll starts the time in which the levels may still settle.
        self.poll()

    def tray_light(self, on: bool) -> None:
        """Switch the light over the tray."""
        if self._tray is not None:
            with contextlib.suppress(Exception):
                self._tray.value = on

    @property
    def alive(self) -> bool:
        """Whether lgpio's thread still delivers edges; always True on other pins."""
        thread = getattr(sys.modules.get("lgpio"), "_notify_thread", None)
        return thread is None or bool(thread.is_alive())

    def close(self) -> None:
        """Put out the lamps and let the pins go; may be called twice."""
        while self._devices:
            with contextlib.suppress(Exception):
                self._devices.pop().close()

    def _take(self) -> None:
        import gpiozero

        for button in Button:
            contact = self._device(
                f"{button}_pin",
                # Not gpiozero.Button: its hold timer is a thread that we do not need.
                lambda bcm: gpiozero.DigitalInputDevice(
                    bcm, pull_up=True, pin_factory=self.factory
                ),
            )
            if contact is None:
                raise PanelError(
                    f"the {button} button has no pin; set panel.{button}_pin to the BCM number "
                    "it is wired to"
                )
            contact.when_activated = self._handler(button, True)
            contact.when_deactivated = self._handler(button, False)
            self._contacts[button] = contact
            led = self._device(f"{button}_lamp_pin", self._led) if self.pins.lamps else None
            if led is not None:
                self._leds[button] = led
        self._tray = self._device("tray_light_pin", self._led)
        self._take_encoder()

    def _take_encoder(self) -> None:
        """A rotary encoder is the left and the right button, a press for each step."""
        import gpiozero

        encoder = self._device(
            "encoder_a_pin",
            lambda bcm: gpiozero.RotaryEncoder(
                bcm, self.pins.encoder_b_pin, max_steps=0, pin_factory=self.factory
            ),
        )
        if encoder is not None:
            encoder.when_rotated_clockwise = self._stepper(Button.RIGHT)
            encoder.when_rotated_counter_clockwise = self._stepper(Button.LEFT)

    def _led(self, bcm: int) -> Any:
        import gpiozero

        return gpiozero.LED(bcm, pin_factory=self.factory)

    def _device(self, option: str, make: Callable[[int], Any]) -> Any:
        """The device on the pin of an option, None where none is connected."""
        bcm: int = getattr(self.pins, option)
        if bcm == 0:
            return None
        try:
            device = make(bcm)
        except Exception as error:
            raise PanelError(_plain(error, option, bcm)) from error
        self._devices.append(device)
        return device

    def _handler(self, button: Button, level: bool) -> Callable[[], None]:
        return lambda: self._edge(button, level)

    def _stepper(self, button: Button) -> Callable[[], None]:
        return lambda: self._step(button)

    def _levels(self) -> Mapping[Button, bool]:
        levels = {}
        for button, contact in self._contacts.items():
            with contextlib.suppress(Exception):
                levels[button] = bool(contact.is_active)
        return levels

    def _show(self, now: float) -> None:
        bright = int(now * BLINKS_PER_SECOND * 2) % 2 == 0
        for button, led in self._leds.items():
            lamp = self.lamps.get(button, Lamp.OFF)
            on = lamp is Lamp.ON or (lamp is Lamp.BLINK and bright)
            if self._lit.get(button) is not on:
                with contextlib.suppress(Exception):
                    led.value = on
                    self._lit[button] = on


class MockFingers:
    """Fingers on the buttons of a panel with gpiozero's mock pins, for tests and the demo."""

    def __init__(self, panel: GpioPanel) -> None:
        self._panel = panel

    def press(self, button: Button) -> None:
        """Close the contact."""
        self._pin(button).drive_low()

    def release(self, button: Button) -> None:
        """Open the contact."""
        self._pin(button).drive_high()

    def lit(self, button: Button) -> bool:
        """Whether its lamp shines at this moment."""
        bcm = getattr(self._panel.pins, f"{button}_lamp_pin")
        return bool(self._panel.factory.pin(bcm).state)

    def _pin(self, button: Button) -> Any:
        return self._panel.factory.pin(getattr(self._panel.pins, f"{button}_pin"))


def open_panel(kind: str, pins: PanelOptions, clock: Clock) -> Panel:
    """The panel that the configuration or `--panel` asks for: `gpio` or `keyboard`.

    Raises:
        PanelError: the pins can not be used, or there is no such panel.
    """
    if kind == "gpio":
        return GpioPanel(pins, clock)
    if kind == "keyboard":
        return KeyboardPanel(clock)
    raise PanelError(f'there is no panel "{kind}"; use gpio or keyboard')


def _drain(source: queue.SimpleQueue[T]) -> list[T]:
    items = []
    with contextlib.suppress(queue.Empty):
        while True:
            items.append(source.get_nowait())
    return items


def _lgpio() -> Any:
    """The factory for real pins. Never another one: `native` loses edges, RPi.GPIO lacks the Pi 5.

    Raises:
        PanelError: lgpio is missing, or it can not open the pins.
    """
    try:
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as error:
        raise PanelError(
            "there is no pin library here (lgpio is missing); on a Raspberry Pi install "
            "python3-lgpio and make the environment with --system-site-packages, elsewhere use "
            "--panel keyboard"
        ) from error
    except AttributeError as error:
        # What pip gives for a Python without a wheel is a package without contents.
        raise PanelError(
            "the lgpio that pip installed is an empty stub; remove it (pip uninstall lgpio) and "
            "install python3-lgpio"
        ) from error
    try:
        return LGPIOFactory()
    except Exception as error:
        raise PanelError(_plain_factory(error)) from error


def _plain_factory(error: Exception) -> str:
    """Why the pins can not be opened, as one sentence."""
    text = str(error).strip("'\"")
    if ".lgd-nfy" in text:
        return (
            "lgpio can not make its pipe in the working directory; set LG_WD to a folder this "
            "user may write to, such as /run/dicetable"
        )
    if "unable to determine board" in text.lower() or "Unable to locate Pi revision" in text:
        return "this is no Raspberry Pi, so it has no pins; use --panel keyboard"
    chips = sorted(path.name for path in Path("/dev").glob("gpiochip*"))
    if not chips:
        return "this machine has no GPIO pins (/dev/gpiochip* is missing); use --panel keyboard"
    if not any(os.access(f"/dev/{chip}", os.R_OK | os.W_OK) for chip in chips):
        return (
            f"no permission to use the GPIO pins (/dev/{chips[0]}); add this user to the group "
            "gpio (sudo usermod -aG gpio $USER) and log in again"
        )
    return f"the GPIO pins can not be opened ({text}); found {', '.join(chips)} in /dev"


def _plain(error: Exception, option: str, bcm: int) -> str:
    """Why one pin can not be used, as one sentence."""
    import gpiozero

    where = f"GPIO{bcm} (panel.{option})"
    if isinstance(error, gpiozero.GPIOPinInUse):
        return f"{where} is used twice; give every button and lamp a pin of its own"
    if isinstance(error, gpiozero.PinInvalidPin):
        return f"{where} is no pin of this board; use a BCM number from 2 to 27"
    if isinstance(error, gpiozero.PinFixedPull):
        return f"{where} has a fixed pull resistor and suits no button; use another pin"
    if "busy" in str(error).lower():
        return f"{where} is held by another program; stop it (gpioinfo names it) or use another pin"
    return f"{where} can not be used ({error}); check the wiring and the configuration"
