"""Small parts of a game that several rules handle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from companion.cards.wasteland.words import Icon


class Token(NamedTuple):
    """An enemy on the map: what it is, whether it is faceup, its space if told, whether it was seen."""

    kind: int
    active: bool
    at: str
    seen: bool = True


class Visit(NamedTuple):
    """An encounter under way; without a card it is read from the table."""

    icon: Icon
    level: int
    card: int


class Result(NamedTuple):
    """Who won, by what, with which influence."""

    winners: tuple[int, ...]
    decided_by: str
    influence: tuple[tuple[int, int], ...]


class Pile:
    """A facedown deck, its top last, and its discard pile."""

    __slots__ = ("cards", "discards")

    def __init__(self, cards: list[int], discards: list[int] | None = None) -> None:
        self.cards = cards
        self.discards = discards or []

    def copy(self) -> Pile:
        """A pile that shares nothing that changes."""
        return Pile(self.cards.copy(), self.discards.copy())


class Step(NamedTuple):
    """A step of something under way; the seat is the survivor whom it happens to, or NOBODY."""

    do: str
    seat: int
    data: tuple[Any, ...] = ()


class Choice(NamedTuple):
    """One question. Its options are worked out when somebody looks, so that they are always true."""

    id: int
    by: int
    kind: str
    clause: str
    data: tuple[Any, ...] = ()
