"""What a position looks like from a seat, in numbers: what the learned value is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.bots.worth.outlook import Outlook
from companion.bots.worth.prospects import item_worth
from companion.bots.worth.purse import UNIT
from companion.bots.worth.win_chance import distance
from companion.games.shelter.board.vault import INJURED_PAIR, ONE, ONE_INJURED, PAIR
from companion.games.shelter.turn.paying import ROOMS_OF_A_FULL_LEVEL
from companion.games.shelter.turn.rewards import dwellers_of
from companion.games.shelter.turn.rounds import score_if_ended_now
from companion.games.shelter.turn.standing import open_spaces, payable
from companion.games.shelter.words import (
    ANY_LETTER,
    ELEVATOR_COLUMN,
    INJURED,
    INJURED_TRAINED,
    LETTERS,
    LEVEL_OF,
    PLACE,
    ROOMS,
    ROOMS_A_LEVEL,
    SPAWN,
    THREATS,
    UNINJURED_TRAINED,
    bits,
    elevator,
)

if TYPE_CHECKING:
    from companion.bots.policy.greedy import Greedy
    from companion.bots.worth.purse import Purse
    from companion.games.shelter.game import ShelterGame

OWN: Final = (
    "happiness", "water", "food", "energy", "purse", "dwellers", "lying", "arriving", "plain_left", "trained_left",
    "hurt_left", "trained", "letters", "items", "bonus", "item_worth", "rooms", "attraction", "threats", "first",
    "turns_until", "places_behind", "may_build", "can_pay", "missing", "passed", "exhausted", "leaving", "useful",
    "learning", "draft", "next_pick", "free_choice", "best_item",
)  # fmt: skip
"""One's own side of the table."""
OTHERS: Final = ("happiness", "purse", "dwellers", "rooms", "item_worth", "left", "draft")
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
DRAFT: Final = OWN.index("draft")
NOT_DEALT: Final = (0.0, 0.0, 0.0, 0.0)
"""From `draft` on: what `_draft` fills in when all sides are known."""
COMPARED: Final = (0, 4, 5, 16, 15, LEFT, DRAFT)


class Observer:
    """Looks at positions of one box. Everything is scaled to about one."""

    def __init__(self, greedy: Greedy) -> None:
        self._purses = greedy.purses
        self._weights = greedy.weights
        self._rooms = greedy.appraiser.rooms
        self._appraiser = greedy.appraiser
        self._prospects = greedy.prospects.of

    def look(self, game: ShelterGame) -> list[list[float]]:
        """Return the features of every seat, in the order of the seats."""
        ahead = distance(game)
        purse = self._purses.get(game.tracks[ROOMS], plan=ahead > 0, late=ahead == 0)
        sides = [self._side(game, colour, ahead, purse) for colour in game.seats]
        self._draft(game, sides)
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
        lying, letters, leaving, learning = _standing(game, colour, level)
        known = trained | trained >> INJURED
        letters |= known
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
            len(game.hands[colour].exhausted) / 2,
            float(leaving),
            _useful(game, known) / 4,
            float(learning),
            *NOT_DEALT,
            left / 4,
        ]

    def _draft(self, game: ShelterGame, sides: list[list[float]]) -> None:
        """Deal out the open spaces in turn, each seat taking what is worth most to it now, and add what each gets.

        That is how the round may go on, in a tenth of the time that it takes to play.
        """
        looks = [Outlook(game, colour, self._purses, self._weights) for colour in game.seats]
        for side, look in zip(sides, looks, strict=True):
            side[DRAFT + 3] = look.best_item()
        if game.phase not in (PLACE, SPAWN):
            return
        turn = game.seats.index(game.turn if game.phase == PLACE and game.turn in game.seats else game.first)
        hands = [_left_to_place(game, colour) for colour in game.seats]
        wishes = [self._wishes(look, *hand) for look, hand in zip(looks, hands, strict=True)]
        for side, wished, (healthy, lying) in zip(sides, wishes, hands, strict=True):
            side[DRAFT + 2] = sum([wish[0] for wish in wished[: healthy + lying]]) / 3
        gone, idle = 0, 0
        while idle < len(hands):
            idle += 1
            healthy, lying = hands[turn]
            wished, side = wishes[turn], sides[turn]
            while wished:
                worth, space, circles = wished.pop(0)
                needed = 2 if circles & PAIR else 1
                if gone >> space & 1 or needed > (lying if circles & ONE_INJURED else healthy):
                    continue
                hands[turn] = (healthy, lying - needed) if circles & ONE_INJURED else (healthy - needed, lying)
                gone |= 1 << space
                if not side[DRAFT]:
                    side[DRAFT + 1] = worth / 2
                side[DRAFT] += worth / 3
                idle = 0
                break
            turn = (turn + 1) % len(hands)

    def _wishes(self, look: Outlook, healthy: int, lying: int) -> list[tuple[float, int, int]]:
        """Return the worth, the space and the circles of what a seat could take now, the best first."""
        game, vault = look.game, look.game.vault
        if not healthy + lying:
            return []
        circles = vault.circles
        fits = (circles[ONE] if healthy else 0) | (circles[PAIR] if healthy > 1 else 0)
        fits |= (circles[ONE_INJURED] if lying else 0) | (circles[INJURED_PAIR] if lying > 1 else 0)
        letters = game.trained[look.colour] | game.trained[look.colour] >> INJURED
        found: list[tuple[float, int, int]] = []
        for space in bits(payable(game, look.colour, open_spaces(game, look.colour)) & fits):
            face = vault.faces[space]
            if face is not None:
                times = 2 if face.letter and letters >> face.letter & 1 else 1
                worth = self._appraiser.of_space(look, space, self._prospects[face], times)
                if worth > 0:
                    found.append((worth, space, face.circles))
        found.sort(reverse=True)
        return found

    def _attraction(self, game: ShelterGame, level: int) -> float:
        """Return how much people want to stand in the rooms of a level."""
        found, start = 0.0, level * ROOMS_A_LEVEL
        for column in range(ROOMS_A_LEVEL):
            kind = game.vault.rooms[start + column]
            if kind >= 0 and column != ELEVATOR_COLUMN:
                found += self._rooms[kind]
        return found


def _left_to_place(game: ShelterGame, colour: int) -> tuple[int, int]:
    """Return how many healthy and how many injured dwellers a seat may still place."""
    if game.passed >> colour & 1:
        return 0, 0
    trained = game.trained[colour]
    healthy, hurt = (trained & UNINJURED_TRAINED).bit_count(), (trained & INJURED_TRAINED).bit_count()
    return game.plain[colour] + healthy, game.hurt[colour] + hurt


def _standing(game: ShelterGame, colour: int, level: int) -> tuple[int, int, int, int]:
    """Return what those who stand in the vault mean to a seat.

    How many of its own lie, the letters that they are being trained in, how many threats of its level will be gone,
    and how many of its own are being trained.
    """
    lying, letters, leaving, learning = 0, 0, 0, 0
    threats = game.vault.threats
    for space, standing in game.placed.items():
        if standing.colour == colour:
            for dweller in standing.dwellers:
                lying += dweller >= INJURED
            if standing.training:
                learning += 1
                if standing.training < ANY_LETTER:
                    letters |= 1 << standing.training
        if LEVEL_OF[space] == level and space in threats:
            healthy = 0
            for dweller in standing.dwellers:
                healthy += dweller < INJURED
            leaving += healthy > 0
    return lying, letters, leaving, learning


def _useful(game: ShelterGame, letters: int) -> int:
    """Return how many spaces show the letters that a seat is trained in, three of each at most."""
    found = 0
    if letters:
        lettered = game.vault.lettered
        for letter in range(1, len(LETTERS) + 1):
            if letters >> letter & 1:
                found += min(3, lettered[letter].bit_count())
    return found


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
