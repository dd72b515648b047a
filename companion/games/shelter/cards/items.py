"""Items that work at any time (I2): exchanges, and the actions ready, heal and swap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.item_effects import Act, Action, ExchangeOnce
from companion.games.shelter.board import tracks
from companion.games.shelter.cards.hand import discard_item, exhaust, find_ready, gain_item, make_ready
from companion.games.shelter.events import CUBES_PAID, DwellerHealed
from companion.games.shelter.turn import paying, rewards
from companion.games.shelter.turn.asking import ask, refuse_while_income_is_due
from companion.games.shelter.turn.rewards import gain_cubes
from companion.games.shelter.words import (
    COLOURS,
    DWELLER_NUMBER,
    DWELLERS,
    INJURED,
    INJURED_TRAINED,
    ITEMS,
    PHASES,
    PLACE,
    RECALL,
    RESOURCE_NUMBER,
    SPACE_NAMES,
    SPACE_NUMBER,
    SPAWN,
)
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.shelter.board.vault import PendingShelterChoice
    from companion.games.shelter.cards.box import ItemKind
    from companion.games.shelter.moves import Move
    from companion.games.shelter.position import ShelterPosition


def use_any_time(game: ShelterPosition, move: Move, chance: Chance) -> None:
    """Use an item, in one's own turn or another's."""
    colour = move.by
    if colour not in game.seats:
        raise Refusal("not_playing", "C1", f"{COLOURS[colour]} is not playing.", by=COLOURS[colour])
    if game.phase not in (SPAWN, PLACE, RECALL):
        raise Refusal("wrong_phase", "I2", "Items do not work now.", phase=PHASES[game.phase])
    refuse_while_income_is_due(game, colour)
    item = find_ready(game, colour, move.item)
    effect = item.any_time
    if effect is None:
        raise Refusal("item_moment", "I2", f"{item.name} works only at its own moment.", item=item.name)
    if _must_be_paid(game, colour, item):
        raise Refusal("item_no_help", "I4", f"{item.name} is the item that must be paid.", item=item.name)
    if isinstance(effect, ExchangeOnce):
        _exchange(game, colour, item, effect)
        return
    if not is_useful(game, colour, item):
        raise Refusal("item_no_help", "I2", f"There is nothing for {item.name} to do.", item=item.name)
    exhaust(game, colour, item)
    match effect:
        case Act():
            _act(game, chance, colour, item, effect.action)


def is_useful(game: ShelterPosition, colour: int, item: ItemKind) -> bool:
    """Return whether a ready item has something to do for the player now."""
    if game.pending and _must_be_paid(game, colour, item):
        return False
    effect = item.any_time
    match effect:
        case None:
            return False
        case ExchangeOnce():
            if game.placement is None or game.placement.by != colour:
                return game.cubes[3 * colour + item.pays] >= item.pays_amount
            return _exchange_problem(game, colour, effect) is None
        case Act():
            return _has_something_to_do(game, colour, effect.action)


def _has_something_to_do(game: ShelterPosition, colour: int, action: Action) -> bool:
    match action:
        case Action.READY:
            return bool(game.hands[colour].exhausted)
        case Action.HEAL:
            return bool(injured_options(game, colour))
        case Action.SWAP:
            return not _is_choosing_a_price(game, colour) and bool(tracks.options(game, ITEMS))
        case Action.DISCOUNT:  # at its own moment
            return False


def _is_choosing_a_price(game: ShelterPosition, colour: int) -> bool:
    """Return whether a player is deciding what to pay with: no item is swapped meanwhile."""
    return any(
        choice.by == colour and choice.of_placement and choice.kind in ("pay-item", "build", "discount")
        for choice in game.pending
    )


def _must_be_paid(game: ShelterPosition, colour: int, item: ItemKind) -> bool:
    """Return whether an item is the only one with which a player can pay the item in a cost (I4)."""
    if not (item.discarded or game.rules.ready_item_pays) or paying.items_to_pay(game, colour) > 1:
        return False
    return any(choice.by == colour and choice.of_placement and choice.kind == "pay-item" for choice in game.pending)


# --- exchange ---------------------------------------------------------------------------------------------------------


def _exchange_problem(game: ShelterPosition, colour: int, effect: ExchangeOnce) -> Refusal | None:
    """Return why an exchange cannot be made, if so: it must be paid, and leave the rest of a cost payable."""
    if game.cubes[3 * colour + RESOURCE_NUMBER[effect.pay.resource.value]] < effect.pay.amount:
        return Refusal("cannot_pay", "P2", f"There is not enough {effect.pay.resource.value}.", by=COLOURS[colour])
    if game.placement is None or game.placement.by != colour:
        return None
    before = game.cubes
    game.cubes = _exchanged(game.cubes, colour, effect)
    leaves = paying.still_payable(game)
    game.cubes = before
    if leaves:
        return None
    return Refusal("cannot_pay", "P2", "The rest of the cost could not be paid any more.", by=COLOURS[colour])


def _exchanged(cubes: list[int], colour: int, effect: ExchangeOnce) -> list[int]:
    after = cubes.copy()
    after[3 * colour + RESOURCE_NUMBER[effect.pay.resource.value]] -= effect.pay.amount
    place = 3 * colour + RESOURCE_NUMBER[effect.gain.resource.value]
    after[place] = min(6, after[place] + effect.gain.amount)
    return after


def _exchange(game: ShelterPosition, colour: int, item: ItemKind, effect: ExchangeOnce) -> None:
    problem = _exchange_problem(game, colour, effect)
    if problem is not None:
        raise problem
    exhaust(game, colour, item)
    paid = RESOURCE_NUMBER[effect.pay.resource.value]
    place = 3 * colour + paid
    game.cubes[place] -= effect.pay.amount
    game.events.append(CUBES_PAID[place][effect.pay.amount])
    gain_cubes(game, colour, RESOURCE_NUMBER[effect.gain.resource.value], effect.gain.amount)


# --- ready, heal, swap ------------------------------------------------------------------------------------------------


def _act(game: ShelterPosition, chance: Chance, colour: int, item: ItemKind, action: Action) -> None:
    if action == Action.READY:
        found = [name for name in game.hands[colour].exhausted if name != item.name] or [item.name]
        if len(found) > 1:
            ask(game, colour, "ready", "I3", item.number)
        else:
            make_ready(game, colour, found[0])
    elif action == Action.HEAL:
        found = injured_options(game, colour)
        if len(found) > 1:
            ask(game, colour, "heal", "J3")
        else:
            _heal(game, colour, found[0])
    else:
        found = game.hands[colour].names()
        if len(found) > 1:
            ask(game, colour, "pay-item", "I4")
        else:
            _swap(game, chance, colour, found[0] if found else "")


def injured_options(game: ShelterPosition, colour: int) -> list[str]:
    """Return a player's injured dwellers: available ones by what they are, placed ones by their space."""
    found = ["injured"] if game.hurt[colour] else []
    trained = game.trained[colour] & INJURED_TRAINED
    found += [DWELLERS[dweller] for dweller in range(len(DWELLERS)) if trained >> dweller & 1]
    for space, standing in game.placed.items():
        if standing.colour == colour and INJURED in standing.dwellers:
            found.append(SPACE_NAMES[space])
    return found


def _heal(game: ShelterPosition, colour: int, option: str) -> None:
    if option in SPACE_NUMBER:
        rewards.heal_one(game, SPACE_NUMBER[option])
        return
    dweller = DWELLER_NUMBER[option]
    if dweller == INJURED:
        game.hurt[colour] -= 1
        game.plain[colour] += 1
    else:
        game.trained[colour] ^= 1 << dweller | 1 << (dweller - INJURED)
    game.events.append(DwellerHealed(colour, -1))


def _swap(game: ShelterPosition, chance: Chance, colour: int, name: str) -> None:
    if name:
        discard_item(game, colour, name)
    found = tracks.options(game, ITEMS)
    if len(found) > 1 or not tracks.is_known(game, ITEMS):
        ask(game, colour, "item", "I1")
    elif found:
        gain_item(game, colour, tracks.take(game, chance, ITEMS, found[0]))


def answer(game: ShelterPosition, chance: Chance, choice: PendingShelterChoice, option: str) -> None:
    """Apply the answer to a choice that an item opened."""
    colour = choice.by
    if choice.kind == "ready":
        make_ready(game, colour, option)
    elif choice.kind == "heal":
        _heal(game, colour, option)
    elif choice.kind == "pay-item":
        _swap(game, chance, colour, option)
    else:
        gain_item(game, colour, tracks.take(game, chance, ITEMS, option))
