"""What stands at the door: hosts that are ours, changes from our own pages, and what a browser may load."""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from typing import Final

from flask import Flask, Response, current_app, request

from companion.refusal import Refusal
from companion.table.outside import split_address

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = (
    ("Content-Security-Policy", POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
)
HEADERS_OF_PAGES: Final = (*HEADERS, ("Cache-Control", "no-store"))
CHANGES: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
NAMES: Final = "NAMES_THAT_ARE_OURS"
LARGEST: Final = 64 * 1024


@lru_cache(maxsize=64)
def is_ours(host: str, names: frozenset[str]) -> bool:
    """Whether a Host header names us: a bare address, which nobody can rebind, or a name that is ours."""
    name = (split_address(f"//{host}").hostname or "").lower().rstrip(".")
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name in names or name == "localhost"
    return True


def _check() -> None:
    if not is_ours(request.host, current_app.config[NAMES]):
        raise Refusal("foreign_host", None, "The companion is not called that; use its own address.")
    if request.method not in CHANGES:
        return
    origin = request.headers.get("Origin")
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    if site not in ("same-origin", "none") or (origin is not None and split_address(origin).netloc != request.host):
        raise Refusal("foreign_origin", None, "That was sent from another page than the companion's.")


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
