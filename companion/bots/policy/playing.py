"""Playing on: policies at their seats until the game is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.bots.policy.policy import move_of_the_table, who_decides
from companion.games.shelter.words import NOBODY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.bots.policy.policy import Policy
    from companion.games.chance import Chance
    from companion.games.shelter.game import Game

MOST_ROUNDS = 60


def play_on(game: Game, policies: Mapping[int, Policy], chance: Chance, rounds: int = MOST_ROUNDS) -> int:
    """Play to the end, or until a round is passed; how many decisions it took."""
    decisions = 0
    while game.result is None and game.round <= rounds:
        step(game, policies, chance)
        decisions += 1
    return decisions


def step(game: Game, policies: Mapping[int, Policy], chance: Chance) -> None:
    """One move, by whoever is to make it."""
    seat = who_decides(game)
    move = move_of_the_table(game) if seat == NOBODY else policies[seat].choose(game, seat)
    if move is None:
        raise AssertionError("nobody can go on: the table has to name a card first")
    game.play(move, chance)
