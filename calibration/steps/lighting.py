"""The steps in which the camera's light is held: exposure, white balance and focus, with the values they have then."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calibration.measuring.exposure import Holding, white_of
from calibration.notes import Note, StepError, fault, fine, hint
from calibration.steps.step import Pace, Step

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.measuring.measures import Located
    from companion.vision.arrays import Array

HELD, FREE, SETTLING, NONE = "held", "free", "settling", ""


@dataclass
class LitStep(Step):
    """A step that holds the light when somebody says so. The camera is only told by the thread that has the picture."""

    found: dict[str, Any] | None = None
    """What was found and is held now; whether it is kept is the step's."""
    _holding: Holding | None = None
    _wish: str = ""
    _kept: bool = False

    @property
    def light(self) -> str:
        """How the camera's light is: held, free, or settling; nothing without a camera that can hold it."""
        if self.controls is None or not (self.controls.values() or self._holding):
            return NONE
        if self._holding is not None or self._wish == "hold":
            return SETTLING
        return HELD if self.found or self._locked() else FREE

    @property
    def eager(self) -> bool:
        """While the camera settles every picture counts."""
        return self._holding is not None or bool(self._wish) or self.pace is Pace.ALWAYS

    @property
    def finished(self) -> bool:
        """A wish that is fulfilled ends a step that would look for ever."""
        fulfilled = self._kept and not self._wish and self._holding is None
        return fulfilled if self.pace is Pace.ALWAYS else super().finished

    def act(self, action: str, fields: Mapping[str, str]) -> None:
        """Hold the light anew, or let the camera follow it by itself."""
        if action not in ("hold", "release"):
            super().act(action, fields)
        self._wish, self._holding = action, None
        self.notes = [hint("light_settling")] if action == "hold" else []

    def lit(self, picture: Array, located: Located) -> list[Note]:
        """Go on with what somebody wished, and say how the light is."""
        if self.controls is None:
            if self._wish:
                self._wish = ""
                raise StepError(fault("light_no_camera"))
            return []
        if self._wish == "release":
            return self._release()
        if self._wish == "hold":
            self._wish, self.found, self._holding = "", None, Holding(self.controls)
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
        """How it is while nobody wishes anything."""
        if self.light == HELD:
            return [fine("light_is_held")]
        return [hint("light_free" if self.light == FREE else "light_cannot")]

    def leave(self) -> None:
        """What was begun and not kept is put back as the profile has it."""
        if self.controls is not None and (self._holding is not None or self.found):
            self.controls.hold(self._locked())

    def _locked(self) -> dict[str, Any]:
        """What the profile has held; a profile that cannot be read is told where its pictures are."""
        with suppress(StepError):
            return dict(self.file.raw().get("camera", {}).get("locked", {}))
        return {}

    def details(self) -> dict[str, Any]:
        """How the light is, for what may be wished."""
        return super().details() | {"light": self.light}
