"""Corrections of anything by form: a person's word against the record, part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import Blueprint, redirect, render_template, request, url_for

from companion.games.api import COLOURS
from companion.refusal import Refusal
from companion.table.session.intents import Tap
from web.base.errors import status_of
from web.base.preferences import words
from web.base.request import acting, context, current, head, plays, reader, speaker, the_host
from web.base.words import ToldRefusal, plain, rule_of

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from web.games.forms import FormPart
    from web.games.port import Reader

blueprint = Blueprint("correct", __name__, url_prefix="/correct")
RACES: Final = 5
"""So often the game may go on elsewhere between reading a form and putting it right."""


@blueprint.get("/")
def index() -> ResponseReturnValue:
    """List the parts; a game without such forms is put right where it is shown."""
    parts = plays().parts(words(), current().state)
    if parts is None:
        return redirect(url_for("host.page"), 303)
    who = speaker()
    found = [(key, title, colour, who.host or key in who.seats) for key, title, colour in parts]
    return render_template("correct/corrections.html", head=head(), parts=found)


@blueprint.get("/<key>")
def form(key: str) -> ResponseReturnValue:
    _refuse_unless_theirs(key)
    return _page(reader(), _part(reader(), key))


@blueprint.post("/<key>")
def put_right(key: str) -> ResponseReturnValue:
    """Send what was changed as one correction; what else has happened meanwhile is not undone by it."""
    by = _refuse_unless_theirs(key)
    for _ in range(RACES):
        now = reader(context().latest)
        asked = _part(now, key)
        try:
            _put_right(now, asked, by)
        except Refusal as refusal:
            if refusal.code == "version_mismatch":
                continue
            newest = reader(context().latest)
            return _page(newest, _part(newest, key), refusal)
        return redirect(url_for("correct.form", key=key, done="1"), 303)
    raise Refusal("too_late", None, "The game goes on too fast; try again.")


def _put_right(now: Reader, asked: FormPart, by: str | None) -> None:
    if request.form.get("mark") != asked.mark:
        raise Refusal("changed_meanwhile", None, "That has changed meanwhile; look again.")
    change = plays().correction(asked, asked.sent(request.form))
    if change:
        move: dict[str, object] = {"do": "correct", "set": change}
        context().do(Tap({**move, "by": by} if by else move, speaker(), now.snapshot.version))


def _refuse_unless_theirs(key: str) -> str | None:
    """Refuse unless a seat puts its own board right, or the host; return who is meant, unless it is the host."""
    who = acting()
    if who.host:
        return None
    if key not in COLOURS or key not in who.seats:
        the_host()
    return key


def _part(now: Reader, key: str) -> FormPart:
    found = plays().part(now, key)
    if found is None:
        raise Refusal("no_such_page", None, f"There is no part {key[:40]!r} of this game.")
    return found


def _page(now: Reader, asked: FormPart, refusal: Refusal | None = None) -> ResponseReturnValue:
    page = render_template(
        "correct/correct.html",
        head=plays().head(now.words, now.state),
        part=asked,
        done=request.args.get("done") == "1" and refusal is None,
        refused=ToldRefusal(_why(now, refusal), rule_of(refusal)) if refusal else None,
        wanted=request.form if refusal is not None and refusal.code != "changed_meanwhile" else {},
    )
    return page, 200 if refusal is None else status_of(refusal)


def _why(now: Reader, refusal: Refusal) -> str:
    for key in (f"cannot_{refusal.code}", f"cannot_{refusal.clause}"):
        if now.words.has(key):
            return now.words.text(key)
    return plain(now.words, now.state, refusal, lambda card: plays().card_name(now, card))
