"""Decks with their discards: drawing, telling what was drawn, and shuffling the discards in (W-LIMIT-2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.wasteland.flow.told_chance import Fate
    from companion.games.wasteland.position import Pile


def draw(pile: Pile, fate: Fate, names: Sequence[str], label: str = "") -> int | None:
    """The top card, or the one that was told; the discards follow as soon as the deck is empty (A-3)."""
    if not pile.cards:
        shuffle_discards_in(pile, fate)
    if not pile.cards:
        return None
    card = take_top(pile.cards, fate, names, label)
    if not pile.cards:
        shuffle_discards_in(pile, fate)
    return card


def draw_unseen(pile: Pile, fate: Fate) -> int | None:
    """The top card, at which nobody looks: it cannot be told."""
    if not pile.cards:
        shuffle_discards_in(pile, fate)
    if not pile.cards:
        return None
    card = pile.cards.pop()
    if not pile.cards:
        shuffle_discards_in(pile, fate)
    return card


def take_top(cards: list[int], fate: Fate, names: Sequence[str], label: str = "") -> int:
    """The top card of a deck that has one, or the one that was told. A refusal does not say which was told."""
    told = fate.told_card(label, sorted(names[card] for card in cards))
    if told is None:
        return cards.pop()
    for place in reversed(range(len(cards))):
        if names[cards[place]] == told:
            return cards.pop(place)
    raise Refusal("not_in_deck", "W-LIMIT-2", "The card that was told is not in that deck.")


def shuffle_discards_in(pile: Pile, fate: Fate) -> None:
    """The discard pile becomes the deck."""
    if pile.discards:
        pile.cards = fate.shuffle(pile.discards)
        pile.discards = []
