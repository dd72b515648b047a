"""Undo and redo: a seat takes back its own last move alone, the host anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.refusal import Refusal
from companion.table.session.handlers import bot_seats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.table.session.intents import Speaker
    from companion.table.session.state import Desk


def undo(desk: Desk, to: int | None, speaker: Speaker) -> None:
    """Back by one move, or to a version. What bots have played at once since a person's move goes back with it."""
    back = bot_seats.behind_bots(desk) if to is None else to
    desk.kept.refuse_unless_undoable(back)
    _refuse_unless_own(desk, desk.sitting.timeline.since(back), speaker)
    desk.do(lambda: desk.kept.undo(back))
    desk.tell("undone", to=back)


def redo(desk: Desk, speaker: Speaker) -> None:
    """Forth again to where the last undo came from."""
    desk.kept.refuse_unless_redoable()
    _refuse_unless_own(desk, desk.sitting.timeline.again(), speaker)
    desk.do(desk.kept.redo)
    desk.tell("redone")


def _refuse_unless_own(desk: Desk, moves: Sequence[Any] | None, speaker: Speaker) -> None:
    """One move of a person, and it is this one's; `moves` is None where the line leads elsewhere."""
    if speaker.host:
        return
    people = [move for move in moves or () if move is None or not bot_seats.was_played_at_once(desk, move)]
    whose = {desk.sitting.rules.write(move).get("by") for move in people if move is not None}
    if len(people) == 1 and whose and whose <= speaker.seats:
        return
    by = whose.pop() if len(whose) == 1 else None
    raise Refusal("not_your_move", None, "A seat takes back its own last move; more than that the host does.", by=by)
