"""What is posted from a survivor board, and the form of a new game."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from flask import redirect, request, url_for

from companion.refusal import Refusal
from companion.table.session.intents import Tap
from web.base.request import acting, context, inside, known_colour, reader, the_host, with_number
from web.games.wasteland import actions, feed
from web.games.wasteland.pages import PAGES

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue


def do(colour: str) -> ResponseReturnValue:
    """Take a form of a survivor board."""
    known_colour(colour)
    who = acting()
    if not who.may_speak_for(colour):
        raise Refusal("not_yours", None, "That takes the seat or the host.", by=colour)
    context().do(Tap(actions.move_of(request.form, colour), who))
    return redirect(inside(request.form.get("back", f"/seat/{colour}")), 303)


def new() -> ResponseReturnValue:
    """Lead to the questions before a game, where they were asked by one form once."""
    asked = urlencode({**request.args.to_dict(), "game": feed.GAME})
    return redirect(f"{url_for('start.page')}?{asked}", 303)


def begin() -> ResponseReturnValue:
    """Start the game that was agreed on."""
    the_host()
    game = PAGES.start(reader(), PAGES.setup_of(request.form), request.form.get("pack", ""))
    context().do(with_number(game, request.form))
    return redirect(url_for("table.status"), 303)
