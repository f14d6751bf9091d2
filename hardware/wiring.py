"""Draw the wiring diagram: wiring.toml -> wiring.svg (Python 3.11+, nothing else needed)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
COLOURS = {
    "red": "#d8433f",
    "yellow": "#c99a12",
    "blue": "#2f7fd6",
    "green": "#2f9e58",
    "ground": "#333333",
    "plus": "#e0662b",
    "light": "#8a5bc2",
}
PITCH = 26
HEADER_X, HEADER_Y = 470, 70
POWER = {1: "3V3", 17: "3V3", 2: "5V", 4: "5V"}
GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)


def place(pin: int) -> tuple[float, float]:
    """Middle of a pin of the header, which is drawn as one sees it with the USB ports below."""
    row, column = divmod(pin - 1, 2)
    return HEADER_X + column * PITCH, HEADER_Y + row * PITCH


class Drawing:
    """SVG elements, collected."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def box(self, x: float, y: float, w: float, h: float, fill: str = "#ffffff") -> None:
        """A rounded rectangle."""
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="6" fill="{fill}" '
            'stroke="#555" stroke-width="1.5"/>'
        )

    def dot(self, x: float, y: float, fill: str, r: float = 5) -> None:
        """A filled circle."""
        self.parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{fill}"/>')

    def text(
        self, x: float, y: float, words: str, *, anchor: str = "start", size: int = 13
    ) -> None:
        """A line of text, its middle height at y."""
        self.parts.append(
            f'<text x="{x:g}" y="{y + size * 0.35:g}" font-size="{size}" text-anchor="{anchor}">'
            f"{words}</text>"
        )

    def wire(self, colour: str, *points: tuple[float, float]) -> None:
        """A wire through points, with a white edge so that crossings can be told."""
        path = "M" + " L".join(f"{x:g},{y:g}" for x, y in points)
        for stroke, width in (("#ffffff", 7), (COLOURS[colour], 3)):
            self.parts.append(
                f'<path d="{path}" fill="none" stroke="{stroke}" stroke-width="{width}" '
                'stroke-linejoin="round"/>'
            )

    def svg(self, width: int, height: int) -> str:
        """The whole picture."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" font-family="DejaVu Sans, Verdana, sans-serif">\n'
            f'<rect width="{width}" height="{height}" fill="#fafafa"/>\n'
            + "\n".join(self.parts)
            + "\n</svg>\n"
        )


def board(drawing: Drawing) -> None:
    """What lies under the wires: the header's body and its name."""
    drawing.box(HEADER_X - 20, HEADER_Y - 20, PITCH + 40, 19 * PITCH + 40, "#e8eee8")
    drawing.text(
        HEADER_X + PITCH / 2, HEADER_Y - 46, "Raspberry Pi, 40 pins", anchor="middle", size=15
    )
    drawing.text(
        HEADER_X + PITCH / 2, HEADER_Y - 28, "pin 1 at the card's end", anchor="middle", size=11
    )


def pins(drawing: Drawing, used: dict[int, str]) -> None:
    """The 40 pins, above the wires, with the numbers of those in use."""
    for pin in range(1, 41):
        x, y = place(pin)
        fill = used.get(pin, "#333333" if pin in GROUNDS else "#c9b458")
        drawing.dot(x, y, fill, 7 if pin in used else 5)
        if pin in used or pin in (1, 40):
            side = -1 if pin % 2 else 1
            anchor = "end" if side < 0 else "start"
            drawing.text(x + side * 23, y - 7, str(pin), anchor=anchor, size=10)


def buttons(drawing: Drawing, table: list[dict[str, Any]], ground: int) -> None:
    """Contacts on the left: each between its pin and ground."""
    ordered = sorted(table, key=lambda button: button["pin"])
    for number, button in enumerate(ordered):
        y = 250 + number * 110
        colour = button["colour"]
        drawing.box(40, y, 150, 70)
        drawing.dot(72, y + 35, COLOURS[colour], 19)
        drawing.text(104, y + 24, f"{button['name']}", size=15)
        drawing.text(104, y + 46, "contact", size=11)
        pin_x, pin_y = place(button["pin"])
        lane = 300 + number * 22
        drawing.wire(colour, (190, y + 20), (lane, y + 20), (lane, pin_y), (pin_x, pin_y))
        drawing.text(198, y + 10, f"GPIO{button['bcm']}", size=11)
        drawing.wire("ground", (190, y + 52), (250, y + 52))
    x, y = place(ground)
    drawing.wire("ground", (250, 302), (250, 680), (x - 40, 680), (x - 40, y), (x, y))
    drawing.text(262, 668, "one wire for all four", size=11)


def lamps(drawing: Drawing, table: list[dict[str, Any]], driver: dict[str, Any]) -> None:
    """The transistor array on the right, and the lamps behind it."""
    left, top = 690, 210
    drawing.box(left, top, 120, 260)
    drawing.text(left + 60, top + 22, driver["part"], anchor="middle", size=15)
    ordered = sorted(table, key=lambda button: button["lamp"]["input"])
    for button in ordered:
        lamp = button["lamp"]
        y = top + 15 + lamp["input"] * 40
        x, pin_y = place(lamp["pin"])
        lane = 575 + 20 * (4 - lamp["input"] if pin_y < y else lamp["input"])
        start = [(x, pin_y)]
        if lamp["pin"] % 2:  # from the inner row, between two pins of the outer one
            start += [
                (x + PITCH / 2, pin_y),
                (x + PITCH / 2, pin_y + PITCH / 2),
                (lane, pin_y + PITCH / 2),
            ]
        else:
            start += [(lane, pin_y)]
        drawing.wire(button["colour"], *start, (lane, y), (left, y))
        drawing.text(left + 8, y, f"IN{lamp['input']}", size=11)
        drawing.text(left + 112, y, f"OUT{lamp['input']}", anchor="end", size=11)
        drawing.text(left - 6, y - 10, f"GPIO{lamp['bcm']}", anchor="end", size=11)
        drawing.wire(button["colour"], (left + 120, y), (left + 190, y))
        drawing.box(left + 190, y - 15, 110, 30)
        drawing.dot(left + 208, y, COLOURS[button["colour"]], 9)
        drawing.text(left + 224, y, f"{button['name']} −", size=12)
        drawing.wire("plus", (left + 300, y), (left + 330, y))
    x, y = place(driver["supply"]["pin"])
    plus = left + 330
    drawing.wire("plus", (x, y), (x + 80, y), (x + 80, 40), (plus, 40), (plus, top + 215))
    drawing.text(
        plus - 8,
        28,
        f"{driver['supply']['volts']} V to the plus of every lamp",
        anchor="end",
        size=11,
    )
    drawing.wire("plus", (plus, top + 215), (left + 120, top + 215))
    drawing.text(left + 112, top + 215, "COM", anchor="end", size=11)
    x, y = place(driver["ground"])
    drawing.wire(
        "ground", (x, y), (x + 60, y), (x + 60, 520), (left + 60, 520), (left + 60, top + 260)
    )
    drawing.text(left + 60, top + 245, "GND", anchor="middle", size=11)


def light(drawing: Drawing, table: dict[str, Any]) -> None:
    """The tray's light with its switch and its own supply."""
    left, top = 690, 70
    volts = table["supply"]["volts"]
    drawing.box(left, top, 120, 100)
    drawing.text(left + 60, top + 16, table["part"], anchor="middle")
    x, y = place(table["pin"])
    across = y + PITCH / 2
    lane = 560
    drawing.wire(
        "light",
        (x, y),
        (x + PITCH / 2, y),
        (x + PITCH / 2, across),
        (lane, across),
        (lane, top + 45),
        (left, top + 45),
    )
    drawing.text(left + 8, top + 45, "IN", size=11)
    drawing.text(left - 6, top + 35, f"GPIO{table['bcm']}", anchor="end", size=11)
    x, y = place(table["ground"])
    drawing.wire("ground", (x, y), (lane - 16, y), (lane - 16, top + 75), (left, top + 75))
    drawing.text(left + 8, top + 75, "GND", size=11)
    drawing.box(left + 190, top + 5, 120, 36, "#fff6d8")
    drawing.text(left + 250, top + 23, "light bars", anchor="middle")
    drawing.box(left + 190, top + 62, 120, 36)
    drawing.text(left + 250, top + 80, f"{volts} V supply", anchor="middle")
    drawing.wire("light", (left + 120, top + 23), (left + 190, top + 23))
    drawing.wire("ground", (left + 120, top + 80), (left + 190, top + 80))
    drawing.wire("plus", (left + 250, top + 62), (left + 250, top + 41))
    drawing.text(left + 155, top + 13, "−", anchor="middle")
    drawing.text(left + 262, top + 52, "+", anchor="middle")


def draw(table: dict[str, Any]) -> str:
    """The diagram of a wiring table as SVG."""
    used = {
        table["contacts"]["ground"]: COLOURS["ground"],
        table["driver"]["supply"]["pin"]: COLOURS["plus"],
        table["driver"]["ground"]: COLOURS["ground"],
    }
    used |= {table["light"]["pin"]: COLOURS["light"], table["light"]["ground"]: COLOURS["ground"]}
    for button in table["button"]:
        used |= {
            button["pin"]: COLOURS[button["colour"]],
            button["lamp"]["pin"]: COLOURS[button["colour"]],
        }
    drawing = Drawing()
    board(drawing)
    light(drawing, table["light"])
    lamps(drawing, table["button"], table["driver"])
    buttons(drawing, table["button"], table["contacts"]["ground"])
    pins(drawing, used)
    drawing.text(40, 70, "Wiring of the dice table", size=20)
    drawing.text(40, 96, "Contacts close to ground. The Pi pulls them up itself.", size=12)
    drawing.text(40, 116, "All grounds meet on the Pi; 12 V never touches it.", size=12)
    return drawing.svg(1060, 720)


def load() -> dict[str, Any]:
    """The wiring table."""
    with (HERE / "wiring.toml").open("rb") as file:
        return tomllib.load(file)


if __name__ == "__main__":
    (HERE / "wiring.svg").write_text(draw(load()), encoding="utf-8")
