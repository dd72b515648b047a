"""The sheet of a marked corner: what a game hands to whoever prints it and to whoever reads it by a camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class CornerSheet:
    """A sheet that any camera finds by its tags; millimetres, x to the right, y up, from the lower left corner."""

    size: tuple[float, float]
    tag: float
    """The side of each tag."""
    tags: Mapping[int, tuple[float, float]]
    """The middle of each tag; a mat has 0 to 5, cards begin at 10."""
    card: Box
    """The frame for a card: its corner and its size."""
    field: Box
    """The field for dice."""
    spot: tuple[float, float]
    """The middle of the square on which a die lies whose side is shown to be learned."""
    die: float
    """The side of a die."""
    photos: str
    """Where an owner's photos lie, beside the record: of cards `card~ID~NUMBER.jpg`, of dice `die~1-FACE~0.jpg`."""
    all_shown: str
    """A file among them that is there once every side of the owner's dice was shown."""
