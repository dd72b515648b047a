"""The rulebook's words and the small numbers that stand for them inside the engine."""

from __future__ import annotations

from typing import Final

RED: Final = 0
COLOURS: Final = ("red", "blue", "green", "yellow")
COLOUR_NUMBER: Final = {name: number for number, name in enumerate(COLOURS)}
NOBODY: Final = -1

RESOURCES: Final = ("water", "food", "energy")
RESOURCE_NUMBER: Final = {name: number for number, name in enumerate(RESOURCES)}
SYMBOLS: Final = "WFE"
TRACK_LENGTH: Final = 6
MOST_DWELLERS: Final = 7
HAPPINESS_IN_THE_BOX: Final = 82

LETTERS: Final = "SPECIAL"

# A dweller is plain, trained in a letter (1 to 7), injured (8), or injured and trained (9 to 15).
PLAIN: Final = 0
INJURED: Final = 8
DWELLERS: Final = (
    "plain",
    *LETTERS,
    "injured",
    *(f"injured+{letter}" for letter in LETTERS),
)
DWELLER_NUMBER: Final = {name: number for number, name in enumerate(DWELLERS)}
UNINJURED_TRAINED: Final = 0b0000_0000_1111_1110
INJURED_TRAINED: Final = 0b1111_1110_0000_0000
ANY_LETTER: Final = 8  # a training in a letter of the player's choice; 0 is no training

PHASES: Final = ("none", "setup", "spawn", "place", "recall", "frozen", "over")
NONE: Final = 0
SETUP: Final = 1
SPAWN: Final = 2
PLACE: Final = 3
RECALL: Final = 4
FROZEN: Final = 5
OVER: Final = 6

# Card piles.
ITEMS: Final = 0
ROOMS: Final = 1
THREATS: Final = 2
PILES: Final = ("items", "rooms", "threats")
PILE_CLAUSES: Final = ("I6", "B7", "T5")
TRACK_SIZE: Final = 3

NO_CARD: Final = -1
UNKNOWN: Final = -2  # a card drawn at the real table that the companion has not been told
