"""How a camera is set, from the `camera` part of a profile: what is locked does not drift while people play."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

SIZE: Final = (1920, 1080)
RATE: Final = 10.0
TWO: Final = 2


class CameraSettingsFaults(ValueError):  # noqa: N818 - it carries all of them
    """Everything that is wrong with the camera's settings."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """What is None is left to the camera."""

    size: tuple[int, int] = SIZE
    rate: float = RATE
    exposure_us: float | None = None
    gain: float | None = None
    colour_gains: tuple[float, float] | None = None
    """For red and blue: the white balance of a Pi's camera."""
    temperature: float | None = None
    """In kelvin: the white balance of a USB camera."""
    focus: float | None = None
    """In dioptres for a Pi's camera, in the camera's own steps for a USB camera."""
    format: str = "RGB888"
    """A Pi's full stream; libcamera calls BGR in memory RGB888."""


LOCKED: Final = ("exposure_us", "gain", "temperature", "focus")


def held(values: Mapping[str, Any]) -> CameraSettings:
    """What is to be held of values in a profile's words."""
    return settings_of({"camera": {"locked": dict(values)}})


def settings_of(profile: Mapping[str, Any]) -> CameraSettings:
    """The settings in a profile: `camera.size`, and `camera.locked` as calibration found it."""
    camera = profile.get("camera", {})
    locked = camera.get("locked", {})
    faults: list[str] = []
    known = {field.name for field in fields(CameraSettings)} - {"size", "rate", "format"}
    faults += [f"camera.locked.{name}: unknown" for name in sorted(locked.keys() - known)]
    found: dict[str, Any] = {}
    for name in LOCKED:
        if name in locked:
            if _above_nought(locked[name]) or (name == "focus" and locked[name] == 0):
                found[name] = locked[name]
            else:
                faults.append(f"camera.locked.{name}: expected a number above nought, not {locked[name]!r}")
    if "colour_gains" in locked:
        found["colour_gains"] = _pair("camera.locked.colour_gains", locked["colour_gains"], faults)
    if "size" in camera:
        found["size"] = _pair("camera.size", camera["size"], faults)
    if "rate" in camera:
        found["rate"] = camera["rate"]
        if not _above_nought(camera["rate"]):
            faults.append(f"camera.rate: expected a number above nought, not {camera['rate']!r}")
    if faults:
        raise CameraSettingsFaults(faults)
    return CameraSettings(**found)


def _above_nought(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def _pair(name: str, value: Any, faults: list[str]) -> tuple[Any, ...]:
    if not isinstance(value, list) or len(value) != TWO or not all(map(_above_nought, value)):
        faults.append(f"{name}: expected two numbers above nought, not {value!r}")
        return SIZE
    return tuple(value)
