"""Which camera looks at the table: all that are plugged in, one of them tried for a minute, and what was chosen."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from companion.app.devices import FoundCamera, cameras_here, open_camera, opened_as
from companion.refusal import Refusal
from companion.table.ports import DeviceError, Hint, as_json
from hardware.cameras.capture import other_size
from hardware.cameras.phone import DEVICE as PHONE
from hardware.cameras.phone import PhoneCamera, PhoneLink

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.app.config import CameraConfig
    from companion.pieces.sheets.printed_profile import ProfileJson
    from hardware.cameras.watched import Adapter

PATIENCE: Final = 60.0
"""Seconds after which a camera that nobody keeps is given up: who sees no picture may see no page either."""
CROPPED: Final = 0.97
LOST: Final = Hint("camera_trial_lost", "The camera gave no picture: the one before is back.")
OVER: Final = Hint("camera_trial_over", "Nobody has kept the camera: the one before is back.")


@dataclass
class Trial:
    """A camera on trial. Nothing is written of it: whatever it does to this process, the next start has the old one."""

    camera: FoundCamera
    size: tuple[int, int]
    until: float
    adapter: Adapter | None = None
    """What was opened; what it gives is only known by its pictures."""


class CameraChoice:
    """Fills the port `CameraPicker`, and opens the camera that is on trial, or the chosen one."""

    def __init__(
        self,
        config: CameraConfig,
        listed: Callable[[], Sequence[FoundCamera]] = cameras_here,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.phone = PhoneLink()
        """What a phone sends that is a camera; it is listed while it is there, or once it was chosen."""
        self._config = config
        self._listed = listed
        self._clock = clock
        self._lock = threading.RLock()
        self._trial: Trial | None = None
        self._notes: list[str] = []
        self._timer: threading.Timer | None = None
        self._changed: list[Callable[[], None]] = []

    @property
    def trying(self) -> bool:
        return self._trial is not None

    def call(self, changed: Callable[[], None]) -> None:
        """Call this whenever another camera is to be opened."""
        self._changed.append(changed)

    def is_looked_through(self, device: str) -> bool:
        """Whether this camera is on trial, or else the chosen one."""
        trial = self._trial
        return (opened_as(self._config).device if trial is None else trial.camera.id) == device

    def _all(self) -> list[FoundCamera]:
        """Return the cameras that are plugged in, and a phone."""
        chosen, shot = opened_as(self._config), self.phone.shot
        sizes = [shot.size] if shot is not None else [chosen.size] if chosen.device == PHONE else []
        return [*self._listed(), *(FoundCamera(PHONE, "Phone", "phone", (size,)) for size in sizes)]

    # --- the page -----------------------------------------------------------------------------------------------------

    def view(self) -> dict[str, object]:
        with self._lock:
            trial, chosen = self._trial, opened_as(self._config)
            return {
                "cameras": [
                    {
                        "id": one.id,
                        "name": one.name,
                        "port": one.port,
                        "sizes": [_as_text(size) for size in one.sizes],
                        "chosen": one.id == chosen.device,
                        "size": _as_text(chosen.size) if one.id == chosen.device and chosen.sized else "",
                    }
                    for one in self._all()
                ],
                "trial": None
                if trial is None
                else {
                    "camera": trial.camera.id,
                    "name": trial.camera.name,
                    "size": _as_text(trial.size),
                    "seconds": max(0, round(trial.until - self._clock())),
                },
                "notes": [as_json(note) for note in (self._notes if trial is None else _notes_on(trial))],
            }

    def act(self, action: str, camera: str, size: str) -> None:
        """Try a camera, keep the one that is tried, or go back to the one before."""
        with self._lock:
            if action == "try":
                self._try(camera, size)
            elif action == "keep":
                self._keep()
            elif action == "back":
                self._end("")
            else:
                raise Refusal("malformed", None, "action is try, keep or back.", field="action")

    def _try(self, camera: str, size: str) -> None:
        found = next((one for one in self._all() if one.id == camera), None)
        if found is None:
            raise Refusal("no_such_camera", None, "There is no such camera: is it plugged in?", camera=camera[:80])
        sizes = {_as_text(one): one for one in found.sizes}
        if size and size not in sizes:
            raise Refusal("malformed", None, f"size is one of {', '.join(sizes)}.", field="size")
        self._stop_timer()
        self._trial = Trial(found, sizes.get(size, found.sizes[0]), self._clock() + PATIENCE)
        self._timer = threading.Timer(PATIENCE, self._expire, (self._trial,))
        self._timer.daemon = True
        self._timer.start()
        self._tell()

    def _keep(self) -> None:
        trial = self._trial
        if trial is None or trial.adapter is None:
            raise Refusal("nothing_tried", None, "No camera is being tried, or it has given no picture yet.")
        chosen = opened_as(self._config)
        if (chosen.device, chosen.size) != (trial.camera.id, trial.size):
            write_choice(self._config, trial.camera.id, trial.size)
        self._end("")

    def _expire(self, trial: Trial) -> None:
        with self._lock:
            if self._trial is trial:
                self._end(OVER)

    def _end(self, why: str) -> None:
        was, self._trial, self._notes = self._trial, None, [why] if why else []
        self._stop_timer()
        if was is not None:
            self._tell()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _tell(self) -> None:
        for changed in self._changed:
            changed()

    # --- the eye ------------------------------------------------------------------------------------------------------

    def open(self) -> Adapter:
        """Return the camera on trial, else the chosen one. One on trial is opened once: if it is lost, that was it."""
        trial = self._trial
        if trial is not None:
            try:
                if trial.adapter is None:
                    trial.adapter = self._opened((trial.camera.id, trial.size))
                    return trial.adapter
                why: str = LOST
            except DeviceError as error:
                why = str(error)
            with self._lock:
                if self._trial is trial:
                    self._end(why)
        return self._opened()

    def _opened(self, trial: tuple[str, tuple[int, int]] | None = None) -> Adapter:
        chosen = opened_as(self._config)
        if (chosen.device if trial is None else trial[0]) == PHONE:
            return PhoneCamera(self.phone, chosen.size if trial is None else trial[1])
        return open_camera(self._config) if trial is None else open_camera(self._config, trial)


def _notes_on(trial: Trial) -> list[str]:
    """Return what differs between what a camera has told of itself and what it gives."""
    other = other_size(getattr(trial.adapter, "size", trial.size), trial.size)
    share: float = getattr(trial.adapter, "share", 1.0)
    notes = [other] if other else []
    if share < CROPPED:
        cropped = "It shows {percent} % of what its sensor sees: another size may show more."
        notes.append(Hint("camera_cropped", cropped, percent=round(100 * share)))
    return notes


def write_choice(config: CameraConfig, device: str, size: tuple[int, int]) -> None:
    """Write the camera into the profile, without what was measured through another one; a copy keeps that."""
    from calibration.profiles import ProfileFile, serialize  # noqa: PLC0415 - OpenCV is loaded late
    from calibration.steps.step import StepError  # noqa: PLC0415
    from companion.table.record.data_folder import put  # noqa: PLC0415

    file = ProfileFile(config.profile)
    try:
        before = file.raw()
        if "matrix" in before["camera"]:
            put(config.profile.with_suffix(".before.json"), serialize(before).encode())
        measured = dict.fromkeys(("matrix", "distortion", "lens", "locked", "stands"))
        file.change(cast("ProfileJson", {"camera": {**measured, "device": device, "size": list(size)}}))
    except (StepError, OSError) as error:
        raise Refusal("choice_not_written", None, f"The profile {config.profile} cannot be written: {error}") from error


def _as_text(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"
