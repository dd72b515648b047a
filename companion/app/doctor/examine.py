"""Run all checks, one after the other, and return them as JSON."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.app.doctor import machine_checks, table_checks
from companion.app.doctor.machine_checks import rights
from companion.app.network_services import own_address
from companion.table.ports import Check, Health

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.app.config import Config
    from companion.table.ports import Running

LOG: Final = logging.getLogger(__name__)
LONGEST: Final = 300


def examine(config: Config, running: Running | None = None) -> list[Check]:
    """Run all checks. `running` holds the state of a running companion's parts, where it is known already."""
    folder, address = config.data or Path(), own_address()
    port: list[Check] = []
    if running is None:
        port, running = _port(config.port, folder)
    return [
        *_looked("version", machine_checks.version),
        *_looked("python", machine_checks.python),
        *_looked("disk", lambda: machine_checks.disk(folder)),
        *_looked("record", lambda: table_checks.record(folder)),
        *_looked("clock", machine_checks.clock),
        *_looked("power", machine_checks.power),
        *_looked("network", lambda: machine_checks.network(address)),
        *_looked("hotspot", lambda: machine_checks.hotspot(address)),
        *port,
        *_looked("rights", lambda: rights(folder)),
        *_looked("camera", lambda: table_checks.camera(config, running)),
        *_looked("calibration", lambda: table_checks.calibration(config)),
        *_looked("light", lambda: table_checks.light(config)),
        *_looked("strips", lambda: table_checks.beside(config)),
        *_looked("panel", lambda: table_checks.panel(config, running)),
        *_looked("voice", lambda: table_checks.voice(config)),
    ]


def _looked(name: str, check: Callable[[], Check | list[Check] | None]) -> list[Check]:
    """Run one check. One that fails itself is reported as failed, and all others still run."""
    try:
        found = check()
    except Exception as error:
        LOG.exception("the check %s fails itself", name)
        return [_failed(name, error)]
    if found is None:
        return []
    return found if isinstance(found, list) else [found]


def _port(number: int, folder: Path) -> tuple[list[Check], Running | None]:
    try:
        check, running = machine_checks.port(number, folder)
    except Exception as error:
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
