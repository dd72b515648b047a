"""The configuration of a table: one TOML file that a person can read, with every fault reported at once."""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from companion.cards.fields import Fields, UnfitError, one_of, text, truth, whole
from companion.cards.source import read_file
from companion.games import registry
from companion.languages import catalogues
from companion.network.broker_settings import mqtt_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.cards.pack import Fault
    from companion.cards.source import Source
    from companion.network.broker_settings import Mqtt

Value = TypeVar("Value")
NAME: Final = "companion.toml"
PROFILE: Final = "profile.json"
PORT: Final = 8000
SECURE_PORT: Final = 8443
HIGHEST_PORT: Final = 65535
MOST_CAMERAS: Final = 63
TABLES: Final = ("table", "camera", "panel", "voice", "mqtt")


class DeviceKind(StrEnum):
    """The kinds of cameras; `auto` takes the Pi's own, else a USB camera."""

    AUTO = "auto"
    PI = "pi"
    USB = "usb"
    RECORDING = "recording"
    STILLS = "stills"
    OFF = "off"


def in_a_language(raw: object) -> str:
    if not isinstance(raw, str) or raw not in catalogues.codes():
        raise UnfitError(f"one of {', '.join(catalogues.codes())}")
    return raw


class ConfigFaults(ValueError):  # noqa: N818 - it carries all of them
    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """Which camera, and what is known of the table below it."""

    kind: DeviceKind = DeviceKind.AUTO
    number: int = 0
    path: Path | None = None
    """The recording, or the folder of stills."""
    profile: Path = Path(PROFILE)


@dataclass(frozen=True, slots=True)
class Config:
    """A table's configuration; paths are relative to the folder of its file."""

    name: str = ""
    port: int = PORT
    secure_port: int = SECURE_PORT
    """Where secure pages are, once the host has switched them on."""
    data: Path | None = None
    language: str = catalogues.DEFAULT
    camera: CameraConfig = field(default_factory=CameraConfig)
    panel: bool = True
    wiring: Path | None = None
    voice: bool = True
    announce: bool = True
    """Whether the table announces its name on the network."""
    own_wifi: bool = False
    """Whether the table opens a Wi-Fi of its own by itself where no network is known."""
    mqtt: Mqtt | None = None
    games: tuple[str, ...] = ()


def load(path: Path) -> Config:
    """Return the configuration in a file."""
    faults: list[Fault] = []
    source = read_file(path, faults)
    config = _read(source, path.parent, faults) if source is not None else Config()
    if faults:
        raise ConfigFaults(faults)
    return config


def found(named: Path | None, data: Path) -> Config:
    """Return the configuration named, else the one in the data folder, else the defaults."""
    if named is not None:
        return load(named)
    usual = data / NAME
    return load(usual) if usual.exists() else replace(Config(), camera=CameraConfig(profile=data / PROFILE))


def _read(source: Source, folder: Path, faults: list[Fault]) -> Config:
    normal = Config()
    top = Fields(source.table(), "configuration", faults)
    tables = {
        name: Fields(source.table(name), f"[{name}]", faults)
        for name in TABLES
        if top.maybe(name, _a_table) is not None
    }
    top.taken |= set(TABLES)
    top.finish()

    def take(name: str, key: str, read: Callable[[object], Value], otherwise: Value) -> Value:
        found = tables[name].maybe(key, read) if name in tables else None
        return otherwise if found is None else found

    def place(raw: object) -> Path:
        return folder / text(raw)

    config = replace(
        normal,
        name=take("table", "name", text, normal.name),
        port=take("table", "port", whole(0, HIGHEST_PORT), normal.port),
        secure_port=take("table", "secure_port", whole(0, HIGHEST_PORT), normal.secure_port),
        data=take("table", "data", place, normal.data),
        language=take("table", "language", in_a_language, normal.language),
        camera=CameraConfig(
            kind=take("camera", "kind", one_of(*DeviceKind), normal.camera.kind),
            number=take("camera", "number", whole(0, MOST_CAMERAS), normal.camera.number),
            path=take("camera", "path", place, normal.camera.path),
            profile=take("camera", "profile", place, folder / normal.camera.profile),
        ),
        panel=take("panel", "on", truth, normal.panel),
        wiring=take("panel", "wiring", place, normal.wiring),
        voice=take("voice", "on", truth, normal.voice),
        announce=take("table", "announce", truth, normal.announce),
        own_wifi=take("table", "own_wifi", truth, normal.own_wifi),
        mqtt=mqtt_of(tables["mqtt"], folder) if "mqtt" in tables else None,
        games=take("table", "games", partial(_added_games, folder), normal.games),
    )
    for fields in tables.values():
        fields.finish()
    if (
        "camera" in tables
        and config.camera.kind in (DeviceKind.RECORDING, DeviceKind.STILLS)
        and config.camera.path is None
    ):
        tables["camera"].fault(tables["camera"].table.line, "no path", 'path = "...", where the pictures are')
    return config


def _added_games(folder: Path, raw: object) -> tuple[str, ...]:
    """Add the games that the file names; their modules are installed, or lie beside the file."""
    if not isinstance(raw, list) or not all(isinstance(place, str) for place in raw):
        raise UnfitError("a list of games, each as module:object")
    beside = str(folder.resolve())
    if beside not in sys.path:
        sys.path.append(beside)
    try:
        return tuple(registry.add(place).name for place in raw)
    except registry.GameFaultError as fault:
        if fault.__cause__ is not None:
            logging.getLogger(__name__).exception("what is named as a game fails")
        raise UnfitError("the module and the object of a game", str(fault)) from fault


def add_games(data: Path) -> None:
    """Add the games of a data folder's configuration, for commands that need no other part of it."""
    with suppress(ConfigFaults):
        found(None, data)


def _a_table(raw: object) -> dict[str, object]:
    if not isinstance(raw, dict):
        raise UnfitError("a table")
    return raw
