"""Chance for simulations: as quick as it can be compiled, and what the generator itself would have given."""

from __future__ import annotations

import random

from companion.seeded_chance import QuickLuck


def test_cards_are_shuffled_as_the_generator_shuffles_them() -> None:
    quick, plain = QuickLuck(random.Random(5)), random.Random(5)
    for count in (0, 1, 2, 3, 31, 32, 33, 64, 71):
        expected = list(range(count))
        plain.shuffle(expected)
        assert quick.shuffle(0, range(count)) == expected, count
