"""The demo's page: a drawn table to play on. Where the table is a real one, none of this is there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request, send_from_directory, url_for
from flask import session as cookie

from companion.games.api import COLOURS, Button
from companion.table.outside import read_number
from web.base.request import context, payload, reader
from web.base.streams import newest
from web.base.words import name_of
from web.games.shelter.cards import cards_in_play, room_name, side_name, vault_state

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from flask.typing import ResponseReturnValue

    from companion.table.ports import Playground
    from companion.table.session.state_view import SnapshotState
    from web.base.words import Words
    from web.games.shelter.cards import PackCards, Printed

blueprint = Blueprint("demo", __name__)
NEAR: Final = 60.0
"""Where a phone's picture of the table has a first way (mm from the middle)."""
PATIENCE: Final = 0.4
"""Seconds after which the lamps are looked at again, though nothing has moved."""


def _playground() -> Playground:
    found = context().playground
    if found is None:
        abort(404)
    return found


class OpenSpace(NamedTuple):
    """A space that a dweller may use and pay now."""

    space: str
    name: str
    room: str
    printed: Printed


def open_spaces(texts: Words, state: SnapshotState, cards: PackCards, colour: str | None) -> list[OpenSpace]:
    """Return where this colour's dwellers may go now."""
    found = {}
    for offer in context().legal(colour) if colour else ():
        space = str(offer.move.get("space", ""))
        printed = cards.at(vault_state(state), space) if offer.move["do"] == "place" else None
        if printed is not None and space not in found:
            room = room_name(texts, vault_state(state), cards, space)
            name = f"{room}, {side_name(texts, space)}" if side_name(texts, space) else room
            found[space] = OpenSpace(space, name, room, printed)
    return list(found.values())


def first_way(state: SnapshotState, places: Sequence[OpenSpace], at: Mapping[str, Sequence[float]]) -> OpenSpace | None:
    """Return where a first dweller goes best: for nothing, near the elevator; none once somebody has gone."""
    mine = any(one["by"] == state["turn"] for one in vault_state(state)["placed"].values())
    if mine or state["round"] > 1:
        return None

    def effort(one: OpenSpace) -> tuple[int, int, float]:
        x = at[one.space][0] if one.space in at else 0.0
        return len(one.printed.cost), one.printed.fight, abs(x - NEAR)

    return min(places, key=effort, default=None)


@blueprint.get("/demo")
def page() -> ResponseReturnValue:
    """The table, the panel, and what is open for the colours that people play."""
    from web.games.shelter.pages import shown  # noqa: PLC0415 - a table starts without a game's pages

    ground, asking = _playground(), reader()
    texts, state, who, cards = asking.words, asking.state, asking.who, cards_in_play(context())
    free = [colour for colour in ground.seats if context().access.is_free(colour)]
    passing = state["turn"] if state["phase"] == "place" and state["turn"] in who.seats else None
    places = open_spaces(texts, state, cards, passing)
    theirs = [] if free or who.seats.intersection(ground.seats) else ground.seats
    return render_template(
        "demo/demo.html",
        **shown(asking),
        knobs=[button.value for button in Button if button.value not in COLOURS],
        fixed=json.dumps(ground.fixed()),
        threats=[(card, cards.name(card, texts.language)) for card in ground.fixed()["threats"]],
        wanted=[(card, cards.name(card, texts.language), at) for card, at in ground.wanted(state).items()],
        missing_seats=free,
        elsewhere=", ".join(name_of(texts, state, colour) for colour in theirs),
        passing=passing,
        helping=ground.shown().get("helping", False),
        spaces=json.dumps({one.space: one.name for one in places}),
        first=first_way(state, places, ground.fixed()["spaces"]) if passing else None,
        said=state["suggestion"] is not None,
    )


@blueprint.get("/demo/table")
def table() -> ResponseReturnValue:
    """Return what lies there, as soon as it is not what the page has seen."""
    ground = _playground()
    after = read_number(request.args.get("after", ""), "after")
    if after is not None:
        ground.wait(after, PATIENCE)
    return jsonify(ground.shown())


@blueprint.post("/demo/hands")
def hands() -> ResponseReturnValue:
    _playground().do(payload())
    return jsonify(done=True)


@blueprint.post("/demo/sit")
def sit() -> ResponseReturnValue:
    """Take the seats that people play and nobody holds, or all of them from wherever they are: here without codes."""
    access = context().access
    for colour in _playground().seats:
        is_theirs = access.is_free(colour) or "instead" in request.form
        secret = access.claim(colour, access.code(colour)) if is_theirs else None
        if secret is not None:
            cookie["seats"] = {**cookie.get("seats", {}), colour: secret}
    return redirect(url_for("demo.page"), 303)


@blueprint.get("/demo/pieces/<name>")
def piece(name: str) -> ResponseReturnValue:
    return send_from_directory(_playground().pictures, name, max_age=3600)


@blueprint.get("/demo/camera.jpg")
def camera() -> ResponseReturnValue:
    """Return what the camera sees, with what was read drawn in: for everybody, for there is nothing private on it."""
    _playground()
    return Response(newest(context().sight).jpeg, mimetype="image/jpeg")
