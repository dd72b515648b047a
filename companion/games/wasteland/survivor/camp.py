"""W-CAMP and W-COMP: recovering, unexhausting, Well Rested; the parts in any order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.types import Asks
from companion.cards.wasteland.words import CardKind, Trait
from companion.games.wasteland.box import NO_CARD, card_of, is_exhausted, turned
from companion.games.wasteland.events import CardEvent, CardTurned, PlainEvent
from companion.games.wasteland.flow import conditions
from companion.games.wasteland.flow.decks import discard_card
from companion.games.wasteland.flow.step_stack import ask, ask_next, push
from companion.games.wasteland.map.actions import refuse_if_enemy_here, refuse_unless_action_left, take_action
from companion.games.wasteland.survivor import hp, items, pegs

if TYPE_CHECKING:
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import AskedChoice, PendingStep, WastelandPosition

HEAL: Final = "heal"
UNEXHAUST: Final = "unexhaust"
REST: Final = "rest"
TRADE: Final = "trade"
DONE: Final = "done"


def camp(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Camp: four parts, in an order that the survivor picks (W-CAMP-1)."""
    refuse_unless_action_left(game, move.by)
    refuse_if_enemy_here(game, move.by)
    take_action(game, move.by)
    game.events.append(PlainEvent("camp", move.by))
    ask(game, move.by, "camp", "W-CAMP-1", frozenset())


def options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return the parts not yet done; unexhausting is a duty, the others are not (A-18)."""
    done: frozenset[str] = choice.data[0]
    parts = [part for part in (HEAL, UNEXHAUST, REST) if part not in done]
    if len(game.alive()) > 1:
        parts.append(TRADE)
    owed = UNEXHAUST not in done and any(map(is_exhausted, game.survivors[choice.by].turnable()))
    return parts if owed else [*parts, DONE]


def answer(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    if option == DONE:
        game.shown = ()
        return
    done: frozenset[str] = choice.data[0] | {option}
    ask_next(game, choice.by, "camp", "W-CAMP-1", done)
    match option:
        case "heal":
            hp.heal(game, choice.by, game.box.settings.camp_heal)
        case "rest":
            pegs.gain_trait(game, choice.by, Trait.WELL_RESTED)
        case "unexhaust":
            exhausted = tuple(one for one in game.survivors[choice.by].turnable() if is_exhausted(one))
            push(game, "unexhaust", choice.by, exhausted)
        case _:
            ask_next(game, choice.by, "trade", "W-CAMP-4")


def unexhaust(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Turn all exhausted cards upright one after the other, in the inventory too (W-CAMP-3, W-COMP-3)."""
    waiting: tuple[int, ...] = step.data[0]
    if not waiting:
        return
    push(game, "unexhaust", step.seat, waiting[1:])
    held = waiting[0]
    if held not in game.survivors[step.seat].turnable():
        return
    card = game.box.cards[card_of(held)]
    if card.kind is CardKind.COMPANION and card.stay_if is not None:
        if card.stay_if.asks is Asks.MANUAL:
            ask(game, step.seat, "stay", "W-COMP-2", held, card.stay_if.word)
            return
        if not conditions.holds(game, step.seat, card.stay_if):
            leave(game, step.seat, held)
            return
    price(game, step.seat, held)


def leave(game: WastelandPosition, seat: int, held: int) -> None:
    """Discard a companion whose condition is not met (W-COMP-2)."""
    items.take_away(game, seat, held)
    discard_card(game, held)
    game.events.append(CardEvent("companion_left", seat, card=game.box.cards[card_of(held)].id))


def stay_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return whether the condition may be met, which only the table can see."""
    return ["stays", "leaves"] if choice.data[0] in game.survivors[choice.by].turnable() else []


def answer_stay(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    if option == "stays":
        price(game, choice.by, choice.data[0])
    else:
        leave(game, choice.by, choice.data[0])


def price(game: WastelandPosition, seat: int, held: int) -> None:
    """Ask to pay for a card that names a price; unpaid it stays exhausted (W-ITEM-8)."""
    if game.box.cards[card_of(held)].unexhaust_price is None:
        turn_up(game, seat, held)
    else:
        ask(game, seat, "unexhaust-price", "W-ITEM-8", held)


def price_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    if choice.data[0] not in game.survivors[choice.by].turnable():
        return []
    cost = game.box.cards[card_of(choice.data[0])].unexhaust_price or 0
    return ["pay", "leave"] if game.survivors[choice.by].caps >= cost else ["leave"]


def answer_price(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    held = choice.data[0]
    if option == "pay":
        pegs.change_caps(game, choice.by, -(game.box.cards[card_of(held)].unexhaust_price or 0))
        turn_up(game, choice.by, held)


def turn_up(game: WastelandPosition, seat: int, held: int) -> None:
    if held != NO_CARD:
        items.replace(game, seat, held, turned(card_of(held)))
        game.events.append(CardTurned(seat, card=game.box.cards[card_of(held)].id, exhausted=False))
