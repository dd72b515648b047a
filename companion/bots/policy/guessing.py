"""What is hidden, guessed: the order of the decks, and cards that lie on the table but were not told yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.shelter.moves import choose
from companion.games.shelter.turn import choices
from companion.games.shelter.words import NOBODY

if TYPE_CHECKING:
    import random

    from companion.games.chance import Chance
    from companion.games.shelter.game import Game


def guessed(game: Game, source: random.Random, chance: Chance) -> Game:
    """A copy that can be played on: shuffled decks, dealt by the companion, and a guess for every untold card."""
    twin = game.copy()
    for deck in twin.decks:
        source.shuffle(deck)
    if twin.real_decks:
        twin.real_decks = False
        for choice in [choice for choice in twin.pending if choice.by == NOBODY]:
            if choice in twin.pending:
                offered = choices.options(twin, choice)
                twin.play(choose(NOBODY, source.choice(offered), choice.id), chance)
    return twin
