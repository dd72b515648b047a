"""Requests and answers of one connection: waitress reads and writes HTTP, the shape of errors is ours."""

from __future__ import annotations

import copy
import json
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Final, Protocol

from waitress.parser import HTTPRequestParser, ParsingError
from waitress.task import ErrorTask, WSGITask
from waitress.utilities import Error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from waitress.adjustments import Adjustments

    from web.server.connection import Connection

CODES: Final = {408: "too_slow", 413: "too_large", 431: "too_large", 500: "internal", 503: "too_many_connections"}
LASTING: Final = "companion.lasting"
"""Where a request's environment keeps an answer that stays open."""


class Phase(Enum):
    """What a connection is doing."""

    WAITING = auto()
    """For a request, or for the rest of one."""
    SERVING = auto()
    """A worker makes the answer."""
    LISTENING = auto()
    """The answer stays open."""
    LEAVING = auto()
    """The last answer goes out; what still arrives is thrown away."""


class TooSlowError(Error):
    """A request that was begun and not ended in time."""

    code = 408
    reason = "Request Timeout"


def error_body(code: int, message: str) -> bytes:
    """Return the body of an error that no page has a word in, in the shape of every error."""
    told = {"code": CODES.get(code, "malformed"), "fields": {}, "message": f"{message}."}
    return json.dumps({"error": told}).encode()


_CROWDED_BODY: Final = error_body(503, "Too many connections are open from this address; close some")
CROWDED: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: application/json\r\nRetry-After: 5\r\n"
    b"Content-Length: %d\r\n\r\n%b" % (len(_CROWDED_BODY), _CROWDED_BODY)
)
"""The whole answer where an address has no connection left: nothing is read for it, no thread is asked."""


class Lasting(Protocol):
    """An answer that stays open: the server's own thread asks what is due, and no other thread waits for it."""

    @property
    def is_quick(self) -> bool:
        """Whether `due` is cheap; else one of the threads for requests calls it."""

    @property
    def is_due(self) -> bool:
        """Whether there is something to send."""

    @property
    def is_over(self) -> bool:
        """Whether nothing will come any more."""

    def due(self) -> bytes | None:
        """Return what is to be sent now."""

    def close(self) -> None:
        """Note that the reader has gone."""

    def __iter__(self) -> Iterator[bytes]:
        """Wait for each piece, for other servers and for tests."""


class HttpRequest(HTTPRequestParser):
    """A request as it arrives; how large its body may be depends on where it goes and who sends it."""

    def __init__(self, adj: Adjustments, largest_body: Callable[[HttpRequest], int]) -> None:
        super().__init__(adj)
        self._largest_body = largest_body

    def parse_header(self, header_plus: bytes) -> None:
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # of an address like `http://[`, which urlsplit does not take
            raise ParsingError("The address is none") from error
        if self.chunked or self.content_length >= self.adj.max_request_body_size:
            self.adj = copy.copy(self.adj)
            self.adj.max_request_body_size = self._largest_body(self) + 1

    @property
    def is_begun(self) -> bool:
        return bool(self.header_plus) or self.headers_finished

    @property
    def target(self) -> tuple[str, str]:
        """The method, and the path that it is for; none where the bytes are no request."""
        read = vars(self)
        return str(read.get("command", "")), str(read.get("path", ""))


def _as_waitress_has_them(connection: Connection, request: HttpRequest) -> tuple[Any, Any]:
    """Return what a task of waitress wants: by its types a channel of its own, and for a request an error."""
    return connection, request


class PageAnswer(WSGITask):
    """The application's answer to a request."""

    def __init__(self, connection: Connection, request: HttpRequest) -> None:
        super().__init__(*_as_waitress_has_them(connection, request))

    @property
    def lasting(self) -> Lasting | None:
        """The answer itself where it stays open."""
        lasting: Lasting | None = self.environ.get(LASTING) if self.environ else None
        return lasting

    def finish(self) -> None:
        if self.lasting is None:
            super().finish()


class ErrorAnswer(ErrorTask):
    """The answer to bytes that are no HTTP request, in the shape of every error."""

    def __init__(self, connection: Connection, request: HttpRequest) -> None:
        super().__init__(*_as_waitress_has_them(connection, request))

    def execute(self) -> None:
        error = vars(self.request)["error"]
        told = error_body(error.code, error.body)
        self.status = f"{error.code} {error.reason}"
        self.response_headers = [("Content-Type", "application/json")]
        self.set_close_on_finish()
        self.content_length = len(told)
        self.write(told)
