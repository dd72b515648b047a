"""Choose the devices of a table by its configuration; the demo and tests pass others of the same kind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.app.config import NAME, PROFILE, DeviceKind
from companion.table.ports import DeviceError, Hint
from companion.table.record.data_folder import data_folder
from companion.vision.json_reader import read_json
from hardware.cameras.camera_settings import CameraSettings, CameraSettingsFaults, mains_here, settings_of
from hardware.cameras.capture import RecordedCamera, Stills
from hardware.cameras.pi import PiCamera
from hardware.cameras.usb import UsbCamera, first_of
from hardware.panel.chips import pi_chip
from hardware.panel.wiring import Wiring
from hardware.panel.wiring import load as load_wiring

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gpiozero import Factory

    from companion.app.config import CameraConfig, Config
    from hardware.cameras.watched import Adapter

NO_CAMERA: Final = "No camera is found: {pi} For a USB camera: {usb}"
UNFIT: Final = "The profile {profile} cannot be used: {why}. Calibrate again."
UNREAD: Final = "The profile {profile} cannot be read ({why}): calibrate again."
GPIO_CHIP: Final = Path("/dev/gpiochip0")
VIDEO: Final = Path("/dev/video0")
MODEL: Final = Path("/proc/device-tree/model")


@dataclass(frozen=True, slots=True)
class Devices:
    """Functions that open each device; None for what the table does without."""

    camera: Callable[[], Adapter] | None
    profile: Path
    wiring: Wiring | None
    chip: Callable[[], Factory] = pi_chip


def devices_of(config: Config) -> Devices:
    """Return the devices that a configuration names. A wiring table with faults is refused before anything starts."""
    camera = config.camera
    return Devices(
        camera=None if camera.kind is DeviceKind.OFF else lambda: open_camera(camera),
        profile=camera.profile,
        wiring=load_wiring(config.wiring) if config.panel else None,
    )


def open_camera(camera: CameraConfig) -> Adapter:
    """Return the camera, opened with the settings of its profile; raise DeviceError with what to do."""
    settings = _settings(camera.profile)
    match camera.kind:
        case DeviceKind.PI:
            return PiCamera(settings, number=camera.number)
        case DeviceKind.USB:
            return UsbCamera(camera.number, settings)
        case DeviceKind.RECORDING if camera.path is not None:
            return RecordedCamera(camera.path)
        case DeviceKind.STILLS if camera.path is not None:
            return Stills(camera.path)
        case _:
            return _found(camera.number, settings)


def is_a_table(environment: Mapping[str, str]) -> bool:
    """Return whether this machine belongs to a table: a Pi, or a camera that was calibrated or configured.

    Without it there is the demo: nearly every laptop has some camera that looks at whoever sits there.
    """
    known = any((data_folder(None, environment) / name).exists() for name in (NAME, PROFILE))
    return (known and VIDEO.exists()) or (GPIO_CHIP.exists() and _model().startswith("Raspberry Pi"))


def _model() -> str:
    try:
        return MODEL.read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""


def _found(number: int, settings: CameraSettings) -> Adapter:
    """Return the Pi's own camera, else a USB camera."""
    try:
        return PiCamera(settings, number=number)
    except DeviceError as error:
        pi = error
    try:
        return UsbCamera(first_of(number), settings)
    except DeviceError as error:
        raise DeviceError(Hint("no_camera", NO_CAMERA, pi=str(pi), usb=str(error))) from error


def _settings(profile: Path) -> CameraSettings:
    """Return the profile's camera settings. Other faults of a profile are reported by vision."""
    mains = mains_here()
    try:
        return replace(settings_of(read_json(profile)), mains=mains)
    except FileNotFoundError:
        return CameraSettings(sized=False, mains=mains)
    except CameraSettingsFaults as error:
        raise DeviceError(Hint("profile_unfit", UNFIT, profile=profile.name, why=error)) from error
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise DeviceError(Hint("profile_unread", UNREAD, profile=profile.name, why=error)) from error
