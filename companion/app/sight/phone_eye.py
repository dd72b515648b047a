"""Which phone is the table's camera: one at a time, let in by a code that works once or by the host."""

from __future__ import annotations

import hmac
import json
import secrets
import threading
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from companion.refusal import Refusal
from companion.table.outside import read_file
from companion.table.record.data_folder import put
from hardware.cameras.phone import DEVICE, PictureError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.app.sight.camera_choice import CameraChoice
    from hardware.cameras.phone import PhoneLink

FILE: Final = "eye.json"
"""The hash of what the phone holds: after a restart of the table it goes on by itself."""
CODE_DIGITS: Final = 8


class PairedPhone:
    """Fills the port `PhoneEye`."""

    def __init__(
        self, folder: Path, link: PhoneLink, choice: CameraChoice, look_now: Callable[[], None] = lambda: None
    ) -> None:
        """`look_now` has the table read at once: a photo was taken for that."""
        self._path = folder / FILE
        self._link = link
        self._choice = choice
        self._look_now = look_now
        self._lock = threading.Lock()
        self._code = _new_code()
        self._held = self._read()

    def view(self) -> dict[str, Any]:
        there = self._link.shot is not None
        return {"paired": bool(self._held), "there": there, "used": self._choice.is_looked_through(DEVICE)}

    def code(self) -> str:
        """Return the code by which another phone becomes the camera."""
        return self._code

    def pair(self, code: str) -> str | None:
        """Return what the phone that brings the code holds from now on; None for a wrong code."""
        with self._lock:
            if not hmac.compare_digest(self._code.encode(), code.strip().encode()):
                return None
            self._code = _new_code()
        return self.appoint()

    def appoint(self) -> str:
        """Return what the host's own phone holds from now on; the one before is the camera no more."""
        secret = secrets.token_urlsafe(24)
        self._keep(_hashed(secret))
        self._link.forget()
        return secret

    def dismiss(self) -> None:
        self._keep("")
        self._link.forget()

    def holds(self, secret: object) -> bool:
        """Whether this phone is the camera."""
        return bool(self._held) and isinstance(secret, str) and hmac.compare_digest(self._held, _hashed(secret))

    def take(self, picture: bytes, *, photo: bool = False, moving: bool = False) -> None:
        """Take in a picture; what is none is refused, and the one before stays."""
        try:
            self._link.take(picture, photo=photo, moving=moving)
        except PictureError as error:
            raise Refusal("no_such_picture", None, f"That picture cannot be used. {error}", why=str(error)) from error
        if photo:
            self._look_now()

    def hear(self, *, moving: bool) -> bool:
        """Note how the phone is; return whether it should send a picture at once."""
        return self._link.hear(moving=moving)

    def _read(self) -> str:
        try:
            return str(read_file(self._path)["phone"])
        except (OSError, ValueError, KeyError, TypeError):
            return ""

    def _keep(self, held: str) -> None:
        try:
            put(self._path, (json.dumps({"phone": held}) + "\n").encode(), private=True)
        except OSError as error:
            raise Refusal("not_recorded", None, f"{self._path.name} cannot be written: {error.strerror}") from error
        self._held = held


def _new_code() -> str:
    return "".join(secrets.choice("0123456789") for _ in range(CODE_DIGITS))


def _hashed(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
