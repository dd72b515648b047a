"""Corrections of cards: they stay conserved; what is set comes from a deck, the discards or the shop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.words import CardDeck
from companion.games import fields
from companion.games.wasteland.box import NO_CARD, NOBODY, SLOT_OF, SLOTS, card_of, turned
from companion.games.wasteland.flow.decks import discard_card
from companion.games.wasteland.flow.sequence import push
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.games.wasteland.position import WastelandPosition

Boards = dict[int, dict[str, object]]


def correct_cards(game: WastelandPosition, change: dict[str, object], boards: Boards) -> None:
    """Apply a correction of cards: take everything that is set anew off the table first, then lay it down."""
    released = _release_items(game, boards)
    if "shop" in change:
        released += game.shop
        game.shop = [_item(game, name, released) for name in fields.texts(change["shop"], "shop")]
        if len(game.shop) > game.box.settings.shop_size:
            raise Refusal("impossible", "W-SHOP-1", "That is more than the row holds.", field="shop")
    for seat, board in boards.items():
        _items(game, seat, board, released)
    for card in released:
        discard_card(game, turned(card))
    hands = _release_hands(game, boards)
    for seat, board in boards.items():
        _hand(game, seat, board, hands)
    game.agendas.discards += hands
    _perks(game, boards)
    push(game, "reset-shop", NOBODY)


def _release_items(game: WastelandPosition, boards: Boards) -> list[int]:
    released = []
    for seat, board in boards.items():
        survivor = game.survivors[seat]
        for slot, name in enumerate(SLOTS):
            if name in board and survivor.slots[slot] != NO_CARD:
                released.append(card_of(survivor.slots[slot]))
                survivor.slots[slot] = NO_CARD
        if "inventory" in board:
            released += map(card_of, survivor.inventory)
            survivor.inventory = []
    return released


def _item(game: WastelandPosition, name: str, released: list[int]) -> int:
    """Take a card out of those just released, its deck, its discards or the shop."""
    number = game.box.card_number.get(name, NO_CARD)
    if number == NO_CARD:
        raise Refusal("no_such_card", None, f"There is no card {name!r}.", card=name)
    places: Iterable[list[int]] = (
        released, game.loot.cards, game.loot.discards, game.assets.cards, game.assets.discards, game.uniques,
        game.uniques_out, game.shop,
    )  # fmt: skip
    for cards in places:
        if number in cards:
            cards.remove(number)
            return number
    if game.box.cards[number].deck is CardDeck.CHARACTER and not _is_held(game, number):
        return number
    raise Refusal("impossible", None, f"{name!r} lies before somebody else.", card=name)


def _is_held(game: WastelandPosition, number: int) -> bool:
    held = [card_of(one) for seat in game.seats for one in game.survivors[seat].held()]
    return number in held


def _items(game: WastelandPosition, seat: int, board: dict[str, object], released: list[int]) -> None:
    survivor = game.survivors[seat]
    for slot, name in enumerate(SLOTS):
        if board.get(name) is not None:
            held = _held(game, board[name], name, released)
            if SLOT_OF.get(game.box.cards[card_of(held)].kind) != slot:
                raise Refusal("impossible", "W-ITEM-1", f"That card does not fit the slot {name}.", field=name)
            survivor.slots[slot] = held
    if "inventory" in board:
        cards = fields.a_list(board["inventory"], "inventory")
        survivor.inventory = [_held(game, one, "inventory", released) for one in cards]


def _held(game: WastelandPosition, raw: object, field: str, released: list[int]) -> int:
    """Read a card by its id, or as the state shows it."""
    if isinstance(raw, dict):
        exhausted = fields.flag(raw.get("exhausted", False), f"{field}.exhausted")
        return turned(_item(game, fields.text(raw.get("id"), f"{field}.id"), released), exhausted=exhausted)
    return turned(_item(game, fields.text(raw, field), released))


def _release_hands(game: WastelandPosition, boards: Boards) -> list[int]:
    released: list[int] = []
    for seat, board in boards.items():
        if "hand" in board:
            released += game.survivors[seat].hand
            game.survivors[seat].hand = []
            game.shown = tuple(one for one in game.shown if one[0] != seat)
    return released


def _hand(game: WastelandPosition, seat: int, board: dict[str, object], released: list[int]) -> None:
    """Set a hand of agendas, and which of them lies open. A refusal never says which card it was about."""
    survivor = game.survivors[seat]
    if "hand" in board:
        for name in fields.texts(board["hand"], "hand"):
            number = game.box.agenda_number.get(name, NO_CARD)
            places = (released, game.agendas.cards, game.agendas.discards)
            cards = next((place for place in places if number in place), None)
            if cards is None:
                raise Refusal("impossible", "W-AGENDA-2", "Not all of these agendas are free.", field="hand")
            cards.remove(number)
            survivor.hand.append(number)
        survivor.answers = [0] * len(survivor.hand)
        survivor.revealed = NO_CARD
    if "revealed" in board:
        survivor.revealed = NO_CARD if board["revealed"] is None else _revealed(game, seat, board["revealed"])


def _revealed(game: WastelandPosition, seat: int, raw: object) -> int:
    hand = game.survivors[seat].hand
    number = game.box.agenda_number.get(fields.text(raw, "revealed"), NO_CARD)
    if number not in hand or game.box.agendas[number].faction is None:
        raise Refusal("impossible", "W-LOYAL-1", "That agenda cannot lie open there.", field="revealed")
    return hand.index(number)


def _perks(game: WastelandPosition, boards: Boards) -> None:
    for seat, board in boards.items():
        if "perks" in board:
            game.perks += game.survivors[seat].perks
            game.survivors[seat].perks = []
    for seat, board in boards.items():
        for name in fields.texts(board.get("perks", []), "perks"):
            number = game.box.perk_number.get(name, NO_CARD)
            if number not in game.perks:
                raise Refusal("impossible", "W-PERK-5", f"There is no perk {name!r} left.", card=name)
            game.perks.remove(number)
            game.survivors[seat].perks.append(number)
