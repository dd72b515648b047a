"""What lies in a box: every card of a pack as a small number, with all that the rules want to know of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards import item_effects as fx
from companion.games.shelter.board.vault import affordable
from companion.games.shelter.cards import program
from companion.games.shelter.events import EVERYBODY, ItemGained, ItemUsed
from companion.games.shelter.words import COLOURS, DWELLER_NUMBER, RESOURCE_NUMBER, SIDES, room_spaces

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from companion.cards.pack import HeadStarts, ItemCard, Pack
    from companion.games.shelter.board.vault import Face


class RoomKind:
    """A room card: its price and the faces of its spaces; a side without a space has none (V2)."""

    def __init__(self, name: str, price: tuple[int, int, int, int], left: Face | None, right: Face | None) -> None:
        self.name = name
        self.price = price
        self.affordable = affordable(price)
        self.states_that_pay = sum(1 << state for state, pays in enumerate(self.affordable) if pays)
        self.on_sides = (f"{name}@{SIDES[0]}", f"{name}@{SIDES[1]}")
        self.left = left
        self.right = right
        self.faces = [face for face in (left, right) if face is not None]


class ItemKind:
    """An item card with its effect taken apart; fields of other effects keep their defaults."""

    def __init__(self, number: int, card: ItemCard) -> None:
        self.number = number
        self.name = card.id
        self.family = card.kind.value
        self.effect = card.effect
        self.passive_bonus = 0  # to every roll of a fight
        self.roll_bonus = 0  # to one roll, before it
        self.rerolls = False
        self.trains: fx.CountsAsTrained | None = None
        self.letter = 0  # the one that it stands for, where it costs nothing
        self.trained_letter = 0  # the one that it stands for at any price; 0 stands for all, on threats
        self.has_price = False
        self.discount = 0
        self.any_time: fx.AnyTimeEffect | None = None
        self.pays = self.pays_amount = 0  # for an exchange
        self.scores: fx.ScorePer | None = None
        self._take_apart(card.effect)
        self.discarded = card.effect.use == fx.Use.DISCARD
        self.gained = tuple([ItemGained(colour, card.id) for colour in EVERYBODY])  # by colour
        self.used = tuple([ItemUsed(colour, card.id) for colour in EVERYBODY])

    def _take_apart(self, effect: fx.ItemEffect) -> None:
        match effect:
            case fx.RollBonus(fx.Use.PASSIVE, bonus):
                self.passive_bonus = bonus
            case fx.RollBonus(_, bonus):
                self.roll_bonus = bonus
            case fx.Reroll():
                self.rerolls = True
            case fx.CountsAsTrained(_, letter, pay):
                self.trains = effect
                self.trained_letter = 0 if letter is None else DWELLER_NUMBER[letter.value]
                self.has_price = pay is not None
                self.letter = 0 if self.has_price else self.trained_letter
            case fx.Act(_, fx.Action.DISCOUNT, amount):
                self.discount = amount
            case fx.ScorePer():
                self.scores = effect
            case _:
                self.any_time = effect
        if isinstance(effect, fx.ExchangeOnce):
            self.pays, self.pays_amount = RESOURCE_NUMBER[effect.pay.resource.value], effect.pay.amount


class Contents:
    """All cards of a pack, numbered. Immutable, and shared by all games of the pack."""

    pack_id: str
    top_elevator: Face
    elevators: list[Face]  # by colour
    rooms: list[RoomKind]
    threats: list[Face]
    items: list[ItemKind]
    names: tuple[list[str], list[str], list[str]]  # by pile
    card_names: Mapping[str, Mapping[str, str]]  # as printed, by language and id
    numbers: tuple[dict[str, int], ...]
    top_level: list[int]
    decks: tuple[list[int], list[int], list[int]]
    columns: tuple[int | None, ...]
    head_starts: Mapping[int, HeadStarts]
    slots_of_number: tuple[tuple[int, ...], ...]

    def number(self, pile: int, name: str) -> int | None:
        """Return the number of a card of a pile (`ITEMS`, `ROOMS` or `THREATS`) by its id."""
        return self.numbers[pile].get(name)


class Box(Contents):
    def __init__(self, pack: Pack) -> None:
        self.pack_id = pack.id
        self.top_elevator = program.face_of(pack.top_elevator)
        alike = program.face_of(pack.elevator)
        self.elevators = [
            program.face_of(pack.elevators[colour]) if colour in pack.elevators else alike for colour in COLOURS
        ]
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
        self.card_names = pack.names
        self.numbers = tuple({name: number for number, name in enumerate(names)} for names in self.names)
        self.top_level = list(range(len(pack.top_level)))
        self.decks = (
            _copies(range(len(pack.items)), [card.copies for card in pack.items]),
            _copies(range(len(pack.top_level), len(cards)), [card.copies for card in pack.rooms]),
            _copies(range(len(pack.threats)), [card.copies for card in pack.threats]),
        )
        self.columns = pack.columns
        self.head_starts = pack.head_starts
        self.slots_of_number = tuple(
            tuple(space for space, number in zip(room_spaces(0), pack.columns, strict=True) if number == wanted)
            for wanted in range(13)
        )


def _copies(numbers: Iterable[int], copies: Iterable[int]) -> list[int]:
    return [number for number, count in zip(numbers, copies, strict=True) for _ in range(count)]
