"""How the people play: by stillness or by button, how long still is, how the table speaks, and which odds it shows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.refusal import Refusal
from companion.table.session.settings import EXPECTED, is_fit
from companion.table.sight.steadying import Steady

if TYPE_CHECKING:
    from companion.table.session.intents import ChangeSettings
    from companion.table.session.state import Desk


def handle(desk: Desk, changed: ChangeSettings) -> None:
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
