"""Texts for the pages in a reader's language, and refusals in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.languages import catalogues

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.refusal import Refusal


ENDS: Final = (".", "!", "?", "…")


def spoken(*parts: str) -> str:
    """Join sentences for a voice, each with one end."""
    return " ".join(part if part.endswith(ENDS) else f"{part}." for part in parts if part)


class Words:
    def __init__(self, language: str, texts: Mapping[str, str]) -> None:
        self.language = language
        self._texts = texts

    def text(self, key: str, **fields: object) -> str:
        return self._texts[key].format(**fields) if fields else self._texts[key]

    def with_texts(self, more: Mapping[str, str]) -> Words:
        """Return the same texts and a game's own, which come first."""
        return Words(self.language, {**self._texts, **more})

    def count(self, key: str, number: int) -> str:
        """Return a number and its noun, in the right form."""
        form = catalogues.language(self.language).form(number)
        text = self._texts.get(f"{key}.{form}")
        if text is None:
            text = self._texts[f"{key}.{catalogues.language(catalogues.DEFAULT).form(number)}"]
        return text.format(n=number)

    def hint(self, told: Mapping[str, Any]) -> str:
        """Return what to do about a device: in this language where its sentence is known, otherwise as it was said."""
        key = f"device_{told.get('code', '')}"
        if not self.has(key):
            return str(told.get("hint", ""))
        fields = told.get("fields", {})
        return self.text(
            key, **{name: self.hint(one) if isinstance(one, dict) else one for name, one in fields.items()}
        )

    def has(self, key: str) -> bool:
        return key in self._texts


def words_in(language: str) -> Words:
    """Return the texts of the pages in a language."""
    return Words(language, catalogues.texts(language, "pages"))


def name_of(words: Words, state: Mapping[str, Any], colour: str) -> str:
    """Return a player's name; the colour's in the reader's language where nobody gave one."""
    given = str(state["players"].get(colour, {}).get("name", ""))
    if not given or given == colour.capitalize():
        return words.text(f"colour_{colour}")
    return given


def plain(
    words: Words, state: Mapping[str, Any], refusal: Refusal, card_name: Callable[[str], str] | None = None
) -> str:
    """Return a refusal in plain words, never nothing; `card_name` is for those that name an item."""
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
        item=card_name(str(fields["item"])) if card_name and "item" in fields else words.text("card_unknown"),
        seconds=fields.get("seconds", 0),
        why=fields.get("why", ""),
        one=_rule(words, fields.get("one")),
        other=_rule(words, fields.get("other")),
    )


class ToldRefusal(NamedTuple):
    """A refusal in plain words, and what the rules are looked up by for it."""

    text: str
    rule: str


def rule_of(refusal: Refusal) -> str:
    """Return what the rules are looked up by for a refusal: its clause, else its code."""
    return refusal.clause or f"refused-{refusal.code}"


def _name(words: Words, state: Mapping[str, Any], colour: object) -> str:
    if not isinstance(colour, str) or not words.has(f"colour_{colour}"):
        return words.text("somebody")
    return name_of(words, state, colour)


def _rule(words: Words, name: object) -> str:
    """Return the name of a house rule."""
    key = f"rule_{name}"
    return words.text(key) if words.has(key) else ""


def _owner(state: Mapping[str, Any], space: object) -> object:
    level = str(space).partition(":")[0]
    return state.get("levels", {}).get(level, {}).get("owner")
