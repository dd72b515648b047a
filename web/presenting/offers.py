"""What lies on offer: the tracks of items and rooms, and every level's rooms with what they give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from web.presenting import items
from web.presenting.people import name_of
from web.presenting.places import card_name, side_name

if TYPE_CHECKING:
    from web.presenting.cards import Cards, Printed
    from web.presenting.icons import Icon
    from web.presenting.words import Words


@dataclass(frozen=True, slots=True)
class Card:
    """A card of a track."""

    key: str
    name: str
    text: str
    price: tuple[Icon, ...]
    spaces: tuple[Printed, ...]


@dataclass(frozen=True, slots=True)
class Space:
    """One space of a listed room."""

    side: str
    printed: Printed
    threat: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A room of a level, in words."""

    key: str
    name: str
    spaces: list[Space]


@dataclass(frozen=True, slots=True)
class Level:
    """A level, in words."""

    number: int
    owner: str
    name: str
    rooms: list[Listed]


def on_tracks(words: Words, state: dict[str, Any], cards: Cards) -> dict[str, list[Card]]:
    """The three items and the three rooms that lie face up."""
    tracks = state["tracks"]
    return {
        "items": [
            Card(item, card_name(words, cards, item), items.sentence(words, cards, item), (), ())
            for item in tracks["items"]
        ],
        "rooms": [
            Card(room, card_name(words, cards, room), "", cards.price(room), cards.room_spaces(room))
            for room in tracks["rooms"]
        ],
    }


def levels(words: Words, state: dict[str, Any], cards: Cards) -> list[Level]:
    """The whole vault as a list, for readers of words."""
    return [
        Level(
            number=int(number),
            owner=level["owner"] or "",
            name=name_of(words, state, level["owner"]) if level["owner"] else words.text("level_top"),
            rooms=[
                Listed(room, card_name(words, cards, room), _spaces(words, state, cards, f"{number}:{column}"))
                for column, room in level["rooms"].items()
            ],
        )
        for number, level in state["levels"].items()
    ]


def _spaces(words: Words, state: dict[str, Any], cards: Cards, room: str) -> list[Space]:
    found = []
    for side in ("a", "b"):
        printed = cards.at(state, f"{room}{side}")
        if printed is not None:
            threat = card_name(words, cards, printed.card) if printed.is_threat else ""
            found.append(Space(side_name(words, side), printed, threat))
    return found
