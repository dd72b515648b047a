"""What the camera sees, with what was read drawn on it: a film and a single picture, for the host alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, request

from web.base.context import house, the_host
from web.base.films import MIMETYPE, newest

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("camera", __name__, url_prefix="/api")


@blueprint.get("/camera.jpg")
def still() -> ResponseReturnValue:
    """The newest picture."""
    the_host()
    return Response(newest(house().sight).jpeg, mimetype="image/jpeg")


@blueprint.get("/camera.mjpg")
def film() -> ResponseReturnValue:
    """A film of it, a few pictures a second."""
    the_host()
    gone = request.environ.get("waitress.client_disconnected", lambda: False)
    return Response(house().films.show(house().sight, gone), mimetype=MIMETYPE, headers={"X-Accel-Buffering": "no"})
