"""What is posted from a survivor board, and the form of a new game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import redirect, render_template, request, url_for

from companion.games.wasteland.box import COLOURS
from companion.refusal import Refusal
from companion.table.session.intents import Tap
from web.base.preferences import words
from web.base.request import acting, context, current, head, inside, known_colour, reader, the_host
from web.base.words import name_of
from web.games.wasteland import actions
from web.games.wasteland.own_packs import Packs
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
    """Show the form of a new game to the host."""
    the_host()
    texts, state = words(), current().state
    packs = Packs(context().folder)
    asked = request.args.get("pack", "")
    name = asked if asked in packs.names() else packs.names()[0]
    return render_template(
        "wasteland/new.html",
        head=head(),
        state=state,
        pack=packs.load(name),
        packs=packs.names(),
        chosen=name,
        names={colour: name_of(texts, state, colour) for colour in COLOURS},
    )


def begin() -> ResponseReturnValue:
    """Start the game that was agreed on."""
    the_host()
    context().do(PAGES.start(reader(), PAGES.setup_of(request.form), request.form.get("pack", "")))
    return redirect(url_for("status.page"), 303)
