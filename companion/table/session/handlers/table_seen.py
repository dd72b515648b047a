"""What the camera saw: steadied, compared with the game, played where it explains itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from companion.refusal import Refusal
from companion.table.session.handlers import real_dice
from companion.table.session.settings import BUTTON
from companion.table.session.state import Asked, asked
from companion.table.sight.difference import differences, still_there
from companion.table.sight.reconcile import HAND, LOST, UNSURE, WATCHING, Memory, Verdict, reconcile

if TYPE_CHECKING:
    from companion.table.session.intents import TableSeen
    from companion.table.session.state import Desk
    from companion.table.sight.reading import Reading

MOST_STEPS: Final = 12
"""More moves than one look can explain; a guard against running in a circle."""
NOBODY: Final = ""


def handle(desk: Desk, seen: TableSeen) -> None:
    """A look at the table."""
    reading = seen.reading
    _show_camera(desk, reading)
    real_dice.see(desk, reading)
    if reading.table != "found" or reading.hand:
        desk.steady.feed(reading, seen.at)
        return
    if seen.asked:
        pressed, desk.pressed = desk.pressed, None
        _look(desk, reading, pressed)
        return
    steady = desk.steady.feed(reading, seen.at)
    if steady is not None:
        desk.moved = frozenset()
        _look(desk, steady)


def _show_camera(desk: Desk, reading: Reading) -> None:
    camera = LOST if reading.table != "found" else HAND if reading.hand else UNSURE if reading.unsure else WATCHING
    desk.verdict = replace(desk.verdict, camera=camera)
    desk.devices.pop("camera", None)


def _look(desk: Desk, reading: Reading, pressed: str | None = None) -> None:
    desk.reading = reading
    if desk.watched:
        settle_memory(desk, reading)
        look_again(desk, pressed)


def settle_memory(desk: Desk, reading: Reading) -> None:
    """What the table has followed is forgotten; what an ignored difference was about may be said again later."""
    found = differences(reading, desk.sitting.state())
    todo = frozenset(one.key for one in found) if desk.memory.fresh else desk.memory.todo
    ignored = still_there(desk.memory.ignored, found, reading)
    compared = frozenset(one.key for one in found if one.kind != "drawn") if desk.compare else desk.memory.compared
    desk.compare = False
    desk.memory = Memory(still_there(todo, found, reading), ignored, still_there(compared, found, reading))


def look_again(desk: Desk, pressed: str | None = None) -> None:
    """Reconcile the last reading with the game, as often as that plays something.

    By button, figures are moved for the colour that was pressed alone.
    """
    only = pressed if pressed is not None or desk.settings.way != BUTTON else NOBODY
    reading = desk.reading
    if reading is None or not desk.watched or desk.kept.trouble is not None:
        return
    if desk.sitting.frozen is not None:
        desk.verdict = Verdict(camera=desk.verdict.camera)
        return
    for _ in range(MOST_STEPS):
        verdict = reconcile(reading, desk.position(), desk.memory, only)
        desk.verdict = replace(verdict, camera=desk.verdict.camera)
        if not verdict.plays or not _play(desk, verdict):
            break
    _ask(desk)


def _play(desk: Desk, verdict: Verdict) -> bool:
    for move in verdict.plays:
        try:
            desk.play(move, "camera")
        except Refusal as refusal:
            desk.tell("refused", **refusal.as_json())
            return False
    return True


def _ask(desk: Desk) -> None:
    """Open the questions that the verdict asks, close those that have lost their sense."""
    desk.question = asked(desk, desk.verdict.question)
    if desk.verdict.offer_recall:
        offer_passes(desk)
    elif desk.passes is not None and desk.sitting.state()["phase"] != "place":
        desk.passes = None


def offer_passes(desk: Desk) -> None:
    """The recall before everybody has passed: all the passes in one confirmation (section 5 of the contract)."""
    if desk.passes is None:
        desk.passes = Asked(desk.next_question, "passes", None, "", (("yes", None), ("no", None)), "R3")
        desk.next_question += 1
