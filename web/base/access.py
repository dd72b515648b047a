"""Who may act: the host's PIN, codes for seats, tokens for scripts. Only hashes are kept, in private files."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import threading
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from companion.games.api import COLOURS
from companion.refusal import Refusal
from companion.table.outside import read_file
from companion.table.record.data_folder import put
from companion.table.session.intents import HOST, Speaker
from web.base.limits import too_many_tries

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


FILE: Final = "host.json"
PIN_LENGTH: Final = 6
SHORTEST_PIN, LONGEST_PIN = 4, 12
MOST_TOKENS: Final = 20
LONGEST_NAME: Final = 40
COST: Final = 1 << 14
"""Of scrypt: 16 MB of memory for each hash."""
MOST_HASHES: Final = 2
"""So many at once: a hundred phones that guess together need no more memory than two."""
HASH_PATIENCE: Final = 5.0
_hashing = threading.BoundedSemaphore(MOST_HASHES)


@dataclass(frozen=True, slots=True)
class ScriptToken:
    """A token as it is kept: its hash, and what its owner calls it."""

    id: str
    name: str
    made: str
    hash: str


def new_pin() -> str:
    return "".join(secrets.choice("0123456789") for _ in range(PIN_LENGTH))


def quick_hash(secret: str) -> str:
    """Hash a secret too long to be guessed."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _slow_hash(secret: str, salt: bytes) -> bytes:
    if not _hashing.acquire(timeout=HASH_PATIENCE):
        raise too_many_tries(1)
    try:
        return hashlib.scrypt(secret.encode(), salt=salt, n=COST, r=8, p=1)
    finally:
        _hashing.release()


def _today() -> str:
    return time.strftime("%Y-%m-%d")


class Locks:
    """The PIN and the tokens of the file, which is read again whenever it has changed."""

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
    def is_new(self) -> bool:
        """Whether nobody has ever chosen a PIN here; a file that cannot be read is no such case."""
        with self._lock:
            self._look()
            return not self._pin and not self._broken

    @property
    def mark(self) -> str:
        """A mark of this PIN: a phone that was let in by another one has another."""
        with self._lock:
            self._look()
            return hashlib.sha256(b"host" + self._salt).hexdigest()[:24] if self._pin else ""

    @property
    def tokens(self) -> tuple[ScriptToken, ...]:
        with self._lock:
            self._look()
            return self._tokens

    def is_pin(self, pin: str) -> bool:
        with self._lock:
            self._look()
            salt, kept = self._salt, self._pin
            if self._broken:
                raise Refusal("locks_unreadable", None, f"{self._path.name} cannot be read: `companion pin` mends it.")
        return bool(kept) and hmac.compare_digest(kept, _slow_hash(pin.strip(), salt))

    def set_pin(self, pin: str) -> None:
        """Set the PIN; phones that knew another are no host any longer."""
        self._set(pin.strip(), only_first=False)

    def set_first_pin(self, pin: str) -> None:
        """Set the PIN that a phone chooses for a table that has none yet."""
        wanted = pin.strip()
        if not (wanted.isascii() and wanted.isdigit() and SHORTEST_PIN <= len(wanted) <= LONGEST_PIN):
            raise Refusal("odd_pin", None, f"The PIN has {SHORTEST_PIN} to {LONGEST_PIN} digits.")
        self._set(wanted, only_first=True)

    def _set(self, pin: str, *, only_first: bool) -> None:
        salt = secrets.token_bytes(16)
        with self._lock:
            self._look()
            if only_first and (self._pin or self._broken):
                raise Refusal("pin_is_there", None, "Somebody has chosen the PIN already: ask them for it.")
            self._keep(salt, _slow_hash(pin, salt), self._tokens)

    def is_token(self, token: str) -> bool:
        wanted = quick_hash(token)
        return any(hmac.compare_digest(one.hash, wanted) for one in self.tokens)

    def new_token(self, name: str) -> tuple[ScriptToken, str]:
        """Return one token more, which nobody can read afterwards."""
        secret = secrets.token_urlsafe(24)
        made = ScriptToken(secrets.token_hex(4), name.strip()[:LONGEST_NAME], self._today(), quick_hash(secret))
        with self._lock:
            self._look()
            if len(self._tokens) >= MOST_TOKENS:
                raise Refusal("too_many_tokens", None, f"There are {MOST_TOKENS} tokens; revoke one first.")
            self._keep(self._salt, self._pin, (*self._tokens, made))
        return made, secret

    def revoke(self, number: str) -> None:
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
            raw = read_file(self._path)
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


CODE_LETTERS: Final = "23456789BCDFGHJKMNPQRTVWXZ"  # none that looks like another, none that makes words
CODE_LENGTH: Final = 6
SEATS_FILE: Final = "seats.json"
KEY_FILE: Final = "session.key"
_NOBODY: Final = Speaker()


def session_key(folder: Path) -> bytes:
    """Return the key that signs cookies: made on the first start, readable by its owner alone."""
    path = folder / KEY_FILE
    if not path.exists():
        put(path, secrets.token_bytes(32), private=True)
    return path.read_bytes()


def _new_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


class Access:
    """Codes, claims and locks. The codes of seats are only in memory: they are shown, used once and gone.

    A PIN that is given is kept from now on; without one it is the kept one's.
    """

    def __init__(self, folder: Path, pin: str | None = None, token: str | None = None) -> None:
        self._path = folder / SEATS_FILE
        self._lock = threading.Lock()
        self.locks = Locks(folder)
        if pin is not None:
            self.locks.set_pin(pin)
        self._token = quick_hash(token) if token else None
        self._codes = {colour: _new_code() for colour in COLOURS}
        self._claims = self._read()

    def code(self, colour: str) -> str:
        return self._codes[colour]

    def is_free(self, colour: str) -> bool:
        return colour not in self._claims

    def claim(self, colour: str, code: str) -> str | None:
        """The secret of whoever holds the seat from now on, or None for a wrong code; a code works once."""
        with self._lock:
            if not hmac.compare_digest(self._codes[colour].encode(), code.strip().upper().encode()):
                return None
            secret = secrets.token_urlsafe(24)
            self._keep({**self._claims, colour: quick_hash(secret)})
            self._codes[colour] = _new_code()
            return secret

    def release(self, colour: str) -> None:
        with self._lock:
            self._keep({seat: claim for seat, claim in self._claims.items() if seat != colour})
            self._codes[colour] = _new_code()

    def is_token(self, token: str) -> bool:
        """Whether this is a token that acts for the host."""
        given = self._token is not None and hmac.compare_digest(self._token, quick_hash(token))
        return given or self.locks.is_token(token)

    def speaker(self, cookie: Mapping[str, Any]) -> Speaker:
        """Return whom a signed cookie speaks for: the seats that it still holds, and the host."""
        held = cookie.get("seats")
        seats = frozenset(
            colour
            for colour, secret in (held.items() if isinstance(held, dict) else ())
            if colour in self._claims and hmac.compare_digest(self._claims[colour], quick_hash(str(secret)))
        )
        mark = self.locks.mark
        if mark and hmac.compare_digest(mark.encode(), str(cookie.get("host")).encode()):
            return Speaker(seats, host=True, name=HOST.name)
        return Speaker(seats, name="+".join(sorted(seats))) if seats else _NOBODY

    def _read(self) -> dict[str, str]:
        try:
            raw = read_file(self._path)
        except (OSError, ValueError):
            return {}
        claims = raw.items() if isinstance(raw, dict) else ()
        return {colour: claim for colour, claim in claims if colour in COLOURS and isinstance(claim, str)}

    def _keep(self, claims: dict[str, str]) -> None:
        try:
            put(self._path, json.dumps(claims).encode(), private=True)
        except OSError as error:
            raise Refusal("not_recorded", None, f"{self._path.name} cannot be written: {error.strerror}") from error
        self._claims = claims
