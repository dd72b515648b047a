"""The policy `greedy`: what is worth most now, by the numbers of `weights`, without looking ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.bots.policy.policy import choice_of
from companion.bots.worth.answers import ChoicePolicy
from companion.bots.worth.outlook import Outlook
from companion.bots.worth.placements import Appraiser, attraction
from companion.bots.worth.prospects import Prospects
from companion.bots.worth.purse import Purses
from companion.bots.worth.styles import NO_STYLE, Style
from companion.bots.worth.weights import DEFAULT, Weights
from companion.games.shelter.moves import PASS, PASSES, PLACE, USE
from companion.games.shelter.turn.paying import ROOMS_OF_A_FULL_LEVEL

if TYPE_CHECKING:
    import random

    from companion.games.shelter.cards.box import Box
    from companion.games.shelter.game import ShelterGame
    from companion.games.shelter.moves import Move

LEAST = -0.15  # a placement worth less than this is left alone
SOMETHING = 0.05  # what is worth less is as good as nothing
HOPELESS = 1 / 3  # a fight that is won less often
AS_GOOD = 0.2  # moves whose worth differs by less are as good as each other


class Greedy:
    """Weighs every placement against the others and takes the best.

    Moves whose worth differs by less than the wobble are chosen among by the generator.
    """

    def __init__(
        self,
        box: Box,
        source: random.Random,
        weights: Weights = DEFAULT,
        wobble: float = AS_GOOD,
        style: Style = NO_STYLE,
    ) -> None:
        self._random = source.random
        self._wobble = wobble
        self.style = style
        self.weights = weights
        self.prospects = Prospects(box)
        self.purses = Purses(box, weights)
        rooms = [[self.prospects.of[face] for face in room.faces] for room in box.rooms]
        self.appraiser = Appraiser(self.prospects, attraction(rooms), style)
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


class Beginner(Greedy):
    """Misjudges what spaces are worth, but does nothing that another beginner would laugh at.

    It sends whoever is right for a space, fights no hopeless fights, takes nothing that brings nothing while something
    brings something, and does not end the game while it is behind.
    """

    def __init__(self, box: Box, source: random.Random, misjudges: float) -> None:
        super().__init__(box, source, wobble=misjudges)

    def choose(self, game: ShelterGame, seat: int) -> Move:
        if choice_of(game, seat) is not None:
            return super().choose(game, seat)
        outlook = self.outlook(game, seat)
        best: dict[tuple[int, int, str], tuple[float, Move]] = {}
        for worth, move in self.ranked(outlook):
            key = (move.do, move.space, move.item)
            if worth > LEAST and (key not in best or worth > best[key][0]):
                best[key] = (worth, move)
        found = [one for one in best.values() if one[0] > SOMETHING] or list(best.values())
        sensible = [one for one in found if not self._is_silly(outlook, one[1])]
        chosen, most = PASSES[seat], LEAST
        for worth, move in sensible:
            guess = worth + self._random() * self._wobble
            if guess > most:
                chosen, most = move, guess
        return chosen

    def _is_silly(self, outlook: Outlook, move: Move) -> bool:
        """Return whether a move is a hopeless fight, or ends the game for a player who is behind."""
        face = outlook.game.vault.faces[move.space] if move.do == PLACE else None
        if face is None:
            return False
        if face.fight and outlook.win_chance(face.fight) < HOPELESS:
            return True
        prospect = self.prospects.of[face]
        ends = prospect.builds and outlook.game.vault.rooms_on(outlook.level) == ROOMS_OF_A_FULL_LEVEL - 1
        return bool(ends) and outlook.game.together is None and outlook.lead() + prospect.happiness < 0
