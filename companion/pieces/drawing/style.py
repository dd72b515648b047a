"""Fonts, inks and the players' colours and symbols of everything printed. The fonts have Polish and Russian letters."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFont

if TYPE_CHECKING:
    from companion.pieces.drawing.pen import Pen, Point


PLAIN: Final = "DejaVuSansCondensed"
BOLD: Final = "DejaVuSansCondensed-Bold"


@cache
def register() -> None:
    """Register the fonts; calling it again does nothing."""
    for name in (PLAIN, BOLD):
        with resources.as_file(resources.files("companion.pieces") / "fonts" / f"{name}.ttf") as path:
            registerFont(TTFont(name, str(path)))


INK: Final = "#2b2a33"
PAPER: Final = "#ffffff"
INKS: Final = {
    "ink": INK,
    "paper": "#fffdf6",
    "cream": "#f1e6cd",
    "straw": "#d9c692",
    "wood": "#a77a52",
    "bark": "#6d4d36",
    "clay": "#bd8163",
    "moss": "#82925f",
    "mint": "#b3d3c4",
    "sky": "#b4d2de",
    "teal": "#5f9799",
    "night": "#454f69",
    "plum": "#7d5a7b",
    "lilac": "#bdb1cd",
    "rose": "#dcaea9",
    "coral": "#d18f7c",
    "grey": "#9b9ba1",
    "stone": "#d0cbc2",
    "dark": "#55535c",
}
PLAYERS: Final = {"red": "#c41c22", "blue": "#1c4ab6", "green": "#228a3e", "yellow": "#ecbc1e"}
"""What figures are painted with: the colours of the profile's first guess."""


CORNERS: Final[dict[str, tuple[Point, ...]]] = {
    "blue": ((-1.0, -0.85), (1.0, -0.85), (0.0, 0.95)),
    "green": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    "yellow": ((0.0, -1.05), (1.05, 0.0), (0.0, 1.05), (-1.05, 0.0)),
}


def draw_symbol(pen: Pen, player: str, middle: Point, size: float, colour: str | None = None) -> None:
    """Draw a player's symbol of a width in mm: red a disc, blue a triangle, green a square, yellow a diamond."""
    x, y = middle
    half, ink = size / 2, colour or PLAYERS[player]
    if player == "red":
        pen.disc(x, y, half, fill=ink)
        return
    pen.shape([(x + half * dx, y + half * dy) for dx, dy in CORNERS[player]], fill=ink)
