"""The ways in which items come, go, are exhausted and readied (I2, I3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.shelter.cards.hand import Hand
from companion.games.shelter.words import COLOURS, ITEMS
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.shelter.cards.contents import ItemKind
    from companion.games.shelter.position import Position


def set_hand(game: Position, colour: int, cards: tuple[int, ...]) -> None:
    """Lay out a player's items."""
    hand = game.hands[colour] = Hand(game.box, cards)
    bit = 1 << colour
    game.tools = game.tools | bit if hand.tools else game.tools & ~bit


def gain_item(game: Position, colour: int, kind: int) -> None:
    """An item comes to a player, ready."""
    set_hand(game, colour, (*game.hands[colour].cards, 2 * kind))
    game.events.append(("item", colour, game.box.items[kind].name))


def discard_item(game: Position, colour: int, name: str) -> None:
    """One of the player's items goes to the discards; of two alike the exhausted one."""
    number = game.box.numbers[ITEMS][name]
    hand = list(game.hands[colour].cards)
    hand.remove(2 * number + 1 if 2 * number + 1 in hand else 2 * number)
    set_hand(game, colour, tuple(hand))
    game.discards[ITEMS].append(number)
    game.events.append(("item_discarded", colour, name))


def exhaust(game: Position, colour: int, kind: ItemKind) -> None:
    """An item is turned on its side, or discarded where its text says so."""
    hand = list(game.hands[colour].cards)
    place = hand.index(2 * kind.number)
    if kind.discarded:
        hand.pop(place)
        game.discards[ITEMS].append(kind.number)
    else:
        hand[place] += 1
    set_hand(game, colour, tuple(hand))
    game.events.append(("item_used", colour, kind.name))


def make_ready(game: Position, colour: int, name: str) -> None:
    """One exhausted item is turned upright (I3)."""
    card = 2 * game.box.numbers[ITEMS][name] + 1
    hand = list(game.hands[colour].cards)
    hand[hand.index(card)] -= 1
    set_hand(game, colour, tuple(hand))
    game.events.append(("item_ready", colour, name))


def make_all_ready(game: Position, colour: int) -> None:
    """All exhausted items become ready at the end of the round (I3)."""
    cards = game.hands[colour].cards
    if any(card & 1 for card in cards):
        set_hand(game, colour, tuple([card & ~1 for card in cards]))


def find_ready(game: Position, colour: int, name: str) -> ItemKind:
    """A ready item of the player by its name, or the reason why there is none (I2)."""
    number = game.box.numbers[ITEMS].get(name)
    who = COLOURS[colour]
    if number is None:
        raise Refusal("unknown_card", "I2", f"There is no item {name[:60]!r} in this pack.", item=name[:60])
    if 2 * number in game.hands[colour].cards:
        return game.box.items[number]
    if 2 * number + 1 in game.hands[colour].cards:
        raise Refusal("item_exhausted", "I2", f"{who}'s {name} is exhausted.", item=name, by=who)
    raise Refusal("item_not_held", "I2", f"{who} has no {name}.", item=name, by=who)
