"""What a table says to the house around it: its name in the network, and to a broker what happens."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.network.topics import fitting

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.bootstrap.config import Config
    from companion.bootstrap.evening import Part
    from companion.table.session import Session


@dataclass(frozen=True, slots=True)
class Place:
    """Where the table's pages are."""

    name: str
    port: int
    address: str
    now_at: Callable[[], str]
    """The address in the network, which may change."""


def neighbours(config: Config, session: Session, folder: Path, place: Place) -> list[Part]:
    """The parts that a configuration asks for; what they need is loaded with them alone."""
    parts: list[Part] = []
    if config.announce:
        from companion.network.mdns import Announced  # noqa: PLC0415

        parts.append(Announced(place.name, place.port, place.now_at))
    if config.mqtt is not None:
        from companion.network.publisher import Publisher  # noqa: PLC0415
        from companion.network.results import finished  # noqa: PLC0415

        mqtt = replace(config.mqtt, table=config.mqtt.table or fitting(place.name))
        parts.append(Publisher(session, mqtt, past=lambda: finished(folder), address=place.address))
    return parts
