"""The items in front of a player: ready or exhausted (I2, I3), and the ways in which they come and go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.refusal import Refusal
from companion.games.shelter.words import COLOURS, ITEMS

if TYPE_CHECKING:
    from companion.games.shelter.box import ItemKind
    from companion.games.shelter.game import Game

# A card in a hand is twice its number, plus one when it is exhausted.


def set_hand(game: Game, colour: int, hand: tuple[int, ...]) -> None:
    """Lay out a player's items, and note whether there is anything to use at any time or at a placement."""
    game.hands[colour] = hand
    tools = outfits = discounts = False
    for card in hand:
        if not card & 1:
            kind = game.box.items[card >> 1]
            tools = tools or kind.any_time
            outfits = outfits or kind.trains
            discounts = discounts or kind.discount > 0
    bit = 1 << colour
    game.tools = game.tools | bit if tools else game.tools & ~bit
    game.outfits = game.outfits | bit if outfits else game.outfits & ~bit
    game.discounts = game.discounts | bit if discounts else game.discounts & ~bit


def gain_item(game: Game, colour: int, kind: int) -> None:
    """An item comes to a player, ready."""
    set_hand(game, colour, (*game.hands[colour], 2 * kind))
    game.events.append(("item", colour, game.box.items[kind].name))


def discard_item(game: Game, colour: int, name: str) -> None:
    """One of the player's items goes to the discards; of two alike the exhausted one."""
    number = game.box.numbers[ITEMS][name]
    hand = list(game.hands[colour])
    hand.remove(2 * number + 1 if 2 * number + 1 in hand else 2 * number)
    set_hand(game, colour, tuple(hand))
    game.discards[ITEMS].append(number)
    game.events.append(("item_discarded", colour, name))


def exhaust(game: Game, colour: int, kind: ItemKind) -> None:
    """An item is turned on its side, or discarded where its text says so."""
    hand = list(game.hands[colour])
    place = hand.index(2 * kind.number)
    if kind.discarded:
        hand.pop(place)
        game.discards[ITEMS].append(kind.number)
    else:
        hand[place] += 1
    set_hand(game, colour, tuple(hand))
    game.events.append(("item_used", colour, kind.name))


def make_ready(game: Game, colour: int, name: str) -> None:
    """One exhausted item is turned upright (I3)."""
    card = 2 * game.box.numbers[ITEMS][name] + 1
    hand = list(game.hands[colour])
    hand[hand.index(card)] -= 1
    set_hand(game, colour, tuple(hand))
    game.events.append(("item_ready", colour, name))


def ready_items(game: Game, colour: int) -> list[ItemKind]:
    """The kinds of item that a player could use."""
    return [game.box.items[card >> 1] for card in game.hands[colour] if not card & 1]


def options_of_hand(game: Game, colour: int) -> list[str]:
    """The names of a player's items, each once."""
    return list(dict.fromkeys(game.box.items[card >> 1].name for card in game.hands[colour]))


def exhausted_options(game: Game, colour: int) -> list[str]:
    """The names of a player's exhausted items, each once."""
    return list(dict.fromkeys(game.box.items[card >> 1].name for card in game.hands[colour] if card & 1))


def find_ready(game: Game, colour: int, name: str) -> ItemKind:
    """A ready item of the player by its name, or the reason why there is none (I2)."""
    number = game.box.numbers[ITEMS].get(name)
    who = COLOURS[colour]
    if number is None:
        raise Refusal("unknown_card", "I2", f"There is no item {name[:60]!r} in this pack.", item=name[:60])
    if 2 * number in game.hands[colour]:
        return game.box.items[number]
    if 2 * number + 1 in game.hands[colour]:
        raise Refusal("item_exhausted", "I2", f"{who}'s {name} is exhausted.", item=name, by=who)
    raise Refusal("item_not_held", "I2", f"{who} has no {name}.", item=name, by=who)
