"""TLS of one connection: sealed bytes become plain ones and back, without a socket, so that nobody waits for it."""

from __future__ import annotations

import ssl
from contextlib import suppress
from typing import Final

RECORD: Final = 16 * 1024


class Tls:
    """The server's side of one connection; whoever calls sees to it that no two threads do."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self._sealed, self._to_send = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._sealed, self._to_send, server_side=True)
        self.is_ready = False
        """Whether the handshake is over."""
        self.is_over = False
        """Whether the other side has said that nothing more will come."""
        self.is_closed = False

    def opened(self, data: bytes) -> bytes | None:
        """Return the plain bytes of what has arrived, none while the handshake lasts; None for what is no TLS."""
        self._sealed.write(data)
        pieces: list[bytes] = []
        try:
            if not self.is_ready:
                self._tls.do_handshake()
                self.is_ready = True
            while piece := self._tls.read(RECORD):
                pieces.append(piece)
            self.is_over = True
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLZeroReturnError:
            self.is_over = True
        except ssl.SSLError:
            return None
        return b"".join(pieces)

    def to_send(self) -> bytes:
        """Return what TLS itself has to say: its part of the handshake, or an alert."""
        return self._to_send.read()

    def sealed(self, data: bytes) -> bytes:
        if data:
            self._tls.write(data)
        return self._to_send.read()

    def closed(self) -> bytes:
        """Return the farewell, once: without it an answer's end could be a cut."""
        if self.is_closed or not self.is_ready:
            return b""
        self.is_closed = True
        with suppress(ssl.SSLError):  # it would wait for the other's farewell
            self._tls.unwrap()
        return self._to_send.read()
