"""mDNS: a table announces its name and address on the network, and others find it."""

from __future__ import annotations

import ipaddress
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from zeroconf import DNSQuestionType, IPVersion, ServiceBrowser, ServiceInfo, ServiceListener, Zeroconf
from zeroconf import Error as ZeroconfError

from companion.network.broker_settings import LONGEST_LABEL, label
from companion.network.link import OnceLog
from companion.table.ports import Hint

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

KIND: Final = "_http._tcp.local."
MARK: Final = ("app", "table-companion")
"""What tells a companion from other web servers."""
ANSWER_WITHIN: Final = 3000
EVERY: Final = 5.0
"""Seconds between two looks at the own address: a phone that has just come along into another Wi-Fi asks at once."""
NAME_TAKEN: Final = (
    "Another table in this network is called {name} too, so {host} may lead to either: "
    "give one of them another name on the page /host/machine. The codes lead to the right one."
)
HTTP: Final = 80


@dataclass(frozen=True, slots=True, order=True)
class FoundTable:
    name: str
    address: str
    host: str

    def as_json(self) -> dict[str, str]:
        return {"name": self.name, "address": self.address, "host": self.host}


class AnnouncedTable:
    """Announces a table from `start` to `close`, whatever address the network gives it meanwhile."""

    def __init__(
        self,
        name: str,
        port: int,
        address: Callable[[], str],
        *,
        tell: Callable[[str], object] = str,
        interfaces: Sequence[str] = (),
        every: float = EVERY,
    ) -> None:
        """`tell` hears what people should know of the name: nothing, while it is this table's alone."""
        self.host = f"{label(name)}.local"
        self._name = name
        self._port = port
        self._address = address
        self._interfaces = interfaces
        self._every = every
        self._tell = tell
        self._said = ""
        self._trouble = OnceLog(matter="mDNS")
        self._zeroconf: Zeroconf | None = None
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="announced", daemon=True)

    def start(self) -> None:
        """Begin; nobody waits for it."""
        self._thread.start()

    def close(self) -> None:
        """Withdraw the announcement."""
        self._ending.set()
        self._thread.join()

    def _run(self) -> None:
        """Announce the table once there is a network, and again with each new address."""
        while True:
            try:
                self._say_if_new(self._address())
            except Exception as error:  # noqa: BLE001 - whatever library or network raise, phones have the address
                self._hush()
                why = str(error) if isinstance(error, OSError | ZeroconfError) else f"{type(error).__name__}: {error}"
                self._trouble.say("name", f"the table cannot say its name ({why}); the QR code works all the same")
            if self._ending.wait(self._every):
                return self._hush()

    def _say_if_new(self, address: str) -> None:
        if address == self._said or (not self._interfaces and ipaddress.ip_address(address).is_loopback):
            return
        self._hush()
        self._zeroconf = _responder(self._interfaces)
        info = self._info(address)
        wanted = info.name
        self._zeroconf.register_service(info, allow_name_change=True)
        self._said = address
        self._tell("" if info.name == wanted else Hint("name_taken", NAME_TAKEN, name=self._name, host=self.host))
        self._trouble.settled("name")

    def _info(self, address: str) -> ServiceInfo:
        return ServiceInfo(
            KIND,
            f"{_instance(self._name)}.{KIND}",
            addresses=[ipaddress.ip_address(address).packed],
            port=self._port,
            properties=dict([MARK, ("path", "/")]),
            server=f"{self.host}.",
        )

    def _hush(self) -> None:
        self._said = ""
        zeroconf, self._zeroconf = self._zeroconf, None
        if zeroconf is not None:
            with suppress(Exception):  # what cannot say goodbye is forgotten by the network after a while
                zeroconf.close()


def find(seconds: float, interfaces: Sequence[str] = ()) -> list[FoundTable]:
    """Return the tables that answer within some seconds."""
    zeroconf = _responder(interfaces)
    try:
        heard = _Heard()
        # Always asked aloud: on a machine with another responder, an answer to us alone would be heard by that one.
        browser = ServiceBrowser(zeroconf, KIND, heard, question_type=DNSQuestionType.QM)
        threading.Event().wait(seconds)
        browser.cancel()
        aloud = DNSQuestionType.QM
        infos = [zeroconf.get_service_info(KIND, name, ANSWER_WITHIN, aloud) for name in sorted(heard.names)]
        return sorted(found for info in infos if info is not None for found in _found(info))
    finally:
        zeroconf.close()


class _Heard(ServiceListener):
    """Collects names of services; what they mean is asked afterwards."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def add_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        del zc, type_
        self.names.add(name)

    def update_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        self.add_service(zc, type_, name)

    def remove_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        del zc, type_
        self.names.discard(name)


def _found(info: ServiceInfo) -> list[FoundTable]:
    if info.decoded_properties.get(MARK[0]) != MARK[1]:
        return []
    addresses = info.parsed_addresses(IPVersion.V4Only)
    port = "" if info.port == HTTP else f":{info.port}"
    host = f"http://{str(info.server).rstrip('.')}{port}"
    return [FoundTable(_printable(info.get_name()), f"http://{address}{port}", host) for address in addresses[:1]]


def _printable(name: str) -> str:
    return "".join(sign for sign in name if sign.isprintable())


def _instance(name: str) -> str:
    """Return a name fit for a service: without dots, which would end it, and not too long."""
    short = _printable(name).replace(".", " ").strip() or "Table"
    while len(short.encode()) > LONGEST_LABEL:
        short = short[:-1]
    return short


def _responder(interfaces: Sequence[str]) -> Zeroconf:
    if interfaces:
        return Zeroconf(interfaces=list(interfaces), ip_version=IPVersion.V4Only)
    return Zeroconf(ip_version=IPVersion.V4Only)
