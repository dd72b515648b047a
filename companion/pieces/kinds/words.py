"""What is written on the pieces, in the languages of the rulebooks."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

LANGUAGES: Final = ("en", "pl", "ru")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language: those of the sheets, and the names of the cards."""

    language: str
    texts: Mapping[str, str]
    names: Mapping[str, str]

    def say(self, key: str, **fields: object) -> str:
        """A text with its fields filled in."""
        return self.texts[key].format(**fields)

    def name(self, card: str) -> str:
        """A card's name; a card without one is called by its id."""
        return self.names.get(card) or card.replace("-", " ").capitalize()


@cache
def texts_of(language: str) -> Mapping[str, str]:
    """The texts of a language."""
    raw = (resources.files("companion.pieces") / "words" / f"{language}.toml").read_text(encoding="utf-8")
    return {str(key): str(text) for key, text in tomllib.loads(raw).items()}
