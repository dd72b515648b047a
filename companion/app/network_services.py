"""The services that a table offers its network: its name by mDNS, and its events at a broker."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from companion.app.runtime import LazyService
from companion.network.broker_settings import valid_name
from companion.table.session.intents import DeviceChanged

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.app.config import Config
    from companion.app.runtime import Service
    from companion.network.broker_settings import Mqtt
    from companion.table.session.session import Session


WEB: Final = 80
"""The port that browsers take when an address names none."""


@dataclass(frozen=True, slots=True)
class PageAddress:
    name: str
    port: int
    now_at: Callable[[], str]
    """The address in the network, which may change: a table often starts before its Wi-Fi does."""

    def address(self) -> str:
        return f"http://{self.now_at()}" + ("" if self.port == WEB else f":{self.port}")


def network_services(config: Config, session: Session, folder: Path, place: PageAddress) -> list[LazyService]:
    """Return the services that a configuration asks for."""
    parts: list[LazyService] = []
    if config.announce:
        parts.append(LazyService(lambda: announced(place, session), "name"))
    mqtt = config.mqtt
    if mqtt is not None:
        parts.append(LazyService(lambda: publisher(mqtt, session, folder, place), "broker"))
    return parts


def announced(place: PageAddress, session: Session) -> Service:
    """Return the service that announces the table's name, and tells where another table has it too."""
    from companion.network.mdns import AnnouncedTable  # noqa: PLC0415

    def tell(hint: str) -> None:
        session.put(DeviceChanged("name", "failing" if hint else "ok", hint))

    return AnnouncedTable(place.name, place.port, place.now_at, tell=tell)


def publisher(mqtt: Mqtt, session: Session, folder: Path, place: PageAddress) -> Service:
    """Return the service that publishes to the broker."""
    from companion.network.publisher import Publisher  # noqa: PLC0415
    from companion.network.results import finished  # noqa: PLC0415

    named = replace(mqtt, table=mqtt.table or valid_name(place.name))
    return Publisher(session, named, past=lambda: finished(folder), address=place.address)


HERE: Final = "127.0.0.1"


def own_address() -> str:
    """Return the address by which phones reach this machine; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return _without_a_way_out()
        found = str(probe.getsockname()[0])
    return found if not ipaddress.ip_address(found).is_unspecified else HERE


def _without_a_way_out() -> str:
    """Return the address in a Wi-Fi that this machine has opened: it leads nowhere else, but phones are in it."""
    import ifaddr  # noqa: PLC0415 - only a table without a router asks

    found = [str(ip.ip) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4]
    return next((one for one in found if _is_of_a_network(one)), HERE)


def _is_of_a_network(address: str) -> bool:
    """Return whether phones can be there too: not a loopback address, nor one that a machine gives itself."""
    found = ipaddress.ip_address(address)
    return not (found.is_loopback or found.is_link_local or found.is_unspecified)
