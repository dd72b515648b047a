"""The inks of our cards. None is a player's colour: a figure must not look like a picture."""

from __future__ import annotations

from typing import Final

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
