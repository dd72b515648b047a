"""Where this machine is in the home network."""

from __future__ import annotations

import ipaddress
import socket
from typing import Final

HERE: Final = "127.0.0.1"


def own_address() -> str:
    """The address by which phones reach this machine; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return _without_a_way_out()
        found = str(probe.getsockname()[0])
    return found if not ipaddress.ip_address(found).is_unspecified else HERE


def _without_a_way_out() -> str:
    """A Wi-Fi that this machine has opened itself leads nowhere else, and still phones are in it."""
    import ifaddr  # noqa: PLC0415 - only a table without a router asks

    found = [str(ip.ip) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4]
    return next((one for one in found if _is_of_a_network(one)), HERE)


def _is_of_a_network(address: str) -> bool:
    """Whether phones can be there too: not this machine alone, nor an address that a machine gives itself."""
    found = ipaddress.ip_address(address)
    return not (found.is_loopback or found.is_link_local or found.is_unspecified)
