"""Cards that are entered while they are played: one record, read as from a pack, and put into a pack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from companion.cards.pack import PackFaults
from companion.cards.source import Source
from companion.cards.wasteland import kinds
from companion.cards.wasteland.assemble import Assembly
from companion.cards.wasteland.types import Agenda, Character, Encounter, Enemy, Perk, QuestCard, WastelandCard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.cards.fields import Fields
    from companion.cards.pack import Fault

Record: TypeAlias = Agenda | Character | Encounter | Enemy | Perk | QuestCard | WastelandCard

READERS: Final[Mapping[str, Callable[[Source, int, Fields], Record | None]]] = {
    "agenda": kinds.agenda,
    "enemy": kinds.enemy,
    "card": kinds.card,
    "perk": kinds.perk,
    "quest": kinds.quest,
    "encounter": kinds.encounter,
    "survivor": kinds.character,
}
"""The kinds of cards that can be entered during a game, by the key of their tables."""


def record_of(kind: str, raw: Mapping[str, object]) -> Record:
    """Return what a record says; PackFaults tells all that is wrong with it."""
    faults: list[Fault] = []
    source = Source(kind, {kind: [dict(raw)]}, {})
    read: Callable[[Source, int, Fields], Record | None] = READERS[kind]
    made: tuple[Record, ...] = Assembly({kind: source}, faults).records(kind, kind, read)
    if faults or not made:
        raise PackFaults(faults)
    return made[0]


def key_of(kind: str, raw: Mapping[str, object]) -> object:
    """Return what names a record in its table."""
    return raw.get("number" if kind == "quest" else "id")


def put_into(data: Mapping[str, Any], kind: str, raw: Mapping[str, object], *, another: bool = False) -> dict[str, Any]:
    """Return the tables of a pack with this record, in the place of the one of its name; `another` is one copy more."""
    rows: list[dict[str, Any]] = [dict(row) for row in data.get(kind, [])]
    place = next((nth for nth, row in enumerate(rows) if key_of(kind, row) == key_of(kind, raw)), len(rows))
    made = dict(raw)
    if place < len(rows):
        count = rows[place].get("count", 1) + another
        made |= {"count": count} if count > 1 else {}
    return {**data, kind: [*rows[:place], made, *rows[place + 1 :]]}
