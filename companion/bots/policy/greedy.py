"""The policy `greedy`: what is worth most now, by the numbers of `weights`, without looking ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.bots.policy.policy import choice_of
from companion.bots.worth.answers import ChoicePolicy
from companion.bots.worth.outlook import Outlook
from companion.bots.worth.placements import Appraiser, attraction
from companion.bots.worth.prospects import Prospects
from companion.bots.worth.purse import Purses
from companion.bots.worth.weights import DEFAULT, Weights
from companion.games.shelter.moves import PASS, PASSES, PLACE, USE

if TYPE_CHECKING:
    import random

    from companion.games.shelter.cards.box import Box
    from companion.games.shelter.game import ShelterGame
    from companion.games.shelter.moves import Move

LEAST = -0.15  # a placement worth less than this is left alone
AS_GOOD = 0.2  # moves whose worth differs by less are as good as each other


class Greedy:
    """Weighs every placement against the others and takes the best.

    Moves whose worth differs by less than the wobble are chosen among by the generator.
    """

    def __init__(self, box: Box, source: random.Random, weights: Weights = DEFAULT, wobble: float = AS_GOOD) -> None:
        self._random = source.random
        self._wobble = wobble
        self.weights = weights
        self.prospects = Prospects(box)
        self.purses = Purses(box, weights)
        rooms = [[self.prospects.of[face] for face in room.faces] for room in box.rooms]
        self.appraiser = Appraiser(self.prospects, attraction(rooms))
        self._answering = ChoicePolicy(self.appraiser)

    def outlook(self, game: ShelterGame, seat: int) -> Outlook:
        return Outlook(game, seat, self.purses, self.weights)

    def choose(self, game: ShelterGame, seat: int) -> Move:
        outlook = self.outlook(game, seat)
        choice = choice_of(game, seat)
        if choice is not None:
            return self._answering.answer(outlook, choice)
        best, most = PASSES[seat], LEAST
        for worth, move in self.ranked(outlook):
            if worth > LEAST:
                chosen = worth + self._random() * self._wobble
                if chosen > most:
                    best, most = move, chosen
        return best

    def ranked(self, outlook: Outlook) -> list[tuple[float, Move]]:
        """Return every move of a turn with its worth; an item that helps now comes before any placement."""
        known: dict[int, float] = {}
        weighed: list[tuple[float, Move]] = []
        seat, worth = outlook.colour, self.appraiser.worth
        for move in outlook.game.legal_moves():
            if move.by != seat:
                continue
            if move.do == PLACE:
                weighed.append((worth(outlook, move, known), move))
            elif move.do == USE:
                weighed.append((self._answering.use(outlook, move), move))
            elif move.do == PASS:
                weighed.append((LEAST, move))
        return weighed
