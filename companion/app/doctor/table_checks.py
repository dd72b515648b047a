"""Checks of the table: its record, camera, calibration, light, panel and voice; and the run of all checks."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.app.config import DeviceKind
from companion.app.devices import devices_of, open_camera
from companion.app.doctor import machine_checks, report
from companion.app.doctor.machine_checks import rights
from companion.app.network_services import own_address
from companion.app.secure_pages import secure_check
from companion.app.strain import heat, power, strain
from companion.table.ports import Check, DeviceError, Health, fail, note, ok
from companion.table.record.audit import audited
from companion.table.record.checkpoint import Checkpoint, extended, load
from companion.table.record.verify import inspect
from companion.vision.json_reader import read_json
from hardware.cameras.camera_settings import settings_of
from hardware.panel.wiring import WiringFaults
from hardware.voice.voice import PROGRAM

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.app.config import Config
    from companion.table.ports import Running


LIVELY: Final = (DeviceKind.AUTO, DeviceKind.PI, DeviceKind.USB)
SEEING: Final = ("watching", "hand", "unsure")


def record(folder: Path, *, at_play: bool = False) -> Check:
    """Check the record: every entry is verified; of a long one, at play, tell when a process beside it did that."""
    if not folder.exists():
        return ok("record", games=0, entries=0)
    known = load(folder) if at_play else Checkpoint()
    quick = extended(folder, known) if known.row else None
    if quick is not None:
        counts = {"games": len(quick.games), "entries": quick.entries}
        when = audited(folder)
        if when:
            return Check("record", Health.OK, "record_audited", {"when": when[:16].replace("T", " "), **counts})
        return note("record", "not_audited", **counts)
    found = inspect(folder)
    harm = [str(damage) for damage in found.damage if not damage.harmless]
    if harm:
        return fail("record", "damaged", needed=True, what="; ".join(harm))
    if found.damage:
        return note("record", "scratched", what="; ".join(map(str, found.damage)))
    return ok("record", games=len(found.games), entries=len(found.order))


def camera(config: Config, running: Running | None) -> Check:
    """Check that the camera gives a picture, or how it is in the running companion."""
    needed = config.camera.kind not in (DeviceKind.AUTO, DeviceKind.OFF)
    if config.camera.kind is DeviceKind.OFF:
        return note("camera", "not_wanted")
    if running:
        seen, hint = running.parts.get("camera", "off"), running.hint("camera")
        if seen in SEEING:
            return note("camera", "fails", hint=hint) if hint else ok("camera", name=seen)
        if not hint:
            return fail("camera", "off", needed=True, state=seen) if needed else note("camera", "off", state=seen)
        return fail("camera", "fails", needed=True, hint=hint) if needed else note("camera", "none", hint=hint)
    try:
        found = open_camera(config.camera)
        try:
            with found.frame(full=True) as frame:
                height, width = frame.image.shape[:2]
                said = getattr(found, "note", "")
        finally:
            found.close()
    except DeviceError as error:
        if needed:
            return fail("camera", "fails", needed=True, hint=str(error))
        return note("camera", "none", hint=str(error))
    return note("camera", "fails", hint=said) if said else ok("camera", name=f"{found.name}, {width}x{height}")


def calibration(config: Config) -> Check | None:
    """Check the profile; without a camera nobody misses it."""
    if config.camera.kind is DeviceKind.OFF:
        return None
    path, needed = config.camera.profile, config.camera.kind is not DeviceKind.AUTO
    if not path.exists():
        return fail("calibration", "none", needed=needed, path=str(path)) if needed else note("calibration", "missing")
    from companion.vision.profile import ProfileError, load_profile  # noqa: PLC0415 - OpenCV is loaded late

    try:
        profile = load_profile(path)
    except ProfileError as error:
        return fail("calibration", "faulty", needed=needed, path=str(path), faults="; ".join(error.faults))
    return ok("calibration", cards=len(profile.cards), path=str(path))


def light(config: Config) -> Check | None:
    """Check whether the camera's light is locked; None where there is no camera, no profile yet, or nothing to lock."""
    path = config.camera.profile
    if config.camera.kind not in LIVELY or not path.exists():
        return None
    try:
        locked = settings_of(read_json(path))
    except (OSError, ValueError, TypeError, AttributeError):
        return None  # the check of the calibration tells that
    if locked.exposure_us is None:
        return note("light", "free")
    return ok("light", ms=round(locked.exposure_us / 1000, 1))


def beside(config: Config) -> list[Check]:
    """Check the tracks and the dice corner: whether the camera saw them whole when it was calibrated."""
    if config.camera.kind is DeviceKind.OFF or not config.camera.profile.exists():
        return []
    try:
        outside = read_json(config.camera.profile)["camera"]["stands"]["outside"]
        outside_notes = [(*one["code"].split("_", 1), {k: v for k, v in one.items() if k != "code"}) for one in outside]
        return [note(name, what, **fields) for name, what, fields in outside_notes]
    except (OSError, ValueError, TypeError, KeyError):
        return []  # the check of the calibration tells that, or the mat was not measured yet


def panel(config: Config, running: Running | None) -> Check:
    """Check the chip of the buttons, or how it is in the running companion."""
    if not config.panel:
        return note("panel", "not_wanted")
    if running:
        state, hint = running.parts.get("panel", "off"), running.hint("panel")
        if state == "ok":
            return ok("panel")
        return note("panel", "none", hint=hint) if hint else note("panel", "off", state=state)
    needed = config.wiring is not None
    try:
        devices = devices_of(config)
        devices.chip().close()
    except WiringFaults as faults:
        return fail("panel", "miswired", needed=True, faults="; ".join(faults.faults))
    except DeviceError as error:
        return (
            fail("panel", "fails", needed=needed, hint=str(error)) if needed else note("panel", "none", hint=str(error))
        )
    return ok("panel")


def voice(config: Config) -> Check:
    """Check for a program to speak with."""
    if not config.voice:
        return note("voice", "not_wanted")
    return ok("voice") if shutil.which(PROGRAM) else note("voice", "missing")


LOG: Final = logging.getLogger(__name__)
LONGEST: Final = 300


def examine(config: Config, running: Running | None = None) -> list[Check]:
    """Run all checks. `running` holds the state of a running companion's parts, where it is known already."""
    strained = strain()
    folder, address, at_play = config.data or Path(), own_address(), running is not None
    port: list[Check] = []
    if running is None:
        port, running = _port(config.port, folder)
    return [
        *_looked("version", machine_checks.version),
        *_looked("python", machine_checks.python),
        *_looked("bots", machine_checks.bots),
        *_looked("disk", lambda: machine_checks.disk(folder)),
        *_looked("record", lambda: record(folder, at_play=at_play)),
        *_looked("clock", machine_checks.clock),
        *_looked("libraries", report.libraries),
        *_looked("power", lambda: power(strained)),
        *_looked("heat", lambda: heat(strained)),
        *_looked("network", lambda: machine_checks.network(address)),
        *_looked("hotspot", lambda: machine_checks.hotspot(address)),
        *port,
        *_looked("secure", lambda: secure_check(folder)),
        *_looked("rights", lambda: rights(folder)),
        *_looked("camera", lambda: camera(config, running)),
        *_looked("calibration", lambda: calibration(config)),
        *_looked("light", lambda: light(config)),
        *_looked("strips", lambda: beside(config)),
        *_looked("panel", lambda: panel(config, running)),
        *_looked("voice", lambda: voice(config)),
    ]


def _looked(name: str, check: Callable[[], Check | list[Check] | None]) -> list[Check]:
    """Run one check. One that fails itself is reported as failed, and all others still run."""
    try:
        found = check()
    except Exception as error:  # libraries of cameras and pins, programs of the system: the doctor outlives all of them
        LOG.exception("the check %s fails itself", name)
        return [_failed(name, error)]
    if found is None:
        return []
    return found if isinstance(found, list) else [found]


def _port(number: int, folder: Path) -> tuple[list[Check], Running | None]:
    try:
        check, running = machine_checks.port(number, folder)
    except Exception as error:  # whatever program answers at that port
        LOG.exception("the check port fails itself")
        return [_failed("port", error)], None
    return [check], running


def _failed(name: str, error: Exception) -> Check:
    why = " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST]
    return Check(name, Health.FAIL, "check_failed", {"why": why}, needed=True)


def as_json(checks: list[Check], words: dict[str, str]) -> dict[str, object]:
    """Return the checks for scripts; `words` are the sentences by the names of the checks."""
    return {
        "ok": not any(check.is_bad for check in checks),
        "checks": [
            {
                "name": check.name,
                "state": check.state.value,
                "needed": check.needed,
                "code": check.code,
                "told": words[check.name],
                "fields": check.fields,
            }
            for check in checks
        ],
    }
