"""What the table needs of a game: the same for every game that the companion knows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.cards.pack_text import PackText
    from companion.games.chance import Chance

Event = tuple[Any, ...]


class Button(StrEnum):
    """The buttons of the panel."""

    RED = "red"
    BLUE = "blue"
    GREEN = "green"
    YELLOW = "yellow"
    THREATS = "threats"
    ROLL = "roll"
    RECALL = "recall"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll of two dice that somebody may make with real ones."""

    kind: str
    moves: tuple[dict[str, Any], ...]
    """The moves that would take what was thrown, without the dice."""
    by: str | None = None
    """Whose it is; None: anybody's."""
    id: int | None = None
    """The choice that asks for it, if one does."""
    levels: tuple[int, ...] = ()
    """The levels that are rolled for, one after the other, where one move takes several throws."""
    round: int = 0


class Rules(Protocol):
    """One game's rules, seen from the table. Games and moves are the rules' own business."""

    name: str
    version: int
    home_pack: str
    """The pack that is played with where nobody names one."""
    watched: bool
    """Whether a camera can read this game's table."""
    measure: str
    """What `standing` counts."""
    anybody: frozenset[str]
    """The moves that are nobody's own: whoever holds a seat may make them."""

    def pack_text(self, name_or_folder: str, overlay: str | None) -> PackText:
        """The files of a pack; PackFaults tells all that is wrong with it."""
        ...

    def new(self, pack: PackText, setup: dict[str, Any], chance: Chance) -> Any:
        """A game as the people at the table have agreed on it."""
        ...

    def read(self, raw: object) -> Any:
        """A move from JSON, or a refusal."""
        ...

    def write(self, move: Any) -> dict[str, Any]:
        """A move as JSON, for the record."""
        ...

    def shown(self, move: Any) -> dict[str, Any]:
        """A move as everybody may see it."""
        ...

    def legal(self, game: Any, eyes: Iterable[str]) -> list[Any]:
        """The legal moves, with those that only the seats `eyes` may know of."""
        ...

    def state(self, game: Any) -> dict[str, Any]:
        """The rules' part of the state; it holds no secret."""
        ...

    def private(self, game: Any, seat: str) -> dict[str, Any]:
        """What a seat alone may see; empty where a game has no secrets."""
        ...

    def has_secrets(self, game: Any) -> bool:
        """Whether something of this game's record must not be told yet."""
        ...

    def tell(self, event: Event) -> dict[str, Any]:
        """An event as JSON."""
        ...

    def pressed(self, state: dict[str, Any], button: Button, *, held: bool) -> dict[str, Any] | None:
        """The move that a button of the panel means now; None where it is the table's own business."""
        ...

    def standing(self, state: dict[str, Any]) -> dict[str, int]:
        """How every player stands, for the curve of a game."""
        ...

    def summary(self, player: dict[str, Any]) -> str:
        """A player's board in a few words."""
        ...

    def relay(self, state: dict[str, Any]) -> dict[str, Any]:
        """What lies where, and what is in front of the players: for laying a frozen game again."""
        ...

    def with_cards(self, game: Any, pack: PackText) -> Any:
        """The same position with cards that somebody has corrected."""
        ...

    def unknown_cards(self, game: Any) -> dict[str, int]:
        """The places where a card lies that nobody has told, and the numbers of the choices that ask for it."""
        ...

    def roll(self, state: dict[str, Any]) -> Roll | None:
        """The roll of two dice that is asked first; None where none is, or where the game has dice of its own."""
        ...
