"""The rulebook's words as small numbers and names."""

from __future__ import annotations

from typing import Final

from companion.cards.wasteland.words import LETTERS, CardKind, Faction, Trait

COLOURS: Final = ("red", "blue", "green", "yellow")
COLOUR_NUMBER: Final = {colour: number for number, colour in enumerate(COLOURS)}
NOBODY: Final = -1
NO_CARD: Final = -1

SETUP: Final = 0
TURN: Final = 1
ENEMIES: Final = 2
OVER: Final = 3
PHASES: Final = ("setup", "turn", "enemies", "over")

STAR: Final = 0
SHIELD: Final = 1
FACTIONS: Final = tuple(Faction)

LETTER_NUMBER: Final = {letter: number for number, letter in enumerate(LETTERS)}
START_HOLE: Final = -1

WEAPON: Final = 0
APPAREL: Final = 1
COMPANION: Final = 2
SLOTS: Final = ("weapon", "apparel", "companion")
SLOT_OF: Final = {CardKind.WEAPON: WEAPON, CardKind.APPAREL: APPAREL, CardKind.COMPANION: COMPANION}

TRAITS: Final = tuple(Trait)
OTHER_SIDE: Final = {trait: TRAITS[number ^ 1] for number, trait in enumerate(TRAITS)}

ELSEWHERE: Final = "elsewhere"
DICE: Final = 3


def seats_of(mask: int) -> list[int]:
    """The seats in a mask."""
    return [seat for seat in range(len(COLOURS)) if mask >> seat & 1]


def card_of(held: int) -> int:
    """The number of a card that is held."""
    return held >> 1


def is_exhausted(held: int) -> bool:
    """Whether a held card is turned sideways (W-ITEM-7)."""
    return bool(held & 1)


def turned(card: int, *, exhausted: bool = False) -> int:
    """A card as it is held: upright or sideways."""
    return card << 1 | exhausted


def owns(letters: int, letter: str) -> bool:
    """Whether a letter is among the owned ones."""
    return bool(letters >> LETTER_NUMBER[letter] & 1)


def letters_of(mask: int) -> str:
    """The owned letters, in the order of the board."""
    return "".join(letter for number, letter in enumerate(LETTERS) if mask >> number & 1)
