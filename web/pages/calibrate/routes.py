"""The calibration: a guided page and what it asks for. Only the host calibrates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, jsonify, redirect, render_template, url_for

from companion.cards.loader import builtin_names
from companion.refusal import Refusal
from web.base.context import current, house, is_form, payload, speaker, the_host
from web.base.preferences import words
from web.pages.calibrate.view import shown
from web.pages.play import status

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from companion.table.ports import Calibrator

blueprint = Blueprint("calibrate", __name__)


@blueprint.get("/calibrate")
def page() -> ResponseReturnValue:
    """The guided page; before the PIN it only asks for it."""
    texts, state = words(), current().state
    head = status.head(texts, state)
    if not speaker().host:
        return render_template("login.html", head=head)
    calibrator = house().calibrator
    told = None if calibrator is None else shown(texts, calibrator.view(), house().cards())
    return render_template("calibrate.html", head=head, told=told, packs=builtin_names(), device=_camera(state))


@blueprint.get("/api/calibrate")
def view() -> ResponseReturnValue:
    """What there is to show now."""
    the_host()
    return jsonify(_calibrator().view())


@blueprint.post("/api/calibrate")
def act() -> ResponseReturnValue:
    """The host's word about a step: open, take, keep, close, and what a step asks for."""
    the_host()
    raw = payload()
    step, action = raw.pop("step", None), raw.pop("action", None)
    if not isinstance(step, str) or not isinstance(action, str):
        raise Refusal("malformed", None, "step and action are texts.", field="step" if action else "action")
    fields = {name: value for name, value in raw.items() if isinstance(value, str)}
    _calibrator().act(step, action, fields)
    return redirect(url_for("calibrate.page"), 303) if is_form() else jsonify(_calibrator().view())


def _calibrator() -> Calibrator:
    found = house().calibrator
    if found is None:
        raise Refusal(
            "no_camera", None, "The camera is switched off in the configuration: switch it on and start again."
        )
    return found


def _camera(state: dict[str, Any]) -> dict[str, str]:
    """What the camera says of itself, where something is wrong with it: being calibrated is nothing wrong here."""
    device: dict[str, str] = state.get("devices", {}).get("camera", {"state": "off", "hint": ""})
    return {"state": "ok", "hint": ""} if device.get("code") == "calibrating" else device
