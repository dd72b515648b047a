"""Draw the cards: rooms, elevators, threats and items, in a layout of our own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.cards.item_effects import sentence_of
from companion.pieces.drawing.pen import INK, INKS, PAPER, PLAYERS, draw_symbol
from companion.pieces.drawing.pictures import draw_picture, pictures
from companion.pieces.drawing.shapes import shapes
from companion.pieces.drawing.signs import (
    Sign,
    cost_signs,
    draw_shape,
    draw_sign,
    draw_signs,
    effect_signs,
    space_signs,
)
from companion.pieces.kinds.deck import draw_tag, side_with_quiet
from companion.pieces.kinds.mat import CARD, CARD_TAG, RING, SPACES, THREAT, THREAT_SPACE, tag_middle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.cards.effects import Space
    from companion.cards.pack import ItemCard, RoomCard, ThreatCard
    from companion.pieces.drawing.pen import Pen, Point
    from companion.pieces.drawing.signs import PrintedWords

TINTS: Final = ("#f3ead6", "#d3e6dc", "#d3e4ec", "#dad2e3", "#eed6d2", "#dcd9d2", "#fffdf6")
"""Pale: a dweller of any colour stands out, and the printer has less to do."""
GREY: Final = "#c9c6c0"
ROUNDED: Final = 2.5
MARGIN: Final = 2.0
TITLE: Final = 7.5
STRIP: Final = (2.8, 8.2)
"""Where the strip of signs is, and how high."""
FREE: Final = side_with_quiet(CARD_TAG) + 1.0
"""What the tag takes of a card's top right."""
MIDDLE: Final = (CARD[0] / 2, CARD[1] / 2)
NUMBER: Final = 8.0
NUMBER_AT: Final = (36.0, -8.8)
"""Where a column's number is: so far to the side of the card's middle, and so far up."""


@dataclass(frozen=True, slots=True)
class CardFace:
    """What every card has: its id, its tag, and the words of a language."""

    id: str
    tag: int
    words: PrintedWords

    @property
    def tint(self) -> str:
        """The colour of its paper: by its id, so that it is always the same."""
        return TINTS[sum(self.id.encode()) % len(TINTS)]

    @property
    def name(self) -> str:
        return self.words.name(self.id)


def draw_room(pen: Pen, face: CardFace, card: RoomCard, numbers: Sequence[int | None] = ()) -> None:
    """Draw a room: picture, price, its spaces with their strips of signs; on the top level the column numbers too."""
    _ground(pen, CARD, face.tint)
    _title(pen, CARD, face.name)
    _picture(pen, face.id, (4, 32.8), 20)
    if card.build_cost is not None:
        pen.box(27, 40.5, 35, 9.5, fill=PAPER, line=INK, corner=1.5)
        draw_signs(pen, cost_signs(card.build_cost), (28, 41.5, 33, 7.5))
    for side, space in zip("ab", card.spaces, strict=True):
        if space is not None:
            _space(pen, (MIDDLE[0] + SPACES[side][0], MIDDLE[1] + SPACES[side][1]), space)
            draw_signs(pen, space_signs(space), (MARGIN + (43 if side == "b" else 0), STRIP[0], 41, STRIP[1]))
    for way, number in zip((-1, 1), numbers, strict=False):
        if number is not None:
            draw_number(pen, (MIDDLE[0] + way * NUMBER_AT[0], MIDDLE[1] + NUMBER_AT[1]), number)
    _tag(pen, CARD, face.tag)


def draw_number(pen: Pen, middle: Point, number: int) -> None:
    """Draw a column's number in its box, which the camera reads too."""
    x, y = middle
    pen.box(x - NUMBER / 2, y - NUMBER / 2, NUMBER, NUMBER, fill=PAPER, line=INK, thick=0.5, corner=1)
    pen.text(x, y - 2.2, str(number), 6, bold=True, align="middle")


def draw_elevator(pen: Pen, face: CardFace, space: Space, player: str | None, number: int | None) -> None:
    """Draw an elevator: grey, its player's by name and symbol, or the top level's with its number."""
    colour = f" · {face.words.say(f'colour-{player}')}" if player is not None else ""
    _ground(pen, CARD, GREY)
    _title(pen, CARD, face.words.name("elevator") + colour)
    _picture(pen, "elevator", (4, 26), 26)
    middle = (MIDDLE[0] + SPACES["E"][0], MIDDLE[1] + SPACES["E"][1])
    _space(pen, middle, space)
    draw_signs(pen, space_signs(space), (24, STRIP[0], 40, STRIP[1]))
    if player is not None:
        pen.box(3, 3, 12, 12, fill=PAPER, line=PLAYERS[player], thick=1.2, corner=2)
        draw_symbol(pen, player, (9, 9), 7)
    if number is not None:
        pen.box(4, 5, 10, 10, fill=PAPER, line=INK, thick=0.5, corner=1)
        pen.text(9, 7.4, str(number), 7, bold=True, align="middle")
    _tag(pen, CARD, face.tag)


def draw_threat(pen: Pen, face: CardFace, card: ThreatCard) -> None:
    """Draw a threat: its own space, laid over another."""
    width, height = THREAT
    _ground(pen, THREAT, face.tint)
    _picture(pen, face.id, (1.6, height - 16.0), 13.4, otherwise="fight")
    if card.space.fight is not None:
        draw_sign(pen, Sign("fight", str(card.space.fight)), 1.8, height - 26.4, 10)
    _space(pen, (width / 2 + THREAT_SPACE[0], height / 2 + THREAT_SPACE[1]), card.space)
    draw_signs(pen, space_signs(card.space), (2, 7.0, width - 4, 5.8))
    pen.fitted((1.5, 1.2, width - 3, 5.4), face.name, 3.4, bold=True, align="middle", lines=1)
    _tag(pen, THREAT, face.tag)


def draw_item(pen: Pen, face: CardFace, card: ItemCard) -> None:
    """Draw an item: picture, what it does in signs and in words, and how it is used."""
    _ground(pen, CARD, face.tint)
    _title(pen, CARD, face.name)
    _picture(pen, face.id, (4, 13), 37, otherwise=card.kind if card.kind in shapes() else "item")
    pen.fitted((4, 3, 37, 7), face.words.say(f"kind-{card.kind}"), 4, colour=INKS["dark"])
    draw_signs(pen, effect_signs(card.effect), (44, 25, 41, 11))
    pen.fitted((44, 3, 41, 20.5), sentence_of(card.effect, face.words.say), 3.3, align="middle", lines=5)
    _tag(pen, CARD, face.tag)


# --- parts of a card --------------------------------------------------------------------------------------------------


def _ground(pen: Pen, size: Point, tint: str) -> None:
    pen.box(0, 0, *size, fill=PAPER)
    pen.box(0.8, 0.8, size[0] - 1.6, size[1] - 1.6, fill=tint, line=INK, thick=0.5, corner=ROUNDED)


def _title(pen: Pen, size: Point, name: str) -> None:
    box = (MARGIN + 1, size[1] - MARGIN - TITLE, size[0] - FREE - MARGIN - 2, TITLE)
    pen.fitted(box, name, 5.6, bold=True, lines=2)


def _picture(pen: Pen, name: str, corner: Point, side: float, *, otherwise: str = "room") -> None:
    """Draw the card's picture; a card that an owner has added has none, and shows a sign of what it is."""
    draw = draw_picture if name in pictures() else draw_shape
    draw(pen, name if name in pictures() else otherwise, *corner, side)


def _tag(pen: Pen, size: Point, tag: int) -> None:
    draw_tag(pen, tag, tag_middle(size), CARD_TAG)


def _space(pen: Pen, middle: Point, space: Space) -> None:
    """Draw a circle to stand in, with its letter; a second one where two must stand, a plaster for the injured."""
    x, y = middle
    if space.linked:
        pen.disc(x + 3.2, y, RING - 0.6, line=INK, thick=0.6)
        pen.disc(x - 3.2, y, RING - 0.6, line=INK, thick=0.6)
    pen.disc(x, y, RING - 0.4, fill=PAPER, line=INK, thick=0.6)
    if space.injured_only:
        draw_shape(pen, "heal", x - 4.5, y - 4.5, 9)
    elif space.letter is not None:
        pen.text(x, y - 4.2, space.letter.value, 11.5, colour=INKS["grey"], bold=True, align="middle")
    elif space.linked:
        draw_shape(pen, "linked", x - 6, y - 6, 12)
