"""What stands at the door: hosts that are ours, changes from our own pages, and what a browser may load."""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from flask import Flask, Response, current_app, redirect, request

from companion.refusal import Refusal
from companion.table.outside import split_address
from web.base.request import largest_file, may_send_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask.typing import ResponseReturnValue

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = (
    ("Content-Security-Policy", POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
)
HEADERS_OF_PAGES: Final = (*HEADERS, ("Cache-Control", "no-store"))
CHANGES: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
OWN_WIFI: Final = ipaddress.ip_network("10.42.0.0/24")
"""Where NetworkManager has the phones of a Wi-Fi that it opens; the table is the first of them."""
PROBES: Final = frozenset(
    {
        "/generate_204", "/gen_204", "/hotspot-detect.html", "/library/test/success.html", "/connecttest.txt",
        "/ncsi.txt", "/redirect", "/success.txt", "/canonical.html", "/check_network_status.txt",
    }
)  # fmt: skip
"""What Android, iOS, Windows, Firefox and GNOME ask for; another answer than they expect is shown as a page."""
NAMES: Final = "NAMES_THAT_ARE_OURS"
LARGEST: Final = 64 * 1024
"""Bytes of a body, where no page takes a file."""


def largest_body(app: Flask, method: str, path: str, headers: Mapping[str, str], scheme: str = "http") -> int:
    """Return how many bytes a request may bring, before any of them is kept; `headers` are named as in WSGI."""
    environ = {
        **{f"HTTP_{name}": headers[name] for name in ("HOST", "COOKIE", "AUTHORIZATION") if name in headers},
        "REQUEST_METHOD": method.upper(),
        "PATH_INFO": path,
        "wsgi.url_scheme": scheme,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
    }
    with app.request_context(environ):
        return _largest()


def _largest() -> int:
    """Return how many bytes this request may bring: many only where a file is taken, and from who may send it."""
    try:
        return largest_file() if largest_file() and may_send_file() else LARGEST
    except Refusal:
        return LARGEST


@lru_cache(maxsize=64)
def is_ours(host: str, names: frozenset[str]) -> bool:
    """Whether a Host header names us: a bare address, which nobody can rebind, or a name that is ours."""
    name = (split_address(f"//{host}").hostname or "").lower().rstrip(".")
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name in names or name == "localhost"
    return True


def _is_looking_for_the_internet() -> bool:
    """Return whether a phone in a Wi-Fi of the table's own asks what it asks of every Wi-Fi, to know where it leads."""
    is_asked = request.method in ("GET", "HEAD") and request.path in PROBES
    try:
        return is_asked and ipaddress.ip_address(request.remote_addr or "") in OWN_WIFI
    except ValueError:
        return False


def _check() -> ResponseReturnValue | None:
    if largest_file():
        request.max_content_length = request.max_form_memory_size = _largest()
    if not is_ours(request.host, current_app.config[NAMES]):
        if _is_looking_for_the_internet():
            return redirect(f"http://{OWN_WIFI[1]}/", 302)
        raise Refusal("foreign_host", None, "The companion is not called that; use its own address.")
    if request.method not in CHANGES:
        return None
    origin = request.headers.get("Origin")
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    if site not in ("same-origin", "none") or (origin is not None and split_address(origin).netloc != request.host):
        raise Refusal("foreign_origin", None, "That was sent from another page than the companion's.")
    return None


def _headers(response: Response) -> Response:
    there = set(response.headers.keys(lower=True))
    wanted = HEADERS if request.endpoint == "static" else HEADERS_OF_PAGES
    response.headers.extend([one for one in wanted if one[0].lower() not in there])
    return response


def install(app: Flask, names: frozenset[str]) -> None:
    """Check hosts and origins of all requests, for pages that go by these names."""
    app.config[NAMES] = names
    app.config["MAX_CONTENT_LENGTH"] = LARGEST
    app.config["MAX_FORM_MEMORY_SIZE"] = LARGEST
    app.before_request(_check)
    app.after_request(_headers)
