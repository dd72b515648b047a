"""Devices that come and go, the settings, and the panel's buttons."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.games.api import Button, unused
from companion.refusal import Refusal
from companion.table.ports import as_json
from companion.table.session.events import DeviceReported, MoveRefused, SettingsChanged
from companion.table.session.handlers import taps
from companion.table.session.handlers.answers import pass_for_all
from companion.table.session.handlers.table_seen import look_again, offer_passes
from companion.table.session.intents import PANEL
from companion.table.session.settings import BUTTON, EXPECTED, is_fit
from companion.table.session.state import DEVICES
from companion.table.sight.reading import Steady
from companion.table.sight.reconcile import LOST, OFF, Memory

if TYPE_CHECKING:
    from companion.table.session.intents import ButtonPressed, ChangeSettings, DeviceChanged, Foreseen
    from companion.table.session.state import SessionState


def handle(session: SessionState, changed: DeviceChanged) -> None:
    """Note it, tell it. A camera is off until it has seen something."""
    if changed.device not in DEVICES:
        raise Refusal("no_such_device", None, f"There is no device {changed.device[:60]!r}.", device=changed.device)
    if session.devices.get(changed.device) == (changed.state, changed.hint):
        return
    session.devices[changed.device] = (changed.state, changed.hint)
    if changed.device == "camera":
        session.verdict = replace(session.verdict, camera=LOST if changed.state == LOST else OFF)
        session.steady.forget()
    session.events.append(DeviceReported(changed.device, changed.state, as_json(changed.hint)["hint"]))


def foreseen(session: SessionState, intent: Foreseen) -> None:
    """A chance of another game, or one that nobody wants to see, is not shown."""
    if session.settings.odds_win and session.played is not None and session.open_game.id == intent.game:
        session.foreseen = {"version": intent.version, "round": intent.round, **intent.estimate}


def change_settings(session: SessionState, changed: ChangeSettings) -> None:
    """Change what is not None. The settings are stored before they count."""
    if not changed.speaker.host:
        raise Refusal("host_only", None, "Only the host does that.")
    new = {name: value for name in EXPECTED if (value := getattr(changed, name)) is not None}
    for name, value in new.items():
        if not is_fit(name, value):
            raise Refusal("malformed", None, f"{EXPECTED[name]}.", field=name)
    settings = replace(session.settings, **new)
    try:
        session.keep_settings(settings)
    except OSError as error:
        raise Refusal("not_recorded", None, f"The settings cannot be written: {error.strerror}.") from error
    session.settings = settings
    if new.keys() & {"way", "rest"}:
        session.steady = Steady(settings.rest)
        session.pressed = None
    if not settings.odds_win:
        session.foreseen = None
    session.events.append(SettingsChanged(new))


def press(session: SessionState, pressed: ButtonPressed) -> None:
    """Do what a button means; one that means nothing now is told, not lost."""
    try:
        _do(session, pressed)
        look_again(session)
    except Refusal as refusal:
        session.events.append(MoveRefused(refusal, str(pressed.button)))


def _do(session: SessionState, pressed: ButtonPressed) -> None:
    button = pressed.button
    match button:
        case Button.UNDO:
            if pressed.held:
                taps.undo(session, None, PANEL)
        case Button.RED | Button.BLUE | Button.GREEN | Button.YELLOW:
            if not _plays(session, pressed):
                _colour(session, button.value)
        case Button.RECALL if session.watched:
            if not _plays(session, pressed):
                _recall(session)
        case _:
            if not _plays(session, pressed):
                raise unused(button)


def _plays(session: SessionState, pressed: ButtonPressed) -> bool:
    """Play the move that a button means to the game; whether it means one."""
    open_game = session.open_game
    move = open_game.rules.pressed(open_game.state(), pressed.button, held=pressed.held)
    if move is not None:
        session.play(move, PANEL.name)
    return move is not None


def _colour(session: SessionState, colour: str) -> None:
    """That was my move: look, and play what explains itself."""
    _confirm(session, colour)
    if session.settings.way == BUTTON:
        session.pressed = colour
        session.eyes.look_now()


def _confirm(session: SessionState, colour: str) -> None:
    """Play what somebody's figures show at their word, though the table has not changed."""
    if session.reading is None:
        return
    own = {one.key for one in session.differences() if one.kind == "extra" and one.by == colour}
    memory = session.memory
    session.memory = Memory(memory.todo - own, memory.ignored, memory.compared - own)


def _recall(session: SessionState) -> None:
    """Offer the passes, or at a second press confirm them."""
    if session.passes is None:
        offer_passes(session)
    else:
        session.passes = None
        pass_for_all(session, PANEL)
