"""How the game looks from a seat before it decides: what is still to come, and what things are worth by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.bots.worth import together
from companion.bots.worth.odds import AT_LEAST
from companion.bots.worth.prospects import item_worth
from companion.games.shelter.call import roll_bonus
from companion.games.shelter.turn.paying import ROOMS_OF_A_FULL_LEVEL
from companion.games.shelter.turn.rewards import dwellers_of
from companion.games.shelter.turn.rounds import score_if_ended_now
from companion.games.shelter.words import (
    ANY_LETTER,
    INJURED,
    ITEMS,
    LETTERS,
    LEVEL_OF,
    MOST_DWELLERS,
    NOBODY,
    ROOMS,
    THREATS,
)

if TYPE_CHECKING:
    from companion.bots.worth.purse import Purse, Purses
    from companion.bots.worth.weights import Weights
    from companion.games.shelter.cards.box import ItemKind
    from companion.games.shelter.game import ShelterGame

SPAWN_SHARE = 0.7  # a full level gets a threat about so often


def rounds_to_come(game: ShelterGame) -> float:
    """A guess at how many rounds follow this one: until a level is full or the threats run out (B5, T5)."""
    if game.last_round:
        return 0.0
    if game.together is not None:
        return float(game.together.rounds - game.round)
    rooms = [game.vault.rooms_on(level) for level in range(len(game.owners))]
    by_rooms = (ROOMS_OF_A_FULL_LEVEL - max(rooms[1:])) * 1.3
    spawns = SPAWN_SHARE * sum(rooms) / ROOMS_OF_A_FULL_LEVEL
    return max(1.0, min(by_rooms, len(game.decks[THREATS]) / spawns))


class Outlook:
    """The worth of what a reward can bring, for one seat at one moment, in happiness."""

    __slots__ = (
        "_letters",
        "ahead",
        "any_threat",
        "box",
        "colour",
        "dweller",
        "first",
        "game",
        "happiness",
        "heal",
        "injury",
        "item",
        "level",
        "purse",
        "state",
        "threat",
        "weights",
        "win",
    )

    def __init__(self, game: ShelterGame, colour: int, purses: Purses, weights: Weights) -> None:
        self.happiness, self.any_threat = 1.0, 0.0
        if game.together is not None:
            weights, self.happiness, self.any_threat = together.open_aims(game, colour, game.together, weights)
        self.game, self.colour, self.weights, self.box = game, colour, weights, game.box
        self.level = game.levels[colour]
        base = 3 * colour
        self.state = game.cubes[base] + 7 * game.cubes[base + 1] + 49 * game.cubes[base + 2]
        ahead = self.ahead = min(rounds_to_come(game), weights.horizon)
        can_build = ahead > 0 or not game.taken >> (13 * self.level + 6) & 1
        self.purse: Purse = purses.get(game.tracks[ROOMS], plan=can_build, late=ahead == 0)
        self.dweller = self._dweller() if ahead else 0.0
        self.first = weights.first * self._places_gained() if ahead else 0.0
        self.injury = weights.injury if ahead else 0.0
        self.heal = weights.injury if ahead else 0.0
        near = 1 - ahead / weights.horizon
        self.threat = weights.threat + (weights.threat_near - weights.threat) * near
        self._letters: list[float] = []
        self.item = -1.0
        self.win: dict[int, float] = {}

    def _dweller(self) -> float:
        have = dwellers_of(self.game, self.colour)
        if have >= MOST_DWELLERS:
            return 0.0
        return self.weights.dweller * self.ahead * self.weights.crowd ** max(0, have - 2)

    def _places_gained(self) -> int:
        """How many players would no longer come before the seat, if it began the next round (F1)."""
        seats = self.game.seats
        return (seats.index(self.colour) - seats.index(self.game.first)) % len(seats)

    def training(self, letter: int) -> float:
        """What a training in a letter is worth, or in one of the player's choice."""
        if not self._letters:
            self._letters = self._by_letter() if self.ahead else [0.0] * (ANY_LETTER + 1)
        return self._letters[letter]

    def _by_letter(self) -> list[float]:
        game, worth = self.game, [0.0] * (ANY_LETTER + 1)
        taken = game.trained[self.colour] | game.trained[self.colour] >> INJURED
        for standing in game.placed.values():
            if standing.colour == self.colour and 0 < standing.training < ANY_LETTER:
                taken |= 1 << standing.training
        lettered = game.vault.lettered
        for letter in range(1, len(LETTERS) + 1):
            if not taken >> letter & 1:
                worth[letter] = self.trained(lettered[letter].bit_count())
        worth[ANY_LETTER] = max(worth)
        return worth

    def trained(self, spaces: int) -> float:
        """What it is worth to be trained in a letter that so many spaces show."""
        return self.weights.training * (1.0, 1.6, 2.0, 2.2)[min(spaces, 3)] / 2

    def best_item(self) -> float:
        """The worth of the best item on the track."""
        if self.item < 0:
            kinds = self.box.items
            self.item = max([self.worth_of(kinds[card]) for card in self.game.tracks[ITEMS] if card >= 0], default=0.0)
        return self.item

    def worth_of(self, item: ItemKind) -> float:
        return item_worth(self.game, self.colour, item, self.ahead, self.weights)

    def win_chance(self, number: int) -> float:
        """The chance to win a fight with everything that is ready."""
        found = self.win.get(number)
        if found is None:
            hand = self.game.hands[self.colour]
            bonus, rerolls = roll_bonus(self.game, self.colour), 0
            for card in hand.cards:
                if not card & 1:
                    kind = self.box.items[card >> 1]
                    bonus += kind.roll_bonus
                    rerolls += kind.rerolls
            lost = 1 - AT_LEAST[max(0, number - bonus)]
            found = self.win[number] = 1 - lost ** (rerolls + 1)
        return found

    def threat_gone(self, space: int) -> float:
        """What it is worth that a threat leaves a space: for its level, together for how near the elevator it is."""
        if self.game.together is not None:
            return self.any_threat + together.near(space)
        owner = self.game.owners[LEVEL_OF[space]]
        if owner == self.colour:
            return self.threat
        return -self.weights.threat_elsewhere if owner != NOBODY else 0.0

    def lead(self) -> int:
        """How many points the seat would win by, if the game ended now."""
        game = self.game
        scores = {seat: score_if_ended_now(game, seat).happiness for seat in game.seats}
        return scores[self.colour] - max(scores[seat] for seat in game.seats if seat != self.colour)
