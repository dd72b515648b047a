"""A card pack unpacked for play: the printed icons become steps, the cards numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.shelter.cards import program
from companion.games.shelter.cards.contents import Contents, ItemKind, RoomKind
from companion.games.shelter.places import room_spaces

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.cards.pack import Pack


class Box(Contents):
    """The contents of a box, out of a pack."""

    def __init__(self, pack: Pack) -> None:
        self.pack_id = pack.id
        self.top_elevator = program.face_of(pack.top_elevator)
        self.elevator = program.face_of(pack.elevator)
        cards = [*pack.top_level, *pack.rooms]
        self.rooms = [
            RoomKind(
                card.id,
                program.price_of(card.build_cost or ()),
                *(None if space is None else program.face_of(space) for space in card.spaces),
            )
            for card in cards
        ]
        self.threats = [program.face_of(card.space) for card in pack.threats]
        self.items = [ItemKind(number, card) for number, card in enumerate(pack.items)]
        self.names = (
            [card.id for card in pack.items],
            [card.id for card in cards],
            [card.id for card in pack.threats],
        )
        self.numbers = tuple({name: number for number, name in enumerate(names)} for names in self.names)
        self.top_level = list(range(len(pack.top_level)))
        self.decks = (
            _copies(range(len(pack.items)), [card.copies for card in pack.items]),
            _copies(range(len(pack.top_level), len(cards)), [card.copies for card in pack.rooms]),
            _copies(range(len(pack.threats)), [card.copies for card in pack.threats]),
        )
        self.columns = pack.columns
        self.slots_of_number = tuple(
            tuple(space for space, number in zip(room_spaces(0), pack.columns, strict=True) if number == wanted)
            for wanted in range(13)
        )


def _copies(numbers: Iterable[int], copies: Iterable[int]) -> list[int]:
    return [number for number, count in zip(numbers, copies, strict=True) for _ in range(count)]
