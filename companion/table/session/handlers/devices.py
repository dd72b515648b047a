"""A device went or came back: a state on the page and an event; play goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.refusal import Refusal
from companion.table.hints import as_json
from companion.table.session.state import DEVICES
from companion.table.sight.reconcile import LOST, OFF

if TYPE_CHECKING:
    from companion.table.session.intents import DeviceChanged
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
