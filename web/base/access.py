"""Who may act: one-time codes for seats, the host's PIN, and tokens for scripts. Only hashes are kept."""

from __future__ import annotations

import hmac
import json
import secrets
import threading
from collections import defaultdict, deque
from typing import TYPE_CHECKING, Any, Final

from companion.games.api import COLOURS
from companion.refusal import Refusal
from companion.table.record.data_folder import put
from companion.table.session.intents import HOST, Speaker
from web.base.locks import Locks, quick_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


CODE_LETTERS: Final = "23456789BCDFGHJKMNPQRTVWXZ"  # none that looks like another, none that makes words
CODE_LENGTH: Final = 6
SEATS_FILE: Final = "seats.json"
KEY_FILE: Final = "session.key"
_NOBODY: Final = Speaker()


def session_key(folder: Path) -> bytes:
    """The key that signs cookies: made on the first start, readable by its owner alone."""
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
        """The code that takes this seat next."""
        return self._codes[colour]

    def is_free(self, colour: str) -> bool:
        """Whether no phone holds the seat."""
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
        """Nobody holds the seat any longer."""
        with self._lock:
            self._keep({seat: claim for seat, claim in self._claims.items() if seat != colour})
            self._codes[colour] = _new_code()

    def is_token(self, token: str) -> bool:
        """Whether this is a token that acts for the host."""
        given = self._token is not None and hmac.compare_digest(self._token, quick_hash(token))
        return given or self.locks.is_token(token)

    def speaker(self, cookie: Mapping[str, Any]) -> Speaker:
        """Who a signed cookie speaks for: the seats that it still holds, and the host."""
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
            raw = json.loads(self._path.read_text(encoding="utf-8"))
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


WINDOW: Final = 60.0
TRIES: Final = 5
TRIES_OF_ALL: Final = 30
_ALL: Final = "*"


class Limiter:
    """Remembers the failures of the last minute."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures: defaultdict[str, deque[float]] = defaultdict(deque)

    def wait(self, address: str) -> int:
        """For how many seconds this address has to wait; 0 when it may try."""
        with self._lock:
            return max(self._wait(address, TRIES), self._wait(_ALL, TRIES_OF_ALL))

    def failed(self, address: str) -> None:
        """One more failure."""
        with self._lock:
            now = self._clock()
            for key in (address, _ALL):
                self._failures[key].append(now)

    def _wait(self, key: str, tries: int) -> int:
        since = self._clock() - WINDOW
        failures = self._failures[key]
        while failures and failures[0] <= since:
            failures.popleft()
        if not failures:
            del self._failures[key]
        return int(failures[-tries] - since) + 1 if len(failures) >= tries else 0
