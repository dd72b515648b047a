"""Who may act: one-time codes for seats, the host's PIN, and a token for scripts. Only hashes are kept."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import threading
from typing import TYPE_CHECKING, Any, Final

from companion.games.refusal import Refusal
from companion.games.shelter.words import COLOURS
from companion.table.intents import HOST, Speaker

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

CODE_LETTERS: Final = "23456789BCDFGHJKMNPQRTVWXZ"  # none that looks like another, none that makes words
CODE_LENGTH: Final = 6
PIN_LENGTH: Final = 6
SEATS_FILE: Final = "seats.json"
KEY_FILE: Final = "session.key"
_NOBODY: Final = Speaker()


def session_key(folder: Path) -> bytes:
    """The key that signs cookies: made on the first start, readable by its owner alone."""
    path = folder / KEY_FILE
    if path.exists():
        return path.read_bytes()
    folder.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(secrets.token_bytes(32))
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    return path.read_bytes()


def new_pin() -> str:
    """A PIN for the host."""
    return "".join(secrets.choice("0123456789") for _ in range(PIN_LENGTH))


def _new_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def _quick_hash(secret: str) -> str:
    """For secrets too long to be guessed."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Access:
    """Codes, claims, PIN and token. The codes of seats are only in memory: they are shown, used once and gone."""

    def __init__(self, folder: Path, pin: str, token: str | None = None) -> None:
        self._path = folder / SEATS_FILE
        self._lock = threading.Lock()
        self._salt = secrets.token_bytes(16)
        self._pin = self._slow_hash(pin)
        self._token = _quick_hash(token) if token else None
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
            self._keep({**self._claims, colour: _quick_hash(secret)})
            self._codes[colour] = _new_code()
            return secret

    def release(self, colour: str) -> None:
        """Nobody holds the seat any longer."""
        with self._lock:
            self._keep({seat: claim for seat, claim in self._claims.items() if seat != colour})
            self._codes[colour] = _new_code()

    def is_pin(self, pin: str) -> bool:
        """Whether this is the host's PIN."""
        return hmac.compare_digest(self._pin, self._slow_hash(pin.strip()))

    def is_token(self, token: str) -> bool:
        """Whether this is the token that acts for the host."""
        return self._token is not None and hmac.compare_digest(self._token, _quick_hash(token))

    def speaker(self, cookie: Mapping[str, Any]) -> Speaker:
        """Who a signed cookie speaks for: the seats that it still holds, and the host."""
        held = cookie.get("seats")
        seats = frozenset(
            colour
            for colour, secret in (held.items() if isinstance(held, dict) else ())
            if colour in self._claims and hmac.compare_digest(self._claims[colour], _quick_hash(str(secret)))
        )
        if cookie.get("host") is True:
            return Speaker(seats, host=True, name=HOST.name)
        return Speaker(seats, name="+".join(sorted(seats))) if seats else _NOBODY

    def _slow_hash(self, secret: str) -> bytes:
        return hashlib.scrypt(secret.encode(), salt=self._salt, n=1 << 12, r=8, p=1)

    def _read(self) -> dict[str, str]:
        try:
            raw = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        claims = raw.items() if isinstance(raw, dict) else ()
        return {colour: claim for colour, claim in claims if colour in COLOURS and isinstance(claim, str)}

    def _keep(self, claims: dict[str, str]) -> None:
        fresh = self._path.with_suffix(".new")
        try:
            fresh.write_text(json.dumps(claims), encoding="utf-8")
            fresh.replace(self._path)
        except OSError as error:
            raise Refusal("not_recorded", None, f"{self._path.name} cannot be written: {error.strerror}") from error
        self._claims = claims
