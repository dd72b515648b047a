"""The places of a mat: slots for rooms and spaces for dwellers, their names, and their middles in mm."""

from dataclasses import dataclass

ROOM_SLOTS = ("L3", "L2", "L1", "E", "R1", "R2", "R3")
ELEVATOR = 3


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a room: its name (`2:R1`) and the middle of it."""

    name: str
    level: int
    column: int
    x: float
    y: float

    @property
    def is_elevator(self) -> bool:
        """Whether the elevator of a level lies here."""
        return self.column == ELEVATOR


@dataclass(frozen=True, slots=True)
class MatSpace:
    """A place for a dweller: its name (`2:R1a`), the slot it belongs to and the middle of it."""

    name: str
    slot: str
    x: float
    y: float


def slots(levels: int, card: tuple[float, float], gap: float) -> tuple[Slot, ...]:
    """Return every slot, the farthest level first, left to right."""
    pitch_x, pitch_y = card[0] + gap, card[1] + gap
    return tuple(
        Slot(
            name=f"{level}:{name}",
            level=level,
            column=column,
            x=(column - (len(ROOM_SLOTS) - 1) / 2) * pitch_x,
            y=((levels + 1) / 2 - level) * pitch_y,
        )
        for level in range(1, levels + 1)
        for column, name in enumerate(ROOM_SLOTS)
    )


def spaces(all_slots: tuple[Slot, ...], offsets: dict[str, tuple[float, float]]) -> tuple[MatSpace, ...]:
    """Return every space: one beside an elevator, two in a room."""
    found = []
    for slot in all_slots:
        for side in ("E",) if slot.is_elevator else ("a", "b"):
            dx, dy = offsets[side]
            name = slot.name if slot.is_elevator else slot.name + side
            found.append(MatSpace(name=name, slot=slot.name, x=slot.x + dx, y=slot.y + dy))
    return tuple(found)


def is_on_a_track(place: str) -> bool:
    """Return whether a place is one of a track (`items:0`), not of the vault."""
    return not place.partition(":")[0].isdigit()


def slot_of(place: str) -> str:
    """Return the slot that a slot or space belongs to."""
    return place[:-1] if place[-1] in "ab" else place
