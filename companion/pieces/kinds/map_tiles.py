"""A tile of the wasteland's map on paper: spaces with their borders, places, enemy icons, and its back."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland import lattice
from companion.cards.wasteland.words import Terrain, TileBack
from companion.pieces.drawing.pen import INK, PAPER

if TYPE_CHECKING:
    from companion.cards.wasteland.types import MapTile, TileSpace
    from companion.pieces.drawing.pen import Pen
    from companion.pieces.drawing.signs import PrintedWords

RADIUS: Final = 62.0
TILE: Final = (2 * RADIUS, sqrt(3) * RADIUS)
"""Width and height of a tile: enemy tokens of 20 mm and figures fit into its spaces."""
RED, GREEN, GREY, DARK = "#b8352a", "#23703c", "#8d8a78", "#22313b"
BORDER: Final = 0.8
INNER: Final = 0.955
"""Borders of terrain are drawn inside the space, shrunk toward its middle."""
WIDE, HIGH, LETTERS, ICON = 34.0, 5.0, 4.2, 18.0


def _spots(outline: tuple[lattice.Spot, ...], middle: lattice.Spot = (0, 0), scale: float = 1.0) -> list[lattice.Spot]:
    """Return an outline in millimetres from the lower left corner, shrunk toward a point; paper counts upwards."""
    x, y = middle
    shrunk = [(x + (a - x) * scale, y + (b - y) * scale) for a, b in outline]
    return [_spot(point) for point in shrunk]


def _spot(point: lattice.Spot) -> lattice.Spot:
    return RADIUS * (1 + point[0]), TILE[1] / 2 - RADIUS * point[1]


def draw_map_tile(pen: Pen, words: PrintedWords, tile: MapTile) -> None:
    """Draw the face: an arrow at the top, and every space with what is printed on it."""
    shapes = lattice.shapes(tile.pattern)
    for space in tile.spaces:
        shape = shapes[space.area]
        for outline in shape.outlines[:1]:
            pen.shape(_spots(outline), fill=PAPER, line=INK, thick=BORDER)
        for terrain, colour, scale in ((Terrain.DIFFICULT, RED, INNER), (Terrain.IRRADIATED, GREEN, INNER - 0.03)):
            if terrain in space.terrain:
                pen.shape(_spots(shape.outlines[0], shape.anchor, scale), line=colour, thick=1.6)
    for space in tile.spaces:
        _furnish(pen, words, space, shapes[space.area])
    top = TILE[1] - 2
    pen.shape([(RADIUS, top), (RADIUS - 2.5, top - 4), (RADIUS + 2.5, top - 4)], fill=INK)
    pen.fitted((RADIUS - 25, 1, 50, 3.4), _named(words, tile.names, tile.name or tile.id), 2.6, align="middle")


def _named(words: PrintedWords, names: object, otherwise: str) -> str:
    found = names.get(words.language) if isinstance(names, dict) else None
    return str(found or otherwise)


def _furnish(pen: Pen, words: PrintedWords, space: TileSpace, shape: lattice.Shape) -> None:
    """Write the place with its level, its name, and a circle for every enemy icon."""
    x, y = _spot(shape.anchor)
    lines = []
    if space.encounter is not None:
        level = "" if space.level is None else f" {space.level}"
        lines.append((words.say(f"wopt_{space.encounter.value}") + level, True))
    if space.name:
        lines.append((_named(words, space.names, space.name), False))
    top = y + (HIGH * len(lines) + ICON * bool(space.enemies)) / 2
    for line, bold in lines:
        top -= HIGH
        pen.fitted((x - WIDE / 2, top, WIDE, HIGH), line, LETTERS, bold=bold, align="middle")
    for nth, icon in enumerate(space.enemies):
        left = x + (nth - (len(space.enemies) - 1) / 2) * 20
        pen.disc(left, top - ICON / 2, ICON / 2 - 0.5, fill=PAPER, line=INK, thick=0.4)
        word = "?" if icon is None else words.say(f"wtype_{icon.value.replace('-', '_')}")
        pen.fitted((left - 9.5, top - ICON / 2 - 2, 19, 4), word, 3.0, bold=True, align="middle")


def draw_map_back(pen: Pen, words: PrintedWords, back: TileBack) -> None:
    """Draw what a facedown tile shows (W-SETUP-2)."""
    rim = [_spot(lattice.on_paper(corner)) for corner in lattice.CORNERS]
    pen.shape(rim, fill=DARK if back is TileBack.DEADLY else GREY, line=INK, thick=BORDER)
    middle = TILE[1] / 2
    top = TILE[1] - 2
    pen.shape([(RADIUS, top), (RADIUS - 2.5, top - 4), (RADIUS + 2.5, top - 4)], fill=PAPER)
    if back is TileBack.DEADLY:
        pen.shape([(RADIUS + RADIUS / 4 * x, middle + 12 + RADIUS / 4 * y) for x, y in _HEXAGON], line=PAPER, thick=2)
    else:
        pen.shape([(RADIUS - 16, middle), (RADIUS + 16, middle), (RADIUS, middle + 27)], line=PAPER, thick=2)
    word = words.say(f"back-{back.value}")
    pen.fitted((RADIUS - 45, middle - 20, 90, 12), word, 9, colour=PAPER, bold=True, align="middle")


_HEXAGON: Final = ((1, 0), (0.5, 0.87), (-0.5, 0.87), (-1, 0), (-0.5, -0.87), (0.5, -0.87))
