"""What a position looks like from a seat, in numbers: what the learned value is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.bots.worth.prospects import item_worth
from companion.bots.worth.purse import UNIT
from companion.bots.worth.win_chance import distance
from companion.games.shelter.turn.paying import ROOMS_OF_A_FULL_LEVEL
from companion.games.shelter.turn.rewards import dwellers_of
from companion.games.shelter.turn.rounds import score_if_ended_now
from companion.games.shelter.words import (
    ANY_LETTER,
    ELEVATOR_COLUMN,
    INJURED,
    INJURED_TRAINED,
    PLACE,
    ROOMS,
    ROOMS_A_LEVEL,
    THREATS,
    UNINJURED_TRAINED,
    elevator,
)

if TYPE_CHECKING:
    from companion.bots.worth.purse import Purse, Purses
    from companion.bots.worth.weights import Weights
    from companion.games.shelter.game import ShelterGame

OWN: Final = (
    "happiness", "water", "food", "energy", "purse", "dwellers", "lying", "arriving", "plain_left", "trained_left",
    "hurt_left", "trained", "letters", "items", "bonus", "item_worth", "rooms", "attraction", "threats", "first",
    "turns_until", "places_behind", "may_build", "can_pay", "missing", "passed",
)  # fmt: skip
"""One's own side of the table."""
OTHERS: Final = ("happiness", "purse", "dwellers", "rooms", "item_worth", "left")
"""Of which the most and the mean of the others are told as well."""
COMMON: Final = ("ahead", "last_round", "placing", "round", "threat_deck", "most_rooms", "open", "three", "four")
FEATURES: Final = (
    *OWN,
    *(f"most_{name}" for name in OTHERS),
    *(f"mean_{name}" for name in OTHERS),
    "lead",
    *COMMON,
)
LEFT: Final = len(OWN)
"""Where the dwellers that are still to be placed are kept beside one's own side."""
MOST_MISSING: Final = 6.0
TABLES: Final = ((), (0.0, 0.0), (0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
"""How many play."""
COMPARED: Final = (0, 4, 5, 16, 15, LEFT)


class Observer:
    """Looks at positions of one box. Everything is scaled to about one."""

    def __init__(self, purses: Purses, weights: Weights, rooms: list[float]) -> None:
        self._purses = purses
        self._weights = weights
        self._rooms = rooms

    def look(self, game: ShelterGame) -> list[list[float]]:
        """Return the features of every seat, in the order of the seats."""
        ahead = distance(game)
        purse = self._purses.get(game.tracks[ROOMS], plan=ahead > 0, late=ahead == 0)
        sides = [self._side(game, colour, ahead, purse) for colour in game.seats]
        common = _common(game, ahead)
        found: list[list[float]] = []
        others = len(sides) - 1
        for place, side in enumerate(sides):
            row = side[:LEFT]
            mean: list[float] = []
            for which in COMPARED:
                most, total = -9.0, 0.0
                for other, theirs in enumerate(sides):
                    if other != place:
                        most = max(most, theirs[which])
                        total += theirs[which]
                row.append(most)
                mean.append(total / others)
            row += mean
            row.append(side[0] - row[LEFT])
            row += common
            found.append(row)
        return found

    def _side(self, game: ShelterGame, colour: int, ahead: float, purse: Purse) -> list[float]:
        base, level, cards = 3 * colour, game.levels[colour], game.hands[colour].cards
        water, food, energy = game.cubes[base], game.cubes[base + 1], game.cubes[base + 2]
        state = water + UNIT[1] * food + UNIT[2] * energy
        trained = game.trained[colour]
        healthy, hurt = (trained & UNINJURED_TRAINED).bit_count(), (trained & INJURED_TRAINED).bit_count()
        left = game.plain[colour] + healthy + game.hurt[colour] + hurt
        lying, letters = _standing(game, colour)
        letters |= trained | trained >> INJURED
        can_pay, missing = _rooms_in_reach(game, state, (water, food, energy))
        open_elevator = not game.taken >> elevator(level) & 1
        may_build = game.phase != PLACE or (left > 0 and open_elevator)
        seats = game.seats
        place, turn = seats.index(colour), seats.index(game.turn if game.turn in seats else game.first)
        items = game.box.items
        return [
            score_if_ended_now(game, colour).happiness / 10,
            water / 3,
            food / 3,
            energy / 3,
            purse.table[state] / 3,
            dwellers_of(game, colour) / 4,
            (lying + game.hurt[colour] + hurt) / 2,
            len(game.arriving[colour]),
            game.plain[colour] / 3,
            healthy / 2,
            (game.hurt[colour] + hurt) / 2,
            trained.bit_count() / 3,
            letters.bit_count() / 3,
            len(cards) / 3,
            game.hands[colour].bonus / 3,
            sum([item_worth(game, colour, items[card >> 1], ahead, self._weights) for card in cards]) / 2,
            game.vault.rooms_on(level) / 4,
            self._attraction(game, level) / 4,
            game.vault.threats_on(level) / 2,
            float(game.first == colour),
            ((place - turn) % len(seats)) / 3,
            ((place - seats.index(game.first)) % len(seats)) / 3,
            float(may_build),
            can_pay / 2,
            missing / 3,
            float(game.passed >> colour & 1),
            left / 4,
        ]

    def _attraction(self, game: ShelterGame, level: int) -> float:
        """Return how much people want to stand in the rooms of a level."""
        found, start = 0.0, level * ROOMS_A_LEVEL
        for column in range(ROOMS_A_LEVEL):
            kind = game.vault.rooms[start + column]
            if kind >= 0 and column != ELEVATOR_COLUMN:
                found += self._rooms[kind]
        return found


def _standing(game: ShelterGame, colour: int) -> tuple[int, int]:
    """Return how many lie among those who stand in the vault, and the letters that they are being trained in."""
    lying, letters = 0, 0
    for standing in game.placed.values():
        if standing.colour == colour:
            for dweller in standing.dwellers:
                lying += dweller >= INJURED
            if 0 < standing.training < ANY_LETTER:
                letters |= 1 << standing.training
    return lying, letters


def _rooms_in_reach(game: ShelterGame, state: int, cubes: tuple[int, int, int]) -> tuple[float, float]:
    """Return how many rooms of the track can be paid, and how many cubes are missing to the nearest other one."""
    can_pay, missing = 0.0, MOST_MISSING
    for card in game.tracks[ROOMS]:
        if card >= 0:
            room = game.box.rooms[card]
            if room.affordable[state]:
                can_pay += 1
                missing = 0.0
            elif missing:
                missing = min(missing, _short(cubes[0], cubes[1], cubes[2], room.price))
    return can_pay, missing


def _short(water: int, food: int, energy: int, price: tuple[int, int, int, int]) -> float:
    """Return how many cubes of a price are missing."""
    over = [water - price[0], food - price[1], energy - price[2]]
    spare, short = 0, 0
    for more in over:
        if more > 0:
            spare += more
        else:
            short -= more
    return float(short + max(0, price[3] - spare))


def _common(game: ShelterGame, ahead: float) -> list[float]:
    most = 0
    for level in range(1, len(game.owners)):
        most = max(most, game.vault.rooms_on(level))
    return [
        ahead / 4,
        float(game.last_round),
        float(game.phase == PLACE),
        game.round / 10,
        len(game.decks[THREATS]) / 10,
        most / ROOMS_OF_A_FULL_LEVEL,
        (game.vault.known & ~game.taken).bit_count() / 20,
        *TABLES[len(game.seats)],
    ]
