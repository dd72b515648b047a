"""Places in words: a room, its level and its side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from web.base.words import Words
    from web.pages.cards.view import Cards


def room_name(words: Words, state: dict[str, Any], cards: Cards, space: str) -> str:
    """The room (or elevator) that a space belongs to."""
    level, slot = space.split(":")
    room = state["levels"].get(level, {}).get("rooms", {}).get(slot[:2])
    return cards.name("elevator" if slot == "E" or room is None else room, words.language)


def space_name(words: Words, state: dict[str, Any], cards: Cards, space: str) -> str:
    """What one says of a space: the threat on it, else the room."""
    threat = state["threats"].get(space)
    if threat is not None:
        return card_name(words, cards, threat)
    return room_name(words, state, cards, space)


def card_name(words: Words, cards: Cards, card: str) -> str:
    """A card's name; one that nobody has told is unknown."""
    return words.text("card_unknown") if card == "unknown" else cards.name(card, words.language)


def side_name(words: Words, space: str) -> str:
    """Left or right; nothing for an elevator."""
    return "" if space.endswith("E") else words.text("side_left" if space.endswith("a") else "side_right")
