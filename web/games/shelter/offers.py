"""What lies on offer: the tracks of items and rooms, and every level's rooms with what they give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.games.shelter.words import COLUMNS
from web.base.words import name_of
from web.games.shelter.cards import card_name, sentence, side_name
from web.games.shelter.seat.placements import dweller_name
from web.games.shelter.vault import ELEVATOR

if TYPE_CHECKING:
    from companion.cards.effects import PrintedIcon
    from web.base.words import Words
    from web.games.shelter.cards import PackCards, Printed, VaultState


@dataclass(frozen=True, slots=True)
class TrackCard:
    key: str
    name: str
    text: str
    price: tuple[PrintedIcon, ...]
    spaces: tuple[Printed, ...]


@dataclass(frozen=True, slots=True)
class ListedSpace:
    side: str
    printed: Printed
    threat: str
    standing: str
    """Who stands there, with what kind of dwellers."""


@dataclass(frozen=True, slots=True)
class Listed:
    key: str
    name: str
    spaces: list[ListedSpace]


@dataclass(frozen=True, slots=True)
class ListedLevel:
    number: int
    owner: str
    name: str
    rooms: list[Listed]


def on_tracks(words: Words, state: VaultState, cards: PackCards) -> dict[str, list[TrackCard]]:
    """Return the three items and the three rooms that lie face up."""
    tracks = state["tracks"]
    return {
        "items": [
            TrackCard(item, card_name(words, cards, item), sentence(words, cards, item), (), ())
            for item in tracks["items"]
        ],
        "rooms": [
            TrackCard(room, card_name(words, cards, room), "", cards.price(room), cards.room_spaces(room))
            for room in tracks["rooms"]
        ],
    }


def levels(words: Words, state: VaultState, cards: PackCards) -> list[ListedLevel]:
    """Return the whole vault as a list, for readers of words."""
    return [
        ListedLevel(
            number=int(number),
            owner=level["owner"] or "",
            name=name_of(words, state, level["owner"]) if level["owner"] else words.text("level_top"),
            rooms=[
                Listed(key, card_name(words, cards, key), _spaces(words, state, cards, number, column))
                for column, key in _rooms(level["rooms"])
            ],
        )
        for number, level in state["levels"].items()
    ]


def _rooms(rooms: dict[str, str]) -> list[tuple[str, str]]:
    """Return the rooms from left to right, the elevator in its place."""
    return [
        (column, "elevator" if column == ELEVATOR else rooms[column])
        for column in COLUMNS
        if column in rooms or column == ELEVATOR
    ]


def _spaces(words: Words, state: VaultState, cards: PackCards, level: str, column: str) -> list[ListedSpace]:
    found = []
    for place in [f"{level}:{column}"] if column == ELEVATOR else [f"{level}:{column}a", f"{level}:{column}b"]:
        printed = cards.at(state, place)
        if printed is not None:
            threat = card_name(words, cards, printed.card) if printed.is_threat else ""
            found.append(ListedSpace(side_name(words, place), printed, threat, _standing(words, state, place)))
    return found


def _standing(words: Words, state: VaultState, place: str) -> str:
    one = state["placed"].get(place)
    if one is None:
        return ""
    dwellers = " + ".join(dweller_name(words, dweller) for dweller in one["dwellers"])
    return f"{name_of(words, state, one['by'])}: {dwellers}"
