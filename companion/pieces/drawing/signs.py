"""Costs, rewards and effects as rows of signs, and the words on printed pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.cards.effects import ROOMS, icons_of
from companion.cards.item_effects import EffectSign
from companion.languages import catalogues
from companion.pieces.drawing.pen import INK, PAPER
from companion.pieces.drawing.pictures import draw_picture

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from companion.cards.effects import CostIcon, PrintedIcon, RewardIcon, Space
    from companion.cards.item_effects import ItemEffect
    from companion.pieces.drawing.pen import Pen


APART: Final = 0.12
"""Between two signs, as a share of their side."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A picture, and what is written on it: how many, a letter, a number."""

    picture: str
    note: str = ""
    over: str = ""
    """A smaller picture in its middle."""


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
    """Training without a letter is any letter's, which a sheet says by a star; a track is a smaller picture."""
    match icon.name:
        case "train":
            return Sign("train", icon.letter or "*")
        case "refresh":
            return Sign("refresh", over="room-small" if icon.letter == ROOMS else "item-small")
        case _:
            return Sign(icon.name, str(icon.amount) if icon.amount > 1 else "")


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
    """Draw one sign; how many stands in a corner of its own, a letter or a fight's number in the middle."""
    draw_picture(pen, sign.picture, x, y, side)
    if sign.over:
        draw_picture(pen, sign.over, x, y, side)
    if not sign.note:
        return
    if sign.picture == "train":
        pen.text(x + side / 2, y + 0.3 * side, sign.note, 0.5 * side, bold=True, align="middle")
        return
    radius = 0.27 * side if sign.picture != "fight" else 0.34 * side
    middle = (x + 0.78 * side, y + 0.24 * side)
    pen.disc(*middle, radius, fill=PAPER, line=INK, thick=0.04 * side)
    size = 1.45 * radius if len(sign.note) == 1 else 1.15 * radius
    pen.text(middle[0], middle[1] - 0.36 * size, sign.note, size, bold=True, align="middle")


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

    @classmethod
    def of(cls, language: str, names: Mapping[str, Mapping[str, str]]) -> PrintedWords:
        """Return the words of a language: what sheets do not say otherwise is said as on the pages."""
        texts = {**catalogues.texts(language, "pages"), **catalogues.texts(language, "printed")}
        return cls(language, texts, {**names.get(catalogues.DEFAULT, {}), **names.get(language, {})})

    def name(self, card: str) -> str:
        """Return a card's name; a card without one is called by its id."""
        return self.names.get(card) or card.replace("-", " ").capitalize()
