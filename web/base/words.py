"""Texts out of the catalogues, with plurals as English, Polish and Russian form them."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from web.games.shelter.icons import card_name
from web.pages.play.people import name_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.refusal import Refusal
    from web.pages.cards.view import Cards


LANGUAGES: Final = {"en": "English", "pl": "Polski", "ru": "Русский"}
DEFAULT: Final = "en"
ENDS: Final = (".", "!", "?", "…")
FORMS: Final = {"en": ("one", "other"), "pl": ("one", "few", "many"), "ru": ("one", "few", "many")}


def form(language: str, number: int) -> str:
    """The form of a noun behind a whole number."""
    ones, tens = abs(number) % 10, abs(number) % 100
    if language == "en":
        return "one" if abs(number) == 1 else "other"
    if language == "pl" and ones == 1:
        return "one" if abs(number) == 1 else "many"
    if ones == 1 and tens != 11:  # noqa: PLR2004 - eleven is counted like twelve
        return "one"
    return "few" if ones in (2, 3, 4) and tens not in (12, 13, 14) else "many"


def spoken(*parts: str) -> str:
    """Sentences for a voice, one after the other, each with one end."""
    return " ".join(part if part.endswith(ENDS) else f"{part}." for part in parts if part)


class Words:
    """The texts of one language."""

    def __init__(self, language: str, texts: Mapping[str, str]) -> None:
        self.language = language
        self._texts = texts

    def text(self, key: str, **fields: object) -> str:
        """A text with its fields filled in."""
        return self._texts[key].format(**fields) if fields else self._texts[key]

    def count(self, key: str, number: int) -> str:
        """A number and its noun, in the right form."""
        return self._texts[f"{key}.{form(self.language, number)}"].format(n=number)

    def hint(self, told: Mapping[str, Any]) -> str:
        """What to do about a device: in this language where its sentence is known, otherwise as it was said."""
        key = f"device_{told.get('code', '')}"
        if not self.has(key):
            return str(told.get("hint", ""))
        fields = told.get("fields", {})
        return self.text(
            key, **{name: self.hint(one) if isinstance(one, dict) else one for name, one in fields.items()}
        )

    def has(self, key: str) -> bool:
        """Whether there is such a text."""
        return key in self._texts


@lru_cache(maxsize=len(LANGUAGES))
def words_in(language: str) -> Words:
    """The catalogue of a language: all the files that end in its name, one for each corner of the pages."""
    texts: dict[str, str] = {}
    for file in (resources.files("web") / "translations").iterdir():
        if file.name.endswith(f".{language}.toml"):
            texts |= tomllib.loads(file.read_text(encoding="utf-8"))
    return Words(language, texts)


def plain(words: Words, state: dict[str, Any], cards: Cards | None, refusal: Refusal) -> str:
    """A refusal in plain words, never silent; cards are for those that name an item."""
    key = f"refused_{refusal.code}"
    if not words.has(key):
        return words.text("refused_otherwise")
    fields = refusal.fields
    who = _name(words, state, fields.get("by"))
    return words.text(
        key,
        who=who,
        owner=_name(words, state, _owner(state, fields.get("space"))) if refusal.code == "not_your_elevator" else who,
        turn=_name(words, state, fields.get("turn")),
        item=card_name(words, cards, str(fields.get("item"))) if cards else words.text("card_unknown"),
        seconds=fields.get("seconds", 0),
    )


def _name(words: Words, state: dict[str, Any], colour: object) -> str:
    if not isinstance(colour, str) or not words.has(f"colour_{colour}"):
        return words.text("somebody")
    return name_of(words, state, colour)


def _owner(state: dict[str, Any], space: object) -> object:
    level = str(space).partition(":")[0]
    return state["levels"].get(level, {}).get("owner")
