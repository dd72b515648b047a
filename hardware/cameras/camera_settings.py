"""Camera settings from the `camera` part of a profile: what is locked does not drift while people play."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeGuard

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.table.ports import CameraValues

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
    sized: bool = True
    """Whether somebody has chosen the size; a camera may know a better one otherwise."""
    device: str = ""
    """What was chosen on the page /calibrate: `csi:` and its model, or `usb:` and its name in /dev/v4l/by-id."""
    rate: float = RATE
    mains: int = 50
    """Hertz of the mains, which lamps flicker at twice."""
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

    @property
    def flicker_us(self) -> int:
        """Microseconds from one wave of a lamp's light to the next."""
        return round(1e6 / (2 * self.mains))


MEASURED: Final = frozenset({"matrix", "stands", "device"})
"""With any of these in a profile its size is one that was measured or chosen; a new profile names the usual one."""
LOCKED: Final = ("exposure_us", "gain", "temperature", "focus")


def locked_settings(values: CameraValues) -> CameraSettings:
    return settings_of({"camera": {"locked": dict(values)}})


def settings_of(profile: Mapping[str, object]) -> CameraSettings:
    """Return the settings in a profile: `camera.size`, and `camera.locked` as calibration found it.

    Raise TypeError where these are no objects, and CameraSettingsFaults with everything that is wrong in them.
    """
    camera = _section(profile, "camera")
    locked = _section(camera, "locked")
    faults = [f"camera.locked.{name}: unknown" for name in sorted(locked.keys() - {*LOCKED, "colour_gains"})]
    numbers: dict[str, float] = {}
    for name in LOCKED:
        value = locked.get(name)
        if _is_positive(value) or (name == "focus" and name in locked and value == 0):
            numbers[name] = value
        elif name in locked:
            faults.append(f"camera.locked.{name}: expected a number above nought, not {value!r}")
    gains = None
    if "colour_gains" in locked:
        gains = _pair("camera.locked.colour_gains", locked["colour_gains"], faults)
    width, height = _pair("camera.size", camera["size"], faults) if "size" in camera else SIZE
    device = camera.get("device", "")
    if not isinstance(device, str):
        faults.append(f"camera.device: expected a text, not {device!r}")
    rate, given = RATE, camera.get("rate", RATE)
    if _is_positive(given):
        rate = given
    else:
        faults.append(f"camera.rate: expected a number above nought, not {given!r}")
    if faults:
        raise CameraSettingsFaults(faults)
    return CameraSettings(
        size=(int(width), int(height)),
        sized=not MEASURED.isdisjoint(camera),
        device=str(device),
        rate=rate,
        exposure_us=numbers.get("exposure_us"),
        gain=numbers.get("gain"),
        colour_gains=gains,
        temperature=numbers.get("temperature"),
        focus=numbers.get("focus"),
    )


SIXTY: Final = re.compile(
    r"(America|US|Canada|Brazil|Mexico)/(?!Argentina|Buenos_Aires|Santiago|Punta_Arenas|Montevideo|Asuncion|La_Paz"
    r"|Cayenne|Jamaica|Martinique|Guadeloupe|Barbados|Curacao|Grenada|Dominica|St_Lucia|St_Vincent)"
    r"|Asia/(Seoul|Taipei|Manila|Riyadh)|Pacific/(Honolulu|Guam)"
)
"""Time zones whose mains have 60 hertz. Japan has both; its zone is that of Tokyo, which has 50."""
LOCAL_TIME: Final = Path("/etc/localtime")


def mains_here(local_time: Path = LOCAL_TIME) -> int:
    """Return the hertz of the mains, by the time zone that this machine is set to."""
    return 60 if SIXTY.search(str(local_time.resolve())) else 50


def _section(parent: Mapping[str, object], name: str) -> Mapping[str, object]:
    section = parent.get(name, {})
    if not isinstance(section, dict):
        raise TypeError(f"{name} is no object")
    return section


def _is_positive(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def _pair(name: str, value: object, faults: list[str]) -> tuple[float, float]:
    if not isinstance(value, list) or len(value) != TWO or not all(map(_is_positive, value)):
        faults.append(f"{name}: expected two numbers above nought, not {value!r}")
        return SIZE
    first, second = value
    return first, second
