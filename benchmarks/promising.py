"""Count a million promised rolls and the places of cards in promised shuffles: whether chance is even."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import sqrt
from typing import TYPE_CHECKING

from companion.fair.promise import AddedNumber, PromisedChance, new_secret

if TYPE_CHECKING:
    from collections.abc import Iterable

ROLLS, SHUFFLES, CARDS = 1_000_000, 100_000, 30
ONE_IN_A_THOUSAND = 3.0902
"""In standard deviations: even chance is beyond it once in a thousand runs."""


def chi_square(counts: Iterable[int]) -> float:
    """Return how far counts are from being even."""
    found = list(counts)
    expected = sum(found) / len(found)
    return sum((count - expected) ** 2 for count in found) / expected


def bound(freedom: int) -> float:
    """Return what chi-square exceeds once in a thousand times (Wilson and Hilferty)."""
    part = 2 / (9 * freedom)
    return freedom * float((1 - part + ONE_IN_A_THOUSAND * sqrt(part)) ** 3)


def measure() -> dict[str, float]:
    """Return the figures of a game with a new secret and four numbers."""
    numbers = [AddedNumber(by, new_secret()[:32]) for by in ("start", "red", "blue", "green")]
    chance = PromisedChance(new_secret(), numbers)
    rolls = Counter(chance.rolled(nth) for nth in range(ROLLS))
    places: Counter[tuple[int, int]] = Counter()
    for nth in range(SHUFFLES):
        places.update(enumerate(chance.shuffle(nth, range(CARDS))))
    return {
        "rolls": chi_square(rolls[one, two] for one, two in product(range(1, 7), repeat=2)),
        "shuffles": chi_square(places[place, card] for place, card in product(range(CARDS), repeat=2)),
    }
