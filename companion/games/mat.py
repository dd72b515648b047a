"""What a camera watches: what lies where on a game's mat, and which moves explain what is seen there."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping, Sequence

    from companion.games.api import AnyGame, Event
    from companion.games.chance import Chance
    from companion.games.json_types import Choice, MoveJson, State
    from companion.refusal import Refusal

UNKNOWN: Final = "unknown"
"""A card that lies there and that nobody has named."""
LYING, STANDING = "lying", "standing"


class PieceKind(StrEnum):
    """What a piece is: a card may be seen wrongly or not at all, a figure has a pose."""

    CARD = "card"
    FIGURE = "figure"


class HandAct(StrEnum):
    """What a hand does with a piece."""

    LAY = "lay"
    TAKE = "take"
    MOVE = "move"
    TIP = "tip"
    STAND = "stand"


class HandTask(NamedTuple):
    """Something that the table still owes the record."""

    do: HandAct
    kind: str
    """`dweller`, or what sort of card it is."""
    what: str
    place: str
    by: str | None = None
    """Whose figure it is, or whose part of the mat it is about."""

    def as_json(self) -> dict[str, str | None]:
        return {"do": self.do.value, "kind": self.kind, "what": self.what, "place": self.place, "by": self.by}


class MatPiece(NamedTuple):
    """One thing that lies on the mat."""

    place: str
    kind: PieceKind
    what: str
    """A card, or the kind of dweller."""
    by: str | None = None
    """Whose figure it is, or whose part of the mat it lies on."""
    pose: str = ""

    def as_json(self) -> dict[str, str]:
        """As lists for laying name it."""
        return {"place": self.place, "piece": f"{self.by} {self.what}" if self.kind is PieceKind.FIGURE else self.what}


@dataclass(frozen=True)
class MatLayout:
    """Everything that lies on the mat, in the order in which it is best laid. A game says more of its places."""

    pieces: tuple[MatPiece, ...] = ()
    guests: Mapping[str, Counter[str]] = field(default_factory=dict)
    """Figures that may stand somewhere or not: how many of each colour by their places."""
    owners: Mapping[str, str | None] = field(default_factory=dict)
    """Whose a part of the mat is, by what stands before the colon of its places."""

    @property
    def spaces(self) -> frozenset[str]:
        """Where figures should stand."""
        return frozenset(piece.place for piece in self.pieces if piece.kind is PieceKind.FIGURE)

    @property
    def set_up(self) -> tuple[MatPiece, ...]:
        """What lies there before the first card is dealt: it is laid with the box open, not by a list."""
        return self.pieces

    def sort(self, place: str) -> str:
        """Return what sort of card lies at a place."""
        return PieceKind.CARD.value

    def figure(self, pose: str) -> tuple[str, str]:
        """Return what sort of figure a pose shows, and which."""
        return PieceKind.FIGURE.value, pose

    def under(self, place: str) -> tuple[str, ...]:
        """Return the places of the cards on which a figure stands."""
        return (place,)

    def whose(self, place: str) -> str | None:
        """Return the colour that a place belongs to."""
        return self.owners.get(place.partition(":")[0])

    def rank(self, place: str) -> tuple[int, str, int]:
        """Return the order in which differences about cards are told."""
        return (0, place, 0)

    def is_unread(self, place: str, seen: str | None) -> bool:
        """Whether nobody can tell what lies there, as where a place shows nothing while it is refilled."""
        return False

    def is_compared(self, place: str, seen: str | None) -> bool:
        """Whether what is seen at a place can differ from what should lie there."""
        return True


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that the table and the record do not agree on.

    `kind` is what is seen (`extra`, `missing`, `pose`, `card`, `drawn`); `called` is what it is to people, where a
    rule says more: `turn`, `pose` or `rule`, with its clause.
    """

    kind: str
    place: str
    seen: str | None
    expected: str | None
    by: str | None = None
    """The seat that it concerns, if it is one's."""
    count: int = 1
    clause: str | None = None
    called: str | None = None
    refusal: Refusal | None = field(default=None, compare=False)
    """What the rules say to it, where they were asked."""

    @property
    def key(self) -> str:
        """The same difference has the same key, whatever else has happened."""
        seen = f"{self.seen}*{self.count}" if self.count > 1 else str(self.seen)
        return f"{self.kind} {self.place} {seen} {self.expected} {self.by}"


class FigurePlacement(NamedTuple):
    """Figures of one colour on one space, as they look from above."""

    space: str
    colour: str
    poses: tuple[str, ...]


class Waits(StrEnum):
    """What a figure waits for that the rules refuse now."""

    NOTHING = "nothing"
    SIGHT = "sight"
    """For another figure or a card that has not been seen yet."""
    CHOICE = "choice"
    """For the answer to an open choice, as long as one is open."""


class Mat(Protocol):
    """What a game says of its table, so that a camera can follow it."""

    taken_clause: str
    """The clause that a second figure on a space breaks."""
    placing_clause: str
    """The clause of the question which figure was placed."""
    recall: MoveJson
    """The move that takes all figures from the mat."""
    recall_clause: str

    def lies(self, state: Any) -> MatLayout:
        """Return what lies where."""

    def unknown_cards(self, game: Any) -> dict[str, int]:
        """Return the places of cards that nobody has named, and the numbers of the choices that ask for them."""

    def lays_card(self, choice: Choice) -> bool:
        """Whether the answer to a choice lays a card on the mat."""

    def before_recall(self, state: Any) -> MoveJson | None:
        """Return the move that has to come first while figures may still be placed; None at any other time."""

    def recall_is_due(self, state: Any) -> bool:
        """Whether nothing but the recall is left to do."""

    def awaits_figures(self, legal: Sequence[MoveJson]) -> bool:
        """Whether somebody may place a figure, or has to pass."""

    def placement(self, move: MoveJson) -> FigurePlacement | None:
        """Return how a move would look on the mat; None for one that places nothing."""

    def likely(self, ways: Sequence[MoveJson]) -> tuple[MoveJson, ...]:
        """Return ways to place the same figures, the likeliest first."""

    def needs_word(self, position: GamePosition, ways: Sequence[MoveJson]) -> bool:
        """Whether only a person can say which of several likely ways it was."""

    def doubles(self, position: GamePosition, move: MoveJson) -> bool:
        """Whether a move gains its reward twice."""

    def option(self, way: MoveJson) -> str:
        """Return how a way to place is called when its seat is asked."""

    def attempts(self, figures: FigurePlacement) -> tuple[MoveJson, ...]:
        """Return the moves whose refusals say what stands in the way of figures."""

    def waits(self, refusal: Refusal) -> Waits:
        """Return what refused figures may be waiting for."""

    def called(self, refusal: Refusal) -> str:
        """Return what a disagreement is to people, by what the rules say to it."""

    def correction(self, position: GamePosition, difference: Difference, poses: Sequence[str]) -> list[MoveJson]:
        """Return the moves after which the record says what is seen; `poses` are those of the figures there."""


class GamePosition:
    """A game that is asked what would happen; nothing is played in it. Its state is worked out once."""

    __slots__ = ("_layout", "_state", "chance", "game", "rules")

    def __init__(self, rules: AnyGame, game: Any, chance: Chance, state: State | None = None) -> None:
        self.rules = rules
        self.game = game
        self.chance = chance
        self._state = state
        self._layout: MatLayout | None = None

    @property
    def mat(self) -> Mat:
        """The mat of a game that a camera follows."""
        if self.rules.mat is None:
            raise AssertionError("no camera follows this game")
        return self.rules.mat

    def state(self) -> State:
        """Return the rules' part of the state, for reading alone."""
        if self._state is None:
            self._state = self.rules.state(self.game)
        return self._state

    def lies(self) -> MatLayout:
        if self._layout is None:
            self._layout = self.mat.lies(self.state())
        return self._layout

    def after(self, move: MoveJson) -> GamePosition:
        """Return the position after a move, or refuse it."""
        return self.played(move)[0]

    def played(self, move: MoveJson) -> tuple[GamePosition, Sequence[Event]]:
        """Return the position after a move, and what happens in it."""
        game = self.game.copy()
        events = game.play(self.rules.read(move), self.chance)
        return GamePosition(self.rules, game, self.chance), events

    def legal(self) -> list[MoveJson]:
        """Return every legal move that is no secret."""
        return [self.rules.write(move) for move in self.rules.legal(self.game, ())]
