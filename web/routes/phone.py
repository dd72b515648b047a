"""What a page posts without its script: a move, and back to where it was tapped."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from flask import Blueprint, redirect, request
from markupsafe import Markup

from companion.games.refusal import Refusal
from companion.table.intents import Tap
from web.house import acting, house

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("phone", __name__)


@blueprint.app_template_global()
def act(move: dict[str, Any]) -> Markup:
    """A button that makes a move: by the script where it has arrived, else as a form."""
    return Markup('form="moves" name="move" value="{}"').format(json.dumps(move))


@blueprint.post("/moves")
def moves() -> ResponseReturnValue:
    """The move that a button carries; the script sends the same to the api."""
    who = acting()
    try:
        move = json.loads(request.form.get("move", ""))
    except ValueError as error:
        raise Refusal("malformed", None, "move is no JSON.", field="move") from error
    house().do(Tap(move, who))
    return redirect(inside(request.form.get("back", "/")), 303)


def inside(path: str) -> str:
    """A path of ours; anything else becomes the first page."""
    return path if path.startswith("/") and path[1:2] not in ("/", "\\") else "/"
