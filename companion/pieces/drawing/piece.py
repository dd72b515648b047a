"""A printed piece: what it is called, how large it is, and how it is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.pieces.drawing.pen import Pen


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece; `draw` is given a pen whose origin is the piece's lower left corner."""

    id: str
    kind: str
    size: tuple[float, float]
    draw: Callable[[Pen], None] = field(repr=False)
    tag: int | None = None
    """The tag printed on it, if any."""
    copy: int = 1
    """Which of several with the same id: cards' copies share one."""
    count: int = 1
    """How many alike the box has."""

    @property
    def file(self) -> str:
        """The name of its picture."""
        return f"{self.id}.png" if self.copy == 1 else f"{self.id}.{self.copy}.png"
