"""What cards can do: which may be used now, what they cost, perks, and effects that pick a card or an enemy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.types import Does
from companion.cards.wasteland.words import CardKind, Price, Timing
from companion.games.wasteland import moves
from companion.games.wasteland.box import NO_CARD, SLOT_OF, card_of, is_exhausted, turned
from companion.games.wasteland.events import CardEvent, CardTurned, PerkEvent
from companion.games.wasteland.flow import sequence
from companion.games.wasteland.flow.decks import discard_card
from companion.games.wasteland.flow.sequence import ask, ask_next, push, refuse_unless_idle_turn
from companion.games.wasteland.map import enemies
from companion.games.wasteland.survivor import items
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.cards.wasteland.types import CardAbility, Effect
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import AskedChoice, PendingStep, WastelandPosition


Usable = tuple[int, "CardAbility"]
"""A card held or beside the board, and one of its abilities."""


def usable(game: WastelandPosition, seat: int, *timings: Timing) -> list[Usable]:
    """Return the abilities that work now: equipped ones, others from the inventory (W-ITEM-2, W-ITEM-3)."""
    survivor = game.survivors[seat]
    working = [card for card in survivor.slots if card != NO_CARD]
    working += [card for card in survivor.inventory if game.box.cards[card_of(card)].kind not in SLOT_OF]
    if survivor.beside != NO_CARD:
        working.append(survivor.beside)
    return [
        (held, ability)
        for held in working
        for ability in game.box.cards[card_of(held)].abilities
        if ability.timing in timings and _can_be_paid(game, seat, held, ability)
    ]


def _can_be_paid(game: WastelandPosition, seat: int, held: int, ability: CardAbility) -> bool:
    if game.box.cards[card_of(held)].kind is CardKind.COMPANION and not game.is_own_turn(seat):
        return False
    if is_exhausted(held) and ability.price in (Price.EXHAUST, Price.DISCARD):
        return False
    if _use_of(game, held, ability) in game.used:
        return False
    return game.survivors[seat].caps >= ability.caps


def _use_of(game: WastelandPosition, held: int, ability: CardAbility) -> tuple[int, int]:
    return card_of(held), game.box.cards[card_of(held)].abilities.index(ability)


def options(game: WastelandPosition, seat: int, *timings: Timing) -> list[str]:
    """Return the usable cards as options of a choice, with perks that work inside an action."""
    return list(dict.fromkeys(card_options(game, seat, *timings) + _inside_perks(game, seat)))


def card_options(game: WastelandPosition, seat: int, *timings: Timing) -> list[str]:
    """Return the usable cards as options of a choice."""
    return list(dict.fromkeys(f"use:{game.box.cards[card_of(held)].id}" for held, _ in usable(game, seat, *timings)))


def _inside_perks(game: WastelandPosition, seat: int) -> list[str]:
    """Return perks that say that they work inside an action, in the own turn (W-PERK-4)."""
    if not game.is_own_turn(seat):
        return []
    held = [game.box.perks[perk] for perk in game.survivors[seat].perks]
    return [f"perk:{perk.id}" for perk in held if perk.inside_action]


def answer(game: WastelandPosition, seat: int, option: str, *timings: Timing) -> None:
    """Carry out `use:ID` or `perk:ID`."""
    how, _, name = option.partition(":")
    if how == "perk":
        spend_perk(game, seat, name)
        return
    number = game.box.card_number[name]
    held, ability = next(one for one in usable(game, seat, *timings) if card_of(one[0]) == number)
    pay_and_use(game, seat, held, ability)


def pay_and_use(game: WastelandPosition, seat: int, held: int, ability: CardAbility) -> None:
    survivor = game.survivors[seat]
    survivor.caps -= ability.caps
    number = card_of(held)
    if game.by_the_book and ability.price is Price.NONE and not ability.caps:
        game.used |= {_use_of(game, held, ability)}
    if ability.price is Price.EXHAUST:
        items.replace(game, seat, held, turned(number, exhausted=True))
    elif ability.price is Price.DISCARD and held != survivor.beside:
        items.take_away(game, seat, held)
        discard_card(game, held)
    game.events.append(CardEvent("used", seat, card=game.box.cards[number].id))
    sequence.carry_out(game, seat, ability.effects)


def use(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Use a card in the own turn, or take the action that it offers (W-ACT-1, W-COMP-1)."""
    refuse_unless_idle_turn(game, move.by)
    number = game.box.card_number.get(move[moves.CARD], NO_CARD)
    found = [one for one in usable(game, move.by, Timing.OWN_TURN, Timing.ACTION) if card_of(one[0]) == number]
    if not found:
        raise Refusal("not_usable", "W-ITEM-2", "That card cannot be used now.", card=move[moves.CARD])
    held, ability = found[0]
    if ability.timing is Timing.ACTION:
        if not game.actions:
            raise Refusal("no_actions", "W-TURN-2", "No actions are left.")
        game.actions -= 1
    game.at_start_of_turn = False
    pay_and_use(game, move.by, held, ability)


def use_perk(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Use a perk, once, in the own turn, not inside an action (W-PERK-3, W-PERK-4)."""
    refuse_unless_idle_turn(game, move.by)
    perk = game.box.perk_number.get(move[moves.CARD], NO_CARD)
    if perk not in game.survivors[move.by].perks:
        raise Refusal("not_held", "W-PERK-3", "That perk is not held.", card=move[moves.CARD])
    if not works_outside_a_fight(game, move[moves.CARD]):
        raise Refusal("not_usable", "W-PERK-4", "That perk helps in a fight or test.", card=move[moves.CARD])
    game.at_start_of_turn = False
    spend_perk(game, move.by, move[moves.CARD])


def works_outside_a_fight(game: WastelandPosition, name: str) -> bool:
    """Return whether a perk does anything where no dice lie; it is not wasted there."""
    effects = game.box.perks[game.box.perk_number[name]].effects
    return not game.by_the_book or any(one.does not in (Does.REROLL, Does.HIT) for one in effects)


def changes_something(game: WastelandPosition, move: WastelandMove) -> bool:
    """Return whether using this card or perk would do anything now: nobody heals who is unhurt."""
    name = move[moves.CARD]
    if move.do == "perk":
        effects = game.box.perks[game.box.perk_number[name]].effects
        return any(_changes(game, move.by, effect) for effect in effects)
    able = [one for one in usable(game, move.by, Timing.OWN_TURN) if game.box.cards[card_of(one[0])].id == name]
    return any(_changes(game, move.by, effect) for _, ability in able for effect in ability.effects)


def _changes(game: WastelandPosition, seat: int, effect: Effect) -> bool:
    survivor = game.survivors[seat]
    match effect.does:
        case Does.HEAL:
            return survivor.hp < survivor.hp_max
        case Does.RADS:
            return survivor.rads > 0 or effect.amount.of_level or effect.amount.number > 0
        case Does.UNEXHAUST:
            return any(map(is_exhausted, survivor.turnable()))
        case Does.LOSE:
            return effect.word in survivor.traits
        case Does.REROLL | Does.HIT:
            return game.contest is not None
        case _:
            return True


def spend_perk(game: WastelandPosition, seat: int, name: str) -> None:
    """Return the perk to its deck and carry it out (W-PERK-3)."""
    perk = game.box.perk_number[name]
    game.survivors[seat].perks.remove(perk)
    game.perks.append(perk)
    game.events.append(PerkEvent("perk_used", seat, perk=name))
    sequence.carry_out(game, seat, game.box.perks[perk].effects)


def turn_cards(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Ask for so many cards to turn, of the survivor's choice."""
    does, amount = step.data
    for _ in range(amount):
        ask_next(game, step.seat, "turn-card", "W-ITEM-8", does is Does.EXHAUST)


def turn_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return the cards that lie the other way."""
    held = game.survivors[choice.by].held()
    return items.names(game, [one for one in held if is_exhausted(one) is not choice.data[0]])


def answer_turn(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    held = [one for one in game.survivors[choice.by].held() if is_exhausted(one) is not choice.data[0]]
    card = items.find(game, held, option)
    if game.by_the_book and not choice.data[0]:
        push(game, "unexhaust", choice.by, (card,))  # a companion's condition and a printed price count here too
        return
    items.replace(game, choice.by, card, card ^ 1)
    game.events.append(CardTurned(choice.by, card=option, exhausted=choice.data[0]))


def ask_whom_to_kill(game: WastelandPosition, seat: int) -> None:
    """Ask for an enemy to kill outside a fight; it still pays its level in XP (W-KILL-9)."""
    ask(game, seat, "kill", "W-KILL-9")


def kill_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return active enemies only (W-ENEMY-11)."""
    here = game.survivors[choice.by].at
    active = [number for number, token in game.enemies.items() if token.active]
    return [str(number) for number in sorted(active, key=lambda one: game.enemies[one].at != here)]


def answer_kill(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    enemies.killed(game, choice.by, int(option))
