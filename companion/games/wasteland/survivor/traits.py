"""W-TRAIT: three two-sided tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.wasteland.flow.telling import tell
from companion.games.wasteland.words import OTHER_SIDE

if TYPE_CHECKING:
    from companion.cards.wasteland.words import Trait
    from companion.games.wasteland.position import Position


def gain_trait(game: Position, seat: int, trait: Trait) -> None:
    """Take the token or flip it, unless its locked side lies up (W-TRAIT-2 to 4)."""
    survivor = game.survivors[seat]
    other = OTHER_SIDE[trait]
    if trait in survivor.traits:
        return
    if other in survivor.traits and other in game.box.settings.locked_traits:
        tell(game, "trait_locked", seat, trait=other.value)
        return
    survivor.traits = survivor.traits - {other} | {trait}
    tell(game, "trait_gained", seat, trait=trait.value)


def lose_trait(game: Position, seat: int, trait: Trait) -> None:
    """The token is discarded, locked or not (W-TRAIT-5)."""
    survivor = game.survivors[seat]
    if trait in survivor.traits:
        survivor.traits -= {trait}
        tell(game, "trait_lost", seat, trait=trait.value)
