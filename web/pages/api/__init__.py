"""The state, its stream, moves, legal moves and seats."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from flask import Blueprint, Response, jsonify, make_response, redirect, request, url_for
from flask import session as cookie
from werkzeug.http import quote_etag

from companion.refusal import Refusal
from companion.table.outside import read_number
from companion.table.session.intents import AddNumber, Speaker, Tap
from companion.table.session.state_view import text_for
from web.base.errors import message_of, status_of, told_of
from web.base.request import (
    acting,
    context,
    current,
    event_stream,
    inside,
    is_form,
    is_page,
    known_colour,
    payload,
    plays,
    reader,
    speaker,
    who_tries,
)
from web.pages import join

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask.typing import ResponseReturnValue

blueprint = Blueprint("api", __name__, url_prefix="/api")


@blueprint.get("/state")
def state() -> ResponseReturnValue:
    """The state; 304 for a reader who has it. A phone that holds a seat also reads what is secret to all others."""
    snapshot, seats = current(), speaker().seats
    text = text_for(snapshot, seats)
    tag = str(snapshot.seq) if text is snapshot.text else "-".join([str(snapshot.seq), *sorted(seats)])
    headers = {"ETag": quote_etag(tag), "Cache-Control": "no-cache, private", "Vary": "Cookie"}
    if "If-None-Match" in request.headers and request.if_none_match.contains_weak(tag):
        return Response(status=304, headers=headers)
    return Response(text, mimetype="application/json", headers=headers)


@blueprint.get("/events")
def events() -> ResponseReturnValue:
    seen = request.headers.get("Last-Event-ID", "")
    disconnected = request.environ.get("waitress.client_disconnected", lambda: False)
    number = read_number(seen, "Last-Event-ID") or 0
    moments, address = "moments" in request.args, str(request.remote_addr)
    return event_stream(context().streams.stream(number, disconnected, address=address, moments=moments))


@blueprint.post("/moves")
def moves() -> ResponseReturnValue:
    """Make a move; the answer comes when it is on the disk."""
    who = acting()
    return jsonify(context().do(Tap(payload(), who)).as_json())


@blueprint.get("/legal")
def legal() -> ResponseReturnValue:
    """Return the legal moves now, each with what it costs and brings."""
    by = request.args.get("by")
    if by is not None:
        known_colour(by)
    snapshot, offers = current(), context().legal(by, speaker().seats)
    previews = plays().previews(reader(), offers)
    found = [{**offer.move, "preview": preview} for offer, preview in zip(offers, previews, strict=True)]
    return jsonify(version=snapshot.version, moves=found)


@blueprint.post("/seats/<colour>/claim")
def claim(colour: str) -> ResponseReturnValue:
    known_colour(colour)
    raw = payload()
    try:
        secret = _claimed(colour, raw.get("code"))
    except Refusal as refusal:
        if not (is_form() and is_page()):
            raise
        return make_response(join.shown(colour, "", told_of(refusal)), status_of(refusal))
    cookie["seats"] = {**cookie.get("seats", {}), colour: secret}
    context().stage.renew()
    added = _add_number(colour, raw)
    if is_form():
        return redirect(inside(raw["back"]) if raw.get("back") else url_for("table.seat", colour=colour), 303)
    return jsonify(seat=colour, **added)


def _add_number(colour: str, raw: Mapping[str, object]) -> dict[str, str]:
    """Add the number that came with the claim; one that cannot be used is told, and takes nobody's seat."""
    if not raw.get("number"):
        return {}
    phone = Speaker(frozenset({colour}), name=colour)
    try:
        context().do(AddNumber(colour, raw["number"], phone, raw.get("promise")))
    except Refusal as refusal:
        return {"number": message_of(refusal)}
    return {"number": "added"}


def _claimed(colour: str, code: object) -> str:
    if not isinstance(code, str):
        raise Refusal("malformed", None, "code is not a text.", field="code")
    secret = context().codes.judge(who_tries(), lambda: context().access.claim(colour, code))
    if secret is None:
        raise Refusal("wrong_code", None, "That code does not open this seat; it may have been used already.")
    return secret


@blueprint.post("/seats/<colour>/release")
def release(colour: str) -> ResponseReturnValue:
    """Free a seat, by the phone that holds it or the host."""
    if not speaker().may_speak_for(known_colour(colour)):
        raise Refusal("not_yours" if speaker().seats else "no_seat", None, "Only its phone or the host frees a seat.")
    context().access.release(colour)
    context().stage.renew()
    return redirect(url_for("join.page"), 303) if is_form() else jsonify(seat=colour)


@blueprint.get("/openapi.json")
def openapi() -> ResponseReturnValue:
    text = (resources.files("web.pages.api") / "openapi.json").read_text(encoding="utf-8")
    return Response(text, mimetype="application/json")
