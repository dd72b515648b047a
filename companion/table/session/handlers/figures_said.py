"""What people say of spaces that the camera was in doubt of: the eye is told, and told when it is taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.table.ports import NOBODY_THERE, FigureSaid
from companion.table.sight.reconcile import poses_at

if TYPE_CHECKING:
    from companion.games.json_types import MoveJson
    from companion.games.mat import Difference
    from companion.table.session.state import SessionState

SAYING: Final = {
    "right": {"extra": True, "pose": True, "missing": False},
    "moved": {"extra": True},
    "ignore": {"extra": False},
}
"""The ways out of a difference that say whether somebody stands there: who moves a figure back says that one does."""


def placed(session: SessionState, move: MoveJson) -> None:
    """Tell of a figure whose placement a person says themselves, where the camera is not sure, or sees another's."""
    mat, reading = session.open_game.rules.mat, session.reading
    placement = None if mat is None else mat.placement(move)
    if placement is None or reading is None:
        return
    seen = {figure.player for figure in reading.dwellers if figure.space == placement.space}
    if placement.space in reading.unsure or (seen and placement.colour not in seen):
        _tell(session, placement.space, placement.colour, placement.poses)


def recalled(session: SessionState) -> None:
    """Tell that nobody is left on the spaces in doubt, once a person says the recall and no figure is seen any more."""
    reading = session.reading
    if reading is not None and reading.table == "found" and not reading.dwellers:
        for space in sorted(reading.unsure):
            _tell(session, space, "", (NOBODY_THERE,))


def resolved(session: SessionState, one: Difference, option: str) -> None:
    """Tell of a space of which a person says that somebody stands there, as it was seen, or that nobody does."""
    stands = SAYING.get(option, {}).get(one.kind)
    if stands is None or session.reading is None or one.by is None:
        return
    poses = tuple(poses_at(session.reading, one.place, one.by))
    if stands:
        _tell(session, one.place, one.by, poses)
    elif len(poses) <= 1:
        _tell(session, one.place, one.by, (NOBODY_THERE,))


def take_back(session: SessionState) -> None:
    """Have forgotten what was said by moves that have been taken back."""
    line = session.open_game.timeline.line() if session.said else []
    for number, entry in session.said:
        if entry not in line:
            session.eyes.forget(number)
    session.said = [(number, entry) for number, entry in session.said if entry in line]


def _tell(session: SessionState, space: str, colour: str, poses: tuple[str, ...]) -> None:
    """Tell the eye, if it is one figure alone: of two nobody knows which is which."""
    line = session.open_game.timeline.line()
    if len(poses) != 1 or not line:
        return
    session.last_said += 1
    session.said.append((session.last_said, line[-1]))
    session.eyes.learn(FigureSaid(session.last_said, space, colour, poses[0]))
