"""Draw the wiring table onto a picture of the header: `python -m scripts.wiring_picture` makes the SVG."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from hardware.panel.wiring import GROUNDS, PLACES, GroundWire, PinWire, Wiring, load

if TYPE_CHECKING:
    from collections.abc import Iterator

PICTURE: Final = Path(__file__).resolve().parents[1] / "docs" / "wiring.svg"
STEP: Final = 26
TOP: Final = 56
LEFT, RIGHT = 330, 362
WIRE: Final = 110
WIDTH: Final = 692
CAPTION: Final = "The 40-pin header, seen from above; places 1 and 2 are at the edge with the card"
SHADES: Final = {
    "red": "#d62f2f", "blue": "#2f62d6", "green": "#2a9d3c", "yellow": "#e0b400", "orange": "#ef7d1a",
    "white": "#ffffff", "violet": "#8e44ad", "grey": "#8a8a8a", "brown": "#7a4a21", "black": "#111111",
}  # fmt: skip


def draw_header(wiring: Wiring) -> str:
    """Return the picture as SVG. Colours are written out beside every wire too."""
    wires: list[PinWire | GroundWire] = [*wiring.lines, *wiring.grounds]
    used = {wire.header: wire for wire in wires}
    height = TOP + PLACES // 2 * STEP + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif">',
        "<style>text { font-size: 13px }</style>",
        "<title>Wiring of the panel</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#f4f1ea"/>',
        f'<text x="{WIDTH // 2}" y="24" text-anchor="middle">{CAPTION}</text>',
        f'<rect x="{LEFT - 16}" y="{TOP - 18}" width="{RIGHT - LEFT + 32}" height="{PLACES // 2 * STEP + 8}"/>',
    ]
    for place in range(1, PLACES + 1):
        parts += _place(place, used.get(place))
    return "\n".join([*parts, "</svg>", ""])


def _place(place: int, part: PinWire | GroundWire | None) -> Iterator[str]:
    odd = place % 2 == 1
    x, y = (LEFT if odd else RIGHT), TOP + (place - 1) // 2 * STEP
    side = -1 if odd else 1
    shade = "#777" if place in GROUNDS else "#c9a227"
    if part is not None:
        end = x + side * WIRE
        fill = SHADES.get(part.wire, "#bbbbbb")
        yield f'<path d="M{x} {y}H{end}" stroke="#111" stroke-width="7"/>'
        yield f'<path d="M{x} {y}H{end}" stroke="{fill}" stroke-width="5"/>'
        yield (
            f'<text x="{end + side * 8}" y="{y + 4}" text-anchor="{"end" if odd else "start"}">'
            f"{part.part}, {_pin(part)}, {part.wire}</text>"
        )
    yield f'<circle cx="{x}" cy="{y}" r="9" fill="{shade}"/>'
    yield f'<text x="{x}" y="{y + 4}" text-anchor="middle" style="font-size:10px">{place}</text>'


def _pin(part: PinWire | GroundWire) -> str:
    return f"GPIO {part.pin}" if isinstance(part, PinWire) else "ground"


def main() -> None:
    PICTURE.write_text(draw_header(load()), encoding="utf-8")


if __name__ == "__main__":
    main()
