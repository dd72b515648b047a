"""Building rooms: which room, on which side, at what price (B, P2, P8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.shelter import tracks
from companion.games.shelter.asking import ask_placer, under_way
from companion.games.shelter.face import FREE as COSTS_NOTHING
from companion.games.shelter.face import can_pay
from companion.games.shelter.hands import exhaust, ready_items
from companion.games.shelter.places import OUTWARDS, ROOMS_A_LEVEL, SIDES
from companion.games.shelter.words import RESOURCES, ROOMS, UNKNOWN

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.shelter.choice import Choice
    from companion.games.shelter.face import Price
    from companion.games.shelter.game import Game

DECLINE: Final = "decline"
NONE: Final = "none"
ANY: Final = "?"
ROOMS_OF_A_FULL_LEVEL: Final = 6

# How a build icon asks for its room: as the cost of the space, for nothing, or for a price and may be declined (A4).
AS_COST: Final = 0
FREE: Final = 1
PRICED: Final = 2


def ask_room(game: Game, chance: Chance, number: int) -> bool:
    """Which room, and on which side. A single possibility is taken without asking."""
    if number == FREE and game.rules.build_always_paid:
        number = PRICED
    placement = under_way(game)
    placement.price, placement.slot, placement.column = COSTS_NOTHING, -1, -1
    found = room_options(game, placement.by, number)
    if number == PRICED and found:
        found = [*found, DECLINE]
    if len(found) > 1:
        ask_placer(game, "build", "B1", number)
        return True
    return bool(found) and answer_room(game, chance, number, found[0])


def options(game: Game, choice: Choice) -> list[str]:
    """The rooms that can be built now, each with its side."""
    found = room_options(game, choice.by, choice.data)
    return [*found, DECLINE] if choice.data == PRICED else found


def room_options(game: Game, colour: int, number: int) -> list[str]:
    """`garden@left`: every known room of the track that can be paid and placed (B2, B3, B4)."""
    placement = under_way(game)
    sides = [side for side in (0, 1) if column_for(game, colour, side) >= 0]
    found: dict[str, None] = {}
    for card in game.tracks[ROOMS]:
        if card == UNKNOWN:
            continue
        room = game.box.rooms[card]
        if number == FREE or covers(game, colour, _with_owed(room.price, placement.owed)):
            for side in sides:
                found[f"{room.name}@{SIDES[side]}"] = None
    return list(found)


def some_room_can_be_paid(game: Game, colour: int, price: Price) -> bool:
    """P8: a `pay-room` for which no room can be paid and placed is a cost that cannot be paid."""
    if column_for(game, colour, 0) < 0 and column_for(game, colour, 1) < 0:
        return False
    return any(
        covers(game, colour, _sum(game.box.rooms[card].price, price)) for card in game.tracks[ROOMS] if card != UNKNOWN
    )


def column_for(game: Game, colour: int, side: int) -> int:
    """Where the next room of a side goes on the player's own level, or -1."""
    return game.vault.next_column(game.owners.index(colour), OUTWARDS[side])


def _sum(one: Price, other: Price) -> Price:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3]


def _with_owed(price: Price, owed: int) -> Price:
    return price[0], price[1], price[2], price[3] + owed


# --- paying for the room ----------------------------------------------------------------------------------------------


def discounts(game: Game, colour: int) -> list[int]:
    """What each ready item saves when building."""
    return [kind.discount for kind in ready_items(game, colour) if kind.discount]


def covers(game: Game, colour: int, price: Price) -> bool:
    """Whether a player can pay a price for a room, with every item that makes it cheaper."""
    cubes = game.cubes[3 * colour], game.cubes[3 * colour + 1], game.cubes[3 * colour + 2]
    return _covers(cubes, price, discounts(game, colour))


def _covers(cubes: tuple[int, int, int], price: Price, saving: list[int]) -> bool:
    if can_pay(cubes, price):
        return True
    return bool(saving) and any(
        _covers(cubes, cheaper(price, icon, saving[0]), saving[1:]) for icon in range(4) if price[icon]
    )


def cheaper(price: Price, icon: int, amount: int) -> Price:
    """A price with less of one icon."""
    less = list(price)
    less[icon] = max(0, less[icon] - amount)
    return less[0], less[1], less[2], less[3]


def answer_room(game: Game, chance: Chance, number: int, option: str) -> bool:  # noqa: ARG001
    """The room is chosen; what it costs is paid next."""
    placement = under_way(game)
    if option == DECLINE:
        return False
    name, _, side = option.partition("@")
    card = game.box.numbers[ROOMS][name]
    placement.slot = game.tracks[ROOMS].index(card)
    placement.column = column_for(game, placement.by, SIDES.index(side))
    if number != FREE:
        placement.price = game.box.rooms[card].price
    return False


def offer_discount(game: Game, chance: Chance, number: int) -> bool:  # noqa: ARG001
    """An item that makes building cheaper: which icon of the price it saves, or none."""
    placement = under_way(game)
    if not any(placement.price) or not discounts(game, placement.by):
        return False
    found = discount_options(game)
    if len(found) > 1:
        ask_placer(game, "discount", "I2")
        return True
    return bool(found) and answer_discount(game, chance, found[0])


def discount_options(game: Game) -> list[str]:
    """The icons of the price that can be saved, and `none` where the whole price can be paid."""
    placement = under_way(game)
    saving = discounts(game, placement.by)
    cubes = game.cubes[3 * placement.by], game.cubes[3 * placement.by + 1], game.cubes[3 * placement.by + 2]
    found = []
    for icon in range(4):
        if placement.price[icon]:
            rest = _with_owed(cheaper(placement.price, icon, saving[0]), placement.owed)
            if _covers(cubes, rest, saving[1:]):
                found.append(RESOURCES[icon] if icon < len(RESOURCES) else ANY)
    if can_pay(cubes, _with_owed(placement.price, placement.owed)):
        found.append(NONE)
    return found


def answer_discount(game: Game, chance: Chance, option: str) -> bool:
    """The item is used for the icon chosen; a second such item may follow."""
    if option == NONE:
        return False
    placement = under_way(game)
    item = next(kind for kind in ready_items(game, placement.by) if kind.discount)
    icon = len(RESOURCES) if option == ANY else RESOURCES.index(option)
    placement.price = cheaper(placement.price, icon, item.discount)
    exhaust(game, placement.by, item)
    return offer_discount(game, chance, 0)


def pay_for_room(game: Game, chance: Chance, number: int) -> bool:  # noqa: ARG001
    """The coloured icons of the room's price; its '?' icons are owed (B2)."""
    placement = under_way(game)
    for resource in range(3):
        amount = placement.price[resource]
        if amount:
            game.cubes[3 * placement.by + resource] -= amount
            game.events.append(("paid", placement.by, RESOURCES[resource], amount))
    placement.owed += placement.price[3]
    return False


def raise_room(game: Game, chance: Chance, number: int) -> bool:  # noqa: ARG001
    """The room chosen goes into the level, and the track is refilled (B1, B3); the sixth ends the game (B5)."""
    placement = under_way(game)
    if placement.slot < 0:
        return False
    level = game.owners.index(placement.by)
    card = game.tracks[ROOMS][placement.slot]
    game.vault = game.vault.with_room(level * ROOMS_A_LEVEL + placement.column, card)
    tracks.refill(game, chance, ROOMS, placement.slot)
    placement.slot = -1
    game.events.append(("built", placement.by, game.box.rooms[card].name, level, placement.column))
    if game.vault.rooms_on(level) == ROOMS_OF_A_FULL_LEVEL:
        game.last_round = True
        game.events.append(("last_round", placement.by, "B5"))
    return False
