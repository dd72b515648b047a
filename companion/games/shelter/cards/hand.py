"""A hand: the items in front of a player, ready or exhausted, and what they are good for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.shelter.events import ItemDiscarded, ItemReadied
from companion.games.shelter.words import COLOURS, ITEMS
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.shelter.cards.box import Contents, ItemKind
    from companion.games.shelter.position import ShelterPosition


ROLL: Final = "roll"
KEEP: Final = "keep"
USE: Final = "use:"


class Hand:
    """A player's items, grouped by when they can be used. Immutable."""

    __slots__ = ("_box", "after_roll", "before_roll", "bonus", "cards", "exhausted", "outfits", "saving", "tools")

    def __init__(self, box: Contents, cards: tuple[int, ...]) -> None:
        # A card in a hand is twice its number, plus one when it is exhausted.
        self._box = box
        self.cards = cards
        self.tools: list[ItemKind] = []  # ready, for any time
        self.outfits: list[ItemKind] = []  # ready, for a placement
        self.saving: list[ItemKind] = []  # ready, and makes building cheaper
        self.exhausted: list[str] = []  # what may be readied, each name once
        self.before_roll = [ROLL]  # what a fight offers
        self.after_roll = [KEEP]
        self.bonus = 0  # what is always added to a fight's roll (I5)
        for card in cards:
            kind = box.items[card >> 1]
            self.bonus += kind.passive_bonus
            if card & 1:
                if kind.name not in self.exhausted:
                    self.exhausted.append(kind.name)
                continue
            if kind.any_time and kind not in self.tools:
                self.tools.append(kind)
            elif kind.trains and kind not in self.outfits:
                self.outfits.append(kind)
            elif kind.discount:
                self.saving.append(kind)
            if kind.roll_bonus and USE + kind.name not in self.before_roll:
                self.before_roll.append(USE + kind.name)
            if kind.rerolls and USE + kind.name not in self.after_roll:
                self.after_roll.append(USE + kind.name)

    def names(self) -> list[str]:
        """Return what may be discarded, each name once."""
        return list(dict.fromkeys([self._box.items[card >> 1].name for card in self.cards]))

    def ready_names(self) -> list[str]:
        """Return the ready items, each name once."""
        return list(dict.fromkeys([self._box.items[card >> 1].name for card in self.cards if not card & 1]))


def set_hand(game: ShelterPosition, colour: int, cards: tuple[int, ...]) -> None:
    hand = game.hands[colour] = Hand(game.box, cards)
    bit = 1 << colour
    game.tools = game.tools | bit if hand.tools else game.tools & ~bit


def gain_item(game: ShelterPosition, colour: int, kind: int) -> None:
    """Give a player an item, ready."""
    set_hand(game, colour, (*game.hands[colour].cards, 2 * kind))
    game.events.append(game.box.items[kind].gained[colour])


def discard_item(game: ShelterPosition, colour: int, name: str, *, ready: bool = False) -> None:
    """Discard one of a player's items; of two alike the exhausted one, unless it has to be a ready one."""
    number = game.box.numbers[ITEMS][name]
    hand = list(game.hands[colour].cards)
    hand.remove(2 * number + 1 if 2 * number + 1 in hand and not ready else 2 * number)
    set_hand(game, colour, tuple(hand))
    game.discards[ITEMS].append(number)
    game.events.append(ItemDiscarded(colour, name))


def exhaust(game: ShelterPosition, colour: int, kind: ItemKind) -> None:
    """Exhaust an item, or discard it where its text says so."""
    hand = list(game.hands[colour].cards)
    place = hand.index(2 * kind.number)
    if kind.discarded:
        hand.pop(place)
        game.discards[ITEMS].append(kind.number)
    else:
        hand[place] += 1
    set_hand(game, colour, tuple(hand))
    game.events.append(kind.used[colour])


def make_ready(game: ShelterPosition, colour: int, name: str) -> None:
    """Ready one exhausted item (I3)."""
    card = 2 * game.box.numbers[ITEMS][name] + 1
    hand = list(game.hands[colour].cards)
    hand[hand.index(card)] -= 1
    set_hand(game, colour, tuple(hand))
    game.events.append(ItemReadied(colour, name))


def make_all_ready(game: ShelterPosition, colour: int) -> None:
    """Ready all exhausted items at the end of the round (I3)."""
    set_hand(game, colour, tuple([card & ~1 for card in game.hands[colour].cards]))


def find_ready(game: ShelterPosition, colour: int, name: str) -> ItemKind:
    """Return a ready item of the player by its name, or refuse with the reason why there is none (I2)."""
    number = game.box.numbers[ITEMS].get(name)
    who = COLOURS[colour]
    if number is None:
        raise Refusal("unknown_card", "I2", f"There is no item {name[:60]!r} in this pack.", item=name[:60])
    if 2 * number in game.hands[colour].cards:
        return game.box.items[number]
    if 2 * number + 1 in game.hands[colour].cards:
        raise Refusal("item_exhausted", "I2", f"{who}'s {name} is exhausted.", item=name, by=who)
    raise Refusal("item_not_held", "I2", f"{who} has no {name}.", item=name, by=who)
