"""What the table needs of a game: the same for every game that the companion knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.table.packs import PackText

Event = tuple[Any, ...]


class Rules(Protocol):
    """One game's rules, seen from the table. Games and moves are the rules' own business."""

    name: str
    version: int

    def new(self, pack: PackText, setup: dict[str, Any], chance: Chance) -> Any:
        """A game as the people at the table have agreed on it."""
        ...

    def read(self, raw: object) -> Any:
        """A move from JSON, or a refusal."""
        ...

    def write(self, move: Any) -> dict[str, Any]:
        """A move as JSON."""
        ...

    def state(self, game: Any) -> dict[str, Any]:
        """The rules' part of the state."""
        ...

    def tell(self, event: Event) -> dict[str, Any]:
        """An event as JSON."""
        ...

    def with_cards(self, game: Any, pack: PackText) -> Any:
        """The same position with cards that somebody has corrected."""
        ...

    def unknown_cards(self, game: Any) -> dict[str, int]:
        """The places where a card lies that nobody has told, and the numbers of the choices that ask for it."""
        ...
