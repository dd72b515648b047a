"""The port of bots, who has to decide in a position, and the random policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from companion.games.shelter.cards.box import Box
from companion.games.shelter.moves import CHOOSE, THE_RECALL, THE_SPAWN, answers, choose
from companion.games.shelter.turn import choices
from companion.games.shelter.words import COLOUR_NUMBER, NOBODY, PLACE, RECALL, SPAWN

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from companion.games.chance import Chance
    from companion.games.shelter.board.vault import PendingShelterChoice
    from companion.games.shelter.game import ShelterGame
    from companion.games.shelter.moves import Move


BotGame: TypeAlias = "ShelterGame"
"""The positions that bots judge."""


def seat_of(colour: str) -> int:
    """Return the number by which bots know a seat."""
    return COLOUR_NUMBER[colour]


def box_of(game: ShelterGame) -> Box:
    """Return the box of a game at a table."""
    if not isinstance(game.box, Box):
        raise TypeError(game.box)
    return game.box


class Policy(Protocol):
    """A player: it chooses a move and never changes the game that it is given."""

    def choose(self, game: ShelterGame, seat: int) -> Move:
        """Return one legal move of the seat that has to decide."""
        ...


def open_choice(game: ShelterGame) -> PendingShelterChoice | None:
    """Return the first open choice that a player has to answer; drawn cards are named by people."""
    for choice in game.pending:
        if choice.by != NOBODY:
            return choice
    return None


def choice_of(game: ShelterGame, seat: int) -> PendingShelterChoice | None:
    """Return the first choice that a seat has open; at the table it may wait while others play on."""
    for choice in game.pending:
        if choice.by == seat:
            return choice
    return None


def may_decide(game: ShelterGame, seat: int) -> bool:
    """Return whether a seat has something to decide now, whoever else has as well."""
    return choice_of(game, seat) is not None or (game.turn == seat and game.phase == PLACE and game.placement is None)


def who_decides(game: ShelterGame) -> int:
    """Return the seat that has to decide, an open choice before the turn; NOBODY where dice or the recall come next."""
    choice = open_choice(game)
    if choice is not None:
        return choice.by
    return game.turn if game.phase == PLACE else NOBODY


def move_of_the_table(game: ShelterGame) -> Move | None:
    """Return the move when nobody has to decide: the threats spawn, or the dwellers are recalled."""
    if game.phase == SPAWN:
        return THE_SPAWN
    return THE_RECALL if game.phase == RECALL else None


def moves_of(game: ShelterGame, seat: int) -> list[Move]:
    """Return the legal moves of a seat that has to decide; while it has a choice open, the answers to the first one."""
    choice = choice_of(game, seat)
    if choice is not None:
        return answers(seat, choices.options(game, choice))
    return [move for move in game.legal_moves() if move.by == seat and move.do != CHOOSE]


class RandomPolicy:
    """The policy `random`: any legal move."""

    def __init__(self, source: random.Random) -> None:
        self._random = source.random

    def choose(self, game: ShelterGame, seat: int) -> Move:
        moves = moves_of(game, seat)
        return moves[int(self._random() * len(moves))]


def guessed(game: ShelterGame, source: random.Random, chance: Chance) -> ShelterGame:
    """Return a copy to play on: decks shuffled and dealt by the companion, and a guess for every unknown card."""
    twin = game.copy()
    twin.decks = [chance.shuffle(twin.shuffles, deck) for deck in twin.decks]
    if twin.real_decks:
        twin.real_decks = False
        for choice in [choice for choice in twin.pending if choice.by == NOBODY]:
            if choice in twin.pending:
                offered = choices.options(twin, choice)
                twin.play(choose(NOBODY, source.choice(offered), choice.id), chance)
    return twin


MOST_ROUNDS = 60


def play_on(game: ShelterGame, policies: Mapping[int, Policy], chance: Chance, rounds: int = MOST_ROUNDS) -> int:
    """Play to the end or past a round, and return the number of decisions."""
    decisions = 0
    while game.result is None and game.round <= rounds:
        step(game, policies, chance)
        decisions += 1
    return decisions


def step(game: ShelterGame, policies: Mapping[int, Policy], chance: Chance) -> None:
    """Play one move of whoever has to decide."""
    seat = who_decides(game)
    move = move_of_the_table(game) if seat == NOBODY else policies[seat].choose(game, seat)
    if move is None:
        raise AssertionError("nobody can go on: the table has to name a card first")
    game.play(move, chance)
