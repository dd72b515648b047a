"""What a page posts without its script: a move, and what a phone switches for itself; then back to where it was."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from flask import Blueprint, Response, make_response, redirect, request, url_for
from markupsafe import Markup

from companion.refusal import Refusal
from companion.table.outside import read_object, split_address
from companion.table.session.intents import Tap
from web.base.preferences import choose, words
from web.base.request import acting, context, current, inside
from web.base.templating import static_files, unpadded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask.typing import ResponseReturnValue

blueprint = Blueprint("phone", __name__)
NIGHT: Final = "#0f1a22"
"""The background of the pages."""
YEAR: Final = 60 * 60 * 24 * 365
COOKIE: Final = "phone"
MOST_TICKED: Final = 8
NAMES: Final = ("guide", "sound", "shake", "speak", "awake", "call")
KNOWN: Final = "known"
"""That this phone wants nothing explained: it is not offered again."""
FIRST_ROUND: Final = 1
AT_FIRST: Final = frozenset({"sound", "shake", "awake"})
_NONE: Final = "none"


@blueprint.app_context_processor
def switches() -> dict[str, object]:
    return {"switches": switched_on(request.cookies.get(COOKIE)), "SWITCHES": NAMES}


@blueprint.app_template_global()
def act(move: Mapping[str, object]) -> Markup:
    """Write a button that makes a move: by the script where it has arrived, else as a form."""
    return Markup('form="moves" name="move" value="{}"').format(json.dumps(move))


@blueprint.app_template_global()
def offers_guide(colour: str) -> bool:
    """Return whether a seat is asked if every step is to be explained: not once it has answered or finished a game."""
    state = current().state
    if state["round"] > FIRST_ROUND or switched_on(request.cookies.get(COOKIE)) & {"guide", KNOWN}:
        return False
    name = state["players"][colour].get("name")
    ended, _ = context().stories.results() if name else ([], 0)
    return not any(score.name == name for one in ended for score in one.scores)


@blueprint.post("/moves")
def moves() -> ResponseReturnValue:
    """Make the move that a button carries, then those that are ticked; the script sends the same to the api."""
    who = acting()
    for move in (request.form.get("move", ""), *request.form.getlist("then")[:MOST_TICKED]):
        context().do(Tap(read_object(move, "move"), who))
    return redirect(inside(request.form.get("back", "/")), 303)


@blueprint.post("/phone")
def switch() -> ResponseReturnValue:
    """Turn one switch of this phone the other way round."""
    name = request.form.get("switch", "")
    if name not in (*NAMES, KNOWN):
        raise Refusal("malformed", None, f"switch is one of {', '.join(NAMES)}.", field="switch")
    response = redirect(inside(request.form.get("back", "/")), 303)
    turned = switched_on(request.cookies.get(COOKIE)) ^ {name}
    response.set_cookie(COOKIE, cookie_of(turned), max_age=YEAR, samesite="Lax", httponly=True)
    return response


@blueprint.get("/manifest.webmanifest")
def manifest() -> ResponseReturnValue:
    """What a browser needs to put the table among its programs."""
    icons = [
        {"src": url_for("static", filename=name), "sizes": sizes, "type": kind}
        for name, sizes, kind in (("icon.svg", "any", "image/svg+xml"), ("icon.png", "192x192", "image/png"))
    ]
    texts = words()
    told = {
        "name": texts.text("app_title"),
        "short_name": texts.text("app_title"),
        "lang": texts.language,
        "start_url": "/",
        "display": "standalone",
        "background_color": NIGHT,
        "theme_color": NIGHT,
        "icons": icons,
    }
    return Response(json.dumps(told), mimetype="application/manifest+json")


@blueprint.get("/caller.js")
def caller() -> ResponseReturnValue:
    """The service worker that calls a phone from its pocket; from here it is at work for every page."""
    return Response(unpadded(static_files()["phone/caller.js"]), mimetype="text/javascript")


@blueprint.post("/language")
def language() -> ResponseReturnValue:
    return choose(make_response(redirect(inside(request.form.get("back", "/")), 303)))


@blueprint.app_template_global()
def here() -> str:
    """Return the page that the reader can ask for again: what a form has posted to is none."""
    if request.method == "GET":
        return request.path
    before = split_address(request.referrer or "")
    return inside(before.path) if before.netloc == request.host else "/"


def switched_on(cookie: str | None) -> frozenset[str]:
    """Return the switches that are on; a phone that has chosen nothing is nudged, quietly and without a voice."""
    return AT_FIRST if cookie is None else frozenset(cookie.split(".")) & frozenset((*NAMES, KNOWN))


def cookie_of(switches: frozenset[str]) -> str:
    return ".".join(sorted(switches)) or _NONE
