"""A policy answers one question: what does this seat do now? Here too is who is asked, and the wandering one."""

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
    from companion.games.shelter.board.figures import PendingChoice
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
    """Something that plays. It never changes the game that it is shown."""

    def choose(self, game: ShelterGame, seat: int) -> Move:
        """One legal move of the seat that is to decide."""
        ...


def open_choice(game: ShelterGame) -> PendingChoice | None:
    """The first open choice that a player has to answer; cards to be named are the table's affair."""
    for choice in game.pending:
        if choice.by != NOBODY:
            return choice
    return None


def choice_of(game: ShelterGame, seat: int) -> PendingChoice | None:
    """The first choice that a seat has open; at the table it may wait while others play on."""
    for choice in game.pending:
        if choice.by == seat:
            return choice
    return None


def may_decide(game: ShelterGame, seat: int) -> bool:
    """Whether a seat has something to decide now, whoever else has as well."""
    return choice_of(game, seat) is not None or (game.turn == seat and game.phase == PLACE and game.placement is None)


def who_decides(game: ShelterGame) -> int:
    """The seat that is to decide: an open choice comes before the turn. NOBODY where dice or the recall come next."""
    choice = open_choice(game)
    if choice is not None:
        return choice.by
    return game.turn if game.phase == PLACE else NOBODY


def move_of_the_table(game: ShelterGame) -> Move | None:
    """What happens when nobody has to decide: the threats spawn, or the dwellers are recalled."""
    if game.phase == SPAWN:
        return THE_SPAWN
    return THE_RECALL if game.phase == RECALL else None


def moves_of(game: ShelterGame, seat: int) -> list[Move]:
    """The legal moves of a seat that is to decide; while it has a choice open, the answers to the first one."""
    choice = choice_of(game, seat)
    if choice is not None:
        return answers(seat, choices.options(game, choice))
    return [move for move in game.legal_moves() if move.by == seat and move.do != CHOOSE]


class Wandering:
    """The policy `random`: every legal move is as good as another."""

    def __init__(self, source: random.Random) -> None:
        self._random = source.random

    def choose(self, game: ShelterGame, seat: int) -> Move:
        """Any move of the seat."""
        moves = moves_of(game, seat)
        return moves[int(self._random() * len(moves))]


def guessed(game: ShelterGame, source: random.Random, chance: Chance) -> ShelterGame:
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


MOST_ROUNDS = 60


def play_on(game: ShelterGame, policies: Mapping[int, Policy], chance: Chance, rounds: int = MOST_ROUNDS) -> int:
    """Play to the end, or until a round is passed; how many decisions it took."""
    decisions = 0
    while game.result is None and game.round <= rounds:
        step(game, policies, chance)
        decisions += 1
    return decisions


def step(game: ShelterGame, policies: Mapping[int, Policy], chance: Chance) -> None:
    """One move, by whoever is to make it."""
    seat = who_decides(game)
    move = move_of_the_table(game) if seat == NOBODY else policies[seat].choose(game, seat)
    if move is None:
        raise AssertionError("nobody can go on: the table has to name a card first")
    game.play(move, chance)
