"""W-CAMP, W-COMP and W-SHOP: the parts of a camp in any order, the row of assets, and trades between survivors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from companion.cards.wasteland.types import Asks
from companion.cards.wasteland.words import CardKind, Trait
from companion.games.wasteland import moves
from companion.games.wasteland.box import COLOURS, NO_CARD, NOBODY, card_of, is_exhausted, turned
from companion.games.wasteland.events import CardEvent, CardTurned, PlainEvent, ShopVisited, TradeEvent
from companion.games.wasteland.flow import conditions
from companion.games.wasteland.flow.decks import discard_card, draw
from companion.games.wasteland.flow.sequence import ask, ask_next, push
from companion.games.wasteland.map.actions import refuse_if_enemy_here, refuse_unless_action_left, take_action
from companion.games.wasteland.moves import Goods, refuse_unless_playing
from companion.games.wasteland.story.agendas import refuse_unless_in_hand, take_from_hand
from companion.games.wasteland.survivor import hp, items, pegs
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.wasteland.events import OfferJson
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import AskedChoice, PendingStep, WastelandPosition


HEAL: Final = "heal"
UNEXHAUST: Final = "unexhaust"
REST: Final = "rest"
TRADE: Final = "trade"
DONE: Final = "done"


def camp(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Camp: four parts, in an order that the survivor picks, or all but trading at once (W-CAMP-1)."""
    refuse_unless_action_left(game, move.by)
    refuse_if_enemy_here(game, move.by)
    take_action(game, move.by)
    game.events.append(PlainEvent("camp", move.by))
    if move.get(moves.ALL, otherwise=False):
        hp.heal(game, move.by, game.box.settings.camp_heal)
        _unexhaust_all(game, move.by)
        pegs.gain_trait(game, move.by, Trait.WELL_RESTED)
    else:
        ask(game, move.by, "camp", "W-CAMP-1", frozenset())


def options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return the parts not yet done; unexhausting is a duty, the others are not (A-18)."""
    done: frozenset[str] = choice.data[0]
    parts = [part for part in (HEAL, UNEXHAUST, REST) if part not in done]
    if _can_trade(game, choice.by):
        parts.append(TRADE)
    owed = UNEXHAUST not in done and any(map(is_exhausted, game.survivors[choice.by].turnable()))
    return parts if owed else [*parts, DONE]


def _can_trade(game: WastelandPosition, seat: int) -> bool:
    """Return whether a survivor in reach, or this one to them, has anything to give (W-CAMP-4, W-CAMP-5)."""
    others = [one for one in game.alive() if one != seat]
    if not game.trades_in_reach:
        return bool(others)
    return any(may_trade(game, seat, one) and (_has_goods(game, seat) or _has_goods(game, one)) for one in others)


def _has_goods(game: WastelandPosition, seat: int) -> bool:
    survivor = game.survivors[seat]
    return bool(survivor.caps or survivor.hand or survivor.held())


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
            _unexhaust_all(game, choice.by)
        case _:
            ask_next(game, choice.by, "trade", "W-CAMP-4")


def _unexhaust_all(game: WastelandPosition, seat: int) -> None:
    push(game, "unexhaust", seat, tuple(one for one in game.survivors[seat].turnable() if is_exhausted(one)))


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


def shop(game: WastelandPosition, chance: MoveChance, step: PendingStep) -> None:
    """Draw one asset more at the left, then allow so many interactions (W-SHOP-2, W-SHOP-3)."""
    _draw_in(game, chance)
    game.events.append(ShopVisited(step.seat, interactions=step.data[0]))
    push(game, "reset-shop", step.seat)
    if step.data[0]:
        ask_next(game, step.seat, "shop", "W-SHOP-3", step.data[0])


def _draw_in(game: WastelandPosition, chance: MoveChance) -> bool:
    """Draw a card in at the left end (W-SHOP-1, W-SHOP-8)."""
    card = draw(game.assets, chance, [one.id for one in game.box.cards], "asset")
    if card is None:
        return False
    game.shop.insert(0, card)
    game.events.append(CardEvent("shop_card", NOBODY, card=game.box.cards[card].id))
    return True


def shop_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return what can be bought, sold and recruited (W-SHOP-4 to 6)."""
    survivor = game.survivors[choice.by]
    found = []
    for number in dict.fromkeys(game.shop):
        card = game.box.cards[number]
        if card.kind is CardKind.COMPANION:
            if card.recruit_if is None or conditions.holds(game, choice.by, card.recruit_if):
                found.append(f"recruit:{card.id}")
        elif card.cost is not None and survivor.caps >= card.cost:
            found.append(f"buy:{card.id}")
    own = items.names(game, survivor.held())
    found += [f"sell:{name}" for name in own if game.box.cards[game.box.card_number[name]].value is not None]
    return [*found, DONE]


def answer_shop(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    """Carry out one interaction; the row is reset after all of them (A-29)."""
    if option == DONE:
        return
    left: int = choice.data[0] - 1
    if left:
        ask_next(game, choice.by, "shop", "W-SHOP-3", left)
    what, _, name = option.partition(":")
    number = game.box.card_number[name]
    card = game.box.cards[number]
    done: Literal["buy", "sell", "recruit"] = "sell" if what == "sell" else "buy" if what == "buy" else "recruit"
    game.events.append(CardEvent(done, choice.by, name))
    if what == "sell":
        held = items.find(game, game.survivors[choice.by].held(), name)
        items.take_away(game, choice.by, held)
        discard_card(game, held)
        pegs.change_caps(game, choice.by, max(0, (card.value or 0) - 1))
        return
    game.shop.remove(number)
    if what == "buy":
        pegs.change_caps(game, choice.by, -(card.cost or 0))
    items.gain_and_limit(game, choice.by, turned(number))


def reset_shop(game: WastelandPosition, chance: MoveChance, _step: PendingStep) -> None:
    """Reset the row: too many leave at the right, new ones come in at the left (W-SETUP-7, W-SHOP-1, W-SHOP-7)."""
    while len(game.shop) > game.box.settings.shop_size:
        discard_card(game, turned(game.shop.pop()))
    while len(game.shop) < game.box.settings.shop_size and _draw_in(game, chance):
        pass


def trade_options(_game: WastelandPosition, _choice: AskedChoice) -> list[str]:
    """Return `done`: offers are moves of their own."""
    return ["done"]


def answer_trade(_game: WastelandPosition, _chance: MoveChance, _choice: AskedChoice, _option: str) -> None:
    pass


def _trading(game: WastelandPosition, seat: int) -> None:
    if not game.pending or game.pending[0].kind != "trade" or game.pending[0].by != seat:
        raise Refusal("not_trading", "W-CAMP-4", "Trading is a part of the camp action.", by=COLOURS[seat])


def may_trade(game: WastelandPosition, one: int, other: int) -> bool:
    """Return whether two survivors are in the same or in adjacent spaces, as far as the map is known (W-CAMP-4)."""
    found = game.map
    return found is None or found.touch(game.survivors[one].at, game.survivors[other].at)


def _partner(game: WastelandPosition, move: WastelandMove) -> int:
    partner: int = move[moves.TO_PLAYER]
    refuse_unless_playing(game.seats, partner, "to")
    if partner == move.by or game.survivors[partner].eliminated:
        raise Refusal("no_partner", "W-CAMP-4", "That is nobody to trade with.", to=COLOURS[partner])
    if not may_trade(game, move.by, partner):
        raise Refusal("too_far", "W-CAMP-4", "Trading takes the same or an adjacent space.", to=COLOURS[partner])
    return partner


def offer_trade(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Offer items, companions, agendas and Caps in any amount (W-CAMP-5); the partner is asked."""
    _trading(game, move.by)
    partner = _partner(game, move)
    give, take = move.get(moves.GIVE, Goods()), move.get(moves.TAKE, Goods())
    _refuse_unless_owned(game, move.by, give)
    _refuse_unless_owned(game, partner, take)
    game.pending.clear()
    push(game, "ask", move.by, "trade", "W-CAMP-4")
    game.events.append(TradeEvent("offer", move.by, to=COLOURS[partner], give=shown(give), take=shown(take)))
    ask(game, partner, "offer", "W-CAMP-4", move.by, give, take)


def shown(goods: Goods) -> OfferJson:
    """Return an offer as everybody may see it: agendas by number only."""
    return {"cards": list(goods.cards), "agendas": len(goods.agendas), "caps": goods.caps}


def _refuse_unless_owned(game: WastelandPosition, seat: int, goods: Goods) -> None:
    """Refuse what cannot be traded or is not there (W-CAMP-5, W-CAMP-6)."""
    survivor = game.survivors[seat]
    held = survivor.held()
    for name in goods.cards:
        card = items.find(game, held, name)
        if card == NO_CARD:
            raise Refusal("not_tradable", "W-CAMP-6", "That card cannot be traded.", card=name, by=COLOURS[seat])
        held.remove(card)
    for place in goods.agendas:
        refuse_unless_in_hand(survivor.hand, place)
    if len(set(goods.agendas)) != len(goods.agendas):
        raise Refusal("no_such_agenda", "W-CAMP-5", "An agenda can be given once.")
    if goods.caps > survivor.caps:
        raise Refusal("no_caps", "W-CAPS-1", "There are not that many Caps.", caps=goods.caps, by=COLOURS[seat])


def offer_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return `agree` only while both sides still have what is offered."""
    other, give, take = choice.data
    try:
        _refuse_unless_owned(game, other, give)
        _refuse_unless_owned(game, choice.by, take)
    except Refusal:
        return ["refuse"]
    return ["agree", "refuse"]


def answer_offer(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    """Exchange the goods, then apply the limits to both sides (W-CAMP-9)."""
    if option != "agree":
        game.events.append(PlainEvent("offer_refused", choice.by))
        return
    other, give, take = choice.data
    for seat in (choice.by, other):
        push(game, "agenda-limit", seat)
    given, taken = _hand_out(game, other, give), _hand_out(game, choice.by, take)
    _receive(game, choice.by, *given)
    _receive(game, other, *taken)
    game.events.append(TradeEvent("traded", other, to=COLOURS[choice.by], give=shown(give), take=shown(take)))


def _hand_out(game: WastelandPosition, seat: int, goods: Goods) -> tuple[list[int], list[int], int]:
    survivor = game.survivors[seat]
    survivor.caps -= goods.caps
    cards = []
    for name in goods.cards:
        card = items.find(game, survivor.held(), name)
        items.take_away(game, seat, card)
        cards.append(card)
    agendas = [take_from_hand(game, seat, place - 1) for place in sorted(goods.agendas, reverse=True)]
    return cards, agendas, goods.caps


def _receive(game: WastelandPosition, seat: int, cards: list[int], agendas: list[int], caps: int) -> None:
    """Exhausted cards stay exhausted (W-CAMP-8); a traded agenda is hidden (A-35)."""
    survivor = game.survivors[seat]
    survivor.caps += caps
    survivor.hand += agendas
    survivor.answers += [0] * len(agendas)
    items.gain_and_limit(game, seat, *cards)


def show(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Show an agenda on offer to that one partner (W-CAMP-7)."""
    _trading(game, move.by)
    partner = _partner(game, move)
    place: int = move[moves.AGENDA]
    refuse_unless_in_hand(game.survivors[move.by].hand, place)
    game.shown = (*game.shown, (move.by, partner, place - 1))
