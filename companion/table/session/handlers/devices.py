"""A device went or came back: a state on the page and an event; play goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.refusal import Refusal
from companion.table.ports import as_json
from companion.table.session.settings import EXPECTED, is_fit
from companion.table.session.state import DEVICES
from companion.table.sight.reading import Steady
from companion.table.sight.reconcile import LOST, OFF

if TYPE_CHECKING:
    from companion.table.session.intents import ChangeSettings, DeviceChanged, Foreseen
    from companion.table.session.state import Desk


def handle(desk: Desk, changed: DeviceChanged) -> None:
    """Note it, tell it. A camera is off until it has seen something."""
    if changed.device not in DEVICES:
        raise Refusal("no_such_device", None, f"There is no device {changed.device[:60]!r}.", device=changed.device)
    if desk.devices.get(changed.device) == (changed.state, changed.hint):
        return
    desk.devices[changed.device] = (changed.state, changed.hint)
    if changed.device == "camera":
        desk.verdict = replace(desk.verdict, camera=LOST if changed.state == LOST else OFF)
        desk.steady.forget()
    desk.tell("device", device=changed.device, state=changed.state, hint=as_json(changed.hint)["hint"])


def foreseen(desk: Desk, intent: Foreseen) -> None:
    """A chance of another game, or one that nobody wants to see, is not shown."""
    if desk.settings.odds_win and desk.keeper is not None and desk.sitting.id == intent.game:
        desk.foreseen = {"version": intent.version, "round": intent.round, **intent.estimate}


def change_settings(desk: Desk, changed: ChangeSettings) -> None:
    """The host has changed them; what is None stays. They are kept before they count."""
    if not changed.speaker.host:
        raise Refusal("host_only", None, "Only the host does that.")
    new = {name: value for name in EXPECTED if (value := getattr(changed, name)) is not None}
    for name, value in new.items():
        if not is_fit(name, value):
            raise Refusal("malformed", None, f"{EXPECTED[name]}.", field=name)
    settings = replace(desk.settings, **new)
    try:
        desk.keep_settings(settings)
    except OSError as error:
        raise Refusal("not_recorded", None, f"The settings cannot be written: {error.strerror}.") from error
    desk.settings = settings
    if new.keys() & {"way", "rest"}:
        desk.steady = Steady(settings.rest)
        desk.pressed = None
    if not settings.odds_win:
        desk.foreseen = None
    desk.tell("settings", **new)
