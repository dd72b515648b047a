"""Means, shares and how sure one can be of them."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

Z95: Final = 1.959964
"""95 % of a normal distribution lie within so many standard deviations."""

Interval = tuple[float, float]


def share_interval(successes: float, trials: int) -> Interval:
    """Wilson's 95 % interval of a share."""
    if not trials:
        return 0.0, 1.0
    share, square = successes / trials, Z95 * Z95
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    half = Z95 * sqrt(share * (1 - share) / trials + square / (4 * trials * trials)) / (1 + square / trials)
    return max(0.0, middle - half), min(1.0, middle + half)


def mean(values: Sequence[float]) -> float:
    """The mean, 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def mean_interval(values: Sequence[float]) -> Interval:
    """The 95 % interval of a mean."""
    middle = mean(values)
    if len(values) < 2:  # noqa: PLR2004 - one value says nothing about how they scatter
        return middle, middle
    scatter = sqrt(sum((value - middle) ** 2 for value in values) / (len(values) - 1))
    half = Z95 * scatter / sqrt(len(values))
    return middle - half, middle + half


def spread(values: Sequence[float]) -> dict[str, Any]:
    """Mean, its interval, least and most of some values, rounded for reading."""
    low, high = mean_interval(values)
    return {
        "mean": round(mean(values), 3),
        "interval": [round(low, 3), round(high, 3)],
        "min": min(values, default=0),
        "max": max(values, default=0),
    }


def share(successes: float, trials: int) -> dict[str, Any]:
    """A share with its interval, rounded for reading."""
    low, high = share_interval(successes, trials)
    return {
        "wins": round(successes, 3),
        "share": round(successes / trials, 4) if trials else 0.0,
        "interval": [round(low, 4), round(high, 4)],
    }
