"""Which legal moves explain the figures that are seen and not recorded: one, or up to four quick ones in a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from companion.refusal import Refusal
from companion.table.sight.difference import LYING, STANDING, Difference, pose_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.api import AnyGame
    from companion.games.chance import Chance

MOST: Final = 4
MOST_NEWCOMERS: Final = 8
"""With more figures than these nobody can tell what came after what."""
Move = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Position:
    """A game that is asked what would happen; nothing is played in it."""

    rules: AnyGame
    game: Any
    chance: Chance

    def state(self) -> dict[str, Any]:
        """The rules' part of the state."""
        state: dict[str, Any] = self.rules.state(self.game)
        return state

    def after(self, move: Move) -> Position:
        """The position after a move, or a refusal."""
        game = self.game.copy()
        game.play(self.rules.read(move), self.chance)
        return Position(self.rules, game, self.chance)

    def legal(self) -> list[Move]:
        """Every legal move."""
        return [self.rules.write(move) for move in self.rules.legal(self.game, ())]


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Figures of one colour that stand on a space and are not recorded there."""

    space: str
    colour: str
    poses: tuple[str, ...]
    difference: Difference


@dataclass(frozen=True, slots=True)
class Explained:
    """One newcomer explained: the ways in which it may have been placed, the likeliest first."""

    newcomer: Newcomer
    ways: tuple[Move, ...]
    asked: bool
    """Whether only a person can say which way it was."""


Explanation = tuple[Explained, ...]


def explanations(position: Position, newcomers: Sequence[Newcomer], most: int = MOST) -> list[Explanation]:
    """The rows of placements that explain all newcomers, in the order of the turns; else the longest ones.

    A row that ends in an open choice explains all as well: the rest has to wait for the answer.
    """
    if len(newcomers) > MOST_NEWCOMERS:
        return []
    found = [(row, whole) for row, whole in _rows(position, tuple(newcomers), most) if row]
    if any(whole for _, whole in found):
        return [row for row, whole in found if whole]
    longest = max((len(row) for row, _ in found), default=0)
    return [row for row, _ in found if len(row) == longest]


def _rows(position: Position, left: tuple[Newcomer, ...], most: int) -> list[tuple[Explanation, bool]]:
    if not left or not most:
        return [((), not left)]
    legal = position.legal()
    if not any(move["do"] in ("place", "pass") for move in legal):
        return [((), True)]
    turn = position.state()["turn"]
    rows: list[tuple[Explanation, bool]] = []
    for newcomer in left:
        ways = ways_of(newcomer, legal) if newcomer.colour == turn else ()
        if not ways:
            continue
        step = Explained(newcomer, ways, asked=_matters(position, ways))
        rest = tuple(one for one in left if one is not newcomer)
        rows += [((step, *row), whole) for row, whole in _rows(position.after(ways[0]), rest, most - 1)]
    return rows or [((), False)]


def ways_of(newcomer: Newcomer, legal: Sequence[Move]) -> tuple[Move, ...]:
    """The legal placements that look like the newcomer, plain ones first."""
    ways = [
        move
        for move in legal
        if move["do"] == "place"
        and (move["by"], move["space"]) == (newcomer.colour, newcomer.space)
        and _looks(move) == newcomer.poses
    ]
    return tuple(sorted(ways, key=_unlikeliness))


def _looks(move: Move) -> tuple[str, ...]:
    return tuple(sorted(pose_of(dweller) for dweller in move["dwellers"]))


def _unlikeliness(move: Move) -> tuple[int, int]:
    trained = sum(dweller not in ("plain", "injured") for dweller in move["dwellers"])
    return len(move.get("use", ())), trained


def _matters(position: Position, ways: tuple[Move, ...]) -> bool:
    """A trained dweller looks plain: the seat is asked where it would double, or where there is no plain one."""
    if len(ways) == 1:
        return False
    likeliest = ways[0]
    if any(dweller not in ("plain", "injured") for dweller in likeliest["dwellers"]):
        return True
    return any(_doubles(position, way) for way in ways[1:])


def _doubles(position: Position, way: Move) -> bool:
    game = position.game.copy()
    events = game.play(position.rules.read(way), position.chance)
    return any(event[0] == "placed" and event[-1] for event in events)


def option_of(way: Move) -> str:
    """How a way is called when the seat is asked: the item, the trained dweller, or plain."""
    if way.get("use"):
        return str(way["use"][0])
    trained = [dweller for dweller in way["dwellers"] if dweller not in ("plain", "injured")]
    return "+".join(trained) if trained else "plain"


def why_not(position: Position, newcomer: Newcomer) -> Refusal | None:
    """What stands in the way of a newcomer, whichever dweller it may be; then of just what is seen."""
    move: Move = {"do": "place", "by": newcomer.colour, "space": newcomer.space}
    seen = {**move, "dwellers": ["injured" if pose == LYING else "plain" for pose in newcomer.poses]}
    for one in (seen,) if LYING in newcomer.poses else (move, seen):
        try:
            position.after(one)
        except Refusal as refusal:
            return refusal
    return None


def newcomer_of(difference: Difference, poses: Sequence[str]) -> Newcomer:
    """The figures behind a difference."""
    return Newcomer(difference.place, str(difference.seen), tuple(sorted(poses)) or (STANDING,), difference)
