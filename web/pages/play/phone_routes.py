"""What a page posts without its script: a move, and what a phone switches for itself; then back to where it was."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from flask import Blueprint, redirect, request
from markupsafe import Markup

from companion.refusal import Refusal
from companion.table.outside import read_object
from companion.table.session.intents import Tap
from web.base.context import acting, house
from web.pages.play.missed import COOKIE, NAMES, cookie_of, switched_on

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("phone", __name__)
YEAR: Final = 60 * 60 * 24 * 365


@blueprint.app_context_processor
def switches() -> dict[str, Any]:
    """The switches of this phone, for every template."""
    return {"switches": switched_on(request.cookies.get(COOKIE)), "SWITCHES": NAMES}


@blueprint.app_template_global()
def act(move: dict[str, Any]) -> Markup:
    """A button that makes a move: by the script where it has arrived, else as a form."""
    return Markup('form="moves" name="move" value="{}"').format(json.dumps(move))


@blueprint.post("/moves")
def moves() -> ResponseReturnValue:
    """The move that a button carries; the script sends the same to the api."""
    who = acting()
    house().do(Tap(read_object(request.form.get("move", ""), "move"), who))
    return redirect(inside(request.form.get("back", "/")), 303)


@blueprint.post("/phone")
def switch() -> ResponseReturnValue:
    """One switch of this phone the other way round."""
    name = request.form.get("switch", "")
    if name not in NAMES:
        raise Refusal("malformed", None, f"switch is one of {', '.join(NAMES)}.", field="switch")
    response = redirect(inside(request.form.get("back", "/")), 303)
    turned = switched_on(request.cookies.get(COOKIE)) ^ {name}
    response.set_cookie(COOKIE, cookie_of(turned), max_age=YEAR, samesite="Lax", httponly=True)
    return response


@blueprint.app_template_global()
def here() -> str:
    """The page that whoever reads this can ask for again: what a form has posted to is none."""
    if request.method == "GET":
        return request.path
    before = urlsplit(request.referrer or "")
    return inside(before.path) if before.netloc == request.host else "/"


def inside(path: str) -> str:
    """A path of ours; anything else becomes the first page."""
    return path if path.startswith("/") and path[1:2] not in ("/", "\\") else "/"
