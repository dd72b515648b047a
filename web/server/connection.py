"""One connection: what arrives is parsed, a worker answers, and what cannot be sent yet waits in a bounded buffer."""

from __future__ import annotations

import logging
import socket
import threading
import time
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ, EVENT_WRITE
from typing import TYPE_CHECKING, Final

from waitress.buffers import ReadOnlyFileBasedBuffer
from waitress.channel import ClientDisconnected
from waitress.utilities import InternalServerError

from web.server.answers import ErrorAnswer, HttpRequest, PageAnswer, Phase, TooSlowError
from web.server.threads import contained

if TYPE_CHECKING:
    from web.server.answers import Lasting
    from web.server.server import Server
    from web.server.tls import Tls

RECEIVED: Final = 8 * 1024
"""Bytes that are read at once, and that may arrive ahead of the answer before: to parse them takes no 5 ms at worst."""
FROM_FILE: Final = 64 * 1024
UNSENT: Final = 256 * 1024
"""Bytes of an answer that wait for a slow reader; the worker that makes more waits with them."""
PIECES: Final = 4
"""Pieces of an answer that stays open which are sent in a row; others have their turn then."""
LISTENERS_BUFFER: Final = 128 * 1024
"""Bytes that the system keeps for a reader of events who does not read; by itself it would grow to megabytes."""
logger = logging.getLogger(__name__)


class Connection:
    """A connection; all but `service`, `write_soon` and `check_client_disconnected` belongs to the loop's thread."""

    def __init__(self, server: Server, sock: socket.socket, addr: tuple[str, int], tls: Tls | None = None) -> None:
        self.server = server
        self.adj = server.adj if tls is None else server.secure_adj
        self.tls = tls
        self.addr = addr
        self.phase = Phase.WAITING
        self.connected = True
        self._socket = sock
        self._limits = server.limits
        self._changed = threading.Condition()
        self._out = bytearray()
        self._ahead = b""
        self._request: HttpRequest | None = None
        self._lasting: Lasting | None = None
        self._is_chunked = self._is_framing = self._is_header = self._has_hung_up = False
        self._watched = self._read_since = 0
        self._moved = self._behind = time.monotonic()
        self._deadline = self._moved + (self._limits.idle if tls is None else self._limits.handshake)
        self._watch()

    @property
    def is_under_way(self) -> bool:
        """Whether somebody still gets an answer."""
        return self.phase is Phase.SERVING or bool(self._out)

    @contained
    def ready(self, events: int) -> None:
        """Read and write what is possible."""
        if events & EVENT_WRITE and self.connected:
            self._flush()
        if events & EVENT_READ and self.connected and self.server.may_read(self.addr[0]):
            self._read()

    @contained
    def check(self, now: float) -> None:
        """Give up what takes too long."""
        if self._out:
            if now - self._moved > self._limits.stalled or self._holds_a_worker_for_too_long(now):
                self.close()
        elif self.phase is Phase.LISTENING:
            self.push()
        elif self.phase is not Phase.SERVING and now > self._deadline:
            self._give_up()

    @contained
    def push(self) -> None:
        """Send what is due of an answer that stays open; who has not read it yet gets the newest later."""
        lasting = self._lasting
        for _ in range(PIECES):
            if lasting is None or not self.connected or self._out or self._is_framing:
                return
            if lasting.is_over:
                self.end_lasting()
                return
            if not lasting.is_due:
                return
            if lasting.is_quick:
                self._send_piece(self._piece_of(lasting))
            else:
                self._is_framing = True
                self.server.workers.add(self.addr[0], partial(self._frame, lasting))

    def end_lasting(self) -> None:
        """End an answer that stays open, so that its reader finds the end and not a broken line."""
        if self._lasting is not None:
            self._lasting.close()
            self._lasting = None
        if self._is_chunked:
            self._send(b"0\r\n\r\n")
        self._leave()

    def close(self) -> None:
        """Close it; a worker that still writes is told."""
        if not self.connected:
            return
        with self._changed:
            self.connected = False
            self._changed.notify_all()
            self._watch()
            self._socket.close()
            self._out.clear()
        if self._request is not None:
            self._request.close()
        if self._lasting is not None:
            self._lasting.close()
        self.server.forget(self)

    def _read(self) -> None:
        try:
            data = self._socket.recv(RECEIVED)
        except BlockingIOError:
            return
        except OSError:
            self.close()
            return
        if not data:
            self._hung_up()
            return
        if self.tls is not None:
            data = self._opened(self.tls, data)
        if self.phase is Phase.WAITING:
            self._parse(data)
        elif self.phase is Phase.SERVING:
            self._ahead += data
            self._watch()
        if self.tls is not None and self.tls.is_over and self.connected:
            self._hung_up()

    def _opened(self, tls: Tls, data: bytes) -> bytes:
        """Return the plain bytes of sealed ones; what is no TLS ends the connection, with an alert that says so."""
        if self.phase not in (Phase.WAITING, Phase.SERVING):
            return b""  # it would be thrown away
        with self._changed:
            was_ready, plain = tls.is_ready, tls.opened(data)
            self._keep_as_it_is(tls.to_send())
            self._send_some()
        if plain is None:
            if self.phase is Phase.SERVING:
                self.close()
            else:
                self._leave()
            return b""
        if tls.is_ready and not was_ready:
            self._deadline = time.monotonic() + self._limits.idle
        self._watch()
        return plain

    def _hung_up(self) -> None:
        """Note that nothing more will be asked; who has asked still gets the answer."""
        self._has_hung_up = True
        if self.phase is Phase.SERVING or (self._out and self.phase is Phase.LEAVING):
            self._watch()
        else:
            self.close()

    def _parse(self, data: bytes) -> None:
        while data and self.phase is Phase.WAITING and self.connected:
            if self._request is None:
                data = data.lstrip(b"\r\n")  # or each empty line would be a request of its own
                if not data:
                    return
                self._request = HttpRequest(self.adj, self.server.largest_body)
                self._deadline = time.monotonic() + self._limits.header
            request, had_header = self._request, self._request.headers_finished
            data = data[request.received(data) :]
            if request.completed:
                self._request = None
                if not request.empty:
                    self._ahead = data
                    self._serve(request)
            elif request.headers_finished and not had_header:
                self._deadline = time.monotonic() + self._limits.body_time(request.content_length)
                if request.expect_continue:
                    self._send(b"HTTP/1.1 100 Continue\r\n\r\n")

    def _serve(self, request: HttpRequest) -> None:
        if request.error:
            self._refuse(request)
            return
        self.phase = Phase.SERVING
        self.server.is_busy(self)
        self.server.workers.add(self.addr[0], partial(self.service, request))

    def _give_up(self) -> None:
        """Close what has come to nothing; who has begun a request is told why."""
        request = self._request
        if self.phase is Phase.WAITING and request is not None and request.is_begun:
            request.error = TooSlowError("The request did not arrive in time")
            self._refuse(request)
        else:
            self.close()

    def _refuse(self, request: HttpRequest) -> None:
        self._request = None
        self._is_header = True
        ErrorAnswer(self, request).service()
        request.close()
        self._send(b"")
        self._leave()

    @contained
    def _answered(self, answer: PageAnswer, *, is_last: bool) -> None:
        lasting, is_over = answer.lasting, is_last or not self.connected
        if lasting is not None and is_over:
            lasting.close()
        if not self.connected:
            return
        if lasting is not None and not is_over:
            self._listen(lasting, is_chunked=answer.chunked_response)
        elif is_over or answer.close_on_finish or self._has_hung_up:
            self._leave()
        else:
            self._deadline = time.monotonic() + self._limits.idle
            self.phase = Phase.WAITING
            self._go_on()

    def _go_on(self) -> None:
        """Read the next request, as soon as the answer before has gone out."""
        if not self._out:
            self.server.is_waiting(self)
            data, self._ahead = self._ahead, b""
            self._parse(data)
        if self.connected:
            self._watch()

    def _listen(self, lasting: Lasting, *, is_chunked: bool) -> None:
        self.phase = Phase.LISTENING
        self._lasting, self._is_chunked, self._ahead = lasting, is_chunked, b""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LISTENERS_BUFFER)
        self.server.is_listening(self)
        if self._has_hung_up:
            self.close()
        else:
            self.push()
            self._watch()

    def _send_piece(self, piece: bytes | None) -> None:
        if piece and self.connected:
            self._send(b"%x\r\n%b\r\n" % (len(piece), piece) if self._is_chunked else piece)

    @contained
    def _framed(self, piece: bytes | None) -> None:
        self._is_framing = False
        if self.connected and self.phase is Phase.LISTENING:
            self._send_piece(piece)
            self.push()

    def _leave(self) -> None:
        """Close once the answer is out: not before what still arrives is read, or it would be taken for cut off."""
        self.phase = Phase.LEAVING
        self._deadline = time.monotonic() + self._limits.leaving
        if self.tls is not None:
            with self._changed:
                self._keep_as_it_is(self.tls.closed())
                self._send_some()
        if self._out:
            self._watch()
        elif self._has_hung_up:
            self.close()
        else:
            self.server.is_waiting(self)
            with suppress(OSError):  # where it is gone, reading it says so
                self._socket.shutdown(socket.SHUT_WR)
            self._watch()

    def _flush(self) -> None:
        with self._changed:
            self._send_some()
            self._changed.notify_all()
            is_sent = not self._out
        if not is_sent:
            return
        if self.phase is Phase.LEAVING:
            self._leave()
        elif self.phase is Phase.LISTENING:
            self.push()
            self._watch()
        elif self.phase is Phase.WAITING:
            self._go_on()
        else:
            self._watch()

    def _send(self, data: bytes) -> None:
        with self._changed:
            self._keep(data)
            self._send_some()
        self._watch()

    def _watch(self) -> None:
        """Wait for what can be used now."""
        events = 0
        if self.connected:
            if self._out:
                events |= EVENT_WRITE
            if (
                not self._has_hung_up
                and len(self._ahead) < RECEIVED
                and not (self._out and self.phase is Phase.WAITING)
            ):
                events |= EVENT_READ
        if events != self._watched:
            self.server.loop.watch(self._socket, events, self._watched, self.ready)
            self._watched = events

    # A worker's thread

    def service(self, request: HttpRequest) -> None:
        """Make the answer and send what can be sent at once; the loop does the rest."""
        answer, is_last = PageAnswer(self, request), False
        self._is_header = True
        try:
            answer.service()
        except ClientDisconnected:
            is_last = True
        except Exception:
            logger.exception("%s %s was not answered", *request.target)
            is_last = True
            if not answer.wrote_header:
                self._apologize(request)
        request.close()
        with self._changed:
            self._send_some()
        self.server.loop.call(partial(self._answered, answer, is_last=is_last))

    def write_soon(self, data: bytes | ReadOnlyFileBasedBuffer) -> int:
        """Send, or keep for later; a worker waits while too much is kept."""
        if isinstance(data, ReadOnlyFileBasedBuffer):
            size = len(data)
            while piece := data.get(FROM_FILE, skip=True):
                self.write_soon(piece)
            data.close()
            return size
        with self._changed:
            if not self.connected:
                raise ClientDisconnected
            self._keep(data)
            if self._is_header:
                self._is_header = False  # it goes out with what comes behind it
                return len(data)
            self._send_some()
            if self._out:
                self.server.loop.call(self._watch)
            while self._is_full:
                self._changed.wait()
        return len(data)

    @property
    def _is_full(self) -> bool:
        return self.connected and self.phase is Phase.SERVING and len(self._out) > UNSENT

    def _holds_a_worker_for_too_long(self, now: float) -> bool:
        """Whether somebody reads byte by byte while a worker waits: a few of them would have all workers."""
        return self._is_full and now - self._behind > self._limits.stalled + self._read_since / self._limits.answer_rate

    def check_client_disconnected(self) -> bool:
        """Whether the reader has gone, for an answer that goes on and on."""
        return not self.connected or self._has_hung_up

    def _apologize(self, request: HttpRequest) -> None:
        sorry = HttpRequest(self.adj, self.server.largest_body)
        sorry.error = InternalServerError("The companion made a mistake; it is in the log")
        sorry.version = request.version
        try:
            ErrorAnswer(self, sorry).service()
        except ClientDisconnected:
            return

    def _frame(self, lasting: Lasting) -> None:
        self.server.loop.call(partial(self._framed, self._piece_of(lasting)))

    # Either

    def _piece_of(self, lasting: Lasting) -> bytes | None:
        try:
            return lasting.due()
        except Exception:
            logger.exception("a stream to %s is closed", self.addr[0])
            self.server.loop.call(self.close)
            return None

    # Either, with the lock held

    def _keep(self, data: bytes) -> None:
        self._keep_as_it_is(data if self.tls is None else self.tls.sealed(data))

    def _keep_as_it_is(self, data: bytes) -> None:
        if not self._out:
            self._moved = self._behind = time.monotonic()
            self._read_since = 0
        self._out += data

    def _send_some(self) -> None:
        if not self._out or not self.connected:
            return
        try:
            sent = self._socket.send(self._out)
        except BlockingIOError:
            return
        except OSError:
            self.server.loop.call(self.close)
            return
        del self._out[:sent]
        self._read_since += sent
        self._moved = time.monotonic()
