"""The cost of a space or a room, paid in full before anything is gained, and what makes it cheaper (P2, B2, Q2, I4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.shelter.board import tracks
from companion.games.shelter.board.vault import FREE, can_pay
from companion.games.shelter.cards.hand import discard_item, exhaust
from companion.games.shelter.events import CUBES_PAID, LastRound, RoomBuilt
from companion.games.shelter.turn import rewards
from companion.games.shelter.turn.asking import ask_placer, under_way
from companion.games.shelter.words import NO_CARD, RESOURCE_NUMBER, RESOURCES, ROOMS, ROOMS_A_LEVEL, SIDES, UNKNOWN

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.shelter.board.vault import Face, OngoingPlacement, PendingShelterChoice, Price
    from companion.games.shelter.cards.box import ItemKind, RoomKind
    from companion.games.shelter.position import ShelterPosition


NONE: Final = "none"
ANY: Final = "?"


def covers(game: ShelterPosition, colour: int, room: RoomKind, besides: Price) -> bool:
    """Return whether a player can pay for a room and what else is due, with every item that makes it cheaper."""
    water, food, energy = game.cubes[3 * colour : 3 * colour + 3]
    if not room.affordable[water + 7 * food + 49 * energy]:
        return bool(game.hands[colour].saving) and _covers(
            (water, food, energy), _sum(room.price, besides), _savings_in_hand(game, colour)
        )
    return besides == FREE or _covers((water, food, energy), _sum(room.price, besides), _savings_in_hand(game, colour))


def _covers(cubes: tuple[int, int, int], price: Price, saving: list[int]) -> bool:
    if can_pay(cubes, price):
        return True
    return bool(saving) and any(
        _covers(cubes, cheaper(price, icon, saving[0]), saving[1:]) for icon in range(4) if price[icon]
    )


def _sum(one: Price, other: Price) -> Price:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3]


def _savings_in_hand(game: ShelterPosition, colour: int) -> list[int]:
    return [kind.discount for kind in game.hands[colour].saving]


def cheaper(price: Price, icon: int, amount: int) -> Price:
    less = list(price)
    less[icon] = max(0, less[icon] - amount)
    return less[0], less[1], less[2], less[3]


def offer_discount(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    """Ask which icon of the price an item saves that makes building cheaper, or none."""
    if not game.hands[placement.by].saving or placement.price == FREE:
        return False
    found = _savings(game, placement)
    if len(found) > 1:
        ask_placer(game, placement, "discount", "I2")
        return True
    if found and found[0] != NONE:
        _save(game, placement, found[0])
        return offer_discount(game, placement, chance, number)
    return False


def discount_options(game: ShelterPosition, choice: PendingShelterChoice) -> list[str]:
    """Return the icons of the price that can be saved, and `none` where the whole price can be paid."""
    return _savings(game, under_way(game))


def _savings(game: ShelterPosition, placement: OngoingPlacement) -> list[str]:
    saving = _savings_in_hand(game, placement.by)
    cubes = game.cubes[3 * placement.by], game.cubes[3 * placement.by + 1], game.cubes[3 * placement.by + 2]
    owed = (0, 0, 0, placement.owed)
    found = []
    for icon in range(4):
        if saving and placement.price[icon]:
            rest = _sum(cheaper(placement.price, icon, saving[0]), owed)
            if _covers(cubes, rest, saving[1:]):
                found.append(RESOURCES[icon] if icon < len(RESOURCES) else ANY)
    if can_pay(cubes, _sum(placement.price, owed)):
        found.append(NONE)
    return found


def answer_discount(
    game: ShelterPosition, placement: OngoingPlacement, chance: Chance, choice: PendingShelterChoice, option: str
) -> bool:
    """Use the item for the chosen icon; a second such item may follow."""
    if option == NONE:
        return False
    _save(game, placement, option)
    return offer_discount(game, placement, chance, choice.data)


def _save(game: ShelterPosition, placement: OngoingPlacement, option: str) -> None:
    item = game.hands[placement.by].saving[0]
    icon = len(RESOURCES) if option == ANY else RESOURCES.index(option)
    placement.price = cheaper(placement.price, icon, item.discount)
    exhaust(game, placement.by, item)


DECLINE: Final = "decline"
ROOMS_OF_A_FULL_LEVEL: Final = 6

# How a build icon asks for its room: as the cost of the space, for nothing, or for a price and may be declined (A4).
AS_COST: Final = 0
BUILD_FREE: Final = 1
PRICED: Final = 2


def ask_room(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    """Ask for the room and its side; a single possibility is taken without asking."""
    if number == BUILD_FREE and game.rules.build_always_paid:
        number = PRICED
    elif number == PRICED and game.rules.second_room_free:
        number = BUILD_FREE
    placement.price, placement.room, placement.aside, placement.column = FREE, NO_CARD, False, -1
    found = _rooms(game, placement, number)
    if len(found) > 1 or (found and (number == PRICED or not tracks.is_known(game, ROOMS))):
        ask_placer(game, placement, "build", "B1", number)
        return True
    if found:
        _choose_room(game, placement, number, found[0])
    return False


def room_options(game: ShelterPosition, choice: PendingShelterChoice) -> list[str]:
    found = _rooms(game, under_way(game), choice.data)
    return [*found, DECLINE] if choice.data == PRICED else found


def _rooms(game: ShelterPosition, placement: OngoingPlacement, number: int) -> list[str]:
    """Return every known room of the track that can be paid and placed, as `garden@left` (B2, B3, B4)."""
    colour = placement.by
    columns = game.vault.openings[game.levels[colour]]
    found: list[str] = []
    for card in game.tracks[ROOMS]:
        if card == UNKNOWN:
            continue
        room = game.box.rooms[card]
        if room.on_sides[0] in found or room.on_sides[1] in found:
            continue
        if number == BUILD_FREE or covers(game, colour, room, (0, 0, 0, placement.owed)):
            found += [room.on_sides[side] for side in (0, 1) if columns[side] >= 0]
    return found


def some_room_can_be_paid(game: ShelterPosition, colour: int, price: Price, state: int) -> bool:
    """P8: a `pay-room` for which no room can be paid and placed is a cost that cannot be paid.

    `state` is the player's tracker as the price tables number it.
    """
    left, right = game.vault.openings[game.levels[colour]]
    if left < 0 and right < 0:
        return False
    if price is FREE and not game.hands[colour].saving:
        return bool(states_that_pay(game) >> state & 1)
    rooms = game.box.rooms
    return any(card != UNKNOWN and covers(game, colour, rooms[card], price) for card in game.tracks[ROOMS])


def states_that_pay(game: ShelterPosition) -> int:
    """Return the states of a tracker that cover the price of some room on the track; cached until the track changes."""
    track = game.tracks[ROOMS]
    if game.priced is not track:
        game.priced = track
        game.prices = 0
        for card in track:
            if card != UNKNOWN:
                game.prices |= game.box.rooms[card].states_that_pay
    return game.prices


def answer_room(
    game: ShelterPosition, placement: OngoingPlacement, chance: Chance, choice: PendingShelterChoice, option: str
) -> bool:
    """Note the chosen room; what it costs is paid next."""
    if option != DECLINE:
        _choose_room(game, placement, choice.data, option)
    return False


def _choose_room(game: ShelterPosition, placement: OngoingPlacement, number: int, option: str) -> None:
    name, _, side = option.partition("@")
    card = game.box.numbers[ROOMS][name]
    placement.room = card
    placement.column = game.vault.openings[game.levels[placement.by]][SIDES.index(side)]
    if number != BUILD_FREE:
        placement.price = game.box.rooms[card].price


def raise_room(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    """Build the chosen room and refill the track (B1, B3); the sixth one ends the game (B5), not together (U3).

    Its spaces can be used from the next turn on, by option from the next round on (B6).
    """
    card, placement.room = placement.room, NO_CARD
    if card == NO_CARD or not tracks.fetch_chosen(game, chance, ROOMS, card, aside=placement.aside):
        return False
    level = game.levels[placement.by]
    game.vault = game.vault.with_room(level * ROOMS_A_LEVEL + placement.column, card)
    if game.rules.new_room_next_round:
        game.vault.close(level * ROOMS_A_LEVEL + placement.column)
    game.events.append(RoomBuilt(placement.by, game.box.rooms[card].name, level, placement.column))
    rewards.praised(game, placement.by, "build")
    if game.vault.rooms_on(level) == ROOMS_OF_A_FULL_LEVEL and game.together is None:
        game.last_round = True
        game.events.append(LastRound(placement.by, "B5"))
    return False


def cubes_of(game: ShelterPosition, colour: int) -> tuple[int, int, int]:
    cubes, base = game.cubes, 3 * colour
    return cubes[base], cubes[base + 1], cubes[base + 2]


def state_of_tracker(game: ShelterPosition, colour: int) -> int:
    """Return a player's three tracks as one number, the index of the price tables."""
    cubes, base = game.cubes, 3 * colour
    return cubes[base] + 7 * cubes[base + 1] + 49 * cubes[base + 2]


def items_to_pay(game: ShelterPosition, colour: int) -> int:
    """Return how many items of a player may pay for one in a cost: ready or exhausted, by option ready ones (I4)."""
    cards = game.hands[colour].cards
    if game.rules.ready_item_pays:
        return sum([not card & 1 for card in cards])
    return len(cards)


def items_gone(game: ShelterPosition, worn: ItemKind) -> int:
    """Return how many items cannot pay any more once this one is worn (I4)."""
    return 1 if worn.discarded or game.rules.ready_item_pays else 0


def payable_items(game: ShelterPosition, colour: int) -> list[str]:
    """Return the items that may pay for one in a cost, each name once (I4)."""
    hand = game.hands[colour]
    return hand.ready_names() if game.rules.ready_item_pays else hand.names()


def can_afford(game: ShelterPosition, colour: int, face: Face, price: Price, gone: int = 0) -> bool:
    """Return whether a player can pay everything a face asks for, at this price and with so many items fewer (P2)."""
    if price is face.price:
        if not face.affordable[state_of_tracker(game, colour)]:
            return False
    elif not can_pay(cubes_of(game, colour), price):
        return False
    if face.items and items_to_pay(game, colour) - gone < face.items:
        return False
    return not face.pay_room or some_room_can_be_paid(game, colour, price, state_of_tracker(game, colour))


def still_payable(game: ShelterPosition) -> bool:
    """Return whether the placement under way can still pay what it owes; cubes may change in the middle of it."""
    placement = under_way(game)
    if sum(cubes_of(game, placement.by)) < placement.owed:
        return False
    for choice in game.pending:
        if not choice.of_placement:
            continue
        if choice.kind == "build" and not room_options(game, choice):
            return False
        if choice.kind == "discount" and not discount_options(game, choice):
            return False
        if choice.kind == "pay-item" and placement.face.pay_room:
            return some_room_can_be_paid(
                game, placement.by, (0, 0, 0, placement.owed), state_of_tracker(game, placement.by)
            )
    return True


def take_cubes(game: ShelterPosition, colour: int, price: Price) -> None:
    """Return cubes to the supply (Q3), never more than there are (Q5). The '?' part is asked for elsewhere.

    That the price can be paid was asked before; only a correction in between may have left less than is due.
    """
    for resource in range(3):
        place = 3 * colour + resource
        amount = min(price[resource], game.cubes[place])
        if amount:
            game.cubes[place] -= amount
            game.events.append(CUBES_PAID[place][amount])


def pay_price(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    """Pay the coloured icons of the cost; its '?' icons are owed from now on (P3)."""
    take_cubes(game, placement.by, placement.price)
    placement.owed += placement.price[3]
    return False


def settle_any(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    """Pay the '?' icons of the cost, one at a time; asked only where there is something to choose (Q2)."""
    while placement.owed:
        options = payable_resources(game, placement.by)
        if len(options) > 1:
            ask_placer(game, placement, "pay-resource", "Q2")
            return True
        if not options:  # a correction has left less than is due
            placement.owed = 0
            break
        _pay_one(game, placement.by, options[0])
        placement.owed -= 1
    return False


def payable_resources(game: ShelterPosition, colour: int) -> list[str]:
    """Return the resources of which a player has a cube; happiness is none (C3)."""
    return [RESOURCES[resource] for resource in range(3) if game.cubes[3 * colour + resource]]


def answer_pay_resource(
    game: ShelterPosition, placement: OngoingPlacement, chance: Chance, choice: PendingShelterChoice, option: str
) -> bool:
    _pay_one(game, placement.by, option)
    placement.owed -= 1
    return settle_any(game, placement, chance, 0)


def _pay_one(game: ShelterPosition, colour: int, resource: str) -> None:
    place = 3 * colour + RESOURCE_NUMBER[resource]
    game.cubes[place] -= 1
    game.events.append(CUBES_PAID[place][1])


def injure(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    """Injure the dweller placed here (J1)."""
    rewards.injure_all(game, placement.space)
    return False


def pay_item(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    """Discard one of the player's items as part of the cost (I4)."""
    options = payable_items(game, placement.by)
    if len(options) > 1:
        ask_placer(game, placement, "pay-item", "I4")
        return True
    if options:
        discard_item(game, placement.by, options[0], ready=game.rules.ready_item_pays)
    return False


def answer_pay_item(
    game: ShelterPosition, placement: OngoingPlacement, chance: Chance, choice: PendingShelterChoice, option: str
) -> bool:
    discard_item(game, placement.by, option, ready=game.rules.ready_item_pays)
    return False
