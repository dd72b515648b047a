"""What the camera saw: steadied, compared with the game, played where it explains itself."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from companion.refusal import Refusal
from companion.table.session.events import MoveRefused
from companion.table.session.handlers import marked_corner, real_dice
from companion.table.session.settings import BUTTON
from companion.table.session.state import OpenQuestion, asked
from companion.table.sight.difference import still_there
from companion.table.sight.reconcile import HAND, LOST, UNSURE, WATCHING, Memory, Verdict, reconcile, settle_pose

if TYPE_CHECKING:
    from companion.table.session.intents import TableSeen
    from companion.table.session.state import SessionState
    from companion.table.sight.reading import Reading

MOST_STEPS: Final = 12
"""More moves than one look can explain; a guard against running in a circle."""
NOBODY: Final = ""


def handle(session: SessionState, seen: TableSeen) -> None:
    reading = seen.reading
    _show_camera(session, reading)
    real_dice.see(session, reading)
    marked_corner.see(session, reading)
    if reading.table != "found" or reading.hand:
        session.steady.feed(reading, seen.at)
        return
    if seen.asked:
        pressed, session.pressed = session.pressed, None
        _look(session, reading, pressed)
        return
    steady = session.steady.feed(reading, seen.at, partial(_is_certain, session))
    if steady is not None:
        session.moved = frozenset()
        _look(session, steady)


def _is_certain(session: SessionState, reading: Reading) -> bool:
    """Return whether moves alone explain a reading without a doubt; a hand that is not done leaves something over."""
    if reading.unsure or reading.unposed or reading.dice_unsure or not session.watched or session.open_game.frozen:
        return False
    before = session.reading, session.memory, session.compare
    session.reading = reading
    settle_memory(session, reading)
    verdict = reconcile(reading, session.position(), session.memory, None, session.differences())
    session.reading, session.memory, session.compare = before
    return bool(verdict.plays) and not (verdict.question or verdict.disagreements or verdict.held)


def _show_camera(session: SessionState, reading: Reading) -> None:
    camera = LOST if reading.table != "found" else HAND if reading.hand else UNSURE if reading.unsure else WATCHING
    session.verdict = replace(session.verdict, camera=camera)
    session.devices.pop("camera", None)


def _look(session: SessionState, reading: Reading, pressed: str | None = None) -> None:
    session.reading = reading
    if session.watched:
        settle_memory(session, reading)
        look_again(session, pressed)


def settle_memory(session: SessionState, reading: Reading) -> None:
    """Forget what the table has followed; what an ignored difference was about may be said again later."""
    found = session.differences()
    todo = frozenset(one.key for one in found) if session.memory.fresh else session.memory.todo
    ignored = still_there(session.memory.ignored, found, reading)
    compared = (
        frozenset(one.key for one in found if one.kind != "drawn") if session.compare else session.memory.compared
    )
    session.compare = False
    session.memory = Memory(still_there(todo, found, reading), ignored, still_there(compared, found, reading))


def look_again(session: SessionState, pressed: str | None = None) -> None:
    """Reconcile the last reading with the game, as often as that plays something.

    By button, figures are moved for the colour that was pressed alone.
    """
    only = pressed if pressed is not None or session.settings.way != BUTTON else NOBODY
    if session.reading is None or not session.watched or session.recorded.trouble is not None:
        return
    if session.open_game.frozen is not None:
        session.verdict = Verdict(camera=session.verdict.camera)
        return
    for _ in range(MOST_STEPS):
        reading = session.reading = settle_pose(session.reading, session.position())
        verdict = reconcile(reading, session.position(), session.memory, only, session.differences())
        session.verdict = replace(verdict, camera=session.verdict.camera)
        if not verdict.plays or not _play(session, verdict):
            break
    if session.looks:
        found = [one for one in session.differences() if one.key in session.memory.todo]
        session.hands.saw(session.position().lies(), found, session.reading.unsure)
    _ask(session)


def _play(session: SessionState, verdict: Verdict) -> bool:
    for move in verdict.plays:
        try:
            session.play(move, "camera")
        except Refusal as refusal:
            session.events.append(MoveRefused(refusal))
            return False
    return True


def _ask(session: SessionState) -> None:
    """Open the questions that the verdict asks, close those that have lost their sense."""
    session.question = asked(session, session.verdict.question)
    if session.verdict.offer_recall:
        offer_passes(session)
    elif session.passes is not None and session.position().mat.before_recall(session.position().state()) is None:
        session.passes = None


def offer_passes(session: SessionState) -> None:
    """Offer all the passes before the recall in one confirmation (section 5 of the contract)."""
    if session.passes is None:
        clause = session.position().mat.recall_clause
        session.passes = OpenQuestion(session.next_question, "passes", None, "", (("yes", None), ("no", None)), clause)
        session.next_question += 1
