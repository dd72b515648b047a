"""The words on printed pieces, and what an item does in signs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.cards import item_effects as fx
from companion.languages import catalogues
from companion.pieces.drawing.signs import TO, Sign, signs_of

if TYPE_CHECKING:
    from collections.abc import Mapping


def effect_signs(effect: fx.ItemEffect) -> list[Sign]:
    """Return the signs: how it is used, and what it does."""
    used = [Sign(effect.use.value), TO] if len(effect.uses) > 1 else []
    done = [[Sign(*one)] if isinstance(one, fx.Drawn) else signs_of(one) for one in effect.drawn()]
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
