"""The wiring diagram against the pins that the firmware uses when nothing is configured."""

from __future__ import annotations

import importlib.util
import re
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from firmware import pins

HARDWARE = Path(__file__).resolve().parents[2] / "hardware"
GROUNDS = {6, 9, 14, 20, 25, 30, 34, 39}


@pytest.fixture(scope="module")
def wiring() -> dict[str, Any]:
    with (HARDWARE / "wiring.toml").open("rb") as file:
        return tomllib.load(file)


def test_pins_are_the_firmware_s_defaults(wiring: dict[str, Any]) -> None:
    drawn = {f"{button['name']}_pin": button["bcm"] for button in wiring["button"]}
    drawn |= {f"{button['name']}_lamp_pin": button["lamp"]["bcm"] for button in wiring["button"]}
    drawn["tray_light_pin"] = wiring["light"]["bcm"]
    # 0 means not connected: such a wire is not drawn.
    assert drawn == {wire.option: wire.bcm for wire in pins.WIRING if wire.bcm}


def test_places_on_the_header(wiring: dict[str, Any]) -> None:
    wires = [wiring["light"], *wiring["button"], *(b["lamp"] for b in wiring["button"])]
    for wire in wires:
        assert wire["pin"] == pins.HEADER[wire["bcm"]], wire
    grounds = [wiring[part]["ground"] for part in ("contacts", "driver", "light")]
    assert set(grounds) <= GROUNDS
    supply = wiring["driver"]["supply"]
    assert supply["pin"] in {5: (2, 4), 3: (1, 17)}[supply["volts"]]
    places = [wire["pin"] for wire in wires] + grounds + [supply["pin"]]
    assert len(set(places)) == len(places), "two wires on one pin"
    assert len({button["lamp"]["input"] for button in wiring["button"]}) == 4


def test_the_diagram_is_of_this_wiring(wiring: dict[str, Any]) -> None:
    spec = importlib.util.spec_from_file_location("wiring", HARDWARE / "wiring.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    svg = (HARDWARE / "wiring.svg").read_text(encoding="utf-8")
    assert svg == module.draw(wiring), "run `make hardware`"
    ElementTree.fromstring(svg)
    for button in wiring["button"]:
        assert f">GPIO{button['bcm']}<" in svg
        assert f">GPIO{button['lamp']['bcm']}<" in svg


def test_the_list_in_the_guide_is_of_this_wiring(wiring: dict[str, Any]) -> None:
    guide = (HARDWARE / "README.md").read_text(encoding="utf-8")
    guide = guide.split("## 8. Wiring")[1].split("## 9.")[0]
    rows = {
        (int(pin), int(bcm) if bcm else None)
        for pin, bcm in re.findall(r"^\| (\d+) \| (?:GPIO(\d+))?[^|]*\|", guide, flags=re.M)
    }
    wires = [wiring["light"], *wiring["button"], *(b["lamp"] for b in wiring["button"])]
    wanted = {(wire["pin"], wire["bcm"]) for wire in wires}
    wanted |= {(wiring[part]["ground"], None) for part in ("contacts", "driver", "light")}
    wanted.add((wiring["driver"]["supply"]["pin"], None))
    assert rows == wanted
