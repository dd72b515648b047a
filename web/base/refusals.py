"""What stands in the way, in a reader's own language and without the engine's names for places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from web.games.shelter.places import card_name
from web.pages.play.people import name_of

if TYPE_CHECKING:
    from companion.refusal import Refusal
    from web.base.words import Words
    from web.pages.cards.view import Cards


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
