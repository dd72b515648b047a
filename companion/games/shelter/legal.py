"""Every legal move now, worked out with masks of spaces so that a bot can afford to ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.shelter.cards import items
from companion.games.shelter.moves import PASSES, PLACEMENTS, THE_RECALL, THE_SPAWN, answers, choose, rare_row, use
from companion.games.shelter.turn import choices
from companion.games.shelter.turn.asking import income_is_due
from companion.games.shelter.turn.paying import (
    can_afford,
    items_gone,
    items_to_pay,
    some_room_can_be_paid,
    states_that_pay,
)
from companion.games.shelter.turn.placing import helps, with_power
from companion.games.shelter.turn.rewards import fits
from companion.games.shelter.turn.rounds import holds_the_recall_up
from companion.games.shelter.words import (
    COLOURS,
    INJURED,
    INJURED_TRAINED,
    OVER,
    PLACE,
    PLAIN,
    RECALL,
    SPAWN,
    UNINJURED_TRAINED,
    UNKNOWN,
    bits,
)

HOLDERS: Final = tuple(tuple(bits(mask)) for mask in range(1 << len(COLOURS)))
FULL: Final = (-1, -1)

if TYPE_CHECKING:
    from companion.games.shelter.board.vault import Vault
    from companion.games.shelter.cards.box import ItemKind
    from companion.games.shelter.moves import Move
    from companion.games.shelter.position import ShelterPosition


def moves(game: ShelterPosition) -> list[Move]:
    """Return the moves of everybody who may move: who is on turn, has a choice open, or holds an item."""
    found: list[Move] = []
    if game.phase == PLACE:
        if game.placement is None and not (game.pending and income_is_due(game, game.turn)):
            found.append(PASSES[game.turn])
            _placements(game, game.turn, found)
    elif game.phase == SPAWN:
        found.append(THE_SPAWN)
    elif game.phase == RECALL and _may_recall(game):
        found.append(THE_RECALL)
    if game.pending:
        _answers(game, found)
    if game.tools and game.phase != OVER:
        _uses(game, found)
    return found


def _may_recall(game: ShelterPosition) -> bool:
    if any(holds_the_recall_up(game, choice) for choice in game.pending):
        return False
    threats = game.vault.threats
    if UNKNOWN not in threats.values():
        return True
    return not any(threat == UNKNOWN and space in game.placed for space, threat in threats.items())


def _placements(game: ShelterPosition, colour: int, found: list[Move]) -> None:
    """Add every kind of dweller, or pair of them, on every space that is open to it."""
    can = affordable_spaces(game, colour)
    vault = game.vault
    single = can & ~vault.linked
    healthy = single & ~vault.injured_only
    rows = PLACEMENTS[colour]
    if game.plain[colour]:
        found += rows[PLAIN].on(healthy)
    if game.trained[colour]:
        for dweller in bits(game.trained[colour]):
            found += rows[dweller].on(healthy if dweller < INJURED else single & vault.injured_only)
    if game.hurt[colour]:
        found += rows[INJURED].on(single & vault.injured_only)
    if can != single:
        _pairs_on(game, colour, can & vault.linked, found)
    if game.hands[colour].outfits:
        _dressed_up(game, colour, can, found)


def _pairs_on(game: ShelterPosition, colour: int, linked: int, found: list[Move]) -> None:
    """Add the different pairs of dwellers on linked spaces (P6)."""
    for injured, spaces in ((False, linked & ~game.vault.injured_only), (True, linked & game.vault.injured_only)):
        for pair in _pairs(game, colour, injured=injured) if spaces else ():
            found += rare_row(colour, pair).on(spaces)


def affordable_spaces(game: ShelterPosition, colour: int) -> int:
    """Return a mask of the free spaces whose whole cost the player can pay (P1, P2, P4)."""
    vault = game.vault
    here = vault.known & ~game.taken & vault.open_to[colour]
    cubes, base = game.cubes, 3 * colour
    state = cubes[base] + 7 * cubes[base + 1] + 49 * cubes[base + 2]
    can = vault.free_of_charge
    for table, spaces in vault.costs.items():
        if table[state]:
            can |= spaces
    special = vault.special & here
    if special:
        own = vault.own_elevators[colour]
        if special & own:
            special ^= own
            if states_that_pay(game) >> state & 1 and vault.openings[game.levels[colour]] != FULL:
                can |= own
            elif game.hands[colour].saving:
                special |= own
        if special:
            can |= _special_spaces(game, colour, special, state)
    if game.rules.reward_must_fit:
        return _fitting(game, colour, can & here)
    return can & here


def _fitting(game: ShelterPosition, colour: int, spaces: int) -> int:
    """Return those of the spaces whose reward could be taken (P8, by option)."""
    return sum([1 << space for space in bits(spaces) if fits(game, colour, space)])


def _special_spaces(game: ShelterPosition, colour: int, spaces: int, state: int) -> int:
    """Return those of the spaces that cost an item or a room for which the player can pay."""
    can = 0
    faces = game.vault.faces
    while spaces:
        bit = spaces & -spaces
        spaces ^= bit
        face = faces[bit.bit_length() - 1]
        if face is None or not face.affordable[state]:
            continue
        if face.items and items_to_pay(game, colour) < face.items:
            continue
        if not face.pay_room or some_room_can_be_paid(game, colour, face.price, state):
            can |= bit
    return can


def _kinds(game: ShelterPosition, colour: int, *, injured: bool) -> list[int]:
    """Return the available kinds of dweller, plain ones first, and plain twice where there are two."""
    if injured:
        stock, plain, trained = game.hurt[colour], INJURED, game.trained[colour] & INJURED_TRAINED
    else:
        stock, plain, trained = game.plain[colour], PLAIN, game.trained[colour] & UNINJURED_TRAINED
    kinds = [plain] * min(2, stock)
    return kinds + bits(trained) if trained else kinds


def _pairs(game: ShelterPosition, colour: int, *, injured: bool) -> list[tuple[int, int]]:
    """Return the different pairs of dwellers that may stand on a linked space (P6)."""
    kinds = _kinds(game, colour, injured=injured)
    if len(kinds) == 2:  # noqa: PLR2004 - a pair
        return [(kinds[0], kinds[1])]
    pairs = {(one, other): None for place, one in enumerate(kinds) for other in kinds[place + 1 :]}
    return list(pairs)


def _dressed_up(game: ShelterPosition, colour: int, can: int, found: list[Move]) -> None:
    """Add placements with an item that makes the dweller count as trained (I2)."""
    vault = game.vault
    for item in game.hands[colour].outfits:
        if item.letter and not item.discarded and not game.rules.ready_item_pays:
            spaces = can & vault.lettered[item.letter]
        else:
            spaces = _powered_spaces(game, colour, item)
        if not spaces:
            continue
        for injured, here in ((False, spaces & ~vault.injured_only), (True, spaces & vault.injured_only)):
            if here:
                _wear(game, colour, item, here, _kinds(game, colour, injured=injured), found)


def _wear(game: ShelterPosition, colour: int, item: ItemKind, spaces: int, kinds: list[int], found: list[Move]) -> None:
    """Add the item on every dweller, or pair of them, that is not trained in the letter of the space anyway."""
    vault = game.vault
    single, linked = spaces & ~vault.linked, spaces & vault.linked
    if game.rules.linked_never_doubled:
        linked = 0
    if single:
        for dweller in dict.fromkeys(kinds):
            found += rare_row(colour, (dweller,), item.name).on(single & ~_lettered_for(vault, dweller))
    if linked:
        for pair in dict.fromkeys((one, other) for place, one in enumerate(kinds) for other in kinds[place + 1 :]):
            trained_there = _lettered_for(vault, pair[0]) | _lettered_for(vault, pair[1])
            found += rare_row(colour, pair, item.name).on(linked & ~trained_there)


def _lettered_for(vault: Vault, dweller: int) -> int:
    """Return the spaces whose letter the dweller is trained in; a plain one in none."""
    letter = dweller % INJURED
    return vault.lettered[letter] if letter else 0


def _powered_spaces(game: ShelterPosition, colour: int, item: ItemKind) -> int:
    """Return where an item with its own price helps: on threats with a letter that can still be paid."""
    vault = game.vault
    free = vault.known & ~game.taken & vault.open_to[colour]
    found = 0
    for space in bits(free & ~vault.lettered[0]):
        face = vault.faces[space]
        if face is None or not helps(game, item, face, space):
            continue
        if can_afford(game, colour, face, with_power(face.price, [item]), items_gone(game, [item])):
            found |= 1 << space
    return _fitting(game, colour, found) if game.rules.reward_must_fit else found


def _answers(game: ShelterPosition, found: list[Move]) -> None:
    """Add the answers to every open choice; the first of a player needs no number."""
    asked: list[int] = []
    for choice in game.pending:
        if choice.by in asked:
            found += [choose(choice.by, option, choice.id) for option in choices.options(game, choice)]
        else:
            asked.append(choice.by)
            found += answers(choice.by, choices.options(game, choice))


def _uses(game: ShelterPosition, found: list[Move]) -> None:
    """Add the items that can be used at any time."""
    for colour in HOLDERS[game.tools]:
        if game.pending and income_is_due(game, colour):
            continue
        for item in game.hands[colour].tools:
            if items.is_useful(game, colour, item):
                found.append(use(colour, item.name))  # noqa: PERF401 - quicker than a list for one or two
