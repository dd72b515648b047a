"""Costs, rewards and effects as rows of signs, and the words on printed pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.cards.effects import icons_of
from companion.cards.item_effects import EffectSign
from companion.languages import catalogues
from companion.pieces.drawing.pen import INK, INKS, PAPER
from companion.pieces.drawing.shapes import GRID, LINE, Segment, segments_of, shapes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from companion.cards.effects import CostIcon, PrintedIcon, RewardIcon, Space
    from companion.cards.item_effects import ItemEffect
    from companion.pieces.drawing.pen import Pen


APART: Final = 0.12
"""Between two signs, as a share of their side."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A shape, and what is written on it: how many, a letter, a fight's number."""

    shape: str
    note: str = ""


TO: Final = Sign("to")


def space_signs(space: Space) -> list[Sign]:
    """Return the signs of a space: `cost -> reward`, a fight in front of the arrow."""
    cost = [sign for icon in space.cost for sign in signs_of(icon)]
    if space.fight is not None:
        cost.append(Sign("fight", str(space.fight)))
    return [*cost, TO, *(sign for icon in space.reward for sign in signs_of(icon))]


def cost_signs(cost: Iterable[CostIcon]) -> list[Sign]:
    """Return what a room costs to build."""
    return [Sign("build"), *(sign for icon in cost for sign in signs_of(icon))]


def signs_of(icon: CostIcon | RewardIcon) -> list[Sign]:
    return [_sign(one) for one in icons_of([icon])]


def _sign(icon: PrintedIcon) -> Sign:
    return Sign(icon.sign, icon.sign_letter or (str(icon.amount) if icon.amount > 1 else ""))


def draw_signs(pen: Pen, signs: Sequence[Sign], box: tuple[float, float, float, float], align: str = "middle") -> None:
    """Draw a row of signs in a box (x, y, width, height), as large as fits."""
    x, y, width, height = box
    side = min(height, width / (len(signs) + APART * (len(signs) - 1)))
    wide = side * (len(signs) + APART * (len(signs) - 1))
    left = x + {"left": 0.0, "middle": 0.5, "right": 1.0}[align] * (width - wide)
    low = y + (height - side) / 2
    for index, sign in enumerate(signs):
        draw_sign(pen, sign, left + index * side * (1 + APART), low, side)


def draw_sign(pen: Pen, sign: Sign, x: float, y: float, side: float) -> None:
    """Draw one sign; a fight's number stands in its triangle, how many and which letter in a corner of their own."""
    draw_shape(pen, sign.shape, x, y, side)
    if not sign.note:
        return
    if sign.shape == "fight":
        size = (0.42 if len(sign.note) == 1 else 0.36) * side
        pen.text(x + side / 2, y + 0.2 * side, sign.note, size, bold=True, align="middle")
        return
    radius, middle = 0.27 * side, (x + 0.78 * side, y + 0.24 * side)
    pen.disc(*middle, radius, fill=PAPER, line=INK, thick=0.04 * side)
    size = 1.45 * radius if len(sign.note) == 1 else 1.15 * radius
    pen.text(middle[0], middle[1] - 0.36 * size, sign.note, size, bold=True, align="middle")


def draw_shape(pen: Pen, name: str, x: float, y: float, side: float) -> None:
    """Draw the shape of a sign with its lower left corner here, so many millimetres high."""
    shape, scale = shapes()[name], side / GRID
    with pen.at(x, y):
        placed = [
            Segment(one.kind, tuple((right * scale, side - down * scale) for right, down in one.points))
            for one in segments_of(shape.path)
        ]
        pen.trace(placed, fill=INKS[shape.tint] if shape.tint else None, line=INK, thick=LINE * scale)


def effect_signs(effect: ItemEffect) -> list[Sign]:
    """Return the signs: how it is used, and what it does."""
    used = [Sign(effect.use.value), TO] if len(effect.uses) > 1 else []
    done = [[Sign(*one)] if isinstance(one, EffectSign) else signs_of(one) for one in effect.drawn()]
    return [*used, *(sign for signs in done for sign in signs)]


@dataclass(frozen=True, slots=True)
class PrintedWords:
    """The words of one language: those of the sheets, and the names of the cards."""

    language: str
    texts: Mapping[str, str]
    names: Mapping[str, str]

    def say(self, key: str, **fields: object) -> str:
        """Return a text with its fields filled in."""
        return self.texts[key].format(**fields)

    def count(self, key: str, number: int) -> str:
        """Return a number and its noun, in the right form."""
        forms = (catalogues.language(code).form(number) for code in (self.language, catalogues.DEFAULT))
        return next(self.texts[found] for form in forms if (found := f"{key}.{form}") in self.texts).format(n=number)

    @classmethod
    def of(cls, language: str, names: Mapping[str, Mapping[str, str]]) -> PrintedWords:
        """Return the words of a language: what sheets do not say otherwise is said as on the pages."""
        texts = {**catalogues.texts(language, "pages"), **catalogues.texts(language, "printed")}
        return cls(language, texts, {**names.get(catalogues.DEFAULT, {}), **names.get(language, {})})

    def name(self, card: str) -> str:
        """Return a card's name; a card without one is called by its id."""
        return self.names.get(card) or card.replace("-", " ").capitalize()
