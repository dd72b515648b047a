"""How the people play: by stillness or by button, and how long still is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from companion.games.refusal import Refusal
from companion.table.desk import BUTTON, STILLNESS, Settings
from companion.table.steadying import Steady

if TYPE_CHECKING:
    from companion.table.desk import Desk
    from companion.table.intents import ChangeSettings

LONGEST_REST: Final = 60.0


def handle(desk: Desk, changed: ChangeSettings) -> None:
    """The host has changed them."""
    if not changed.speaker.host:
        raise Refusal("host_only", None, "Only the host does that.")
    if changed.way not in (STILLNESS, BUTTON):
        raise Refusal("malformed", None, f"way is {STILLNESS} or {BUTTON}.", field="way")
    if not math.isfinite(changed.rest) or not 0 <= changed.rest <= LONGEST_REST:
        raise Refusal("malformed", None, f"rest is from 0 to {LONGEST_REST:g} seconds.", field="rest")
    desk.settings = Settings(changed.way, changed.rest)
    desk.steady = Steady(changed.rest)
    desk.pressed = None
    desk.tell("settings", way=changed.way, rest=changed.rest)
