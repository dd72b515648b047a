"""What lies in a box: every card of a pack as a small number, with all that the rules want to know of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.cards import effects as fx
from companion.games.shelter.board.face import affordable
from companion.games.shelter.places import SIDES
from companion.games.shelter.words import DWELLER_NUMBER, RESOURCE_NUMBER

if TYPE_CHECKING:
    from companion.cards.pack import ItemCard
    from companion.games.shelter.board.face import Face


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
    """An item card with its effect taken apart."""

    def __init__(self, number: int, card: ItemCard) -> None:
        self.number = number
        self.name = card.id
        self.family = card.kind.value
        self.effect: Any = card.effect
        effect = card.effect
        self.passive_bonus = effect.bonus if isinstance(effect, fx.RollBonus) and effect.use == fx.Use.PASSIVE else 0
        self.roll_bonus = effect.bonus if isinstance(effect, fx.RollBonus) and not self.passive_bonus else 0
        self.rerolls = isinstance(effect, fx.Reroll)
        self.trains = isinstance(effect, fx.CountsAsTrained)
        self.letter = 0  # the one that it stands for, where it costs nothing
        if isinstance(effect, fx.CountsAsTrained) and effect.letter is not None and effect.pay is None:
            self.letter = DWELLER_NUMBER[effect.letter.value]
        self.discount = effect.amount if isinstance(effect, fx.Act) and effect.action == fx.Action.DISCOUNT else 0
        self.any_time = isinstance(effect, fx.ExchangeOnce) or (isinstance(effect, fx.Act) and not self.discount)
        self.exchanges = isinstance(effect, fx.ExchangeOnce)
        self.pays = RESOURCE_NUMBER[effect.pay.resource.value] if isinstance(effect, fx.ExchangeOnce) else 0
        self.pays_amount = effect.pay.amount if isinstance(effect, fx.ExchangeOnce) else 0
        self.scores = isinstance(effect, fx.ScorePer)
        self.discarded = not isinstance(effect, fx.ScorePer) and effect.use == fx.Use.DISCARD


class Contents:
    """Everything that lies in the box, numbered. Shared by all games of a pack and never changed."""

    pack_id: str
    top_elevator: Face
    elevator: Face
    rooms: list[RoomKind]
    threats: list[Face]
    items: list[ItemKind]
    names: tuple[list[str], list[str], list[str]]  # by pile
    numbers: tuple[dict[str, int], ...]
    top_level: list[int]
    decks: tuple[list[int], list[int], list[int]]
    columns: tuple[int | None, ...]
    slots_of_number: tuple[tuple[int, ...], ...]

    def number(self, pile: int, name: str) -> int | None:
        """The number of a card of a pile (`ITEMS`, `ROOMS` or `THREATS`) by its id."""
        return self.numbers[pile].get(name)
