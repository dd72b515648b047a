"""Choose the devices of a table by its configuration; the demo and tests pass others of the same kind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.app.config import NAME, PROFILE, DeviceKind
from companion.app.machine import SystemMachine, is_ours
from companion.table.ports import DeviceError, Hint
from companion.table.record.data_folder import data_folder
from companion.vision.json_reader import read_json
from hardware.cameras.camera_settings import SIZE, CameraSettings, CameraSettingsFaults, mains_here, settings_of
from hardware.cameras.capture import RecordedCamera, Stills
from hardware.cameras.phone import DEVICE as PHONE
from hardware.cameras.phone import GONE
from hardware.cameras.pi import PiCamera, picamera2_library, sensors_of
from hardware.cameras.sensors import is_full, module_of
from hardware.cameras.usb import UsbCamera, first_of
from hardware.cameras.v4l2 import usb_devices
from hardware.panel.chips import pi_chip
from hardware.panel.wiring import Wiring
from hardware.panel.wiring import load as load_wiring

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gpiozero import Factory

    from companion.app.config import CameraConfig, Config
    from companion.app.sight.camera_choice import CameraChoice
    from companion.table.ports import Machine
    from hardware.cameras.watched import Adapter

NO_CAMERA: Final = "No camera is found: {pi} For a USB camera: {usb}"
UNFIT: Final = "The profile {profile} cannot be used: {why}. Calibrate again."
UNREAD: Final = "The profile {profile} cannot be read ({why}): calibrate again."
GPIO_CHIP: Final = Path("/dev/gpiochip0")
VIDEO: Final = Path("/dev/video0")
CSI, USB = "csi:", "usb:"
CHOSEN: Final = frozenset({DeviceKind.AUTO, DeviceKind.PI, DeviceKind.USB})
"""The kinds in whose place the page may choose a camera."""
UNKNOWN: Final = (SIZE, (1640, 1232), (1296, 972))
"""For a sensor that nobody knows: one of these has its shape."""
LEAST_WIDTH: Final = 960
MODEL: Final = Path("/proc/device-tree/model")


@dataclass(frozen=True, slots=True)
class Devices:
    """Functions that open each device; None for what the table does without."""

    camera: Callable[[], Adapter] | None
    profile: Path
    wiring: Wiring | None
    chip: Callable[[], Factory] = pi_chip
    machine: Machine | None = None
    """What lies below; a page and the panel may switch it off."""
    choice: CameraChoice | None = None
    """Where another camera may be chosen while the table runs."""


def devices_of(config: Config) -> Devices:
    """Return the devices that a configuration names. A wiring table with faults is refused before anything starts."""
    from companion.app.sight.camera_choice import CameraChoice  # noqa: PLC0415 - it opens what is chosen by this module

    camera = config.camera
    choice = CameraChoice(camera) if camera.kind in CHOSEN else None
    opened = partial(open_camera, camera) if choice is None else choice.open
    return Devices(
        choice=choice,
        machine=SystemMachine(config.data or Path(), is_ours=is_ours()),
        camera=None if camera.kind is DeviceKind.OFF else opened,
        profile=camera.profile,
        wiring=load_wiring(config.wiring) if config.panel else None,
    )


def open_camera(camera: CameraConfig, trial: tuple[str, tuple[int, int]] | None = None) -> Adapter:
    """Return the camera, opened with the settings of its profile; raise DeviceError with what to do.

    One that was chosen on the page counts before a Pi's or a USB camera that the configuration names. `trial` is
    another one, and the size of its pictures.
    """
    settings = _settings(camera.profile)
    if trial is not None:
        settings = CameraSettings(size=trial[1], device=trial[0], mains=settings.mains)
    if settings.device and camera.kind in CHOSEN:
        return _chosen(settings)
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


def opened_as(camera: CameraConfig) -> CameraSettings:
    """Return the settings by which the camera is opened; the usual ones where the profile cannot be read."""
    try:
        return _settings(camera.profile)
    except DeviceError:
        return CameraSettings(sized=False)


@dataclass(frozen=True, slots=True)
class FoundCamera:
    """A camera that is plugged in, as a page offers it; the first of its sizes is the suggested one."""

    id: str
    name: str
    port: str
    sizes: tuple[tuple[int, int], ...]


def cameras_here() -> list[FoundCamera]:
    """Return the cameras on ribbon cables, then those at USB ports, each with the sizes that cut nothing off."""
    try:
        models = [model for _, model in sensors_of(picamera2_library())]
    except Exception:  # noqa: BLE001 - whatever a camera's library raises, there may be others
        models = []
    found = []
    for place, (name, model) in enumerate(zip(_names(models), models, strict=True)):
        known = module_of(model)
        title = known.name if known is not None else model
        found.append(
            FoundCamera(
                f"{CSI}{name}",
                title if models.count(model) == 1 else f"{title} ({place + 1})",
                "csi",
                known.sizes if known is not None else UNKNOWN,
            )
        )
    return found + [FoundCamera(f"{USB}{one.id}", one.name, "usb", _whole(one.sizes)) for one in usb_devices()]


def _names(models: list[str]) -> list[str]:
    """Return a name for each sensor: its model, and a number where there are several of it."""
    return [
        model if models.count(model) == 1 else f"{model}#{models[:place].count(model) + 1}"
        for place, model in enumerate(models)
    ]


def _whole(sizes: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Return the sizes of the largest one's shape that show enough, the one nearest to full HD first."""
    whole = [size for size in sizes if size[0] >= LEAST_WIDTH and is_full(size, sizes[0])]
    return tuple(sorted(whole, key=lambda size: abs(size[0] - SIZE[0]))) or sizes[:1] or (SIZE,)


def _chosen(settings: CameraSettings) -> Adapter:
    if settings.device == PHONE:
        raise DeviceError(GONE)  # it sends to the table that runs, and to nobody else
    if settings.device.startswith(USB):
        return UsbCamera(settings.device.removeprefix(USB), settings)
    wanted = settings.device.removeprefix(CSI)
    names = _names([model for _, model in sensors_of(picamera2_library())])
    if wanted not in names:
        gone = "The camera {name} is not there: switch off and seat its cable, or choose another on /calibrate."
        raise DeviceError(Hint("pi_camera_gone", gone, name=wanted))
    return PiCamera(settings, number=names.index(wanted))


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
