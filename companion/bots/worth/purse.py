"""What cubes are worth with regard to what they buy: a table over every state of a tracker."""

from __future__ import annotations

import itertools
from functools import lru_cache
from typing import TYPE_CHECKING

from companion.games.shelter.board.vault import STACKS, STATES
from companion.games.shelter.words import TRACK_LENGTH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.bots.worth.prospects import Prospect
    from companion.bots.worth.weights import Weights
    from companion.games.shelter.board.vault import Price
    from companion.games.shelter.cards.box import Box

Cubes = list[int]
UNIT = (1, STACKS, STACKS * STACKS)  # how a state of a tracker counts a cube of each resource
MOST_EXCHANGES = 6
MOST_KNOWN = 1000  # purses that are kept, of 11 kB each: playing one position on to the end meets up to 800


class Purse:
    """The worth of every state of a tracker, for one set of rooms that could be built and one stage of the game."""

    def __init__(self, cubes: list[float], prices: Sequence[Price], plan: float, missing: float) -> None:
        self.table = cubes
        if plan and prices:
            by_missing = [plan * missing**short for short in range(6 * TRACK_LENGTH)]
            shortest = map(min, zip(*[_missing(price) for price in prices], itertools.repeat(99), strict=False))
            self.table = [worth + by_missing[short] for worth, short in zip(cubes, shortest, strict=True)]
        self._changes: dict[int, float] = {}

    def change(self, prospect: Prospect, state: int, times: int) -> float:
        """What paying a space's cubes and gaining its cubes so many times does to the worth of the tracker."""
        key = (prospect.number * 3 + times) * STATES + state
        found = self._changes.get(key)
        if found is None:
            found = self._changes[key] = self.table[self.after(prospect, state, times)] - self.table[state]
        return found

    def after(self, prospect: Prospect, state: int, times: int, cubes: Cubes | None = None) -> int:
        """The tracker after a space: its cost paid once, its cubes, or others in their stead, gained so many times."""
        after = self.paid(state, prospect.price)
        for time in range(times):
            after = self._gained(after, prospect, cubes or prospect.cubes, exchange=time == 0)
        return after

    def paid(self, state: int, price: Price) -> int:
        """The tracker after a price; its '?' icons are paid with what is missed least."""
        left = [state % STACKS, state // STACKS % STACKS, state // UNIT[2]]
        for resource in range(3):
            left[resource] = max(0, left[resource] - price[resource])
        after = left[0] + STACKS * left[1] + UNIT[2] * left[2]
        for _ in range(price[3]):
            after = self.one_less(after)
        return after

    def one_less(self, state: int) -> int:
        """The tracker after one '?' of a cost."""
        after = [state - UNIT[resource] for resource in range(3) if state // UNIT[resource] % STACKS]
        return max(after, key=self.table.__getitem__, default=state)

    def one_more(self, state: int) -> int:
        """The tracker after one '?' of a reward."""
        after = [state + UNIT[resource] for resource in range(3) if state // UNIT[resource] % STACKS < TRACK_LENGTH]
        return max(after, key=self.table.__getitem__, default=state)

    def exchanged(self, state: int, paid: Price, gained: Price) -> int:
        """The tracker after one exchange, or the same one where it cannot be paid."""
        after = 0
        for resource in range(3):
            cubes = state // UNIT[resource] % STACKS - paid[resource]
            if cubes < 0:
                return state
            after += UNIT[resource] * min(TRACK_LENGTH, cubes + gained[resource])
        return after

    def _gained(self, state: int, prospect: Prospect, gained: Cubes, *, exchange: bool) -> int:
        after = 0
        for resource in range(3):
            cubes = state // UNIT[resource] % STACKS + gained[resource]
            after += UNIT[resource] * min(TRACK_LENGTH, cubes)
        for _ in range(prospect.any):
            after = self.one_more(after)
        for one, other in prospect.exchanges if exchange else ():
            for _ in range(MOST_EXCHANGES):
                best = max(
                    self.exchanged(after, one, other), self.exchanged(after, other, one), key=self.table.__getitem__
                )
                if self.table[best] <= self.table[after]:
                    break
                after = best
        return after


@lru_cache(maxsize=200)
def _missing(price: Price) -> list[int]:
    """For every state of a tracker, how many cubes of a price are missing."""
    return [_short((state % STACKS, state // STACKS % STACKS, state // UNIT[2]), price) for state in range(STATES)]


def _short(cubes: tuple[int, int, int], price: Price) -> int:
    over = [have - asked for have, asked in zip(cubes, price[:3], strict=True)]
    spare = sum(more for more in over if more > 0)
    return sum(-more for more in over if more < 0) + max(0, price[3] - spare)


class Purses:
    """The purses of a box, made when first needed."""

    def __init__(self, box: Box, weights: Weights) -> None:
        self._prices = [room.price for room in box.rooms]
        self._weights = weights
        needed = [sum(self._prices[card][resource] for card in box.decks[1]) for resource in range(3)]
        whole = sum(needed) or 1
        water, food, energy = (self._track(3 * needed[resource] / whole) for resource in range(3))
        self._single = [
            water[state % STACKS] + food[state // STACKS % STACKS] + energy[state // UNIT[2]] for state in range(STATES)
        ]
        self._late = [worth * weights.late_cube for worth in self._single]
        self._known: dict[tuple[int, ...], Purse] = {}

    def _track(self, need: float) -> list[float]:
        first = self._weights.cube + self._weights.cube_needed * need
        worth = [0.0]
        for cube in range(TRACK_LENGTH):
            worth.append(worth[-1] + first * self._weights.cube_fades**cube)
        return worth

    def get(self, rooms: Sequence[int], *, plan: bool, late: bool) -> Purse:
        """The purse for the rooms on the track: whether one could still be built, and whether the end is here."""
        key = (*sorted(rooms), -2 - plan - 2 * late)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MOST_KNOWN:
                for old in list(self._known)[: MOST_KNOWN // 2]:
                    del self._known[old]
            found = self._known[key] = Purse(
                self._late if late else self._single,
                [self._prices[card] for card in rooms if card >= 0],
                self._weights.plan if plan else 0.0,
                self._weights.plan_missing,
            )
        return found
