"""Lock exposure, white balance and focus, and the base class of the steps that need locked light."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from calibration.steps.step import CalibrationStep, Note, StepError, StepPace, fault, fine, hint

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from calibration.measuring.measures import Located
    from companion.table.ports import CameraValues, Controls
    from companion.vision.arrays import Array
    from companion.vision.cards.tags import Tag


CLIPPED: Final = 250
"""From this level on white paper has lost what was printed on it."""
AIM: Final = 232
"""The level that too bright white paper is brought to."""
DULL: Final = 190
"""Below this it is brought there too: a white mat is underexposed, and some cameras lock less than they reported."""
LONGEST: Final = 60_000
"""Microseconds of exposure at most for that: hands would leave trails."""
GAMMA: Final = 2.2
BLOWN: Final = 254
"""From here on nobody knows how much brighter this really is."""
LEAST_STEP, MOST_STEP = 0.5, 2.0
SAME: Final = 0.03
"""Share of a value: two pictures were taken with the same."""
STILL: Final = 3
"""Looks with the same values after which a camera has settled."""
RESTLESS: Final = 24
"""Looks after which one that goes on adjusting is locked as it is."""
TRIES: Final = 12
LATER: Final = 2
"""Looks until what a camera was told shows in its pictures."""
LEAST_OF_A_WAVE: Final = 0.75
"""From here on an exposure is lengthened to a whole wave."""
AROUND: Final = 0.25
"""Share of a tag's size: white paper lies around it."""
ALL: Final = 4


class LightLock:
    """Locks the light once: waits until the camera settles, then exposes until white paper is white and not blown out.

    A camera that goes on adjusting makes every card another colour as soon as a sleeve is in view.
    """

    def __init__(self, controls: Controls) -> None:
        """The camera is unlocked at once, so that it may settle."""
        self._controls = controls
        self._before: CameraValues = {}
        self._same = self._looks = self._tries = self._wait = 0
        self.found: CameraValues = {}
        """The locked values, when it is done."""
        self.cannot = False
        """Whether this camera does not report its values."""
        self._trial: CameraValues = {}
        controls.hold({})

    @property
    def done(self) -> bool:
        return bool(self.found) or self.cannot

    def look(self, white: float | None) -> Note:
        """Take in the level of white paper (None: none is in view); return a note on how far it has come."""
        if white is None:
            return hint("light_unseen")
        if not self._controls.values():
            self.cannot = True
            return hint("light_cannot")
        if self._wait:
            self._wait -= 1
        elif self._trial:
            self._judge(white)
        else:
            self._settle()
        return hint("light_settling") if not self.done else fine("light_held", level=round(white))

    def _settle(self) -> None:
        values = self._controls.values()
        self._same = self._same + 1 if same_values(values, self._before) else 0
        self._before, self._looks = values, self._looks + 1
        if self._same >= STILL or self._looks >= RESTLESS:
            self._try(values)

    def _judge(self, white: float) -> None:
        """Keep a good exposure; otherwise change it and look again."""
        self._tries += 1
        time = float(self._trial.get("exposure_us", 0.0))
        by = 1.0
        if white >= CLIPPED and time > 1:
            by = LEAST_STEP if white > BLOWN else (AIM / white) ** GAMMA
        elif white < DULL and time:
            by = min(MOST_STEP, (AIM / max(white, 1.0)) ** GAMMA, max(1.0, LONGEST / time))
        if abs(by - 1) < SAME or self._tries > TRIES:
            self.found = self._trial
        else:
            self._try(with_exposure(self._trial, by))

    def _try(self, values: CameraValues) -> None:
        self._trial, self._wait = whole_waves(values, self._controls.wave_us), LATER
        self._controls.hold(self._trial)


def white_of(picture: Array, tags: Iterable[Tag]) -> float | None:
    """Return the level of white paper around tags, by its brightest channel: a lamp's red clips before its blue."""
    levels = sorted(level for tag in tags if (level := _around(picture, tag)) is not None)
    if not levels:
        return None
    return levels[-2] if len(levels) >= ALL else levels[-1]  # the brightest of many may lie in glare


def _around(picture: Array, tag: Tag) -> float | None:
    low, high = tag.corners.min(axis=0), tag.corners.max(axis=0)
    reach = (high - low).max() * AROUND
    left, top = np.maximum(np.floor(low - reach).astype(int), 0)
    right, bottom = np.ceil(high + reach).astype(int)
    part = picture[top:bottom, left:right]
    return float(np.percentile(part.reshape(-1, 3).max(axis=1), 90)) if part.size else None


def same_values(one: CameraValues, other: CameraValues) -> bool:
    """Return whether two pictures were taken with the same values, as far as anybody can see."""
    if one.keys() != other.keys():
        return False
    before: Mapping[str, object] = other
    pairs = [(np.asarray(value, float), np.asarray(before[name], float)) for name, value in one.items()]
    return all(bool((np.abs(a - b) <= SAME * np.maximum(np.abs(b), 0.5)).all()) for a, b in pairs)


def with_exposure(values: CameraValues, by: float) -> CameraValues:
    """Return the values with more or less light: gain goes down first, for it adds noise; time goes up first."""
    time, gain = float(values.get("exposure_us", 0.0)), float(values.get("gain", 1.0))
    if by < 1 and gain > 1:
        less = max(1.0 / gain, by)
        gain, by = gain * less, by / less
    changed = {"exposure_us": round(time * by)} | ({"gain": round(gain, 3)} if "gain" in values else {})
    return cast("CameraValues", values | changed)


def whole_waves(values: CameraValues, wave_us: float) -> CameraValues:
    """Return the values exposed for whole waves of the lamps' light, which otherwise lies in bands over the table.

    Shorter than a wave there is no help. What is gained or lost in light goes to the gain, where that is a factor: of a
    USB camera it is a number of its own, and white paper tells how bright it has become.
    """
    time = float(values.get("exposure_us", 0.0))
    if wave_us <= 0 or time < LEAST_OF_A_WAVE * wave_us:
        return values
    waves = max(1, round(time / wave_us))
    if "gain" in values and "colour_gains" in values:
        gain = float(values["gain"]) * time / (waves * wave_us)
        if gain < 1 and waves > 1:  # a factor below one is none: rather a wave less
            waves, gain = waves - 1, float(values["gain"]) * time / ((waves - 1) * wave_us)
        values = values | {"gain": round(max(1.0, gain), 3)}
    return values | {"exposure_us": round(waves * wave_us)}


HELD, FREE, SETTLING, NONE = "held", "free", "settling", ""


@dataclass
class LightStep(CalibrationStep):
    """A step that locks the light on request. Only the thread that has the picture talks to the camera."""

    found: CameraValues | None = None
    """The values found and locked now; the step decides whether they are kept."""
    _holding: LightLock | None = None
    _wish: str = ""
    _kept: bool = False

    @property
    def light(self) -> str:
        """How the camera's light is: held, free, or settling; nothing without a camera that can lock it."""
        if self.controls is None or not (self.controls.values() or self._holding):
            return NONE
        if self._holding is not None or self._wish == "hold":
            return SETTLING
        return HELD if self.found or self._locked() else FREE

    @property
    def eager(self) -> bool:
        """While the camera settles every picture counts."""
        return self._holding is not None or bool(self._wish) or self.pace is StepPace.ALWAYS

    @property
    def finished(self) -> bool:
        """A request that is fulfilled ends a step that would look for ever."""
        fulfilled = self._kept and not self._wish and self._holding is None
        return fulfilled if self.pace is StepPace.ALWAYS else super().finished

    def act(self, action: str, fields: Mapping[str, str]) -> None:
        """Lock the light anew, or let the camera follow it by itself."""
        if action not in ("hold", "release"):
            super().act(action, fields)
        self._wish, self._holding = action, None
        self.notes = [hint("light_settling")] if action == "hold" else []

    def light_notes(self, picture: Array, located: Located) -> list[Note]:
        """Go on with what somebody requested; return notes on the light."""
        if self.controls is None:
            if self._wish:
                self._wish = ""
                raise StepError(fault("light_no_camera"))
            return []
        if self._wish == "release":
            return self._release()
        if self._wish == "hold":
            self._wish, self.found, self._holding = "", None, LightLock(self.controls)
        if self._holding is None:
            return self._standing()
        note = self._holding.look(white_of(picture, located.tags))
        if self._holding.done:
            self.found, self._kept = self._holding.found or None, True
            self._holding = None
        return [note]

    def _release(self) -> list[Note]:
        self._wish, self.found, self._kept = "", None, True
        if self.controls is not None:
            self.controls.hold({})
        if self._locked():
            self.file.change({"camera": {"locked": None}})
        return [fine("light_let_go")]

    def _standing(self) -> list[Note]:
        """Return notes on the light while nothing is requested."""
        if self.light == HELD:
            return [fine("light_is_held")]
        return [hint("light_free" if self.light == FREE else "light_cannot")]

    def leave(self) -> None:
        """Restore what the profile has, where something was begun and not kept."""
        if self.controls is not None and (self._holding is not None or self.found):
            self.controls.hold(self._locked())

    def _locked(self) -> CameraValues:
        """Return the values that the profile locks; an unreadable profile is reported where its pictures are."""
        with suppress(StepError):
            locked = self.file.raw().get("camera", {}).get("locked") or {}
            return cast("CameraValues", dict(locked))  # what holds them judges them
        return {}

    def details(self) -> Mapping[str, object]:
        """Return how the light is, for what may be requested."""
        return {**super().details(), "light": self.light}
