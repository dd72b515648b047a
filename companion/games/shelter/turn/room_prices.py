"""What a room costs, and the items that make building cheaper (B2, P2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.shelter.board.face import FREE, can_pay
from companion.games.shelter.cards.hands import exhaust
from companion.games.shelter.turn.asking import ask_placer, under_way
from companion.games.shelter.words import RESOURCES

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.shelter.board.choice import Choice
    from companion.games.shelter.board.face import Price
    from companion.games.shelter.board.figures import Placement
    from companion.games.shelter.cards.contents import RoomKind
    from companion.games.shelter.position import Position

NONE: Final = "none"
ANY: Final = "?"


def covers(game: Position, colour: int, room: RoomKind, besides: Price) -> bool:
    """Whether a player can pay for a room and what else is due, with every item that makes it cheaper."""
    water, food, energy = game.cubes[3 * colour : 3 * colour + 3]
    if not room.affordable[water + 7 * food + 49 * energy]:
        return bool(game.hands[colour].saving) and _covers(
            (water, food, energy), _sum(room.price, besides), _amounts(game, colour)
        )
    return besides == FREE or _covers((water, food, energy), _sum(room.price, besides), _amounts(game, colour))


def _covers(cubes: tuple[int, int, int], price: Price, saving: list[int]) -> bool:
    if can_pay(cubes, price):
        return True
    return bool(saving) and any(
        _covers(cubes, cheaper(price, icon, saving[0]), saving[1:]) for icon in range(4) if price[icon]
    )


def _sum(one: Price, other: Price) -> Price:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3]


def _amounts(game: Position, colour: int) -> list[int]:
    return [kind.discount for kind in game.hands[colour].saving]


def cheaper(price: Price, icon: int, amount: int) -> Price:
    """A price with less of one icon."""
    less = list(price)
    less[icon] = max(0, less[icon] - amount)
    return less[0], less[1], less[2], less[3]


def offer_discount(game: Position, placement: Placement, chance: Chance, number: int) -> bool:
    """An item that makes building cheaper: which icon of the price it saves, or none."""
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


def discount_options(game: Position, choice: Choice) -> list[str]:
    """The icons of the price that can be saved, and `none` where the whole price can be paid."""
    return _savings(game, under_way(game))


def _savings(game: Position, placement: Placement) -> list[str]:
    saving = _amounts(game, placement.by)
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


def answer_discount(game: Position, placement: Placement, chance: Chance, choice: Choice, option: str) -> bool:
    """The item is used for the icon chosen; a second such item may follow."""
    if option == NONE:
        return False
    _save(game, placement, option)
    return offer_discount(game, placement, chance, choice.data)


def _save(game: Position, placement: Placement, option: str) -> None:
    item = game.hands[placement.by].saving[0]
    icon = len(RESOURCES) if option == ANY else RESOURCES.index(option)
    placement.price = cheaper(placement.price, icon, item.discount)
    exhaust(game, placement.by, item)
