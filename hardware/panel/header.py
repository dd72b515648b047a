"""The 40-pin header of every Pi since 2014: which place is which GPIO, and which is ground."""

from __future__ import annotations

from typing import Final

HEADER_OF: Final[dict[int, int]] = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""From the BCM number to the place on the header."""

GROUNDS: Final = frozenset({6, 9, 14, 20, 25, 30, 34, 39})
PLACES: Final = 40
