"""A face: what a space shows, be it a room's, an elevator's or a threat's (P5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.cards.effects import Space

    Step = tuple[Callable[..., bool], int]
    """One icon: what it does to (position, placement, chance), and a number for it. True: it waits for a choice."""

Price = tuple[int, int, int, int]
"""Water, food, energy, and '?'."""

STACKS: Final = 7  # a track holds 0 to 6 cubes
STATES: Final = STACKS**3
FREE: Final[Price] = (0, 0, 0, 0)


class Face:
    """A space's cost, reward and circle, ready to be acted on."""

    def __init__(
        self,
        space: Space,
        price: Price,
        marks: tuple[int, bool, bool],
        letter: int,
        training: int,
        programs: tuple[tuple[Step, ...], tuple[Step, ...]],
    ) -> None:
        self.space = space
        self.price = price
        self.items, self.injures, self.pay_room = marks
        self.letter = letter
        self.linked = space.linked
        self.injured_only = space.injured_only
        self.fight = space.fight or 0
        self.training = training
        self.once, self.twice = programs
        self.affordable = affordable(price)
        self.gratis = price == FREE and not self.items and not self.pay_room
        self.room_alone = self.pay_room and price == FREE and not self.items and not self.linked
        self.plain_price = not self.items and not self.pay_room


def can_pay(cubes: tuple[int, int, int], price: Price) -> bool:
    """Whether a tracker's cubes cover a price, '?' included."""
    water, food, energy = cubes[0] - price[0], cubes[1] - price[1], cubes[2] - price[2]
    return water >= 0 and food >= 0 and energy >= 0 and water + food + energy >= price[3]


_TABLES: dict[Price, bytes] = {}


def affordable(price: Price) -> bytes:
    """For every state of a tracker (water + 7 food + 49 energy), whether it covers the price."""
    if price not in _TABLES:
        _TABLES[price] = bytes(
            can_pay((state % STACKS, state // STACKS % STACKS, state // (STACKS * STACKS)), price)
            for state in range(STATES)
        )
    return _TABLES[price]
