"""Corrected cards in a running game: the same cards lie in the same places, what is printed on them is another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.refusal import Refusal
from companion.games.shelter.hands import set_hand
from companion.games.shelter.vault import Vault

if TYPE_CHECKING:
    from companion.games.shelter.box import Box
    from companion.games.shelter.game import Game


def with_box(game: Game, box: Box) -> Game:
    """The same position with the cards of another box, if they are the same cards."""
    if box.names != game.box.names or box.decks != game.box.decks or len(box.top_level) != len(game.box.top_level):
        raise Refusal("other_cards", "C2", "That pack has other cards; a game keeps the cards it began with.")
    changed = game.copy()
    changed.box = box
    vault = Vault(box)
    vault.dig(game.owners)
    changed.vault = vault.with_rooms(game.vault.rooms).with_threats(game.vault.threats)
    for colour, hand in enumerate(game.hands):
        set_hand(changed, colour, hand.cards)
    return changed
