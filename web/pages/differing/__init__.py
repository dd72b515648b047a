"""Where table and record disagree: the picture of the place, for everybody who is shown the disagreement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response

from companion.refusal import Refusal
from web.base.request import context, current
from web.base.streams import newest

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("differing", __name__)


@blueprint.get("/api/disagreements/<int:number>.jpg")
def picture(number: int) -> ResponseReturnValue:
    """Show the place and its neighbours, as long as it is disagreed on."""
    for one in current().state["table"]["disagreements"]:
        if one["id"] == number:
            place = one["place"].partition(",")[0]
            shown = newest(context().sight, place).jpeg
            return Response(shown, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})
    raise Refusal("no_such_disagreement", None, "No such disagreement is open.", id=number)
