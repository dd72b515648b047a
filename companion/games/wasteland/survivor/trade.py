"""W-CAMP-4 to 9: trading while camping; both sides agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.wasteland.corrections.fields import Goods
from companion.games.wasteland.flow.steps import ask, push
from companion.games.wasteland.flow.telling import tell
from companion.games.wasteland.moves import refuse_unless_playing
from companion.games.wasteland.story.agendas import refuse_unless_in_hand, take_from_hand
from companion.games.wasteland.survivor import items
from companion.games.wasteland.words import COLOURS, NO_CARD
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.wasteland.flow.told_chance import Fate
    from companion.games.wasteland.moves import Move
    from companion.games.wasteland.position import Choice, Position


def trade_options(_game: Position, _choice: Choice) -> list[str]:
    """Offers are moves of their own; `done` ends the trading."""
    return ["done"]


def answer_trade(_game: Position, _fate: Fate, _choice: Choice, _option: str) -> None:
    """No more offers in this part."""


def _trading(game: Position, seat: int) -> None:
    if not game.pending or game.pending[0].kind != "trade" or game.pending[0].by != seat:
        raise Refusal("not_trading", "W-CAMP-4", "Trading is a part of the camp action.", by=COLOURS[seat])


def _partner(game: Position, move: Move) -> int:
    partner: int = move.get("to")
    refuse_unless_playing(game.seats, partner, "to")
    if partner == move.by or game.survivors[partner].eliminated:
        raise Refusal("no_partner", "W-CAMP-4", "That is nobody to trade with.", to=COLOURS[partner])
    return partner


def offer(game: Position, _fate: Fate, move: Move) -> None:
    """Items, companions, agendas and Caps, in any amount (W-CAMP-5); the partner is asked."""
    _trading(game, move.by)
    partner = _partner(game, move)
    give, take = move.get("give", Goods()), move.get("take", Goods())
    _refuse_unless_owned(game, move.by, give)
    _refuse_unless_owned(game, partner, take)
    game.pending.clear()
    push(game, "ask", move.by, "trade", "W-CAMP-4")
    tell(game, "offer", move.by, to=COLOURS[partner], give=_shown(give), take=_shown(take))
    ask(game, partner, "offer", "W-CAMP-4", move.by, give, take)


def _shown(goods: Goods) -> dict[str, object]:
    """An offer as everybody may see it: agendas by number only."""
    return {"cards": list(goods.cards), "agendas": len(goods.agendas), "caps": goods.caps}


def _refuse_unless_owned(game: Position, seat: int, goods: Goods) -> None:
    """Only what can be traded and is there (W-CAMP-5, W-CAMP-6)."""
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


def offer_options(game: Position, choice: Choice) -> list[str]:
    """Both sides must agree; nobody can to what is gone meanwhile."""
    other, give, take = choice.data
    try:
        _refuse_unless_owned(game, other, give)
        _refuse_unless_owned(game, choice.by, take)
    except Refusal:
        return ["refuse"]
    return ["agree", "refuse"]


def answer_offer(game: Position, _fate: Fate, choice: Choice, option: str) -> None:
    """The goods change hands; then both sides are held to the limits (W-CAMP-9)."""
    if option != "agree":
        tell(game, "offer_refused", choice.by)
        return
    other, give, take = choice.data
    for seat in (choice.by, other):
        push(game, "agenda-limit", seat)
    given, taken = _hand_out(game, other, give), _hand_out(game, choice.by, take)
    _receive(game, choice.by, *given)
    _receive(game, other, *taken)
    tell(game, "traded", other, to=COLOURS[choice.by], give=_shown(give), take=_shown(take))


def _hand_out(game: Position, seat: int, goods: Goods) -> tuple[list[int], list[int], int]:
    survivor = game.survivors[seat]
    survivor.caps -= goods.caps
    cards = []
    for name in goods.cards:
        card = items.find(game, survivor.held(), name)
        items.take_away(game, seat, card)
        cards.append(card)
    agendas = [take_from_hand(game, seat, place - 1) for place in sorted(goods.agendas, reverse=True)]
    return cards, agendas, goods.caps


def _receive(game: Position, seat: int, cards: list[int], agendas: list[int], caps: int) -> None:
    """Exhausted cards stay exhausted (W-CAMP-8); a traded agenda is hidden (A-35)."""
    survivor = game.survivors[seat]
    survivor.caps += caps
    survivor.hand += agendas
    survivor.answers += [0] * len(agendas)
    items.gain_and_limit(game, seat, *cards)


def show(game: Position, _fate: Fate, move: Move) -> None:
    """An agenda on offer may be shown to that one partner (W-CAMP-7)."""
    _trading(game, move.by)
    partner = _partner(game, move)
    place: int = move.get("agenda")
    refuse_unless_in_hand(game.survivors[move.by].hand, place)
    game.shown = (*game.shown, (move.by, partner, place - 1))
