"""The form of a new game, for every game without pages of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

from web.base.request import head, reader, the_host
from web.base.templating import render
from web.games.generic.pages import GenericPages

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("generic", __name__, url_prefix="/games")


@blueprint.get("/<game>/new")
def new(game: str) -> ResponseReturnValue:
    """Who plays, clockwise."""
    the_host()
    return render(GenericPages(game).new_game(reader(), ""), head=head())
