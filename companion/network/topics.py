"""MQTT topics of a table, whatever its name: what a topic may not hold is escaped as in a URL."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Final
from urllib.parse import unquote

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
