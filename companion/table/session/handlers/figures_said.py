"""What people say of figures that the camera was in doubt of: the eye is told, and told when it is taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.table.ports import FigureSaid
from companion.table.sight.reconcile import poses_at

if TYPE_CHECKING:
    from companion.games.json_types import MoveJson
    from companion.games.mat import Difference
    from companion.table.session.state import SessionState

FIGURES: Final = ("extra", "pose")
"""Kinds of differences that a figure is seen in."""


def placed(session: SessionState, move: MoveJson) -> None:
    """Tell of a figure whose placement a person says themselves, where the camera is not sure of its space."""
    mat, reading = session.open_game.rules.mat, session.reading
    placement = None if mat is None else mat.placement(move)
    if placement is not None and reading is not None and placement.space in reading.unsure:
        _tell(session, placement.space, placement.colour, placement.poses)


def resolved(session: SessionState, one: Difference) -> None:
    """Tell of a figure of which a person says that it stands as it was seen."""
    if one.kind in FIGURES and session.reading is not None and one.by is not None:
        _tell(session, one.place, one.by, tuple(poses_at(session.reading, one.place, one.by)))


def take_back(session: SessionState) -> None:
    """Have forgotten what was said by moves that have been taken back."""
    line = session.open_game.timeline.line() if session.said else []
    for number, entry in session.said:
        if entry not in line:
            session.eyes.forget(number)
    session.said = [(number, entry) for number, entry in session.said if entry in line]


def _tell(session: SessionState, space: str, colour: str, poses: tuple[str, ...]) -> None:
    """Tell the eye, if it is one figure alone: of two nobody knows which is which."""
    if len(poses) != 1:
        return
    session.last_said += 1
    session.said.append((session.last_said, session.open_game.timeline.line()[-1]))
    session.eyes.learn(FigureSaid(session.last_said, space, colour, poses[0]))
