"""The guided calibration, and what the camera sees: for the host alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for

from companion.cards.loader import builtin_names
from companion.refusal import Refusal
from web.base.preferences import words
from web.base.request import context, current, head, is_form, payload, speaker, takes_file, the_host
from web.base.streams import MIMETYPE, newest
from web.games.shelter.cards import cards_in_play
from web.pages.calibrate.view import shown

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from companion.table.ports import Calibrator, CameraPicker
    from companion.table.session.state_view import DeviceJson, SnapshotState

blueprint = Blueprint("calibrate", __name__)
LARGEST: Final = 16_000_000
"""Bytes of a photo."""


@blueprint.get("/calibrate")
def page() -> ResponseReturnValue:
    """The guided page; before the PIN it only asks for it."""
    texts, state = words(), current().state
    if not speaker().host:
        return render_template("host/login.html", head=head())
    calibrator = context().calibrator
    cameras = context().cameras
    told = None if calibrator is None else shown(texts, calibrator.view(), cards_in_play(context()))
    return render_template(
        "calibrate/calibrate.html",
        head=head(),
        told=told,
        packs=builtin_names(),
        device=_camera(state),
        picker=None if cameras is None or (told and told["open"]) else cameras.view(),
    )


@blueprint.get("/api/calibrate")
def view() -> ResponseReturnValue:
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


@blueprint.post("/calibrate/photo")
def photo() -> ResponseReturnValue:
    """A photo from the host's phone, for a step that needs no mat."""
    the_host()
    sent = request.files.get("photo")
    _calibrator().show(sent.read() if sent is not None else b"")
    return redirect(url_for("calibrate.page"), 303)


takes_file(photo, LARGEST)


@blueprint.get("/api/cameras")
def cameras() -> ResponseReturnValue:
    the_host()
    return jsonify(_picker().view())


@blueprint.post("/api/cameras")
def pick() -> ResponseReturnValue:
    """The host's word about which camera looks: try one, keep it, or go back."""
    the_host()
    raw = payload()
    wish = [raw.get(name, "") for name in ("action", "camera", "size")]
    if not all(isinstance(one, str) for one in wish):
        raise Refusal("malformed", None, "action, camera and size are texts.", field="action")
    _picker().act(*wish)
    return redirect(url_for("calibrate.page"), 303) if is_form() else jsonify(_picker().view())


def _picker() -> CameraPicker:
    found = context().cameras
    if found is None:
        raise Refusal(
            "no_camera", None, "The camera is switched off in the configuration: switch it on and start again."
        )
    return found


def _calibrator() -> Calibrator:
    found = context().calibrator
    if found is None:
        raise Refusal(
            "no_camera", None, "The camera is switched off in the configuration: switch it on and start again."
        )
    return found


def _camera(state: SnapshotState) -> DeviceJson:
    """Return what is wrong with the camera: being calibrated is nothing wrong here."""
    device = state["devices"].get("camera", {"state": "off", "hint": ""})
    return {"state": "ok", "hint": ""} if device.get("code") == "calibrating" else device


@blueprint.get("/api/camera.jpg")
def still() -> ResponseReturnValue:
    the_host()
    return Response(newest(context().sight).jpeg, mimetype="image/jpeg")


@blueprint.get("/api/camera.mjpg")
def film() -> ResponseReturnValue:
    """A film of it, a few pictures a second."""
    the_host()
    gone = request.environ.get("waitress.client_disconnected", lambda: False)
    return Response(context().films.show(context().sight, gone), mimetype=MIMETYPE, headers={"X-Accel-Buffering": "no"})
