"""One file for a bug report: what was played, what is installed, what the log says. Nothing that opens a seat."""

from __future__ import annotations

import json
import logging
import platform
import re
import tomllib
import zipfile
from importlib.metadata import distributions
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.app.config import Kind
from companion.app.devices import opened
from companion.app.doctor.machine import output
from companion.table.ports import DeviceError
from companion.table.record.export import as_journal
from companion.table.record.verify import inspect

if TYPE_CHECKING:
    from companion.app.config import Config

SERVICE: Final = "table-companion"
LINES: Final = "2000"
SETTINGS: Final = ("companion.toml", "settings.toml", "profile.json")
NO_PICTURE: Final = "no picture: the camera gives none here (a running table has it: /host shows it)"
SECRET: Final = re.compile("pass|user|token|secret|key|url|pin|code", re.IGNORECASE)


def bundle(target: Path, config: Config, checks: dict[str, Any], *, traces: str = "", pictures: bool) -> list[str]:
    """Write the file; what it holds, in words, and what could not be had. `traces` are of checks that failed."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("checks.json", json.dumps(checks, ensure_ascii=False, indent=1))
        if traces:
            file.writestr("traces.txt", traces)
        file.writestr("versions.txt", versions())
        found = inspect(config.data or Path())
        for game, entries in found.games.items():
            file.writestr(f"games/{game}.jsonl", as_journal(entries))
        file.writestr("damage.txt", "\n".join(map(str, found.damage)))
        for name in SETTINGS:
            path = (config.data or Path()) / name
            if path.is_file():
                file.writestr(name, without_secrets(path))
        log = output("journalctl", f"--namespace={SERVICE}", "--no-pager", "--lines", LINES, "--unit", SERVICE)
        if log:
            file.writestr("log.txt", log)
        told = [
            f"{len(found.games)} games",
            "the versions",
            "these checks",
            "the log" if log else "no log: there is none",
        ]
        if pictures:
            picture = _picture(config)
            told.append("what the camera sees" if picture else NO_PICTURE)
            if picture is not None:
                file.writestr("camera.jpg", picture)
        return told


def versions() -> str:
    """The machine, its Python, and every package beside the companion."""
    packages = sorted({f"{one.metadata['Name']} {one.version}" for one in distributions()}, key=str.lower)
    return "\n".join([platform.platform(), f"Python {platform.python_version()}", *packages, ""])


def without_secrets(path: Path) -> str:
    """A file of settings as JSON, without what opens anything: a key that sounds like it has its value taken out."""
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        found = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except ValueError as error:
        return f"This file cannot be read: {error}"
    return json.dumps(_cleared(found), ensure_ascii=False, indent=1)


def _cleared(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: "(taken out)" if SECRET.search(key) else _cleared(inner) for key, inner in value.items()}
    return [_cleared(inner) for inner in value] if isinstance(value, list) else value


def _picture(config: Config) -> bytes | None:
    """What the camera sees now, unless the running table has it."""
    from companion.app.seeing import encoded  # noqa: PLC0415 - OpenCV is loaded late

    if config.camera.kind is Kind.OFF:
        return None
    try:
        camera = opened(config.camera)
        try:
            with camera.frame(full=True) as frame:
                return encoded(frame.image)
        finally:
            camera.close()
    except DeviceError:
        return None
    except Exception:  # a broken camera is what the bundle is written for
        logging.getLogger(__name__).exception("the camera fails in a way that is not known")
        return None
