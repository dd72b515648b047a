"""All of it, one after the other, as a table in words or as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.bootstrap.doctor import machine, table
from companion.bootstrap.doctor.rights import rights
from companion.bootstrap.network import own_address

if TYPE_CHECKING:
    from companion.bootstrap.config import Config
    from companion.table.check import Check, Running


def examine(config: Config, running: Running | None = None) -> list[Check]:
    """Look at everything. `running` tells how the parts of a running companion are, where it is known already."""
    folder, address = config.data or Path(), own_address()
    port, running = machine.port(config.port, folder) if running is None else (None, running)
    found = [
        machine.version(),
        machine.python(),
        machine.disk(folder),
        table.record(folder),
        machine.clock(),
        machine.power(),
        machine.network(address),
        machine.hotspot(address),
        port,
        rights(folder),
        table.camera(config, running),
        table.calibration(config),
        table.light(config),
        *table.beside(config),
        table.panel(config, running),
        table.voice(config),
    ]
    return [check for check in found if check is not None]


def as_json(checks: list[Check], words: dict[str, str]) -> dict[str, Any]:
    """For scripts; `words` are the sentences by the names of the checks."""
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
