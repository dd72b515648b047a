"""Tokens and dice of a wasteland pack on paper: each is folded in the middle, and has two sides."""

from __future__ import annotations

from math import cos, pi, sin
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.words import Area, Faction
from companion.pieces.drawing.pen import INK, INKS, PAPER, PLAYERS, draw_symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from companion.cards.wasteland.types import DieFace, Enemy
    from companion.pieces.drawing.pen import Pen, Point
    from companion.pieces.kinds.wasteland_cards import CardWords

ENEMY: Final = (22.0, 44.0)
"""Two sides of 22 mm, one above the other, with the fold between them."""
LETTER: Final = (15.0, 30.0)
TRAIT: Final = (26.0, 32.0)
CAP: Final = 15.0
MARKER: Final = 12.0
PEG: Final = (9.0, 9.0)
FACE: Final = 16.0
"""A die's side: that of dice in a box."""
FLAP: Final = 5.0
LID: Final = 1
"""The side of the row that lid and floor hang on."""
DIE: Final = (4 * FACE + FLAP, 3 * FACE + 2 * FLAP)
TINTS: Final = {
    "critter": "straw",
    "human": "clay",
    "robot": "sky",
    "monster": "lilac",
    "super-mutant": "mint",
    "star": "coral",
    "shield": "teal",
}


def _folded(pen: Pen, size: Point, front: Callable[[], None], back: Callable[[], None]) -> None:
    """Draw both sides of a token: the back stands on its head, so that the fold puts it right."""
    width, height = size
    pen.line([(0, height / 2), (width, height / 2)], INKS["grey"], 0.2, dash=1)
    with pen.at(0, height / 2):
        front()
    with pen.at(width, height / 2, turn=180):
        back()


def draw_enemy(pen: Pen, words: CardWords, enemy: Enemy) -> None:
    """Draw an enemy token: faceup its name, level, vulnerable areas and abilities, facedown its type."""
    side, tint = ENEMY[0], INKS[TINTS[enemy.type.value]]

    def front() -> None:
        pen.box(0, 0, side, side, fill=PAPER, line=INK)
        pen.box(0, side - 7.5, side, 7.5, fill=tint, line=INK)
        pen.fitted((0.8, side - 7.2, side - 1.6, 7), words.told(enemy.name), 2.8, bold=True, align="middle", lines=2)
        draw_body(pen, (0.3, 1.4), 11.4, enemy.areas)
        pen.disc(side - 3.8, 3.8, 3.2, fill=PAPER, line=INK, thick=0.5)
        level = enemy.level_letter or str(enemy.level)
        pen.fitted((side - 6.6, 1.3, 5.6, 5), level, 4.4, bold=True, align="middle")
        told = [(words.text(f"wability_{one.value}"), False) for one in sorted(enemy.abilities)]
        if told:
            pen.column((7.2, 7.2, side - 7.4, 7), told, 2.2)

    def back() -> None:
        pen.box(0, 0, side, side, fill=tint, line=INK)
        if enemy.type.value in list(Faction):
            draw_faction(pen, Faction(enemy.type.value), (side / 2, 13.5), 6)
        else:
            pen.text(side / 2, 11, "?", 8, bold=True, align="middle")
        pen.fitted((1, 1, side - 2, 7), words.kind(enemy.type.value), 3, bold=True, align="middle", lines=2)

    _folded(pen, ENEMY, front, back)


def draw_body(pen: Pen, corner: Point, height: float, areas: Collection[Area]) -> None:
    """Draw the chart of a body: head, body, arms and legs, those that count filled."""
    unit, (x, y) = height / 50, corner

    def part(area: Area, left: float, low: float, width: float, high: float) -> None:
        fill = INK if area in areas else PAPER
        pen.box(x + left * unit, y + low * unit, width * unit, high * unit, fill=fill, line=INK, thick=0.3, corner=0.4)

    pen.disc(x + 15 * unit, y + 42 * unit, 6.5 * unit, fill=INK if Area.HEAD in areas else PAPER, line=INK)
    part(Area.BODY, 9, 18, 12, 16)
    part(Area.ARMS, 2, 18, 5.5, 16)
    part(Area.ARMS, 22.5, 18, 5.5, 16)
    part(Area.LEGS, 9, 1, 5.3, 15.5)
    part(Area.LEGS, 15.7, 1, 5.3, 15.5)


def draw_faction(pen: Pen, faction: Faction, middle: Point, size: float) -> None:
    """Draw the mark of a faction: a star or a shield."""
    x, y = middle
    if faction is Faction.STAR:
        rays = [(size * (1 if nth % 2 == 0 else 0.42), pi / 2 + nth * pi / 5) for nth in range(10)]
        pen.shape([(x + far * cos(turn), y + far * sin(turn)) for far, turn in rays], fill=INK)
        return
    outline = ((-0.8, 0.9), (0.8, 0.9), (0.8, -0.1), (0.0, -1.0), (-0.8, -0.1))
    pen.shape([(x + size * right, y + size * up) for right, up in outline], fill=INK)


def draw_letter(pen: Pen, letter: str, tint: str = "cream") -> None:
    """Draw a S.P.E.C.I.A.L. token: its letter, and one back for all."""
    side = LETTER[0]

    def front() -> None:
        pen.box(0, 0, side, side, fill=INKS[tint], line=INK)
        pen.text(side / 2, side / 2 - 3.2, letter, 9, bold=True, align="middle")

    def back() -> None:
        pen.box(0, 0, side, side, fill=INKS["night"], line=INK)
        pen.disc(side / 2, side / 2, 4, line=PAPER, thick=0.8)

    _folded(pen, LETTER, front, back)


def draw_trait(pen: Pen, words: CardWords, sides: tuple[str, str], locked: str = "") -> None:
    """Draw a trait token with its two sides; one with a lock has it on the side that is locked."""

    def side(trait: str, tint: str) -> None:
        width, height = TRAIT[0], TRAIT[1] / 2
        pen.box(0, 0, width, height, fill=INKS[tint], line=INK)
        name = words.text(f"wtrait_{trait.replace('-', '_')}")
        named = words.text("wlocked", what=name) if trait == locked else name
        pen.fitted((1.5, 2, width - 3, height - 4), named, 3.6, bold=True, align="middle", lines=2)

    _folded(pen, TRAIT, lambda: side(sides[0], "straw"), lambda: side(sides[1], "lilac"))


def draw_cap(pen: Pen, worth: int) -> None:
    """Draw a bottle cap: a disc with teeth, and what it is worth."""
    middle, rim = CAP / 2, CAP / 2 - 0.4
    rays = [(rim * (1 if nth % 2 else 0.9), nth * pi / 21) for nth in range(42)]
    pen.shape(
        [(middle + far * cos(turn), middle + far * sin(turn)) for far, turn in rays], fill=INKS["stone"], line=INK
    )
    pen.disc(middle, middle, rim * 0.7, fill=PAPER, line=INK, thick=0.3)
    pen.text(middle, middle - 2.3, str(worth), 6.5, bold=True, align="middle")


def draw_quest_marker(pen: Pen, number: int) -> None:
    """Draw what lies in a space that a quest names."""
    pen.box(0, 0, MARKER, MARKER, fill=INKS["moss"], line=INK, thick=0.4)
    pen.text(MARKER / 2, MARKER / 2 - 2.6, str(number), 7, colour=PAPER, bold=True, align="middle")


def draw_power_marker(pen: Pen, faction: Faction) -> None:
    pen.box(0, 0, MARKER, MARKER, fill=INKS[TINTS[faction.value]], line=INK, thick=0.4)
    draw_faction(pen, faction, (MARKER / 2, MARKER / 2), 4)


def draw_peg(pen: Pen, player: str, word: str) -> None:
    """Draw a peg of a survivor board: whose it is, and for what."""
    width, height = PEG
    pen.box(0, 0, width, height, fill=PAPER, line=PLAYERS[player], thick=0.9)
    draw_symbol(pen, player, (width / 2, height - 3), 3)
    pen.fitted((0.8, 0.9, width - 1.6, 3.6), word, 2.6, bold=True, align="middle")


def draw_die(pen: Pen, number: int, faces: tuple[DieFace, ...]) -> None:
    """Draw the net of a die: four sides in a row, a lid and a floor, and flaps to glue; its number is on each side."""
    row, lid, floor = FLAP + FACE, FLAP + 2 * FACE, FLAP + FACE
    for column in range(4):
        x = column * FACE
        for edge, up in ((lid, 1), (floor, -1)) if column != LID else ((lid + FACE, 1), (floor - FACE, -1)):
            _flap(pen, [(x + 1, edge), (x + FACE - 1, edge), (x + FACE - 3, edge + up * 4), (x + 3, edge + up * 4)])
    right = 4 * FACE
    _flap(pen, [(right, row + 1), (right + 4, row + 3), (right + 4, lid - 3), (right, lid - 1)])
    corners = [*((column * FACE, row) for column in range(4)), (LID * FACE, lid), (LID * FACE, floor - FACE)]
    for (x, y), face in zip(corners, faces, strict=True):
        with pen.at(x, y):
            draw_face(pen, number, face)


def _flap(pen: Pen, points: list[Point]) -> None:
    pen.shape(points, line=INKS["grey"], thick=0.2)


def draw_face(pen: Pen, number: int, face: DieFace) -> None:
    """Draw a side of a die: the filled areas of a body, a bullet for each hit, and which die it is."""
    pen.box(0, 0, FACE, FACE, fill=PAPER, line=INK, thick=0.3)
    draw_body(pen, (1.0, 1.3), FACE - 2.6, face.areas)
    for hit in range(face.hits):
        low = 2.0 + hit * 4.4
        pen.shape([(12.2, low), (14.6, low), (14.6, low + 2.2), (13.4, low + 3.8), (12.2, low + 2.2)], fill=INK)
    for dot in range(number):
        pen.disc(10.6 + dot * 1.9, FACE - 1.8, 0.6, fill=INK)
