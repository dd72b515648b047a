"""The cost of a space, paid in full before anything is gained (P2, Q2, Q3, I4, J1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.shelter.board.vault import can_pay
from companion.games.shelter.cards.hand import discard_item
from companion.games.shelter.events import CUBES_PAID, CubesPaid
from companion.games.shelter.turn import building, rewards
from companion.games.shelter.turn.asking import ask_placer, under_way
from companion.games.shelter.words import RESOURCES

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.shelter.board.figures import OngoingPlacement, PendingShelterChoice
    from companion.games.shelter.board.vault import Face, Price
    from companion.games.shelter.position import ShelterPosition


def cubes_of(game: ShelterPosition, colour: int) -> tuple[int, int, int]:
    cubes, base = game.cubes, 3 * colour
    return cubes[base], cubes[base + 1], cubes[base + 2]


def state_of_tracker(game: ShelterPosition, colour: int) -> int:
    """Return a player's three tracks as one number, the index of the price tables."""
    cubes, base = game.cubes, 3 * colour
    return cubes[base] + 7 * cubes[base + 1] + 49 * cubes[base + 2]


def can_afford(game: ShelterPosition, colour: int, face: Face, price: Price, items_gone: int = 0) -> bool:
    """Return whether a player can pay everything a face asks for, at this price and with so many items fewer (P2)."""
    if price is face.price:
        if not face.affordable[state_of_tracker(game, colour)]:
            return False
    elif not can_pay(cubes_of(game, colour), price):
        return False
    if len(game.hands[colour].cards) - items_gone < face.items:
        return False
    return not face.pay_room or building.some_room_can_be_paid(game, colour, price, state_of_tracker(game, colour))


def still_payable(game: ShelterPosition) -> bool:
    """Return whether the placement under way can still pay what it owes; cubes may change in the middle of it."""
    placement = under_way(game)
    if sum(cubes_of(game, placement.by)) < placement.owed:
        return False
    for choice in game.pending:
        if not choice.of_placement:
            continue
        if choice.kind == "build" and not building.options(game, choice):
            return False
        if choice.kind == "discount" and not building.discount_options(game, choice):
            return False
        if choice.kind == "pay-item" and placement.face.pay_room:
            return building.some_room_can_be_paid(
                game, placement.by, (0, 0, 0, placement.owed), state_of_tracker(game, placement.by)
            )
    return True


def take_cubes(game: ShelterPosition, colour: int, price: Price) -> None:
    """Return cubes to the supply (Q3). The '?' part is asked for elsewhere.

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
    return [RESOURCES[resource] for resource in range(3) if game.cubes[3 * colour + resource]]


def answer_pay_resource(
    game: ShelterPosition, placement: OngoingPlacement, chance: Chance, choice: PendingShelterChoice, option: str
) -> bool:
    _pay_one(game, placement.by, option)
    placement.owed -= 1
    return settle_any(game, placement, chance, 0)


def _pay_one(game: ShelterPosition, colour: int, resource: str) -> None:
    game.cubes[3 * colour + RESOURCES.index(resource)] -= 1
    game.events.append(CubesPaid(colour, resource, 1))


def injure(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    """Injure the dweller placed here (J1)."""
    rewards.injure_all(game, placement.space)
    return False


def pay_item(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    """Discard one of the player's items as part of the cost (I4)."""
    options = game.hands[placement.by].names()
    if len(options) > 1:
        ask_placer(game, placement, "pay-item", "I4")
        return True
    if options:
        discard_item(game, placement.by, options[0])
    return False


def answer_pay_item(
    game: ShelterPosition, placement: OngoingPlacement, chance: Chance, choice: PendingShelterChoice, option: str
) -> bool:
    discard_item(game, placement.by, option)
    return False
