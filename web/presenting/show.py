"""The spawn step as a show for the big screen: level by level, dice, column, and where the card goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from web.presenting.places import card_name, room_name

if TYPE_CHECKING:
    from web.presenting.cards import Cards
    from web.presenting.words import Words


@dataclass(frozen=True, slots=True)
class Step:
    """One level's roll."""

    level: int
    dice: list[int]
    column: int
    text: str
    lands: bool


def steps(words: Words, state: dict[str, Any], cards: Cards) -> list[Step]:
    """The rolls of this round."""
    return [
        Step(one["level"], one["dice"], one["column"], _text(words, state, cards, one), one["space"] is not None)
        for one in state["spawned"]
    ]


def _text(words: Words, state: dict[str, Any], cards: Cards, one: dict[str, Any]) -> str:
    if one["space"] is None or one["why_not"]:
        return words.text(f"nothing_{one['why_not'] or 'no_number'}")
    threat = card_name(words, cards, one["threat"]) if one["threat"] else words.text("card_unknown")
    return words.text("lay_card", card=threat, room=room_name(words, state, cards, one["space"]))


@dataclass(frozen=True, slots=True)
class Place:
    """One step of the podium."""

    colour: str
    happiness: int
    items: int
    threats: int
    won: bool


def podium(state: dict[str, Any]) -> list[Place]:
    """The players by their result, winners first."""
    result = state["result"]
    if result is None:
        return []
    places = [
        Place(colour, score["happiness"], score["items"], score["threats"], colour in result["winners"])
        for colour, score in result["scores"].items()
    ]
    return sorted(places, key=lambda place: (not place.won, -place.happiness))
