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


SLOTS: Final = ("L3a", "L3b", "L2a", "L2b", "L1a", "L1b", "E", "R1a", "R1b", "R2a", "R2b", "R3a", "R3b")
COLUMNS: Final = ("L3", "L2", "L1", "E", "R1", "R2", "R3")
MOST_LEVELS: Final = 5
SPACES_A_LEVEL: Final = len(SLOTS)
ROOMS_A_LEVEL: Final = len(COLUMNS)
ELEVATOR_SLOT: Final = SLOTS.index("E")
ELEVATOR_COLUMN: Final = COLUMNS.index("E")
SPACES: Final = MOST_LEVELS * SPACES_A_LEVEL

# The building order of each side: outwards from the elevator (B3).
SIDES: Final = ("left", "right")
OUTWARDS: Final = ((2, 1, 0), (4, 5, 6))

COLUMN_OF_SLOT: Final = tuple(COLUMNS.index(slot[:2]) if slot != "E" else ELEVATOR_COLUMN for slot in SLOTS)
LEVEL_OF: Final = tuple(space // SPACES_A_LEVEL for space in range(SPACES))
ROOM_OF: Final = tuple(
    (space // SPACES_A_LEVEL) * ROOMS_A_LEVEL + COLUMN_OF_SLOT[space % SPACES_A_LEVEL] for space in range(SPACES)
)
SPACE_NAMES: Final = tuple(f"{space // SPACES_A_LEVEL + 1}:{SLOTS[space % SPACES_A_LEVEL]}" for space in range(SPACES))
SPACE_NUMBER: Final = {name: number for number, name in enumerate(SPACE_NAMES)}


def elevator(level: int) -> int:
    """Return the elevator's space on a level (0 is the top one)."""
    return level * SPACES_A_LEVEL + ELEVATOR_SLOT


def spaces_of_room(level: int, column: int) -> tuple[int, int]:
    slot = 2 * column if column < ELEVATOR_COLUMN else 2 * column - 1
    return level * SPACES_A_LEVEL + slot, level * SPACES_A_LEVEL + slot + 1


def room_spaces(level: int) -> tuple[int, ...]:
    """Return the twelve room spaces of a level, from left to right."""
    return tuple(level * SPACES_A_LEVEL + slot for slot in range(SPACES_A_LEVEL) if slot != ELEVATOR_SLOT)


def bits(mask: int) -> list[int]:
    """Return the numbers of the bits that are set, rising."""
    numbers = []
    while mask:
        low = mask & -mask
        numbers.append(low.bit_length() - 1)
        mask ^= low
    return numbers
