"""The settings of the broker (the table `[mqtt]` of the configuration), and the topics of a table."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from companion.cards.fields import UnfitError, text, truth

if TYPE_CHECKING:
    from companion.cards.fields import Fields


ROOT: Final = "companion"
STATE: Final = "state"
EVENT: Final = "event"
AVAILABILITY: Final = "availability"
COMMAND: Final = "command"
ANSWER: Final = "answer"
RESULTS: Final = "results"
ONLINE: Final = "online"
OFFLINE: Final = "offline"
LONGEST_NAME: Final = 64

_ESCAPED: Final = re.compile(r"[/+#%]|^\$")
_PLAIN: Final = re.compile(r"[a-zA-Z0-9_-]+")


def is_name(name: str) -> bool:
    """Return whether this can be a table's name: readable, and not too long."""
    return 0 < len(name) <= LONGEST_NAME and name.isprintable() and name == name.strip()


def valid_name(name: str) -> str:
    """Return a valid name for a table, made from any other."""
    shown = "".join(sign for sign in name if sign.isprintable()).strip()
    return shown[:LONGEST_NAME].strip() or "table"


def segment(table: str) -> str:
    """Return a table's part of a topic: its name, with the signs that mean something to a broker escaped."""
    return _ESCAPED.sub(lambda found: f"%{ord(found[0]):02X}", table)


def topic(table: str, what: str) -> str:
    return f"{ROOT}/{segment(table)}/{what}"


def table_of(heard: str) -> tuple[str, str] | None:
    """Return a topic's table and the rest; None for a topic that is none of ours."""
    parts = heard.split("/")
    if len(parts) != 3 or parts[0] != ROOT:  # noqa: PLR2004 - root, table, what
        return None
    name = unquote(parts[1], errors="strict") if _decodes(parts[1]) else ""
    return (name, parts[2]) if is_name(name) and segment(name) == parts[1] else None


def _decodes(part: str) -> bool:
    try:
        unquote(part, errors="strict")
    except UnicodeDecodeError:
        return False
    return True


def node(table: str) -> str:
    """Return a table's name for programs that take letters, digits, `_` and `-` alone; no two tables share one."""
    if _PLAIN.fullmatch(table):
        return table
    plain = re.sub(r"[^a-zA-Z0-9_-]+", "-", table).strip("-")
    return f"{plain}-{hashlib.sha256(table.encode()).hexdigest()[:8]}".lstrip("-")


LONGEST_LABEL: Final = 63


def label(name: str) -> str:
    """Return a name as it can stand before `.local`: letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_LABEL].rstrip("-") or "table"


PORTS: Final = {"mqtt": 1883, "mqtts": 8883}
DISCOVERY: Final = "homeassistant"
URL_LIKE: Final = 'url = "mqtt://broker.local" or "mqtts://broker.local:8883"'


class SettingsError(Exception):
    """Settings that cannot be used; `faults` are all of them, one a line."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Broker:
    """Address and login of the broker. The password never shows, not even by mistake."""

    host: str
    port: int = PORTS["mqtt"]
    tls: bool = False
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    ca: Path | None = None

    def __str__(self) -> str:
        return f"{'mqtts' if self.tls else 'mqtt'}://{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Mqtt:
    """What a table does at its broker."""

    broker: Broker
    table: str
    """Its name there; empty in a configuration: the table's own."""
    allow_commands: bool = False
    discovery: str = DISCOVERY
    """The prefix under which Home Assistant looks for devices; empty: none are announced."""


def mqtt_of(fields: Fields, folder: Path) -> Mqtt | None:
    """Return the settings in the fields of `[mqtt]`; paths begin in `folder`. What is wrong is in the faults."""
    url = _unquoted(fields, "url", URL_LIKE)
    username = fields.maybe("username", text)
    password = _unquoted(fields, "password", 'password = "...", or password_file')
    files = {name: fields.maybe(name, text) for name in ("password_file", "ca")}
    table = fields.maybe("table", _name)
    prefix = fields.maybe("discovery", _prefix)
    allowed = fields.maybe("allow_commands", truth)
    if url is None:
        if "url" not in fields.table.fields:
            fields.fault(fields.table.line, "no url", URL_LIKE)
        return None
    paths = {name: folder / Path(file).expanduser() for name, file in files.items() if file is not None}
    try:
        found = broker(url, username=username, password=password, **paths)
    except SettingsError as error:
        for fault in error.faults:
            fields.fault(fields.table.line, fault, URL_LIKE)
        return None
    return Mqtt(found, table or "", bool(allowed), DISCOVERY if prefix is None else prefix)


def _unquoted(fields: Fields, key: str, expected: str) -> str | None:
    """Return a text that may hold a secret: no fault quotes it."""
    fields.taken.add(key)
    found = fields.table.fields.get(key)
    if found is None:
        return None
    if not isinstance(found.raw, str) or not found.raw.isprintable() or not found.raw:
        fields.fault(found.line, f"{key} = something else", expected)
        return None
    return found.raw


def _name(raw: object) -> str:
    if not isinstance(raw, str) or not is_name(raw):
        raise UnfitError(f"a name of 1 to {LONGEST_NAME} printable characters")
    return raw


def _prefix(raw: object) -> str:
    if not isinstance(raw, str) or not raw.isprintable() or any(sign in raw for sign in "+#"):
        raise UnfitError('a prefix like "homeassistant"; "" announces nothing')
    return raw.strip("/")


def broker(
    url: str,
    *,
    username: str | None = None,
    password: str | None = None,
    password_file: Path | None = None,
    ca: Path | None = None,
) -> Broker:
    """Return a broker from its URL and the fields beside it, which take precedence."""
    faults: list[str] = []
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise SettingsError(["a url that is no address"]) from None
    if parts.scheme not in PORTS or not host or parts.path not in ("", "/") or parts.query or parts.fragment:
        faults.append("a url that is no broker's")
    if password_file is not None:
        password = _secret(password_file, faults)
    if ca is not None:
        _verify(ca, faults)
        if parts.scheme == "mqtt":
            faults.append("a ca beside a url that is not encrypted (mqtts://)")
    if faults:
        raise SettingsError(faults)
    name = username if username is not None else unquote(parts.username) if parts.username else None
    secret = password if password is not None else unquote(parts.password) if parts.password else None
    return Broker(host, port or PORTS[parts.scheme], parts.scheme == "mqtts", name, secret, ca)


def _secret(path: Path, faults: list[str]) -> str | None:
    try:
        return path.read_text(encoding="utf-8").removesuffix("\n")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        faults.append(f"a password_file {path.name} that cannot be read ({why})")
        return None


def _verify(path: Path, faults: list[str]) -> None:
    import ssl  # noqa: PLC0415 - few tables have such a file, and every start would wait for it

    try:
        ssl.create_default_context(cafile=path)
    except (OSError, ssl.SSLError) as error:
        faults.append(f"a ca {path.name} that cannot be used ({error.strerror or 'it holds no certificate'})")
