"""Where discarded cards go: home, by their kind (W-KILL-8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.words import CardDeck
from companion.games.wasteland.flow.telling import tell
from companion.games.wasteland.words import NOBODY, card_of

if TYPE_CHECKING:
    from companion.games.wasteland.position import Position


def discard_card(game: Position, held: int) -> None:
    """A discarded card goes home by its kind (W-KILL-8, W-ITEM-13, A-31)."""
    number = card_of(held)
    card = game.box.cards[number]
    if card.deck is CardDeck.LOOT:
        game.loot.discards.append(number)
    elif card.deck is CardDeck.ASSET:
        game.assets.discards.append(number)
    elif card.deck is CardDeck.UNIQUE:
        game.uniques_out.append(number)
    tell(game, "discarded", NOBODY, card=card.id)
