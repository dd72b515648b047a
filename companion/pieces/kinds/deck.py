"""Give a pack's cards their tags: the same every time, so that sheets, stickers and profiles agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.pieces.drawing.style import PLAYERS
from companion.pieces.drawing.tags import TAGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.cards.pack import ItemCard, Pack, RoomCard, ThreatCard

FIRST_TAG: Final = 10
"""0 to 5 are the mat's."""
LAST_TAG: Final = TAGS - 5
"""The last four belong to the sheet of colours."""
TOP_ELEVATOR: Final = "elevator"


class TooManyCardsError(ValueError):
    """A pack has more cards than there are tags."""


@dataclass(frozen=True, slots=True)
class TaggedCard:
    """One card of cardboard: its id, kind, tag, and which of its copies it is."""

    id: str
    kind: str
    tag: int
    copy: int
    card: RoomCard | ThreatCard | ItemCard | None
    """What is printed on it; None for an elevator."""

    @property
    def player(self) -> str | None:
        """Whose elevator it is; None for the top level's, and for all that is no elevator."""
        owner = self.id.removeprefix(f"{TOP_ELEVATOR}-")
        return owner if self.kind == "elevator" and owner in PLAYERS else None


def deck_of(pack: Pack) -> tuple[TaggedCard, ...]:
    """Return every card of a pack, copy by copy: rooms (the top level's first), threats, items, elevators."""
    names = [(card.id, kind, copy, card) for kind, card, copy in _copies(pack)]
    elevators = (TOP_ELEVATOR, *(f"{TOP_ELEVATOR}-{player}" for player in PLAYERS))
    all_cards = [*names, *((name, "elevator", 1, None) for name in elevators)]
    if FIRST_TAG + len(all_cards) > LAST_TAG + 1:
        raise TooManyCardsError(f"{len(all_cards)} cards; there are tags for {LAST_TAG + 1 - FIRST_TAG}")
    return tuple(
        TaggedCard(name, kind, FIRST_TAG + index, copy, card)
        for index, (name, kind, copy, card) in enumerate(all_cards)
    )


def _copies(pack: Pack) -> Iterator[tuple[str, RoomCard | ThreatCard | ItemCard, int]]:
    kinds: tuple[tuple[str, tuple[RoomCard | ThreatCard | ItemCard, ...]], ...] = (
        ("room", (*pack.top_level, *pack.rooms)),
        ("threat", pack.threats),
        ("item", pack.items),
    )
    for kind, cards in kinds:
        for card in cards:
            for copy in range(1, card.copies + 1):
                yield kind, card, copy
