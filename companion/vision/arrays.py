"""The array type of this package (numpy's; docstrings give the shapes), fast quantiles, and sRGB to linear light."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
"""Pictures, masks and coordinates of any type; OpenCV and numpy decide which."""


def quantile(values: Array, share: float, axis: int = -1) -> Array:
    """Return a quantile along an axis, interpolated between the two nearest values."""
    rank = share * (values.shape[axis] - 1)
    low = int(rank)
    high = min(low + 1, values.shape[axis] - 1)
    ranked = np.partition(values, (low, high), axis=axis)
    lower, upper = ranked.take(low, axis=axis), ranked.take(high, axis=axis)
    return np.asarray(lower + (upper - lower) * (rank - low), dtype=lower.dtype)


def median(values: Array, axis: int = -1) -> Array:
    return quantile(values, 0.5, axis)


def median_of(values: Array, usable: Array) -> Array:
    """Return the median of the usable values along the last axis, 0 where none is."""
    ranked = np.sort(np.where(usable, values, np.inf), axis=-1)
    count = usable.sum(axis=-1, keepdims=True)
    low, high = (np.maximum(count - 1, 0) // 2, np.minimum(count // 2, values.shape[-1] - 1))
    both = np.take_along_axis(ranked, low, axis=-1) + np.take_along_axis(ranked, high, axis=-1)
    return np.asarray(np.where(count > 0, both / 2, 0)[..., 0])


def linear(srgb: Array) -> Array:
    """Convert sRGB values (0 to 255) to linear light (0 to 1)."""
    part = np.asarray(srgb, dtype=np.float64) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)  # noqa: PLR2004 - sRGB's own numbers
