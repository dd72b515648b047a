"""Secure pages beside the plain ones: the table's own authority, its certificate, kept fresh, and the second port."""

from __future__ import annotations

import json
import logging
import threading
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from ipaddress import ip_address, ip_interface, ip_network
from typing import TYPE_CHECKING, Any, Final

from companion.app.authority import DAY, certificate_in, new_authority, new_leaf
from companion.app.machine import NOBODY_HAS_SET_IT
from companion.app.machine import run as run_program
from companion.network.broker_settings import label
from companion.refusal import Refusal
from companion.table.outside import read_file
from companion.table.ports import Check, Health, Hint, as_json, fail, note, ok
from companion.table.record.data_folder import put

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from web.server.server import Door, Server

FOLDER: Final = "secure"
STATE, AUTHORITY, LEAF = "secure.json", "authority.pem", "table.pem"
OWN_WIFI: Final = "10.42.0.0/24"
"""The network of a Wi-Fi that NetworkManager opens for the table."""
RENEWED_BEFORE: Final = 270 * DAY
EVERY: Final = 60.0
"""Seconds between looks at the date and the address."""
LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SecureState:
    """What is kept beside authority and certificate: whether they are used, and what each is for."""

    on: bool = False
    names: tuple[str, ...] = ()
    """What the authority may vouch for."""
    networks: tuple[str, ...] = ()
    vouched: tuple[str, ...] = ()
    """What the certificate is for, names and addresses."""
    since: float = 0.0
    until: float = 0.0
    """When the certificate ends."""

    def reaches(self, address: str) -> bool:
        """Whether the authority may vouch for an address."""
        return any(ip_address(address) in ip_network(network) for network in self.networks)


def state_in(folder: Path) -> SecureState:
    """Return what is kept in a table's folder; raise ValueError where it cannot be read."""
    try:
        raw = read_file(folder / FOLDER / STATE)
        lists = {name: tuple(map(str, raw[name])) for name in ("names", "networks", "vouched")}
        return SecureState(on=bool(raw["on"]), since=float(raw["since"]), until=float(raw["until"]), **lists)
    except FileNotFoundError:
        return SecureState()
    except (OSError, KeyError, TypeError) as error:
        raise ValueError(str(error)) from error


def networks_here() -> list[str]:
    """Return the networks that this machine is in, without its own loopback."""
    import ifaddr  # noqa: PLC0415 - only secure pages ask

    found = [
        ip_interface(f"{ip.ip}/{ip.network_prefix}") for one in ifaddr.get_adapters() for ip in one.ips if ip.is_IPv4
    ]
    return sorted({str(one.network) for one in found if not (one.ip.is_loopback or one.ip.is_link_local)})


class SecurePages:
    """Fills the port `Secure`, and keeps the certificate fresh on a thread of its own while they are on."""

    def __init__(  # noqa: PLR0913 - where it is, and what tests put in the machine's place
        self,
        folder: Path,
        name: str,
        port: int,
        now_at: Callable[[], str],
        *,
        clock: Callable[[], float] = time.time,
        run: Callable[..., Any] = run_program,
        networks: Callable[[], Sequence[str]] = networks_here,
    ) -> None:
        """`name` is the machine's; `now_at` returns its address in the network now."""
        self._folder = folder
        self._home = folder / FOLDER
        self._names = tuple(dict.fromkeys((f"{label(name)}.local", label(name))))
        self._port = port
        self._now_at = now_at
        self._clock = clock
        self._run = run
        self._networks = networks
        self._lock = threading.RLock()
        self._server: Server | None = None
        self._door: Door | None = None
        self._why: Hint | None = None
        """What stands in the way of pages that should be there."""
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="secure", daemon=True)

    # --- a service ----------------------------------------------------------------------------------------------------

    def serve_with(self, server: Server) -> None:
        """Name the server whose loop serves secure pages too."""
        self._server = server

    def start(self) -> None:
        self._check()
        self._thread.start()

    def close(self) -> None:
        self._ended.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(EVERY):
            self._check()

    # --- the page -----------------------------------------------------------------------------------------------------

    def view(self) -> dict[str, Any]:
        with self._lock:
            try:
                state, notes = self._state(), self._notes()
            except Refusal as refusal:
                state, notes = SecureState(), [Hint(refusal.code, refusal.message)]
            return {
                "on": state.on,
                "address": self.address(),
                "names": list(state.names),
                "until": _day(state.until) if state.until else "",
                "print": self._fingerprint() if state.on else "",
                "notes": [as_json(hint) for hint in notes],
            }

    def _notes(self) -> list[Hint]:
        """Return what is to be known of pages that are on."""
        state, here, notes = self._state(), self._now_at(), []
        if not state.on:
            return []
        if self._why is not None:
            notes.append(self._why)
        if not state.reaches(here) and not ip_address(here).is_loopback:
            moved = "The table is in another network than before: phones trust {name} alone here."
            notes.append(Hint("secure_moved", moved, name=state.names[0]))
        if self._names != state.names:
            renamed = "The table is called {name} now, and phones trust {before}: begin anew."
            notes.append(Hint("secure_renamed", renamed, name=self._names[0], before=state.names[0]))
        return notes

    def address(self) -> str:
        """Return where secure pages are now; empty while there are none."""
        with self._lock:
            if self._door is None:
                return ""
            here, state = self._now_at(), self._state()
            name = here if here in state.vouched else state.names[0]
            return f"https://{name}:{self._door.listening.getsockname()[1]}"

    def authority(self) -> bytes:
        """Return what phones install: the certificate of the authority, as PEM."""
        try:
            return certificate_in((self._home / AUTHORITY).read_bytes()).encode()
        except (OSError, ValueError) as error:
            raise Refusal("no_secure_pages", None, "There are no secure pages: the host switches them on.") from error

    def act(self, do: str) -> None:
        """Switch on or off, or begin anew with another authority, which every phone has to install again."""
        with self._lock:
            match do:
                case "on":
                    self._keep(replace(self._made(self._state()), on=True))
                    self._open()
                case "off":
                    self._keep(replace(self._state(), on=False))
                    self._shut()
                case "anew":
                    self._keep(replace(self._made(SecureState()), on=True))
                    self._shut()
                    self._open()
                case _:
                    raise Refusal("malformed", None, "do is on, off or anew.", field="do")
            self._why = None

    # --- what is made -------------------------------------------------------------------------------------------------

    def _made(self, state: SecureState) -> SecureState:
        """Return the state with an authority and a certificate that is good now, made where they are not."""
        now = self._clock()
        if now < NOBODY_HAS_SET_IT:
            raise Refusal("clock_unset", None, "The clock was never set: connect a network first, or set the clock.")
        if not state.networks or not (self._home / AUTHORITY).exists():
            networks = tuple(dict.fromkeys((*self._networks(), OWN_WIFI)))
            made = new_authority(f"Table companion {self._names[-1]}", self._names, networks, now=now, run=self._run)
            self._write(AUTHORITY, made.pem)
            state = replace(state, names=self._names, networks=networks, until=0.0)
        if not self._is_good(state):
            names, addresses = self._wanted(state)
            leaf = new_leaf((self._home / AUTHORITY).read_bytes(), names, addresses, now=now, run=self._run)
            self._write(LEAF, leaf.pem)
            state = replace(state, vouched=(*names, *addresses), since=now, until=leaf.until)
            if self._door is not None:
                self._door.context = self._context()
        return state

    def _wanted(self, state: SecureState) -> tuple[list[str], list[str]]:
        """Return the names and addresses that phones use, as far as the authority may vouch for them."""
        here = {self._now_at(), str(ip_network(OWN_WIFI)[1])}
        return list(state.names), sorted(address for address in here if state.reaches(address))

    def _is_good(self, state: SecureState) -> bool:
        """Whether the certificate lasts and is for all that it could be for. A clock that went back renews nothing."""
        names, addresses = self._wanted(state)
        lasts = self._clock() < state.until - RENEWED_BEFORE
        return lasts and {*names, *addresses} <= set(state.vouched) and (self._home / LEAF).exists()

    def _check(self) -> None:
        """Renew what is due, and open the port if it should be; what stands in the way is told on the page."""
        with self._lock:
            try:
                state = self._state()
                if not state.on:
                    return
                if not self._is_good(state):
                    self._keep(self._made(state))
                if self._door is None:
                    self._open()
                self._why = None
            except Refusal as refusal:
                self._fails(refusal.message)
            except Exception as error:
                LOG.exception("secure pages fail in a way that is not known")
                self._fails(f"{type(error).__name__}: {error}")

    def _fails(self, why: str) -> None:
        hint = Hint("secure_absent", "Secure pages are not there: {why}", why=why)
        if self._why != hint:
            LOG.warning("%s", hint)
        self._why = hint

    # --- the door -----------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        from web.base.serving import bound  # noqa: PLC0415
        from web.server.server import Door  # noqa: PLC0415

        if self._door is not None or self._server is None:
            return
        context = self._context()
        try:
            listening = bound(self._port)
        except OSError as error:
            told = f"Port {self._port} is in use by another program: name another as secure_port in companion.toml."
            raise Refusal("secure_port_taken", None, told, why=str(self._port)) from error
        self._door = Door(listening, context)
        self._server.open_door(self._door)

    def _shut(self) -> None:
        if self._door is not None and self._server is not None:
            self._server.close_door(self._door)
        self._door = None

    def _context(self) -> ssl.SSLContext:
        import ssl  # noqa: PLC0415 - only secure pages wait for what it loads

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.options |= ssl.OP_NO_RENEGOTIATION
        context.set_alpn_protocols(["http/1.1"])
        try:
            context.load_cert_chain(self._home / LEAF)
        except (OSError, ssl.SSLError) as error:
            told = "The certificate cannot be read: begin anew on the page /secure."
            raise Refusal("secure_unreadable", None, told) from error
        return context

    # --- files --------------------------------------------------------------------------------------------------------

    def _state(self) -> SecureState:
        try:
            return state_in(self._folder)
        except ValueError as error:
            told = "What is kept of secure pages cannot be read: begin anew on the page /secure."
            raise Refusal("secure_unreadable", None, told) from error

    def _keep(self, state: SecureState) -> None:
        self._write(STATE, (json.dumps(asdict(state), indent=1) + "\n").encode())

    def _write(self, name: str, data: bytes) -> None:
        try:
            self._home.mkdir(mode=0o700, parents=True, exist_ok=True)
            put(self._home / name, data, private=True)
        except OSError as error:
            raise Refusal("not_recorded", None, f"{name} cannot be written: {error.strerror}") from error

    def _fingerprint(self) -> str:
        import ssl  # noqa: PLC0415

        with suppress(Refusal, ValueError):
            mark = sha256(ssl.PEM_cert_to_DER_cert(self.authority().decode())).hexdigest().upper()
            return ":".join(mark[at : at + 2] for at in range(0, 16, 2))
        return ""


def secure_check(folder: Path, *, now: float | None = None) -> Check | None:
    """Check secure pages by what is kept of them; a table without them misses nothing."""
    try:
        state = state_in(folder)
    except ValueError as error:
        return note("secure", "unreadable", why=str(error))
    if not state.on:
        return Check("secure", Health.OK, "secure_off")
    until = _day(state.until)
    if (time.time() if now is None else now) >= state.until:
        return fail("secure", "over", needed=False, until=until)
    return ok("secure", until=until, name=state.names[0])


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(at))
