"""The panel on mock pins and on the keyboard: the same events, lamps, and plain errors."""

import dataclasses
import sys
import threading
import types
from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory

from firmware import pins
from firmware.buttons import BASELINE, Button, EventKind
from firmware.clock import FakeClock
from firmware.config import Config, PanelOptions, clashes
from firmware.panel import (
    KEYS,
    GpioPanel,
    KeyboardPanel,
    Lamp,
    MockFingers,
    Panel,
    PanelError,
    open_panel,
)

OPTIONS = Config().panel


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(monotonic=100.0)


@pytest.fixture
def panel(clock: FakeClock) -> Iterator[GpioPanel]:
    with GpioPanel(OPTIONS, clock, MockFactory()) as panel:
        clock.advance(BASELINE)
        assert panel.poll() == []
        yield panel


def tap(panel: Panel, clock: FakeClock, button: Button) -> list[tuple[str, Button | None]]:
    events = []
    for down in (True, False):
        if isinstance(panel, GpioPanel):
            fingers = MockFingers(panel)
            (fingers.press if down else fingers.release)(button)
        else:
            assert isinstance(panel, KeyboardPanel)
            panel.key(next(key for key, one in KEYS.items() if one is button), down)
        clock.advance(0.1)
        events += panel.poll()
    return [(str(event.kind), event.button) for event in events]


@pytest.mark.parametrize("button", Button)
def test_pins_and_keys_give_the_same_events(
    panel: GpioPanel, clock: FakeClock, button: Button
) -> None:
    keyboard = KeyboardPanel(clock)
    wanted = [("pressed", button), ("released", button)]
    assert tap(panel, clock, button) == wanted
    assert tap(keyboard, clock, button) == wanted


def test_a_bouncing_pin_is_one_press(panel: GpioPanel, clock: FakeClock) -> None:
    fingers = MockFingers(panel)
    for level in (True, False, True, False, True):
        (fingers.press if level else fingers.release)(Button.CONFIRM)
        clock.advance(0.0016)
    clock.advance(0.05)
    assert [event.kind for event in panel.poll()] == [EventKind.PRESSED]


def test_held_at_boot_on_pins(clock: FakeClock) -> None:
    factory = MockFactory()
    with GpioPanel(OPTIONS, clock, factory) as panel:
        factory.pin(OPTIONS.back_pin).drive_low()
        clock.advance(BASELINE)
        assert [event.kind for event in panel.poll()] == [EventKind.HELD_AT_BOOT]
        factory.pin(OPTIONS.back_pin).drive_high()
        clock.advance(0.2)
        assert panel.poll() == []


def test_lamps_follow_and_blink(panel: GpioPanel, clock: FakeClock) -> None:
    fingers = MockFingers(panel)
    panel.light({Button.CONFIRM: Lamp.ON, Button.LEFT: Lamp.BLINK})
    seen = set()
    for _ in range(20):
        clock.advance(0.05)
        panel.poll()
        seen.add(tuple(fingers.lit(button) for button in Button))
    assert seen == {(True, False, False, False), (True, False, True, False)}
    panel.light({})
    assert not any(fingers.lit(button) for button in Button)


def test_no_lamps_when_they_are_switched_off(clock: FakeClock) -> None:
    options = dataclasses.replace(OPTIONS, lamps=False)
    with GpioPanel(options, clock, MockFactory()) as panel:
        panel.light(dict.fromkeys(Button, Lamp.ON))
        assert not any(MockFingers(panel).lit(button) for button in Button)


def test_closing_puts_out_lamps_and_frees_the_pins(clock: FakeClock) -> None:
    factory = MockFactory()
    for _ in range(2):  # the second one would find the pins in use
        panel = GpioPanel(OPTIONS, clock, factory)
        panel.light({Button.CONFIRM: Lamp.ON})
        panel.tray_light(True)
        assert factory.pin(OPTIONS.tray_light_pin).state
        panel.close()
        panel.close()
        assert factory.pin(OPTIONS.confirm_lamp_pin).function == "input"


def test_an_exception_in_the_clock_does_not_reach_the_pin_library(
    panel: GpioPanel, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> float:
        raise RuntimeError("no time")

    with monkeypatch.context() as patch:
        patch.setattr(clock, "monotonic", broken)
        MockFingers(panel).press(Button.CONFIRM)  # raises here if a handler may raise
    clock.advance(0.1)
    panel.poll()
    clock.advance(0.1)
    # The edge is lost; the level heals it.
    assert [event.kind for event in panel.poll()] == [EventKind.PRESSED]


def test_edges_from_another_thread_arrive(panel: GpioPanel, clock: FakeClock) -> None:
    thread = threading.Thread(target=MockFingers(panel).press, args=(Button.RIGHT,))
    thread.start()
    thread.join()
    clock.advance(0.1)
    assert [event.button for event in panel.poll()] == [Button.RIGHT]


def test_an_encoder_is_left_and_right(clock: FakeClock) -> None:
    options = dataclasses.replace(OPTIONS, encoder_a_pin=20, encoder_b_pin=21)
    factory = MockFactory()
    with GpioPanel(options, clock, factory) as panel:
        a, b = factory.pin(20), factory.pin(21)
        for pair in ((a, b), (b, a), (b, a)):
            for step in ("drive_low", "drive_high"):
                for pin in pair:
                    getattr(pin, step)()
        pressed = [event.button for event in panel.poll() if event.kind is EventKind.PRESSED]
        assert pressed == [Button.RIGHT, Button.LEFT, Button.LEFT]


def test_keys_repeat_and_share_a_button(clock: FakeClock) -> None:
    panel = KeyboardPanel(clock)
    for name in ("return", "return", "space"):
        assert panel.key(name, True)
    panel.key("return", False)
    assert [event.kind for event in panel.poll()] == [EventKind.PRESSED]
    panel.release_all()
    assert [event.kind for event in panel.poll()] == [EventKind.RELEASED]
    assert not panel.key("q", True)


# --- errors in plain words -------------------------------------------------------------------


def test_a_pin_used_twice_is_named(clock: FakeClock) -> None:
    factory = MockFactory()
    options = dataclasses.replace(OPTIONS, left_pin=OPTIONS.confirm_pin)
    with pytest.raises(PanelError, match=r"^GPIO5 \(panel\.left_pin\) is used twice; give"):
        GpioPanel(options, clock, factory)
    GpioPanel(OPTIONS, clock, factory).close()  # nothing is held after the failure


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"left_pin": 99}, r"^GPIO99 \(panel\.left_pin\) is no pin of this board; use"),
        ({"left_pin": 0}, r"^the left button has no pin; set panel\.left_pin"),
    ],
)
def test_a_wrong_pin_is_named(clock: FakeClock, change: dict[str, int], sentence: str) -> None:
    with pytest.raises(PanelError, match=sentence):
        GpioPanel(dataclasses.replace(OPTIONS, **change), clock, MockFactory())


def test_a_busy_pin_is_named(clock: FakeClock) -> None:
    class Busy(MockFactory):
        def pin(self, name: object, *args: object, **kwargs: object) -> object:
            if name == OPTIONS.back_pin:
                raise RuntimeError("'GPIO busy'")
            return super().pin(name, *args, **kwargs)

    with pytest.raises(PanelError, match=r"^GPIO6 \(panel\.back_pin\) is held by another program"):
        GpioPanel(OPTIONS, clock, Busy())


def test_without_lgpio_the_sentence_says_what_to_install(
    clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(PanelError, match="install python3-lgpio"):
        open_panel("gpio", OPTIONS, clock)


def test_the_empty_lgpio_of_pip_is_told(clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", types.ModuleType("lgpio"))
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(PanelError, match="is an empty stub; remove it"):
        open_panel("gpio", OPTIONS, clock)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[Errno 2] No such file or directory: '.lgd-nfy-3'", "set LG_WD to a folder"),
        ("unable to determine board revision", "this is no Raspberry Pi"),
        ("'can not open gpiochip'", "gpiochip"),
    ],
)
def test_pins_that_do_not_open_say_why(
    clock: FakeClock, monkeypatch: pytest.MonkeyPatch, text: str, sentence: str
) -> None:
    def factory() -> None:
        raise RuntimeError(text)

    fake = types.SimpleNamespace(LGPIOFactory=factory)
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", fake)
    with pytest.raises(PanelError, match=sentence):
        GpioPanel(OPTIONS, clock)


def test_an_unknown_panel_is_refused(clock: FakeClock) -> None:
    with pytest.raises(PanelError, match='there is no panel "joystick"; use gpio or keyboard'):
        open_panel("joystick", OPTIONS, clock)
    assert isinstance(open_panel("keyboard", OPTIONS, clock), KeyboardPanel)


# --- the table of pins -----------------------------------------------------------------------


def test_the_wiring_is_free_of_clashes_and_has_a_place_on_the_header() -> None:
    assert clashes(OPTIONS) == []
    used = [wire.bcm for wire in pins.WIRING if wire.bcm]
    assert len(set(used)) == len(used)
    display_hat = {7, 8, 9, 10, 11, 17, 18, 24, 25}
    assert not set(used) & (set(pins.RESERVED) | display_hat)
    assert all(bcm in pins.HEADER for bcm in used)
    assert sorted(pins.HEADER) == list(range(28))
    assert len(set(pins.HEADER.values())) == 28
    # The Pi pulls GPIO0 to 8 up at power-on: a lamp there would shine before the program runs.
    assert all(wire.bcm > 8 for wire in pins.WIRING if "lamp" in wire.option)


def test_the_options_of_the_panel_are_the_wiring() -> None:
    options = {one.name for one in dataclasses.fields(PanelOptions) if one.name.endswith("_pin")}
    assert options == {wire.option for wire in pins.WIRING}
    assert all(getattr(OPTIONS, wire.option) == wire.bcm for wire in pins.WIRING)


@pytest.mark.parametrize(
    ("change", "key", "sentence"),
    [
        ({"left_pin": 5}, "panel.left_pin", "GPIO5 is used by panel.confirm_pin already"),
        ({"tray_light_pin": 14}, "panel.tray_light_pin", "GPIO14 is taken by the serial port"),
        ({"back_pin": 0}, "panel.back_pin", "the back button needs a pin"),
        ({"encoder_a_pin": 20}, "panel.encoder_b_pin", "needs both of its pins"),
    ],
)
def test_clashes_are_found(change: dict[str, int], key: str, sentence: str) -> None:
    ((found, text),) = clashes(dataclasses.replace(OPTIONS, **change))
    assert found == key
    assert sentence in text
