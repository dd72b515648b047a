"""The panel's buttons: each means a move, a look, or a confirmation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.api import Button
from companion.refusal import Refusal
from companion.table.session.handlers import taps
from companion.table.session.handlers.answers import pass_for_all
from companion.table.session.handlers.table_seen import look_again, offer_passes
from companion.table.session.intents import PANEL
from companion.table.session.settings import BUTTON
from companion.table.sight.difference import differences
from companion.table.sight.reconcile import Memory

if TYPE_CHECKING:
    from companion.table.session.intents import ButtonPressed
    from companion.table.session.state import Desk


def handle(desk: Desk, pressed: ButtonPressed) -> None:
    """A press or a hold; one that means nothing now is told, not lost."""
    try:
        _do(desk, pressed)
        look_again(desk)
    except Refusal as refusal:
        desk.tell("refused", button=str(pressed.button), **refusal.as_json())


def _do(desk: Desk, pressed: ButtonPressed) -> None:
    if pressed.button is Button.UNDO:
        if pressed.held:
            taps.undo(desk, None, PANEL)
        return
    sitting = desk.sitting
    move = sitting.rules.pressed(sitting.state(), pressed.button, held=pressed.held)
    if move is not None:
        desk.play(move, PANEL.name)
    elif pressed.button is Button.RECALL:
        _recall(desk)
    else:
        _colour(desk, pressed.button.value)


def _colour(desk: Desk, colour: str) -> None:
    """That was my move: look, and play what explains itself."""
    _confirm(desk, colour)
    if desk.settings.way == BUTTON:
        desk.pressed = colour
        desk.eyes.look_now()


def _confirm(desk: Desk, colour: str) -> None:
    """Somebody confirms what their figures show, so it may be played though the table has not changed."""
    if desk.reading is None:
        return
    state = desk.sitting.state()
    own = {one.key for one in differences(desk.reading, state) if one.kind == "extra" and one.by == colour}
    memory = desk.memory
    desk.memory = Memory(memory.todo - own, memory.ignored, memory.compared - own)


def _recall(desk: Desk) -> None:
    """Before everybody has passed, a second press confirms their passes."""
    if desk.passes is None:
        offer_passes(desk)
    else:
        desk.passes = None
        pass_for_all(desk, PANEL)
