"""The vault at the end of a game as a picture, drawn by the pen that draws the cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.pieces.drawing.pen import INK, PLAYERS, draw_symbol
from companion.pieces.drawing.signs import draw_shape
from web.games.keepsake import CARD, DIM, TablePicture, inner_width
from web.games.shelter import vault

if TYPE_CHECKING:
    from companion.pieces.drawing.pen import Pen
    from web.games.shelter.cards import PackCards, VaultState
    from web.games.shelter.vault import DrawnSpace, Room, VaultPicture

NUMBERS: Final = 14.0
"""Room beside the vault for the numbers of its levels."""
HELD: Final = "#e4dccb"
THREAT: Final = "#f7d9a8"


def table_of(state: VaultState, cards: PackCards, language: str) -> TablePicture:
    picture = vault.picture_of(state, cards, language, vault.SCREEN)
    scale = (inner_width() - NUMBERS) / picture.width
    height = (picture.height - picture.geometry.row_gap) * scale

    def draw(pen: Pen) -> None:
        _levels(pen, picture, scale, height)
        for room in picture.rooms:
            _room(pen, picture, room, scale, height)

    return TablePicture(height, draw)


def _levels(pen: Pen, picture: VaultPicture, scale: float, height: float) -> None:
    for y, number, owner in picture.levels:
        middle = height - (y + picture.geometry.height / 2) * scale
        if owner:
            draw_symbol(pen, owner, (3.2, middle - 4.2), 4.6)
        pen.text(3.2, middle, number, 6.0, bold=True, align="middle")


def _room(pen: Pen, picture: VaultPicture, room: Room, scale: float, height: float) -> None:
    left, width = NUMBERS + room.x * scale, room.width * scale
    high = picture.geometry.height * scale
    low = height - room.y * scale - high
    if room.kind == "empty":
        pen.box(left, low, width, high, line=HELD, thick=0.3, corner=1.0)
        return
    line = PLAYERS.get(room.owner, INK) if room.kind == "elevator" else INK
    fill = HELD if room.kind == "elevator" else CARD
    pen.box(left, low, width, high, fill=fill, line=line, thick=0.8 if room.kind == "elevator" else 0.4, corner=1.0)
    if room.name:
        name = (left + 0.8, low + high * 0.68, width - 1.6, high * 0.3)
        pen.fitted(name, " ".join(room.name), 3.6, bold=True, align="middle", lines=2)
    for spot in room.spots:
        with pen.at(NUMBERS + spot.x * scale, low):
            _space(pen, spot, spot.width * scale, high, named=bool(room.name))


def _space(pen: Pen, spot: DrawnSpace, width: float, high: float, *, named: bool) -> None:
    """Draw one space: who stands there, the threat, or the circle."""
    x, y = width / 2, high * (0.36 if named else 0.5)
    side = min(width * 0.8, high * 0.5)
    printed = spot.printed
    if printed is not None and printed.fight:
        pen.box(0.5, 0.5, width - 1, high * 0.66, fill=THREAT, corner=0.8)
        draw_shape(pen, "fight", x - side / 2, y - side / 2, side)
        pen.text(
            x,
            y - side * 0.3,
            str(printed.fight),
            side * (0.42 if len(str(printed.fight)) == 1 else 0.36),
            bold=True,
            align="middle",
        )
    elif not spot.figures:
        pen.disc(x, y, side / 2, line=DIM, thick=0.3)
        if printed is not None and printed.letter:
            pen.text(x, y - side * 0.19, printed.letter, side * 0.5, colour=DIM, align="middle")
    for one in spot.figures:
        off = (one.x - spot.cx) / spot.width * width
        draw_symbol(pen, one.colour, (x + off, y), side * 0.8)
