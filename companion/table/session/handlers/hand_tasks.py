"""What hands owe the table: the list, what somebody has done of it, and who is not there to do it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.mat import HandAct, HandTask
from companion.refusal import Refusal
from companion.table.record.open_game import FROZEN
from companion.table.session.events import SeatLeft, SeatReturned
from companion.table.session.handlers import bot_seats
from companion.table.session.handlers.table_seen import look_again
from companion.table.session.hands import owed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.table.session.intents import GoAway, HandsDone
    from companion.table.session.state import SessionState

QUIET: Final = frozenset({FROZEN, "over"})
"""Phases in which nobody lays anything."""


def owed_by(session: SessionState) -> list[HandTask]:
    """Return what hands owe the table now; a figure that a bot waits for comes first."""
    layout = session.layout
    if layout is None or session.open_game.frozen is not None or session.open_game.rules_state()["phase"] in QUIET:
        return []
    return [*_suggested(session), *owed(session.hands.laid, layout, session.told)]


def _suggested(session: SessionState) -> Iterator[HandTask]:
    said, mat = session.suggestion, session.open_game.rules.mat
    placed = None if said is None or mat is None else mat.placement(said.move)
    if placed is not None:
        layout = session.position().lies()
        for pose in placed.poses:
            yield HandTask(HandAct.MOVE, *layout.figure(pose), placed.space, placed.colour)


def done(session: SessionState, intent: HandsDone) -> None:
    """Tick off what is owed at some places: a bot's figure that stands there is played."""
    if not intent.speaker.may_speak_for(None):
        raise Refusal("no_seat", None, "To act, take a seat first: the codes are on the big screen.")
    open_places = {task.place for task in owed_by(session)}
    for place in intent.places:
        if place not in open_places:
            raise Refusal("nothing_owed", None, f"Nothing is left to do at {place[:40]!r}.", place=place[:40])
    suggested = {task.place for task in _suggested(session)}
    if session.suggestion is not None and suggested & set(intent.places):
        bot_seats.play_suggestion(session, session.suggestion)
    layout = session.layout
    if layout is not None:
        session.hands.tick(intent.places, layout)
    if session.looks:
        _believe(session, frozenset(intent.places))
    look_again(session)


def _believe(session: SessionState, places: frozenset[str]) -> None:
    """Somebody's word counts more than what the camera sees there, until it sees something else."""
    believed = {one.key for one in session.differences() if one.place in places}
    memory = session.memory
    session.memory = memory.ignoring(believed)


def go_away(session: SessionState, intent: GoAway) -> None:
    """Note that a seat is not at the table, or is back."""
    colour = intent.seat
    if colour not in session.open_game.state()["players"]:
        raise Refusal("no_such_seat", None, f"{colour[:60]!r} is not playing.", seat=colour[:60])
    if not intent.speaker.may_speak_for(colour):
        raise Refusal("not_yours", None, "That takes the seat itself or the host.", by=colour)
    if intent.away != (colour in session.hands.away):
        session.hands.go(colour, away=intent.away)
        session.events.append(SeatLeft(colour) if intent.away else SeatReturned(colour))
