"""Which legal moves explain the figures that are seen and not recorded: one, or up to four quick ones in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from companion.games.mat import STANDING, FigurePlacement
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.json_types import MoveJson
    from companion.games.mat import Difference, GamePosition
    from companion.table.sight.reading import Reading

MOST: Final = 4
MOST_NEWCOMERS: Final = 8
"""With more figures than these nobody can tell what came after what."""


class Newcomer(NamedTuple):
    """Figures of one colour that stand on a space and are not recorded there."""

    figures: FigurePlacement
    difference: Difference


class PlacementStep(NamedTuple):
    """One newcomer explained: the ways in which it may have been placed, the likeliest first."""

    newcomer: Newcomer
    ways: tuple[MoveJson, ...]
    asked: bool
    """Whether only a person can say which way it was."""


Explanation = tuple[PlacementStep, ...]


def explanations(position: GamePosition, newcomers: Sequence[Newcomer], most: int = MOST) -> list[Explanation]:
    """Return the rows of placements that explain all newcomers, in the order of the turns; else the longest ones.

    A row that ends in an open choice explains all as well: the rest has to wait for the answer.
    """
    if not newcomers or len(newcomers) > MOST_NEWCOMERS:
        return []
    found = [(row, whole) for row, whole in _rows(position, tuple(newcomers), most) if row]
    if any(whole for _, whole in found):
        return [row for row, whole in found if whole]
    longest = max((len(row) for row, _ in found), default=0)
    return [row for row, _ in found if len(row) == longest]


def _rows(position: GamePosition, left: tuple[Newcomer, ...], most: int) -> list[tuple[Explanation, bool]]:
    if not left or not most:
        return [((), not left)]
    mat, legal = position.mat, position.legal()
    if not mat.awaits_figures(legal):
        return [((), True)]
    placements = [(mat.placement(move), move) for move in legal]
    rows: list[tuple[Explanation, bool]] = []
    for newcomer in left:
        ways = mat.likely([move for placement, move in placements if placement == newcomer.figures])
        if not ways:
            continue
        step = PlacementStep(newcomer, ways, asked=mat.needs_word(position, ways))
        rest = tuple(one for one in left if one is not newcomer)
        rows += [((step, *row), whole) for row, whole in _rows(position.after(ways[0]), rest, most - 1)]
    return rows or [((), False)]


def why_not(position: GamePosition, figures: FigurePlacement) -> Refusal | None:
    """Return what stands in the way of figures that no legal move explains."""
    for move in position.mat.attempts(figures):
        try:
            position.after(move)
        except Refusal as refusal:
            return refusal
    return None


def newcomer_of(difference: Difference, reading: Reading) -> Newcomer:
    poses = poses_at(reading, difference.place, difference.seen)
    return Newcomer(
        FigurePlacement(difference.place, str(difference.seen), tuple(sorted(poses)) or (STANDING,)), difference
    )


def corrections(position: GamePosition, difference: Difference, reading: Reading) -> list[MoveJson]:
    """Return the moves that make the record follow a difference, because somebody says that the table is right."""
    poses = poses_at(reading, difference.place, difference.by)
    return position.mat.correction(position, difference, poses)


def poses_at(reading: Reading, space: str, colour: str | None) -> list[str]:
    return [figure.pose for figure in reading.dwellers if (figure.space, figure.player) == (space, colour)]
