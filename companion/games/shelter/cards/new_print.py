"""Corrected cards in a running game: the same cards lie in the same places, what is printed on them is another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.shelter.board.vault import Vault
from companion.games.shelter.cards.hand import set_hand
from companion.games.shelter.words import SPACE_NAMES
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.shelter.cards.box import Box
    from companion.games.shelter.game import Game


def with_box(game: Game, box: Box) -> Game:
    """The same position with the cards of another box, if they are the same cards and nothing loses its space."""
    if box.names != game.box.names or box.decks != game.box.decks or len(box.top_level) != len(game.box.top_level):
        raise Refusal("other_cards", "C2", "That pack has other cards; a game keeps the cards it began with.")
    changed = game.copy()
    changed.box = box
    vault = Vault(box)
    vault.dig(game.owners)
    changed.vault = vault.with_rooms(game.vault.rooms).with_threats(game.vault.threats)
    for space in (*game.placed, *game.vault.threats):
        if game.vault.room_face(space) is not None and changed.vault.room_face(space) is None:
            name = SPACE_NAMES[space]
            raise Refusal("other_cards", "V2", f"Something lies on {name}, which that pack does not have.", space=name)
    for colour, hand in enumerate(game.hands):
        set_hand(changed, colour, hand.cards)
    return changed
