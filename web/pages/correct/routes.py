"""Corrections of anything by form: a person's word against the record, part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, redirect, render_template, request, url_for

from companion.games.shelter.words import COLOURS
from companion.refusal import Refusal
from companion.table.session.intents import Tap
from web.base.context import acting, current, house, speaker, the_host
from web.base.errors import status_of
from web.base.preferences import words
from web.pages.correct.form_answer import correction, sent, why
from web.pages.correct.view import part, parts
from web.pages.play import status

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from companion.table.session.snapshots import Snapshot
    from web.pages.correct.view import Part

blueprint = Blueprint("correcting", __name__, url_prefix="/correct")
RACES: Final = 5
"""So often the game may go on elsewhere between reading a form and putting it right."""


@blueprint.get("/")
def index() -> ResponseReturnValue:
    """Which part? Boards of the second game are put right where they are shown."""
    texts, state = words(), current().state
    if state["game"] != "shelter":
        return redirect(url_for("host.page"), 303)
    who = speaker()
    found = [(key, title, colour, who.host or key in who.seats) for key, title, colour in parts(texts, state)]
    return render_template("corrections.html", head=status.head(texts, state), parts=found if state["id"] else [])


@blueprint.get("/<key>")
def form(key: str) -> ResponseReturnValue:
    """The form of one part."""
    _refuse_unless_theirs(key)
    return _page(current(), _part(current(), key))


@blueprint.post("/<key>")
def put_right(key: str) -> ResponseReturnValue:
    """What was changed in it, as one correction; what else has happened meanwhile is not undone by it."""
    by = _refuse_unless_theirs(key)
    for _ in range(RACES):
        snapshot = house().latest
        asked = _part(snapshot, key)
        try:
            _put_right(snapshot, asked, by)
        except Refusal as refusal:
            if refusal.code == "version_mismatch":
                continue
            return _page(house().latest, _part(house().latest, key), refusal)
        return redirect(url_for("correcting.form", key=key, done="1"), 303)
    raise Refusal("too_late", None, "The game goes on too fast; try again.")


def _put_right(snapshot: Snapshot, asked: Part, by: str | None) -> None:
    if request.form.get("mark") != asked.mark:
        raise Refusal("changed_meanwhile", None, "That has changed meanwhile; look again.")
    change = correction(asked, sent(asked, request.form))
    if change:
        move: dict[str, Any] = {"do": "correct", "set": change}
        house().do(Tap({**move, "by": by} if by else move, speaker(), snapshot.version))


def _refuse_unless_theirs(key: str) -> str | None:
    """A seat puts its own board right, the host everything; who is meant, unless it is the host."""
    who = acting()
    if who.host:
        return None
    if key not in COLOURS or key not in who.seats:
        the_host()
    return key


def _part(snapshot: Snapshot, key: str) -> Part:
    has_parts = snapshot.state["id"] and snapshot.state["game"] == "shelter"
    found = part(words(), snapshot.state, house().cards(), key) if has_parts else None
    if found is None:
        raise Refusal("no_such_page", None, f"There is no part {key[:40]!r} of this game.")
    return found


def _page(snapshot: Snapshot, asked: Part, refusal: Refusal | None = None) -> ResponseReturnValue:
    texts = words()
    page = render_template(
        "correct.html",
        head=status.head(texts, snapshot.state),
        part=asked,
        done=request.args.get("done") == "1" and refusal is None,
        refused=why(texts, snapshot.state, house().cards(), refusal) if refusal else "",
        wanted=request.form if refusal is not None and refusal.code != "changed_meanwhile" else {},
    )
    return page, 200 if refusal is None else status_of(refusal)
