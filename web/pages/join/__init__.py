"""Taking a seat: a QR code for every free one, and where phones find the companion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import Blueprint, render_template, request, url_for
from markupsafe import Markup

from companion.games.api import COLOURS
from web.base.preferences import words
from web.base.request import context, current, head
from web.base.words import name_of
from web.games.port import Door

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from web.base.words import ToldRefusal

blueprint = Blueprint("join", __name__)
door = Door("/join", "nav_join", place=1)
LOOPBACK: Final = "//127."
"""So begins the address by which only this machine finds itself."""


@blueprint.get("/join")
def page() -> ResponseReturnValue:
    """A QR code and a button for every free seat, and a place to type a code."""
    asked = request.args.get("seat", "")
    return shown(asked if asked in COLOURS else "", request.args.get("code", "")[:12])


def shown(asked: str, code: str, refused: ToldRefusal | None = None) -> str:
    """Return the page with the form of one seat; a free one's code is on it as on the big screen."""
    texts, state, access = words(), current().state, context().access
    seats = []
    for colour in state["order"] or COLOURS:
        free = access.is_free(colour)
        known = access.code(colour) if free else ""
        link = address() + url_for("join.page", seat=colour, code=known)
        name = name_of(texts, state, colour)
        seats.append({"colour": colour, "name": name, "free": free, "code": known, "qr": qr(link) if free else ""})
    return render_template(
        "join/join.html",
        seats=seats,
        address=address(),
        asked=asked,
        asked_name=name_of(texts, state, asked) if asked else "",
        code=code or (access.code(asked) if asked and access.is_free(asked) and not refused else ""),
        refused=refused,
        head=head(),
    )


def joining() -> dict[str, object]:
    """Return how to watch along, and which seats are free."""
    access = context().access
    free = [(colour, access.code(colour)) for colour in current().state["order"] or COLOURS if access.is_free(colour)]
    return {"free": free, "qr": qr(address() + url_for("join.page")), "address": address()}


def address() -> str:
    """Return where phones find the companion now; without a network, the address that this request has used."""
    known = context().address()
    return known if known and LOOPBACK not in known else request.host_url.rstrip("/")


def qr(text: str, error: str = "m") -> Markup:
    """Return a QR code as inline SVG, which says nothing but squares; `error` is how much of it may be damaged."""
    import segno  # noqa: PLC0415 - only the pages with a code wait for what it loads

    code = segno.make(text, error=error, micro=False)
    return Markup(code.svg_inline(border=2, omitsize=True, svgclass="qr", lineclass=None, dark="#12202b", light=None))  # noqa: S704
