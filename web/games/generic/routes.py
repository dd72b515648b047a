"""The form of a new game, for every game without pages of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

from companion.games.registry import game_of
from web.base.request import current, opened

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("generic", __name__, url_prefix="/games")


@blueprint.get("/<game>/new")
def new(game: str) -> ResponseReturnValue:
    """Who plays, clockwise."""
    return opened("generic/new.html", game=game_of(game), state=current().state)
