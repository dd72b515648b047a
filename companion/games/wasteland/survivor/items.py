"""W-ITEM: gaining cards, equipment and the inventory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.words import CardDeck, CardKind
from companion.games.wasteland import moves
from companion.games.wasteland.box import NO_CARD, SLOT_OF, SLOTS, card_of, turned
from companion.games.wasteland.events import CardEvent, EquipmentChanged, PlainEvent
from companion.games.wasteland.flow import sequence
from companion.games.wasteland.flow.decks import discard_card, draw, take_top
from companion.games.wasteland.flow.sequence import ask, push, refuse_unless_idle_turn
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import AskedChoice, PendingStep, WastelandPosition


def draw_cards(game: WastelandPosition, chance: MoveChance, step: PendingStep) -> None:
    """Draw loot or assets; the inventory limit comes after the last of them (W-ITEM-10, W-ITEM-11)."""
    word, count = step.data
    pile = game.loot if word == CardDeck.LOOT else game.assets
    drawn = [draw(pile, chance, [card.id for card in game.box.cards], word) for _ in range(count)]
    push(game, "inventory-limit", step.seat)
    for card in reversed(drawn):
        if card is not None:
            game.events.append(CardEvent("drawn", step.seat, card=game.box.cards[card].id))
            push(game, "gain-card", step.seat, turned(card))


def gain_card(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Carry out and discard an event; keep other cards, equipped at once or not (W-ITEM-5, W-ITEM-10)."""
    held: int = step.data[0]
    card = game.box.cards[card_of(held)]
    survivor = game.survivors[step.seat]
    if card.kind is CardKind.EVENT:
        discard_card(game, held)
        sequence.carry_out(game, step.seat, card.effects)
    elif card.kind is CardKind.ABILITY:
        survivor.beside = held
    elif card.kind in SLOT_OF:
        ask(game, step.seat, "equip", "W-ITEM-5", held)
    else:
        survivor.inventory.append(held)


def gain_and_limit(game: WastelandPosition, seat: int, *held: int) -> None:
    """Gain cards, then apply the inventory limit."""
    push(game, "inventory-limit", seat)
    for one in reversed(held):
        push(game, "gain-card", seat, one)


def equip_options(_game: WastelandPosition, _choice: AskedChoice) -> list[str]:
    """Offer to equip a gained card right away (W-ITEM-5)."""
    return ["equip", "inventory"]


def answer_equip(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    """Put the card into its slot, whose card goes to the inventory, or into the inventory."""
    survivor, held = game.survivors[choice.by], choice.data[0]
    if option == "inventory":
        survivor.inventory.append(held)
        return
    slot = SLOT_OF[game.box.cards[card_of(held)].kind]
    if survivor.slots[slot] != NO_CARD:
        survivor.inventory.append(survivor.slots[slot])
    survivor.slots[slot] = held
    game.events.append(CardEvent("equipped", choice.by, card=game.box.cards[card_of(held)].id))


def limit(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Ask an owner above the inventory limit to discard; equipped cards do not count (W-ITEM-1, W-ITEM-4)."""
    if len(game.survivors[step.seat].inventory) > game.box.settings.inventory_limit:
        push(game, "inventory-limit", step.seat)
        ask(game, step.seat, "discard", "W-ITEM-4")


def discard_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    return names(game, game.survivors[choice.by].inventory)


def answer_discard(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    survivor = game.survivors[choice.by]
    card = find(game, survivor.inventory, option)
    survivor.inventory.remove(card)
    discard_card(game, card)


def names(game: WastelandPosition, held: list[int]) -> list[str]:
    """Return the different ids among held cards."""
    return list(dict.fromkeys(game.box.cards[card_of(one)].id for one in held if one != NO_CARD))


def find(game: WastelandPosition, held: list[int], name: str) -> int:
    """Return a held card by its id, or NO_CARD; an upright copy before a sideways one."""
    number = game.box.card_number.get(name, NO_CARD)
    return min((one for one in held if one != NO_CARD and card_of(one) == number), default=NO_CARD)


def take_away(game: WastelandPosition, seat: int, held: int) -> None:
    """Take a card from its survivor, equipped or not."""
    survivor = game.survivors[seat]
    if held in survivor.inventory:
        survivor.inventory.remove(held)
    else:
        survivor.slots[survivor.slots.index(held)] = NO_CARD


def replace(game: WastelandPosition, seat: int, held: int, by: int) -> None:
    """Exchange a held card in its place, to turn it."""
    survivor = game.survivors[seat]
    for cards in (survivor.slots, survivor.inventory):
        if held in cards:
            cards[cards.index(held)] = by
            return
    if held == survivor.beside:
        survivor.beside = by


# --- at the start of the turn -----------------------------------------------------------------------------------------


def _refuse_after_the_start(game: WastelandPosition, seat: int) -> None:
    refuse_unless_idle_turn(game, seat)
    if not game.at_start_of_turn:
        raise Refusal("not_the_start", "W-ITEM-6", "Equipment changes only at the start of the own turn.")


def equip(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Equip a card of the inventory; the one in its slot goes there instead (W-ITEM-6)."""
    _refuse_after_the_start(game, move.by)
    survivor = game.survivors[move.by]
    held = find(game, survivor.inventory, move[moves.CARD])
    if held == NO_CARD:
        raise Refusal("not_held", "W-ITEM-6", "That card is not in the inventory.", card=move[moves.CARD])
    kind = game.box.cards[card_of(held)].kind
    if kind not in SLOT_OF:
        raise Refusal("never_equipped", "W-ITEM-3", f"A card of the kind {kind} is never equipped.", kind=kind.value)
    place = survivor.inventory.index(held)
    slot = SLOT_OF[kind]
    survivor.inventory[place : place + 1] = [one for one in (survivor.slots[slot],) if one != NO_CARD]
    survivor.slots[slot] = held
    game.events.append(EquipmentChanged(move.by, card=move[moves.CARD], slot=SLOTS[slot]))


def unequip(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Take equipment off; the inventory limit applies (A-28)."""
    _refuse_after_the_start(game, move.by)
    survivor = game.survivors[move.by]
    held = find(game, survivor.slots, move[moves.CARD])
    if held == NO_CARD:
        raise Refusal("not_equipped", "W-ITEM-6", "That card is not equipped.", card=move[moves.CARD])
    take_away(game, move.by, held)
    survivor.inventory.append(held)
    game.events.append(CardEvent("unequipped", move.by, card=move[moves.CARD]))
    push(game, "inventory-limit", move.by)


# --- unique assets ----------------------------------------------------------------------------------------------------


def gain_unique(game: WastelandPosition, chance: MoveChance, seat: int, name: str) -> None:
    """Gain a unique asset by name; a random one if it is gone, none from an empty deck (W-ITEM-12, A-31)."""
    wanted = game.box.card_number.get(name, NO_CARD)
    if wanted in game.uniques:
        game.uniques.remove(wanted)
        card = wanted
    elif game.uniques:
        game.uniques = chance.shuffle(game.uniques)
        card = take_top(game.uniques, chance, [one.id for one in game.box.cards], "unique")
    else:
        game.events.append(PlainEvent("no_unique_left", seat))
        return
    game.events.append(CardEvent("drawn", seat, card=game.box.cards[card].id))
    gain_and_limit(game, seat, turned(card))
