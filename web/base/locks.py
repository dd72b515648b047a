"""The host's PIN and the tokens for scripts: kept as hashes in one private file, which may be changed beside us."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import threading
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from companion.refusal import Refusal
from companion.table.record.data_folder import put

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILE: Final = "host.json"
PIN_LENGTH: Final = 6
MOST_TOKENS: Final = 20
LONGEST_NAME: Final = 40
COST: Final = 1 << 14


@dataclass(frozen=True, slots=True)
class ScriptToken:
    """A token as it is kept: its hash, and what its owner calls it."""

    id: str
    name: str
    made: str
    hash: str


def new_pin() -> str:
    """A PIN for the host."""
    return "".join(secrets.choice("0123456789") for _ in range(PIN_LENGTH))


def quick_hash(secret: str) -> str:
    """For secrets too long to be guessed."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _slow_hash(secret: str, salt: bytes) -> bytes:
    return hashlib.scrypt(secret.encode(), salt=salt, n=COST, r=8, p=1)


def _today() -> str:
    return time.strftime("%Y-%m-%d")


class Locks:
    """What the file says now: it is read again whenever it has changed."""

    def __init__(self, folder: Path, today: Callable[[], str] = _today) -> None:
        self._path = folder / FILE
        self._today = today
        self._lock = threading.Lock()
        self._seen: tuple[int, int, int] | None = None
        self._salt, self._pin = secrets.token_bytes(16), b""
        self._tokens: tuple[ScriptToken, ...] = ()
        self._broken = False

    @property
    def has_pin(self) -> bool:
        """Whether there is a PIN; without one nobody is the host."""
        with self._lock:
            self._look()
            return bool(self._pin)

    @property
    def mark(self) -> str:
        """Of this PIN: a phone that was let in by another one has another."""
        with self._lock:
            self._look()
            return hashlib.sha256(b"host" + self._salt).hexdigest()[:24] if self._pin else ""

    @property
    def tokens(self) -> tuple[ScriptToken, ...]:
        """Those that are good."""
        with self._lock:
            self._look()
            return self._tokens

    def is_pin(self, pin: str) -> bool:
        """Whether this is the host's PIN."""
        with self._lock:
            self._look()
            salt, kept = self._salt, self._pin
            if self._broken:
                raise Refusal("locks_unreadable", None, f"{self._path.name} cannot be read: `companion pin` mends it.")
        return bool(kept) and hmac.compare_digest(kept, _slow_hash(pin.strip(), salt))

    def set_pin(self, pin: str) -> None:
        """From now on this is the PIN; phones that knew another are no host any longer."""
        salt = secrets.token_bytes(16)
        with self._lock:
            self._look()
            self._keep(salt, _slow_hash(pin.strip(), salt), self._tokens)

    def is_token(self, token: str) -> bool:
        """Whether this is one of the tokens."""
        wanted = quick_hash(token)
        return any(hmac.compare_digest(one.hash, wanted) for one in self.tokens)

    def new_token(self, name: str) -> tuple[ScriptToken, str]:
        """One token more, which nobody can read afterwards."""
        secret = secrets.token_urlsafe(24)
        made = ScriptToken(secrets.token_hex(4), name.strip()[:LONGEST_NAME], self._today(), quick_hash(secret))
        with self._lock:
            self._look()
            if len(self._tokens) >= MOST_TOKENS:
                raise Refusal("too_many_tokens", None, f"There are {MOST_TOKENS} tokens; revoke one first.")
            self._keep(self._salt, self._pin, (*self._tokens, made))
        return made, secret

    def revoke(self, number: str) -> None:
        """That token is good no longer."""
        with self._lock:
            self._look()
            left = tuple(one for one in self._tokens if one.id != number)
            if len(left) == len(self._tokens):
                raise Refusal("no_such_token", None, f"There is no token {number[:20]!r}.", token=number[:20])
            self._keep(self._salt, self._pin, left)

    def _look(self) -> None:
        """Read the file if it is another than before; one that cannot be read opens nothing."""
        try:
            found = self._path.stat()
            seen = (found.st_ino, found.st_mtime_ns, found.st_size)
            if seen == self._seen:
                return
            raw = json.loads(self._path.read_text(encoding="utf-8"))
            self._salt, self._pin = bytes.fromhex(raw["pin"]["salt"]), bytes.fromhex(raw["pin"]["hash"])
            self._tokens = tuple(
                ScriptToken(**{name: str(one[name]) for name in ScriptToken.__slots__}) for one in raw["tokens"]
            )
            self._seen, self._broken = seen, False
        except FileNotFoundError:
            self._pin, self._tokens, self._seen, self._broken = b"", (), None, False
        except (OSError, ValueError, KeyError, TypeError):
            self._pin, self._tokens, self._seen, self._broken = b"", (), None, True

    def _keep(self, salt: bytes, pin: bytes, tokens: tuple[ScriptToken, ...]) -> None:
        whole: dict[str, Any] = {
            "pin": {"salt": salt.hex(), "hash": pin.hex()},
            "tokens": [asdict(token) for token in tokens],
        }
        try:
            put(self._path, (json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode(), private=True)
        except OSError as error:
            raise Refusal("not_recorded", None, f"{self._path.name} cannot be written: {error.strerror}") from error
        self._seen = None
