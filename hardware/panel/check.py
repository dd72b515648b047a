"""The check of the wiring: lamp by lamp is lit and asked for, then button by button, and swapped wires are named."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from companion.refusal import Refusal
from hardware.panel.wiring import BUZZER

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.games.api import Button
    from hardware.panel.wiring import PinWire, Wiring

ABANDONED: Final = 60.0
"""Seconds without anybody at the page after which the panel plays again."""
AGAIN: Final = 0.5
"""Seconds in which the same button is chatter, or a finger that is let go."""
BEEPING: Final = 1.0
NONE: Final = "none"


@dataclass
class Progress:
    """How far a check has come: what is asked now, and what was found of each part."""

    at: int = 0
    found: dict[str, str] = field(default_factory=dict)
    """By part: `ok`, `none` where nothing came of it, or the other part that answered in its place."""


class WiringCheck:
    """Fills the port `PanelCheck`. A page's thread answers, the panel's lights and hears: a lock is between them."""

    def __init__(self, wiring: Wiring, clock: Callable[[], float], woken: Callable[[], None] = lambda: None) -> None:
        """`woken` makes the panel's thread look at once."""
        self._clock = clock
        self._woken = woken
        self._lines: list[PinWire] = [*wiring.lamps.values()]
        self._lines += [wiring.buzzer] if wiring.buzzer is not None else []
        self._lines += [*wiring.buttons.values()]
        self._lock = threading.Lock()
        self._progress: Progress | None = None
        self._asked = self._heard_at = 0.0
        self._heard = ""

    # --- the page -----------------------------------------------------------------------------------------------------

    def view(self) -> dict[str, object]:
        with self._lock:
            self._asked = self._clock()
            progress = self._progress
            now = self._now()
            return {
                "running": progress is not None,
                "now": "" if now is None else now.part,
                "parts": [
                    {
                        "part": line.part,
                        "pin": line.pin,
                        "header": line.header,
                        "wire": line.wire,
                        "ohms": line.ohms,
                        "found": "" if progress is None else progress.found.get(line.part, ""),
                    }
                    for line in self._lines
                ],
            }

    def act(self, do: str, answer: str) -> None:
        """Start, stop, or tell what is lit or heard; a button that does not answer is passed over with `none`."""
        with self._lock:
            self._asked = self._clock()
            if do == "start":
                self._progress, self._heard = Progress(), ""
            elif do == "stop":
                self._progress = None
            elif do == "answer":
                now = self._now()
                if now is None:
                    raise Refusal("no_check", None, "The panel is not being checked: start the check first.")
                if answer not in (NONE, *(line.part for line in self._lines)):
                    raise Refusal("malformed", None, "answer is a part, or none.", field="answer")
                self._note(now, "ok" if answer == now.part else answer)
            else:
                raise Refusal("malformed", None, "do is start, answer or stop.", field="do")
        self._woken()

    # --- the panel's thread -------------------------------------------------------------------------------------------

    def is_running(self) -> bool:
        """Return whether a check goes on; one that everybody has left ends here."""
        with self._lock:
            if self._progress is not None and self._clock() - self._asked > ABANDONED:
                self._progress = None
            return self._progress is not None

    def lit(self, lamp: str) -> float:
        """Return the brightness of a lamp: the one that is asked for shines alone."""
        with self._lock:
            now = self._now()
            return float(now is not None and now.part == f"lamps.{lamp}")

    def sounds(self) -> bool:
        with self._lock:
            now = self._now()
            return now is not None and now.part == BUZZER and self._clock() % (2 * BEEPING) < BEEPING / 4

    def pressed(self, button: Button) -> None:
        """Take in a button that went down."""
        with self._lock:
            now, at, part = self._now(), self._clock(), f"buttons.{button}"
            is_new = part != self._heard or at - self._heard_at > AGAIN
            self._heard, self._heard_at = part, at
            if is_new and now is not None and now.part.startswith("buttons."):
                self._note(now, "ok" if part == now.part else part)

    def _now(self) -> PinWire | None:
        progress = self._progress
        return None if progress is None or progress.at >= len(self._lines) else self._lines[progress.at]

    def _note(self, line: PinWire, found: str) -> None:
        if self._progress is not None:
            self._progress.found[line.part] = found
            self._progress.at += 1
