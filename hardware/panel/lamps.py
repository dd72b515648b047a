"""What lamps and buzzer show of a snapshot. Pure: a state in, brightness at a time out."""

from __future__ import annotations

import math
from enum import Enum
from typing import TYPE_CHECKING, Final

from companion.games.api import Signal
from companion.table.session.events import MoveRefused, TableEvent
from hardware.panel.wiring import EYE, LAMPS

if TYPE_CHECKING:
    from companion.table.session.snapshots import Snapshot
    from companion.table.session.state_view import SnapshotState

COLOURS: Final = tuple(lamp for lamp in LAMPS if lamp != EYE)
BLINKING: Final = 0.6
HURRYING: Final = 0.2
BREATH: Final = 3.0
SHORT, LONG = 0.06, 0.35
GAP: Final = 0.12
MOST_BEEPS: Final = 6
BEEPS: Final = {Signal.NEWS: [SHORT], Signal.LAST_ROUND: [SHORT] * 3, Signal.OVER: [LONG] * 3}


class LampState(Enum):
    OFF = "off"
    ON = "on"
    BLINK = "blink"
    HURRY = "hurry"
    BREATHE = "breathe"

    @property
    def moves(self) -> bool:
        """Whether it changes by itself."""
        return self in (LampState.BLINK, LampState.HURRY, LampState.BREATHE)


DARK: Final = dict.fromkeys(LAMPS, LampState.OFF)
EYES: Final = {"watching": LampState.ON, "hand": LampState.BREATHE, "unsure": LampState.BLINK, "lost": LampState.HURRY}


def brightness(light: LampState, at: float) -> float:
    """Return the brightness of a lamp at a time, from 0 to 1."""
    match light:
        case LampState.OFF:
            return 0.0
        case LampState.ON:
            return 1.0
        case LampState.BLINK:
            return float(at % (2 * BLINKING) < BLINKING)
        case LampState.HURRY:
            return float(at % (2 * HURRYING) < HURRYING)
        case LampState.BREATHE:
            return round((1 - math.cos(2 * math.pi * at / BREATH)) / 2, 2)


def lights(state: SnapshotState) -> dict[str, LampState]:
    """Return the state of each lamp: the table disagrees with this seat, or waits for its answer, or it is its turn."""
    disagreeing = {one.get("by") for one in state["table"]["disagreements"]}
    asked = {choice["by"] for choice in state["pending"]}
    result = state.get("result")
    chosen = {state["turn"]} if state["phase"] in ("place", "turn") else set(result["winners"]) if result else set()
    shown = dict(DARK)
    for colour in COLOURS:
        if colour in disagreeing:
            shown[colour] = LampState.BLINK
        elif colour in asked:
            shown[colour] = LampState.BREATHE
        elif colour in chosen:
            shown[colour] = LampState.ON
    shown[EYE] = EYES.get(state["table"]["camera"], LampState.OFF)
    return shown


def disagreements(state: SnapshotState) -> frozenset[int]:
    return frozenset(one["id"] for one in state["table"]["disagreements"])


def beeps(snapshot: Snapshot, known: frozenset[int]) -> list[float]:
    """Return the lengths of the buzzer's beeps for what has happened; `known` disagreements have sounded before."""
    found: list[float] = []
    for event in snapshot.events:
        if isinstance(event, TableEvent):
            found += [LONG] if isinstance(event, MoveRefused) else []
        elif (signal := snapshot.game.signal(event)) is not None:
            found += BEEPS[signal]
    if disagreements(snapshot.state) - known:
        found += [SHORT, SHORT]
    return found[:MOST_BEEPS]


class Beeping:
    """When the buzzer sounds: one beep after the other."""

    def __init__(self) -> None:
        self._beeps: list[tuple[float, float]] = []

    def add(self, now: float, lengths: list[float]) -> None:
        """Sound these beeps, after those that are still to come."""
        start = max([now, *(end + GAP for _, end in self._beeps)])
        for length in lengths[: MOST_BEEPS - len(self._beeps)]:
            self._beeps.append((start, start + length))
            start += length + GAP

    def sounds(self, now: float) -> bool:
        self._beeps = [beep for beep in self._beeps if beep[1] > now]
        return any(start <= now for start, _ in self._beeps)

    def next_change(self, now: float) -> float | None:
        """Return when it begins or ends next."""
        return min((time for beep in self._beeps for time in beep if time > now), default=None)
