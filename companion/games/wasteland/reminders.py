"""Reminders of what happens on the table by hand, each with the clauses that it stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypedDict

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Unpack

    from companion.games.wasteland.position import WastelandPosition

# Every reminder with the clauses that it stands for. Pages put the words to it.
REMINDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "build-map": ("W-SETUP-2", "W-MAP-7"),
    "sort-supply": ("W-SETUP-3",),
    "encounter-decks": ("W-SETUP-4",),
    "start-space": ("W-SETUP-10",),
    "starting-effects": ("W-SETUP-14",),
    "enemies-on-the-map": ("W-SETUP-15",),
    "faction-tokens": ("W-FACT-5",),
    "enemy-moves": ("W-ENEMY-6", "W-ENEMY-8", "W-ENEMY-9"),
    "enemy-replaced": ("W-ENEMY-23",),
    "enemies-on-the-tile": ("W-ENEMY-10", "W-MAP-6"),
    "survivor-killed": ("W-KILL-1",),
    "quest-marker": ("W-QUEST-6",),
    "right-hand-reads": ("W-ENC-2",),
    "library": ("W-LIB-1", "W-LIB-2"),
    "movement": ("W-MAP-1", "W-MAP-2", "W-MAP-4"),
    "irradiated": ("W-MAP-3",),
    "tile-flipped": ("W-MAP-5",),
    "settlement-instead": ("W-SOLO-1",),
    "read-alone": ("W-SOLO-3",),
    "by-hand": ("W-CORE-1",),
}


class ReminderFields(TypedDict, total=False):
    """What a reminder is about."""

    at: str | None
    notes: list[str]
    number: int
    points: int
    reader: str
    space: str
    toward: str
    type: str
    words: str


class Reminder(NamedTuple):
    """Something that people do now by hand."""

    by: int
    key: str
    fields: ReminderFields
    event: Literal["reminder"] = "reminder"


def remind(game: WastelandPosition, key: str, seat: int, **fields: Unpack[ReminderFields]) -> None:
    """Remind people of something that they do now by hand."""
    reminder = Reminder(seat, key, fields)
    game.reminders = (*game.reminders, reminder)
    game.events.append(reminder)
