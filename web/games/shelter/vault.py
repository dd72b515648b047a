"""The vault as a picture: where every room, circle, icon and figure of a state is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from companion.games.shelter.words import COLUMNS

if TYPE_CHECKING:
    from companion.cards.effects import PrintedIcon
    from companion.games.shelter.state import PlacedState
    from web.games.shelter.cards import PackCards, Printed, VaultState

SIDES: Final = ("a", "b")
ELEVATOR: Final = "E"
NAMED_WIDTH: Final = 13


@dataclass(frozen=True, slots=True)
class Geometry:
    """One size of the picture."""

    room: int
    elevator: int
    gap: int
    height: int
    row_gap: int
    top: int
    cost_y: float
    circle_y: float
    reward_y: float
    radius: float
    icon: float
    named: bool


LEAST_ICON, TWO_ROWS = 7.3, 9.0
"""Icons are no smaller in one row, and no larger in two."""
PHONE: Final = Geometry(48, 40, 2, 60, 4, 13, 8, 28, 50, 10, 12, named=False)
SCREEN: Final = Geometry(186, 130, 8, 148, 10, 36, 48, 84, 128, 25, 25, named=True)


@dataclass(frozen=True, slots=True)
class Drawn:
    """One icon in its place; `label` is its amount or letter."""

    name: str
    x: float
    y: float
    size: float
    label: str
    label_x: float


@dataclass(frozen=True, slots=True)
class DrawnDweller:
    colour: str
    x: float
    y: float
    scale: float
    letter: str
    lying: bool


@dataclass(slots=True)
class DrawnSpace:
    """One space."""

    place: str
    x: float
    y: float
    width: float
    height: float
    cx: float
    cy: float
    printed: Printed | None
    cost: list[Drawn] = field(default_factory=list)
    reward: list[Drawn] = field(default_factory=list)
    figures: list[DrawnDweller] = field(default_factory=list)
    fresh: int = 0
    """In which place of the spawn step a card was laid here; nought where none was."""


@dataclass(slots=True)
class Room:
    """A room, an elevator, or the place for one."""

    kind: str
    x: float
    y: float
    width: float
    owner: str
    name: tuple[str, ...]
    spots: list[DrawnSpace]
    card: str = ""


@dataclass(slots=True)
class VaultPicture:
    width: float
    height: float
    geometry: Geometry
    rooms: list[Room]
    numbers: list[tuple[float, int]]
    levels: list[tuple[float, str, str]]
    """Where each level stands, with its number and its owner's colour."""


def picture_of(state: VaultState, cards: PackCards, language: str, geometry: Geometry) -> VaultPicture:
    rows = list(state["levels"])
    rooms = [
        _room(_Draft(state, cards, language, geometry), level, column, geometry.top + row * _row_height(geometry))
        for row, level in enumerate(rows)
        for column in COLUMNS
    ]
    width = 6 * (geometry.room + geometry.gap) + geometry.elevator
    height = geometry.top + len(rows) * _row_height(geometry)
    levels: list[tuple[float, str, str]] = [
        (geometry.top + row * _row_height(geometry), level, state["levels"][level]["owner"] or "")
        for row, level in enumerate(rows)
    ]
    return VaultPicture(width, height, geometry, rooms, _numbers(cards, geometry), levels)


@dataclass(frozen=True, slots=True)
class _Draft:
    state: VaultState
    cards: PackCards
    language: str
    geometry: Geometry


def _row_height(geometry: Geometry) -> int:
    return geometry.height + geometry.row_gap


def _left_of(column: str, geometry: Geometry) -> float:
    number = COLUMNS.index(column)
    before = number if number <= COLUMNS.index(ELEVATOR) else number - 1
    beyond = geometry.elevator + geometry.gap if number > COLUMNS.index(ELEVATOR) else 0
    return before * (geometry.room + geometry.gap) + beyond


def _numbers(cards: PackCards, geometry: Geometry) -> list[tuple[float, int]]:
    columns = [column for column in COLUMNS if column != ELEVATOR]
    places = [_left_of(column, geometry) + geometry.room * (0.25 + 0.5 * half) for column in columns for half in (0, 1)]
    return [(x, number) for x, number in zip(places, cards.columns, strict=True) if number is not None]


def _room(draft: _Draft, level: str, column: str, y: float) -> Room:
    geometry = draft.geometry
    x = _left_of(column, geometry)
    whole = draft.state["levels"][level]
    owner = whole["owner"] or ""
    if column == ELEVATOR:
        spot = _spot(draft, f"{level}:E", (x, y), geometry.elevator)
        return Room("elevator", x, y, geometry.elevator, owner, (), [spot], "elevator")
    room = whole["rooms"].get(column)
    if room is None:
        return Room("empty", x, y, geometry.room, owner, (), [])
    half = geometry.room / 2
    sides = draft.cards.sides_of(draft.state, f"{level}:{column}")
    spots = [_spot(draft, f"{level}:{column}{side}", (x + half * SIDES.index(side), y), half) for side in sides]
    name = _short(draft.cards.name(room, draft.language)) if geometry.named else ()
    return Room("room", x, y, geometry.room, owner, name, spots, room)


def _short(name: str) -> tuple[str, ...]:
    """Write a name on one line, or on two where it is long."""
    if len(name) <= NAMED_WIDTH or " " not in name:
        return (name,)
    words = name.split(" ")
    middle = min(range(1, len(words)), key=lambda cut: abs(len(" ".join(words[:cut])) - len(name) / 2))
    return (" ".join(words[:middle]), " ".join(words[middle:]))


def _spot(draft: _Draft, place: str, corner: tuple[float, float], width: float) -> DrawnSpace:
    geometry = draft.geometry
    x, y = corner
    printed = draft.cards.at(draft.state, place)
    cx = x + width / 2
    spot = DrawnSpace(place, x, y, width, geometry.height, cx, y + geometry.circle_y, printed)
    if printed is not None:
        room = width - 2
        spot.cost = _row(printed.cost, (cx, y + geometry.cost_y), geometry.icon * 0.8, room)
        spot.reward = _row(printed.reward, (cx, y + geometry.reward_y), geometry.icon, room)
    standing = draft.state["placed"].get(place)
    if standing is not None:
        spot.figures = _figures(standing, spot, geometry.radius)
    laid = [one["space"] for one in draft.state["spawned"]]
    spot.fresh = laid.index(place) + 1 if place in laid else 0
    return spot


def _row(icons: tuple[PrintedIcon, ...], middle: tuple[float, float], size: float, width: float) -> list[Drawn]:
    """Lay icons side by side around a middle; smaller where they would not fit, then in two rows."""
    labels = [icon.sign_letter or (str(icon.amount) if icon.amount > 1 else "") for icon in icons]
    total = sum(size * (1.55 if label else 1) for label in labels)
    scale = min(1.0, width / total) if total else 1.0
    if size * scale < LEAST_ICON and len(icons) > 1:
        half, (x, y), size = -(-len(icons) // 2), middle, min(size, TWO_ROWS)
        upper, lower = (x, y - size / 2), (x, y + size / 2)
        return [*_row(icons[:half], upper, size, width), *_row(icons[half:], lower, size, width)]
    size *= scale
    x = middle[0] - total * scale / 2
    row = []
    for icon, label in zip(icons, labels, strict=True):
        behind = bool(icon.sign_letter)
        icon_x = x + (size * 0.55 if label and not behind else 0)
        row.append(Drawn(icon.sign, icon_x, middle[1] - size / 2, size, label, x + size * (1.25 if behind else 0.28)))
        x += size * (1.55 if label else 1)
    return row


def _figures(standing: PlacedState, spot: DrawnSpace, radius: float) -> list[DrawnDweller]:
    dwellers = standing["dwellers"]
    apart = radius * 1.1 if len(dwellers) > 1 else 0
    return [
        DrawnDweller(
            colour=standing["by"],
            x=spot.cx + apart * (number - (len(dwellers) - 1) / 2),
            y=spot.cy,
            scale=radius / 10 * (1 if len(dwellers) == 1 else 0.8),
            letter=dweller[-1] if dweller[-1].isupper() else "",
            lying=dweller.startswith("injured"),
        )
        for number, dweller in enumerate(dwellers)
    ]
