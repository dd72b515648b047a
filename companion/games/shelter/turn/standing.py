"""Who may stand where: the masks that moves are listed from and placements are refused by (P1, P2, P4, P6, J2, I2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.shelter.board.vault import FULL, INJURED_PAIR, ONE, ONE_INJURED, PAIR
from companion.games.shelter.turn.paying import can_afford, items_gone, states_that_pay
from companion.games.shelter.turn.rewards import fits
from companion.games.shelter.words import INJURED, RESOURCE_NUMBER, bits

if TYPE_CHECKING:
    from companion.games.shelter.board.vault import Price, Vault
    from companion.games.shelter.cards.box import ItemKind
    from companion.games.shelter.position import ShelterPosition


def open_spaces(game: ShelterPosition, colour: int) -> int:
    """Return the spaces that show a face, are free (P1) and no other player's elevator (P4)."""
    vault = game.vault
    return vault.known & vault.open_to[colour] & ~game.taken


def fitting(vault: Vault, dwellers: tuple[int, ...]) -> int:
    """Return the spaces with as many circles as there are dwellers (P6), for the injured or the others (J2)."""
    injured = dwellers[0] >= INJURED
    if len(dwellers) == 1:
        return vault.circles[ONE_INJURED if injured else ONE]
    if len(dwellers) > 2 or injured != (dwellers[1] >= INJURED):  # noqa: PLR2004 - a pair
        return 0
    return vault.circles[INJURED_PAIR if injured else PAIR]


def payable(game: ShelterPosition, colour: int, spaces: int) -> int:
    """Return those of the spaces whose whole cost the player can pay (P2)."""
    vault = game.vault
    cubes, base = game.cubes, 3 * colour
    state = cubes[base] + 7 * cubes[base + 1] + 49 * cubes[base + 2]
    can = vault.free_of_charge
    priced = vault.priced
    for at, table in enumerate(vault.prices):
        if table[state]:
            can |= priced[at]
    special = vault.special & spaces
    if special:
        own = special & vault.own_elevators[colour]
        if own and not game.hands[colour].saving:
            special ^= own
            if states_that_pay(game) >> state & 1 and vault.openings[game.levels[colour]] != FULL:
                can |= own
        if special:
            can |= _payable_one_by_one(game, colour, special)
    return can & spaces


def _payable_one_by_one(game: ShelterPosition, colour: int, spaces: int) -> int:
    """Return those of the spaces that cost an item or a room for which the player can pay."""
    can = 0
    for space in bits(spaces):
        face = game.vault.faces[space]
        if face is not None and can_afford(game, colour, face, face.price):
            can |= 1 << space
    return can


def rewarding(game: ShelterPosition, colour: int, spaces: int) -> int:
    """Return those of the spaces whose reward could be taken; by the book all of them (P8)."""
    if not game.rules.reward_must_fit:
        return spaces
    return sum([1 << space for space in bits(spaces) if fits(game, colour, space)])


def lettered_for(vault: Vault, dwellers: tuple[int, ...]) -> int:
    """Return the spaces in whose letter one of the dwellers is trained (A4, A5)."""
    found = 0
    for dweller in dwellers:
        if dweller % INJURED:
            found |= vault.lettered[dweller % INJURED]
    return found


def helped_by(game: ShelterPosition, item: ItemKind) -> int:
    """Return the spaces in whose letter an item makes a dweller count as trained (I2): by its letter, or on threats.

    By option none with two circles: there nothing is doubled (A5).
    """
    if item.trains is None:
        return 0
    vault = game.vault
    linked = vault.circles[PAIR] | vault.circles[INJURED_PAIR] if game.rules.linked_never_doubled else 0
    if item.trained_letter:
        return vault.lettered[item.trained_letter] & ~linked
    threats = 0
    for space in vault.threats:
        threats |= 1 << space
    return threats & ~vault.lettered[0] & ~linked


def payable_with(game: ShelterPosition, colour: int, item: ItemKind, spaces: int) -> int:
    """Return those of the spaces whose cost the player can pay, together with what the item costs."""
    gone = items_gone(game, item)
    if not gone and not item.has_price:
        return payable(game, colour, spaces)
    can = 0
    for space in bits(spaces):
        face = game.vault.faces[space]
        if face is not None and can_afford(game, colour, face, with_power(face.price, item), gone):
            can |= 1 << space
    return can


def with_power(price: Price, item: ItemKind) -> Price:
    """Return the price of the space plus what the item asks for."""
    pay = None if item.trains is None else item.trains.pay
    if pay is None:
        return price
    added = list(price)
    added[RESOURCE_NUMBER[pay.resource.value]] += pay.amount
    return added[0], added[1], added[2], added[3]
