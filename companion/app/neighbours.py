"""What a table says to the house around it: its name in the network, and to a broker what happens."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from companion.network.topics import fitting

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.app.config import Config
    from companion.app.evening import Part
    from companion.network.settings import Mqtt
    from companion.table.session.session import Session

WEB: Final = 80
"""The port that browsers take when an address names none."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the table's pages are."""

    name: str
    port: int
    now_at: Callable[[], str]
    """The address in the network, which may change: a table often starts before its Wi-Fi does."""

    def address(self) -> str:
        """What phones are told now."""
        return f"http://{self.now_at()}" + ("" if self.port == WEB else f":{self.port}")


class Later:
    """A part that is made, and what it needs loaded, when it starts: nobody waits for it before the first page."""

    def __init__(self, make: Callable[[], Part]) -> None:
        self._make = make
        self.part: Part | None = None

    def start(self) -> None:
        """Make it, and begin."""
        self.part = self._make()
        self.part.start()

    def close(self) -> None:
        """End what has begun."""
        if self.part is not None:
            self.part.close()


def neighbours(config: Config, session: Session, folder: Path, place: Place) -> list[Part]:
    """The parts that a configuration asks for."""
    parts: list[Part] = []
    if config.announce:
        parts.append(Later(lambda: announced(place)))
    mqtt = config.mqtt
    if mqtt is not None:
        parts.append(Later(lambda: publisher(mqtt, session, folder, place)))
    return parts


def announced(place: Place) -> Part:
    """The name in the network."""
    from companion.network.mdns import Announced  # noqa: PLC0415

    return Announced(place.name, place.port, place.now_at)


def publisher(mqtt: Mqtt, session: Session, folder: Path, place: Place) -> Part:
    """What the broker is told."""
    from companion.network.publisher import Publisher  # noqa: PLC0415
    from companion.network.results import finished  # noqa: PLC0415

    named = replace(mqtt, table=mqtt.table or fitting(place.name))
    return Publisher(session, named, past=lambda: finished(folder), address=place.address)
