"""What is printed on cards and spaces in words: an item's effect, the names of cards, rooms and sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.item_effects import sentence_of

if TYPE_CHECKING:
    from web.base.words import Words
    from web.games.shelter.cards import PackCards, VaultState


def sentence(words: Words, cards: PackCards, item: str) -> str:
    """Return the effect of an item, and what becomes of the card."""
    card = cards.items.get(item)
    return words.text("item_unknown") if card is None else sentence_of(card.effect, words.text)


def rooms_of(state: VaultState, level: str) -> dict[str, str]:
    """Return the rooms of a level by their columns; none of a level that is not there."""
    found = state["levels"].get(level)
    return found["rooms"] if found else {}


def room_name(words: Words, state: VaultState, cards: PackCards, space: str) -> str:
    """Return the room (or elevator) that a space belongs to."""
    level, slot = space.split(":")
    room = rooms_of(state, level).get(slot[:2])
    return cards.name("elevator" if slot == "E" or room is None else room, words.language)


def space_name(words: Words, state: VaultState, cards: PackCards, space: str) -> str:
    """Return what one says of a space: the threat on it, else the room."""
    threat = state["threats"].get(space)
    if threat is not None:
        return card_name(words, cards, threat)
    return room_name(words, state, cards, space)


def card_name(words: Words, cards: PackCards, card: str) -> str:
    """Return a card's name; one that nobody has told is unknown."""
    return words.text("card_unknown") if card == "unknown" else cards.name(card, words.language)


def side_name(words: Words, space: str) -> str:
    """Return left or right; nothing for an elevator."""
    return "" if space.endswith("E") else words.text("side_left" if space.endswith("a") else "side_right")
